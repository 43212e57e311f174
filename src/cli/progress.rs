//! The progress of a run and its standings: a bar on a terminal, lines elsewhere, or JSON; and a sign of life of other work that may
//! take long.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::call::Call;
use super::output::tell;
use crate::experiment::{Counts, Experiment, Finished, Live, Plan, PlayerSpec, Sink, StoppingPoint};
use crate::report::{brackets, counted, instances, long_duration, object, optional, with_thousands};
use crate::search::Clock;
use crate::stats::Estimate;

/// The time between lines without a terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// The time between lines of JSON, and between updates of the standings on a terminal.
const PAUSE: Duration = Duration::from_secs(1);

/// The largest number of players of an experiment in the standings.
const LEADERS: usize = 3;

/// The largest number of experiments in the standings.
const EXPERIMENTS: usize = 6;

/// The form of the progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A bar on a terminal, else lines
    Auto,
    /// A line every ten seconds
    Lines,
    /// One JSON object per line, every second and at the end
    Json,
    /// Nothing
    None,
}

pub(super) struct Progress<'p> {
    plan: &'p Plan,
    live: Live,
    form: Form,
    bar: Option<ProgressBar>,
    clock: Clock,
    next: Duration,
}

/// Whether a bar on standard error is seen: it is a terminal, and not that of a program that serves a notebook.
fn shows_bars() -> bool {
    io::stderr().is_terminal() && !Call::now().is_some_and(|call| call.wants_html())
}

