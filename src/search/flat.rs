//! Flat Monte Carlo: the same number of playouts after every move, and the best mean is played.

use std::sync::Arc;

use super::searcher::decide;
use super::{Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Ties};
use crate::game::{Batch, Game, GameExt, PlayoutRequest, Policy, Tally};

/// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
/// Brügmann 1993, "Monte Carlo Go"): `playouts` playouts for each legal move, and the best mean payoff wins.
///
/// A forced move is played without playouts.
///
/// # Cost
/// Moves × playouts a decision, all in one call.
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
        let key = stream.playouts();
        decide(game, position, stream, meter, self.ties, |player, meter| {
            let each = size_of::<(G::Move, PlayoutRequest<G::Position>, Tally)>() as u64;
            meter.reserve(u64::from(game.move_count(position)) * each)?;
            let request = |(index, (mv, from)): (u64, (G::Move, G::Position))| {
                let batch = Batch::new(key.child(index), self.playouts);
                (mv, PlayoutRequest { from, player, batch })
            };
            let (moves, requests): (Vec<_>, Vec<_>) = (0..).zip(game.children(position)).map(request).unzip();
            let mut tallies = vec![Tally::default(); requests.len()];
            self.policy.playouts_of_many(game, &requests, &mut tallies);
            let estimate = |(mv, tally): (G::Move, Tally)| {
                meter.count_playouts(&tally);
                let spread = (tally.variance() / tally.playouts as f64).sqrt();
                MoveEstimate { mv, visits: tally.playouts, value: tally.mean(), spread }
            };
            Ok(moves.into_iter().zip(tallies).map(estimate).collect())
        })
    }

    fn remembers(&self) -> bool {
        false
    }
}
