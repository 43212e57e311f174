//! The log stays correct, whatever happens to the process and to the file.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use shikou::experiment::{
    Ended, Fingerprints, Finished, Log, LogError, LogWriter, Plan, Record, Sink, Trial, canonical_log, run,
};

use crate::experiment::{Keep, MANIFEST, canonical, manifest};
use crate::resume::shikou;
use crate::support::{folder, with_manifest};

/// Plays all trials into a log, and returns them in canonical order.
pub(crate) fn write_log(plan: &Plan, path: &Path) -> Vec<Record> {
    let mut keep = Keep::default();
    let mut log = LogWriter::open(path, plan, &Fingerprints::of(plan)).unwrap();
    run(plan, 2, &|_| true, &AtomicBool::new(false), None, &mut [&mut log, &mut keep]).unwrap();
    keep.0.sort_by_key(|record| record.trial);
    keep.0
}

/// The trials of a log in canonical order.
pub(crate) fn try_read(path: &Path, plan: &Plan) -> Result<Vec<Record>, LogError> {
    let log = Log::read(path, plan)?;
    (0..plan.experiments().len()).flat_map(|experiment| log.records(experiment)).collect()
}

/// The same of a sound log.
pub(crate) fn read(path: &Path, plan: &Plan) -> Vec<Record> {
    try_read(path, plan).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_torn_last_row_is_dropped_and_a_damaged_one_is_named() {
    let path = folder("log/torn").join("trials.csv");
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let written = write_log(&plan, &path);
    let whole = fs::read(&path).unwrap();
    // Torn at any byte of the last 300: at most the trials of the last rows are lost, and none is invented.
    for cut in (whole.len() - 300)..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let left = read(&path, &plan);
        assert!(left.len() < written.len() && left.len() + 4 >= written.len(), "{}", left.len());
        assert!(left.iter().all(|record| written.contains(record)));
    }
    let mut damaged = whole.clone();
    let line = whole.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').nth(9).unwrap().0 + 1;
    damaged[line + 20] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let error = try_read(&path, &plan).unwrap_err().to_string();
    assert!(error.contains("trials.csv:11: this line is damaged"), "{error}");
}

/// Stops after a number of trials.
struct StopAfter<'s>(usize, &'s AtomicBool);

impl Sink for StopAfter<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.0 = self.0.saturating_sub(finished.records.len());
        self.1.store(self.0 == 0, Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn a_run_that_is_stopped_and_torn_goes_on_where_it_was() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let whole = canonical(MANIFEST, 1);
    let path = folder("log/resume").join("trials.csv");
    let mut rounds = 0;
    loop {
        let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
        let before = log.log().clone();
        let wanted = |trial: &Trial| !before.holds(trial);
        let stop = AtomicBool::new(false);
        let mut limit = StopAfter(7 + rounds, &stop);
        let ended = run(&plan, 1 + rounds % 3, &wanted, &stop, None, &mut [&mut log, &mut limit]).unwrap();
        drop(log);
        rounds += 1;
        if ended == Ended::Complete {
            break;
        }
        // As if it had been killed in the middle of a line.
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 13 * rounds]).unwrap();
    }
    assert!(rounds > 5, "{rounds}");
    assert_eq!(canonical_log(&plan, &read(&path, &plan)), whole);
}

