//! Shards of a run merged into one folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use super::error::LogError;
use super::log::Log;
use super::log_writer::LogWriter;
use super::results::Results;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::plan::Plan;
use crate::experiment::plan::identity::TrialId;

/// Why folders cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Two folders have different manifests.
    #[error(
        "{} has another manifest than {}; only shards of one manifest can be merged",
        other.display(),
        first.display()
    )]
    OtherManifest {
        /// The folder with another manifest.
        other: PathBuf,
        /// The first folder.
        first: PathBuf,
    },
    /// A trial is in two logs, with different results.
    #[error(
        "trial {id} of {} differs from the trial merged before; one of the logs is not from this build",
        folder.display()
    )]
    Differs {
        /// The trial.
        id: TrialId,
        /// The folder of the second log.
        folder: PathBuf,
    },
    /// The first folder has no facts of its machine.
    #[error(
        "{}: {source}; a run writes this file, and the merged results say with it where they are from. Run the shard \
         again, which plays only what is missing",
        path.display()
    )]
    NoHost {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// A log cannot be read or written, or is from a build that plays differently.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The operating system returned an error.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Merges the logs and times of folders into another one, whose trials are kept, and writes its manifest and host facts.
/// `plan` is that of the manifest of the first folder, `fingerprints` those of this build. Returns the log, locked.
///
/// Trials are merged by their names, in any order and any number of times.
///
/// # Errors
/// If the folders have different manifests, a log cannot be read or is from a build that plays differently, or one trial
/// has different results in two logs.
///
/// # Panics
/// If there is no folder to merge.
pub fn merge(
    plan: &Plan,
    parts: &[Results],
    into: &Results,
    fingerprints: &Fingerprints,
) -> Result<LogWriter, MergeError> {
    let (first, manifest) = (&parts[0], plan.manifest());
    for part in parts {
        if fs::read_to_string(part.manifest())? != manifest.text {
            let (other, first) = (part.path().into(), first.path().into());
            return Err(MergeError::OtherManifest { other, first });
        }
    }
    let host = fs::read(first.host()).map_err(|source| MergeError::NoHost { path: first.host(), source })?;
    let mut log = LogWriter::open(&into.log(), plan, fingerprints)?;
    into.write_manifest(manifest)?;
    for part in parts {
        let theirs = Log::read(&part.log(), plan)?;
        if has_new_trials(plan, (part, &theirs), log.log(), fingerprints)? {
            into.remove_derived()?;
            // The times go first: if the merge is killed before the trials are there, the next one adds what is missing.
            if part.times().exists() {
                merge_times(part, into)?;
            }
            merge_trials(plan, &theirs, &mut log)?;
        }
    }
    into.write("host.toml", host)?;
    Ok(log)
}

/// Whether a folder has trials that a log has not.
///
/// # Errors
/// If the folder is of a build that plays differently, or a trial of both has different results.
fn has_new_trials(
    plan: &Plan,
    (part, theirs): (&Results, &Log),
    log: &Log,
    fingerprints: &Fingerprints,
) -> Result<bool, MergeError> {
    if let Some(differing) = fingerprints.differing(&theirs.fingerprints()) {
        return Err(LogError::OtherBuild { path: part.log(), differing }.into());
    }
    let mut has_new_trials = false;
    for record in (0..plan.experiments().len()).flat_map(|experiment| theirs.records(experiment)) {
        let record = record?;
        match log.record(&record.trial)? {
            Some(other) if !other.went_as(&record) => {
                let (id, folder) = (plan.id(&record.trial), part.path().into());
                return Err(MergeError::Differs { id, folder });
            }
            Some(_) => {}
            None => has_new_trials = true,
        }
    }
    Ok(has_new_trials)
}

/// Adds the trials of a log to another one.
fn merge_trials(plan: &Plan, theirs: &Log, log: &mut LogWriter) -> Result<(), MergeError> {
    for record in (0..plan.experiments().len()).flat_map(|experiment| theirs.records(experiment)) {
        let record = record?;
        if !log.log().holds(&record.trial) {
            log.add(&record)?;
        }
    }
    Ok(())
}

/// Adds the lines of a folder's times that an earlier merge did not add.
fn merge_times(part: &Results, into: &Results) -> io::Result<()> {
    let before = fs::read(into.times()).unwrap_or_default();
    let lines: BTreeSet<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
    let theirs = fs::read(part.times())?;
    let new = theirs.split_inclusive(|&byte| byte == b'\n').filter(|line| !lines.contains(line));
    into.write("times.hlog", before.iter().copied().chain(new.flatten().copied()).collect::<Vec<u8>>())
}
