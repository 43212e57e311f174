//! All decisions of a trial, as data and as tables.

use std::path::Path;

use super::{SCHEMA, log_of};
use crate::cli::error::CommandError;
use crate::cli::estimates::standard_error;
use crate::cli::groups::OutputArguments;
use crate::experiment::{ChosenBy, Plan, Trial, WatchedGame, WatchedPly, WatchedTrial};
use crate::report::{Block, Document, Table, counted, decimals, with_thousands};

/// Plays a trial again, and prints all decisions in a format. What is not repeatable is not played: then the log of the
/// folder has the results.
pub(super) fn decisions(
    plan: &Plan,
    trial: Trial,
    folder: &Path,
    output: &OutputArguments,
) -> Result<(), CommandError> {
    let mut watched = WatchedTrial::play(plan, trial);
    if watched.unrepeatable.is_some()
        && let Some(log) = log_of(folder, plan)?
    {
        watched = WatchedTrial::of_record(plan, trial, log.record(&trial)?.as_ref());
    }
    let document = document(&watched);
    output.show("trial", SCHEMA, watched, document)
}

fn document(watched: &WatchedTrial) -> Document {
    let WatchedTrial { trial, experiment, instance, unit, unrepeatable, games, .. } = watched;
    let mut document =
        Document(vec![Block::Heading(format!("trial {trial} of {experiment}, instance {instance}"))]);
    if let Some(reason) = unrepeatable {
        document.0.push(format!("It cannot be played again: {reason}.").into());
    }
    for game in games {
        if !game.plies.is_empty() {
            document.0.push(table(game).into());
        }
        document.0.push(Block::Notes(vec![format!("game {}: {}", game.number, result(game, unit))]));
    }
    document
}

fn table(game: &WatchedGame) -> Table {
    let columns = [">ply", "<player", "<move", ">value", ">± std. error", ">visits", "<expected line"];
    let mut table = Table::new(&columns);
    for ply in &game.plies {
        let own = ply
            .decision
            .as_ref()
            .and_then(|decision| decision.moves.iter().find(|estimate| estimate.mv == decision.chosen));
        let number = |value: Option<String>| value.unwrap_or_else(|| "–".into());
        table.row([
            ply.ply.to_string(),
            player(game, ply),
            ply.mv.clone(),
            number(own.map(|own| decimals(own.value, 3))),
            number(own.map(|own| standard_error(own.standard_error))),
            number(own.map(|own| with_thousands(own.visits))),
            ply.line.join(" "),
        ]);
    }
    table
}

fn player(game: &WatchedGame, ply: &WatchedPly) -> String {
    match (ply.by, ply.seat) {
        (ChosenBy::Player, Some(seat)) => game.seats[usize::from(seat) - 1].player.clone(),
        (ChosenBy::Opening, _) => "(opening)".into(),
        _ => "(chance)".into(),
    }
}

fn result(game: &WatchedGame, unit: &str) -> String {
    let names: Vec<&str> = game.seats.iter().map(|seat| seat.player.as_str()).collect();
    let result = match (game.outcome, game.margin, &game.failure) {
        (Some(outcome), Some(margin), failure) => {
            let by = failure.iter().map(|reason| format!(", by {reason}"));
            format!("{outcome} for the first player, {margin} {unit}{}", by.collect::<String>())
        }
        (_, _, Some(failure)) => format!("failed: {failure}"),
        _ => "the log does not have it".into(),
    };
    let plies = if game.plies.is_empty() {
        String::new()
    } else {
        format!(", {}", counted(game.plies.len() as u64, "ply"))
    };
    format!("{}: {result}{plies}", names.join(" – "))
}
