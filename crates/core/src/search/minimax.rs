//! Plain minimax: the whole tree to a depth, without cuts. Slow and obvious; other searches are tested against it.

use std::sync::Arc;

use super::ask_tell::choose_alone;
use super::candidates::Candidates;
use super::full_width::{FullWidth, Leaves, Shape};
use super::searcher::chances_of_equals;
use super::{AskTell, Decided, Decision, Distribution, Limits, Meter, MoveStream, NoTree, Searcher, Ties};
use crate::game::{Evaluation, Game, Turn};

/// Minimax (von Neumann 1928; Shannon 1950, "Programming a computer for playing chess"): every line to the
/// depth, with the best move of each player. For one or two players, without chance.
///
/// At the depth an evaluation values positions; finished games count by [`Evaluation::finished`]. Without a depth every
/// game is played to its end, and values are payoffs. A forced move is played without search.
///
/// With a budget of nodes or time and an evaluation, the search goes to depth 1, 2, 3 … up to its depth (Slate, Atkin
/// 1977), and the last finished depth decides. Without an evaluation, there is no decision if the budget runs out: half
/// of a plain minimax says nothing about the other half.
///
/// # Cost
/// Every position to the depth is visited once: about bᵈ nodes. An evaluation that prefers batches values up to a few
/// thousand positions per call.
#[derive(Clone)]
pub struct Minimax<G: Game>(FullWidth<G>);

impl<G: Game> Minimax<G> {
    /// To the end of every game.
    pub fn full(ties: Ties) -> Self {
        Self::with_leaves(u32::MAX, Leaves::None, ties)
    }

    /// To `depth` plies, at which the evaluation values positions.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn to_depth(depth: u32, evaluation: Arc<dyn Evaluation<G>>, ties: Ties) -> Self {
        Self::with_leaves(depth, Leaves::Evaluation(evaluation), ties)
    }

    fn with_leaves(depth: u32, leaves: Leaves<G>, ties: Ties) -> Self {
        let deepens = matches!(leaves, Leaves::Evaluation(_));
        Self(FullWidth::new(Shape { deepens, ..Shape::new(depth, leaves) }, ties))
    }
}

impl<G: Game> Searcher<G> for Minimax<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(&mut self.0, game, at, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.0.asking()
    }

    fn remembers(&self) -> bool {
        false
    }

    /// The first best move of each player in turn, in the game's order, to the depth. The line of a forced move is that
    /// move alone.
    fn principal_variation(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        let mut line = vec![decision.chosen];
        let (Turn::Player(player), false) = (game.turn(position), decision.moves.is_empty()) else {
            return line;
        };
        let mut left = self.0.reached() - 1;
        let mut at = *position;
        game.apply(&mut at, decision.chosen);
        while let (Turn::Player(mover), 1..) = (game.turn(&at), left) {
            let mut search = FullWidth::new(Shape { depth: left, ..self.0.shape.clone() }, self.0.ties);
            let values = search.values(game, &at, player, &mut Meter::new(Limits::default()));
            let values = values.expect("nothing limits this search");
            let worth = |at: usize| if mover == player { values[at] } else { -values[at] };
            let best = (0..values.len()).reduce(|best, at| if worth(at) > worth(best) { at } else { best });
            let (best, candidates) =
                (best.expect("a player's turn has a move"), Candidates::of(game, &at, mover));
            line.push(candidates.moves[best]);
            at = candidates.children[best];
            left -= 1;
        }
        line
    }

    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        let ties = self.0.ties;
        chances_of_equals(self, ties, game, at, meter).map(Some)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::EveryLine
    }
}
