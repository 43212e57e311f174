//! Alpha-beta: the value of minimax without most of its work.
//!
//! The key decision: one search for all games without chance, in plain negamax, which knows a game only through
//! three hooks ([`SearchHints`](crate::game::SearchHints): order, bounds, exact ends) and its key. Every addition to the
//! cuts is a setting, and only one of them changes a value. Rejected: one search per game, a few percent faster but
//! tested on that game only.

mod order;
mod root;
mod settings;
mod tree;

use std::sync::Arc;

use self::order::CutMoves;
use self::root::Root;
pub use self::settings::{AlphaBetaSettings, OrderingHeuristic, RootValues};
use self::tree::{Question, Tree};
use super::candidates::Candidates;
use super::table::{TO_THE_END, Table};
use super::{Decided, Decision, Limits, Meter, MoveStream, NoTree, SearchError, Searcher, Ties};
use crate::game::{Evaluation, Game, GameExt, Player, Turn, View};

/// Alpha-beta in fail-soft negamax (Knuth, Moore 1975, "An analysis of alpha-beta pruning"; Fishburn 1983): the
/// values of [minimax](super::FullWidth::minimax) for games without chance, for one player, or for two with payoffs that
/// add up to 0.
///
/// With a depth, an evaluation values positions there, and finished games count by [`Evaluation::finished`]. An evaluation
/// that prefers batches values all children of a node at the horizon in one call. Without a depth, values are payoffs
/// and the search uses the game's bounds and exact ends. A forced move is played without search. If a budget ends the
/// search, the last finished iteration counts.
///
/// # Cost
/// With perfect order b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves (Knuth, Moore 1975, corollary to theorem 1), at worst bᵈ. The table is
/// kept for the whole game, and takes memory as it fills.
///
/// # Example: tic-tac-toe is a draw
/// ```
/// use shikou::game::Game;
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{AlphaBeta, AlphaBetaSettings, Limits, Meter, MoveStream, Searcher, Ties};
///
/// let game = TicTacToe::default();
/// let mut searcher = AlphaBeta::full(AlphaBetaSettings::default(), Ties::First);
/// let mut meter = Meter::new(Limits::default());
/// let decision = searcher.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
/// assert!(decision.moves.iter().all(|estimate| estimate.value == 0.0));
/// assert!(meter.spent().nodes < 10_000); // minimax visits 549 945
/// ```
pub struct AlphaBeta<G: Game> {
    goal: Goal<G>,
    settings: AlphaBetaSettings,
    ties: Ties,
    table: Option<Table>,
    cut_moves: CutMoves<G::Move>,
    /// The depth of the last decision, in plies.
    reached: u32,
}

/// A copy has an empty table, as at the first move of a game.
impl<G: Game> Clone for AlphaBeta<G> {
    fn clone(&self) -> Self {
        Self::new(self.goal.clone(), self.settings.clone(), self.ties)
    }
}

/// The depth of a search, and the meaning of its values.
#[derive(Clone)]
struct Goal<G> {
    /// Plies, or [`TO_THE_END`].
    depth: u32,
    /// Whether the budget ends the search, or the end of every game.
    to_the_budget: bool,
    evaluation: Option<Arc<dyn Evaluation<G>>>,
}

impl<G: Game> Goal<G> {
    /// The player for whom every position is valued, and negated for the other: the one at the root, if the evaluation
    /// sees the board as one player does. In a search to the end the evaluation only orders moves, for who moves.
    fn viewer(&self, root: Player) -> Option<Player> {
        let evaluation = self.evaluation.as_ref().filter(|_| self.depth != TO_THE_END);
        evaluation.filter(|evaluation| evaluation.facts().view == View::Mover).map(|_| root)
    }
}

impl<G: Game> AlphaBeta<G> {
    /// To the end of every game.
    pub fn full(settings: AlphaBetaSettings, ties: Ties) -> Self {
        Self::new(Goal { depth: TO_THE_END, to_the_budget: false, evaluation: None }, settings, ties)
    }

