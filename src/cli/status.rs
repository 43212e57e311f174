//! `shikou status`: how far a folder of results is.

use serde::Serialize;

use super::arguments::StatusArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Log, Manifest, Plan, Results};
use crate::players::Registry;
use crate::report::{Table, with_thousands};

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct CellStatus {
    experiment: String,
    players: Vec<String>,
    trials: u64,
    done: u64,
    failed: u64,
}

#[derive(Serialize)]
struct Content {
    trials: u64,
    done: u64,
    other_lines: u64,
    cells: Vec<CellStatus>,
}

pub(super) fn status(registry: &Registry, arguments: &StatusArguments) -> Result<(), Failure> {
    let results = Results::open(&arguments.results).map_err(|error| Failure::System(error.to_string()))?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest);
    let log = Log::read(&results.log(), &plan).map_err(|error| Failure::System(error.to_string()))?;
    let mut cells = Vec::new();
    for (index, experiment) in manifest.experiments.iter().enumerate() {
        let mut counts = vec![(0, 0); plan.cells[index].len()];
        for record in log.records(index) {
            let record = record.map_err(|error| Failure::System(error.to_string()))?;
            let (done, failed) = &mut counts[record.trial.cell];
            *done += 1;
            *failed += u64::from(record.games.iter().any(|game| game.result.is_err()));
        }
        for (cell, (done, failed)) in plan.cells[index].iter().zip(counts) {
            let players =
                cell.players.iter().map(|&player| experiment.players[player].name.clone()).collect();
            let (experiment, trials) = (experiment.name.clone(), experiment.trials);
            cells.push(CellStatus { experiment, players, trials, done, failed });
        }
    }
    let (trials, done) = (plan.len(), log.len());
    if arguments.json {
        let content = Content { trials, done, other_lines: log.other_lines, cells };
        return print_json("status", SCHEMA, content);
    }
    let mut table = Table::new(&["<experiment", "<players", ">trials", ">done", ">failed"]);
    for cell in cells {
        let counts = [cell.trials, cell.done, cell.failed].map(with_thousands);
        table.row([cell.experiment, cell.players.join(" – ")].into_iter().chain(counts));
    }
    print(table)?;
    let state =
        if done == trials { "complete".into() } else { format!("{} to go", with_thousands(trials - done)) };
    print(format!("\n{} of {} trials, {state}", with_thousands(done), with_thousands(trials)))
}
