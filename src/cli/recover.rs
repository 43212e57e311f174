//! `shikou recover`: the sound part of a damaged log.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::error::Result;
use super::groups::OutputArguments;
use crate::experiment::{
    CHECKPOINTS, EVALUATIONS, EvaluationLog, LogForm, Recovered, Results, recover as recover_log,
    recover_training,
};
use crate::players::Registry;
use crate::report::{Block, Document, counted, object, unless_empty};

/// The largest number of damaged lines that are named.
const MOST: usize = 10;

#[derive(Args)]
#[command(after_help = "Example:
  shikou recover results/tour

Each row of trials.csv ends with a check, and so does each gzip member of trials.csv.gz. What agrees
with its check is kept; the damaged files are moved to before-1, before-2 … in the folder. The next run plays the lost trials again, and ends
with the same digest. So it is with the rows of optimisations; of a training the checkpoint before takes the place of a
damaged one. What is not damaged stays as it is.")]
pub(super) struct RecoverArguments {
    /// The folder that a run wrote, or that of an optimisation or a training in it
    results: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn recover(_registry: &Registry, arguments: &RecoverArguments) -> Result {
    let is_part = |file: &&str| arguments.results.join(file).is_file();
    if [EVALUATIONS].iter().chain(&CHECKPOINTS).any(is_part) {
        let content = PartContent::recover(&arguments.results)?;
        let document = Document(vec![Block::Text(content.words())]);
        return arguments.output.show("recover", content, document);
    }
    let results = Results::open(&arguments.results)?;
    let recovered = recover_log(&results)?;
    let Recovered { kept, damaged, damaged_bytes, torn_bytes, facts, taken, aside } = &recovered;
    let aside = aside.as_ref().map(|aside| aside.display().to_string());
    let mut parts: Vec<PartContent> = Vec::new();
    let unit = unit_of(&results);
    for (log, lost) in taken {
        let (part, lost) = (log.display().to_string(), *lost as u64);
        parts.push(PartContent { part, kept: 0, lost, unit, aside: aside.clone() });
    }
    for part in results.parts()? {
        parts.push(PartContent::recover(&part)?);
    }
    parts.retain(|part| part.aside.is_some());
    let mut lines = words(&recovered, &results);
    if !parts.is_empty() {
        lines.retain(|line| line != NOTHING);
    }
    lines.extend(parts.iter().flat_map(PartContent::words));
    let content = object! {
        kept_rows: kept, damaged_lines: damaged, damaged_bytes, torn_bytes, lost_facts: facts, aside,
        #[serde(flatten)] parts: unless_empty("parts", parts),
    };
    arguments.output.show("recover", content, Document(vec![Block::Text(lines)]))
}

const NOTHING: &str = "nothing is damaged, and nothing was changed";

#[derive(Serialize)]
struct PartContent {
    /// The folder, or a log.
    part: String,
    /// The sound rows of an optimisation.
    kept: u64,
    /// The damaged lines of an optimisation, or the damaged files of a training.
    lost: u64,
    /// `line`, `member` or `file`.
    unit: &'static str,
    aside: Option<String>,
}

impl PartContent {
    fn recover(folder: &Path) -> Result<Self> {
        let is_optimisation = folder.join(EVALUATIONS).is_file();
        let unit = if is_optimisation { "line" } else { "file" };
        let (kept, lost, aside) = if is_optimisation {
            let Recovered { kept, damaged, aside, .. } = EvaluationLog::recover(folder)?;
            (kept, damaged.len() as u64, aside)
        } else {
            match recover_training(folder)? {
                Some((files, aside)) => (0, files.len() as u64, Some(aside)),
                None => (0, 0, None),
            }
        };
        let aside = aside.map(|aside| aside.display().to_string());
        Ok(Self { part: folder.display().to_string(), kept, lost, unit, aside })
    }

    fn words(&self) -> Vec<String> {
        let Self { part, kept, lost, unit, aside } = self;
        let Some(aside) = aside else { return vec![NOTHING.into()] };
        let kept = if *kept > 0 { format!("{} kept, ", counted(*kept, "sound row")) } else { String::new() };
        vec![
            format!("{part}: {kept}{} lost", counted(*lost, &format!("damaged {unit}"))),
            format!("the damaged files are in {aside}; the next run makes what is lost again"),
        ]
    }
}

fn unit_of(results: &Results) -> &'static str {
    match results.form() {
        LogForm::Csv => "line",
        LogForm::Gzip => "member",
    }
}

fn words(recovered: &Recovered, results: &Results) -> Vec<String> {
    let Recovered { kept, damaged, damaged_bytes, torn_bytes, facts, aside, .. } = recovered;
    let folder = results.path().display();
    let unit = unit_of(results);
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
        None => lines.push(NOTHING.into()),
        Some(_) if damaged.is_empty() && facts.is_none() => {}
        Some(aside) => {
            lines.push(format!("the damaged files are in {}", aside.display()));
            lines.push("the next run plays the lost trials again".into());
        }
    }
    lines
}
