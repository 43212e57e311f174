//! `shikou trial`: one trial again, alone, with every decision shown; and `shikou verify`: many of them compared.

use std::fmt::Write as _;

use serde::Serialize;

use super::arguments::{TrialArguments, VerifyArguments};
use super::failure::Failure;
use super::output::{print, print_json};
use super::thoughts::thoughts;
use crate::experiment::{
    Experiment, Log, LogError, Manifest, Plan, Record, Results, Trial, Watch, play, play_watched,
};
use crate::players::{Registry, Table};
use crate::report::with_thousands;
use crate::search::ThreadClock;

const SCHEMA: u32 = 1;

pub(super) fn trial(registry: &Registry, arguments: &TrialArguments) -> Result<(), Failure> {
    let path = &arguments.source;
    let path = if path.is_dir() { path.join("manifest.toml") } else { path.clone() };
    let manifest = Manifest::read(&path, registry)?;
    let plan = Plan::new(&manifest);
    let prefix = arguments.id.to_lowercase();
    // Trials of the same content have one name.
    let begins = |trial: &Trial| plan.id(trial).to_string().starts_with(&prefix) && !plan.is_repeated(trial);
    let found: Vec<Trial> = plan.canonical().filter(begins).take(2).collect();
    let trial = match found[..] {
        [trial] => trial,
        [] => {
            return Err(Failure::Usage(format!(
                "no trial of {} is called {}…",
                path.display(),
                arguments.id
            )));
        }
        _ => {
            return Err(Failure::Usage(format!(
                "several trials begin with {}; give more of its name",
                arguments.id
            )));
        }
    };
    let experiment = &manifest.experiments[trial.experiment];
    print(format!("trial {} of {}, instance {}", plan.id(&trial), experiment.name, trial.instance))?;
    let mut show = Show { experiment, printed: Ok(()) };
    let record = play_watched(&plan, trial, &mut ThreadClock::start(), &mut show);
    show.printed?;
    for (game, number) in record.games.iter().zip(1..) {
        let result = match &game.result {
            Ok((outcome, score)) => {
                format!("{outcome} for the first player, {score} {}", experiment.game.facts().score_unit)
            }
            Err(failure) => format!("failed: {failure}"),
        };
        print(format!("\ngame {number}: {result}, {} plies", game.plies))?;
    }
    Ok(())
}

/// Prints every position and decision of a trial.
struct Show<'e> {
    experiment: &'e Experiment,
    printed: Result<(), Failure>,
}

impl Watch for Show<'_> {
    fn position(&mut self, table: &dyn Table, seating: &[usize]) {
        if self.printed.is_err() {
            return;
        }
        let name = |player: usize| self.experiment.players[player].name.as_str();
        let mut text = String::new();
        if table.plies() == 0 {
            let names: Vec<&str> = seating.iter().map(|&player| name(player)).collect();
            text = format!("\n{}\n", names.join(" – "));
        }
        match (table.last_move(), table.last_decision()) {
            (Some(mv), Some((seat, view))) => {
                let player = name(seating[seat.index()]);
                let _ = writeln!(text, "\nply {}: {mv}\n{}", table.plies(), thoughts(player, "plays", &view));
            }
            (Some(mv), None) => {
                let _ = writeln!(text, "\nply {}: {mv} (chance or the opening)", table.plies());
            }
            (None, _) => {}
        }
        self.printed = print(format!("{text}{}", table.drawing()));
    }

    fn moved(&mut self, _player: usize, _ns: u64) {}
}

#[derive(Serialize)]
struct Content {
    replayed: u64,
    differ: Vec<String>,
}

pub(super) fn verify(registry: &Registry, arguments: &VerifyArguments) -> Result<(), Failure> {
    let results = Results::open(&arguments.results).map_err(|error| Failure::System(error.to_string()))?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest);
    let failed = |error: LogError| Failure::System(error.to_string());
    let log = Log::read(&results.log(), &plan).map_err(failed)?;
    let (all, sample) = (log.len(), arguments.sample as u64);
    let wanted = if arguments.all { all } else { sample.min(all) };
    let records = (0..manifest.experiments.len()).flat_map(|experiment| log.records(experiment));
    let mut differ = Vec::new();
    // Spread evenly over the log: every experiment and cell has its part.
    let picked = |index: &u64| index * wanted / all.max(1) != (index + 1) * wanted / all.max(1);
    for (_, record) in (0..all).zip(records).filter(|(index, _)| picked(index)) {
        let record: Record = record.map_err(failed)?;
        if !play(&plan, record.trial).went_as(&record) {
            differ.push(plan.id(&record.trial).to_string());
        }
    }
    let ok = differ.is_empty();
    if arguments.json {
        print_json("verify", SCHEMA, Content { replayed: wanted, differ })?;
    } else {
        for id in &differ {
            print(format!(
                "trial {id} went otherwise; `shikou trial {} {id}` shows it",
                results.path().display()
            ))?;
        }
        let (replayed, all) = (with_thousands(wanted), with_thousands(all));
        print(format!("{replayed} of {all} trials replayed, {} differ", differ.len()))?;
    }
    if ok { Ok(()) } else { Err(Failure::Check) }
}
