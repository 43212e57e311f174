//! The tree of the exact solver: fail-soft alpha-beta to the end of every game.
//!
//! The key decision: the work on the order of moves grows with the plies that are left. Near the end the game's own hint
//! is enough; farther from it a short search ranks the moves, by an evaluation or by what the game calls promising.
//! Before a move is searched, the positions after all moves are looked up (enhanced transposition cut-offs: Plaat,
//! Schaeffer, Pijls, de Bruin 1996, "Exploiting graph properties of game trees").
//!
//! Several threads search the same tree and share the table. A thread puts off a move that another thread is searching,
//! until it has searched the others; by then the table often has the value (ABDADA: Weill 1996, "The ABDADA distributed
//! minimax-search algorithm"; with a list of busy positions instead of counters in the table). It gives up a search below
//! a node that another thread has answered meanwhile.

use std::sync::atomic::Ordering::Relaxed;

use super::{PAYOFF, Shared, glance::Glance};
use crate::game::{Game, Kernel, Player, SearchHints, SimdLevel, Turn, Window, sort_values, with_stack};
use crate::search::table::{Entry, INFINITY, TO_THE_END};
use crate::search::{Meter, SearchError};

/// The fewest plies to the end with which positions are remembered: a look at the table costs more than a small search.
const REMEMBERED: u32 = 10;
/// The fewest plies to the end with which the positions after all moves are looked up.
const LOOKED_UP: u32 = 11;
/// The fewest plies to the end with which threads put off a move that another thread searches.
const SHARED: u32 = 12;
/// The number of first moves of a node with an open window that are never put off: threads search them together. At Othello
/// this takes 6 % of the nodes of two threads away.
const NOT_PUT_OFF: usize = 2;

/// The positions that a search of the whole tree leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// Positions that are predicted outside the window by at least this payoff. Its values are no proofs, but its best moves come
    /// first in the next pass.
    Selective { margin: u32 },
    /// Nothing.
    Exact,
}

impl Pass {
    /// The number of finished passes at its end.
    pub(super) const fn done(self) -> u32 {
        if matches!(self, Self::Exact) { 2 } else { 1 }
    }

    /// The depth of its entries in the table. A pass takes no bounds of entries that are less deep.
    const fn left(self) -> u32 {
        TO_THE_END + self.done() - Self::Exact.done()
    }
}

/// The state of one thread's search.
pub(super) struct Tree<'a, G: Game> {
    pub(super) shared: &'a Shared<'a, G>,
    pub(super) meter: &'a mut Meter,
    /// The moves of all nodes from the root to the current one. Each node's moves follow its parent's.
    pub(super) moves: Vec<Candidate<G>>,
    /// Values of the moves of a node, while they are ranked.
    pub(super) values: Vec<i32>,
    /// The number of moves for which memory is reserved.
    room: usize,
    /// With several threads, the nodes that they share, from the root to the current one: keys and questions.
    shared_nodes: Vec<(u128, Question)>,
    /// The number of the shared node that another thread has answered, and its answer: the search below it is stopped.
    answered: Option<(usize, i32)>,
    /// The positions that this search leaves out.
    pub(super) pass: Pass,
    /// Whether the search is stopped: all values since then are invalid.
    pub(super) stopped: bool,
    /// The error that stopped it; `None` if another thread finished first.
    pub(super) error: Option<SearchError>,
    pub(super) machine: SimdLevel,
}

pub(super) struct Candidate<G: Game> {
    pub(super) mv: G::Move,
    /// The number in the game's order.
    pub(super) index: u32,
    pub(super) position: G::Position,
    /// Larger is earlier.
    pub(super) rank: i64,
    pub(super) is_put_off: bool,
}

impl<G: Game> Candidate<G> {
    /// Ranks by a value of a short search, with the rank so far as tie-break.
    #[inline(always)]
    pub(super) const fn rank_by(&mut self, value: i64) {
        self.rank = (value << 20) + (self.rank >> 4);
    }
}

/// The rank of the move that the table remembers.
const FIRST: i64 = 1 << 60;
/// How far a move that is put off falls in rank.
const LAST: i64 = 1 << 61;

