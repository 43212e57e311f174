//! Tree parallelisation: several threads in one tree, spread by a virtual loss.
//!
//! One thread at a time is in the tree, behind a lock; simulations run outside it (Chaslot, Winands, van den Herik 2008,
//! "Parallel Monte-Carlo tree search", with a global mutex). A thread counts its playouts on the path as lost until it
//! backs up the result, so that other threads select other paths. The order of the threads is not controlled, so
//! searches are not repeatable.

use std::sync::{Condvar, Mutex, PoisonError};

use super::arena::Arena;
use super::backup::score_mean;
use super::method::Method;
use super::node::{Bounds, Kind, Step};
use super::scale::Scale;
use super::search::{Request, TreeSearch};
use crate::game::{Game, Tally};
use crate::search::{Meter, SearchError, Stop};

/// The state that the threads share.
struct Shared<'s, G: Game, M> {
    search: &'s mut TreeSearch<G, M>,
    meter: &'s mut Meter,
    /// The reason why the first finished thread stopped.
    stop: Option<Stop>,
}

/// Searches with several threads until the search is over.
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
) -> Result<Stop, SearchError> {
    let simulation = search.method.clone();
    let (range, scale) = (search.root().range, search.root().scale);
    let shared = Mutex::new(Shared { search, meter, stop: None });
    let told = Condvar::new();
    let work = || {
        let (mut method, mut path) = (simulation.clone(), Vec::new());
        let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Recycling moves nodes, so no descent may be pending.
            while guard.search.tree.arena.is_full && guard.search.root().pending > 0 {
                guard = told.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            let Shared { search, meter, stop } = &mut *guard;
            let request = match search.next_request(game, meter) {
                Ok(Request::Playouts(request)) => request,
                Ok(Request::Evaluations) => unreachable!("threads evaluate their own leaves"),
                Err(found) => {
                    stop.get_or_insert(found);
                    return;
                }
            };
            let playouts = request.batch.count;
            path.clone_from(&search.path);
            lose(&mut search.tree.arena, &path, (range, scale), playouts);
            search.begin_next();
            search.root_mut().pending += 1;
            // Counted at once, so that the threads together keep the budget.
            meter.count_playouts(&Tally { playouts, ..Tally::default() });
            drop(guard);
            let sample = method.simulate(game, &request);
            guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let Shared { search, meter, .. } = &mut *guard;
            meter.count_plies(playouts, sample.plies);
            take_back(&mut search.tree.arena, &path, range, playouts);
            search.path.clone_from(&path);
            search.back_up(game, &sample);
            search.root_mut().pending -= 1;
            told.notify_all();
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
