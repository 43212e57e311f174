//! `shikou merge`: shares that were played apart, joined.

use std::collections::BTreeSet;
use std::fs;

use super::arguments::MergeArguments;
use super::conclude::{Format, Goal, Manner, conclude, reference_for};
use super::failure::Failure;
use crate::experiment::{Log, LogError, LogWriter, Manifest, Plan, Results, fingerprint, plays_alike};
use crate::players::Registry;

pub(super) fn merge(registry: &Registry, arguments: &MergeArguments) -> Result<(), Failure> {
    let system = |error: std::io::Error| Failure::System(error.to_string());
    let parts = arguments.parts.iter().map(|path| Results::open(path)).collect::<Result<Vec<_>, _>>();
    let parts = parts.map_err(system)?;
    let manifest = Manifest::read(&parts[0].manifest(), registry)?;
    for part in &parts[1..] {
        let text = fs::read_to_string(part.manifest()).map_err(system)?;
        if text != manifest.text {
            let (other, first) = (part.path().display(), parts[0].path().display());
            return Err(Failure::Usage(format!(
                "{other} is of another manifest than {first}; only shares of one can be joined"
            )));
        }
    }
    let plan = Plan::new(&manifest);
    let results = Results::create(&arguments.into).map_err(system)?;
    let log_error = |error: LogError| Failure::System(error.to_string());
    let mut log = LogWriter::open(&results.log(), &plan, &fingerprint()).map_err(log_error)?;
    results.write_manifest(&manifest).map_err(system)?;
    for part in &parts {
        let mut news = false;
        let theirs = Log::read(&part.log(), &plan).map_err(log_error)?;
        if !plays_alike(&theirs.fingerprint, &fingerprint()) {
            let (path, ours) = (part.log(), fingerprint());
            return Err(log_error(LogError::OtherBuild { path, theirs: theirs.fingerprint, ours }));
        }
        for record in (0..manifest.experiments.len()).flat_map(|experiment| theirs.records(experiment)) {
            let record = record.map_err(log_error)?;
            match log.log().record(&record.trial).map_err(log_error)? {
                Some(other) if !other.went_as(&record) => {
                    let id = plan.id(&record.trial);
                    let message =
                        format!("trial {id} went otherwise in {} than before", part.path().display());
                    return Err(Failure::System(message + "; one of the logs is not of this build"));
                }
                Some(_) => {}
                None => {
                    log.add(&record).map_err(system)?;
                    news = true;
                }
            }
        }
        // Times belong to the trials that came with them. Those that came before, with a part that went on, are not added again.
        if news && part.times().exists() {
            let before = fs::read(results.times()).unwrap_or_default();
            let lines: BTreeSet<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
            let theirs = fs::read(part.times()).map_err(system)?;
            let new = theirs.split_inclusive(|&byte| byte == b'\n').filter(|line| !lines.contains(line));
            let times = before.iter().copied().chain(new.flatten().copied()).collect::<Vec<u8>>();
            results.write("times.hlog", times).map_err(system)?;
        }
    }
    let host = fs::read(parts[0].path().join("host.toml")).map_err(system)?;
    results.write("host.toml", host).map_err(system)?;
    let manner =
        Manner { quiet: arguments.quiet, format: Format::json_or_text(arguments.json), check: false };
    conclude("merge", &results, &plan, log.log(), &Goal::SoFar(reference_for(&results)), manner)
}
