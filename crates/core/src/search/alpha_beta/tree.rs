//! The search below the root: fail-soft alpha-beta with the additions of the settings.

use std::ops::ControlFlow;

use super::order::{CutMoves, Rank};
use super::{AlphaBetaSettings, Goal, OrderingHeuristic};
use crate::game::{
    Ends, Game, GameExt, Kernel, Player, SearchHints, SimdLevel, Turn, Window, sort_values, with_stack,
};
use crate::search::batch_values::BatchValues;
use crate::search::table::{Entry, INFINITY, TO_THE_END, Table};
use crate::search::{Limit, Meter, SearchError};

/// Larger than the number of nodes that any tail visits.
const MOST_TAIL_NODES: u64 = 1 << 20;

/// The state that all nodes of a search share.
pub(super) struct Tree<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) goal: &'a Goal<G>,
    pub(super) settings: &'a AlphaBetaSettings,
    pub(super) table: Option<&'a Table>,
    pub(super) cut_moves: &'a mut CutMoves<G::Move>,
    pub(super) meter: &'a mut Meter,
    /// The moves of all nodes from the root to the current one. Each node's moves follow its parent's.
    pub(super) moves: Vec<Candidate<G>>,
    /// Whether the search was stopped: all values since then are invalid.
    pub(super) stopped: bool,
    pub(super) limit: Option<Limit>,
    /// The error that stopped it, if memory for its moves ran out.
    pub(super) error: Option<SearchError>,
    /// The number of moves for which memory is reserved.
    room: usize,
    /// Whether a value may depend on the horizon or the table instead of whole games.
    pub(super) cut_short: bool,
    pub(super) machine: SimdLevel,
    /// Whether the evaluation prefers batches. If so, one batch values all children of a node.
    batches: bool,
    /// How many bits a guess is shifted, so that it fits into a rank.
    guess_shift: u32,
    /// The values of the current node's children, and the place of the child that is searched.
    found: BatchValues<G::Position>,
    pub(super) child: usize,
    /// The player for whom every position is valued; `None` if values for the two players are opposite anyway.
    pub(super) viewer: Option<Player>,
}

pub(super) struct Candidate<G: Game> {
    pub(super) mv: G::Move,
    /// The number in the game's order.
    pub(super) index: u32,
    pub(super) position: G::Position,
    pub(super) rank: Rank,
}

/// The question to a node: its value within a window, with a number of plies to go.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) alpha: i64,
    pub(super) beta: i64,
    /// Plies to go; [`TO_THE_END`] for no horizon.
    pub(super) left: u32,
    /// The distance from the root in plies.
    pub(super) ply: u32,
}

impl Question {
    /// The value of the root, whatever it is, to the end of every game.
    pub(super) const OPEN: Self = Self { alpha: -INFINITY, beta: INFINITY, left: TO_THE_END, ply: 0 };

    /// The question to a child, with another window.
    #[inline(always)]
    pub(super) const fn below(self, alpha: i64, beta: i64) -> Self {
        let left = if self.left == TO_THE_END { TO_THE_END } else { self.left - 1 };
        Self { alpha, beta, left, ply: self.ply + 1 }
    }

    const fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha, ..self }
    }
}

/// A node as a kernel: the value of a position for `player`, whoever's turn it is.
struct Node<'n, 'a, G: Game> {
    tree: &'n mut Tree<'a, G>,
    position: G::Position,
    player: Player,
    question: Question,
}

impl<G: Game> Kernel for Node<'_, '_, G> {
    type Output = i64;

    #[inline(always)]
    fn run(self) -> i64 {
        let Self { tree, position, player, question } = self;
        if tree.is_stopped() {
            return 0;
        }
        tree.meter.count_node();
        match tree.game.turn(&position) {
            Turn::Over => tree.finished(&position, player),
            Turn::Player(mover) if mover == player => tree.best(&position, mover, question),
            Turn::Player(mover) => -tree.best(&position, mover, question.reversed()),
            Turn::Chance => unreachable!("alpha-beta is for games without chance"),
        }
    }
}

