//! Solving by payoff and then by length: a game whose payoffs count both, for the same search.

use std::sync::Arc;

use super::{BestMoves, Shared, Solution, SolveSettings};
use crate::game::{DEEPEST, Evaluation, Facts, Game, LARGEST_PAYOFF, Player, Turn};
use crate::search::{Meter, SearchError};

/// The worth of a step of the payoff in plies, more than a game has; `None` if payoffs would be too large.
pub(super) fn step(facts: &Facts) -> Option<i32> {
    let step = facts.max_plies.unwrap_or(DEEPEST) as i32 + 1;
    let size = facts.min_payoff.unsigned_abs().max(facts.max_payoff.unsigned_abs());
    (i64::from(size) * i64::from(step) <= LARGEST_PAYOFF.into()).then_some(step)
}

pub(super) fn solve_soonest<G: Game>(
    game: &G,
    position: &G::Position,
    settings: &SolveSettings<Arc<dyn Evaluation<G>>>,
    meter: &mut Meter,
) -> Result<Solution<G::Move>, SearchError> {
    assert!(BestMoves::Soonest.fits(&game.facts()), "payoffs and lengths are too large, or there is chance");
    let timed = Timed { game: game.clone(), step: step(&game.facts()).expect("it fits") };
    let &SolveSettings { table_bytes, threads, .. } = settings;
    let settings = SolveSettings { threads, ..SolveSettings::new(table_bytes) };
    let at = At { position: *position, plies: 0 };
    meter.reserve(table_bytes)?;
    let found = Shared::new(&timed, &at, &settings).solve(&at, threads, meter)?;
    // A win is short of its payoff's steps by less than one, and so is a loss.
    let value = (found.value.abs() / f64::from(timed.step)).ceil().copysign(found.value);
    Ok(Solution { value, ..found })
}

/// A game in which a won payoff is worth less the longer it takes, and a lost one more.
#[derive(Clone)]
struct Timed<G> {
    game: G,
    step: i32,
}

/// A position, and the plies to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At<P> {
    position: P,
    plies: u32,
}

impl<G: Game> Game for Timed<G> {
    type Position = At<G::Position>;
    type Move = G::Move;

    fn facts(&self) -> Facts {
        let facts = self.game.facts();
        let (min, max) = (facts.min_payoff * self.step, facts.max_payoff * self.step);
        facts.with_payoffs(min, max)
    }

    fn start(&self) -> Self::Position {
        At { position: self.game.start(), plies: 0 }
    }

    fn turn(&self, at: &Self::Position) -> Turn {
        self.game.turn(&at.position)
    }

    fn moves(&self, at: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.game.moves(&at.position)
    }

    fn apply(&self, at: &mut Self::Position, mv: Self::Move) {
        self.game.apply(&mut at.position, mv);
        at.plies += 1;
    }

    fn payoff(&self, at: &Self::Position, player: Player) -> i32 {
        let payoff = self.game.payoff(&at.position, player);
        payoff * self.step - payoff.signum() * at.plies as i32
    }

    fn notation(&self, at: &Self::Position, mv: Self::Move) -> String {
        self.game.notation(&at.position, mv)
    }

    fn drawing(&self, at: &Self::Position) -> String {
        self.game.drawing(&at.position)
    }

    fn key(&self, at: &Self::Position) -> Option<u128> {
        // Multiples of a large odd number, so that keys that are positions, and small, stay apart.
        const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let key = self.game.key(&at.position)?;
        Some(key ^ u128::from(at.plies).wrapping_mul(SPREAD))
    }
}
