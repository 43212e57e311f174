//! What follows from a log: the derived files, the report, the digest, the exit code.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::failure::Failure;
use super::output::{print, print_json};
use crate::experiment::{Comparison, Findings, Log, Plan, Results, RunFacts, Share, Summary, Times, find};
use crate::report::{Extent, failures, figure_csv, run_csv, run_report, verdict};

const SCHEMA: u32 = 2;

/// In which form results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Tables for a terminal
    #[default]
    Text,
    /// The same in Markdown, and all comparisons
    Markdown,
    /// One long table: a figure a row; no times
    Csv,
    /// Success against cost as CSV, a strategy a row, processor time too: for plotting programs
    Figure,
    /// The whole summary
    Json,
}

impl Format {
    /// JSON where it was asked for, else tables.
    pub(super) const fn json_or_text(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// How to say it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    /// The last line only.
    pub(super) quiet: bool,
    /// In which form.
    pub(super) format: Format,
    /// Exit code 1 where the reference is not reproduced.
    pub(super) check: bool,
}

/// What `--json` prints. The summary says the version of its own shape.
#[derive(Serialize)]
struct Content<'s> {
    summary: &'s Summary,
    /// For each experiment what it says, in sentences.
    verdicts: Vec<Vec<String>>,
    digest: &'s str,
    comparison: String,
}

/// The folder of the reference results for a manifest of this name.
pub(super) fn reference_of(stem: &Path) -> PathBuf {
    Path::new("results").join("reference").join(stem)
}

/// What the results are to be held against.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// The whole of the plan, and the reference in this folder.
    Whole(PathBuf),
    /// As much of the plan as there is, and the reference in this folder.
    SoFar(PathBuf),
    /// A share of the plan, and nothing.
    Share(Share),
    /// The plan in small, and nothing.
    Trial,
}

/// Derives what follows from the log in a folder, writes it beside the log, prints the report and the digest.
pub(super) fn conclude(
    command: &str,
    results: &Results,
    plan: &Plan<'_>,
    log: &Log<'_>,
    goal: &Goal,
    manner: Manner,
) -> Result<(), Failure> {
    let system = |error: std::io::Error| Failure::System(error.to_string());
    let times = Times::read(&results.times(), plan);
    let mut canonical = results.draft("canonical.csv").map_err(system)?;
    let found = find(plan, log, times, &mut canonical).map_err(|error| Failure::System(error.to_string()))?;
    let Findings { summary, times, digests, missing, .. } = found;
    let facts = RunFacts::read(results);
    let report = run_report(&summary, &times, &facts, Extent::Short);
    let summary_json = serde_json::to_string_pretty(&summary).expect("a summary is JSON") + "\n";
    let files = [
        ("digests.csv", digests.to_csv()),
        ("summary.json", summary_json),
        ("report.txt", format!("{report}\n")),
    ];
    canonical.finish().map_err(system)?;
    for (name, content) in files {
        results.write(name, content).map_err(system)?;
    }
    let comparison = match goal {
        Goal::Whole(reference) | Goal::SoFar(reference) => digests.compare(reference),
        Goal::Share(_) | Goal::Trial => Comparison::NoReference,
    };
    let words = match goal {
        Goal::Share(share) => format!("share {share}; `shikou merge` joins the shares"),
        _ if missing > 0 => format!("{missing} trials are missing"),
        _ => comparison.words(),
    };
    if manner.format == Format::Json {
        let verdicts = summary.experiments.iter().map(verdict).collect();
        let content = Content { summary: &summary, verdicts, digest: digests.digest(), comparison: words };
        print_json(command, SCHEMA, content)?;
    } else if manner.format == Format::Csv && !manner.quiet {
        print(run_csv(&summary).trim_end())?;
    } else if manner.format == Format::Figure && !manner.quiet {
        print(figure_csv(&summary, &facts).trim_end())?;
    } else if manner.format == Format::Markdown && !manner.quiet {
        let report = run_report(&summary, &times, &facts, Extent::Full);
        print(format!("{}\n\ndigest {} {words}", report.markdown(), digests.digest()))?;
    } else {
        if !manner.quiet && !matches!(goal, Goal::Share(_)) {
            print(format!("{report}\n"))?;
            if log.other_lines > 0 {
                print(format!("{} lines of the log are of other trials; they are kept", log.other_lines))?;
            }
            print(format!("results in {}", results.path().display()))?;
        }
        print(format!("digest {} {words}", digests.digest()))?;
    }
    match (summary.failed_games(), comparison) {
        (1.., _) if manner.quiet => {
            let reasons =
                |experiment| failures(experiment).map(|words| format!("{}: {words}", experiment.name));
            Err(Failure::Trials(summary.experiments.iter().flat_map(reasons).collect()))
        }
        (1.., _) => Err(Failure::Trials(Vec::new())),
        (0, _) if missing > 0 && matches!(goal, Goal::Whole(_) | Goal::Trial) => Err(Failure::System(
            "trials are missing although all were played; this is a mistake in Shikou".into(),
        )),
        (0, Comparison::Reproduces) => Ok(()),
        (0, _) if manner.check => Err(Failure::Check),
        (0, _) => Ok(()),
    }
}

/// The reference for a folder of results: that of the manifest which was run, by the name in the host facts.
pub(super) fn reference_for(results: &Results) -> PathBuf {
    let host = std::fs::read_to_string(results.path().join("host.toml")).unwrap_or_default();
    let facts: toml::Table = host.parse().unwrap_or_default();
    let name = facts.get("manifest").and_then(toml::Value::as_str).unwrap_or_default();
    reference_of(Path::new(name))
}
