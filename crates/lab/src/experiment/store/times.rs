//! The times of every player's moves, and the memory of their searches. Times differ from run to run, memory from build to build;
//! no result depends on them.
//!
//! The wall time of each move goes into a histogram for each player, and the bytes that its search reserved into another. They are
//! appended to a file in `HdrHistogram`'s interval log format, with the player's content as tag. So a run that is resumed has those
//! of all its parts.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::interval_log::{
    IntervalLogIterator, IntervalLogWriterBuilder, LogEntry, Tag,
};
use hdrhistogram::serialization::{Deserializer, V2DeflateSerializer};

use crate::experiment::line::{at, sha256_hex, whole_lines};
use crate::experiment::plan::Plan;
use crate::experiment::trial::{Finished, Record, Sink};
use crate::search::Clock;
use crate::stats::{Confidence, Estimate, Method, median_rank};

/// How long times are collected before they are written.
const INTERVAL: Duration = Duration::from_secs(10);

/// Collects the times of moves while trials finish, and appends them to a file at intervals.
pub struct TimesWriter {
    plan: Plan,
    path: PathBuf,
    clock: Clock,
    written: Duration,
    moves: Vec<Vec<Moves>>,
}

/// The moves of a player: their times in nanoseconds, and the bytes that the searches of those reserved which reserved any.
type Moves = [Histogram<u64>; 2];

impl TimesWriter {
    /// Appends to this file, which need not be there. A torn last line is cut off.
    ///
    /// # Errors
    /// If the file cannot be read or cut.
    pub fn new(path: &Path, plan: &Plan) -> io::Result<Self> {
        match std::fs::read(path) {
            Ok(bytes) => {
                OpenOptions::new().write(true).open(path)?.set_len(whole_lines(&bytes) as u64)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let (plan, path, moves) = (plan.clone(), path.into(), histograms(plan));
        Ok(Self { plan, path, clock: Clock::start(), written: Duration::ZERO, moves })
    }

    /// Writes the times collected since the last write.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let now = self.clock.elapsed();
        let mut text = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let mut log = IntervalLogWriterBuilder::new().begin_log_with(&mut text, &mut serializer)?;
        for (experiment, players) in self.moves.iter_mut().enumerate() {
            for (player, moves) in players.iter_mut().enumerate() {
                let tags = tags(&self.plan, experiment, player);
                for (moves, tag) in moves.iter_mut().zip(&tags).filter(|(moves, _)| !moves.is_empty()) {
                    let length = now.saturating_sub(self.written);
                    let written = log.write_histogram(moves, self.written, length, Tag::new(tag));
                    written.map_err(|error| io::Error::other(format!("{error:?}")))?;
                    moves.reset();
                }
            }
        }
        self.written = now;
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        file.and_then(|mut file| file.write_all(&text)).map_err(at(&self.path))
    }
}

impl Sink for TimesWriter {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        for time in &finished.move_times {
            let [times, bytes] = &mut self.moves[time.experiment][time.player];
            times.record(time.ns.max(1)).expect(GROWS);
            if time.bytes > 0 {
                bytes.record(time.bytes).expect(GROWS);
            }
        }
        if self.clock.elapsed() >= self.written + INTERVAL { self.flush() } else { Ok(()) }
    }
}

const GROWS: &str = "a histogram that grows takes every number";

/// The times of a run and the memory of its searches, from its files.
pub struct MoveTimes {
    /// For each experiment and player.
    moves: Vec<Vec<Moves>>,
    /// For each experiment and player its playouts, and the wall time in nanoseconds of the moves that made them.
    playouts: Vec<Vec<(u64, u64)>>,
}