/// A progress bar to this length; hidden where [bars are not seen](shows_bars).
pub(super) fn bar(length: u64, style: &str) -> ProgressBar {
    let target =
        if shows_bars() { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    bar.with_style(ProgressStyle::with_template(style).expect("the template is well formed"))
}

fn instances_of(plan: &Plan, index: usize, number: u64) -> String {
    instances(number, plan.experiment(index).game.facts().players == 2, plan.cells(index).len())
}

pub(super) fn decided(plan: &Plan, index: usize, decision: &StoppingPoint) -> String {
    let (name, after) = (&plan.experiment(index).name, instances_of(plan, index, decision.instances));
    format!("{name}: decided after {after}: {}", decision.words)
}

impl<'p> Progress<'p> {
    pub(super) fn new(plan: &'p Plan, live: Live, form: Form) -> Self {
        let form = if form == Form::Auto && !shows_bars() { Form::Lines } else { form };
        let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} trials  {msg}";
        let bar = (form == Form::Auto).then(|| bar(live.left(), style));
        let next = if form == Form::Lines { SILENCE } else { Duration::ZERO };
        Self { plan, live, form, bar, clock: Clock::start(), next }
    }

    /// Removes the bar, or prints the last JSON object.
    pub(super) fn finish(self) {
        if self.form == Form::Json {
            self.print_json(self.clock.elapsed());
        }
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        for index in 0..self.plan.experiments().len() {
            if let (Some(decision), true) =
                (self.live.standings(index).decision(), self.form != Form::Json && self.form != Form::None)
            {
                tell(decided(self.plan, index, decision));
            }
        }
    }

    /// The estimated time left, from the trials played since the run began.
    fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        let played = self.live.played();
        (played > 0).then(|| elapsed.mul_f64(self.live.left() as f64 / played as f64))
    }

    fn words(&self, elapsed: Duration) -> String {
        let words = |time: Duration| long_duration(time.as_secs_f64());
        let mut text = format!("{} elapsed", words(elapsed));
        if let Some(left) = self.time_left(elapsed) {
            let how = if self.live.may_stop() { "at most" } else { "about" };
            let _ = write!(text, ", {how} {} left", words(left));
        }
        if self.live.failed > 0 {
            let _ = write!(text, ", {} failed", with_thousands(self.live.failed));
        }
        if self.live.forfeited > 0 {
            let _ = write!(text, ", {} forfeited", with_thousands(self.live.forfeited));
        }
        text
    }

    /// The players of an experiment in the order of the manifest, each with its anytime-valid estimate and its instances.
    fn standings(&self, index: usize) -> Vec<(&'p str, Estimate, u64)> {
        let standings = self.live.standings(index);
        let players = self.plan.experiment(index).players.iter().enumerate();
        let of_player = |(number, player): (usize, &'p PlayerSpec)| {
            let (estimate, instances) = standings.of_player(number);
            (player.name.as_str(), estimate, instances)
        };
        players.map(of_player).collect()
    }

    fn leaders(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, experiment) in self.plan.experiments().enumerate().take(EXPERIMENTS) {
            let mut standings = self.standings(index);
            standings.retain(|(_, _, instances)| *instances > 0);
            let Some(&(_, _, played)) = standings.first() else { continue };
            let instances = instances_of(self.plan, index, played);
            standings.sort_by(|(_, a, _), (_, b, _)| b.value.total_cmp(&a.value));
            let facts = experiment.facts();
            let digits = if facts.counts == Counts::Score { 2 } else { 3 };
            let leader = |(player, Estimate { value, low, high, .. }, _): &(&str, Estimate, u64)| {
                format!("{player} {value:.digits$} {}", brackets(*low, *high, digits))
            };
            let leaders: Vec<String> = standings.iter().take(LEADERS).map(leader).collect();
            lines.push(format!(
                "{} after {instances}: {}{}",
                experiment.name,
                leaders.join(" · "),
                facts.unit()
            ));
            lines.extend(self.expected(index, played));
        }
        if !lines.is_empty() {
            lines.push("(anytime-valid 95 % intervals)".into());
        }
        lines
    }

    /// The instances that a sequential test still expects, if the players are as strong as it seems so far.
    fn expected(&self, index: usize, played: u64) -> Option<String> {
        let more = self.live.standings(index).expected_left()?;
        let left = self.plan.experiment(index).trials.saturating_sub(played);
        let pairs = |number| instances_of(self.plan, index, number);
        Some(if more > left {
            format!("its test expects {} more, but has {} left", pairs(more), with_thousands(left))
        } else {
            format!("its test expects {} more", pairs(more))
        })
    }

    fn print_json(&self, elapsed: Duration) {
        let standing = |(player, estimate, instances): (&'p str, Estimate, u64)| {
            object! { player, instances, #[serde(flatten)] estimate }
        };
        let unit = |experiment: &Experiment| {
            let facts = experiment.facts();
            optional("score_unit", (facts.counts == Counts::Score).then_some(facts.score_unit))
        };
        let experiments = self.plan.experiments().enumerate().map(|(index, experiment)| {
            let decision = self.live.standings(index).decision().map(|decision| &*decision.words);
            let standings: Vec<_> = self.standings(index).into_iter().map(standing).collect();
            let expected = optional("expected_left", self.live.standings(index).expected_left());
            object! {
                name: &experiment.name, #[serde(flatten)] unit: unit(experiment), decision, standings,
                #[serde(flatten)] expected,
            }
        });
        let live = &self.live;
        let view = object! {
            played: live.played(), left: live.left(), failed: live.failed, forfeited: live.forfeited,
            elapsed_s: elapsed.as_secs_f64(), left_s: self.time_left(elapsed).map(|left| left.as_secs_f64()),
            experiments: experiments.collect::<Vec<_>>(),
        };
        tell(serde_json::to_string(&view).expect("progress is JSON"));
    }

    fn show(&mut self) {
        let elapsed = self.clock.elapsed();
        if let Some(bar) = &self.bar {
            bar.set_length(self.live.played() + self.live.left());
            bar.set_position(self.live.played());
        }
        if elapsed < self.next {
            return;
        }
        match (self.form, &self.bar) {
            (Form::None, _) => {}
            (Form::Json, _) => self.print_json(elapsed),
            (_, Some(bar)) => {
                let mut message = self.words(elapsed);
                for line in self.leaders() {
                    let _ = write!(message, "\n  {line}");
                }
                bar.set_message(message);
            }
            _ => {
                let (played, left) = (self.live.played(), self.live.left());
                let of = counted(played + left, "trial");
                tell(format_args!("{} of {of}, {}", with_thousands(played), self.words(elapsed)));
                for line in self.leaders() {
                    tell(format_args!("  {line}"));
                }
            }
        }
        // Slow updates are rarer.
        let took = self.clock.elapsed().saturating_sub(elapsed);
        self.next = elapsed + if self.form == Form::Lines { SILENCE } else { PAUSE } + 20 * took;
    }
}

impl Sink for Progress<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.live.take(finished)?;
        self.show();
        Ok(())
    }
}

/// The time before the first line; each pause is twice as long as the one before.
const FIRST: Duration = Duration::from_secs(5);

/// Does the work, and meanwhile tells that it goes on, after five seconds for the first time: `still solving after 5 s; …`.
pub(super) fn waiting<T>(doing: &str, advice: &str, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    let call = Call::now();
    let tell_now_and_then = move || {
        Call::serve(call);
        let (clock, mut pause) = (Clock::start(), FIRST);
        while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            tell(format_args!(
                "still {doing} after {}; {advice}",
                long_duration(clock.elapsed().as_secs_f64())
            ));
            pause *= 2;
        }
    };
    thread::scope(|scope| {
        // Without a thread it is silent.
        let _ = thread::Builder::new().spawn_scoped(scope, tell_now_and_then);
        let found = work();
        drop(done);
        found
    })
}
