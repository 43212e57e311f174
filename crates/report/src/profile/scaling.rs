//! Several threads at once.
//!
//! All threads of a round start together, and each stops when the time is up, so that none runs while others are done.
//! Each has its own keys and its own tally. They share the game, which is read-only.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Barrier, RwLock};
use std::thread::Builder;

use serde::{Deserialize, Serialize};

use super::timing::{Manner, key_of_round};
use super::{ProfileError, Settings, Spread};
use crate::game::Tally;
use crate::players::Workload;
use crate::search::{Clock, ThreadClock};

/// One measurement of threads running together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// Playouts per second of wall time: the sum of the threads' rates.
    pub playouts_per_s: f64,
    /// Playouts per second of one thread's CPU time: the mean of the threads' rates.
    pub playouts_per_cpu_s: f64,
    /// The fraction of the wall time during which the threads had a CPU.
    pub running: f64,
}

/// A number of threads, over all rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadsRow {
    /// The number of threads.
    pub threads: u32,
    /// The path.
    pub path: String,
    /// The batch size, in playouts.
    pub batch: u64,
    /// Playouts per second of wall time, all threads together.
    pub playouts_per_s: Spread,
    /// The speed relative to the first row, in wall time within a round; `None` for the first row.
    pub ratio: Option<Spread>,
    /// The rate per CPU second relative to the first row: the speed that a core retains, however busy the machine is. `None`
    /// for the first row.
    pub efficiency: Option<Spread>,
    /// The fraction of the wall time during which the threads had a CPU.
    pub running: Spread,
    /// One measurement per round.
    pub samples: Vec<Together>,
}

/// Times all numbers of threads, in turn in every round.
pub(super) fn threads_rows(
    workload: &dyn Workload,
    manner: Manner,
    threads: &[u32],
    settings: &Settings,
) -> Result<Vec<ThreadsRow>, ProfileError> {
    let pace = settings.pace(|count| manner.play(workload, key_of_round(0), count));
    // The clock is read about thirty times.
    let pace = (pace / 32).max(1);
    let mut samples = vec![Vec::new(); threads.len()];
    for round in 0..settings.repeats {
        for turn in 0..threads.len() {
            let index = if round % 2 == 0 { turn } else { threads.len() - 1 - turn };
            samples[index].push(together(workload, manner, threads[index], pace, round, settings)?);
        }
    }
    let first: Vec<Together> = samples.first().cloned().unwrap_or_default();
    let rows = (0..).zip(threads).zip(samples);
    let rows =
        rows.map(|((index, &threads), samples)| row(manner, threads, samples, (index > 0).then_some(&first)));
    Ok(rows.collect())
}

fn row(manner: Manner, threads: u32, samples: Vec<Together>, first: Option<&Vec<Together>>) -> ThreadsRow {
    let figures =
        |of: &[Together], figure: fn(&Together) -> f64| -> Vec<f64> { of.iter().map(figure).collect() };
    let ratio =
        |figure| first.map(|first| Spread::of_ratios(&figures(&samples, figure), &figures(first, figure)));
    ThreadsRow {
        threads,
        path: manner.path.name().into(),
        batch: manner.batch,
        playouts_per_s: Spread::of(figures(&samples, |sample| sample.playouts_per_s)),
        ratio: ratio(|sample| sample.playouts_per_s),
        efficiency: ratio(|sample| sample.playouts_per_cpu_s),
        running: Spread::of(figures(&samples, |sample| sample.running)),
        samples,
    }
}

fn together(
    workload: &dyn Workload,
    manner: Manner,
    threads: u32,
    pace: u64,
    round: u32,
    settings: &Settings,
) -> Result<Together, ProfileError> {
    let barrier = Barrier::new(threads as usize);
    // Closed until all threads are started: one that is not would leave the others at the barrier for ever.
    let (gate, all_started) = (RwLock::new(()), AtomicBool::new(false));
    let work = |thread: u32| {
        drop(gate.read());
        if !all_started.load(Relaxed) {
            return (0.0, 1.0, 1.0);
        }
        let key = key_of_round(round).child(thread.into());
        barrier.wait();
        let (wall, mut cpu) = (Clock::start(), ThreadClock::start());
        let (mut tally, mut batches) = (Tally::default(), 0_u64);
        loop {
            tally += manner.play(workload, key.child(batches), pace);
            batches += 1;
            if wall.elapsed() >= settings.slice() {
                break;
            }
        }
        let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.lap().as_secs_f64());
        (tally.playouts as f64, wall.max(1e-9), cpu.max(1e-9))
    };
    let done: Vec<(f64, f64, f64)> = std::thread::scope(|scope| {
        let work = &work;
        let closed = gate.write();
        let spawn = |thread| Builder::new().spawn_scoped(scope, move || work(thread));
        let others = (1..threads).map(spawn).collect::<io::Result<Vec<_>>>();
        all_started.store(others.is_ok(), Relaxed);
        drop(closed);
        let others = others.map_err(|error| ProfileError::Threads { threads, reason: error.to_string() })?;
        let first = work(0);
        let others =
            others.into_iter().map(|other| other.join().expect("a thread that plays does not panic"));
        Ok(std::iter::once(first).chain(others).collect())
    })?;
    let sum = |figure: fn(&(f64, f64, f64)) -> f64| done.iter().map(figure).sum::<f64>();
    Ok(Together {
        playouts_per_s: sum(|(playouts, wall, _)| playouts / wall),
        playouts_per_cpu_s: sum(|(playouts, _, cpu)| playouts / cpu) / f64::from(threads),
        running: sum(|(_, wall, cpu)| cpu / wall) / f64::from(threads),
    })
}
