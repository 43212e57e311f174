//! The warnings of a run: of its trainings, optimisations and experiments, of its machine.

use super::caution::{Caution, lines};
use super::numbers::with_thousands;
use super::optimisation::cautions as of_optimisation;
use super::training::cautions as of_trainings;
use super::verdict::{REPEATED, is_repeated, list, unequal_time};
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts, Summary, Warning, WarningKind};

/// All warnings of a run that its report shows, in the order in which it does: the `whole` report all, the answer those of times if
/// they are `timed`, and those of margins if it is by score.
pub fn cautions(summary: &Summary, facts: &RunFacts, timed: bool, whole: bool) -> Vec<Caution> {
    let mut all: Vec<Caution> = of_trainings(&summary.trainings).collect();
    all.extend(summary.optimisations.iter().flat_map(of_optimisation));
    let of = |experiment: &ExperimentSummary| of_experiment(experiment, whole || experiment.scored);
    all.extend(summary.experiments.iter().flat_map(of));
    all.extend(if timed || whole { of_this_run(summary, facts) } else { Vec::new() });
    all
}

/// The warnings of an experiment; with those of its margin, if that is shown.
pub(super) fn of_experiment(experiment: &ExperimentSummary, shows_margin: bool) -> Vec<Caution> {
    let mut cautions = Vec::new();
    if experiment.players.iter().all(|player| player.moves == 0 && player.played > 0) {
        let words = "no player made a move, because the openings end the games; shorten them.";
        cautions.push(Caution::new(WarningKind::NoMoves, words));
    }
    if is_repeated(experiment) && experiment.design == "match" {
        cautions.push(Caution::new(WarningKind::RepeatedGame, REPEATED));
    }
    for meeting in experiment.meetings.iter().filter(|meeting| meeting.repeated && !is_repeated(experiment)) {
        let words = format!(
            "{} and {} played the same game {} times from either seat, so their meeting has no estimate, and there are no ratings.",
            meeting.first,
            meeting.second,
            with_thousands(meeting.pairs)
        );
        cautions.push(Caution::new(WarningKind::RepeatedGame, words));
    }
    let timed = experiment.warnings.iter().filter_map(|warning| match warning {
        Warning::TimeLimited { player } => Some(player.as_str()),
        _ => None,
    });
    let timed: Vec<&str> = timed.collect();
    for warning in &experiment.warnings {
        match warning {
            Warning::FewInstances { .. } if !shows_margin => {}
            Warning::TimeLimited { player } if timed.len() > 1 => {
                if player == timed[0] {
                    let (names, advice) = (list(&timed), warning.advice());
                    let words = format!(
                        "the searches of {names} are limited by time, so results cannot be repeated; {advice}."
                    );
                    cautions.push(Caution::new(warning.kind(), words));
                }
            }
            _ => cautions.push(warning.into()),
        }
    }
    cautions
}

/// The warnings about the machine and this run.
pub(super) fn of_this_run(summary: &Summary, facts: &RunFacts) -> Vec<Caution> {
    busy(summary).into_iter().chain(facts.warnings().iter().map(Into::into)).collect()
}

/// The notes on the machine and this run: times that were meant to be equal, and warnings.
pub(super) fn notes_of_this_run(summary: &Summary, facts: &RunFacts) -> Vec<String> {
    let times = if facts.is_optimised() { &summary.experiments[..] } else { &[] };
    times.iter().filter_map(unequal_time).chain(lines(of_this_run(summary, facts))).collect()
}

/// Clock and processor time that differ by more than this part of the processor time are worth a warning.
const MUCH: f64 = 0.1;

/// One warning of all players whose time was not theirs alone.
fn busy(summary: &Summary) -> Option<Caution> {
    let is_slow =
        |player: &&PlayerSummary| player.running.is_some_and(|running| running < 1.0 / (1.0 + MUCH));
    let slow = || summary.experiments.iter().flat_map(|experiment| &experiment.players).filter(is_slow);
    let least = slow().filter_map(|player| player.running).reduce(f64::min)?;
    let mut names: Vec<&str> = Vec::new();
    for player in slow() {
        if !names.contains(&&*player.name) {
            names.push(&player.name);
        }
    }
    let words = format!(
        "the machine was busy: {} had a processor for {}{:.0} % of their time, so a move found less than on an idle machine; \
         limit cpu-time in place of time, or use fewer threads.",
        if names.len() == 1 {
            format!("the search of {}", names[0])
        } else {
            format!("the searches of {}", list(&names))
        },
        if names.len() == 1 { "" } else { "as little as " },
        100.0 * least
    );
    let words = if names.len() == 1 { words.replace("of their time", "of its time") } else { words };
    Some(Caution::new(WarningKind::BusyMachine, words))
}
