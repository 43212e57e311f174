//! Commands: their words in, their reports out.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use shikou::cli::Call;

use crate::table::Table;
use crate::{Error, Result, TrialsFailed, caught, error, registry};

/// The time between looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The time for work to end after Ctrl-C.
const PATIENCE: u32 = 200;

/// The stack of a thread that works for Python: that of a program's first thread.
const STACK: usize = 16 << 20;

/// Does the work on a thread of its own, without the lock of Python, and asks it to stop at Ctrl-C. Returns what was found, and the
/// exception if it was asked.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    interrupt: impl Fn(),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<(T, Option<PyErr>)> {
    let (send, receive) = mpsc::channel();
    let run = move || drop(send.send(caught(work)));
    thread::Builder::new().name("shikou".into()).stack_size(STACK).spawn(run).map_err(error)?;
    let receive = std::sync::Mutex::new(receive);
    let mut stopped: Option<(PyErr, u32)> = None;
    loop {
        let next = py.detach(|| receive.lock().expect("no other thread has it").recv_timeout(LOOK));
        match (next, &mut stopped) {
            (Ok(done), stopped) => return Ok((done?, stopped.take().map(|(why, _)| why))),
            (Err(RecvTimeoutError::Disconnected), _) => return Err(error("the work ended without a word")),
            (Err(RecvTimeoutError::Timeout), Some((why, waited))) if *waited >= PATIENCE => {
                return Err(why.clone_ref(py));
            }
            (Err(RecvTimeoutError::Timeout), waiting) => {
                if let Some((_, waited)) = waiting {
                    *waited += 1;
                }
                if let Err(why) = py.check_signals() {
                    interrupt();
                    stopped = Some((why, 0));
                }
            }
        }
    }
}

/// What a command says.
#[pyclass(frozen, module = "shikou._shikou")]
pub(crate) struct Answer(shikou::cli::Answer);

#[pymethods]
impl Answer {
    /// The exit code: 0, or 1 if the command's own check failed.
    #[getter]
    fn code(&self) -> u8 {
        self.0.code
    }

    /// The output, without colours.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The report as a page or a part of one, if it was wanted.
    #[getter]
    fn html(&self) -> Option<&str> {
        self.0.html.as_deref()
    }

    /// The report as JSON.
    #[getter]
    fn json(&self) -> Option<&str> {
        self.0.json.as_deref()
    }

    /// The text, which is CSV, as a table.
    fn table(&self) -> Result<Table> {
        Table::of_csv(&self.0.text).map_err(error)
    }
}

/// Runs a command of the command line; `tell` takes its progress and its warnings.
#[pyfunction]
pub(crate) fn call(py: Python<'_>, words: Vec<String>, html: bool, tell: Py<PyAny>) -> Result<Answer> {
    let tell = move |line: &str| Python::attach(|py| drop(tell.call1(py, (line,))));
    let call = Call::new(words, html, tell);
    let interrupted = Arc::clone(&call);
    let (answer, stopped) =
        interruptible(py, move || interrupted.interrupt(), move || call.run(&registry()))?;
    match answer.code {
        0 | 1 | 3 if stopped.is_some() => Err(stopped.expect("it is one")),
        0 | 1 if answer.error.is_empty() => Ok(Answer(answer)),
        3 => Err(TrialsFailed::new_err([answer.text, answer.error].join("\n").trim().to_owned())),
        4 => Err(PyKeyboardInterrupt::new_err(answer.error)),
        5 => Err(PyOSError::new_err(answer.error)),
        _ => Err(Error::new_err(answer.error)),
    }
}
