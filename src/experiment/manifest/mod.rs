//! The manifest: what was typed, and what is meant by it.

mod document;
mod error;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;

pub use self::error::ManifestError;

use self::document::{Blame, Section, Tagged, Value, array, option_value, tagged, text};
use crate::game::options::{Invalid, OptionDecl, Options};
use crate::players::{AnyGame, Registry, SearcherKind, SearcherSpec};
use crate::search::Limits;

/// The largest number of trials of an experiment.
const MOST_TRIALS: i64 = 1_000_000_000;

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
    /// The experiments, in the order of the file.
    pub experiments: Vec<Experiment>,
    /// The text of the file.
    pub text: String,
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
    /// How many uniformly random plies begin each game for two. Both games of a pair share them.
    pub opening_plies: u32,
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
    /// A game for two: every player meets every other.
    RoundRobin,
    /// A game for two: every player meets each of these.
    Gauntlet {
        /// Indices of the players that all others meet.
        baselines: Vec<usize>,
    },
}

impl Manifest {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, is not TOML, or asks for something that does not fit.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, ManifestError> {
        let unreadable = |message: String| ManifestError::unreadable(path, message);
        if path.is_dir() {
            return Err(unreadable("is a folder; name a manifest file in it".into()));
        }
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                unreadable("there is no such file; manifests are in experiments/".into())
            }
            _ => unreadable(format!("cannot be read: {error}")),
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            unreadable(format!("is not UTF-8 text (byte {})", error.utf8_error().valid_up_to()))
        })?;
        Self::parse(path, &text, registry)
    }

    /// Reads a text; `path` is named in errors only.
    ///
    /// # Errors
    /// Where it is not TOML, or asks for something that does not fit.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, ManifestError> {
        let document = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = format!("is not TOML: {}", error.message().replace('\n', "; "));
            ManifestError::at(path, text, Blame::new(span, message))
        })?;
        let mut root = Section::new(document.get_ref(), 0..0);
        let manifest = read_manifest(&mut root, text, registry).and_then(|manifest| {
            root.finish()?;
            Ok(manifest)
        });
        manifest.map_err(|blame| ManifestError::at(path, text, blame))
    }

    /// Makes every cell so small that the manifest can be tried at once: two trials, and searchers that are
    /// [reduced](SearcherSpec::reduced). Players that become alike keep streams of their own.
    pub fn reduce_to_smoke(&mut self) {
        for experiment in &mut self.experiments {
            experiment.trials = experiment.trials.min(2);
            for player in &mut experiment.players {
                player.searcher = player.searcher.reduced(!experiment.game.evaluations().is_empty());
                player.stream = Some(player.name.clone());
            }
        }
    }
}

fn read_manifest(root: &mut Section<'_>, text: &str, registry: &Registry) -> Result<Manifest, Blame> {
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
    let list = root.require("experiment", "[[experiment]]")?;
    let mut experiments: Vec<Experiment> = Vec::new();
    for value in array("experiment", list)? {
        let mut section = Section::from_value(value, "an experiment")?;
        let experiment = read_experiment(&mut section, seed, registry)?;
        if experiments.iter().any(|other| other.name == experiment.name) {
            let message = format!("two experiments are called `{}`; give each a `name`", experiment.name);
            return Err(Blame::new(value.span(), message));
        }
        section.finish()?;
        experiments.push(experiment);
    }
    if experiments.is_empty() {
        return Err(Blame::new(list.span(), "there is no experiment; begin one with `[[experiment]]`"));
    }
    Ok(Manifest { question, source, experiments, text: text.into() })
}

fn read_experiment(section: &mut Section<'_>, seed: u64, registry: &Registry) -> Result<Experiment, Blame> {
    let game_value = section.require("game", "game = \"othello\"")?;
    let game = read_game(game_value, registry)?;
    let two_player = game.facts().players == 2;
    let name = section.text("name")?.unwrap_or_else(|| game.spec().name.into());
    let seed = section.integer("seed", 0..=i64::MAX)?.map_or(seed, |seed| seed as u64);
    let span = section.span.clone();
    let trials = section.integer("trials", 1..=MOST_TRIALS)?;
    let trials =
        trials.ok_or_else(|| Blame::new(span, "`trials` is missing; write for example `trials = 100`"))?;
    let memory = section.integer("memory-mib", 1..=1 << 40)?;
    let limits = memory.map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20 });
    let opening_plies = match section.take("openings") {
        None => 0,
        Some(value) if two_player => read_openings(value)?,
        Some(value) => {
            let message =
                format!("openings do not fit {}, a solitaire: its deals differ anyway", game.spec());
            return Err(Blame::new(value.span(), message));
        }
    };
    let list = section.require("player", "player = [{ search = \"random\" }]")?;
    let mut players: Vec<PlayerSpec> = Vec::new();
    for value in array("player", list)? {
        let player = read_player(value, &*game)?;
        if players.iter().any(|other| other.name == player.name) {
            let message = format!("two players are called `{}`; give each a `name`", player.name);
            return Err(Blame::new(value.span(), message));
        }
        if let Some(twin) = players.iter().find(|other| other.content() == player.content()) {
            let message = format!(
                "`{}` is the same player as `{}`; to let a player meet itself, give one of them `stream = \"b\"`",
                player.name, twin.name
            );
            return Err(Blame::new(value.span(), message));
        }
        players.push(player);
    }
    let design = match section.take("design") {
        Some(value) => read_design(value, &players)?,
        None if two_player => Design::RoundRobin,
        None => Design::Solo,
    };
    if two_player == (design == Design::Solo) {
        let span = section.take("design").map_or_else(|| game_value.span(), Value::span);
        let (what, instead) = if two_player {
            ("a game for two", "\"round-robin\" or { gauntlet = { against = […] } }")
        } else {
            ("a solitaire", "\"solo\"")
        };
        let message = format!("this design does not fit {}, {what}; write design = {instead}", game.spec());
        return Err(Blame::new(span, message));
    }
    let needed = if two_player { 2 } else { 1 };
    if players.len() < needed {
        let message = format!("{} needs at least {needed} players here, not {}", game.spec(), players.len());
        return Err(Blame::new(list.span(), message));
    }
    Ok(Experiment { name, game, players, design, trials: trials as u64, opening_plies, seed, limits })
}

