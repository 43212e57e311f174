//! Many leaves at once of one tree.
//!
//! Some leaves are taken from the tree, played out in one call, which shares vector lanes, and backed up. The playouts of a
//! leaf that was taken count as lost on its path until then, so that other descents select other paths (the virtual loss of
//! Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo tree search").

use std::mem;

use super::Board;
use super::arena::Arena;
use super::backup::score_mean;
use super::method::Method;
use super::node::{Bounds, Kind, Step};
use super::scale::Scale;
use super::search::{Request, Tree};
use crate::search::{Meter, Stop};

/// A search begins with one leaf at a time, and takes one more after each time this number of iterations: so small trees are not
/// spread too thin.
const PART: u64 = 16;

/// The number of leaves to take at a time from this iteration on.
pub(crate) fn leaves_at_once(leaves: u32, iteration: u64) -> usize {
    u64::from(leaves).min(1 + iteration / PART) as usize
}

impl Tree {
    /// Iterates by up to as many leaves at a time as the options say, until the search is over. Panics if the method asks for
    /// evaluations.
    pub(super) fn iterate_by_leaves(
        &mut self,
        method: &mut impl Method,
        board: &mut dyn Board,
        meter: &mut Meter,
    ) -> Stop {
        let leaves = self.options.parallel.leaves();
        let (range, scale) = (self.root().range, self.root().scale);
        let mut paths = vec![Vec::new(); leaves as usize];
        let (mut counts, mut samples) = (Vec::with_capacity(leaves as usize), Vec::new());
        loop {
            let most = leaves_at_once(leaves, self.root().iteration);
            let mut over = None;
            // Recycling moves nodes, so it waits until no leaf is pending.
            while counts.len() < most && (counts.is_empty() || !self.arena.is_full) {
                let batch = match self.next_request(method, board, meter) {
                    Ok(Request::Playouts(batch)) => batch,
                    Ok(Request::Evaluations) => unreachable!("a search by many leaves evaluates them itself"),
                    Err(stop) => {
                        over = Some(stop);
                        break;
                    }
                };
                lose(&mut self.arena, &self.path, (range, scale), batch.count);
                mem::swap(&mut self.path, &mut paths[counts.len()]);
                let root = self.root_mut();
                (root.iteration, root.pending) = (root.iteration + 1, root.pending + 1);
                // Counted at once, so that all leaves together keep the budget.
                meter.begin_playouts(batch.count);
                board.keep(batch);
                counts.push(batch.count);
            }
            board.play_kept(&mut samples);
            if !counts.is_empty() {
                meter.end_batch();
            }
            for ((path, count), sample) in paths.iter_mut().zip(counts.drain(..)).zip(&samples) {
                meter.end_playouts(count, sample.plies);
                take_back(&mut self.arena, path, range, count);
                mem::swap(&mut self.path, path);
                self.add(method, board, sample);
                self.root_mut().pending -= 1;
            }
            if let Some(stop) = over {
                return stop;
            }
        }
    }
}

/// The worst payoff for the player who decided to visit a node; chance has none.
pub(crate) fn worst(parent: Kind, range: Bounds) -> Option<f64> {
    match parent {
        Kind::Max => Some(range.low),
        Kind::Min => Some(range.high),
        _ => None,
    }
}

/// Counts pending playouts as lost.
fn lose(arena: &mut Arena, path: &[Step], (range, scale): (Bounds, Scale), playouts: u64) {
    for &step in path {
        let Some(worst) = worst(step.parent, range) else { continue };
        arena.nodes[step.node].visits += playouts as u32;
        arena.totals[step.node].sum += worst * playouts as f64;
        score_mean(arena, step, scale);
    }
}

/// Reverses [`lose`].
fn take_back(arena: &mut Arena, path: &[Step], range: Bounds, playouts: u64) {
    for step in path {
        let Some(worst) = worst(step.parent, range) else { continue };
        arena.nodes[step.node].visits -= playouts as u32;
        arena.totals[step.node].sum -= worst * playouts as f64;
    }
}
