//! How far a run is, and how the players stand: a bar on a terminal, a line now and then elsewhere, or JSON.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::output::tell;
use crate::experiment::{Finished, Live, Plan, Sink};
use crate::report::{duration, with_thousands};
use crate::search::Clock;
use crate::stats::Method;

/// How long it is silent between lines where there is no terminal.
const SILENCE: Duration = Duration::from_secs(10);

/// How long between two lines of JSON, and between two looks at how the players stand.
const PAUSE: Duration = Duration::from_secs(1);

/// How many players of an experiment are shown on the way.
const LEADERS: usize = 3;

/// How many experiments are shown on the way.
const EXPERIMENTS: usize = 6;

/// How to show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A bar on a terminal, else lines
    Auto,
    /// A line every ten seconds
    Lines,
    /// An object of JSON a line, every second and at the end
    Json,
    /// Nothing
    None,
}

/// Follows a run, and shows how far it is.
pub(super) struct Progress<'p> {
    plan: &'p Plan<'p>,
    live: Live<'p>,
    form: Form,
    bar: Option<ProgressBar>,
    clock: Clock,
    next: Duration,
}

#[derive(Serialize)]
struct View<'v> {
    played: u64,
    /// At most, where a stopping rule may decide.
    left: u64,
    failed: u64,
    elapsed_s: f64,
    left_s: Option<f64>,
    experiments: Vec<ExperimentView<'v>>,
}

#[derive(Serialize)]
struct ExperimentView<'v> {
    name: &'v str,
    decision: Option<&'v str>,
    /// How the players stand, in the order of the manifest. The intervals hold at all looks together.
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

impl<'p> Progress<'p> {
    pub(super) fn new(plan: &'p Plan<'p>, live: Live<'p>, form: Form) -> Self {
        let form = if form == Form::Auto && !io::stderr().is_terminal() { Form::Lines } else { form };
        let bar = (form == Form::Auto).then(|| {
            let bar = ProgressBar::with_draw_target(Some(live.left()), ProgressDrawTarget::stderr_with_hz(5));
            let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} trials  {msg}";
            bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
            bar
        });
        let next = if form == Form::Lines { SILENCE } else { Duration::ZERO };
        Self { plan, live, form, bar, clock: Clock::start(), next }
    }

    /// Takes the bar away. The last object of JSON is printed.
    pub(super) fn finish(self) {
        if self.form == Form::Json {
            self.print_json(self.clock.elapsed());
        }
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        for index in 0..self.plan.cells.len() {
            if let (Some(decision), true) =
                (self.live.standings(index).decision(), self.form != Form::Json && self.form != Form::None)
            {
                let experiment = &self.plan.manifest.experiments[index];
                tell(format_args!(
                    "{}: decided after {} instances: {}",
                    experiment.name,
                    with_thousands(decision.instances),
                    decision.words
                ));
            }
        }
    }

    /// The time that the rest will take: from what was played since the run began.
    fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        let played = self.live.played();
        (played > 0).then(|| elapsed.mul_f64(self.live.left() as f64 / played as f64))
    }

    /// How far it is, in words.
    fn words(&self, elapsed: Duration) -> String {
        let nanoseconds = |time: Duration| duration(time.as_nanos() as u64);
        let mut text = format!("{} gone", nanoseconds(elapsed));
        if let Some(left) = self.time_left(elapsed) {
            let how = if self.live.may_stop() { "at most" } else { "about" };
            let _ = write!(text, ", {how} {} left", nanoseconds(left));
        }
        if self.live.failed() > 0 {
            let _ = write!(text, ", {} failed", with_thousands(self.live.failed()));
        }
        text
    }

    /// How the players of an experiment stand, in the order of the manifest.
    fn standings(&self, index: usize) -> Vec<StandingView<'p>> {
        let players = &self.plan.manifest.experiments[index].players;
        let view = |(number, player): (usize, &'p crate::experiment::PlayerSpec)| {
            let (estimate, instances) = self.live.standings(index).of_player(number);
            let (value, low, high, method) = (estimate.value, estimate.low, estimate.high, estimate.method);
            StandingView { player: &player.name, instances, value, low, high, method }
        };
        players.iter().enumerate().map(view).collect()
    }

    /// The leaders of each experiment, a line each.
    fn leaders(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, experiment) in self.plan.manifest.experiments.iter().enumerate().take(EXPERIMENTS) {
            let mut standings = self.standings(index);
            standings.retain(|standing| standing.instances > 0);
            let Some(first) = standings.first() else { continue };
            let instances = with_thousands(first.instances);
            standings.sort_by(|a, b| b.value.total_cmp(&a.value));
            let leader = |standing: &StandingView<'_>| {
                let StandingView { player, value, low, high, .. } = standing;
                format!("{player} {value:.3} [{low:.3}, {high:.3}]")
            };
            let leaders: Vec<String> = standings.iter().take(LEADERS).map(leader).collect();
            lines.push(format!("{} after {instances}: {}", experiment.name, leaders.join(" · ")));
        }
        if !lines.is_empty() {
            lines.push("(anytime 95 % intervals: they hold at all looks together)".into());
        }
        lines
    }

    fn print_json(&self, elapsed: Duration) {
        let experiments = self.plan.manifest.experiments.iter().enumerate();
        let view = View {
            played: self.live.played(),
            left: self.live.left(),
            failed: self.live.failed(),
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
                let of = with_thousands(played + left);
                tell(format_args!("{} of {of} trials, {}", with_thousands(played), self.words(elapsed)));
                for line in self.leaders() {
                    tell(format_args!("  {line}"));
                }
            }
        }
        // Where it takes long to look, looks are rarer.
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