pub(super) struct Progress {
    alpha: i64,
    best: i64,
    /// The number of the best move, once one has raised alpha.
    mv: Option<u32>,
    first: bool,
}

impl Progress {
    const fn new(question: Question) -> Self {
        Self { alpha: question.alpha, best: -INFINITY, mv: None, first: true }
    }
}

/// How many bits a guess is shifted. Small values are not, even if a few are clamped; large ones all fit.
const fn guess_shift(largest: i64) -> u32 {
    let bits = 64 - largest.leading_zeros();
    if bits <= 20 { 0 } else { bits - 17 }
}

impl<'a, G: Game> Tree<'a, G> {
    pub(super) fn new(
        (game, goal, settings): (&'a G, &'a Goal<G>, &'a AlphaBetaSettings),
        (table, cut_moves, meter): (Option<&'a Table>, &'a mut CutMoves<G::Move>, &'a mut Meter),
        viewer: Option<Player>,
    ) -> Self {
        let facts = goal.evaluation.as_ref().map(|evaluation| evaluation.facts());
        Self {
            game,
            goal,
            settings,
            table,
            cut_moves,
            meter,
            moves: Vec::new(),
            stopped: false,
            limit: None,
            error: None,
            room: 0,
            cut_short: false,
            machine: SimdLevel::detect(),
            batches: facts.is_some_and(|facts| facts.prefers_batches),
            guess_shift: facts.map_or(0, |facts| guess_shift(facts.largest)),
            found: BatchValues::new(),
            child: 0,
            viewer,
        }
    }

    /// The value of a position for `player`, from the value for the viewer.
    #[inline(always)]
    fn seen(&self, player: Player, value: impl Fn(Player) -> i64) -> i64 {
        match self.viewer {
            Some(viewer) if viewer != player => -value(viewer),
            _ => value(player),
        }
    }

    #[inline(always)]
    fn finished(&self, position: &G::Position, player: Player) -> i64 {
        match &self.goal.evaluation {
            Some(evaluation) if self.goal.depth != TO_THE_END => {
                self.seen(player, |player| evaluation.finished(self.game, position, player))
            }
            _ => i64::from(self.game.payoff(position, player)),
        }
    }

    /// The value of an unfinished position at the horizon.
    fn evaluate(&self, position: &G::Position, player: Player) -> i64 {
        let evaluation = self.goal.evaluation.as_ref();
        evaluation.map_or(0, |evaluation| {
            self.seen(player, |player| evaluation.evaluate(self.game, position, player))
        })
    }

    /// The value of any position, finished or not, for ordering moves.
    fn guess(&self, position: &G::Position, player: Player) -> i64 {
        match (&self.goal.evaluation, self.game.turn(position)) {
            (None, _) => 0,
            (Some(evaluation), Turn::Over) => {
                self.seen(player, |player| evaluation.finished(self.game, position, player))
            }
            (Some(_), _) => self.evaluate(position, player),
        }
    }

    /// The key of a position in the table. What the two players see differs, and so do their keys.
    #[inline(always)]
    fn key(&self, position: &G::Position) -> Option<u128> {
        const SECOND: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834;
        let key = self.game.key(position)?;
        Some(if self.viewer == Some(Player::SECOND) { key ^ SECOND } else { key })
    }

    /// Whether the search must stop. Once stopped, it stays stopped.
    #[inline(always)]
    pub(super) fn is_stopped(&mut self) -> bool {
        if !self.stopped {
            self.limit = self.meter.limit();
            self.stopped = self.limit.is_some();
        }
        self.stopped
    }

    /// Appends the moves of a position to the list, in search order. Returns the place of the first.
    #[inline(never)]
    pub(super) fn list_in_order(
        &mut self,
        position: &G::Position,
        mover: Player,
        question: Question,
        remembered: Option<u32>,
    ) -> usize {
        let begin = self.moves.len();
        self.list(position, mover, question, remembered);
        sort_values(&mut self.moves[begin..], &|one, other| other.rank.cmp(&one.rank));
        begin
    }

    /// The first move, in search order, whose value exceeds the question's alpha. Panics if there is none, or the search is
    /// stopped.
    fn first_above(&mut self, position: &G::Position, mover: Player, question: Question) -> G::Move {
        let remembered = self.table.zip(self.key(position)).and_then(|(table, key)| table.get(key)?.mv);
        let begin = self.list_in_order(position, mover, question, remembered);
        let below = question.below(question.alpha, question.beta);
        let moves = std::mem::take(&mut self.moves);
        self.value_leaves(question.left, &mut moves[begin..].iter().map(|candidate| candidate.position));
        self.moves = moves;
        let above = (begin..self.moves.len()).find(|&at| {
            self.child = at - begin;
            self.value(self.moves[at].position, mover, below) > question.alpha
        });
        let mv = self.moves[above.expect("a move reaches the value")].mv;
        self.moves.truncate(begin);
        mv
    }

    /// The principal variation with `left` plies to go: at each position the first move, in search order, that keeps
    /// the value. `value` is that of the position for the player whose turn it is.
    pub(super) fn principal_variation(
        &mut self,
        mut position: G::Position,
        mut value: i64,
        mut left: u32,
    ) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut turn = self.game.turn(&position);
        while let (Turn::Player(mover), 1..) = (turn, left) {
            let question = Question { alpha: value - 1, beta: value, left, ply: line.len() as u32 };
            let kept = self.first_above(&position, mover, question);
            line.push(kept);
            self.game.apply(&mut position, kept);
            turn = self.game.turn(&position);
            if matches!(turn, Turn::Player(next) if next != mover) {
                value = -value;
            }
            left = question.below(0, 0).left;
        }
        line
    }

    /// The value of a position for `player`: a fail-soft answer to the question.
    pub(super) fn value(&mut self, position: G::Position, player: Player, question: Question) -> i64 {
        let machine = self.machine;
        if let Err(error) = SearchError::check_depth(question.ply) {
            self.stop(error);
            return 0;
        }
        with_stack(question.ply, || machine.run(Node { tree: self, position, player, question }))
    }

    #[cold]
    pub(super) fn stop(&mut self, error: SearchError) {
        self.error.get_or_insert(error);
        self.stopped = true;
    }

    /// The value of an unfinished position for the player whose turn it is.
    #[inline(always)]
    fn best(&mut self, position: &G::Position, mover: Player, question: Question) -> i64 {
        if question.left == 0 {
            self.cut_short = true;
            return if self.batches {
                self.seen(mover, |_| self.found.get(self.child))
            } else {
                self.evaluate(position, mover)
            };
        }
        let to_the_end = question.left == TO_THE_END;
        if to_the_end && let Some(value) = self.known_to_the_game(position, question) {
            return value;
        }
        if question.left > 1 && (self.table.is_some() || !self.settings.order.is_empty()) {
            return self.best_in_order(position, mover, question);
        }
        let mut progress = Progress::new(question);
        if question.left == 1 && self.cut_short && !self.batches {
            self.search_leaves(position, mover, question, &mut progress);
            return progress.best;
        }
        if self.batches && question.left == 1 {
            self.value_children(position);
        }
        for (index, mv) in (0..).zip(self.game.moves(position)) {
            let child = self.game.after(position, mv);
            self.child = index as usize;
            let value = |tree: &mut Self, below| tree.value(child, mover, below);
            if self.try_window(index, question, &mut progress, value) {
                break;
            }
        }
        progress.best
    }

    /// Searches the moves to the horizon, in the game's order, without making them where the evaluation can do so. Once a
    /// value depends on the horizon, it does not matter which others do.
    fn search_leaves(
        &mut self,
        position: &G::Position,
        mover: Player,
        question: Question,
        progress: &mut Progress,
    ) {
        if let Err(error) = SearchError::check_depth(question.ply + 1) {
            return self.stop(error);
        }
        let (game, goal) = (self.game, self.goal);
        let evaluation = goal.evaluation.as_ref().expect("there is a horizon");
        let viewer = self.viewer.unwrap_or(mover);
        let mut index = 0..;
        evaluation.each_child(game, position, Ends::Known.exact(viewer), &mut |value| {
            let value = if viewer == mover { value } else { -value };
            let index = index.next().expect("an endless range");
            let is_cut = self.try_window(index, question, progress, |tree, _| {
                if tree.is_stopped() {
                    return 0;
                }
                tree.meter.count_node();
                value
            });
            if is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }

    /// The value of a position that the table may know, by its moves in order. A table probe costs more than a leaf, so leaves are
    /// not looked up.
    #[inline(always)]
    fn best_in_order(&mut self, position: &G::Position, mover: Player, question: Question) -> i64 {
        let key = self.table.and_then(|_| self.key(position));
        let entry = key.and_then(|key| self.table?.get(key));
        if let Some(value) = entry.and_then(|entry| self.known_to_the_table(&entry, question)) {
            return value;
        }
        let begin = self.moves.len();
        self.list(position, mover, question, entry.and_then(|entry| entry.mv));
        self.search_listed(begin, mover, question, key)
    }

    /// The value of a position by the listed moves from `begin`, which the table then remembers.
    #[inline(always)]
    fn search_listed(&mut self, begin: usize, mover: Player, question: Question, key: Option<u128>) -> i64 {
        let before = self.meter.spent().nodes;
        let (mut progress, end) = (Progress::new(question), self.moves.len());
        for next in begin..end {
            // Selection sort, one move at a time: most nodes cut soon.
            let best = (next..end).max_by_key(|&at| {
                let candidate = &self.moves[at];
                (candidate.rank, std::cmp::Reverse(candidate.index))
            });
            self.moves.swap(next, best.expect("a rest that is not empty"));
            let Candidate { mv, index, position, .. } = self.moves[next];
            let value = |tree: &mut Self, below| tree.value(position, mover, below);
            if self.try_window(index, question, &mut progress, value) {
                if !self.stopped {
                    self.cut_moves.cut(&self.settings.order, mv, question.ply as usize, question.left);
                }
                break;
            }
        }
        self.moves.truncate(begin);
        if let (Some(key), Some(table), false) = (key, self.table, self.stopped) {
            let Progress { best, mv, .. } = progress;
            let lower = if best > question.alpha { best } else { -INFINITY };
            let upper = if best < question.beta { best } else { INFINITY };
            let entry = Entry { lower, upper, left: question.left, mv, is_new: true };
            table.put(key, entry, self.meter.spent().nodes - before);
        }
        progress.best
    }

    /// The value from the game's own hooks, or a bound outside the window.
    #[inline(always)]
    fn known_to_the_game(&mut self, position: &G::Position, question: Question) -> Option<i64> {
        let Window { alpha: least, beta: most } = Window::FULL;
        let narrow = |bound: i64| bound.clamp(i64::from(least), i64::from(most)) as i32;
        let window = Window { alpha: narrow(question.alpha), beta: narrow(question.beta) };
        // Near the end of the budget, nodes are counted one by one, so that the budget is never exceeded.
        if self.meter.nodes_left() > MOST_TAIL_NODES
            && let Some(solved) = self.game.hints().solve_tail(self.game, position, window, true)
        {
            self.meter.count_nodes(solved.nodes);
            return Some(i64::from(solved.payoff));
        }
        let (low, high) = self.game.hints().payoff_bounds(self.game, position, window)?;
        if i64::from(low) >= question.beta || low == high {
            return Some(i64::from(low));
        }
        (i64::from(high) <= question.alpha).then_some(i64::from(high))
    }

    /// The value from a table entry, or a bound outside the window. Only searches of equal depth count, unless the
    /// settings allow deeper ones.
    #[inline(always)]
    fn known_to_the_table(&mut self, entry: &Entry, question: Question) -> Option<i64> {
        let counts =
            entry.left == question.left || self.settings.deeper_entries && entry.left > question.left;
        if !counts {
            return None;
        }
        // What was found in this iteration has been noted.
        self.cut_short |= !(entry.is_new && self.goal.to_the_budget);
        if entry.lower >= question.beta || entry.lower == entry.upper {
            return Some(entry.lower);
        }
        (entry.upper <= question.alpha).then_some(entry.upper)
    }

    /// Values the children of a node in one batch if the evaluation prefers batches and they are at the horizon, with `left` plies to
    /// go from the node; [`Tree::child`] then names the one that is searched.
    pub(super) fn value_leaves(&mut self, left: u32, children: &mut dyn Iterator<Item = G::Position>) {
        if let (true, 1, Some(evaluation)) = (self.batches, left, &self.goal.evaluation) {
            let (game, viewer) = (self.game, self.viewer);
            let whose = |child| match game.turn(&child) {
                Turn::Player(mover) => (child, viewer.unwrap_or(mover)),
                // A finished game is valued when it is visited.
                _ => (child, Player::FIRST),
            };
            self.found.find(game, &**evaluation, &mut children.map(whose));
        }
    }

    /// Values all children of a node above the horizon.
    #[inline(never)]
    fn value_children(&mut self, position: &G::Position) {
        let game = self.game;
        self.value_leaves(1, &mut game.children(position).map(|(_, child)| child));
    }

    /// Values all children of a node in one batch, to guess their order.
    #[inline(never)]
    fn guess_children(&mut self, position: &G::Position, mover: Player) {
        if let Some(evaluation) = &self.goal.evaluation {
            let whose = self.viewer.unwrap_or(mover);
            let mut children = self.game.children(position).map(|(_, child)| (child, whose));
            self.found.find(self.game, &**evaluation, &mut children);
        }
    }

    /// Appends the moves of a position to the list, with their ranks.
    #[inline(always)]
    fn list(&mut self, position: &G::Position, mover: Player, question: Question, remembered: Option<u32>) {
        let guessed = self.batches && self.settings.order.contains(&OrderingHeuristic::Evaluation);
        if guessed {
            self.guess_children(position, mover);
        }
        for (index, mv) in (0..).zip(self.game.moves(position)) {
            let child = self.game.after(position, mv);
            let mut rank = Rank::default();
            for heuristic in &self.settings.order {
                rank = match heuristic {
                    OrderingHeuristic::Table => rank.then(2, i64::from(remembered == Some(index))),
                    OrderingHeuristic::Killers => {
                        rank.then(3, self.cut_moves.killer(mv, question.ply as usize))
                    }
                    OrderingHeuristic::Hint => {
                        rank.then(25, self.game.hints().order(self.game, position, mv, &child).into())
                    }
                    OrderingHeuristic::Evaluation => {
                        let guess = if guessed {
                            self.seen(mover, |_| self.found.get(index as usize))
                        } else {
                            self.guess(&child, mover)
                        };
                        rank.then(18, guess >> self.guess_shift)
                    }
                    OrderingHeuristic::History => rank.then(15, self.cut_moves.history(mv)),
                };
            }
            self.moves.push(Candidate { mv, index, position: child, rank });
        }
        if self.moves.capacity() > self.room
            && let Err(error) = self.meter.reserve_growth(&self.moves, &mut self.room)
        {
            self.stop(error);
        }
    }

    /// Searches a move whose value is the answer to some questions. Returns whether it causes a cut-off or the search is
    /// stopped.
    #[inline(always)]
    pub(super) fn try_window(
        &mut self,
        index: u32,
        question: Question,
        progress: &mut Progress,
        value: impl Fn(&mut Self, Question) -> i64,
    ) -> bool {
        let Progress { alpha, best, mv, first } = progress;
        let beta = question.beta;
        let value = if *first || !self.settings.null_windows || beta - *alpha <= 1 {
            value(self, question.below(*alpha, beta))
        } else {
            let tested = value(self, question.below(*alpha, *alpha + 1));
            if tested > *alpha && tested < beta { value(self, question.below(*alpha, beta)) } else { tested }
        };
        if self.stopped {
            return true;
        }
        *first = false;
        if value > *best {
            *best = value;
            if value > *alpha {
                *alpha = value;
                *mv = Some(index);
            }
        }
        *alpha >= beta
    }
}
