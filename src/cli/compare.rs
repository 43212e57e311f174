//! `shikou compare`: two folders of results, trial by trial and player by player.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::Result;
use super::folder::open_all;
use super::groups::OutputArguments;
use super::optimise::summaries;
use crate::experiment::{Compared, MoveTimes, Plan, Record, Reference, RunFacts, Summary, find};
use crate::players::Registry;
use crate::report::{Block, Document, compared_report, object};

#[derive(Args)]
#[command(after_help = "Examples:
  shikou compare results/before results/tour
  shikou compare results/reference/tour results/tour

Trials are matched by their names; players and meetings by their names in experiments of the
same name, on the deals and openings that both runs have; optimisations run by run, by what their
best candidates have against the judge. A committed reference has no log: its summary is
compared.")]
pub(super) struct CompareArguments {
    /// The first folder
    first: PathBuf,
    /// The second folder; differences are second minus first
    second: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn compare(registry: &Registry, arguments: &CompareArguments) -> Result {
    let paths = [&arguments.first, &arguments.second];
    let [first, second] = paths.map(|path| Side::read(path, registry));
    let (first, second) = (first?, second?);
    let compared = match (&first.run, &second.run) {
        (Some(first), Some(second)) => Compared::new((&first.0, &first.1), (&second.0, &second.1)),
        _ => Compared::of_summaries(&first.summary, &second.summary),
    };
    let compared = compared.with_optimisations(&first.summary, &second.summary);
    let digests = [first.digest.as_str(), second.digest.as_str()];
    let facts = [&first.facts, &second.facts];
    let any = |holds: &dyn Fn(&Summary) -> bool| holds(&first.summary) || holds(&second.summary);
    let has_engines = |summary: &Summary| summary.experiments.iter().any(|of| of.engine_trials > 0);
    let (a, b) = (arguments.first.display(), arguments.second.display());
    let mut document = Document(vec![Block::Text(vec![format!("A: {a}"), format!("B: {b}")])]);
    if digests[0] == digests[1] && compared.matched.is_none() && !any(&has_engines) {
        let same = "The runs have the same log to the byte, so their results are the same.";
        document.0.push(Block::Text(vec![format!("digest {}", digests[0]), same.into()]));
    } else {
        document.0.extend(compared_report(&compared, digests, facts).0);
        if any(&Summary::has_stopping_rules) {
            let note = "A stopping rule chose the number of trials of some experiments. These intervals assume that it was \
                        fixed, so there they hold less often than in 95 % of runs.";
            document.0.push(Block::Text(vec![note.into()]));
        }
    }
    let differing_facts = facts[0].differing(facts[1]);
    let content = object! { digests, #[serde(flatten)] compared: &compared, differing_facts };
    arguments.output.show("compare", content, document)
}

struct Side {
    /// The plan, and the records in canonical order; none of a reference, which has no log.
    run: Option<(Plan, Vec<Record>)>,
    summary: Summary,
    digest: String,
    facts: RunFacts,
}

impl Side {
    fn read(path: &Path, registry: &Registry) -> Result<Self> {
        if let Some(reference) = Reference::read(path)? {
            let Reference { summary, facts, digest } = reference;
            return Ok(Self { run: None, summary, digest, facts });
        }
        let (results, plan, log, optimised) = open_all(path, registry)?;
        let times = MoveTimes::read(&results.times(), &plan);
        let found = find(&plan, &log, times, std::io::sink())?;
        // Trials after the decision of a stopping rule do not count.
        let counted = |experiment: usize| {
            let decided = found.stopping[experiment].as_ref().filter(|stopping| stopping.decision.is_some());
            let end = decided.map_or(u64::MAX, |stopping| stopping.instances);
            let is_counted = move |record: &Record| record.trial.instance < end;
            log.records(experiment).filter(move |record| record.as_ref().map_or(true, is_counted))
        };
        let records = (0..plan.experiments().len()).flat_map(counted).collect::<Result<Vec<_>, _>>()?;
        let digest = found.digests.digest().to_owned();
        let (trainings, optimisations) = summaries(&optimised, path);
        Ok(Self {
            run: Some((plan, records)),
            summary: Summary { trainings, optimisations, ..found.summary },
            digest,
            facts: RunFacts::read(&results),
        })
    }
}
