//! Paths and batch sizes, timed in turn; the parts of a playout, timed alone, as fractions of the whole: an estimate; and several threads
//! at once.
//!
//! All threads of a round start together, and each stops when the time is up, so that none runs while others are done.
//! Each has its own keys and its own tally. They share the game, which is read-only.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Barrier, RwLock};
use std::thread::Builder;

use serde::{Deserialize, Serialize};

use super::timing::{Manner, key_of_round};
use super::{Lap, ProfileError, Settings, Spread};
use crate::game::{Batch, Path, Stage, Tally};
use crate::players::Workload;
use crate::rng::PlayoutKey;
use crate::search::{Clock, ThreadClock};

/// The time of some batches of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The number of playouts.
    pub playouts: u64,
    /// The total number of plies.
    pub plies: u64,
    /// The time.
    pub lap: Lap,
}

impl Sample {
    pub(super) fn new(tally: Tally, lap: Lap) -> Self {
        Self { playouts: tally.playouts, plies: tally.plies, lap }
    }

    /// CPU nanoseconds per ply.
    pub fn ns_per_ply(&self) -> f64 {
        self.lap.cpu_ns / self.plies.max(1) as f64
    }

    /// Estimated cycles per ply.
    pub fn cycles_per_ply(&self) -> Option<f64> {
        self.lap.cycle_ns.map(|cycle| self.ns_per_ply() / cycle)
    }

    /// Playouts per second of CPU time.
    pub fn playouts_per_s(&self) -> f64 {
        self.playouts as f64 * 1e9 / self.lap.cpu_ns
    }
}

/// A path with a batch size, over all rounds. Rates are per second of the thread's CPU time; on a GPU, of wall time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRow {
    /// The path.
    pub path: String,
    /// The batch size, in playouts.
    pub batch: u64,
    /// Playouts per second.
    pub playouts_per_s: Spread,
    /// Plies per second.
    pub plies_per_s: Spread,
    /// Nanoseconds per ply.
    pub ns_per_ply: Spread,
    /// Estimated cycles per ply.
    pub cycles_per_ply: Option<Spread>,
    /// The speed relative to the first row, per ply, within a round; `None` for the first row.
    pub ratio: Option<Spread>,
    /// A sample per round.
    pub samples: Vec<Sample>,
}

impl PathRow {
    fn new(manner: Manner, samples: Vec<Sample>, first: Option<&[Sample]>) -> Self {
        let spread = |figure: &dyn Fn(&Sample) -> f64| Spread::of(samples.iter().map(figure).collect());
        let cycles: Option<Vec<f64>> = samples.iter().map(Sample::cycles_per_ply).collect();
        let times = |samples: &[Sample]| -> Vec<f64> { samples.iter().map(Sample::ns_per_ply).collect() };
        Self {
            path: manner.path.name().into(),
            batch: manner.batch,
            playouts_per_s: spread(&Sample::playouts_per_s),
            plies_per_s: spread(&|sample| 1e9 / sample.ns_per_ply()),
            ns_per_ply: spread(&Sample::ns_per_ply),
            cycles_per_ply: cycles.map(Spread::of),
            ratio: first.map(|first| Spread::of_ratios(&times(first), &times(&samples))),
            samples,
        }
    }
}

/// The requested rows: every path with every batch size; no paths means all. Checks that each path plays the same games as
/// the plain loop.
pub(super) fn manners(
    workload: &dyn Workload,
    paths: &[Path],
    batches: &[u64],
) -> Result<Vec<Manner>, ProfileError> {
    let nothing = Batch::new(PlayoutKey::new(0), 0);
    let has = |path: &Path| workload.playouts_on(*path, nothing).is_some();
    let offered: Vec<Path> = Path::ALL.into_iter().filter(has).collect();
    let paths = if paths.is_empty() { &offered } else { paths };
    let trial = Batch::new(key_of_round(0), 500);
    let expected = workload.plain_playouts(trial);
    for &path in paths {
        let Some(found) = workload.playouts_on(path, trial) else {
            return Err(ProfileError::NoPath { path, offered });
        };
        if found != expected {
            return Err(ProfileError::Differs { path, found, expected });
        }
    }
    Ok(paths.iter().flat_map(|&path| batches.iter().map(move |&batch| Manner { path, batch })).collect())
}

