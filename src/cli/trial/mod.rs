//! `shikou trial`: one trial again, alone, with every decision; or the list of trials to choose from.

mod again;
mod list;

use std::path::{Path, PathBuf};

use clap::Args;

use self::again::{again, candidate, decisions};
use self::list::{Filter, list};
use super::error::{Result, usage};
use super::folder::read_optimisations;
use super::groups::OutputArguments;
use crate::experiment::{EVALUATIONS, Manifest, Plan, Results, Trial};
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou trial results/tour                              the games of the run
  shikou trial results/tour --player flat --result loss   those that a player lost
  shikou trial results/tour 8b29                         one trial again, move by move
  shikou trial results/tour 8b29 --json                  the same with every decision, for programs
  shikou trial results/tune/uct 12 3 1                    generation 12, candidate 3, game 1 of an optimisation

The beginning of a trial's name is enough. A committed reference has no list of trials, but each
can be played again; if its manifest names files that are not beside it, name the manifest in
experiments/ instead. docs/results.md describes the JSON.")]
pub(super) struct TrialArguments {
    /// A folder that a run wrote, a committed reference, or a manifest
    source: PathBuf,
    /// The name of the trial, or its beginning [default: list the trials]; in the folder of an optimisation the run, the
    /// generation, the candidate and the game
    #[arg(value_name = "NAME")]
    id: Vec<String>,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn trial(registry: &Registry, arguments: &TrialArguments) -> Result {
    let (path, output) = (&arguments.source, &arguments.output);
    if path.join(EVALUATIONS).is_file() {
        if !output.is_text() {
            return Err(usage!("a game of an optimisation is shown as text only; omit --json and --format"));
        }
        return candidate(registry, path, &arguments.id);
    }
    let manifest = if path.is_dir() {
        let reference = Results::open_reference(path);
        if arguments.id.is_empty() && reference.as_ref().is_ok_and(|results| !results.log().exists()) {
            return Err(usage!(
                "{} is a committed reference, which has no list of trials; `shikou plan MANIFEST` prints the first names of its \
                 manifest in experiments/, and `shikou trial MANIFEST NAME` plays one again",
                path.display()
            ));
        }
        // A reference has no log, and the manifest is enough to play a trial again.
        let results = Results::open(path).or_else(|error| reference.map_err(|_| error));
        let manifest = results?.read_manifest(registry)?;
        read_optimisations(manifest, path)?.0
    } else {
        Manifest::read(path, registry)?
    };
    let plan = Plan::new(&manifest)?;
    match &arguments.id[..] {
        [id] => {
            let trial = named(&plan, id, path)?;
            if output.is_text() { again(&plan, trial) } else { decisions(&plan, trial, path, output) }
        }
        [_, more, ..] => Err(usage!("{more:?} is one word too many: a trial has one name")),
        [] if path.is_dir() => list(&Results::open(path)?, &plan, &arguments.filter, output),
        [] => Err(usage!(
            "{} is a manifest; name the folder of its results to list their trials",
            path.display()
        )),
    }
}

/// The trial whose name begins so.
pub(super) fn named(plan: &Plan, id: &str, path: &Path) -> Result<Trial> {
    let prefix = id.to_lowercase();
    // Trials of the same content have the same name.
    let begins = |trial: &Trial| plan.id(trial).to_string().starts_with(&prefix) && !plan.is_repeated(trial);
    let mut found = plan.canonical().filter(begins);
    let Some(trial) = found.next() else {
        return Err(usage!("no trial of {} has a name that begins with {id}", path.display()));
    };
    // An experiment on several games has the trials of an experiment on one of them.
    if found.any(|other| plan.id(&other) != plan.id(&trial)) {
        return Err(usage!("several trials have names that begin with {id}; type more of the name"));
    }
    Ok(trial)
}
