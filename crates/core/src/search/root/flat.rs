//! Flat Monte Carlo: equally many playouts for each move.
//!
//! The key decision: no [`Sharing`](super::Sharing) of a bandit, since there is nothing to share out. All playouts are one request, and
//! a decision with few of them costs little more than they do.

use std::sync::Arc;

use crate::game::{Batch, Game, GameExt, PlayoutRequest, Policy, Tally};
use crate::search::ask_tell::choose_alone;
use crate::search::candidates::{player_to_search, reserve_estimates};
use crate::search::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree, Opened, Searcher, Stop,
    Ties,
};

/// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
/// Brügmann 1993, "Monte Carlo Go"): equally many playouts for each move; the move with the best mean is played.
///
/// A forced move is played without playouts. It needs no budget, and keeps none.
///
/// # Cost
/// Moves × playouts a decision, in one request.
#[derive(Clone)]
pub struct FlatMonteCarlo<G: Game> {
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    /// The playouts of each move, in the game's order.
    requests: Vec<PlayoutRequest<G::Position>>,
    moves: Vec<MoveEstimate<G::Move>>,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// `playouts` for each move, with the given playout policy; `ties` chooses among several best moves.
    ///
    /// # Panics
    /// If `playouts` is 0.
    pub fn new(playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(playouts > 0, "flat Monte Carlo needs at least one playout a move");
        Self { playouts, policy, ties, requests: Vec::new(), moves: Vec::new() }
    }
}

impl<G: Game> Searcher<G> for FlatMonteCarlo<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(self, game, at, stream, meter)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        Some(self)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}

impl<G: Game> AskTell<G> for FlatMonteCarlo<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        let player = match player_to_search(game, at) {
            Ok(player) => player,
            Err(forced) => return Ok(Some(forced)),
        };
        reserve_estimates(game, at, meter)?;
        let each = size_of::<(PlayoutRequest<G::Position>, Tally)>() as u64;
        meter.reserve(u64::from(game.move_count(at)) * each)?;
        self.requests.clear();
        self.moves = Vec::with_capacity(game.move_count(at) as usize);
        for (number, (mv, from)) in (0..).zip(game.children(at)) {
            let batch = Batch::new(stream.playouts().child(number), self.playouts);
            self.requests.push(PlayoutRequest { from, player, batch });
            self.moves.push(MoveEstimate::exact(mv, 0, 0.0));
        }
        Ok(None)
    }

    fn ask(&mut self, _game: &G, _meter: &mut Meter) -> Ask<'_, G> {
        if self.moves[0].visits > 0 {
            return Ask::Nothing(Stop::Complete);
        }
        Ask::Playouts { policy: &self.policy, requests: &self.requests }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
        meter.count_batch(answer.tallies());
        for (estimate, tally) in self.moves.iter_mut().zip(answer.tallies()) {
            *estimate = MoveEstimate::of(estimate.mv, tally);
        }
    }

    fn close(&mut self, _game: &G, stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        let moves = std::mem::take(&mut self.moves);
        let best = self.ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop })
    }
}
