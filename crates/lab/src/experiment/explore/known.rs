//! The results of the games of an experiment.

use std::path::Path;

use super::Source;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::plan::identity::TrialId;
use crate::experiment::trial::play::play;
use crate::experiment::trial::record::Record;
use crate::experiment::trial::watched::unrepeatable;
use crate::game::Outcome;

/// The most trials of an experiment that are played to choose from.
const SAMPLE: usize = 60;

/// A game that ended, and may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownGame {
    pub(super) trial: Trial,
    /// Its index in the trial.
    pub(super) game: usize,
    /// For the first seat.
    pub(super) outcome: Outcome,
    pub(super) margin: i32,
    pub(super) plies: u32,
    /// Whether an engine lost it without finishing it: its margin and its length say nothing.
    pub(super) is_forfeit: bool,
}

/// Whether there is no log, so that the first trials are all that is known.
pub(super) fn is_sample(source: Source<'_>) -> bool {
    matches!(source, Source::Reference(folder) if !folder.join("canonical.csv").is_file())
}

/// Tells all games of an experiment that a log or a canonical log has. Without either the first trials are played, until it
/// is `enough`.
///
/// # Errors
/// If a log cannot be read.
pub(super) fn known_games(
    plan: &Plan,
    experiment: usize,
    source: Source<'_>,
    enough: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(KnownGame),
) -> Result<(), String> {
    match source {
        Source::Log(log) => {
            for record in log.records(experiment) {
                of_record(&record.map_err(|error| error.to_string())?, tell);
            }
        }
        Source::Reference(folder) if !is_sample(source) => {
            let path = folder.join("canonical.csv");
            canonical(plan, experiment, &path, tell)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Source::Reference(_) => {
            let trials = plan.canonical().filter(|trial| trial.experiment == experiment).take(SAMPLE);
            let trials = trials.filter(|trial| unrepeatable(plan, *trial).is_none());
            for trial in trials.take_while(|_| !enough()) {
                of_record(&play(plan, trial), tell);
            }
        }
    }
    Ok(())
}

fn of_record(record: &Record, tell: &mut dyn FnMut(KnownGame)) {
    for (game, of_game) in record.games.iter().enumerate() {
        if let Ok((outcome, margin)) = of_game.result {
            let (trial, plies, is_forfeit) = (record.trial, of_game.plies, of_game.forfeit.is_some());
            tell(KnownGame { trial, game, outcome, margin, plies, is_forfeit });
        }
    }
}

/// The games of a canonical log. Failed games and rows of other trials are left out.
fn canonical(
    plan: &Plan,
    experiment: usize,
    path: &Path,
    tell: &mut dyn FnMut(KnownGame),
) -> Result<(), csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let columns = reader.headers()?.clone();
    let column = |name: &str| columns.iter().position(|column| column == name).unwrap_or(usize::MAX);
    let [name, instance, trial, game, outcome, margin, plies, failure] =
        ["experiment", "instance", "trial", "game", "outcome", "score", "plies", "failure"].map(column);
    for row in reader.records() {
        let row = row?;
        let field = |column: usize| row.get(column).unwrap_or_default();
        if field(name) != plan.experiment(experiment).name {
            continue;
        }
        let read = || {
            let id = TrialId::from_digits(field(trial).as_bytes())?;
            let named = plan.trial_named(id, field(instance).parse().ok()?)?;
            // Experiments may share trials.
            let trial = std::iter::once(named)
                .chain(plan.same_as(named))
                .find(|trial| trial.experiment == experiment)?;
            Some(KnownGame {
                trial,
                game: field(game).parse::<usize>().ok()?.checked_sub(1)?,
                outcome: Outcome::from_bytes(field(outcome).as_bytes())?,
                margin: field(margin).parse().ok()?,
                plies: field(plies).parse().ok()?,
                is_forfeit: !field(failure).is_empty(),
            })
        };
        if let Some(known) = read() {
            tell(known);
        }
    }
    Ok(())
}
