//! Flat Monte Carlo: the same number of playouts after every move, and the best mean is played.

use std::sync::Arc;

use super::searcher::{forced_move, reserve_root, root_player};
use super::{Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};
use crate::game::{Batch, Game, Policy};

/// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
/// Brügmann 1993, "Monte Carlo Go"): `playouts` playouts for each legal move, and the best mean payoff wins.
///
/// A forced move is played without playouts.
///
/// # Cost
/// Moves × playouts a decision, each move's as one batch.
#[derive(Clone)]
pub struct FlatMonteCarlo<G> {
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// `playouts` for each move, with the given playout policy.
    ///
    /// # Panics
    /// Where `playouts` is 0.
    pub fn new(playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(playouts > 0, "flat Monte Carlo needs at least one playout a move");
        Self { playouts, policy, ties }
    }
}

impl<G: Game> Searcher<G> for FlatMonteCarlo<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        let player = root_player(game, position);
        if let Some(forced) = forced_move(game, position) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        reserve_root(game, position, meter)?;
        let key = stream.playouts();
        let estimate = |(index, mv)| {
            let mut child = *position;
            game.apply(&mut child, mv);
            let batch = Batch::new(key.child(index), self.playouts);
            let tally = self.policy.playouts(game, &child, player, batch);
            meter.count_playouts(&tally);
            let spread = (tally.variance() / tally.playouts as f64).sqrt();
            MoveEstimate { mv, visits: tally.playouts, value: tally.mean(), spread }
        };
        let moves: Vec<_> = (0..).zip(game.moves(position)).map(estimate).collect();
        let best = self.ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop: Stop::Complete })
    }
}
