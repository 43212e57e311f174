//! The search below the root: fail-soft alpha-beta with what the settings add to it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::order::{Learned, Rank};
use super::table::{Entry, INFINITY, TO_THE_END, Table};
use super::{AlphaBetaSettings, Cue, Goal};
use crate::game::{Game, Kernel, Machine, Player, Turn, Window};
use crate::rng::PlayoutKey;
use crate::search::{Fault, Limit, Meter};

/// No tail visits so many positions.
const MOST_TAIL_NODES: u64 = 1 << 20;

/// What all nodes of one search share.
pub(super) struct Tree<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) goal: &'a Goal<G>,
    pub(super) settings: &'a AlphaBetaSettings,
    pub(super) table: Option<&'a Table>,
    pub(super) learned: &'a mut Learned<G::Move>,
    pub(super) meter: &'a mut Meter,
    /// The moves of all nodes from the root to the one at hand, each node's behind its parent's.
    pub(super) moves: Vec<Candidate<G>>,
    /// Whether the search was stopped: all values since then mean nothing.
    pub(super) stopped: bool,
    /// The limit that stopped it, if one did.
    pub(super) limit: Option<Limit>,
    /// What stopped it where there was no memory for its moves.
    pub(super) fault: Option<Fault>,
    /// For how many moves memory was asked for.
    room: usize,
    /// Whether another thread has found what this one is looking for.
    pub(super) done: Option<&'a AtomicBool>,
    /// By which number hints are shuffled a little, so that threads go different ways; 0 for not at all.
    pub(super) shuffle: u64,
    /// Whether a value may rest on less than whole games: a horizon was reached, or a table was believed.
    pub(super) cut_short: bool,
    pub(super) machine: Machine,
}

/// A move that is to be searched.
pub(super) struct Candidate<G: Game> {
    pub(super) mv: G::Move,
    /// Its number in the game's order.
    pub(super) index: u32,
    pub(super) position: G::Position,
    pub(super) rank: Rank,
}

/// What is asked of a node: its value within a window, with so many plies to go.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) alpha: i64,
    pub(super) beta: i64,
    /// Plies to go; [`TO_THE_END`] for all.
    pub(super) left: u32,
    /// How far below the root this is.
    pub(super) ply: usize,
}

impl Question {
    /// The question that a child must answer for this one with another window.
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
            Turn::Over => tree.goal.finished(tree.game, &position, player),
            Turn::Player(mover) if mover == player => tree.best(&position, mover, question),
            Turn::Player(mover) => -tree.best(&position, mover, question.reversed()),
            Turn::Chance => unreachable!("alpha-beta is for games without chance"),
        }
    }
}

/// How far the search of one node has come.
struct Progress {
    alpha: i64,
    best: i64,
    /// The number of the best move, once one has raised alpha.
    mv: Option<u32>,
    first: bool,
}

impl<'a, G: Game> Tree<'a, G> {
    /// A tree of which nothing is searched yet.
    pub(super) fn new(
        game: &'a G,
        goal: &'a Goal<G>,
        settings: &'a AlphaBetaSettings,
        table: Option<&'a Table>,
        learned: &'a mut Learned<G::Move>,
        meter: &'a mut Meter,
    ) -> Self {
        Self {
            game,
            goal,
            settings,
            table,
            learned,
            meter,
            moves: Vec::new(),
            stopped: false,
            limit: None,
            fault: None,
            room: 0,
            done: None,
            shuffle: 0,
            cut_short: false,
            machine: Machine::detect(),
        }
    }

    /// Whether the search has to stop, once so for ever.
    #[inline(always)]
    fn is_stopped(&mut self) -> bool {
        if !self.stopped {
            self.limit = self.meter.limit();
            self.stopped = self.limit.is_some() || self.done.is_some_and(|done| done.load(Relaxed));
        }
        self.stopped
    }

