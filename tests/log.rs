//! The log: the truth, whatever happens to the process and to the file.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{
    Ended, Finished, Log, LogError, LogWriter, Plan, Record, Sink, Trial, canonical_log, fingerprint, run,
};

use crate::experiment::{Keep, MANIFEST, canonical, folder, manifest};

/// Plays all trials into a log, and gives them back in canonical order.
pub(crate) fn write_log(plan: &Plan<'_>, path: &Path) -> Vec<Record> {
    let mut keep = Keep::default();
    let mut log = LogWriter::open(path, plan, &fingerprint()).unwrap();
    run(plan, 2, &|_| true, &AtomicBool::new(false), &mut [&mut log, &mut keep]).unwrap();
    keep.0.sort_by_key(|record| record.trial);
    keep.0
}

/// The trials of a log in canonical order.
pub(crate) fn try_read(path: &Path, plan: &Plan<'_>) -> Result<Vec<Record>, LogError> {
    let log = Log::read(path, plan)?;
    (0..plan.cells.len()).flat_map(|experiment| log.records(experiment)).collect()
}

/// The same of a sound log.
pub(crate) fn read(path: &Path, plan: &Plan<'_>) -> Vec<Record> {
    try_read(path, plan).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_log_reads_back_as_it_was_written() {
    let path = folder("log").join("trials.csv");
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest);
    let written = write_log(&plan, &path);
    assert_eq!(read(&path, &plan), written);
}

#[test]
fn a_torn_last_row_is_dropped_and_a_damaged_one_is_named() {
    let path = folder("torn").join("trials.csv");
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest);
    let written = write_log(&plan, &path);
    let whole = fs::read(&path).unwrap();
    // Torn at any byte of the last 300: at most the trials of the last rows are gone, and nothing is made up.
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

/// Stops after so many trials.
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
    let plan = Plan::new(&manifest);
    let whole = canonical(MANIFEST, 1);
    let path = folder("resume").join("trials.csv");
    let mut rounds = 0;
    loop {
        let mut log = LogWriter::open(&path, &plan, &fingerprint()).unwrap();
        let before = log.log().clone();
        let wanted = |trial: &Trial| !before.holds(trial);
        let stop = AtomicBool::new(false);
        let mut limit = StopAfter(7 + rounds, &stop);
        let ended = run(&plan, 1 + rounds % 3, &wanted, &stop, &mut [&mut log, &mut limit]).unwrap();
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
    let path = folder("lock").join("trials.csv");
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest);
    let first = LogWriter::open(&path, &plan, &fingerprint()).unwrap();
    let error = LogWriter::open(&path, &plan, &fingerprint()).err().unwrap();
    assert!(matches!(error, LogError::InUse { .. }), "{error}");
    drop(first);
    let before = fs::read(&path).unwrap();
    let error = LogWriter::open(&path, &plan, "0123456789abcdef").err().unwrap();
    assert!(matches!(error, LogError::OtherBuild { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// A baseline that stands in two experiments is played once and counts in both.
#[test]
fn experiments_may_share_trials() {
    let text = r#"
        schema = 1
        [[experiment]]
        name = "a"
        game = "calculation"
        trials = 20
        player = [{ search = "random" }, { search.flat = { playouts = 2 } }]
        [[experiment]]
        name = "b"
        game = "calculation"
        trials = 30
        player = [{ search = "random" }, { search.flat = { playouts = 3 } }]
    "#;
    let path = folder("shared_trials").join("trials.csv");
    let manifest = manifest(text);
    let plan = Plan::new(&manifest);
    assert_eq!(plan.canonical().filter(|trial| plan.is_repeated(trial)).count(), 20);
    let mut log = LogWriter::open(&path, &plan, &fingerprint()).unwrap();
    run(&plan, 2, &|trial| !plan.is_repeated(trial), &AtomicBool::new(false), &mut [&mut log]).unwrap();
    let records = read(&path, &plan);
    assert_eq!(records.len() as u64, plan.len());
    assert_eq!(canonical_log(&plan, &records), canonical(text, 2));
}