/// The window of a node, and its distance from the root in plies.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) ply: u32,
}

impl Question {
    /// The question to a child, with another window.
    const fn below(self, alpha: i32, beta: i32) -> Self {
        Self { alpha, beta, ply: self.ply + 1 }
    }

    /// The answer of an entry in a pass, if it is enough.
    #[inline(always)]
    fn answer(self, entry: &Entry, pass: Pass) -> Option<i32> {
        if entry.left < pass.left() {
            return None;
        }
        if entry.lower >= i64::from(self.beta) || entry.lower == entry.upper {
            return Some(entry.lower as i32);
        }
        (entry.upper <= i64::from(self.alpha)).then_some(entry.upper as i32)
    }

    const fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha, ply: self.ply }
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
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { tree, position, player, question } = self;
        tree.meter.count_node();
        match tree.shared.game.turn(&position) {
            Turn::Over => tree.shared.payoff(&position, player, question.ply),
            Turn::Player(mover) if mover == player => tree.best(&position, mover, question),
            Turn::Player(mover) => -tree.best(&position, mover, question.reversed()),
            Turn::Chance => unreachable!("games of chance are solved by expectimax"),
        }
    }
}

impl<'a, G: Game> Tree<'a, G> {
    #[inline(never)]
    pub(super) fn new(shared: &'a Shared<'a, G>, meter: &'a mut Meter) -> Self {
        let machine = SimdLevel::detect();
        Self {
            shared,
            meter,
            moves: Vec::new(),
            values: Vec::new(),
            shared_nodes: Vec::new(),
            answered: None,
            pass: Pass::Exact,
            room: 0,
            stopped: false,
            error: None,
            machine,
        }
    }

    /// The value of a position for `player`: a fail-soft answer to the question.
    pub(super) fn value(&mut self, position: G::Position, player: Player, question: Question) -> i32 {
        if let Err(error) = SearchError::check_depth(question.ply) {
            self.stop(error);
            return 0;
        }
        let machine = self.machine;
        with_stack(question.ply, || machine.run(Node { tree: self, position, player, question }))
    }

    pub(super) fn in_order(&mut self, position: &G::Position, mover: Player, ply: u32) -> Vec<Candidate<G>> {
        let begin = self.moves.len();
        let left = self.shared.plies_left(position);
        self.list(position);
        self.rank(begin, mover, left, ply);
        if let Some(mv) = self.entry(position, ply).and_then(|(_, entry)| entry?.mv) {
            self.moves[begin + mv as usize].rank = FIRST;
        }
        sort_values(&mut self.moves[begin..], &|one, other| other.rank.cmp(&one.rank));
        self.moves.drain(begin..).collect()
    }

    /// Whether another thread has finished this pass.
    fn is_done(&self) -> bool {
        self.shared.done.load(Relaxed) >= self.pass.done()
    }

    /// Ends a selective pass, in which these values of the root's moves were found, for all threads. The best move comes first in
    /// the next pass.
    pub(super) fn end_of_pass(&mut self, root: &G::Position, found: &[(u32, i32)]) {
        let done = self.pass.done();
        let best = found.iter().min_by_key(|(_, value)| -value);
        if let (Some((key, _)), Some(&(best, _)), false) = (self.entry(root, 0), best, self.stopped) {
            let entry = Entry { lower: -INFINITY, upper: INFINITY, left: 0, mv: Some(best), is_new: true };
            self.shared.table.iter().for_each(|table| table.put(key, entry, self.meter.spent().nodes));
        }
        if let (Some((_, value)), false) = (best, self.stopped) {
            self.shared.guess.store(*value, Relaxed);
        }
        self.shared.done.fetch_max(done, Relaxed);
        self.stopped = self.error.is_some();
        self.pass = Pass::Exact;
    }

    /// In a selective pass, a bound on the value of a position outside a null window, if it is predicted there.
    #[inline(always)]
    fn predicted(
        &mut self,
        position: &G::Position,
        mover: Player,
        left: Option<u32>,
        question: Question,
    ) -> Option<i32> {
        let Question { alpha, beta, .. } = question;
        match self.pass {
            Pass::Selective { margin } if beta - alpha == 1 => {
                Glance::predict(self, position, mover, left, Window { alpha, beta }, margin)
            }
            _ => None,
        }
    }

