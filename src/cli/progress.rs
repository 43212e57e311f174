//! The progress of a run and its standings: a bar on a terminal, lines elsewhere, or JSON.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::output::tell;
use crate::experiment::{Finished, Live, Plan, Sink, StoppingPoint};
use crate::report::{counted, instances, long_duration, with_thousands};
use crate::search::Clock;
use crate::stats::Method;

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

/// Shows the progress of a run.
pub(super) struct Progress<'p> {
    plan: &'p Plan,
    live: Live,
    form: Form,
    bar: Option<ProgressBar>,
    clock: Clock,
    next: Duration,
}

#[derive(Serialize)]
struct View<'v> {
    played: u64,
    /// An upper bound if there is a stopping rule.
    left: u64,
    failed: u64,
    forfeited: u64,
    elapsed_s: f64,
    left_s: Option<f64>,
    experiments: Vec<ExperimentView<'v>>,
}

#[derive(Serialize)]
struct ExperimentView<'v> {
    name: &'v str,
    decision: Option<&'v str>,
    /// The standings in the order of the manifest, with anytime-valid intervals.
    standings: Vec<StandingView<'v>>,
}

#[derive(Serialize)]
struct StandingView<'v> {
    player: &'v str,
    instances: u64,
    value: f64,
    low: f64,
    high: f64,
    method: Method,
}

/// A progress bar to this length.
pub(super) fn bar(length: u64, style: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(5));
    bar.with_style(ProgressStyle::with_template(style).expect("the template is well formed"))
}

/// A number of instances of an experiment by what they are.
fn instances_of(plan: &Plan, index: usize, number: u64) -> String {
    instances(number, plan.experiment(index).game.facts().players == 2, plan.cells(index).len())
}

/// A decision of an experiment, in a line.
pub(super) fn decided(plan: &Plan, index: usize, decision: &StoppingPoint) -> String {
    let (name, after) = (&plan.experiment(index).name, instances_of(plan, index, decision.instances));
    format!("{name}: decided after {after}: {}", decision.words)
}

impl<'p> Progress<'p> {
    pub(super) fn new(plan: &'p Plan, live: Live, form: Form) -> Self {
        let form = if form == Form::Auto && !io::stderr().is_terminal() { Form::Lines } else { form };
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

    /// The progress in words.
    fn words(&self, elapsed: Duration) -> String {
        let words = |time: Duration| long_duration(time.as_secs_f64());
        let mut text = format!("{} elapsed", words(elapsed));
        if let Some(left) = self.time_left(elapsed) {
            let how = if self.live.may_stop() { "at most" } else { "about" };
            let _ = write!(text, ", {how} {} left", words(left));
        }
        if self.live.failed() > 0 {
            let _ = write!(text, ", {} failed", with_thousands(self.live.failed()));
        }
        if self.live.forfeited() > 0 {
            let _ = write!(text, ", {} forfeited", with_thousands(self.live.forfeited()));
        }
        text
    }

    /// The standings of an experiment, in the order of the manifest.
    fn standings(&self, index: usize) -> Vec<StandingView<'p>> {
        let players = &self.plan.experiment(index).players;
        let view = |(number, player): (usize, &'p crate::experiment::PlayerSpec)| {
            let (estimate, instances) = self.live.standings(index).of_player(number);
            let (value, low, high, method) = (estimate.value, estimate.low, estimate.high, estimate.method);
            StandingView { player: &player.name, instances, value, low, high, method }
        };
        players.iter().enumerate().map(view).collect()
    }

    /// The leaders of each experiment, one line each.
    fn leaders(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, experiment) in self.plan.experiments().enumerate().take(EXPERIMENTS) {
            let mut standings = self.standings(index);
            standings.retain(|standing| standing.instances > 0);
            let Some(first) = standings.first() else { continue };
            let instances = instances_of(self.plan, index, first.instances);
            standings.sort_by(|a, b| b.value.total_cmp(&a.value));
            let leader = |standing: &StandingView<'_>| {
                let StandingView { player, value, low, high, .. } = standing;
                format!("{player} {value:.3} [{low:.3}, {high:.3}]")
            };
            let leaders: Vec<String> = standings.iter().take(LEADERS).map(leader).collect();
            lines.push(format!("{} after {instances}: {}", experiment.name, leaders.join(" · ")));
        }
        if !lines.is_empty() {
            lines.push("(anytime-valid 95 % intervals)".into());
        }
        lines
    }

    fn print_json(&self, elapsed: Duration) {
        let experiments = self.plan.experiments().enumerate();
        let view = View {
            played: self.live.played(),
            left: self.live.left(),
            failed: self.live.failed(),
            forfeited: self.live.forfeited(),
            elapsed_s: elapsed.as_secs_f64(),
            left_s: self.time_left(elapsed).map(|left| left.as_secs_f64()),
            experiments: experiments
                .map(|(index, experiment)| ExperimentView {
                    name: &experiment.name,
                    decision: self.live.standings(index).decision().map(|decision| &*decision.words),
                    standings: self.standings(index),
                })
                .collect(),
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
