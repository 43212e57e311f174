//! The conclusion from a log: derived files, report, digest and exit code.

use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
use std::path::{Path, PathBuf};

use super::error::{CommandError, Result, usage};
use super::groups::OutputArguments;
use super::optimise::Found;
use super::output::{note_warnings, print_report};
use super::pages::PageArguments;
use crate::experiment::{
    Comparison, Digests, Draft, ExplorerGames, Findings, Log, LogForm, MoveTimes, OptimisationSummary, Plan,
    REFERENCES, Reference, Results, RunFacts, Shard, Source, Summary, escaped_in_json, find,
};
use crate::report::{
    Block, Document, Extent, Report, Run, answer_report, cautions, counted, failures, is_or_are, keep_times,
    object, pretty, run_report, to_json, verdict,
};
use crate::words::shell_path;

/// The version of the JSON; the summary in it has one of its own.
const SCHEMA: u32 = 3;

#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    /// Whether to print the last line only, if the format is for people.
    pub(super) quiet: bool,
    /// Whether to print the whole report, not only the answer.
    pub(super) full: bool,
    pub(super) output: &'a OutputArguments,
    /// Whether a result that does not reproduce the reference gives exit code 1.
    pub(super) check: bool,
    /// The files to write for people, which are then named in place of the report.
    pub(super) pages: Option<&'a PageArguments>,
}

/// The results of a run or of a match as a report, and how to print it.
pub(super) struct Concluded<'a> {
    pub(super) manner: Manner<'a>,
    pub(super) run: Run<'a>,
    /// The digest, and how it compares with the reference; none of a match.
    pub(super) digest: Option<(&'a str, String)>,
    /// The notes below the answer, and those below the whole report.
    pub(super) notes: [Vec<String>; 2],
    /// Whether the document is the last line only.
    pub(super) brief: bool,
    pub(super) json: &'a dyn Fn() -> String,
    pub(super) path: &'a Path,
}

impl Concluded<'_> {
    pub(super) fn print(&self) -> Result {
        let Manner { full, output, pages, .. } = self.manner;
        let Run { summary, times, facts, .. } = self.run;
        let extent = if full { Extent::Short } else { Extent::Answer };
        let written = pages.map(|pages| pages.write(self.path, self)).transpose()?.unwrap_or_default();
        // A page has the whole report.
        let whole = full || !written.is_empty();
        let found = cautions(summary, facts, times.is_some(), whole);
        note_warnings(found.into_iter().map(|caution| caution.kind));
        if written.is_empty() || !output.is_text() {
            return output.print_as(self, extent);
        }
        let last = self.last_line().map(Block::Line);
        let document = Document([Block::Text(written)].into_iter().chain(last).collect());
        print_report(&document.text(output.page(extent)))
    }

    fn last_line(&self) -> Option<String> {
        self.digest.as_ref().map(|(digest, comparison)| format!("digest {digest} {comparison}"))
    }
}

impl Report for Concluded<'_> {
    fn document(&self, extent: Extent) -> Document {
        let width = self.manner.output.page(extent).width;
        let last = self.digest.as_ref().map(|(digest, comparison)| match self.last_line() {
            Some(line) if self.brief || line.chars().count() <= width => Block::Line(line),
            _ => Block::Line(format!("digest {digest:.8}… {comparison}")),
        });
        if self.brief {
            return Document(last.into_iter().collect());
        }
        let &Run { summary, times, facts, .. } = &self.run;
        let (mut document, notes) = match extent {
            Extent::Answer => (answer_report(summary, times.map(|_| facts)), &self.notes[0]),
            _ => (run_report(summary, times, facts, extent), &self.notes[1]),
        };
        document.0.extend([Block::Text(notes.clone())].into_iter().chain(last));
        document
    }

    fn json(&self) -> String {
        (self.json)()
    }

    fn run(&self) -> Option<Run<'_>> {
        Some(Run { digest: self.last_line(), ..self.run })
    }
}

/// The notes below the results in a folder: these, and where everything is, with the meaning of the digest if there is something to
/// explain.
fn notes_below(path: &Path, notes: &[String], meaning: Option<String>) -> [Vec<String>; 2] {
    let everything = format!("everything else: shikou report {} --full", shell_path(path));
    let here = format!("results in {}", path.display());
    let below = |more: Vec<String>| [notes, &more].concat();
    [below([everything].into_iter().chain(meaning).collect()), below(vec![here])]
}

