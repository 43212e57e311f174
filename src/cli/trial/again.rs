//! A trial played again: move by move, or all its decisions as data and as tables.

use std::path::Path;

use super::log_of;
use crate::cli::error::Result;
use crate::cli::estimates::{estimates, standard_error};
use crate::cli::groups::OutputArguments;
use crate::cli::output::print;
use crate::experiment::{
    ChosenBy, Experiment, Plan, Trial, Watch, WatchedGame, WatchedPly, WatchedTrial, play_watched,
};
use crate::game::Player;
use crate::players::{SearcherSpec, Table as GameTable};
use crate::report::{Block, Cell, Document, Table, column, columns, counted, decimals, with_thousands};
use crate::search::ThreadClock;

/// Plays a trial again, and prints each position.
pub(super) fn again(plan: &Plan, trial: Trial) -> Result {
    let experiment = plan.experiment(trial.experiment);
    print(format!("trial {} of {}, instance {}", plan.id(&trial), experiment.name, trial.instance))?;
    if let Some(reason) = WatchedTrial::of_record(plan, trial, None).unrepeatable {
        if plan.has_engine(&trial) {
            return print(format!(
                "not played again, because {reason}; `shikou trial FOLDER` lists its result"
            ));
        }
        print(format!("this is another game than that of the run: {reason}"))?;
    }
    let mut show = Show { experiment, games: 0, last: None, printed: Ok(()) };
    let record = play_watched(plan, trial, &mut ThreadClock::start(), &mut show);
    show.printed?;
    for (game, number) in record.games.iter().zip(1..) {
        let result = match &game.result {
            Ok((outcome, score)) => {
                format!(
                    "{outcome} for the first player, margin {score} ({})",
                    experiment.game.facts().score_unit
                )
            }
            Err(failure) => format!("failed: {failure}"),
        };
        print(format!("\ngame {number}: {result}, {}", counted(game.plies.into(), "ply")))?;
    }
    Ok(())
}

struct Show<'e> {
    experiment: &'e Experiment,
    games: usize,
    /// The plies of the position before.
    last: Option<u32>,
    printed: Result,
}

impl Watch for Show<'_> {
    fn position(&mut self, table: &dyn GameTable, seating: &[usize]) {
        if self.printed.is_err() {
            return;
        }
        let name = |player: usize| self.experiment.players[player].name.as_str();
        let mut text = String::new();
        // A game may begin with the plies of an opening.
        if self.last.replace(table.plies()).is_none_or(|last| table.plies() <= last) {
            let names: Vec<&str> = seating.iter().map(|&player| name(player)).collect();
            self.games += 1;
            text = format!("\ngame {}: {}\n", self.games, names.join(" – "));
        }
        text += &last_ply(table, |seat| {
            let player = &self.experiment.players[seating[seat.index()]];
            (player.name.clone(), Some(&player.searcher))
        });
        self.printed = print(format!("{text}{}", table.drawing()));
    }

    fn moved(&mut self, _player: usize, _ns: u64) {}
}

/// The last ply on a table, with the estimates of its player; `player` gives the name of a seat, and its searcher if it is
/// known. Empty at the start.
pub(super) fn last_ply<'s>(
    table: &dyn GameTable,
    player: impl Fn(Player) -> (String, Option<&'s SearcherSpec>),
) -> String {
    match (table.last_move(), table.last_decision()) {
        (Some(mv), Some((seat, view))) => {
            let (name, searcher) = player(seat);
            format!("\nply {}: {mv}\n{}\n", table.plies(), estimates(&name, searcher, "plays", &view))
        }
        (Some(mv), None) => format!("\nply {}: {mv} (chance or the opening)\n", table.plies()),
        (None, _) => String::new(),
    }
}

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
