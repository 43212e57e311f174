//! The players that search every line to a fixed depth: minimax, the simple tree, the greedy player.

use std::sync::Arc;

use super::log::Fold;
use super::{FullWidth, Leaves, Shape, WHOLE};
use crate::game::{BlindToEnds, Evaluation, Game, GameExt, Policy, Turn};
use crate::rng::PlayoutKey;
use crate::search::ask_tell::choose_alone;
use crate::search::candidates::Candidates;
use crate::search::searcher::chances_of_equals;
use crate::search::{
    AskTell, Decided, Decision, Distribution, Limits, Meter, MoveStream, NoTree, Searcher, Ties,
};

impl<G: Game> FullWidth<G> {
    /// Minimax (von Neumann 1928; Shannon 1950, "Programming a computer for playing chess"): every line to the
    /// depth, with the best move of each player, without cuts. For one or two players, without chance. Slow and obvious:
    /// other searches are tested against it.
    ///
    /// At the depth of the `horizon` its evaluation values positions; finished games count by [`Evaluation::finished`]. Without
    /// one every game is played to its end, and values are payoffs. A forced move is played without search.
    ///
    /// With a budget of nodes or time and an evaluation, the search goes to depth 1, 2, 3 … up to its depth (Slate, Atkin
    /// 1977), and the last finished depth decides. Without an evaluation, there is no decision if the budget runs out: half
    /// of a plain minimax says nothing about the other half.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn minimax(horizon: Option<(u32, Arc<dyn Evaluation<G>>)>, ties: Ties) -> Self {
        let deepens = horizon.is_some();
        let (depth, leaves) = horizon
            .map_or((u32::MAX, Leaves::None { soonest: false }), |(depth, evaluation)| {
                (depth, Leaves::Evaluation(evaluation))
            });
        Self::new(Shape { deepens, ..Shape::new(depth, leaves) }, ties)
    }

    /// Minimax to the end of the game, in which among moves of the same payoff those count as best whose win comes in the
    /// fewest plies, or whose loss comes in the most, if the opponent plays on by the same rule. A payoff above 0 is a win, below 0
    /// a loss; the length of a draw does not count. Of several best moves each is played with the same probability.
    pub fn soonest() -> Self {
        Self::new(Shape::new(u32::MAX, Leaves::None { soonest: true }), Ties::Random)
    }

    /// The simple tree (TIM Labs 2015, "Calculation", part 15): a tree of fixed depth `level`, which counts layers of
    /// decisions and of chance alike. The value of a leaf is the mean of `playouts` playouts.
    ///
    /// The value of a node is the largest child value if the player at the root moves, the smallest if the opponent moves,
    /// and the weighted mean at a chance node. A finished game counts its payoff. Every decision builds a new tree; a
    /// forced move is played without one.
    ///
    /// # Panics
    /// If the level or the number of playouts is 0.
    ///
    /// # Cost
    /// Leaves × playouts per decision. Each leaf is one request for its playouts, and up to a few thousand leaves share a
    /// call. The memory for the requests does not grow with the tree: less than a megabyte for positions of 100 bytes.
    pub fn simple_tree(level: u32, playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self::new(Shape::new(level, Leaves::Playouts { count: playouts, policy }), ties)
    }

    /// The [simple tree](Self::simple_tree) with an evaluation in place of playouts, which also values finished games.
    ///
    /// # Panics
    /// If the level is 0.
    pub fn evaluated_tree(level: u32, evaluation: Arc<dyn Evaluation<G>>, ties: Ties) -> Self {
        Self::new(Shape::new(level, Leaves::Evaluation(evaluation)), ties)
    }

    /// Sets whether the candidates share random numbers: leaf *i* below each move then has the same draws, so that chance
    /// affects the differences between moves less. Two moves that lead to identical trees then have equal values.
    #[must_use]
    pub fn with_common_random_numbers(self, common: bool) -> Self {
        Self::new(Shape { common, ..self.shape }, self.ties)
    }

    /// Sets whether the outcomes of a chance turn count alike. The mean is then that over kinds of cards, say, and not over cards.
    #[must_use]
    pub fn with_even_chance(self, even: bool) -> Self {
        Self::new(Shape { even, ..self.shape }, self.ties)
    }

    /// The greedy player: it plays the move with the best evaluation, of the next position with depth 1, else in the plain mean
    /// over all lines to the depth, whichever player moves. The mean treats the opponent as a random player, which is cheap and
    /// common among the simple players of papers. With probability `epsilon` it plays a uniformly random legal move instead.
    ///
    /// At chance nodes the mean is weighted. A forced move is played without search. If a budget of nodes or time runs out,
    /// there is no decision.
    ///
    /// # Panics
    /// If the depth is 0, or `epsilon` is outside [0, 1].
    pub fn greedy(depth: u32, evaluation: Arc<dyn Evaluation<G>>, epsilon: f64, ties: Ties) -> Self {
        assert!((0.0..=1.0).contains(&epsilon), "epsilon is a probability");
        let leaves = Leaves::Evaluation(evaluation);
        Self::new(Shape { mean: Some(Fold::Mean), epsilon, ..Shape::new(depth, leaves) }, ties)
    }

    /// Adds, at the root, a factor times the harmonic mean of an evaluation over the same lines, for each of some: source N of
    /// `docs/evolution.md` averages a count of replies over the lines, and only then takes 1 / (mean + 1), which is the harmonic mean
    /// of 1 / (count + 1). The values must be above 0: with one that is not, the mean is 0. The evaluation is blind to ends. Factors are for the integers
    /// of the evaluations.
    #[must_use]
    pub fn with_harmonic_means(self, harmonic: Vec<(f64, Arc<dyn Evaluation<G>>)>) -> Self {
        Self::new(Shape { harmonic, ..self.shape }, self.ties)
    }

    pub(super) fn harmonic(depth: u32, evaluation: Arc<dyn Evaluation<G>>) -> Self {
        let leaves = Leaves::Evaluation(Arc::new(BlindToEnds::new(evaluation)));
        Self::new(Shape { mean: Some(Fold::Harmonic), ..Shape::new(depth, leaves) }, Ties::First)
    }

    fn is_minimax(&self) -> bool {
        self.shape.deepens || matches!(self.shape.leaves, Leaves::None { .. })
    }
}