    /// The first move, in the order of search, whose value lies above the question's alpha.
    ///
    /// # Panics
    /// Where none does, or the search is stopped.
    fn first_above(&mut self, position: &G::Position, mover: Player, question: Question) -> G::Move {
        let remembered = self.table.zip(self.game.key(position)).and_then(|(table, key)| table.get(key)?.mv);
        let begin = self.moves.len();
        self.list(position, mover, question, remembered);
        self.moves[begin..].sort_by_key(|candidate| std::cmp::Reverse(candidate.rank));
        let below = question.below(question.alpha, question.beta);
        let above = (begin..self.moves.len()).find(|&at| {
            let child = self.moves[at].position;
            self.value(child, mover, below) > question.alpha
        });
        let mv = self.moves[above.expect("a move reaches the value")].mv;
        self.moves.truncate(begin);
        mv
    }

    /// A line of best play with so many plies to go, where `value` is that of the position for the player whose turn it
    /// is: from each position the first move in the order of search that keeps the value.
    pub(super) fn line(&mut self, mut position: G::Position, mut value: i64, mut left: u32) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut turn = self.game.turn(&position);
        while let (Turn::Player(mover), 1..) = (turn, left) {
            let question = Question { alpha: value - 1, beta: value, left, ply: line.len() };
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
        machine.run(Node { tree: self, position, player, question })
    }

    /// The value of an unfinished position for the player whose turn it is.
    #[inline(always)]
    fn best(&mut self, position: &G::Position, mover: Player, question: Question) -> i64 {
        if question.left == 0 {
            self.cut_short = true;
            return self.goal.evaluate(self.game, position, mover);
        }
        let to_the_end = question.left == TO_THE_END;
        if to_the_end && let Some(value) = self.known_to_the_game(position, question) {
            return value;
        }
        // A table costs more than a leaf, so it is asked about nodes above only.
        let key = if question.left > 1 { self.table.and_then(|_| self.game.key(position)) } else { None };
        let entry = key.and_then(|key| self.table?.get(key));
        if let Some(value) = entry.and_then(|entry| self.known_to_the_table(&entry, question)) {
            return value;
        }
        let before = self.meter.spent().nodes;
        let mut progress = Progress { alpha: question.alpha, best: -INFINITY, mv: None, first: true };
        if question.left > 1 && !self.settings.order.is_empty() {
            self.search_in_order(position, mover, question, entry.and_then(|entry| entry.mv), &mut progress);
        } else {
            for (index, mv) in (0..).zip(self.game.moves(position)) {
                let mut child = *position;
                self.game.apply(&mut child, mv);
                if self.try_move(index, child, mover, question, &mut progress) {
                    break;
                }
            }
        }
        if let (Some(key), Some(table), false) = (key, self.table, self.stopped) {
            let Progress { best, mv, .. } = progress;
            let lower = if best > question.alpha { best } else { -INFINITY };
            let upper = if best < question.beta { best } else { INFINITY };
            let entry = Entry { lower, upper, left: question.left, mv };
            table.put(key, entry, self.meter.spent().nodes - before);
        }
        progress.best
    }

    /// A value that the game's own hooks give, or bounds outside the window.
    #[inline(always)]
    fn known_to_the_game(&mut self, position: &G::Position, question: Question) -> Option<i64> {
        let Window { alpha: least, beta: most } = Window::FULL;
        let narrow = |bound: i64| bound.clamp(i64::from(least), i64::from(most)) as i32;
        let window = Window { alpha: narrow(question.alpha), beta: narrow(question.beta) };
        // Within a budget that is nearly spent the nodes are counted one by one, so that it is never exceeded.
        if self.meter.nodes_left() > MOST_TAIL_NODES
            && let Some(solved) = self.game.solve_tail(position, window)
        {
            self.meter.count_nodes(solved.nodes);
            return Some(i64::from(solved.payoff));
        }
        let (low, high) = self.game.payoff_bounds(position, window)?;
        if i64::from(low) >= question.beta || low == high {
            return Some(i64::from(low));
        }
        (i64::from(high) <= question.alpha).then_some(i64::from(high))
    }

