//! Shards of a run merged into one folder.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Log, LogError, LogFacts, LogWriter, OwnerFacts, Results};
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::line::whole_lines;
use crate::experiment::plan::Plan;
use crate::experiment::trial::{Record, unrepeatable};

/// A merged log.
pub struct Merged {
    /// The log, locked.
    pub log: LogWriter,
    /// How many trials that cannot be played again were played more than once, with another result: one is kept.
    pub dropped: u64,
    /// How many logs of runs that were taken over are merged.
    pub taken: usize,
}

struct Part<'r> {
    results: &'r Results,
    log: PathBuf,
    owner: OwnerFacts,
}

/// Merges the logs and times of folders into another one, whose trials are kept, and writes its manifest and host facts.
/// `plan` is that of the manifest of the first folder, `fingerprints` those of this build.
///
/// Trials are merged by their names, in any order and any number of times, with those of runs that were taken over. Of a trial
/// that cannot be played again the row of the owner is kept that was started again least often, then of the earliest one.
///
/// # Errors
/// If the folders have different manifests, a log cannot be read or is from a build that plays differently, or one trial
/// that can be played again has different results in two logs.
///
/// # Panics
/// If there is no folder to merge.
pub fn merge(
    plan: &Plan,
    parts: &[Results],
    into: &Results,
    fingerprints: &Fingerprints,
) -> Result<Merged, LogError> {
    let (first, manifest) = (&parts[0], plan.manifest());
    for part in parts {
        if fs::read_to_string(part.manifest())? != manifest.text {
            let (other, first) = (part.path().into(), first.path().into());
            return Err(LogError::OtherShard { other, first });
        }
    }
    let host = fs::read(first.host()).map_err(|source| LogError::NoHost { path: first.host(), source })?;
    let in_order = in_order(parts)?;
    // All shards met the same engines, whatever is on this machine.
    let mut fingerprints = fingerprints.clone();
    for part in &in_order {
        let theirs = LogFacts::read(&part.log)?.map(|facts| facts.fingerprints).unwrap_or_default();
        if let Some(differing) = fingerprints.differing(&theirs) {
            return Err(LogError::OtherBuild { path: part.log.clone(), differing });
        }
        fingerprints.extend(theirs.of_engines());
    }
    let log = LogWriter::open(&into.log_in(first.form()), plan, &fingerprints)?;
    let mut merged = Merged { log, dropped: 0, taken: 0 };
    into.write_manifest(manifest)?;
    let mut times = None;
    for part in in_order {
        let theirs = Log::read(&part.log, plan)?;
        merged.taken += usize::from(part.log != part.results.log());
        let (is_new, dropped) = compare(plan, (&part, &theirs), merged.log.log())?;
        merged.dropped += dropped;
        if is_new {
            into.remove_derived()?;
            // The times go first: if the merge is killed before the trials are there, the next one adds what is missing.
            let times = match &mut times {
                Some(times) => times,
                none => none.insert(MergedTimes::read(into.times())?),
            };
            times.add(&part.results.times())?;
            merge_trials(plan, &theirs, &mut merged.log)?;
        }
    }
    into.write("host.toml", host)?;
    Ok(merged)
}

fn in_order(parts: &[Results]) -> Result<Vec<Part<'_>>, LogError> {
    let mut logs = Vec::new();
    for results in parts {
        for (log, owner) in results.logs()? {
            let owner = OwnerFacts::read(&owner).unwrap_or_default();
            logs.push(Part { results, log, owner });
        }
    }
    logs.sort_by_key(|part| part.owner.order());
    Ok(logs)
}

/// Whether a log has trials that another one has not, and how many of its trials went otherwise there.
///
/// # Errors
/// If a trial of both has different results and can be played again.
fn compare(plan: &Plan, (part, theirs): (&Part<'_>, &Log), log: &Log) -> Result<(bool, u64), LogError> {
    let (mut is_new, mut dropped) = (false, 0);
    for experiment in 0..plan.experiments().len() {
        // Both are in canonical order.
        let mut ours = log.records(experiment).peekable();
        for record in theirs.records(experiment) {
            let record = record?;
            while ours.next_if(|other| matches!(other, Ok(other) if other.trial < record.trial)).is_some() {}
            let same =
                |other: &Result<Record, LogError>| !matches!(other, Ok(other) if other.trial != record.trial);
            match ours.next_if(same).transpose()? {
                Some(other) if other.went_as(&record) => {}
                Some(_) if unrepeatable(plan, record.trial).is_some() => dropped += 1,
                Some(_) => {
                    let (id, folder) = (plan.id(&record.trial), part.results.path().into());
                    return Err(LogError::Differs { id, folder });
                }
                None => is_new = true,
            }
        }
    }
    Ok((is_new, dropped))
}

fn merge_trials(plan: &Plan, theirs: &Log, log: &mut LogWriter) -> Result<(), LogError> {
    for chunk in (0..plan.experiments().len()).flat_map(|experiment| theirs.chunks(experiment)) {
        let mut records = chunk?.records;
        // Experiments may share trials, and the same one is added once.
        records.retain(|record| !log.log().holds(&record.trial));
        log.add(records)?;
    }
    Ok(())
}

/// The times of a merged folder: no line of another one is added twice.
struct MergedTimes {
    path: PathBuf,
    lines: BTreeSet<Vec<u8>>,
}

impl MergedTimes {
    /// The times in this file. A torn last line is cut off.
    fn read(path: PathBuf) -> io::Result<Self> {
        let bytes = fs::read(&path).unwrap_or_default();
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            OpenOptions::new().write(true).open(&path)?.set_len(whole as u64)?;
        }
        let lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').map(Into::into).collect();
        Ok(Self { path, lines })
    }

    /// Adds the whole lines of another file that are not there.
    fn add(&mut self, from: &Path) -> io::Result<()> {
        let Ok(bytes) = fs::read(from) else { return Ok(()) };
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let new: Vec<u8> =
            lines.filter(|line| self.lines.insert((*line).into())).flatten().copied().collect();
        OpenOptions::new().append(true).create(true).open(&self.path)?.write_all(&new)
    }
}
