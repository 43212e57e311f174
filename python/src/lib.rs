//! The module `shikou._shikou`: what the package `shikou` asks of the library. The Python files beside it have the documentation.

mod call;
mod evaluation;
mod game;
mod plain;
mod play;
mod table;
mod thread;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use ::shikou::players::{PlayError, Registry};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

pyo3::create_exception!(
    shikou,
    Error,
    PyException,
    "What the command line says of a mistake, with its place and advice."
);
pyo3::create_exception!(shikou, TrialsFailed, Error, "Trials failed; the rows of the others are kept.");

/// The result of a call from Python.
type Result<T, E = PyErr> = std::result::Result<T, E>;

fn error(reason: impl std::fmt::Display) -> PyErr {
    Error::new_err(reason.to_string())
}

/// Adds something to a registry.
type Add = Box<dyn Fn(&mut Registry) + Send + Sync>;

/// What was registered in this process, in order, and the registry that has it.
static KNOWN: Mutex<(Vec<Add>, Option<Arc<Registry>>)> = Mutex::new((Vec::new(), None));

/// The registry of this process.
fn registry() -> Arc<Registry> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let (added, registry) = &mut *known;
    Arc::clone(registry.get_or_insert_with(|| {
        let mut all: Registry = ::shikou::registry().into();
        for add in added.iter() {
            add(&mut all);
        }
        Arc::new(all)
    }))
}

/// Registers something, for all calls that begin later.
fn register(add: impl Fn(&mut Registry) + Send + Sync + 'static) {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.0.push(Box::new(add));
    known.1 = None;
}

/// A text that lives as long as the process, once for each.
fn kept(text: &str) -> &'static str {
    static ALL: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.get(text).copied();
    known.unwrap_or_else(|| {
        let text: &'static str = Box::leak(text.into());
        all.insert(text);
        text
    })
}

/// Runs what may ask Python code for a game, a move or a value; its exceptions come back as errors.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match PlayError::from_panic(&*payload) {
        PlayError::Panic(message) => error(message),
        other => error(other),
    })
}

/// Ends the trial, the check or the call that asked Python code, with the exception and its place.
fn fail(py: Python<'_>, what: &str, failure: &PyErr) -> ! {
    let place = failure.traceback(py).and_then(|traceback| {
        let frames = py.import("traceback").ok()?.call_method1("extract_tb", (traceback,)).ok()?;
        let frame = frames.get_item(-1).ok()?;
        let [file, line] = ["filename", "lineno"].map(|name| frame.getattr(name).map(|of| of.to_string()));
        Some(format!(" ({}:{})", file.ok()?, line.ok()?))
    });
    // No hook prints it: whoever asked says it.
    std::panic::resume_unwind(Box::new(format!("{what}: {failure}{}", place.unwrap_or_default())))
}

/// The answer of Python code, or the end of whoever asked.
fn ask<T>(what: &str, work: impl FnOnce(Python<'_>) -> Result<T>) -> T {
    thread::keep_state();
    Python::attach(|py| work(py).unwrap_or_else(|failure| fail(py, what, &failure)))
}

#[pymodule]
mod _shikou {
    #[pymodule_export]
    use super::call::{Answer, call};
    #[pymodule_export]
    use super::evaluation::add_evaluation;
    #[pymodule_export]
    use super::game::{add_game, add_policy, add_searcher};
    #[pymodule_export]
    use super::play::{Game, State, search};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::{Error, TrialsFailed};
}
