//! `shikou status`: how far a folder of results is.

use serde::Serialize;

use super::arguments::StatusArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Manifest, Plan, Results, read_log};
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
    other_lines: usize,
    cells: Vec<CellStatus>,
}

pub(super) fn status(registry: &Registry, arguments: &StatusArguments) -> Result<(), Failure> {
    let results = Results::open(&arguments.results).map_err(|error| Failure::System(error.to_string()))?;
    let manifest = Manifest::read(&results.manifest(), registry)?;
    let plan = Plan::new(&manifest);
    let contents = read_log(&results.log(), &plan).map_err(|error| Failure::System(error.to_string()))?;
    let mut cells = Vec::new();
    for (index, experiment) in manifest.experiments.iter().enumerate() {
        for (number, cell) in plan.cells[index].iter().enumerate() {
            let of_cell =
                || contents.records.iter().filter(|r| r.trial.experiment == index && r.trial.cell == number);
            let failed =
                of_cell().filter(|record| record.games.iter().any(|game| game.result.is_err())).count();
            cells.push(CellStatus {
                experiment: experiment.name.clone(),
                players: cell.players.iter().map(|&player| experiment.players[player].name.clone()).collect(),
                trials: experiment.trials,
                done: of_cell().count() as u64,
                failed: failed as u64,
            });
        }
    }
    let (trials, done) = (plan.len(), contents.records.len() as u64);
    if arguments.json {
        let content = Content { trials, done, other_lines: contents.other_lines, cells };
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
