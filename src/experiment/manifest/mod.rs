//! The manifest: what was typed, and what is meant by it.

//!
//! | file | holds |
//! |---|---|
//! | `document` | the document with its places, read by hand |
//! | `sweep` | tables that stand for many, expanded before they are typed |
//! | `section` | an experiment: game, design, what is primary |
//! | `player` | a player; the options of searchers and games |
//! | `stopping` | when an experiment has played enough |
//! | `openings` | openings, random or from files |
//! | `files` | the files that a manifest names |
//! | `schema` | the shape of all that as JSON Schema, for editors |
//! | `error` | why a manifest was refused, and where |

pub(crate) mod document;
mod error;
mod files;
mod openings;
mod player;
mod schema;
mod section;
mod stopping;
mod sweep;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use self::error::ManifestError;
pub use self::files::ManifestFile;

use self::document::{Blame, Section, array, option_value, read_document, read_file};
use self::files::Files;
use self::section::read_experiments;
pub(crate) use self::section::{player_named, read_game, read_single_experiment};
use super::{Openings, StoppingRule};
use crate::game::options::read_time;
use crate::players::{AnyGame, Registry, SearcherSpec};
use crate::search::Limits;

/// A manifest: experiments that share a seed, each checked against what its game and its searchers can do.
///
/// # Example
/// ```
/// use shikou::experiment::Manifest;
/// use shikou::players::Registry;
/// let text = r#"
///     schema = 1
///     seed = 7
///
///     [[experiment]]
///     game = "tic-tac-toe"
///     trials = 10
///     player = [{ search = "random" }, { search.flat = { playouts = 20 } }]
/// "#;
/// let manifest = Manifest::parse("example.toml".as_ref(), text, &Registry::standard()).unwrap();
/// assert_eq!(manifest.experiments[0].players[1].name, "flat(playouts=20)");
/// ```
pub struct Manifest {
    /// The question that the manifest asks.
    pub question: Option<String>,
    /// Where the question comes from.
    pub source: Option<String>,
    /// How long a run may take. No trial is started after it, and what is missing is said.
    pub time_limit: Option<Duration>,
    /// The experiments, in the order of the file.
    pub experiments: Vec<Experiment>,
    /// The text of the file.
    pub text: String,
    /// The files that it names.
    pub files: Vec<ManifestFile>,
}

/// One comparison on one game.
pub struct Experiment {
    /// Its name, unique in the manifest.
    pub name: String,
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The strategies that are compared.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub design: Design,
    /// How many instances each cell plays: deals of a solitaire, pairs of games for two.
    pub trials: u64,
    /// When it has played enough, before `trials` are played; none plays them all.
    pub stopping: Option<StoppingRule>,
    /// How the games for two begin.
    pub openings: Openings,
    /// The comparisons that the question is about: pairs of indices of players. They are tested as they stand;
    /// all others are corrected for their number.
    pub primary: Vec<[usize; 2]>,
    /// The seed of all its randomness.
    pub seed: u64,
    /// What each search may use.
    pub limits: Limits,
}

/// A strategy in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Its name, unique in the experiment.
    pub name: String,
    /// Which searcher with which options.
    pub searcher: SearcherSpec,
    /// A name for a random stream of its own, so that a player can meet itself.
    pub stream: Option<String>,
}

impl PlayerSpec {
    /// What the player is, apart from its name: its part in a trial's identity.
    pub fn content(&self) -> String {
        match &self.stream {
            None => self.searcher.to_string(),
            Some(stream) => format!("{} stream={stream:?}", self.searcher),
        }
    }
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Design {
    /// A solitaire: every player plays the same deals.
    Solo,
    /// A game for two, and two players: they meet.
    Match,
    /// A game for two: every player meets every other.
    RoundRobin,
    /// A game for two: every player meets each of these.
    Gauntlet {
        /// Indices of the players that all others meet.
        baselines: Vec<usize>,
    },
}

impl Design {
    /// The name in manifests.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solo => "solo",
            Self::Match => "match",
            Self::RoundRobin => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
        }
    }

    /// Whether two players can be compared: they meet, or play the same deals.
    pub fn meet(&self, [a, b]: [usize; 2]) -> bool {
        match self {
            Self::Gauntlet { baselines } => baselines.contains(&a) != baselines.contains(&b),
            _ => a != b,
        }
    }
}

impl Manifest {
    /// An experiment that no file asks for.
    pub fn of_one(experiment: Experiment) -> Self {
        Self {
            question: None,
            source: None,
            time_limit: None,
            experiments: vec![experiment],
            text: String::new(),
            files: Vec::new(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, is not TOML, or asks for something that does not fit.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, ManifestError> {
        let text = read_file(path, "manifests are in experiments/")?;
        Self::parse(path, &text, registry)
    }

    /// Reads a text. `path` is named in errors, and files that the manifest names are looked for in its folder.
    ///
    /// # Errors
    /// Where it is not TOML, or asks for something that does not fit.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, ManifestError> {
        let mut files = Files::new(path.parent().unwrap_or(Path::new("")));
        read_document(path, text, |root| read_manifest(root, text, registry, &mut files))
    }

    /// Makes every cell so small that the manifest can be tried at once: two trials, and searchers that are
    /// [reduced](SearcherSpec::reduced). Players that become alike keep streams of their own.
    pub fn reduce_to_smoke(&mut self) {
        for experiment in &mut self.experiments {
            experiment.trials = experiment.trials.min(2);
            experiment.stopping = None;
            if let Openings::Random { balance, .. } = &mut experiment.openings {
                *balance = None;
            }
            for player in &mut experiment.players {
                player.searcher = player.searcher.reduced(!experiment.game.evaluations().is_empty());
                player.stream = Some(player.name.clone());
            }
        }
    }
}

fn read_manifest(
    root: &mut Section<'_>,
    text: &str,
    registry: &Registry,
    files: &mut Files,
) -> Result<Manifest, Blame> {
    if text.trim().is_empty() {
        return Err(Blame::new(0..0, "the manifest is empty; see experiments/tour.toml for one that is not"));
    }
    let schema = root.require("schema", "schema = 1")?;
    if option_value("schema", schema)? != 1.into() {
        return Err(Blame::new(schema.span(), "this version of Shikou reads manifests of `schema = 1`"));
    }
    let question = root.text("question")?;
    let source = root.text("source")?;
    let seed = root.integer("seed", 0..=i64::MAX)?.unwrap_or(0) as u64;
    let time_limit = match root.take("time-limit") {
        None => None,
        Some(value) => Some(read_time(&document::text("time-limit", value)?).ok_or_else(|| {
            Blame::new(
                value.span(),
                "`time-limit` must be a whole number with its unit, such as \"30min\" or \"2h\"",
            )
        })?),
    };
    let list = root.require("experiment", "[[experiment]]")?;
    let mut experiments: Vec<Experiment> = Vec::new();
    for value in array("experiment", list)? {
        for experiment in read_experiments(value, seed, registry, files)? {
            if experiments.iter().any(|other| other.name == experiment.name) {
                let message = format!("two experiments are called `{}`; give each a `name`", experiment.name);
                return Err(Blame::new(value.span(), message));
            }
            experiments.push(experiment);
        }
    }
    if experiments.is_empty() {
        return Err(Blame::new(list.span(), "there is no experiment; begin one with `[[experiment]]`"));
    }
    let files = std::mem::take(&mut files.read);
    Ok(Manifest { question, source, time_limit, experiments, text: text.into(), files })
}
