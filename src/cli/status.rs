//! `shikou status`: the progress of a folder of results, or of the shards of a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::division::{ShardState, decided as decided_by};
use super::error::{Result, usage};
use super::folder::open_all;
use super::groups::OutputArguments;
use super::optimise::{outlines, summaries, tables, waiting_block};
use super::progress::decided;
use crate::experiment::{Live, Manifest, Optimised, OwnerFacts, Plan, Results, Shard, Shards};
use crate::players::Registry;
use crate::report::{
    Document, Table, column, columns, counted, long_duration, object, unless_empty, with_thousands,
};

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

pub(super) fn status(registry: &Registry, arguments: &StatusArguments) -> Result {
    if let Some(base) = base_of_shards(&arguments.results) {
        return status_of_shards(registry, &base, &arguments.output);
    }
    let (results, plan, log, optimised) = open_all(&arguments.results, registry)?;
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
    let (trainings, _) = summaries(&optimised, results.path());
    let mut document = Document(tables(&trainings, &optimisations));
    document.0.extend((!cells.is_empty()).then(|| table.into()));
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
    arguments.output.show("status", content, document)
}

/// The end of the name of the file beside shards.
const BESIDE: &str = ".shards.toml";

/// The number of shards that the text shows one by one.
const SHOWN: usize = 50;

/// A shard that was seen in this time is being played: an owner touches its file every half minute.
const ALIVE: Duration = Duration::from_mins(3);

/// The beginning of the names of the shards' folders that this path tells of: the file beside them, or the folder into which they
/// will be merged. `None` for a folder of results.
fn base_of_shards(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    match name.strip_suffix(BESIDE) {
        Some(base) => Some(path.with_file_name(base)),
        None => (Results::open(path).is_err() && Shards::path(path).is_file()).then(|| path.into()),
    }
}

fn status_of_shards(registry: &Registry, base: &Path, output: &OutputArguments) -> Result {
    let found = Shards::read(base)?;
    let Some(found) = found else {
        let path = Shards::path(base).display().to_string();
        return Err(usage!("{path} is not there; `shikou run --shard auto/n` writes it"));
    };
    let all = || Shard::all(found.shards);
    let manifest = all().find_map(|shard| Results::open(&shard.folder(base)).ok());
    let manifest = match manifest {
        Some(results) => results.read_manifest(registry)?,
        None => Manifest::read(found.manifest_path(), registry)?,
    };
    let plan = Plan::new(&Optimised::default().finish(manifest))?;
    let decided = decided_by(&plan, base, found.shards);
    let (mut shards, mut cpu_seconds, mut totals) = (Vec::new(), 0.0, [0; 4]);
    for shard in all() {
        let state = ShardState::read(&plan, shard, &shard.folder(base), &decided)?;
        let ShardState { done, left, failed, forfeited, seen, .. } = state;
        cpu_seconds += state.cpu_seconds;
        totals
            .iter_mut()
            .zip([done, left, failed, forfeited])
            .for_each(|(total, of_shard)| *total += of_shard);
        let is_fresh = seen.is_some_and(|seen| seen < ALIVE);
        let words = match &state.owner {
            _ if left == 0 => "complete",
            None if done == 0 => "not begun",
            Some(owner) if !owner.has_stopped() && is_fresh => "playing",
            Some(owner) if !owner.has_stopped() => "silent",
            _ => "stopped",
        };
        let OwnerFacts { host, restarts, .. } = state.owner.unwrap_or_default();
        shards.push(object! {
            shard: shard.to_string(), done, left, failed, forfeited, state: words, host, restarts,
            seen_seconds_ago: seen.map(|seen| seen.as_secs()),
        });
    }
    let [done, left, failed, forfeited] = totals;
    let cpu_seconds_left = (done > 0).then(|| cpu_seconds / done as f64 * left as f64);
    let unfinished: Vec<_> = shards.iter().filter(|of| of.left > 0 || of.failed > 0).collect();
    let shown = &unfinished[..unfinished.len().min(SHOWN)];
    let table = Table::of(
        shown,
        [
            column("<shard", &|of| of.shard.clone()),
            column(">done", &|of| with_thousands(of.done)),
            column(">left", &|of| with_thousands(of.left)),
            column(">failed", &|of| with_thousands(of.failed)),
            column("<state", &|of| of.state),
            columns(["<host"], &|of| (!of.host.is_empty()).then(|| [(&of.host).into()])),
            columns(["<last seen"], &|of| {
                Some([(long_duration(of.seen_seconds_ago? as f64) + " ago").into()])
            }),
        ],
    );
    let mut document = Document((!table.is_empty()).then(|| table.into()).into_iter().collect());
    let count = |state: &str| shards.iter().filter(|of| of.state == state).count() as u64;
    let states = ["complete", "playing", "silent", "stopped", "not begun"];
    let states = states.map(|state| (count(state), state)).into_iter().filter(|(count, _)| *count > 0);
    let states: Vec<String> =
        states.map(|(count, state)| format!("{} {state}", with_thousands(count))).collect();
    let mut text = format!("{}: {}", counted(found.shards, "shard"), states.join(", "));
    let hidden = (unfinished.len() - shown.len()) as u64;
    if hidden > 0 {
        let _ = write!(text, "; {} more that are not complete are in --json", with_thousands(hidden));
    }
    let _ = write!(
        text,
        "\n{} of {}, {} left",
        with_thousands(done),
        counted(plan.distinct(), "trial"),
        with_thousands(left)
    );
    if forfeited > 0 {
        let _ = write!(text, ", {} forfeited", with_thousands(forfeited));
    }
    if let Some(seconds) = cpu_seconds_left.filter(|_| left > 0) {
        let _ = write!(text, ", about {} of one processor", long_duration(seconds));
    }
    document.0.push(text.into());
    let content = object! { shards, done, left, failed, forfeited, cpu_seconds_left };
    output.show("status-of-shards", content, document)
}
