//! All decisions of a trial, as data and as tables.

use std::path::Path;

use super::log_of;
use crate::cli::error::Result;
use crate::cli::estimates::standard_error;
use crate::cli::groups::OutputArguments;
use crate::experiment::{ChosenBy, Plan, Trial, WatchedGame, WatchedPly, WatchedTrial};
use crate::report::{Block, Cell, Document, Table, column, columns, counted, decimals, with_thousands};

/// Plays a trial again, and prints all decisions in a format. What is not repeatable is not played: then the log of the
/// folder has the results.
pub(super) fn decisions(plan: &Plan, trial: Trial, folder: &Path, output: &OutputArguments) -> Result {
    let mut watched = WatchedTrial::play(plan, trial);
    if watched.unrepeatable.is_some()
        && let Some(log) = log_of(folder, plan)?
    {
        watched = WatchedTrial::of_record(plan, trial, log.record(&trial)?.as_ref());
    }
    let document = document(&watched);
    output.show("trial", watched, document)
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
    Table::of(
        &game.plies,
        [
            column(">ply", &|ply| ply.ply),
            column("<player", &|ply| player(game, ply)),
            column("<move", &|ply| ply.mv.clone()),
            columns([">value", ">± std. error", ">visits"], &|ply| {
                let decision = ply.decision.as_ref()?;
                let own = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen)?;
                let error = standard_error(own.standard_error);
                Some([decimals(own.value, 3), error, with_thousands(own.visits)].map(Cell::from))
            }),
            column("<expected line", &|ply| ply.line.join(" ")),
        ],
    )
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
