//! The search of the root: its value, and the moves that reach it.

use std::collections::VecDeque;

use super::busy::Busy;
use super::{BestMoves, PAYOFF};

/// The moves of a root in the order of the search, by their places there: each has a value or an upper bound.
pub(super) struct Root<'a> {
    pub(super) best: BestMoves,
    /// With several threads, the list of busy positions, and the hash of the position after each move.
    pub(super) busy: Option<(&'a Busy, Vec<u64>)>,
    /// The value of a move for a window.
    pub(super) ask: &'a mut dyn FnMut(usize, i32, i32) -> Result<i32, Stopped>,
}

/// The search is stopped: no value is valid.
pub(super) struct Stopped;

/// The moves that were searched: each best move that is asked for with its value, the others with an upper bound, which is at most the
/// best value.
pub(super) type Moves = Vec<(usize, i32)>;

impl Root<'_> {
    /// The value of a move. While a thread searches it, others may put it off.
    fn value(&mut self, at: usize, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let busy = self.busy.as_ref().map(|(busy, hashes)| (busy, hashes[at]));
        busy.inspect(|(busy, hash)| busy.begin(*hash));
        let value = (self.ask)(at, alpha, beta);
        busy.inspect(|(busy, hash)| busy.end(*hash));
        value
    }

    fn is_busy(&self, at: usize) -> bool {
        self.busy.as_ref().is_some_and(|(busy, hashes)| busy.has(hashes[at]))
    }

    /// One move after the other, the first with an open window.
    pub(super) fn by_open_windows(&mut self, moves: usize) -> Moves {
        let mut best = -PAYOFF;
        let mut found = Vec::new();
        let mut waiting: VecDeque<(usize, bool)> = (0..moves).map(|at| (at, false)).collect();
        while let Some((at, is_put_off)) = waiting.pop_front() {
            if best > -PAYOFF && !is_put_off && self.is_busy(at) {
                waiting.push_back((at, true));
                continue;
            }
            // To find all best moves, one that equals the best must be told from a worse one.
            let equals = i32::from(best > -PAYOFF && self.best == BestMoves::All);
            let alpha = best - equals;
            let mut value = if best == -PAYOFF { Ok(PAYOFF) } else { self.value(at, alpha, alpha + 1) };
            if matches!(value, Ok(value) if value > alpha) {
                value = self.value(at, alpha, PAYOFF);
            }
            let Ok(value) = value else { break };
            best = best.max(value);
            found.push((at, value));
        }
        found
    }

    /// By null windows alone, from a value that a selective pass found: first down to a value that some move reaches, then up
    /// to one that none exceeds; nothing if the search is stopped (MTD(f): Plaat, Schaeffer, Pijls, de Bruin 1996, "Best-first fixed-depth minimax algorithms").
    pub(super) fn by_null_windows(&mut self, moves: usize, guess: i32) -> Result<Moves, Stopped> {
        let mut found: Moves = (0..moves).map(|at| (at, PAYOFF)).collect();
        let mut alpha = guess - 1;
        let mut best = loop {
            if let Some(value) = self.exceed(&mut found, alpha)? {
                break value;
            }
            alpha = found.iter().map(|(_, most)| *most).max().expect("a player's turn has a move") - 1;
        };
        loop {
            // To find all best moves, one that may equal the best must be told from a worse one.
            if self.best == BestMoves::All {
                self.test(&mut found[1..], best - 1, false)?;
            }
            match self.exceed(&mut found, best)? {
                Some(value) => best = value,
                None => return Ok(found),
            }
        }
    }

    /// Searches the moves until the value of one exceeds alpha. This move is then the first. Returns its value, a lower bound. The
    /// others have upper bounds.
    fn exceed(&mut self, found: &mut Moves, alpha: i32) -> Result<Option<i32>, Stopped> {
        let last = self.test(found, alpha, true)?;
        if let Some((at, _)) = last {
            found[..=at].rotate_right(1);
        }
        Ok(last.map(|(_, value)| value))
    }

    /// Tests which moves exceed alpha; `ends` at the first that does. Returns the place and the value of the last that
    /// does. Upper bounds of the others are noted.
    fn test(
        &mut self,
        found: &mut [(usize, i32)],
        alpha: i32,
        ends: bool,
    ) -> Result<Option<(usize, i32)>, Stopped> {
        let mut waiting: VecDeque<(usize, bool)> = (0..found.len()).map(|at| (at, false)).collect();
        let mut last = None;
        while let Some((at, is_put_off)) = waiting.pop_front() {
            let (number, most) = &mut found[at];
            if *most <= alpha {
                continue;
            }
            if at > 0 && !is_put_off && self.is_busy(*number) {
                waiting.push_back((at, true));
                continue;
            }
            let value = self.value(*number, alpha, alpha + 1)?;
            if value <= alpha {
                *most = value;
                continue;
            }
            last = Some((at, value));
            if ends {
                break;
            }
        }
        Ok(last)
    }
}
