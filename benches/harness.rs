//! The price of a trial: random against random at tic-tac-toe, from the manifest to the summary.
//!
//! `cargo bench --bench harness`. The games themselves are next to nothing: what is measured is streams,
//! identities, the log written to a temporary folder and read back, the summary, the canonical log. Run otherwise
//! than by `cargo bench`, it plays few trials once.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ProcessTime;
use shikou::experiment::{Canonical, LogWriter, Manifest, Plan, Summary, TimesWriter, read_log, run};
use shikou::players::Registry;
use shikou::search::Clock;

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    let (trials, rounds) = if bench { (20_000, 5) } else { (20, 1) };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "random against random at tic-tac-toe, {trials} trials of two games each; medians of {rounds} rounds\n\
         {:<9}{:>10}   processor time of a trial, all threads, µs\n\
         {:<9}{:>10}{:>12}{:>12}{:>12}{:>12}",
        "", "", "threads", "trials/s", "playing", "log read", "summary", "canonical"
    );
    let folder = std::env::temp_dir().join(format!("shikou-bench-{}", std::process::id()));
    let mut digests = Vec::new();
    for threads in [1, all] {
        let rounds: Vec<Round> = (0..rounds).map(|_| Round::new(&folder, trials, threads)).collect();
        let microseconds = |stage: fn(&Round) -> Duration| {
            let mut times: Vec<Duration> = rounds.iter().map(stage).collect();
            times.sort();
            times[times.len() / 2].as_secs_f64() * 1e6 / trials as f64
        };
        println!(
            "{threads:<9}{:>10.0}{:>12.2}{:>12.2}{:>12.2}{:>12.2}",
            1e6 / microseconds(|round| round.wall),
            microseconds(|round| round.playing),
            microseconds(|round| round.reading),
            microseconds(|round| round.summing_up),
            microseconds(|round| round.canonical),
        );
        digests.extend(rounds.into_iter().map(|round| round.digest));
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]), "neither threads nor rounds may matter");
}

/// What a run took, by the clock as a whole and in processor time by stage, and its digest.
struct Round {
    wall: Duration,
    /// Manifest, plan, trials, log.
    playing: Duration,
    reading: Duration,
    summing_up: Duration,
    canonical: Duration,
    digest: String,
}

impl Round {
    fn new(folder: &Path, trials: u64, threads: usize) -> Self {
        let text = format!(
            "schema = 1\nseed = 7\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = {trials}\n\
             player = [{{ name = \"a\", search = \"random\" }}, \
             {{ name = \"b\", search = \"random\", stream = \"b\" }}]\n"
        );
        std::fs::create_dir_all(folder).expect("a temporary folder can be made");
        let log = folder.join("trials.csv");

        let (clock, cpu) = (Clock::start(), ProcessTime::now());
        let manifest = Manifest::parse("bench.toml".as_ref(), &text, &Registry::standard())
            .unwrap_or_else(|error| panic!("{error}"));
        let plan = Plan::new(&manifest);
        let (mut writer, _) = LogWriter::open(&log, &plan, "bench").expect("a log can be written");
        let mut times = TimesWriter::new(&folder.join("times.hlog"), &plan).expect("a file can be written");
        run(&plan, threads, &|_| true, &AtomicBool::new(false), &mut [&mut writer, &mut times])
            .expect("a log can be written");
        let played = cpu.elapsed();
        let records = read_log(&log, &plan).expect("the log is sound").records;
        let read = cpu.elapsed();
        let summary = Summary::new(&plan, &records);
        let summed_up = cpu.elapsed();
        let digest = Canonical::new(&plan, &records).digest().to_string();
        let done = cpu.elapsed();
        let wall = clock.elapsed();

        assert_eq!((records.len() as u64, summary.failed_games()), (trials, 0));
        std::fs::remove_dir_all(folder).expect("the temporary folder can be removed");
        Self {
            wall,
            playing: played,
            reading: read.saturating_sub(played),
            summing_up: summed_up.saturating_sub(read),
            canonical: done.saturating_sub(summed_up),
            digest,
        }
    }
}
