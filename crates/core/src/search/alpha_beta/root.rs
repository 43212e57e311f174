//! The root of an alpha-beta search: iterations, windows, and the value of each move.

use std::cmp::Reverse;

use super::tree::{Question, Tree};
use super::{AlphaBetaSettings, RootValues};
use crate::game::{Game, sort_values};
use crate::search::candidates::Candidates;
use crate::search::table::{INFINITY, TO_THE_END};
use crate::search::{Decision, MoveEstimate, MoveStream, SearchError, Stop, Ties};

/// A move of the root, and the result of the last finished iteration.
#[derive(Clone)]
struct RootMove {
    /// The number in the game's order.
    number: usize,
    /// The value, or an upper bound, by the settings.
    value: i64,
    /// The number of positions that the iteration visited below it.
    nodes: u64,
    /// Whether it is the first best move that was found.
    is_best: bool,
}

/// The moves of a root in the order of the search, by their numbers.
pub(super) struct Root<'a> {
    settings: &'a AlphaBetaSettings,
    moves: Vec<RootMove>,
    /// The depth of the last finished iteration in plies; 0 before the first.
    pub(super) reached: u32,
}

/// The value of a move by its number, the positions visited for it, and whether the search is stopped.
type Ask<'t> = &'t mut dyn FnMut(usize, Question) -> (i64, u64, bool);

impl<G: Game> Tree<'_, G> {
    /// Searches to the goal, or until the budget ends: then the last finished iteration counts. It fails if the budget ends
    /// during the first iteration or memory runs out.
    pub(super) fn search(
        &mut self,
        candidates: &Candidates<G>,
        root: &mut Root<'_>,
    ) -> Result<Stop, SearchError> {
        let depth = self.goal.depth;
        let first = if self.settings.deepening && depth != TO_THE_END { 1 } else { depth };
        for left in first..=depth {
            self.cut_short = false;
            if let (true, Some(table)) = (self.goal.to_the_budget, self.table) {
                table.begin();
            }
            // Depth 1 ignores the clock.
            self.meter.set_ignores_time(left == 1);
            self.value_leaves(left, &mut candidates.children.iter().copied());
            root.iterate(left, &mut |number, question| {
                let before = self.meter.spent().nodes;
                self.child = number;
                let value = self.value(candidates.children[number], candidates.player, question);
                (value, self.meter.spent().nodes - before, self.stopped)
            });
            self.meter.set_ignores_time(false);
            if self.stopped {
                return match (self.error.take(), self.limit) {
                    (None, Some(limit)) if root.reached > 0 => Ok(Stop::Limit(limit)),
                    (Some(error), _) => Err(error),
                    (None, limit) => Err(SearchError::Budget { limit: limit.expect("a limit stopped it") }),
                };
            }
            if !self.cut_short {
                break;
            }
        }
        Ok(Stop::Complete)
    }
}

impl<'a> Root<'a> {
    /// Moves in this order, before their search.
    pub(super) fn new(settings: &'a AlphaBetaSettings, order: impl Iterator<Item = u32>) -> Self {
        let unknown = |number| RootMove { number: number as usize, value: 0, nodes: 0, is_best: false };
        Self { settings, moves: order.map(unknown).collect(), reached: 0 }
    }

    /// The decision by the last finished iteration.
    pub(super) fn decide(mut self, ties: Ties, stop: Stop, stream: MoveStream) -> Decision<usize> {
        sort_values(&mut self.moves, &|one, other| one.number.cmp(&other.number));
        let rng = &mut stream.rng();
        let chosen = match self.settings.root {
            // A bound does not tie with the best value.
            RootValues::Best => {
                Ties::First.best(self.moves.iter().map(|found| (found.value, found.is_best)), rng)
            }
            RootValues::Ties | RootValues::Exact => {
                ties.best(self.moves.iter().map(|found| found.value), rng)
            }
        };
        let estimate = |found: &RootMove| MoveEstimate::exact(found.number, found.nodes, found.value as f64);
        Decision { chosen, moves: self.moves.iter().map(estimate).collect(), stop }
    }

    /// One iteration with `left` plies to go from the root. Nothing is found if it is stopped.
    fn iterate(&mut self, left: u32, ask: Ask<'_>) {
        let before = self.moves.iter().map(|found| found.value).max().filter(|_| self.reached > 0);
        let (mut alpha, mut beta) = match (before, self.settings.aspiration) {
            (Some(value), Some(width)) => (value - i64::from(width) - 1, value + i64::from(width) + 1),
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let Some((value, moves)) = self.window(Question { alpha, beta, left, ply: 0 }, ask) else {
                return;
            };
            if alpha < value && value < beta {
                self.moves = moves;
                break;
            }
            // The value is outside the window: open that side.
            if value <= alpha {
                alpha = -INFINITY;
            } else {
                beta = INFINITY;
            }
        }
        self.reached = left;
        // The best move first, then the others by their current values.
        let rank = |found: &RootMove| (Reverse((found.is_best, found.value)), found.number);
        sort_values(&mut self.moves, &|one, other| rank(one).cmp(&rank(other)));
    }

    /// All moves within a window: the best value, and the value of each; `None` if the search is stopped.
    fn window(&self, question: Question, ask: Ask<'_>) -> Option<(i64, Vec<RootMove>)> {
        let Question { alpha, beta, .. } = question;
        let mut moves = self.moves.clone();
        let (mut best, mut best_at) = (-INFINITY, None);
        for (at, found) in moves.iter_mut().enumerate() {
            let (value, nodes) = self.root_value(found.number, best.max(alpha), best, question, ask)?;
            (found.nodes, found.is_best, found.value) = (nodes, false, value);
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
        Some((best, moves))
    }

    /// The value of a move, given `alpha`, which is `best`, the best value so far, or the window's; and the positions visited for it.
    fn root_value(
        &self,
        number: usize,
        alpha: i64,
        best: i64,
        question: Question,
        ask: Ask<'_>,
    ) -> Option<(i64, u64)> {
        let mut nodes = 0;
        let mut ask = |alpha, beta| {
            let (value, more, is_stopped) = ask(number, question.below(alpha, beta));
            nodes += more;
            (!is_stopped).then_some(value)
        };
        let is_exact = self.settings.root == RootValues::Exact;
        let beta = if is_exact { INFINITY } else { question.beta };
        let wide = match self.settings.root {
            RootValues::Exact => -INFINITY,
            // Lets a move that equals the best raise alpha.
            RootValues::Ties if best == alpha => alpha - 1,
            RootValues::Best | RootValues::Ties => alpha,
        };
        let is_open = is_exact || best == -INFINITY || !self.settings.null_windows;
        let tested = if is_open { None } else { Some(ask(wide, wide + 1)?) };
        let value = match tested {
            Some(tested) if tested <= wide => tested,
            _ => ask(wide, beta)?,
        };
        Some((value, nodes))
    }
}