fn json_of(command: &str, summary: &Summary, digest: &str, comparison: &str) -> String {
    let verdicts: Vec<_> = summary.experiments.iter().map(verdict).collect();
    to_json(command, SCHEMA, object! { summary, verdicts, digest, comparison })
}

/// The folder of the reference results for a manifest of this name.
pub(super) fn reference_of(stem: &Path) -> PathBuf {
    Path::new(REFERENCES).join(stem)
}

/// The extent of the results, and the reference with which they are compared.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// The whole of the plan, and the reference in this folder.
    Whole(PathBuf),
    /// The trials played so far, and the reference in this folder.
    SoFar(PathBuf),
    /// A shard of the plan, and nothing; and from where it is known, if not from the command line.
    Shard(Shard, Option<String>),
    /// The smoke run of a plan, and nothing.
    Trial,
}

/// Derives the results from the log in a folder, writes them beside the log, and prints the report.
pub(super) fn conclude(
    command: &str,
    results: &Results,
    plan: &Plan,
    log: &Log,
    (trainings, optimised): Found,
    goal: &Goal,
    manner: Manner<'_>,
) -> Result {
    let times = MoveTimes::read(&results.times(), plan);
    let reports = command == "report";
    let mut not_written = "";
    match results.draft("digests.csv") {
        // A report can be read where nothing can be written, and while a run writes.
        Err(error) if reports && matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            not_written = ", which is read-only: nothing was written";
        }
        Ok(_) if reports && results.is_being_written() => {
            not_written = ", where a run is writing: nothing was written";
        }
        draft => drop(draft?),
    }
    let writes = not_written.is_empty();
    // A packed log would be stored twice, and the second time at four times the size.
    let draft = (writes && log.form() == LogForm::Csv).then(|| results.draft("canonical.csv"));
    let mut canonical = draft.transpose()?;
    let mut found = match &mut canonical {
        Some(draft) => find(plan, log, times, draft)?,
        None => find(plan, log, times, std::io::sink())?,
    };
    found.summary.trainings = trainings;
    found.summary.optimisations = optimised;
    let Findings { summary, times, digests, missing, .. } = &found;
    let facts = RunFacts::read(results);
    let report = run_report(summary, Some(times), &facts, Extent::Short);
    let summary_json = escaped_in_json(pretty(summary) + "\n");
    let files = [
        ("digests.csv", digests.to_csv()),
        ("summary.json", summary_json),
        ("report.txt", format!("{report}\n")),
    ];
    if writes {
        refuse_another_digest(results, digests)?;
        canonical.map_or(Ok(()), Draft::finish)?;
        for (name, content) in files {
            results.write(name, content)?;
        }
    }
    let comparison = match goal {
        Goal::Whole(reference) | Goal::SoFar(reference) => digests.compare(reference),
        Goal::Shard(..) | Goal::Trial => Comparison::NoReference,
    };
    let words = state(goal, summary, *missing, &comparison);
    let waits =
        |(experiment, optimisation): &(String, String)| format!("{experiment} waits for {optimisation}");
    let mut notes: Vec<String> = plan.manifest().waiting.iter().map(waits).collect();
    if log.other_lines > 0 {
        let (lines, are) = (counted(log.other_lines, "line"), is_or_are(log.other_lines));
        let they = if log.other_lines == 1 { "it is" } else { "they are" };
        notes.push(format!("{lines} of the log {are} from other trials; {they} kept"));
    }
    if !not_written.is_empty() {
        notes.push(format!("results in {}{not_written}", results.path().display()));
    }
    let meaning = match (goal, &comparison) {
        (Goal::Whole(reference) | Goal::SoFar(reference), Comparison::Reproduces) => {
            Some(format!("every trial has the same result as in {}", reference.display()))
        }
        (Goal::Whole(_) | Goal::SoFar(_), Comparison::NoReference) if *missing == 0 => repeats(plan)
            .then(|| "the same manifest gives the same digest, with any number of threads".into()),
        _ => None,
    };
    let brief = manner.quiet || matches!(goal, Goal::Shard(..));
    let explored =
        manner.pages.map(|pages| pages.explore.games(plan, Source::Log(log), summary, results.path()));
    let explored = explored.transpose()?.flatten();
    let run = Run { summary, times: Some(times), facts: &facts, digest: None, explored: explored.as_ref() };
    let (digest, path) = (digests.digest(), results.path());
    let (notes, json) = (notes_below(path, &notes, meaning), || json_of(command, summary, digest, &words));
    Concluded { manner, run, digest: Some((digest, words.clone())), notes, brief, json: &json, path }
        .print()?;
    match (summary.failed_games(), comparison) {
        (1.., _) if manner.quiet => {
            let reasons =
                |experiment| failures(experiment).map(|words| format!("{}: {words}", experiment.name));
            Err(CommandError::Trials(summary.experiments.iter().flat_map(reasons).collect()))
        }
        (1.., _) => Err(CommandError::Trials(Vec::new())),
        (0, _) if *missing > 0 && matches!(goal, Goal::Whole(_) | Goal::Trial) => {
            Err(usage!("trials are missing although all were played: internal error; please report it"))
        }
        (0, Comparison::Reproduces) => Ok(()),
        (0, _) if manner.check => Err(CommandError::Check),
        (0, _) => Ok(()),
    }
}

