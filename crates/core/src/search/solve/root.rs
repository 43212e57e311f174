//! The search of the root: its value, and the moves that reach it.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

use super::busy::Busy;
use super::tree::{Candidate, Pass, Question, Tree};
use super::{BestMoves, OrderBy, PAYOFF, Shared};
use crate::game::{Game, Player, Turn};
use crate::search::table::hash;

/// The moves of the root: each best move that is asked for with its value, the others with an upper bound, which is at most the best
/// value.
type Moves<G> = Vec<(Candidate<G>, i32)>;

impl<G: Game> Shared<'_, G> {
    /// The moves of the root, in one pass or two.
    pub(super) fn moves(&self, tree: &mut Tree<'_, G>, position: &G::Position) -> Moves<G> {
        let Turn::Player(mover) = self.game.turn(position) else { unreachable!("it is a player's turn") };
        let Some(OrderBy { margin: Some(margin), .. }) = self.order else {
            return self.by_open_windows(tree, position, mover);
        };
        tree.pass = Pass::Selective { margin };
        let found = self.by_open_windows(tree, position, mover);
        tree.end_of_pass(position, &found);
        if tree.stopped {
            return found;
        }
        self.by_null_windows(tree, position, mover)
    }

    /// One move after the other, the first with an open window.
    fn by_open_windows(&self, tree: &mut Tree<'_, G>, position: &G::Position, mover: Player) -> Moves<G> {
        let mut best = -PAYOFF;
        let mut found = Vec::new();
        let mut waiting = VecDeque::from(tree.in_order(position, mover, 0));
        while let Some(mut candidate) = waiting.pop_front() {
            let busy = self.busy(&candidate.position);
            if let Some((busy, hash)) = busy {
                if best > -PAYOFF && !candidate.is_put_off && busy.has(hash) {
                    candidate.is_put_off = true;
                    waiting.push_back(candidate);
                    continue;
                }
                busy.begin(hash);
            }
            let mut ask =
                |alpha, beta| tree.value(candidate.position, mover, Question { alpha, beta, ply: 1 });
            // To find all best moves, one that equals the best must be told from a worse one.
            let equals = i32::from(best > -PAYOFF && self.best == BestMoves::All);
            let alpha = best - equals;
            let mut value = if best == -PAYOFF { PAYOFF } else { ask(alpha, alpha + 1) };
            if value > alpha {
                value = ask(alpha, PAYOFF);
            }
            if let Some((busy, hash)) = busy {
                busy.end(hash);
            }
            if tree.stopped {
                break;
            }
            best = best.max(value);
            found.push((candidate, value));
        }
        found
    }

    /// By null windows alone, from the value that a selective pass found: first down to a value that some move reaches, then up
    /// to one that none exceeds (MTD(f): Plaat, Schaeffer, Pijls, de Bruin 1996, "Best-first fixed-depth minimax algorithms").
    fn by_null_windows(&self, tree: &mut Tree<'_, G>, position: &G::Position, mover: Player) -> Moves<G> {
        let mut found: Moves<G> =
            tree.in_order(position, mover, 0).into_iter().map(|candidate| (candidate, PAYOFF)).collect();
        let mut alpha = self.guess.load(Relaxed) - 1;
        let mut best = loop {
            if let Some(value) = self.exceed(tree, mover, &mut found, alpha) {
                break value;
            }
            if tree.stopped {
                return found;
            }
            alpha = found.iter().map(|(_, most)| *most).max().expect("a player's turn has a move") - 1;
        };
        loop {
            // To find all best moves, one that may equal the best must be told from a worse one.
            if self.best == BestMoves::All {
                self.test(tree, mover, &mut found[1..], best - 1, false);
            }
            match self.exceed(tree, mover, &mut found, best) {
                Some(value) => best = value,
                None => return found,
            }
        }
    }

    /// Searches the moves until the value of one exceeds alpha. This move is then the first. Returns its value, a lower bound. The
    /// others have upper bounds.
    fn exceed(&self, tree: &mut Tree<'_, G>, mover: Player, found: &mut Moves<G>, alpha: i32) -> Option<i32> {
        let (at, value) = self.test(tree, mover, found, alpha, true)?;
        found[..=at].rotate_right(1);
        Some(value)
    }

    /// Tests which moves exceed alpha; `ends` at the first that does. Returns the place and the value of the last that
    /// does. Upper bounds of the others are noted.
    fn test(
        &self,
        tree: &mut Tree<'_, G>,
        mover: Player,
        found: &mut [(Candidate<G>, i32)],
        alpha: i32,
        ends: bool,
    ) -> Option<(usize, i32)> {
        let mut waiting: VecDeque<(usize, bool)> = (0..found.len()).map(|at| (at, false)).collect();
        let mut last = None;
        while let Some((at, is_put_off)) = waiting.pop_front() {
            let (candidate, most) = &mut found[at];
            if *most <= alpha {
                continue;
            }
            let busy = self.busy(&candidate.position);
            if let Some((busy, hash)) = busy {
                if at > 0 && !is_put_off && busy.has(hash) {
                    waiting.push_back((at, true));
                    continue;
                }
                busy.begin(hash);
            }
            let question = Question { alpha, beta: alpha + 1, ply: 1 };
            let value = tree.value(candidate.position, mover, question);
            if let Some((busy, hash)) = busy {
                busy.end(hash);
            }
            if tree.stopped {
                return None;
            }
            if value <= alpha {
                *most = value;
                continue;
            }
            last = Some((at, value));
            if ends {
                break;
            }
        }
        last
    }

    /// With several threads, the list of busy positions and the hash of a position in it.
    #[inline(always)]
    pub(super) fn busy(&self, position: &G::Position) -> Option<(&Busy, u64)> {
        let busy = self.busy.as_ref()?;
        Some((busy, hash(self.game.key(position)?)))
    }
}
