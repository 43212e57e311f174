//! A command that a program calls in place of a person: nothing is printed, and signals are the program's affair.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use clap::FromArgMatches;

use super::{Arguments, guesses, parsed, state_build};
use crate::engine::stop_engines;
use crate::players::Registry;
use crate::report::{EXPORTERS, Extent, Page, Report, markdown_html};
use crate::search::abandon_searches;

/// The answer of a command.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The exit code; see [`main`](super::main).
    pub code: u8,
    /// The output, without colours.
    pub text: String,
    /// The report as a page or as a part of one, if it was wanted and there is a report.
    pub html: Option<String>,
    /// The report as JSON.
    pub json: Option<String>,
    /// The message of the error; empty without one.
    pub error: String,
}

/// A call of a command.
///
/// # Example
/// ```
/// use shikou::cli::Call;
/// let call = |words: &[&str]| {
///     Call::new(words.iter().map(ToString::to_string).collect(), false, |_| ()).run(&shikou::registry())
/// };
/// let counted = call(&["perft", "tic-tac-toe", "2", "--format", "csv"]);
/// assert_eq!((counted.code, counted.error.as_str()), (0, ""));
/// assert!(counted.text.contains("72"));
/// let wrong = call(&["solve", "othelo"]);
/// assert_eq!(wrong.error, "error: unknown game `othelo`; did you mean `othello`?");
/// ```
pub struct Call {
    words: Vec<String>,
    wants_html: bool,
    tell: Box<dyn Fn(&str) + Send + Sync>,
    answer: Mutex<Answer>,
    is_failing: AtomicBool,
    interrupts: Mutex<Vec<Box<dyn FnMut() + Send>>>,
    is_interrupted: AtomicBool,
}

thread_local! {
    static NOW: RefCell<Option<Arc<Call>>> = const { RefCell::new(None) };
}

/// Whether a program calls commands: then none of them ends the process.
static IS_EMBEDDED: AtomicBool = AtomicBool::new(false);

pub(super) fn is_embedded() -> bool {
    IS_EMBEDDED.load(Ordering::Relaxed)
}

impl Call {
    /// A call with these words, the command first; `tell` takes each line of progress and each warning.
    pub fn new(
        words: Vec<String>,
        wants_html: bool,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            words,
            wants_html,
            tell: Box::new(tell),
            answer: Mutex::default(),
            is_failing: AtomicBool::new(false),
            interrupts: Mutex::default(),
            is_interrupted: AtomicBool::new(false),
        })
    }

    /// The call that this thread serves.
    pub(super) fn now() -> Option<Arc<Self>> {
        NOW.with_borrow(Clone::clone)
    }

    /// Serves a call on this thread.
    pub(super) fn serve(call: Option<Arc<Self>>) {
        NOW.set(call);
    }

    /// Runs the command on this thread.
    pub fn run(self: &Arc<Self>, registry: &Registry) -> Answer {
        IS_EMBEDDED.store(true, Ordering::Relaxed);
        state_build();
        self.run_within(registry)
    }

    /// [`Call::run`] for another command.
    pub(super) fn run_within(self: &Arc<Self>, registry: &Registry) -> Answer {
        let outer = Self::now();
        Self::serve(Some(Arc::clone(self)));
        let words = ["shikou".to_owned()].into_iter().chain(self.words.iter().cloned());
        let matches = parsed().try_get_matches_from(words);
        let code = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
            Ok(Arguments { command }) => command.run(registry).err().map_or(0, |error| {
                self.is_failing.store(true, Ordering::Relaxed);
                error.say()
            }),
            Err(error) => {
                let error = guesses::advise(error, &self.words, registry);
                self.lock().error = error.render().to_string();
                error.exit_code() as u8
            }
        };
        Self::serve(outer);
        if self.is_interrupted.load(Ordering::Relaxed) {
            abandon_searches(false);
        }
        let mut answer = std::mem::take(&mut *self.lock());
        answer.code = code;
        answer.error.truncate(answer.error.trim_end().len());
        answer.text.truncate(answer.text.trim_end().len());
        answer
    }

    /// Asks the command to stop, as a signal does. A second time its searches are dropped.
    pub fn interrupt(&self) {
        let mut handlers = self.interrupts.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_interrupted.swap(true, Ordering::Relaxed) || handlers.is_empty() {
            abandon_searches(true);
            stop_engines();
        } else {
            handlers.iter_mut().for_each(|handler| handler());
        }
    }

    pub(super) fn on_interrupt(&self, mut handler: impl FnMut() + Send + 'static) {
        let mut handlers = self.interrupts.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_interrupted.load(Ordering::Relaxed) {
            handler();
        }
        handlers.push(Box::new(handler));
    }

    pub(super) fn wants_html(&self) -> bool {
        self.wants_html
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    fn lock(&self) -> MutexGuard<'_, Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, text: &str) {
        let text = strip_str(text).to_string();
        if self.is_failing.load(Ordering::Relaxed) {
            self.lock().error += &(text + "\n");
        } else {
            (self.tell)(&text);
        }
    }

    /// Keeps a report in the forms that are not text.
    pub(super) fn keep(&self, report: &dyn Report) {
        let html = || {
            let page = EXPORTERS.iter().find(|format| format.name == "html").expect("there is such a format");
            let page = (page.export)(report, Page::PLAIN);
            page.unwrap_or_else(|| markdown_html(&report.document(Extent::Full).markdown()))
        };
        let (html, json) = (self.wants_html.then(html), report.json());
        let mut answer = self.lock();
        (answer.html, answer.json) = (html, Some(json));
    }
}

/// The output of the call that this thread serves, or standard output.
pub(super) fn out() -> Box<dyn Write + Send> {
    Call::now().map_or_else(|| Box::new(io::stdout()) as Box<dyn Write + Send>, |call| Box::new(Out(call)))
}

struct Out(Arc<Call>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Commands write whole lines of text.
        self.0.lock().text += &String::from_utf8_lossy(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
