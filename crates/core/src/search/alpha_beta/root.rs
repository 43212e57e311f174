//! The root of an alpha-beta search: iterations, windows, and the value of each move.

use std::cmp::Reverse;

use super::order::CutMoves;
use super::tree::{Question, Tree};
use super::{AlphaBetaSettings, Goal, RootValues};
use crate::game::{Game, Player, Turn, sort_values};
use crate::search::table::{INFINITY, TO_THE_END, Table};
use crate::search::{Meter, SearchError, Stop};

/// A move of the root, and the result of the last finished iteration.
#[derive(Clone)]
pub(super) struct RootMove<G: Game> {
    pub(super) mv: G::Move,
    position: G::Position,
    /// Its number in the game's order.
    index: u32,
    /// Its value, or an upper bound, by the settings.
    pub(super) value: i64,
    /// The number of positions that the iteration visited below it.
    pub(super) nodes: u64,
    /// Whether it is the first best move that was found.
    pub(super) is_best: bool,
}

/// A search from its root.
pub(super) struct Root<'a, G: Game> {
    tree: Tree<'a, G>,
    mover: Player,
    moves: Vec<RootMove<G>>,
    /// The depth of the last finished iteration in plies; 0 before the first.
    pub(super) reached: u32,
}

impl<'a, G: Game> Root<'a, G> {
    /// The search of a position at a player's turn.
    pub(super) fn new(
        game: &'a G,
        position: &G::Position,
        goal: &'a Goal<G>,
        settings: &'a AlphaBetaSettings,
        table: Option<&'a Table>,
        cut_moves: &'a mut CutMoves<G::Move>,
        meter: &'a mut Meter,
    ) -> Self {
        let Turn::Player(mover) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        let mut tree = Tree::new(game, goal, settings, table, cut_moves, meter);
        tree.viewer = goal.viewer(mover);
        let question = Question { alpha: -INFINITY, beta: INFINITY, left: goal.depth, ply: 0 };
        tree.list_root(position, mover, question);
        sort_values(&mut tree.moves, &|one, other| other.rank.cmp(&one.rank));
        let unknown = |candidate: super::tree::Candidate<G>| RootMove {
            mv: candidate.mv,
            position: candidate.position,
            index: candidate.index,
            value: 0,
            nodes: 0,
            is_best: false,
        };
        let moves: Vec<_> = tree.moves.drain(..).map(unknown).collect();
        Self { tree, mover, moves, reached: 0 }
    }

    /// Searches to the goal, or until the budget ends: then the last finished iteration counts.
    ///
    /// # Errors
    /// If the budget ends during the first iteration or memory runs out.
    pub(super) fn search(&mut self) -> Result<Stop, SearchError> {
        let depth = self.tree.goal.depth;
        let first = if self.tree.settings.deepening && depth != TO_THE_END { 1 } else { depth };
        let mut before = None;
        for left in first..=depth {
            self.tree.cut_short = false;
            if let (true, Some(table)) = (self.tree.goal.to_the_budget, self.tree.table) {
                table.begin();
            }
            // Depth 1 ignores the clock.
            self.tree.meter.set_ignores_time(left == 1);
            let finished = self.iterate(left, before);
            self.tree.meter.set_ignores_time(false);
            if self.tree.stopped {
                return match (self.tree.error.take(), self.tree.limit) {
                    (None, Some(limit)) if before.is_some() => Ok(Stop::Limit(limit)),
                    (Some(error), _) => Err(error),
                    (None, limit) => Err(SearchError::Budget { limit: limit.expect("a limit stopped it") }),
                };
            }
            self.moves = finished;
            self.reached = left;
            before = self.moves.iter().map(|found| found.value).max();
            // The best move first, then the others by their current values.
            let rank = |found: &RootMove<G>| (Reverse((found.is_best, found.value)), found.index);
            sort_values(&mut self.moves, &|one, other| rank(one).cmp(&rank(other)));
            if !self.tree.cut_short {
                break;
            }
        }
        Ok(Stop::Complete)
    }

    /// The moves in the game's order.
    pub(super) fn into_moves(mut self) -> Vec<RootMove<G>> {
        sort_values(&mut self.moves, &|one, other| one.index.cmp(&other.index));
        self.moves
    }

    /// One iteration with `left` plies to go from the root. `before` is the value of the iteration before.
    fn iterate(&mut self, left: u32, before: Option<i64>) -> Vec<RootMove<G>> {
        let (mut alpha, mut beta) = match (before, self.tree.settings.aspiration) {
            (Some(value), Some(width)) => (value - i64::from(width) - 1, value + i64::from(width) + 1),
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let (value, moves) = self.window(Question { alpha, beta, left, ply: 0 });
            if self.tree.stopped || alpha < value && value < beta {
                return moves;
            }
            // The value is outside the window: open that side.
            if value <= alpha {
                alpha = -INFINITY;
            } else {
                beta = INFINITY;
            }
        }
    }

    /// All moves within a window: the best value, and the value of each.
    fn window(&mut self, question: Question) -> (i64, Vec<RootMove<G>>) {
        let Question { alpha, beta, .. } = question;
        let mut moves = self.moves.clone();
        let (mut best, mut best_at) = (-INFINITY, None);
        self.tree.value_leaves(question, moves.iter().map(|found| found.position));
        for (at, found) in moves.iter_mut().enumerate() {
            self.tree.child = at;
            let before = self.tree.meter.spent().nodes;
            let value = self.root_value(found, best.max(alpha), best, question);
            found.nodes = self.tree.meter.spent().nodes - before;
            found.is_best = false;
            if self.tree.stopped {
                break;
            }
            found.value = value;
            if value > best {
                (best, best_at) = (value, Some(at));
            }
            if best >= beta {
                break;
            }
        }
        if let Some(at) = best_at {
            moves[at].is_best = true;
        }
        (best, moves)
    }

    /// The value of a move, given `alpha`, which is `best`, the best value so far, or the window's.
    fn root_value(&mut self, at: &RootMove<G>, alpha: i64, best: i64, question: Question) -> i64 {
        let (position, mover) = (at.position, self.mover);
        let beta = question.beta;
        let wide = match self.tree.settings.root {
            RootValues::Exact => {
                return self.tree.value(position, mover, question.below(-INFINITY, INFINITY));
            }
            // Lets a move that equals the best raise alpha.
            RootValues::Ties if best == alpha => alpha - 1,
            RootValues::Best | RootValues::Ties => alpha,
        };
        if best == -INFINITY || !self.tree.settings.null_windows {
            return self.tree.value(position, mover, question.below(wide, beta));
        }
        let tested = self.tree.value(position, mover, question.below(wide, wide + 1));
        if tested <= wide { tested } else { self.tree.value(position, mover, question.below(wide, beta)) }
    }
}
