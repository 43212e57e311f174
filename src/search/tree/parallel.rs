//! Tree parallelisation: many leaves of one tree are played out at once, by several threads or by one.
//!
//! A thread takes some leaves from the tree, plays them all out in one call, which shares vector lanes, and backs them
//! up. One thread at a time is in the tree, behind a lock; simulations run outside it (Chaslot, Winands, van den Herik
//! 2008, "Parallel Monte-Carlo tree search", with a global mutex). The playouts of a leaf that was taken count as lost on
//! its path until they are backed up, so that other descents select other paths. One thread alone is repeatable. The
//! order of several threads is not controlled, so their searches are not.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::{hint, mem};

use super::arena::Arena;
use super::backup::score_mean;
use super::method::Method;
use super::node::{Bounds, Kind, Step};
use super::scale::Scale;
use super::search::{Request, TreeSearch};
use crate::game::{Game, Tally};
use crate::search::{Meter, SearchError, Stop};

/// A thread takes one leaf, and one more for each time that its share of the iterations grows by this number: so small trees are
/// not spread too thin.
const PART: u64 = 16;

/// A thread tries this often to get the tree before it sleeps. Without tries, two threads took 7.4 ms in place of 6.0 for a move of
/// 20 000 playouts at Othello (an idle machine, one run each).
const TRIES: u32 = 1000;

/// Awaits the lock.
fn enter<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..TRIES {
        if let Ok(guard) = shared.try_lock() {
            return guard;
        }
        hint::spin_loop();
    }
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state that the threads share.
struct Shared<'s, G: Game, M> {
    search: &'s mut TreeSearch<G, M>,
    meter: &'s mut Meter,
    /// The reason why the first finished thread stopped.
    stop: Option<Stop>,
}

impl<G: Game, M: Method<G>> Shared<'_, G, M> {
    /// Whether the tree lacks memory that it cannot free: recycling moves nodes, so no leaf may be pending.
    fn is_blocked(&self) -> bool {
        self.search.tree.arena.is_full && self.search.root().pending > 0
    }
}

/// Searches with several threads, which take up to `leaves` leaves at a time, until the search is over.
///
/// # Errors
/// If the system does not start the threads.
///
/// # Panics
/// If a playout panics.
pub(super) fn iterate<G: Game, M: Method<G>>(
    search: &mut TreeSearch<G, M>,
    game: &G,
    meter: &mut Meter,
    threads: u32,
    leaves: u32,
) -> Result<Stop, SearchError> {
    let simulation = search.method.clone();
    let (range, scale) = (search.root().range, search.root().scale);
    let shared = Mutex::new(Shared { search, meter, stop: None });
    let told = Condvar::new();
    let work = || {
        let mut method = simulation.clone();
        let mut paths = vec![Vec::new(); leaves as usize];
        let (mut requests, mut samples) = (Vec::with_capacity(leaves as usize), Vec::new());
        let mut guard = enter(&shared);
        loop {
            while guard.is_blocked() {
                guard = told.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            let most = u64::from(leaves).min(1 + guard.search.root().iteration / PART / u64::from(threads));
            let mut over = None;
            while requests.len() < most as usize && !guard.is_blocked() {
                let Shared { search, meter, .. } = &mut *guard;
                let request = match search.next_request(game, meter) {
                    Ok(Request::Playouts(request)) => request,
                    Ok(Request::Evaluations) => unreachable!("threads evaluate their own leaves"),
                    Err(stop) => {
                        over = Some(stop);
                        break;
                    }
                };
                let playouts = request.batch.count;
                lose(&mut search.tree.arena, &search.path, (range, scale), playouts);
                mem::swap(&mut search.path, &mut paths[requests.len()]);
                search.begin_next();
                search.root_mut().pending += 1;
                // Counted at once, so that the threads together keep the budget.
                meter.count_playouts(&Tally { playouts, ..Tally::default() });
                requests.push(request);
            }
            drop(guard);
            method.simulate_many(game, &requests, &mut samples);
            guard = enter(&shared);
            let Shared { search, meter, stop } = &mut *guard;
            for ((path, request), sample) in paths.iter_mut().zip(requests.drain(..)).zip(&samples) {
                meter.count_plies(request.batch.count, sample.plies);
                take_back(&mut search.tree.arena, path, range, request.batch.count);
                mem::swap(&mut search.path, path);
                search.back_up(game, sample);
                search.root_mut().pending -= 1;
            }
            if search.tree.arena.is_full {
                told.notify_all();
            }
            if let Some(over) = over {
                stop.get_or_insert(over);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|error| SearchError::no_threads(threads as usize, &error))?;
        }
        work();
        Ok::<_, SearchError>(())
    })?;
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(shared.stop.expect("a thread ends when there is nothing more"))
}

/// The worst payoff for the player who decided to visit a node; chance has none.
fn worst(parent: Kind, range: Bounds) -> Option<f64> {
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