#[test]
fn a_log_is_written_by_one_at_a_time_and_by_builds_that_play_alike() {
    let path = folder("log/lock").join("trials.csv");
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let first = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
    let error = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).err().unwrap();
    assert!(matches!(error, LogError::InUse { .. }), "{error}");
    drop(first);
    let before = fs::read(&path).unwrap();
    let other = Fingerprints::parse("searcher flat 0123456789abcdef").unwrap();
    let error = LogWriter::open(&path, &plan, &other).err().unwrap();
    assert!(matches!(error, LogError::OtherBuild { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// A small log in memory: the plan's text, its lines, and its trials.
fn small_log(name: &str) -> (std::path::PathBuf, Vec<u8>, Vec<Record>) {
    let path = folder(&format!("log/{name}")).join("trials.csv");
    let manifest = manifest(SMALL);
    let plan = Plan::new(&manifest).unwrap();
    let records = write_log(&plan, &path);
    let bytes = fs::read(&path).unwrap();
    (path, bytes, records)
}

const SMALL: &str = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 6
player = [{ name = "a, \"quoted\"", search = "random" }, { name = "b", search.flat = { playouts-per-move = 1 } }]
[[experiment]]
game = "calculation"
trials = 5
player = [{ search = "random" }]
"#;

/// The damage of a file.
#[derive(Clone, Debug)]
enum Spoil {
    /// Cut at this fraction of its length.
    Cut(f64),
    /// A bit of the byte at this fraction of its length is flipped.
    Flip(f64, u8),
    /// The line at this fraction of the lines is deleted, duplicated, or moved to the end.
    Drop(f64),
    Repeat(f64),
    Move(f64),
    /// These bytes are inserted.
    Insert(f64, Vec<u8>),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let place = 0.0..1.0;
    prop_oneof![
        place.clone().prop_map(Spoil::Cut),
        (place.clone(), 0..8u8).prop_map(|(at, bit)| Spoil::Flip(at, bit)),
        place.clone().prop_map(Spoil::Drop),
        place.clone().prop_map(Spoil::Repeat),
        place.clone().prop_map(Spoil::Move),
        (place, proptest::collection::vec(any::<u8>(), 1..200))
            .prop_map(|(at, bytes)| Spoil::Insert(at, bytes)),
    ]
}

impl Spoil {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let at = |share: f64| (share * bytes.len() as f64) as usize;
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        // The first line says what the file is; it stays.
        let line =
            |share: f64| (1 + (share * lines.len().saturating_sub(1) as f64) as usize).min(lines.len() - 1);
        match self {
            Self::Cut(share) => return bytes[..at(*share)].into(),
            Self::Flip(share, bit) => {
                let mut bytes = bytes.to_vec();
                bytes[at(*share)] ^= 1 << bit;
                return bytes;
            }
            Self::Insert(share, more) => {
                return [&bytes[..at(*share)], more, &bytes[at(*share)..]].concat();
            }
            Self::Drop(share) => drop(lines.remove(line(*share))),
            Self::Repeat(share) => lines.insert(line(*share), lines[line(*share)]),
            Self::Move(share) => {
                let moved = lines.remove(line(*share));
                lines.push(moved);
            }
        }
        lines.concat()
    }
}

/// The trials with contiguous lines in a file: those that a reader must find.
fn sound_trials(bytes: &[u8], whole: &[u8], records: &[Record], plan: &Plan) -> Vec<Record> {
    let in_file = |record: &&Record| {
        let id = format!(",{},", plan.id(&record.trial));
        let of_trial = |line: &&[u8]| String::from_utf8_lossy(line).contains(&id);
        let lines: Vec<u8> =
            whole.split_inclusive(|&byte| byte == b'\n').filter(of_trial).collect::<Vec<_>>().concat();
        bytes.windows(lines.len()).any(|window| window == lines)
    };
    records.iter().filter(in_file).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to a log: no panic, every complete trial is found, none is invented, and unreadable parts are
    /// reported.
    #[test]
    fn no_damage_to_a_log_loses_a_sound_trial_in_silence(spoils in proptest::collection::vec(spoil(), 1..4)) {
        type SmallLog = (std::path::PathBuf, Vec<u8>, Vec<Record>);
        static LOG: std::sync::OnceLock<(SmallLog, Plan)> = std::sync::OnceLock::new();
        let ((path, whole, records), plan) =
            LOG.get_or_init(|| (small_log("spoilt"), Plan::new(&manifest(SMALL)).unwrap()));
        let bytes = spoils.iter().fold(whole.clone(), |bytes, spoil| {
            if bytes.is_empty() { bytes } else { spoil.apply(&bytes) }
        });
        fs::write(path, &bytes).unwrap();
        match try_read(path, plan) {
            Ok(found) => prop_assert_eq!(found, sound_trials(&bytes, whole, records, plan)),
            Err(error) => prop_assert!(matches!(error, LogError::Damaged { .. }), "{}", error),
        }
    }
}

/// A row of another trial between the two games of a pair: the pair is played again, and nothing else is.
#[test]
fn a_pair_that_is_interrupted_does_not_count() {
    let (path, whole, records) = small_log("interrupted");
    let manifest = manifest(SMALL);
    let plan = Plan::new(&manifest).unwrap();
    let mut lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let of = |record: &Record| {
        let id = format!(",{},", plan.id(&record.trial));
        move |line: &&[u8]| String::from_utf8_lossy(line).contains(&id)
    };
    let other = lines.remove(lines.iter().position(|line| of(records.last().unwrap())(line)).unwrap());
    let first = lines.iter().position(|line| of(&records[0])(line)).unwrap();
    lines.insert(first + 1, other);
    fs::write(&path, lines.concat()).unwrap();
    assert_eq!(read(&path, &plan), records[1..]);
}

/// A disk that becomes full during a run: an error with the file's name, and the run can be resumed.
#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing_that_was_finished() {
    let folder = with_manifest("log/full_disk", MANIFEST);
    let whole = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "whole"]).1;
    // No file may be longer than eight blocks; the signal is ignored, so that the write fails.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' run m.toml --quiet --threads 2",
        env!("CARGO_BIN_EXE_shikou")
    );
    let output =
        std::process::Command::new("sh").args(["-c", &limited]).current_dir(&folder).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{error}");
    assert!(error.contains("results/m/trials.csv: "), "{error}");
    let again = shikou(&folder, &["run", "m.toml", "--quiet"]);
    assert_eq!((again.0, again.1), (0, whole));
}

/// A path that cannot be a results folder is an error before anything is played, and is not changed.
#[test]
fn an_unwritable_folder_is_an_error() {
    let folder = with_manifest("log/unwritable", MANIFEST);
    fs::write(folder.join("file"), "mine").unwrap();
    for (out, reason) in
        [("file", "file is a file"), ("file/below", "file/below: "), ("/proc/none", "/proc/none: ")]
    {
        let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", out]);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "mine");
}
