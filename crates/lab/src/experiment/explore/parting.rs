//! Where two players part earliest on the same deal or opening.

use std::cell::Cell;

use super::Reason;
use super::choice::Pick;
use super::other::Asker;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::trial::play::Watch;
use crate::experiment::trial::watched::{unrepeatable, watch_until};
use crate::players::{AnyGame, Table};

/// The number of instances that are tried.
const INSTANCES: u64 = 10;

/// The game of the first of two players in which the second would have left it earliest: its first game on each of some
/// instances, each followed no further than the earliest parting so far. `None` if they do not part, or the time is over.
pub(super) fn parting(
    plan: &Plan,
    experiment: usize,
    [first, second]: [usize; 2],
    enough: &dyn Fn() -> bool,
) -> Option<Pick> {
    let cells = plan.cells(experiment);
    // A game against somebody else, if there is one.
    let with = |other: bool| {
        cells
            .iter()
            .position(|cell| cell.players.contains(&first) && (other || !cell.players.contains(&second)))
    };
    let cell = with(false).or_else(|| with(true))?;
    let seat = cells[cell].seatings()[0].iter().position(|&player| player == first)?;
    let mut earliest: Option<(Trial, u32)> = None;
    for instance in 0..plan.experiment(experiment).trials.min(INSTANCES) {
        let trial = Trial { experiment, instance, cell };
        if enough() || unrepeatable(plan, trial).is_some() {
            break;
        }
        let is_over = Cell::new(false);
        let mut follow = Follow {
            game: &*plan.experiment(experiment).game,
            asker: Asker::new(plan, trial, second),
            seat,
            before: earliest.map_or(u32::MAX, |(_, ply)| ply),
            moves: None,
            made: 0,
            parted: None,
            is_over: &is_over,
        };
        watch_until(plan, trial, &mut follow, &|| is_over.get() || enough());
        if let Some(ply) = follow.parted {
            earliest = Some((trial, ply));
        }
    }
    let (trial, ply) = earliest?;
    let players = &plan.experiment(experiment).players;
    let words =
        format!("{} and {} part earliest here, at ply {ply}", players[first].name, players[second].name);
    Some(Pick { trial, game: 0, why: vec![Reason { words, ply: Some(ply) }] })
}

/// Follows the first game of a trial until another player would leave it.
struct Follow<'p, 'o> {
    game: &'p dyn AnyGame,
    asker: Asker<'p>,
    /// The seat of the first of the two.
    seat: usize,
    /// Only an earlier ply is of interest.
    before: u32,
    /// The moves so far; none before the first position.
    moves: Option<Vec<String>>,
    /// The number of decisions at the seat.
    made: u64,
    parted: Option<u32>,
    is_over: &'o Cell<bool>,
}

impl Watch for Follow<'_, '_> {
    fn position(&mut self, table: &dyn Table, _: &[usize]) {
        let Some(moves) = &mut self.moves else {
            self.moves =
                Some(self.game.rules().written_moves(&table.transcript()).expect("the opening was played"));
            return;
        };
        // Another number is that of the second game.
        if self.is_over.get() || table.plies() as usize != moves.len() + 1 || table.plies() >= self.before {
            self.is_over.set(true);
            return;
        }
        if let Some((player, view)) = table.last_decision()
            && player.index() == self.seat
        {
            let other = self.asker.ask(self.seat, self.made, moves.iter().map(String::as_str));
            self.made += 1;
            if other.is_some_and(|other| other.chosen != view.chosen) {
                self.parted = Some(table.plies());
                self.is_over.set(true);
            }
        }
        moves.extend(table.last_move());
    }

    fn moved(&mut self, _: usize, _: u64) {}
}
