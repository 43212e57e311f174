//! Interrupted trials: long decisions are not repeated, and the result is that of an uninterrupted run.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shikou::experiment::{Fingerprints, Finished, Plan, Record, Sink, Unfinished, run};
use shikou::rng::{Rng, Stream};

use crate::experiment::{self, Keep, manifest};
use crate::resume::{finish, start};
use crate::support::folder;

/// Every searcher without memory, at games that it fits.
const MANIFEST: &str = r#"
schema = 1
seed = 4
[[experiment]]
game.calculation = { ranks = 5 }
trials = 3
player = [
  { search = "random" },
  { search.policy = { policy = "foundation-first" } },
  { search.flat = { playouts-per-move = 5 } },
  { search.simple-tree = { level = 2, playouts = 2 } },
  { search.expectimax = { depth = 3 } },
  { search.greedy = { epsilon = 0.5 } },
  { search.hindsight = { futures = 5 } },
  { search.nested-rollout = { level = 1 } },
  { search.flat-ucb = {}, budget.playouts = 40 },
  { search.thompson = {}, budget.playouts = 40 },
  { search.sequential-halving = {}, budget.playouts = 40 },
  { search.anytime-halving = {}, budget.playouts = 40 },
  { search.gumbel = {}, budget.playouts = 40 },
]
[[experiment]]
game.othello = { size = 4 }
trials = 3
openings = { random-plies = 2 }
player = [
  { search.uct = { parallel.root.trees = 2 }, budget.playouts = 40 },
  { search.minimax = { depth = 2 } },
  { search.flat = { playouts-per-move = 5 } },
]
"#;

/// A searcher that may have memory.
const REMEMBERS: &str = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 2
player = [{ search.uct = {}, budget.playouts = 40 }, { search = "random" }]
"#;

/// Copies the files of unfinished trials before they are deleted.
struct Copies<'f> {
    from: &'f Path,
    to: &'f Path,
}

impl Sink for Copies<'_> {
    fn take(&mut self, _finished: &Finished) -> io::Result<()> {
        for entry in fs::read_dir(self.from).into_iter().flatten() {
            let name = entry?.file_name();
            fs::copy(self.from.join(&name), self.to.join(&name))?;
        }
        Ok(())
    }
}

/// A searcher with this fingerprint.
fn fingerprints(number: &str) -> Fingerprints {
    Fingerprints::parse(&format!("searcher flat {number}")).unwrap()
}

/// Plays all trials, with every decision counted as long, continuing what an earlier run left. Returns how many trials
/// that had begun, and all records in canonical order.
fn play(plan: &Plan, folder: &Path, build: &str, sink: &mut dyn Sink) -> (usize, Vec<Record>) {
    let unfinished = Unfinished::open(folder, plan, &fingerprints(build), Path::new(""), |_| false).unwrap();
    let (begun, unfinished) = (unfinished.begun(), unfinished.keep_from(Duration::ZERO));
    let (mut keep, stop) = (Keep::default(), AtomicBool::new(false));
    run(plan, 2, &|_| true, &stop, Some(&unfinished), &mut [sink, &mut keep]).unwrap();
    assert!(!folder.exists(), "what is finished is not kept");
    keep.0.sort_by_key(|record| record.trial);
    (begun, keep.0)
}

/// A wall time that no real decision has.
const AGES: u64 = 1 << 50;

/// Leaves about half of the decisions in a file, with a recognisable time, and a torn line after them. Returns how many
/// are left.
fn mutilate(file: &Path, rng: &mut Rng) -> u64 {
    let text = fs::read_to_string(file).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let ages = AGES.to_string();
    let with_ages = |line: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        fields.pop();
        *fields.iter_mut().rev().nth(1).unwrap() = &ages;
        let row = fields.join(",");
        format!("{row},{:08x}\n", crc32fast::hash(row.as_bytes()))
    };
    let left: Vec<String> = rest.lines().filter(|_| rng.below(2) == 0).map(with_ages).collect();
    fs::write(file, format!("{first}\n{}0123456789abcdef,K to", left.concat())).unwrap();
    left.len() as u64
}

/// The number of decisions that were reused, identified by their wall time.
fn taken_over(records: &[Record]) -> u64 {
    let seats = records.iter().flat_map(|record| &record.games).flat_map(|game| &game.seats);
    seats.map(|seat| seat.wall_ns / AGES).sum()
}

fn assert_same(records: &[Record], others: &[Record]) {
    assert_eq!(records.len(), others.len());
    for (one, other) in records.iter().zip(others) {
        assert!(one.went_as(other), "{one:?}\n{other:?}");
    }
}

