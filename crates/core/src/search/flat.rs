//! Flat Monte Carlo: the same number of playouts for every move; the move with the best mean is played.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::searcher::player_to_search;
use super::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree, Opened, Searcher, Stop,
    Ties,
};
use crate::game::{Batch, Game, GameExt, PlayoutRequest, Policy, Tally};

/// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
/// Brügmann 1993, "Monte Carlo Go"): `playouts` playouts for each legal move; the move with the best mean payoff is
/// played.
///
/// A forced move is played without playouts.
///
/// # Cost
/// Moves × playouts per decision, all requested at once.
#[derive(Clone)]
pub struct FlatMonteCarlo<G: Game> {
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    /// The requests of each move's playouts, in the game's order, until they are made.
    requests: Vec<PlayoutRequest<G::Position>>,
    moves: Vec<MoveEstimate<G::Move>>,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// `playouts` for each move, with the given playout policy.
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

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        Some(self)
    }

    fn remembers(&self) -> bool {
        false
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
        let count = u64::from(game.move_count(at));
        meter.reserve(count * size_of::<MoveEstimate<G::Move>>() as u64)?;
        meter.reserve(count * size_of::<(G::Move, PlayoutRequest<G::Position>, Tally)>() as u64)?;
        let key = stream.playouts();
        let request = |(index, (_, from)): (u64, (G::Move, G::Position))| PlayoutRequest {
            from,
            player,
            batch: Batch::new(key.child(index), self.playouts),
        };
        self.requests.clear();
        self.requests.extend((0..).zip(game.children(at)).map(request));
        let unknown = |mv| MoveEstimate { mv, visits: 0, value: 0.0, standard_error: 0.0 };
        self.moves = game.moves(at).map(unknown).collect();
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
