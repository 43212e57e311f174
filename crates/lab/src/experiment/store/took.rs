//! The time that trainings and optimisations took: `times.csv` beside their log. It differs from run to run, and no result depends on it.
//!
//! Rows are only appended, at intervals and at the end: one for each generation of a run, or stretch of a training, and one
//! without a generation for the whole. What was resumed has several rows of a kind, which are added.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::experiment::line::{at, whole_lines};
use crate::search::Clock;

pub(crate) const TIMES_FILE: &str = "times.csv";

const HEADER: &str = "run,generation,count,wall_ns,cpu_ns\n";

/// How long times are collected before they are written.
const INTERVAL: Duration = Duration::from_secs(10);

/// The games that were played, or the epochs that were learned, and what they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Took {
    /// The games, those of judges included; of a training what it learned: games, deals or epochs.
    pub count: u64,
    /// The wall time in nanoseconds.
    pub wall_ns: u64,
    /// The processor time of all threads in nanoseconds.
    pub cpu_ns: u64,
}

impl Took {
    /// Games, or epochs, a second of wall time; 0 without any time.
    pub fn per_s(&self) -> f64 {
        if self.wall_ns == 0 { 0.0 } else { self.count as f64 * 1e9 / self.wall_ns as f64 }
    }
}

impl AddAssign for Took {
    fn add_assign(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.wall_ns = self.wall_ns.saturating_add(other.wall_ns);
        self.cpu_ns = self.cpu_ns.saturating_add(other.cpu_ns);
    }
}

/// A generation of a run or the stretch of a training up to some games; `None` for the whole.
type Of = (u32, Option<u64>);

/// The times in a folder.
#[derive(Clone, Debug, Default)]
pub struct RunTimes(BTreeMap<Of, Took>);

impl RunTimes {
    /// The times in the folder of a training or an optimisation. Lines that cannot be read are missing; so is everything in the
    /// folders of older builds.
    pub fn read(folder: &Path) -> Self {
        let mut times = Self::default();
        for line in fs::read_to_string(folder.join(TIMES_FILE)).unwrap_or_default().lines() {
            if let Some((of, took)) = parse(line) {
                *times.0.entry(of).or_default() += took;
            }
        }
        times
    }

    /// The time of a generation of a run.
    pub fn generation(&self, run: u32, generation: u64) -> Option<Took> {
        self.0.get(&(run, Some(generation))).copied()
    }

    /// The time of all generations of a run. Runs that were played side by side share the time of the machine.
    pub fn run(&self, run: u32) -> Option<Took> {
        let rows = self.0.range((run, Some(0))..=(run, Some(u64::MAX)));
        rows.map(|(_, took)| *took).reduce(|mut sum, took| {
            sum += took;
            sum
        })
    }

    /// The time of the whole, all sittings together. The whole is named by its id, or by that of the training.
    pub fn whole(&self, id: u32) -> Option<Took> {
        self.0.get(&(id, None)).copied()
    }
}

/// The name of all runs of an optimisation together. With other runs it is another, so the whole never counts what is no part of it.
pub(crate) fn whole_id(runs: impl Iterator<Item = u32>) -> u32 {
    runs.fold(0, |sum: u32, run| sum.rotate_left(5) ^ run)
}

fn parse(line: &str) -> Option<(Of, Took)> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let run = u32::from_str_radix(next()?.strip_prefix('r')?, 16).ok()?;
    let generation = Some(next()?).filter(|text| !text.is_empty()).map(str::parse).transpose().ok()?;
    let mut number = || next()?.parse().ok();
    Some(((run, generation), Took { count: number()?, wall_ns: number()?, cpu_ns: number()? }))
}

/// Collects times and appends them to the file of a folder.
pub(crate) struct TookWriter {
    path: PathBuf,
    whole: u32,
    clock: Clock,
    rows: BTreeMap<Of, Took>,
    /// Of what is collected, for the row of the whole.
    sum: Took,
}

impl TookWriter {
    /// Begins a sitting. A torn last line is cut off.
    pub(crate) fn open(folder: &Path, whole: u32) -> io::Result<Self> {
        let path = folder.join(TIMES_FILE);
        match fs::read(&path) {
            Ok(bytes) => OpenOptions::new().write(true).open(&path)?.set_len(whole_lines(&bytes) as u64)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&path)(error)),
        }
        Ok(Self { path, whole, clock: Clock::start(), rows: BTreeMap::new(), sum: Took::default() })
    }

    /// Adds what a generation of a run took, or a part of one.
    pub(crate) fn add(&mut self, run: u32, generation: u64, took: Took) {
        *self.rows.entry((run, Some(generation))).or_default() += took;
        self.sum += took;
    }

    /// Writes what was collected, unless that was done a moment ago.
    pub(crate) fn write_at_intervals(&mut self) -> io::Result<()> {
        if self.clock.elapsed() >= INTERVAL { self.write() } else { Ok(()) }
    }

    /// Writes what was collected. A sitting in which nothing was played leaves no row.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let wall_ns = self.clock.lap().as_nanos() as u64;
        self.rows.insert((self.whole, None), Took { wall_ns, ..std::mem::take(&mut self.sum) });
        let mut text = Vec::new();
        for ((run, generation), Took { count, wall_ns, cpu_ns }) in std::mem::take(&mut self.rows) {
            let generation = generation.map(|number| number.to_string()).unwrap_or_default();
            writeln!(text, "r{run:08x},{generation},{count},{wall_ns},{cpu_ns}")?;
        }
        let write = || {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            let header = if file.metadata()?.len() == 0 { HEADER } else { "" };
            file.write_all(&[header.as_bytes(), &text].concat())
        };
        write().map_err(at(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sittings add up, a torn or a foreign line is passed over, and what is not there is not known.
    #[test]
    fn sittings_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(RunTimes::read(path).whole(7).is_none());
        let took = Took { count: 4, wall_ns: 10, cpu_ns: 20 };
        for _ in 0..2 {
            let mut writer = TookWriter::open(path, 7).unwrap();
            writer.write().unwrap();
            writer.add(1, 0, took);
            writer.add(1, 1, took);
            writer.add(1, 1, took);
            writer.add(2, 0, took);
            writer.write().unwrap();
            let mut file = OpenOptions::new().append(true).open(path.join(TIMES_FILE)).unwrap();
            file.write_all(b"r00000001,0,99,9").unwrap();
        }
        let times = RunTimes::read(path);
        let doubled = |n: u64| Some(Took { count: 8 * n, wall_ns: 20 * n, cpu_ns: 40 * n });
        assert_eq!([times.generation(1, 0), times.generation(1, 1)], [doubled(1), doubled(2)]);
        assert_eq!([times.run(1), times.run(2), times.run(3)], [doubled(3), doubled(1), None]);
        let whole = times.whole(7).unwrap();
        assert_eq!((whole.count, whole.cpu_ns), (32, 160));
        assert!(whole.wall_ns > 0 && whole.per_s() > 0.0);
        // The row of the whole and the three generations, twice, and the torn line.
        assert_eq!(fs::read_to_string(path.join(TIMES_FILE)).unwrap().lines().count(), 1 + 8 + 1);
    }
}
