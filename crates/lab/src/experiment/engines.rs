//! The engines among the players of a plan: what they call themselves, and the hashes of their files.
//!
//! The hashes are kept in the facts of the log as fingerprints, because another program plays otherwise. Names and pings are
//! facts of the machine, in `host.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use crate::engine::{Engine, Failure};
use crate::game::options::FileValue;
use crate::players::Program;
use crate::players::files::read_file;

/// An engine as it was found on a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineFacts {
    /// What it calls itself, with its version; empty if it does not say.
    pub called: String,
    /// The SHA-256 of its program's file; empty if there is none to be read.
    pub sha256: String,
    /// The median over its games of the median time to answer what takes no thought, in nanoseconds. Not deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ping_ns: Option<u64>,
    /// The SHA-256 of each file that it is said to read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, String>,
}

impl EngineFacts {
    /// The facts of all engines of a plan by the names of the players. Each command is started once, and greeted.
    ///
    /// # Errors
    /// The first engine that does not answer, and why.
    pub fn of_all(plan: &Plan) -> Result<BTreeMap<String, Self>, (String, Failure)> {
        let (mut all, mut called) = (BTreeMap::new(), BTreeMap::<Vec<String>, String>::new());
        for (player, program) in programs(plan) {
            let Program { settings, data, .. } = &program;
            let known = called.get(&settings.command).cloned();
            let name =
                known.map_or_else(|| Engine::start(settings).map(|engine| engine.name().to_owned()), Ok);
            let name = name.map_err(|failure| (player.clone(), failure))?;
            called.insert(settings.command.clone(), name.clone());
            let sha256 = program.path().and_then(|path| hash(&path)).unwrap_or_default();
            let data = data.iter().map(|file| (file.clone(), hash(file.as_ref()).unwrap_or_default()));
            let facts = Self { called: name, sha256, ping_ns: None, data: data.collect() };
            all.insert(player, facts);
        }
        Ok(all)
    }

    /// Adds the pings of the games that this process played.
    pub fn add_pings(all: &mut BTreeMap<String, Self>, plan: &Plan) {
        for (player, Program { settings, .. }) in programs(plan) {
            let ping = Engine::latency_of(&settings.command).map(|ping| ping.as_nanos() as u64);
            if let Some(facts) = all.get_mut(&player) {
                facts.ping_ns = ping;
            }
        }
    }
}

/// The engines of a plan, with the names of the players.
fn programs(plan: &Plan) -> impl Iterator<Item = (String, Program)> {
    let players = plan.experiments().flat_map(|experiment| &experiment.players);
    players.filter_map(|player| Some((player.name.clone(), Program::of(&player.searcher)?)))
}

/// The hashes of the programs and files of all engines of a plan, by their names without folders. Of files with one name
/// there are all hashes.
pub(super) fn hashes(plan: &Plan) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for (_, program) in programs(plan) {
        let files = program.data.iter().map(|file| ("file", PathBuf::from(file)));
        for (kind, path) in program.path().map(|path| ("program", path)).into_iter().chain(files) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (name, found) = (format!("{kind} {name}"), hash(&path).unwrap_or_default());
            let known = all.entry(name).or_default();
            if !known.contains(&found) {
                *known = format!("{known}{}{found}", if known.is_empty() { "" } else { "+" });
            }
        }
    }
    all
}

/// The SHA-256 of a file; `None` if it cannot be read.
fn hash(path: &Path) -> Option<String> {
    FileValue::named("").with_content(read_file(path).ok()?).hash().map(Into::into)
}