fn read_game(value: &Value<'_>, registry: &Registry) -> Result<Arc<dyn AnyGame>, Blame> {
    let game = tagged("game", value)?;
    let declared = registry
        .options(game.name)
        .map_err(|invalid| Blame::new(game.name_span.clone(), invalid.to_string()))?;
    let options = read_options(&game, declared)?;
    let made = registry.game_with(game.name, options);
    made.map_err(|invalid| Blame::new(value.span(), invalid.to_string()))
}

fn read_player(value: &Value<'_>, game: &dyn AnyGame) -> Result<PlayerSpec, Blame> {
    let mut section = Section::from_value(value, "a player")?;
    let search = section.require("search", "search = \"random\"")?;
    let tag = tagged("search", search)?;
    let kind = SearcherKind::named(tag.name)
        .map_err(|invalid| Blame::new(tag.name_span.clone(), invalid.to_string()))?;
    let searcher = SearcherSpec { kind, options: read_options(&tag, &kind.options())? };
    game.fits(&searcher).map_err(|misfit| {
        let option = tag.options.iter().find(|(name, ..)| Some(*name) == misfit.option);
        let span = option.map_or_else(|| tag.name_span.clone(), |(_, _, value)| value.span());
        Blame::new(span, format!("`{searcher}` does not fit {}: {misfit}", game.spec()))
    })?;
    let name = section.text("name")?.unwrap_or_else(|| searcher.to_string());
    let stream = section.text("stream")?;
    section.finish()?;
    Ok(PlayerSpec { name, searcher, stream })
}

/// The options of a game or a searcher, each refusal at its own place.
fn read_options(tag: &Tagged<'_>, declared: &[OptionDecl]) -> Result<Options, Blame> {
    let mut given = Vec::new();
    for (name, span, value) in &tag.options {
        let one = [(*name, option_value(name, value)?)];
        if let Err(invalid) = Options::new(declared, one.clone()) {
            let place = if matches!(invalid, Invalid::Unknown { .. }) { span.clone() } else { value.span() };
            return Err(Blame::new(place, invalid.to_string()));
        }
        given.extend(one);
    }
    Options::new(declared, given).map_err(|invalid| Blame::new(tag.name_span.clone(), invalid.to_string()))
}

fn read_openings(value: &Value<'_>) -> Result<u32, Blame> {
    let mut section = Section::from_value(value, "`openings`")?;
    let span = section.span.clone();
    let plies = section.integer("random-plies", 0..=1000)?;
    section.finish()?;
    plies.map(|plies| plies as u32).ok_or_else(|| {
        Blame::new(span, "`random-plies` is missing; write for example `openings = { random-plies = 4 }`")
    })
}

fn read_design(value: &Value<'_>, players: &[PlayerSpec]) -> Result<Design, Blame> {
    let tag = tagged("design", value)?;
    let mut against = None;
    for (name, span, value) in &tag.options {
        if tag.name != "gauntlet" || *name != "against" {
            let known: &[&str] = if tag.name == "gauntlet" { &["against"] } else { &[] };
            let invalid = Invalid::unknown("key", name, known.iter().copied());
            return Err(Blame::new(Range::clone(span), invalid.to_string()));
        }
        against = Some(array("against", value)?);
    }
    match (tag.name, against) {
        ("solo", _) => Ok(Design::Solo),
        ("round-robin", _) => Ok(Design::RoundRobin),
        ("gauntlet", Some(names)) if !names.is_empty() => {
            let index = |value: &Value<'_>| {
                let name = text("against", value)?;
                players.iter().position(|player| player.name == name).ok_or_else(|| {
                    let names = players.iter().map(|player| player.name.as_str());
                    Blame::new(value.span(), Invalid::unknown("player", &name, names).to_string())
                })
            };
            Ok(Design::Gauntlet { baselines: names.iter().map(index).collect::<Result<_, _>>()? })
        }
        ("gauntlet", _) => {
            let message = "a gauntlet needs baselines; write design.gauntlet = { against = [\"random\"] }";
            Err(Blame::new(value.span(), message))
        }
        (name, _) => {
            let invalid = Invalid::unknown("design", name, ["solo", "round-robin", "gauntlet"]);
            Err(Blame::new(tag.name_span, invalid.to_string()))
        }
    }
}