    #[cold]
    fn stop(&mut self, error: SearchError) {
        self.error.get_or_insert(error);
        self.stopped = true;
    }

    /// The key of a position, and its entry in the table.
    #[inline(always)]
    fn entry(&self, position: &G::Position, plies: u32) -> Option<(u128, Option<Entry>)> {
        let key = self.shared.key(position, plies)?;
        Some((key, self.shared.table.as_ref()?.get(key)))
    }

    /// The value of an unfinished position for the player whose turn it is.
    #[inline(always)]
    fn best(&mut self, position: &G::Position, mover: Player, question: Question) -> i32 {
        if let Some(value) = self.known_to_the_game(position, question) {
            return value;
        }
        let left = self.shared.plies_left(position);
        let is_far = |plies: u32| left.is_none_or(|left| left >= plies);
        let found = if is_far(REMEMBERED) { self.entry(position, question.ply) } else { None };
        let mut first = None;
        if let Some((_, Some(entry))) = found {
            if let Some(value) = question.answer(&entry, self.pass) {
                return value;
            }
            first = entry.mv;
        }
        if found.is_some() && self.is_done() {
            self.stopped = true;
        }
        let shares = found.is_some() && self.shared.busy.is_some() && is_far(SHARED);
        if shares && !self.stopped {
            self.look_at_shared_nodes();
        }
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.predicted(position, mover, left, question) {
            return value;
        }
        let begin = self.moves.len();
        self.list(position);
        if self.stopped {
            return 0;
        }
        if found.is_some()
            && is_far(LOOKED_UP)
            && let Some(value) = self.look_up(begin, mover, question)
        {
            self.moves.truncate(begin);
            return value;
        }
        self.rank(begin, mover, left, question.ply);
        if let Some(first) = first.filter(|&first| (first as usize) < self.moves.len() - begin) {
            self.moves[begin + first as usize].rank = FIRST;
        }
        let before = self.meter.spent().nodes;
        if let (true, Some((key, _))) = (shares, found) {
            self.shared_nodes.push((key, question));
        }
        let (best, mv) = self.search_all(begin, mover, question, shares);
        self.moves.truncate(begin);
        if shares {
            self.shared_nodes.pop();
            if let Some((_, value)) = self.answered.take_if(|(at, _)| *at == self.shared_nodes.len()) {
                self.stopped = self.error.is_some() || self.is_done();
                return value;
            }
        }
        if let (Some((key, _)), Some(table), false) = (found, &self.shared.table, self.stopped) {
            let lower = if best > question.alpha { i64::from(best) } else { -INFINITY };
            let upper = if best < question.beta { i64::from(best) } else { INFINITY };
            let entry = Entry { lower, upper, left: self.pass.left(), mv, is_new: true };
            table.put(key, entry, self.meter.spent().nodes - before);
        }
        best
    }

    /// Stops the search below a shared node that another thread has answered by now.
    fn look_at_shared_nodes(&mut self) {
        let Some(table) = &self.shared.table else { return };
        let answer = |(key, question): &(u128, Question)| {
            table.get(*key).and_then(|entry| question.answer(&entry, self.pass))
        };
        let mut answers = self.shared_nodes.iter().map(answer).enumerate();
        self.answered = answers.find_map(|(at, answer)| Some((at, answer?)));
        self.stopped = self.answered.is_some();
    }

    /// The value from the game's own hooks, or a bound outside the window.
    #[inline(always)]
    fn known_to_the_game(&mut self, position: &G::Position, question: Question) -> Option<i32> {
        let Question { alpha, beta, .. } = question;
        let (game, window) = (self.shared.game, Window { alpha, beta });
        if self.shared.step.is_some() {
            return None;
        }
        if let Some(solved) = game.hints().solve_tail(game, position, window, false) {
            self.meter.count_nodes(solved.nodes);
            return Some(solved.payoff);
        }
        let (low, high) = game.hints().payoff_bounds(game, position, window)?;
        if low >= beta || low == high {
            return Some(low);
        }
        (high <= alpha).then_some(high)
    }

