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
    /// A log cannot be read or written, or is from a build that plays differently.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The operating system returned an error.
    #[error(transparent)]
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
    let mut log = LogWriter::open(&into.log(), plan, fingerprints)?;
    into.write_manifest(manifest)?;
    for part in parts {
        let has_new_trials = merge_trials(plan, part, &mut log, fingerprints)?;
        // Times are added with their trials.
        if has_new_trials && part.times().exists() {
            merge_times(part, into)?;
        }
    }
    into.write("host.toml", fs::read(first.path().join("host.toml"))?)?;
    Ok(log)
}

/// Adds the trials of a folder to a log. Returns whether any was missing there.
fn merge_trials(
    plan: &Plan,
    part: &Results,
    log: &mut LogWriter,
    fingerprints: &Fingerprints,
) -> Result<bool, MergeError> {
    let theirs = Log::read(&part.log(), plan)?;
    if let Some(differing) = fingerprints.differing(&theirs.fingerprints) {
        return Err(LogError::OtherBuild { path: part.log(), differing }.into());
    }
    let mut has_new_trials = false;
    for record in (0..plan.experiments().len()).flat_map(|experiment| theirs.records(experiment)) {
        let record = record?;
        match log.log().record(&record.trial)? {
            Some(other) if !other.went_as(&record) => {
                let (id, folder) = (plan.id(&record.trial), part.path().into());
                return Err(MergeError::Differs { id, folder });
            }
            Some(_) => {}
            None => {
                log.add(&record)?;
                has_new_trials = true;
            }
        }
    }
    Ok(has_new_trials)
}

/// Adds the lines of a folder's times that an earlier merge did not add.
fn merge_times(part: &Results, into: &Results) -> io::Result<()> {
    let before = fs::read(into.times()).unwrap_or_default();
    let lines: BTreeSet<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
    let theirs = fs::read(part.times())?;
    let new = theirs.split_inclusive(|&byte| byte == b'\n').filter(|line| !lines.contains(line));
    into.write("times.hlog", before.iter().copied().chain(new.flatten().copied()).collect::<Vec<u8>>())
}