/// Times all rows, in turn in every round; every other round in reverse order.
pub(super) fn path_rows(workload: &dyn Workload, manners: &[Manner], settings: &Settings) -> Vec<PathRow> {
    let paces: Vec<u64> = manners
        .iter()
        .map(|manner| settings.pace(|count| manner.play(workload, key_of_round(0), count)))
        .collect();
    let mut samples = vec![Vec::new(); manners.len()];
    for round in 0..settings.repeats {
        for turn in 0..manners.len() {
            let index = if round % 2 == 0 { turn } else { manners.len() - 1 - turn };
            let key = key_of_round(round);
            let (tally, lap) = Lap::time(|| manners[index].play(workload, key, paces[index]));
            let lap = if manners[index].path == Path::Cuda { lap.of_device() } else { lap };
            samples[index].push(Sample::new(tally, lap));
        }
    }
    let first = samples[0].clone();
    let rows = (0..).zip(manners).zip(samples);
    rows.map(|((index, &manner), samples)| PathRow::new(manner, samples, (index > 0).then_some(&first)))
        .collect()
}

/// The number of recorded plies that the parts run over: too many for a branch predictor to learn, few enough for the
/// second-level cache.
const PLIES: u64 = 1 << 14;

/// A part of a playout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartProfile {
    /// The name, in kebab case.
    pub name: String,
    /// A one-line description.
    pub about: String,
    /// Whether it is contained in other parts, so that it is not added to their sum.
    pub within: bool,
    /// CPU nanoseconds per ply if it runs alone.
    pub ns_per_ply: Spread,
    /// The part as a fraction of the whole, within a round.
    pub share: Spread,
}

/// The parts of the plain loop of playouts, which need not be the fastest way of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsProfile {
    /// The number of plies that the parts ran over.
    pub plies: u64,
    /// CPU nanoseconds per ply of the whole.
    pub whole_ns_per_ply: Spread,
    /// The parts, in the order of a ply.
    pub parts: Vec<PartProfile>,
    /// The rest of the whole, as a fraction; negative if the parts take longer alone than together.
    pub rest: f64,
}

/// Times the whole, in batches of this size, and its parts, in turn in every round.
pub(super) fn parts_profile(workload: &dyn Workload, batch: u64, settings: &Settings) -> PartsProfile {
    let key = key_of_round(0);
    let mean = workload.lengths(Batch::new(key, 64)).into_iter().map(u64::from).sum::<u64>() / 64;
    let once = workload.record(Batch::new(key, PLIES.div_ceil(mean.max(1))));
    // Leaves out the chance stage if the game has no chance turns.
    let stages: Vec<Stage> = Stage::ALL.into_iter().filter(|&stage| once(stage) > 0).collect();
    let plies = once(Stage::Turn);
    let run = |stage: Stage, times: u64| (0..times).map(|_| once(stage)).sum::<u64>();
    let play = |key, batches: u64| workload.plain_playouts(Batch::new(key, batches * batch));
    let pace_of_whole = settings.pace(|count| play(key, count));
    let paces: Vec<u64> = stages.iter().map(|&stage| settings.pace(|count| run(stage, count))).collect();
    let (mut whole, mut alone) = (Vec::new(), vec![Vec::new(); stages.len()]);
    for round in 0..settings.repeats {
        let (tally, lap) = Lap::time(|| play(key_of_round(round), pace_of_whole));
        whole.push(Sample::new(tally, lap).ns_per_ply());
        for ((&stage, &pace), alone) in stages.iter().zip(&paces).zip(&mut alone) {
            let (_, lap) = Lap::time(|| run(stage, pace));
            alone.push(lap.cpu_ns / (pace * plies).max(1) as f64);
        }
    }
    let parts: Vec<PartProfile> = stages
        .iter()
        .zip(&alone)
        .map(|(stage, alone)| PartProfile {
            name: stage.name().into(),
            about: stage.about().into(),
            within: stage.is_within(),
            ns_per_ply: Spread::of(alone.clone()),
            share: Spread::of_ratios(alone, &whole),
        })
        .collect();
    let known: f64 = parts.iter().filter(|part| !part.within).map(|part| part.share.median).sum();
    PartsProfile { plies, whole_ns_per_ply: Spread::of(whole), parts, rest: 1.0 - known }
}

/// A measurement of threads that run together.
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
    /// A measurement per round.
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
