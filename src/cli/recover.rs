//! `shikou recover`: the sound part of a damaged log.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::OutputArguments;
use crate::experiment::{EVALUATIONS, EvaluationLog, LogForm, Recovered, Results, recover as recover_log};
use crate::report::{Block, Document, counted};

const SCHEMA: u32 = 1;

/// The largest number of damaged lines that are named.
const MOST: usize = 10;

#[derive(Args)]
#[command(after_help = "Example:
  shikou recover results/tour

Each row of trials.csv ends with a check, and each block of trials.bin begins with one. What agrees
with its check is kept; the damaged files are moved to before-1, before-2 … in the folder. The next run plays the lost trials again, and ends
with the same digest. A log that is not damaged stays as it is.")]
pub(super) struct RecoverArguments {
    /// The folder that a run wrote, or that of an optimisation in it
    results: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content<'r> {
    kept_rows: u64,
    damaged_lines: &'r [u64],
    damaged_bytes: u64,
    torn_bytes: u64,
    /// Why `log.toml` was written anew.
    lost_facts: Option<&'r str>,
    aside: Option<String>,
}

pub(super) fn recover(arguments: &RecoverArguments) -> Result<(), CommandError> {
    if arguments.results.join(EVALUATIONS).is_file() {
        return recover_optimisation(arguments);
    }
    let results = Results::open(&arguments.results).map_err(CommandError::because)?;
    let recovered = recover_log(&results)?;
    let Recovered { kept, damaged, damaged_bytes, torn_bytes, facts, aside } = &recovered;
    let content = Content {
        kept_rows: *kept,
        damaged_lines: damaged,
        damaged_bytes: *damaged_bytes,
        torn_bytes: *torn_bytes,
        lost_facts: facts.as_deref(),
        aside: aside.as_ref().map(|aside| aside.display().to_string()),
    };
    let document = Document(vec![Block::Text(words(&recovered, &results))]);
    arguments.output.show("recover", SCHEMA, content, document)
}

/// Recovers the log of an optimisation, in its folder.
fn recover_optimisation(arguments: &RecoverArguments) -> Result<(), CommandError> {
    let (kept, lost, aside) = EvaluationLog::recover(&arguments.results).map_err(CommandError::because)?;
    let mut lines =
        vec![format!("{} kept, {} lost", counted(kept, "sound row"), counted(lost, "damaged line"))];
    lines.push(match &aside {
        None => "nothing is damaged, and nothing was changed".into(),
        Some(aside) => {
            format!("the damaged files are in {}; the next run plays the lost games again", aside.display())
        }
    });
    let content = OptimisationContent { kept, lost, aside: aside.map(|aside| aside.display().to_string()) };
    arguments.output.show("recover", SCHEMA, content, Document(vec![Block::Text(lines)]))
}

#[derive(Serialize)]
struct OptimisationContent {
    kept: u64,
    lost: u64,
    aside: Option<String>,
}

fn words(recovered: &Recovered, results: &Results) -> Vec<String> {
    let Recovered { kept, damaged, damaged_bytes, torn_bytes, facts, aside } = recovered;
    let folder = results.path().display();
    let unit = match results.form() {
        LogForm::Csv => "line",
        LogForm::Compact => "block",
    };
    let mut lines = vec![format!("{} kept", counted(*kept, "sound row"))];
    if !damaged.is_empty() {
        let named: Vec<String> = damaged.iter().take(MOST).map(u64::to_string).collect();
        let more = if damaged.len() > MOST { ", …" } else { "" };
        lines.push(format!(
            "{} of {} lost: {}{more}",
            counted(damaged.len() as u64, &format!("damaged {unit}")),
            counted(*damaged_bytes, "byte"),
            named.join(", ")
        ));
    }
    if *torn_bytes > 0 {
        lines.push(format!("the last {unit} is torn ({}); a run cuts it off", counted(*torn_bytes, "byte")));
    }
    if let Some(reason) = facts {
        lines.push(format!("log.toml was lost ({reason}): which build wrote the rows is not known"));
        lines.push(format!("`shikou verify {folder}` plays a sample of them again"));
    }
    match aside {
        None => lines.push("nothing is damaged, and nothing was changed".into()),
        Some(aside) => {
            lines.push(format!("the damaged files are in {}", aside.display()));
            lines.push("the next run plays the lost trials again".into());
        }
    }
    lines
}