impl MoveTimes {
    /// The times of the histograms in this file. If the file does not exist or a line is torn, the times in it
    /// are missing.
    pub fn read(path: &Path, plan: &Plan) -> Self {
        let mut moves = histograms(plan);
        let tags: Vec<Vec<[String; 2]>> = (0..)
            .zip(plan.experiments())
            .map(|(index, experiment)| {
                (0..experiment.players.len()).map(|player| tags(plan, index, player)).collect()
            })
            .collect();
        let bytes = std::fs::read(path).unwrap_or_default();
        let mut deserializer = Deserializer::new();
        // Line by line, so that a torn line loses only itself.
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Some(Ok(LogEntry::Interval(interval))) = IntervalLogIterator::new(line).next() else {
                continue;
            };
            let histogram = STANDARD
                .decode(interval.encoded_histogram())
                .ok()
                .and_then(|bytes| deserializer.deserialize::<u64, _>(&mut bytes.as_slice()).ok());
            let (Some(histogram), Some(tag)) = (histogram, interval.tag()) else { continue };
            let tagged = moves.iter_mut().flatten().flatten().zip(tags.iter().flatten().flatten());
            for (moves, _) in tagged.filter(|(_, known)| *known == tag.as_str()) {
                moves.add(&histogram).expect(GROWS);
            }
        }
        let playouts = moves.iter().map(|players| vec![(0, 0); players.len()]).collect();
        Self { moves, playouts }
    }

    /// Adds the times of a record.
    pub fn push(&mut self, record: &Record) {
        for seat in record.games.iter().flat_map(|game| &game.seats) {
            let (of_player, ns) = &mut self.playouts[record.trial.experiment][seat.player];
            *of_player += seat.spent.playouts;
            *ns += seat.wall_ns;
        }
    }

    /// The time in nanoseconds that this share of a player's moves did not exceed, `share` in `[0, 1]`. `None` if
    /// no time of it is known.
    pub fn quantile_ns(&self, experiment: usize, player: usize, share: f64) -> Option<u64> {
        let [moves, _] = &self.moves[experiment][player];
        (!moves.is_empty()).then(|| moves.value_at_quantile(share))
    }

    /// The longest time of a player's moves in nanoseconds. `None` if no time of it is known.
    pub fn max_ns(&self, experiment: usize, player: usize) -> Option<u64> {
        let [moves, _] = &self.moves[experiment][player];
        (!moves.is_empty()).then(|| moves.max())
    }

    /// The most bytes that a search of a player reserved for a move: its tree, its table or its lists. `None` if none is known to have
    /// reserved any.
    pub fn most_bytes(&self, experiment: usize, player: usize) -> Option<u64> {
        let [_, bytes] = &self.moves[experiment][player];
        (!bytes.is_empty()).then(|| bytes.max())
    }

    /// The median time of a player's moves in nanoseconds, with the interval between two order statistics; moves count
    /// as independent. `None` if no time of it is known.
    pub fn median_ns(&self, experiment: usize, player: usize, confidence: Confidence) -> Option<Estimate> {
        let [moves, _] = &self.moves[experiment][player];
        let count = moves.len();
        // The middle of a rank's step, so that rounding never reaches its neighbour.
        let ranked = |rank: u64| moves.value_at_quantile((rank as f64 - 0.5) / count as f64) as f64;
        let median = Estimate::of(self.quantile_ns(experiment, player, 0.5)? as f64);
        Some(median_rank(count, confidence).map_or(median, |rank| Estimate {
            low: ranked(rank),
            high: ranked(count + 1 - rank),
            method: Method::OrderStatistics,
            ..median
        }))
    }

    /// Playouts per second of the player's moves, on one thread. `None` if it made no playouts.
    pub fn playouts_per_s(&self, experiment: usize, player: usize) -> Option<f64> {
        let (playouts, ns) = self.playouts[experiment][player];
        (playouts > 0).then(|| playouts as f64 * 1e9 / ns.max(1) as f64)
    }
}

/// Empty histograms for each player, with three significant digits.
fn histograms(plan: &Plan) -> Vec<Vec<Moves>> {
    let empty = || Histogram::new(3).expect("three significant digits are allowed");
    plan.experiments().map(|e| e.players.iter().map(|_| [empty(), empty()]).collect()).collect()
}

/// The tags of a player's times and memory: what it is, in which experiment.
fn tags(plan: &Plan, experiment: usize, player: usize) -> [String; 2] {
    let experiment = plan.experiment(experiment);
    let content = format!(
        "{} {} {:?} {} {}",
        experiment.game.spec(),
        experiment.seed,
        experiment.openings,
        experiment.limits.memory_bytes,
        experiment.players[player].content()
    );
    let tag = &sha256_hex(content.as_bytes())[..16];
    [tag.into(), format!("{tag}-bytes")]
}