#[test]
fn a_trial_goes_on_from_any_of_its_decisions() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let (here, copies) = (folder("unfinished/any"), folder("unfinished/copies"));
    let kept = here.join("unfinished");
    let (begun, records) = play(&plan, &kept, "00", &mut Copies { from: &kept, to: &copies });
    assert_eq!(begun, 0);
    assert!(records.iter().flat_map(|record| &record.games).all(|game| game.result.is_ok()));
    assert_same(&records, &experiment::records(&plan, 2));
    let files: Vec<_> = fs::read_dir(&copies).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), plan.canonical().filter(|trial| !plan.is_repeated(trial)).count());
    let mut rng = (Stream::new(1) / "decisions").rng();
    let left: u64 = files.iter().map(|file| mutilate(file, &mut rng)).sum();
    assert!(left > 500, "{left}");
    // Another build makes every decision itself, and the decisions of another trial are not taken over.
    for (build, shift, taken) in [("01", 0, 0), ("00", 0, left), ("00", 1, 0)] {
        fs::create_dir(&kept).unwrap();
        for (index, file) in files.iter().enumerate() {
            let content = &files[(index + shift) % files.len()];
            fs::copy(content, kept.join(file.file_name().unwrap())).unwrap();
        }
        let (begun, again) = play(&plan, &kept, build, &mut Keep::default());
        assert_eq!((begun, taken_over(&again)), (files.len(), taken));
        assert_same(&again, &records);
    }
}

/// If decisions or records cannot be written, the run ends with the reason.
#[test]
fn a_disk_that_refuses_ends_the_run() {
    struct Full;
    impl Sink for Full {
        fn take(&mut self, _finished: &Finished) -> io::Result<()> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
    }
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let here = folder("unfinished/refused");
    let kept = here.join("unfinished");
    let play = |is_taken: bool, sink: &mut dyn Sink| {
        let unfinished =
            Unfinished::open(&kept, &plan, &fingerprints("00"), Path::new(""), |_| false).unwrap();
        if is_taken {
            fs::write(&kept, "no folder").unwrap();
        }
        let (unfinished, stop) = (unfinished.keep_from(Duration::ZERO), AtomicBool::new(false));
        let ended = run(&plan, 2, &|_| true, &stop, Some(&unfinished), &mut [sink]);
        assert!(stop.into_inner());
        ended.unwrap_err()
    };
    let mut keep = Keep::default();
    assert_eq!(play(false, &mut Full).kind(), io::ErrorKind::StorageFull);
    fs::remove_dir_all(&kept).unwrap();
    let error = play(true, &mut keep).to_string();
    assert!(error.starts_with(&kept.display().to_string()), "{error}");
    assert!((keep.0.len() as u64) < plan.len());
}

#[test]
fn of_machines_that_remember_nothing_is_kept() {
    let manifest = manifest(REMEMBERS);
    let plan = Plan::new(&manifest).unwrap();
    let (here, copies) = (folder("unfinished/remembers"), folder("unfinished/none"));
    let kept = here.join("unfinished");
    play(&plan, &kept, "00", &mut Copies { from: &kept, to: &copies });
    assert_eq!(fs::read_dir(copies).unwrap().count(), 0);
}

/// A deal that takes minutes, with first moves that take seconds, interrupted twice.
#[cfg(unix)]
#[test]
fn a_long_deal_loses_no_decision_to_a_signal() {
    let folder = folder("unfinished/signal");
    let deal = r#"
        schema = 1
        [[experiment]]
        game = "calculation"
        trials = 1
        player = [{ search.simple-tree = { level = 6, playouts = 50, policy = "foundation-first" } }]
    "#;
    fs::write(folder.join("m.toml"), deal).unwrap();
    let decisions = || -> Vec<String> {
        let files = fs::read_dir(folder.join("results/m/unfinished")).into_iter().flatten();
        let text: String = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        text.lines().skip(1).map(Into::into).collect()
    };
    let mut before = Vec::new();
    for _ in 0..2 {
        let mut child = start(&folder, &["run", "m.toml", "--threads", "1"]);
        while decisions().len() == before.len() {
            assert!(child.try_wait().unwrap().is_none(), "the deal is over before it was stopped");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let ((code, _, err), after) = (finish(child), decisions());
        assert_eq!(code, 4, "{err}");
        assert_eq!(err.contains("1 trial resumed: long decisions"), !before.is_empty());
        assert!(after.starts_with(&before) && after.len() > before.len(), "{before:?}\n{after:?}");
        before = after;
    }
}