/// The state of the results, or how they compare with the reference.
fn state(goal: &Goal, summary: &Summary, missing: u64, comparison: &Comparison) -> String {
    match goal {
        Goal::Trial if missing == 0 => {
            let games = summary.experiments.iter().map(|experiment| experiment.games).sum();
            format!("of a smoke run: {} played, nothing kept", counted(games, "game"))
        }
        Goal::Shard(shard, from) => {
            let from = from.as_ref().map_or_else(String::new, |from| format!(" by {from}"));
            format!("shard {shard}{from}; `shikou merge` merges the shards")
        }
        _ if !summary.optimisations.iter().all(OptimisationSummary::is_complete) => {
            "optimisations have not ended".into()
        }
        _ if !summary.trainings.iter().all(|training| training.complete) => "trainings have not ended".into(),
        _ if missing > 0 => format!("{} {} missing", counted(missing, "trial"), is_or_are(missing)),
        _ => comparison.words(),
    }
}

/// Whether each player decides the same in every run. What engines play is not part of the digest.
fn repeats(plan: &Plan) -> bool {
    !plan
        .experiments()
        .flat_map(|experiment| &experiment.players)
        .any(|player| !player.searcher.is_repeatable() && !player.searcher.is_engine())
}

/// Digests that are there already are of the same log, or a file was changed, or a build derives something else.
fn refuse_another_digest(results: &Results, digests: &Digests) -> Result {
    let path = results.digests();
    match std::fs::read_to_string(&path) {
        Ok(before) if before != digests.to_csv() => Err(usage!(
            "{}: this file has another digest than the log and the manifest give now ({}), so nothing was written; \
             `shikou verify {}` plays trials again, and if the log is right, delete this file",
            path.display(),
            digests.digest(),
            shell_path(results.path())
        )),
        _ => Ok(()),
    }
}

/// Prints the report of a reference, which has no log, in the folder `path`. If `write` is set, `report.txt` is written.
pub(super) fn conclude_reference(
    reference: &Reference,
    path: &Path,
    explored: Option<&ExplorerGames>,
    write: bool,
    manner: Manner<'_>,
) -> Result {
    let Reference { summary, facts, digest } = reference;
    if write {
        let mut report = run_report(summary, None, facts, Extent::Short);
        keep_times(
            &mut report,
            summary.experiments.len(),
            &std::fs::read_to_string(path.join("report.txt")).unwrap_or_default(),
        );
        Results::open_reference(path)?.write("report.txt", format!("{report}\n"))?;
    }
    let run = Run { summary, times: None, facts, digest: None, explored };
    let (comparison, notes) = ("of this reference", notes_below(path, &[], None));
    let json = || json_of("report", summary, digest, comparison);
    let digest = Some((digest.as_str(), comparison.into()));
    Concluded { manner, run, digest, notes, brief: manner.quiet, json: &json, path }.print()
}

/// The folder of the reference for a folder of results, by the name of the manifest in the host facts.
pub(super) fn reference_for(results: &Results) -> PathBuf {
    let host = std::fs::read_to_string(results.host()).unwrap_or_default();
    let facts: toml::Table = host.parse().unwrap_or_default();
    let name = facts.get("manifest").and_then(toml::Value::as_str).unwrap_or_default();
    reference_of(Path::new(name))
}
