//! `shikou trial`: one trial again, alone, with every decision shown; and `shikou verify`: many of them compared.

use std::fmt::Write as _;

use serde::Serialize;

use super::arguments::{TrialArguments, VerifyArguments};
use super::failure::Failure;
use super::output::{print, print_json};
use super::thoughts::thoughts;
use crate::experiment::{Manifest, Plan, Results, Trial, play, play_watched, read_log};
use crate::players::Registry;
use crate::report::with_thousands;

const SCHEMA: u32 = 1;

pub(super) fn trial(registry: &Registry, arguments: &TrialArguments) -> Result<(), Failure> {
    let path = &arguments.source;
    let path = if path.is_dir() { path.join("manifest.toml") } else { path.clone() };
    let manifest = Manifest::read(&path, registry)?;
    let plan = Plan::new(&manifest);
    let prefix = arguments.id.to_lowercase();
    let found: Vec<Trial> =
        plan.canonical().filter(|trial| plan.id(trial).to_string().starts_with(&prefix)).take(2).collect();
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
    let mut printed = Ok(());
    let record = play_watched(&plan, trial, &mut |table, seating| {
        if printed.is_err() {
            return;
        }
        let mut text = String::new();
        if table.plies() == 0 {
            let names: Vec<&str> =
                seating.iter().map(|&player| experiment.players[player].name.as_str()).collect();
            text = format!("\n{}\n", names.join(" – "));
        }
        match (table.last_move(), table.last_decision()) {
            (Some(mv), Some((seat, view))) => {
                let name = &experiment.players[seating[seat.index()]].name;
                let _ = writeln!(text, "\nply {}: {mv}\n{}", table.plies(), thoughts(name, "plays", &view));
            }
            (Some(mv), None) => {
                let _ = writeln!(text, "\nply {}: {mv} (chance or the opening)", table.plies());
            }
            (None, _) => {}
        }
        printed = print(format!("{text}{}", table.drawing()));
    });
    printed?;
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

#[derive(Serialize)]
struct Content {
    replayed: usize,
    differ: Vec<String>,
}

pub(super) fn verify(registry: &Registry, arguments: &VerifyArguments) -> Result<(), Failure> {
    let results = Results::open(&arguments.results).map_err(|error| Failure::System(error.to_string()))?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest);
    let records =
        read_log(&results.log(), &plan).map_err(|error| Failure::System(error.to_string()))?.records;
    let wanted = if arguments.all { records.len() } else { arguments.sample.min(records.len()) };
    // Spread evenly over the log: every experiment and cell has its part.
    let picked = (0..wanted).map(|index| &records[index * records.len() / wanted]);
    let differ: Vec<String> = picked
        .filter(|record| !play(&plan, record.trial).went_as(record))
        .map(|record| plan.id(&record.trial).to_string())
        .collect();
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
        let (replayed, all) = (with_thousands(wanted as u64), with_thousands(records.len() as u64));
        print(format!("{replayed} of {all} trials replayed, {} differ", differ.len()))?;
    }
    if ok { Ok(()) } else { Err(Failure::Check) }
}