    /// A value that an entry gives, or bounds outside the window. Only searches of equal depth count, unless deeper
    /// ones may.
    #[inline(always)]
    fn known_to_the_table(&mut self, entry: &Entry, question: Question) -> Option<i64> {
        let counts =
            entry.left == question.left || self.settings.deeper_entries && entry.left > question.left;
        if !counts {
            return None;
        }
        self.cut_short = true;
        if entry.lower >= question.beta || entry.lower == entry.upper {
            return Some(entry.lower);
        }
        (entry.upper <= question.alpha).then_some(entry.upper)
    }

    fn search_in_order(
        &mut self,
        position: &G::Position,
        mover: Player,
        question: Question,
        remembered: Option<u32>,
        progress: &mut Progress,
    ) {
        let begin = self.moves.len();
        self.list(position, mover, question, remembered);
        let end = self.moves.len();
        for next in begin..end {
            // The best of the rest is looked for when its turn comes: most nodes cut soon.
            let best = (next..end).max_by_key(|&at| {
                let candidate = &self.moves[at];
                (candidate.rank, std::cmp::Reverse(candidate.index))
            });
            self.moves.swap(next, best.expect("a rest that is not empty"));
            let Candidate { mv, index, position, .. } = self.moves[next];
            if self.try_move(index, position, mover, question, progress) {
                if !self.stopped {
                    self.learned.cut(&self.settings.order, mv, question.ply, question.left);
                }
                break;
            }
        }
        self.moves.truncate(begin);
    }

    /// The game's hint, shuffled by a sixteenth where threads are to go different ways.
    #[inline(always)]
    fn hint(&self, position: &G::Position, mv: G::Move, child: &G::Position) -> i64 {
        let hint = i64::from(self.game.order_hint(position, mv, child));
        if self.shuffle == 0 {
            return hint;
        }
        let key = self.game.key(child).unwrap_or_default();
        let draw = PlayoutKey::new((key >> 64) as u64 ^ self.shuffle).child(key as u64).to_u64();
        hint + hint / 16 * (draw % 3) as i64
    }

    /// Puts the moves of a position, ranked, onto the list.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        position: &G::Position,
        mover: Player,
        question: Question,
        remembered: Option<u32>,
    ) {
        for (index, mv) in (0..).zip(self.game.moves(position)) {
            let mut child = *position;
            self.game.apply(&mut child, mv);
            let mut rank = Rank::default();
            for cue in &self.settings.order {
                rank = match cue {
                    Cue::Table => rank.then(2, i64::from(remembered == Some(index))),
                    Cue::Killers => rank.then(3, self.learned.killer(mv, question.ply)),
                    Cue::Hint => rank.then(25, self.hint(position, mv, &child)),
                    Cue::Evaluation => rank.then(18, self.goal.guess(self.game, &child, mover)),
                    Cue::History => rank.then(15, self.learned.history(mv)),
                };
            }
            self.moves.push(Candidate { mv, index, position: child, rank });
        }
        if self.moves.capacity() > self.room {
            self.account();
        }
    }

    /// Counts the memory that the list of moves has taken since; where it is too much, the search stops.
    #[cold]
    fn account(&mut self) {
        let more = self.moves.capacity() - self.room;
        self.room += more;
        if let Err(fault) = self.meter.reserve((more * size_of::<Candidate<G>>()) as u64) {
            self.fault = Some(fault);
            self.stopped = true;
        }
    }

    /// Searches a move. Returns whether the rest need not be searched.
    #[inline(always)]
    fn try_move(
        &mut self,
        index: u32,
        child: G::Position,
        mover: Player,
        question: Question,
        progress: &mut Progress,
    ) -> bool {
        let Progress { alpha, best, mv, first } = progress;
        let beta = question.beta;
        let value = if *first || !self.settings.null_windows || beta - *alpha <= 1 {
            self.value(child, mover, question.below(*alpha, beta))
        } else {
            let tested = self.value(child, mover, question.below(*alpha, *alpha + 1));
            if tested > *alpha && tested < beta {
                self.value(child, mover, question.below(*alpha, beta))
            } else {
                tested
            }
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
