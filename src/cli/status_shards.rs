//! The progress of the shards of a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::division::{ShardState, decided};
use super::error::CommandError;
use super::groups::OutputArguments;
use crate::experiment::{Manifest, Optimised, OwnerFacts, Plan, Results, Shard, Shards};
use crate::players::Registry;
use crate::report::{Document, Table, counted, long_duration, object, with_thousands};

const SCHEMA: u32 = 1;

/// The end of the name of the file beside shards.
const BESIDE: &str = ".shards.toml";

/// The number of shards that the text shows one by one.
const SHOWN: usize = 50;

/// A shard that was seen in this time is being played: an owner touches its file every half minute.
const ALIVE: Duration = Duration::from_mins(3);

/// The beginning of the names of the shards' folders that this path tells of: the file beside them, or the folder into which they
/// will be merged. `None` for a folder of results.
pub(super) fn base_of_shards(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    match name.strip_suffix(BESIDE) {
        Some(base) => Some(path.with_file_name(base)),
        None => (Results::open(path).is_err() && Shards::path(path).is_file()).then(|| path.into()),
    }
}

#[derive(Serialize)]
struct ShardStatus {
    shard: String,
    done: u64,
    left: u64,
    failed: u64,
    /// The trials with a game that an engine lost without finishing it.
    forfeited: u64,
    /// `complete`, `playing`, `silent`, `stopped`, or `not begun`.
    state: &'static str,
    host: String,
    /// How often the scheduler started it again.
    restarts: u64,
    seen_seconds_ago: Option<u64>,
}

impl ShardStatus {
    fn new(shard: Shard, state: ShardState) -> Self {
        let is_fresh = state.seen.is_some_and(|seen| seen < ALIVE);
        let words = match &state.owner {
            _ if state.left == 0 => "complete",
            None if state.done == 0 => "not begun",
            Some(owner) if !owner.has_stopped() && is_fresh => "playing",
            Some(owner) if !owner.has_stopped() => "silent",
            _ => "stopped",
        };
        let OwnerFacts { host, restarts, .. } = state.owner.unwrap_or_default();
        Self {
            shard: shard.to_string(),
            done: state.done,
            left: state.left,
            failed: state.failed,
            forfeited: state.forfeited,
            state: words,
            host,
            restarts,
            seen_seconds_ago: state.seen.map(|seen| seen.as_secs()),
        }
    }

    fn row(&self) -> [String; 7] {
        let seen = self.seen_seconds_ago.map_or_else(|| "–".into(), |s| long_duration(s as f64) + " ago");
        let host = if self.host.is_empty() { "–".into() } else { self.host.clone() };
        let counts = [self.done, self.left, self.failed].map(with_thousands);
        let [done, left, failed] = counts;
        [self.shard.clone(), done, left, failed, self.state.into(), host, seen]
    }
}

pub(super) fn status_of_shards(
    registry: &Registry,
    base: &Path,
    output: &OutputArguments,
) -> Result<(), CommandError> {
    let found = Shards::read(base).map_err(CommandError::because)?;
    let Some(found) = found else {
        let path = Shards::path(base).display().to_string();
        return Err(CommandError::Usage(format!(
            "{path} is not there; `shikou run --shard auto/n` writes it"
        )));
    };
    let all = || Shard::all(found.shards);
    let manifest = all().find_map(|shard| Results::open(&shard.folder(base)).ok());
    let manifest = match manifest {
        Some(results) => results.read_manifest(registry)?,
        None => Manifest::read(found.manifest_path(), registry)?,
    };
    let plan = Plan::new(&Optimised::default().finish(manifest))?;
    let decided = decided(&plan, base, found.shards);
    let mut shards = Vec::new();
    let mut cpu_seconds = 0.0;
    for shard in all() {
        let state = ShardState::read(&plan, shard, &shard.folder(base), &decided)?;
        cpu_seconds += state.cpu_seconds;
        shards.push(ShardStatus::new(shard, state));
    }
    let sum = |of: fn(&ShardStatus) -> u64| shards.iter().map(of).sum::<u64>();
    let [done, left, failed] = [sum(|of| of.done), sum(|of| of.left), sum(|of| of.failed)];
    let forfeited = sum(|of| of.forfeited);
    let cpu_seconds_left = (done > 0).then(|| cpu_seconds / done as f64 * left as f64);
    let mut document = Document(Vec::new());
    let mut table = Table::new(&["<shard", ">done", ">left", ">failed", "<state", "<host", "<last seen"]);
    let unfinished = || shards.iter().filter(|of| of.left > 0 || of.failed > 0);
    for shard in unfinished().take(SHOWN) {
        table.row(shard.row());
    }
    if unfinished().next().is_some() {
        document.0.push(table.into());
    }
    let count = |state: &str| shards.iter().filter(|of| of.state == state).count() as u64;
    let states = ["complete", "playing", "silent", "stopped", "not begun"];
    let states = states.map(|state| (count(state), state)).into_iter().filter(|(count, _)| *count > 0);
    let states: Vec<String> =
        states.map(|(count, state)| format!("{} {state}", with_thousands(count))).collect();
    let mut text = format!("{}: {}", counted(found.shards, "shard"), states.join(", "));
    let hidden = unfinished().count().saturating_sub(SHOWN) as u64;
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
    output.show("status-of-shards", SCHEMA, content, document)
}
