//! The greedy player: the move with the best mean evaluation some plies ahead, and an occasional random move.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::full_width::{FullWidth, Leaves, Shape};
use super::searcher::chances_of_equals;
use super::{
    Answer, Ask, AskTell, Decided, Decision, Distribution, Meter, MoveStream, NoTree, Opened, Searcher, Stop,
    Ties,
};
use crate::game::{Evaluation, Game};

/// Plays the move with the best evaluation: of the next position with depth 1, else in the plain mean over all lines to
/// the depth, whichever player moves. The mean treats the opponent as a random player, which is cheap and common among
/// the simple players of papers. With probability `epsilon` it plays a uniformly random legal move instead.
///
/// At chance nodes the mean is weighted. A forced move is played without search. If a budget of nodes or time runs out,
/// there is no decision.
///
/// # Cost
/// Every position to the depth is visited once. An evaluation that prefers batches values up to a few thousand
/// positions per call.
#[derive(Clone)]
pub struct Greedy<G: Game> {
    tree: FullWidth<G>,
    epsilon: f64,
}

/// The number of values that a draw can have.
const WHOLE: u64 = 1 << 32;

impl<G: Game> Greedy<G> {
    /// A player that looks `depth` plies ahead and moves at random with probability `epsilon`.
    ///
    /// # Panics
    /// If the depth is 0, or `epsilon` is outside [0, 1].
    pub fn new(depth: u32, evaluation: Arc<dyn Evaluation<G>>, epsilon: f64, ties: Ties) -> Self {
        assert!((0.0..=1.0).contains(&epsilon), "epsilon is a probability");
        let shape = Shape {
            depth,
            leaves: Leaves::Evaluation(evaluation),
            mean: true,
            common: false,
            deepens: false,
        };
        Self { tree: FullWidth::new(shape, ties), epsilon }
    }
}

impl<G: Game> AskTell<G> for Greedy<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        if self.epsilon > 0.0 {
            // The generator for equal moves must not be used here: a choice among equals would depend on a draw that
            // missed epsilon.
            let mut draws = stream.playouts().playout(0);
            if f64::from(draws.next_u32()) < self.epsilon * WHOLE as f64 {
                let random = game.random_move(at, &mut draws);
                return Ok(Some(Decision::unsearched(random, Stop::Complete)));
            }
        }
        self.tree.open(game, at, stream, meter)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        self.tree.ask(game, meter)
    }

    fn tell(&mut self, game: &G, answer: Answer<'_>, meter: &mut Meter) {
        self.tree.tell(game, answer, meter);
    }

    fn close(&mut self, game: &G, stream: MoveStream, stop: Stop, meter: &Meter) -> Decided<G> {
        self.tree.close(game, stream, stop, meter)
    }
}

impl<G: Game> Searcher<G> for Greedy<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(self, game, at, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.tree.asks().then_some(self)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        let mut greedy = Self { epsilon: 0.0, ..self.clone() };
        let best = chances_of_equals(&mut greedy, self.tree.ties(), game, at, meter)?;
        // A 32-bit draw below this plays a random move.
        let random = (self.epsilon * WHOLE as f64).ceil() as u64;
        let (all, alike) = (u64::from(game.move_count(at)), best.len() as u64);
        // ε / all, and for the best (1 − ε) / alike more, times all · alike · 2³².
        let weight = |mv| {
            let is_best = best.iter().any(|&(other, _)| other == mv);
            random * alike + if is_best { (WHOLE - random) * all } else { 0 }
        };
        Ok(Some(game.moves(at).map(|mv| (mv, weight(mv))).filter(|&(_, weight)| weight > 0).collect()))
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}
