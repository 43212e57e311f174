//! The fingerprints of a plan: one for each game, policy, evaluation, list of rules and searcher that it uses; and its engines.
//!
//! The hashes of an engine's files are kept in the facts of the log as fingerprints, because another program plays otherwise. Its
//! name and ping are facts of the machine, in `host.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Failure};
use crate::experiment::plan::Plan;
use crate::game::options::FileValue;
use crate::manifest::{Balance, Manifest, Openings, Optimisation, waits_for};
use crate::players::Program;
use crate::players::files::read_file;

/// Checksums of behaviour by name, such as `searcher uct` or `policy othello/uniform`; see
/// `AnyGame::fingerprints`.
///
/// A log names the fingerprints of what its plan uses. A build continues it unless one that both know differs, so a changed
/// or new searcher stops the logs of those plans only that use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprints(BTreeMap<String, String>);

/// Something whose behaviour differs between two builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The name, such as `searcher uct`.
    pub name: String,
    /// The fingerprint in the log.
    pub theirs: String,
    /// The fingerprint in this build.
    pub ours: String,
}

impl Fingerprints {
    /// The fingerprints of what a plan uses, in this build.
    ///
    /// # Cost
    /// Some tens of milliseconds for each searcher, less for everything else.
    pub fn of(plan: &Plan) -> Self {
        let mut all = BTreeMap::new();
        for experiment in plan.experiments() {
            let judge = match &experiment.openings {
                Openings::Random { balance: Some(Balance { judge, .. }), .. } => Some(judge),
                _ => None,
            };
            let searchers: Vec<_> =
                experiment.players.iter().map(|player| &player.searcher).chain(judge).collect();
            all.extend(experiment.games().iter().flat_map(|game| game.fingerprints(&searchers)));
        }
        Self(all)
    }

    /// The same with those of what trainings use: the players that they meet, and their judges. A player that waits for a
    /// result is left out.
    #[must_use]
    pub fn with_trainings(mut self, manifest: &Manifest) -> Self {
        for training in manifest.trainings() {
            let judges = training.judge.iter().flat_map(|judge| &judge.against);
            let players = training.players.iter().chain(judges).map(|player| &player.searcher);
            let players: Vec<_> = players.filter(|player| waits_for(player).is_none()).collect();
            self.0.extend(training.game.fingerprints(&players));
        }
        self
    }

    /// The same with the hashes of the programs and files of the plan's engines, on this machine.
    #[must_use]
    pub fn with_engines(mut self, plan: &Plan) -> Self {
        self.0.extend(hashes(plan));
        self
    }

    /// The hashes of programs and files among them.
    pub(super) fn of_engines(&self) -> Self {
        let is_of_engine = |name: &str| name.starts_with("program ") || name.starts_with("file ");
        Self(self.0.clone().into_iter().filter(|(name, _)| is_of_engine(name)).collect())
    }

    pub(super) fn of_optimisation(optimisation: &Optimisation) -> Self {
        let mut all = BTreeMap::new();
        for run in &optimisation.runs {
            let judges = run.judge.iter().flat_map(|judge| &judge.against);
            let opponents = run.fitness.against.players().iter().chain(judges).map(|player| &player.searcher);
            let filled = run.genes.trials().into_iter().next();
            let filled = filled.and_then(|(_, genes)| run.genes.player(&run.player, &genes).ok());
            let searchers: Vec<_> = opponents.chain(&filled).collect();
            all.extend(run.game.fingerprints(&searchers));
        }
        Self(all)
    }

    /// Reads the [text form](fmt::Display); `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let entry = |text: &str| text.rsplit_once(' ').map(|(name, number)| (name.into(), number.into()));
        text.split("; ").map(entry).collect::<Option<_>>().map(Self)
    }

    /// The first thing that another build knows too, and whose behaviour differs there.
    pub fn differing(&self, theirs: &Self) -> Option<Differing> {
        self.0.iter().find_map(|(name, ours)| {
            let theirs = theirs.0.get(name).filter(|&theirs| theirs != ours)?;
            Some(Differing { name: name.clone(), theirs: theirs.clone(), ours: ours.clone() })
        })
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Fingerprints {
    /// Each name and its fingerprint, with `; ` between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(|(name, number)| format!("{name} {number}")).collect();
        f.write_str(&all.join("; "))
    }
}

/// An engine as it was found on a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineFacts {
    /// The name that the engine gives itself, with its version; empty if it gives none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_common_name_can_differ() {
        let read = |text: &str| Fingerprints::parse(text).unwrap();
        let theirs = read("game othello(size=6) 01; searcher uct 02");
        assert_eq!(theirs.to_string(), "game othello(size=6) 01; searcher uct 02");
        assert_eq!(read("searcher flat 07; searcher uct 02").differing(&theirs), None);
        let (name, their, our) = ("searcher uct".into(), "02".into(), "03".into());
        let differing = Differing { name, theirs: their, ours: our };
        assert_eq!(read("game othello(size=6) 01; searcher uct 03").differing(&theirs), Some(differing));
        assert_eq!(Fingerprints::parse("searcher"), None);
    }
}