    /// A value that the table knows of a position after one of the moves, if it causes a cut-off.
    #[inline(always)]
    fn look_up(&self, begin: usize, mover: Player, question: Question) -> Option<i32> {
        let beta = i64::from(question.beta);
        let table = self.shared.table.as_ref()?;
        // All at once, so that the waits for memory overlap.
        for candidate in &self.moves[begin..] {
            if let Some(key) = self.shared.key(&candidate.position, question.ply + 1) {
                table.fetch(key);
            }
        }
        for candidate in &self.moves[begin..] {
            let Turn::Player(next) = self.shared.game.turn(&candidate.position) else { continue };
            let Some((_, Some(entry))) = self.entry(&candidate.position, question.ply + 1) else { continue };
            let lower = if next == mover { entry.lower } else { -entry.upper };
            if lower >= beta && entry.left >= self.pass.left() {
                return Some(lower as i32);
            }
        }
        None
    }

    /// Appends the moves of a position to the list, ranked by the game's hints.
    #[inline(always)]
    pub(super) fn list(&mut self, position: &G::Position) {
        let (game, moves, is_timed) = (self.shared.game, &mut self.moves, self.shared.step.is_some());
        let mut indices = 0..;
        game.hints().each_child(game, position, &mut |mv, position, hint| {
            let index = indices.next().expect("an endless range");
            let rank = if is_timed { 0 } else { hint.into() };
            moves.push(Candidate { mv, index, position, rank, is_put_off: false });
        });
        if self.moves.capacity() > self.room
            && let Err(error) = self.meter.reserve_growth(&self.moves, &mut self.room)
        {
            self.stop(error);
        }
    }

    /// Ranks the listed moves of a node by short searches, if enough plies are left; hints break ties.
    #[inline(always)]
    fn rank(&mut self, begin: usize, mover: Player, left: Option<u32>, ply: u32) {
        if let Some(glance) = Glance::new(self.shared, left, ply) {
            glance.rank(self, begin, mover);
        }
    }

    /// Searches the listed moves from `begin`. Returns the best value, and the number of a move that raised alpha. If the
    /// threads share this node, moves that another thread searches come last.
    #[inline(always)]
    fn search_all(
        &mut self,
        begin: usize,
        mover: Player,
        question: Question,
        shares: bool,
    ) -> (i32, Option<u32>) {
        let (mut alpha, beta, end) = (question.alpha, question.beta, self.moves.len());
        let (mut best, mut found) = (-PAYOFF, None);
        let mut next = begin;
        while next < end {
            // Selection sort, one move at a time: most nodes cut soon.
            let at = (next..end).max_by_key(|&at| {
                let candidate = &self.moves[at];
                (candidate.rank, std::cmp::Reverse(candidate.index))
            });
            self.moves.swap(next, at.expect("a rest that is not empty"));
            let Candidate { index, position, is_put_off, .. } = self.moves[next];
            let busy = if shares { self.shared.busy(&position, question.ply + 1) } else { None };
            if let Some((busy, hash)) = busy {
                let first = if beta - alpha <= 1 { begin + 1 } else { begin + NOT_PUT_OFF };
                if next >= first && !is_put_off && busy.has(hash) {
                    self.moves[next].is_put_off = true;
                    self.moves[next].rank -= LAST;
                    continue;
                }
                busy.begin(hash);
            }
            let value = if next == begin || beta - alpha <= 1 {
                self.value(position, mover, question.below(alpha, beta))
            } else {
                let tested = self.value(position, mover, question.below(alpha, alpha + 1));
                if tested > alpha && tested < beta {
                    self.value(position, mover, question.below(alpha, beta))
                } else {
                    tested
                }
            };
            if let Some((busy, hash)) = busy {
                busy.end(hash);
            }
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, found) = (value, Some(index));
                    if alpha >= beta {
                        break;
                    }
                }
            }
            next += 1;
        }
        (best, found)
    }
}
