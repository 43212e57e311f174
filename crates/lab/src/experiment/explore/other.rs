//! The moves that another player would have made, and where two players part earliest on the same deal or opening.

use std::cell::Cell;

use super::{Pick, Reason};
use crate::experiment::plan::{Plan, Planned, Trial};
use crate::experiment::summary::Summary;
use crate::experiment::trial::{
    ChosenBy, Watch, WatchedGame, opening_moves, set_up, unrepeatable, watch_until,
};
use crate::game::Player;
use crate::players::{AnyGame, DecisionView, Table, playing};
use crate::rng::PlayoutKey;
use crate::search::MoveStream;

/// The number of players that are asked if none are named.
const BEST: usize = 2;

/// The moves that another player would have made in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherPlayer {
    /// The name.
    pub player: String,
    /// For each ply its decision; `None` of chance, of the opening and of its own moves, and if the time was over.
    pub decisions: Vec<Option<OtherDecision>>,
    /// The number of decisions for which there was no time.
    pub missing: usize,
}

/// A decision of another player.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherDecision {
    /// The move that it would have played.
    pub mv: String,
    /// The value for the player to move and the standard error, if the player states them.
    pub value: Option<(f64, f64)>,
    /// The amount that the move of the game gives away against the best move, by the values of this player; `None` if it knows none.
    pub gives_away: Option<f64>,
}

/// The players that are asked in an experiment: those that are named, or the best two. What is not repeatable is not asked.
pub(super) fn others(plan: &Plan, experiment: usize, summary: &Summary, named: &[String]) -> Vec<usize> {
    let players = &plan.experiment(experiment).players;
    let is_repeatable = |&player: &usize| players[player].searcher.is_repeatable();
    if !named.is_empty() {
        let named = named.iter().filter_map(|name| players.iter().position(|player| player.name == *name));
        return named.filter(is_repeatable).collect();
    }
    let name = &plan.experiment(experiment).name;
    let found = summary.experiments.iter().find(|found| found.name == *name);
    let result = |player: &usize| {
        let of = found?.players.iter().find(|of| of.name == players[*player].name)?;
        (of.trials > 0).then(|| of.result().value)
    };
    let mut best: Vec<(usize, f64)> = (0..players.len())
        .filter(is_repeatable)
        .filter_map(|player| Some((player, result(&player)?)))
        .collect();
    // Of equal players the first.
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best.into_iter().map(|(player, _)| player).take(BEST).collect()
}

/// A player that can be asked at the positions of a trial, with the random numbers that it would have had in it.
pub(super) struct Asker<'p> {
    planned: &'p Planned,
    instance: u64,
    player: usize,
    /// The key of its randomness at each seat.
    keys: Vec<PlayoutKey>,
}

impl<'p> Asker<'p> {
    pub(super) fn new(plan: &'p Plan, trial: Trial, player: usize) -> Self {
        let planned = plan.planned(trial.experiment);
        let mut players = planned.roots.players(trial.instance);
        let seats = planned.experiment.game.facts().players;
        let keys = (0..seats).map(|seat| players.key(player, Player::new(seat))).collect();
        Self { planned, instance: trial.instance, player, keys }
    }

    /// The decision of the player after these moves, without knowledge of earlier decisions. `number` is the number of decisions
    /// that were made at the seat to move. `None` if it makes none.
    pub(super) fn ask<'m>(
        &self,
        seat: usize,
        number: u64,
        moves: impl Iterator<Item = &'m str>,
    ) -> Option<DecisionView> {
        let decide = || {
            let (planned, instance) = (self.planned, self.instance);
            let mut table = planned.tables(instance).table(&vec![self.player; self.keys.len()]);
            set_up(&planned.experiment.openings, instance, &mut *table, || {
                planned.roots.opening(instance, None)
            });
            for mv in moves {
                assert!(table.make_written_move(mv), "{mv} was played");
            }
            let stream = MoveStream::new(self.keys[seat].child(number));
            table.decide(stream, self.planned.experiment.limits)?;
            Ok(table.last_decision())
        };
        Some(playing(decide).ok()??.1)
    }

    /// Asks it at all positions of a game with another player to move. `None` if there are none.
    pub(super) fn ask_all(
        &self,
        game: &WatchedGame,
        seating: &[usize],
        is_over: &dyn Fn() -> bool,
    ) -> Option<OtherPlayer> {
        let player = &self.planned.experiment.players[self.player];
        let mut other = OtherPlayer { player: player.name.clone(), decisions: Vec::new(), missing: 0 };
        let mut made = [0; 2];
        let mut is_asked = false;
        for (before, ply) in game.plies.iter().enumerate() {
            let seat = usize::from(ply.seat.unwrap_or(1)) - 1;
            let is_turn = ply.by == ChosenBy::Player && seating[seat] != self.player;
            is_asked |= is_turn;
            let decision = if !is_turn {
                None
            } else if is_over() {
                other.missing += 1;
                None
            } else {
                let moves = game.plies[..before].iter().map(|ply| ply.mv.as_str());
                self.ask(seat, made[seat], moves).map(|view| OtherDecision::new(&view, &ply.mv))
            };
            made[seat] += u64::from(ply.by == ChosenBy::Player);
            other.decisions.push(decision);
        }
        is_asked.then_some(other)
    }
}

impl OtherDecision {
    fn new(view: &DecisionView, played: &str) -> Self {
        let own = view.moves.iter().find(|estimate| estimate.mv == view.chosen);
        Self {
            mv: view.chosen.clone(),
            value: own.map(|own| (own.value, own.standard_error)),
            gives_away: view.given_away(played),
        }
    }
}

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
            game: &**plan.experiment(experiment).game_of(instance),
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
    made: u64,
    parted: Option<u32>,
    is_over: &'o Cell<bool>,
}

impl Watch for Follow<'_, '_> {
    fn position(&mut self, table: &dyn Table, _: &[usize]) {
        let Some(moves) = &mut self.moves else {
            self.moves = Some(opening_moves(self.game, table));
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
}
