//! `shikou status`: the progress of a folder of results.

use std::path::PathBuf;

use clap::Args;

use super::error::CommandError;
use super::folder::open_all;
use super::groups::OutputArguments;
use super::optimise::{optimisation_table, outlines, training_table, waiting_block};
use super::progress::decided;
use super::status_shards::{base_of_shards, status_of_shards};
use crate::experiment::{Live, Shard, TrainingSummary};
use crate::players::Registry;
use crate::report::{Document, Table, counted, object, unless_empty, with_thousands};

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou status results/tour
  shikou status results/tour.shards.toml

The second shows the shards of a run; so does the first, as long as they are not merged.")]
pub(super) struct StatusArguments {
    /// The folder that a run wrote, or the file beside the shards of a run
    results: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn status(registry: &Registry, arguments: &StatusArguments) -> Result<(), CommandError> {
    if let Some(base) = base_of_shards(&arguments.results) {
        return status_of_shards(registry, &base, &arguments.output);
    }
    let (_, plan, log, optimised) = open_all(&arguments.results, registry)?;
    let (mut cells, mut done) = (Vec::new(), 0);
    for (index, experiment) in plan.experiments().enumerate() {
        let mut counts = vec![(0, 0, 0); plan.cells(index).len()];
        for record in log.records(index) {
            let record = record?;
            done += u64::from(!plan.is_repeated(&record.trial));
            let (done, failed, forfeited) = &mut counts[record.trial.cell];
            *done += 1;
            *failed += u64::from(record.has_failed());
            *forfeited += u64::from(record.is_forfeited());
        }
        for (cell, (done, failed, forfeited)) in plan.cells(index).iter().zip(counts) {
            let players: Vec<String> =
                cell.players.iter().map(|&player| experiment.players[player].name.clone()).collect();
            let (experiment, trials) = (experiment.name.clone(), experiment.trials);
            cells.push(object! { experiment, players, trials, done, failed, forfeited });
        }
    }
    let live = Live::new(&plan, Shard::WHOLE, &log)?;
    let (trials, left) = (plan.distinct(), live.left());
    let columns = ["<experiment", "<players", ">trials", ">done", ">failed", ">forfeited"];
    let shown = columns.len() - usize::from(cells.iter().all(|cell| cell.forfeited == 0));
    let mut table = Table::new(&columns[..shown]);
    for cell in &cells {
        let counts = [cell.trials, cell.done, cell.failed, cell.forfeited].map(with_thousands);
        let row = [cell.experiment.clone(), cell.players.join(" – ")].into_iter().chain(counts);
        table.row(row.take(shown));
    }
    let optimisations = outlines(&optimised);
    let trainings: Vec<TrainingSummary> = optimised
        .trainings()
        .iter()
        .map(|(training, trained)| TrainingSummary::new(training, Some(trained)))
        .collect();
    let mut document = Document(Vec::new());
    if !trainings.is_empty() {
        document.0.push(training_table(&trainings).into());
    }
    if !optimisations.is_empty() {
        document.0.push(optimisation_table(&optimisations).into());
    }
    if !cells.is_empty() {
        document.0.push(table.into());
    }
    document.0.extend(waiting_block(&plan.manifest().waiting));
    for index in 0..plan.experiments().len() {
        if let Some(decision) = live.standings(index).decision() {
            document.0.push(decided(&plan, index, decision).into());
        }
    }
    let state = match left {
        0 => "complete".into(),
        _ if live.may_stop() => format!("at most {} left", with_thousands(left)),
        _ => format!("{} left", with_thousands(left)),
    };
    let text = format!("{} of {}, {state}", with_thousands(done), counted(trials, "trial"));
    if trials > 0 || (optimisations.is_empty() && trainings.is_empty()) {
        document.0.push(text.into());
    }
    let content = object! {
        #[serde(flatten)] trainings: unless_empty("trainings", trainings),
        #[serde(flatten)] optimisations: unless_empty("optimisations", optimisations),
        trials, done, left, other_lines: log.other_lines, cells,
    };
    arguments.output.show("status", SCHEMA, content, document)
}
