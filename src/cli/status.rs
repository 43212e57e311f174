//! `shikou status`: how far a folder of results is.

use serde::Serialize;

use super::arguments::StatusArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Live, Log, Manifest, Plan, Results, Share};
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
    /// How many are to be played yet: at most so many, where a stopping rule may decide.
    left: u64,
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
    let live = Live::new(&plan, Share::WHOLE, &log).map_err(|error| Failure::System(error.to_string()))?;
    let (trials, done, left) = (plan.len(), log.len(), live.left());
    if arguments.json {
        let content = Content { trials, done, left, other_lines: log.other_lines, cells };
        return print_json("status", SCHEMA, content);
    }
    let mut table = Table::new(&["<experiment", "<players", ">trials", ">done", ">failed"]);
    for cell in cells {
        let counts = [cell.trials, cell.done, cell.failed].map(with_thousands);
        table.row([cell.experiment, cell.players.join(" – ")].into_iter().chain(counts));
    }
    print(table)?;
    for (index, experiment) in manifest.experiments.iter().enumerate() {
        if let Some(decision) = live.standings(index).decision() {
            let instances = with_thousands(decision.instances);
            print(format!("\n{}: decided after {instances} instances: {}", experiment.name, decision.words))?;
        }
    }
    let state = match left {
        0 => "complete".into(),
        _ if live.may_stop() => format!("at most {} to go", with_thousands(left)),
        _ => format!("{} to go", with_thousands(left)),
    };
    print(format!("\n{} of {} trials, {state}", with_thousands(done), with_thousands(trials)))
}
