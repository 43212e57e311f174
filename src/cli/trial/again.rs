//! A trial played again, move by move.

use crate::cli::error::Result;
use crate::cli::estimates::estimates;
use crate::cli::output::print;
use crate::experiment::{Experiment, Plan, Trial, Watch, WatchedTrial, play_watched};
use crate::game::Player;
use crate::players::{SearcherSpec, Table};
use crate::report::counted;
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

/// Prints every position and decision of a trial.
struct Show<'e> {
    experiment: &'e Experiment,
    /// The games begun.
    games: usize,
    /// The plies of the position before.
    last: Option<u32>,
    printed: Result,
}

impl Watch for Show<'_> {
    fn position(&mut self, table: &dyn Table, seating: &[usize]) {
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
    table: &dyn Table,
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
