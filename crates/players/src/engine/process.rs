//! The process of an engine: lines to it, lines from it, and its end.
//!
//! A thread reads standard output, so that an engine that never stops talking is drained and one that never talks is waited for
//! no longer than a limit. Another keeps the last lines of standard error.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::family::Family;
use super::{Failure, Line, Verdict, read_lines};
use crate::search::Clock;

static ALLOWED: AtomicBool = AtomicBool::new(false);

static STOPPED: AtomicBool = AtomicBool::new(false);

static RUNNING: Mutex<Vec<Arc<Family>>> = Mutex::new(Vec::new());

/// Lets this process start engines. Without it, every start fails: a command that does not call it starts none.
pub fn allow_engines() {
    ALLOWED.store(true, Ordering::Relaxed);
}

/// Ends all engines of this process, now and later, with the programs that they started.
pub fn stop_engines() {
    STOPPED.store(true, Ordering::SeqCst);
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|family| family.end());
}

/// The number of lines of standard error that are kept, and of letters of each.
const LAST_WORDS: usize = 10;
const LETTERS: usize = 200;

/// The number of lines that may wait to be read. Then the engine waits.
const MOST_WAITING: usize = 1024;

const TIME_TO_QUIT: Duration = Duration::from_millis(500);

/// The time between two looks at whether an engine that says nothing is still there.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    Late,
    Gone,
}

#[derive(Debug)]
pub(super) struct Process {
    family: Arc<Family>,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    /// Starts a program with its arguments, without a shell.
    pub(super) fn start(command: &[String]) -> Result<Self, Failure> {
        let refused = |verdict, reason| Failure { verdict, reason, last_words: Vec::new() };
        if !ALLOWED.load(Ordering::Relaxed) {
            return Err(refused(Verdict::Protocol, "this command starts no engines".into()));
        }
        let (program, arguments) =
            command.split_first().ok_or_else(|| refused(Verdict::Crash, "the command is empty".into()))?;
        let failed = |error: io::Error| {
            let verdict = if is_of_system(&error) { Verdict::System } else { Verdict::Crash };
            refused(verdict, format!("`{program}` does not start: {error}"))
        };
        let mut starter = Command::new(program);
        starter.args(arguments);
        let (family, (input, output, errors)) = Family::start(starter).map_err(failed)?;
        let (sender, lines) = sync_channel(MOST_WAITING);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&last_words);
        let read_output = move || {
            for line in read_lines(BufReader::new(output)).map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        let read_errors = move || {
            for line in read_lines(BufReader::new(errors)).map_while(Result::ok) {
                let line = match line {
                    Line::Text(text) => {
                        text.chars().filter(|letter| !letter.is_control()).take(LETTERS).collect()
                    }
                    Line::TooLong(bytes) => format!("a line of {bytes} bytes"),
                };
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == LAST_WORDS {
                    kept.pop_front();
                }
                kept.push_back(line);
            }
        };
        let process = Self { family: Arc::new(family), input: Some(input), lines, last_words };
        thread::Builder::new().spawn(read_output).map_err(failed)?;
        thread::Builder::new().spawn(read_errors).map_err(failed)?;
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&process.family));
        if STOPPED.load(Ordering::SeqCst) {
            process.family.end();
        }
        Ok(process)
    }

    pub(super) fn write(&mut self, line: &str) -> Result<(), Missing> {
        let input = self.input.as_mut().ok_or(Missing::Gone)?;
        input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| input.flush())
            .map_err(|_| Missing::Gone)
    }

    /// Reads lines until `read` finds what it looks for. Lines that are too long are left out.
    pub(super) fn read<T>(
        &self,
        longest: Duration,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Missing> {
        let clock = Clock::start();
        let mut is_gone = false;
        loop {
            let left = longest.checked_sub(clock.elapsed()).ok_or(Missing::Late)?;
            match self.lines.recv_timeout(left.min(BETWEEN_LOOKS)) {
                Ok(Line::Text(line)) => {
                    if let Some(found) = read(&line) {
                        return Ok(found);
                    }
                }
                Ok(Line::TooLong(_)) => {}
                // The process may be gone while another one holds its output; its last lines come first.
                Err(RecvTimeoutError::Timeout) if is_gone => return Err(Missing::Gone),
                Err(RecvTimeoutError::Timeout) => is_gone = self.family.ended().is_some(),
                Err(RecvTimeoutError::Disconnected) => return Err(Missing::Gone),
            }
        }
    }

    /// The failure of this engine, with its last words.
    pub(super) fn failure(&self, verdict: Verdict, reason: impl Into<String>) -> Failure {
        let is_gone = verdict == Verdict::Crash;
        let verdict = if STOPPED.load(Ordering::SeqCst) { Verdict::Interrupted } else { verdict };
        let mut reason = reason.into();
        if is_gone && let Some(status) = self.status_soon() {
            reason = format!("{reason} ({status})");
        }
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        Failure { verdict, reason, last_words: words.iter().cloned().collect() }
    }

    /// How the process ended, if it ends soon.
    fn status_soon(&self) -> Option<String> {
        let clock = Clock::start();
        while clock.elapsed() < TIME_TO_QUIT {
            if let Some(status) = self.family.ended() {
                // The thread that reads standard error is a moment behind.
                thread::sleep(Duration::from_millis(10));
                return Some(status.to_string());
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Says `quit`, waits a moment, and ends what is left. Returns whether it ended by itself.
    pub(super) fn quit(&mut self) -> bool {
        if self.input.is_none() {
            return false;
        }
        let _ = self.write("quit");
        self.input = None;
        self.status_soon().is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        self.family.end();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| !Arc::ptr_eq(other, &self.family));
    }
}

/// Whether a program was not started because the system lacks descriptors, processes or memory: the program did nothing wrong.
fn is_of_system(error: &io::Error) -> bool {
    #[cfg(unix)]
    if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) {
        return true;
    }
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
}
