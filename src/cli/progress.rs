//! How far a run is: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::experiment::{Record, Sink};
use crate::report::{duration, with_thousands};
use crate::search::Clock;

/// How long it is silent between lines where there is no terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// Shows how far a run is, and the time left.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    clock: Clock,
    last_line: Duration,
    done: u64,
    all: u64,
    failed: u64,
}

impl Progress {
    /// For so many trials.
    pub(super) fn new(trials: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(trials), ProgressDrawTarget::stderr_with_hz(5));
            let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} trials  {elapsed} gone, {eta} left  {msg}";
            bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
            bar
        });
        Self { bar, clock: Clock::start(), last_line: Duration::ZERO, done: 0, all: trials, failed: 0 }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&mut self) {
        let elapsed = self.clock.elapsed();
        if elapsed < self.last_line + SILENCE {
            return;
        }
        self.last_line = elapsed;
        let left = elapsed.mul_f64((self.all - self.done) as f64 / self.done as f64);
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        eprintln!(
            "{} of {} trials, {} gone, about {} left{failed}",
            with_thousands(self.done),
            with_thousands(self.all),
            duration(elapsed.as_nanos() as u64),
            duration(left.as_nanos() as u64),
        );
    }
}

impl Sink for Progress {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.done += 1;
        if record.games.iter().any(|game| game.result.is_err()) {
            self.failed += 1;
            if let Some(bar) = &self.bar {
                bar.set_message(format!("{} failed", self.failed));
            }
        }
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => self.line(),
        }
        Ok(())
    }
}