    /// To `depth` plies, at which the evaluation values positions.
    ///
    /// # Panics
    /// If the depth is 0 or above 4000.
    pub fn to_depth(
        depth: u32,
        evaluation: Arc<dyn Evaluation<G>>,
        settings: AlphaBetaSettings,
        ties: Ties,
    ) -> Self {
        assert!((1..=4000).contains(&depth), "alpha-beta looks at least one ply ahead, at most 4000");
        Self::new(Goal { depth, to_the_budget: false, evaluation: Some(evaluation) }, settings, ties)
    }

    /// As deep as the budget allows: to depth 1, 2, 3 …, until the budget ends it or every game, at most to 1000 plies. The
    /// evaluation values positions at the depth.
    ///
    /// # Panics
    /// If the settings do not deepen.
    pub fn to_the_budget(
        evaluation: Arc<dyn Evaluation<G>>,
        settings: AlphaBetaSettings,
        ties: Ties,
    ) -> Self {
        assert!(settings.deepening, "a search that its budget ends deepens");
        Self::new(Goal { depth: 1000, to_the_budget: true, evaluation: Some(evaluation) }, settings, ties)
    }

    fn new(goal: Goal<G>, settings: AlphaBetaSettings, ties: Ties) -> Self {
        Self { goal, settings, ties, table: None, cut_moves: CutMoves::default(), reached: 0 }
    }

    /// At the first move, reserves memory for the table and makes it, if the settings ask for one.
    fn prepare(&mut self, meter: &mut Meter) -> Result<(), SearchError> {
        meter.reserve(self.settings.table_bytes)?;
        match &self.table {
            Some(table) => table.begin(),
            None => self.table = Table::new(self.settings.table_bytes),
        }
        self.cut_moves.age();
        Ok(())
    }

    #[inline(never)]
    fn below<'a>(&'a mut self, game: &'a G, root: Player, meter: &'a mut Meter) -> Tree<'a, G> {
        let Self { goal, settings, table, cut_moves, .. } = self;
        let viewer = goal.viewer(root);
        Tree::new((game, goal, settings), (table.as_ref(), cut_moves, meter), viewer)
    }
}

impl<G: Game> Searcher<G> for AlphaBeta<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let candidates = match Candidates::new(game, at, meter) {
            Ok(candidates) => candidates,
            Err(decided) => return decided,
        };
        self.prepare(meter)?;
        let (ties, question) = (self.ties, Question { left: self.goal.depth, ..Question::OPEN });
        let mut tree = self.below(game, candidates.player, meter);
        tree.list_in_order(at, candidates.player, question, None);
        let mut root = Root::new(tree.settings, tree.moves.drain(..).map(|candidate| candidate.index));
        let stop = tree.search(&candidates, &mut root)?;
        let (reached, decision) = (root.reached, root.decide(ties, stop, stream));
        self.reached = reached;
        Ok(decision.between(&candidates.moves))
    }

    /// Searches again for the principal variation, to the depth of the last finished iteration. The line of a forced
    /// move is that move alone.
    fn principal_variation(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        let mut line = vec![decision.chosen];
        let left = if self.reached == TO_THE_END { TO_THE_END } else { self.reached.saturating_sub(1) };
        let at = game.after(position, decision.chosen);
        let (Turn::Player(mover), 1.., false) = (game.turn(&at), left, decision.moves.is_empty()) else {
            return line;
        };
        let Turn::Player(root) = game.turn(position) else { return line };
        let (mut again, mut meter) = (self.clone(), Meter::new(Limits::default()));
        // Values of different depths are not comparable.
        again.settings.deeper_entries = false;
        again.table = Table::new(self.settings.table_bytes);
        let mut tree = again.below(game, root, &mut meter);
        let value = tree.value(at, mover, Question { left, ..Question::OPEN });
        line.extend(tree.principal_variation(at, value, left));
        line
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Bounds
    }
}
