//! The cost of a trial: random against random at tic-tac-toe, from the manifest to the summary.
//!
//! `cargo bench --bench harness`. The games themselves cost almost nothing. The bench measures streams, identities,
//! writing and reading the log in a temporary folder, the standings, the summary and the canonical log. Without `cargo
//! bench` it plays a few trials once.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ProcessTime;
use shikou::experiment::{
    Fingerprints, Live, LogForm, LogWriter, Manifest, MoveTimes, Plan, Shard, TimesWriter, find, run,
};
use shikou::search::Clock;

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    let (trials, rounds) = if bench { (200_000, 5) } else { (20, 1) };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "random against random at tic-tac-toe, {trials} trials of two games each; medians of {rounds} rounds\n\
         {:<9}{:<9}{:>10}   processor time of a trial, all threads, µs{:>8}\n\
         {:<9}{:<9}{:>10}{:>12}{:>12}{:>12}{:>12}",
        "", "", "", "log,", "log", "threads", "trials/s", "playing", "finding", "together", "bytes"
    );
    let folder = std::env::temp_dir().join(format!("shikou-bench-{}", std::process::id()));
    let mut digests = Vec::new();
    for (form, threads) in LogForm::ALL.into_iter().flat_map(|form| [(form, 1), (form, all)]) {
        let rounds: Vec<Round> = (0..rounds).map(|_| Round::new(&folder, trials, form, threads)).collect();
        let microseconds = |stage: fn(&Round) -> Duration| {
            let mut times: Vec<Duration> = rounds.iter().map(stage).collect();
            times.sort();
            times[times.len() / 2].as_secs_f64() * 1e6 / trials as f64
        };
        println!(
            "{:<9}{threads:<9}{:>10.0}{:>12.2}{:>12.2}{:>12.2}{:>12.1}",
            form.name(),
            1e6 / microseconds(|round| round.wall),
            microseconds(|round| round.playing),
            microseconds(|round| round.finding),
            microseconds(|round| round.playing + round.finding),
            rounds[0].bytes as f64 / trials as f64,
        );
        digests.extend(rounds.into_iter().map(|round| round.digest));
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]), "neither threads nor rounds may matter");
}

/// The wall time of a run, its CPU time by stage, and its digest.
struct Round {
    wall: Duration,
    /// Manifest, plan, trials, log, standings.
    playing: Duration,
    /// The log read back, the summary, the canonical log.
    finding: Duration,
    /// The length of the log.
    bytes: u64,
    digest: String,
}

impl Round {
    fn new(folder: &Path, trials: u64, form: LogForm, threads: usize) -> Self {
        let text = format!(
            "schema = 1\nseed = 7\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = {trials}\n\
             player = [{{ name = \"a\", search = \"random\" }}, \
             {{ name = \"b\", search = \"random\", stream = \"b\" }}]\n"
        );
        std::fs::create_dir_all(folder).expect("a temporary folder can be made");
        let log = folder.join(form.file());

        let (clock, cpu) = (Clock::start(), ProcessTime::now());
        let manifest = Manifest::parse("bench.toml".as_ref(), &text, &shikou::registry())
            .unwrap_or_else(|error| panic!("{error}"));
        let plan = Plan::new(&manifest).unwrap();
        let mut writer =
            LogWriter::open(&log, &plan, &Fingerprints::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut times = TimesWriter::new(&folder.join("times.hlog"), &plan).expect("a file can be written");
        let mut live = Live::new(&plan, Shard::WHOLE, writer.log()).unwrap_or_else(|error| panic!("{error}"));
        let wanted = live.wanted(writer.log());
        let stop = AtomicBool::new(false);
        run(&plan, threads, &wanted, &stop, None, &mut [&mut writer, &mut times, &mut live])
            .expect("a log can be written");
        times.flush().expect("a file can be written");
        let played = cpu.elapsed();
        let canonical = std::fs::File::create(folder.join("canonical.csv")).expect("a file can be written");
        let times = MoveTimes::read(&folder.join("times.hlog"), &plan);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
        let found = pool.install(|| find(&plan, writer.log(), times, canonical));
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let done = cpu.elapsed();
        let wall = clock.elapsed();

        let bytes = std::fs::metadata(&log).expect("the log is there").len();
        let summary = &found.summary.experiments[0];
        assert_eq!((summary.games, found.missing, found.summary.failed_games()), (2 * trials, 0, 0));
        std::fs::remove_dir_all(folder).expect("the temporary folder can be removed");
        let digest = found.digests.digest().into();
        Self { wall, playing: played, finding: done.saturating_sub(played), bytes, digest }
    }
}