impl<G: Game> Searcher<G> for FullWidth<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(self, game, at, stream, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.asks().then_some(self)
    }

    fn remembers(&self) -> bool {
        false
    }

    /// For minimax: the first best move of each player in turn, in the game's order, to the depth. Other searches, and a forced move,
    /// have the chosen move alone.
    fn principal_variation(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        let mut line = vec![decision.chosen];
        let has_line = self.is_minimax() && !decision.moves.is_empty();
        let (Turn::Player(player), true) = (game.turn(position), has_line) else { return line };
        let mut left = self.log.reached - 1;
        let mut at = game.after(position, decision.chosen);
        while let (Turn::Player(mover), 1..) = (game.turn(&at), left) {
            let mut search = Self::new(Shape { depth: left, ..self.shape.clone() }, self.ties);
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
        let ties = self.ties;
        if self.is_soonest() {
            let decision = choose_alone(self, game, at, MoveStream::new(PlayoutKey::new(0)), meter)?;
            if decision.moves.is_empty() {
                return Ok(Some(vec![(decision.chosen, 1)]));
            }
            let values = &self.log.values;
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let moves = decision.moves.iter().zip(values).filter(|&(_, &value)| value == best);
            return Ok(Some(moves.map(|(estimate, _)| (estimate.mv, 1)).collect()));
        }
        if self.is_minimax() {
            return chances_of_equals(self, ties, game, at, meter).map(Some);
        }
        if self.shape.mean.is_none() {
            return Ok(None);
        }
        let mut greedy = Self::new(Shape { epsilon: 0.0, ..self.shape.clone() }, ties);
        let best = chances_of_equals(&mut greedy, ties, game, at, meter)?;
        // A 32-bit draw below this plays a random move.
        let random = (self.shape.epsilon * WHOLE as f64).ceil() as u64;
        let (all, alike) = (u64::from(game.move_count(at)), best.len() as u64);
        // ε / all, and for the best (1 − ε) / alike more, times all · alike · 2³².
        let weight = |mv| {
            let is_best = best.iter().any(|&(other, _)| other == mv);
            random * alike + if is_best { (WHOLE - random) * all } else { 0 }
        };
        Ok(Some(game.moves(at).map(|mv| (mv, weight(mv))).filter(|&(_, weight)| weight > 0).collect()))
    }

    fn no_tree(&self) -> NoTree {
        if self.shape.mean.is_some() { NoTree::OneMove } else { NoTree::EveryLine }
    }
}
