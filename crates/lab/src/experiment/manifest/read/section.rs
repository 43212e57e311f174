//! Experiments in a manifest.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeValue;

use super::choice::text as value_text;
use super::document::{Entry, Mistakes, PlacedError, Section, Value, array, tagged, tagged_like, text};
use super::files::Files;
use super::openings::read_openings;
use super::player::{read_options, read_players};
use super::published::read_published;
use super::stopping::{Surroundings, read_stopping};
use super::sweep;
use crate::experiment::manifest::Manifest;
use crate::experiment::manifest::experiment::{Design, Experiment, PlayerSpec};
use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::places::Places;
use crate::game::options::OptionError;
use crate::players::{AnyGame, Registry, SearcherPlaces};
use crate::search::Limits;

/// The largest number of trials of an experiment.
pub(crate) const MOST_TRIALS: i64 = 1_000_000_000;

/// The largest number of MiB that a search may be given.
pub(crate) const MOST_MEMORY_MIB: i64 = 1 << 40;

/// The designs, as they are named.
pub(crate) const DESIGNS: [&str; 4] = ["solo", "match", "round-robin", "gauntlet"];

/// The experiments of a table: one, or one for each combination of a sweep.
pub(super) fn read_experiments(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<Vec<(Experiment, Places)>, PlacedError> {
    let variants = sweep::expand(value, &["name", "player", "design", "primary", "published", "stopping"])?;
    let mut mistakes = Mistakes::default();
    let mut experiments = Vec::new();
    let (mut pairs, mut players) = (0, 0);
    for variant in &variants {
        few_pairs(pairs, value.span())?;
        few_players(players, value.span())?;
        let mut section = Section::from_value(&variant.value, "an experiment")?;
        section.knows(&sweep::KEYS);
        let skipped = files.skipped.len();
        let read = read_experiment(&mut section, seed, registry, files);
        if files.leave_out("experiment", skipped, &read) {
            continue;
        }
        let read = mistakes.note(read);
        let of_player = "belongs to a player: `{ search = \"uct\", budget = { playouts = 1000 } }`";
        let of_all = "belongs to the whole manifest; write it above the first `[[experiment]]`";
        let of_all = ["schema", "question", "source", "time-limit"].map(|key| (key, of_all));
        for (key, belongs) in [("search", of_player), ("budget", of_player)].into_iter().chain(of_all) {
            mistakes.note(section.refuse(key, belongs));
        }
        let game = section.peek("game").and_then(|game| tagged("game", game).ok());
        let is_one = variants.len() == 1;
        mistakes
            .note(section.finish_with(|entry| option_of_game(entry, game.as_ref()?.name, registry, is_one)));
        experiments.extend(read.map(|(experiment, places)| {
            let name = variant.name(&experiment.name);
            pairs += experiment.design.pairs(experiment.players.len());
            players += experiment.players.len();
            (Experiment { name, swept: variant.values(), ..experiment }, places)
        }));
    }
    mistakes.take().map_or(Ok(experiments), Err)
}

/// Where a key belongs that is an option of the game. Values of a sweep are not shown.
fn option_of_game(
    (key, _, value): &Entry<'_>,
    game: &str,
    registry: &Registry,
    is_shown: bool,
) -> Option<String> {
    registry.options(game).ok()?.iter().find(|decl| decl.name == *key)?;
    let shown = if is_shown { value_text(value) } else { "…".into() };
    Some(format!("`{key}` is an option of the game; write game.{game} = {{ {key} = {shown} }}"))
}

/// The manifest of the one experiment of a table in another document; or why it cannot be played on this machine. Files
/// are relative to the folder of `path`.
///
/// # Errors
/// All mistakes that are found, each with its place.
pub fn read_single_experiment(
    value: &Value<'_>,
    path: &Path,
    registry: &Registry,
) -> Result<Result<Manifest, String>, PlacedError> {
    let mut files = Files::new(path.parent().unwrap_or(Path::new(""))).that_skip(false);
    let mut experiments = read_experiments(value, 0, registry, &mut files)?;
    if let Some(first) = files.skipped.first() {
        return Ok(Err(format!("{}; `SHIKOU_DATA` must name the folder with it", first.message)));
    }
    match (experiments.pop(), experiments.is_empty()) {
        (Some((experiment, places)), true) => Ok(Ok(Manifest::of_one(experiment).with_places(vec![places]))),
        _ => Err(PlacedError::new(value.span(), "expected one experiment, but the sweep expands to several")),
    }
}

fn read_experiment(
    section: &mut Section<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<(Experiment, Places), PlacedError> {
    let mut mistakes = Mistakes::default();
    let game_value = mistakes.note(section.require("game", "game = \"othello\""));
    let game = game_value.and_then(|value| mistakes.note(read_game(value, registry)));
    let name = mistakes.note(section.name("name")).flatten();
    let seed =
        mistakes.note(section.integer("seed", 0..=i64::MAX)).flatten().map_or(seed, |seed| seed as u64);
    let trials = mistakes.note(read_trials(section));
    let memory = mistakes.note(section.integer("memory-mib", 1..=MOST_MEMORY_MIB)).flatten();
    let limits = memory
        .map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20, ..Limits::default() });
    let openings_value = section.take("openings");
    let list = mistakes.note(section.require("player", "player = [\"random\", \"flat\"]"));
    let [design_value, primary, published, stopping] =
        ["design", "primary", "published", "stopping"].map(|key| section.take(key));
    // The rest depends on the game.
    let (Some(game), Some(game_value)) = (game, game_value) else { return Err(some(mistakes)) };
    let opened = openings_value.map(|value| opening(value, &*game, trials, files));
    let opened = opened.and_then(|read| mistakes.note(read)).unwrap_or((Openings::START, None));
    let players = list.and_then(|list| mistakes.note(read_players(list, &*game, files)));
    // And what follows on the players.
    let (Some(list), Some((players, places))) = (list, players) else { return Err(some(mistakes)) };
    let design = design(game_value, list, design_value, &*game, &players);
    let Some(design) = mistakes.note(design) else { return Err(some(mistakes)) };
    few_pairs(design.pairs(players.len()), list.span())?;
    let primary = primary.map(|value| read_primary(value, &players, &design));
    let primary = primary.and_then(|read| mistakes.note(read)).unwrap_or_default();
    let published = published.map(|value| read_published(value, &players));
    let published = published.and_then(|read| mistakes.note(read)).unwrap_or_default();
    let two_player = game.facts().players == 2;
    let surroundings = Surroundings { two_player, players: &players, design: &design, primary: &primary };
    let stopping = stopping.map(|value| read_stopping(value, &surroundings));
    let stopping = stopping.and_then(|read| mistakes.note(read));
    let name = name.unwrap_or_else(|| game.spec().name.into());
    match (trials, mistakes.take()) {
        (Some(trials), None) => {
            let (openings, judge) = opened;
            let experiment = Experiment {
                name,
                swept: Vec::new(),
                game,
                players,
                design,
                trials,
                stopping,
                openings,
                primary,
                published,
                seed,
                limits,
            };
            Ok((experiment, Places { players: places, judge }))
        }
        (_, error) => Err(error.expect("no trials were read")),
    }
}

/// The largest number of pairs of players that meet or are compared, in all experiments of a manifest.
const MOST_PAIRS: u64 = 500_000;

/// Refuses more pairs than a summary can hold.
pub(super) fn few_pairs(pairs: u64, span: Range<usize>) -> Result<(), PlacedError> {
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    let message = format!(
        "here {pairs} pairs of players meet or are compared, and a manifest may have {MOST_PAIRS}; choose fewer players, \
         or write design.gauntlet = {{ against = […] }}"
    );
    Err(PlacedError::new(span, message))
}

/// The largest number of players in all experiments of a manifest: sweeps of games and of players multiply.
const MOST_PLAYERS: usize = 10_000;

/// Refuses more players than are read and planned in some seconds.
pub(super) fn few_players(players: usize, span: Range<usize>) -> Result<(), PlacedError> {
    if players <= MOST_PLAYERS {
        return Ok(());
    }
    let message = format!(
        "here are {players} players or more in all experiments, and a manifest may have {MOST_PLAYERS}; divide them among \
         several manifests"
    );
    Err(PlacedError::new(span, message))
}

/// The mistakes, of which there are some.
fn some(mut mistakes: Mistakes) -> PlacedError {
    mistakes.take().expect("something could not be read")
}

fn read_trials(section: &mut Section<'_>) -> Result<u64, PlacedError> {
    let trials = section.integer("trials", 1..=MOST_TRIALS)?;
    for key in ["games", "pairs", "rounds", "deals"] {
        let belongs = "is called `trials` here: the number of pairs of games, or of deals of a solitaire";
        section.refuse(key, belongs)?;
    }
    trials.map(|trials| trials as u64).ok_or_else(|| section.missing("trials", "trials = 100"))
}

/// The openings of a game for two, for as many trials if their number could be read.
fn opening(
    value: &Value<'_>,
    game: &dyn AnyGame,
    trials: Option<u64>,
    files: &mut Files,
) -> Result<(Openings, Option<SearcherPlaces>), PlacedError> {
    if game.facts().players == 2 {
        return read_openings(value, game, trials.unwrap_or(1), files);
    }
    let reason = if game.facts().chance { ": its deals differ anyway" } else { "" };
    let message = format!("openings do not fit {}, a solitaire{reason}; leave `openings` out", game.spec());
    Err(PlacedError::new(value.span(), message))
}

/// The design, checked against the game and the number of players.
fn design(
    game_value: &Value<'_>,
    list: &Value<'_>,
    value: Option<&Value<'_>>,
    game: &dyn AnyGame,
    players: &[PlayerSpec],
) -> Result<Design, PlacedError> {
    let two_player = game.facts().players == 2;
    let design = match value {
        Some(value) => read_design(value, players)?,
        None if two_player => Design::RoundRobin,
        None => Design::Solo,
    };
    if two_player == (design == Design::Solo) {
        let span = value.map_or_else(|| game_value.span(), Value::span);
        let (what, instead) = if two_player {
            ("a game for two", "\"match\", \"round-robin\" or { gauntlet = { against = […] } }")
        } else {
            ("a solitaire", "\"solo\"")
        };
        let message = format!("this design does not fit {}, {what}; write design = {instead}", game.spec());
        return Err(PlacedError::new(span, message));
    }
    let needed = if two_player { 2 } else { 1 };
    if players.len() < needed {
        let message = format!(
            "{} needs at least {needed} player{} here, not {}",
            game.spec(),
            if needed == 1 { "" } else { "s" },
            players.len()
        );
        return Err(PlacedError::new(list.span(), message));
    }
    if let (Design::Match, Some(value), 3..) = (&design, value, players.len()) {
        let message = format!(
            "a match is between two players, and here are {}; write design = \"round-robin\" or {{ gauntlet = {{ \
             against = […] }} }}",
            players.len()
        );
        return Err(PlacedError::new(value.span(), message));
    }
    Ok(design)
}

/// The game of a value: its name, or its name with a table of options.
///
/// # Errors
/// If it names no game, or an option does not fit.
pub fn read_game(value: &Value<'_>, registry: &Registry) -> Result<Arc<dyn AnyGame>, PlacedError> {
    let game = tagged("game", value)?;
    let declared = registry
        .options(game.name)
        .map_err(|invalid| PlacedError::new(game.name_span.clone(), invalid.to_string()))?;
    let options = read_options(&game, declared)?;
    let made = registry.game_with(game.name, options);
    made.map_err(|invalid| PlacedError::new(value.span(), invalid.to_string()))
}

/// The index of the player with this name.
///
/// # Errors
/// If no player has this name.
pub fn player_named(key: &str, value: &Value<'_>, players: &[PlayerSpec]) -> Result<usize, PlacedError> {
    let name = text(key, value)?;
    let by_name = players.iter().position(|player| player.name == name);
    // A player without a name of its own is also known by the older names of its options, as in its identity.
    let by_content = || players.iter().position(|player| player.content() == name);
    by_name.or_else(by_content).ok_or_else(|| {
        let names = players.iter().map(|player| player.name.as_str());
        PlacedError::new(value.span(), OptionError::unknown("player", &name, names).to_string())
    })
}

fn read_design(value: &Value<'_>, players: &[PlayerSpec]) -> Result<Design, PlacedError> {
    let tag = tagged_like("design", value, |name| match name {
        "gauntlet" => "against = [\"random\"]".into(),
        _ => String::new(),
    })?;
    let mut against = None;
    for (name, span, value) in &tag.options {
        if tag.name != "gauntlet" || *name != "against" {
            let known: &[&str] = if tag.name == "gauntlet" { &["against"] } else { &[] };
            let invalid = OptionError::unknown("key", name, known.iter().copied());
            return Err(PlacedError::new(Range::clone(span), invalid.to_string()));
        }
        against = Some(array("against", value)?);
    }
    match (tag.name, against) {
        ("solo", _) => Ok(Design::Solo),
        ("match", _) => Ok(Design::Match),
        ("round-robin", _) => Ok(Design::RoundRobin),
        ("gauntlet", Some(names)) if !names.is_empty() => {
            let mut baselines = Vec::new();
            for value in names {
                let player = player_named("against", value, players)?;
                if baselines.contains(&player) {
                    let message = format!("the baseline `{}` is listed twice", players[player].name);
                    return Err(PlacedError::new(value.span(), message));
                }
                baselines.push(player);
            }
            if baselines.len() == players.len() {
                let message = "every player is a baseline; leave at least one challenger out of `against`";
                return Err(PlacedError::new(value.span(), message));
            }
            Ok(Design::Gauntlet { baselines })
        }
        ("gauntlet", _) => {
            let message = "a gauntlet needs baselines; write design.gauntlet = { against = [\"random\"] }";
            Err(PlacedError::new(value.span(), message))
        }
        (name, _) => {
            Err(PlacedError::new(tag.name_span, OptionError::unknown("design", name, DESIGNS).to_string()))
        }
    }
}

/// The comparisons that the question is about, each as the names of its two players.
fn read_primary(
    value: &Value<'_>,
    players: &[PlayerSpec],
    design: &Design,
) -> Result<Vec<[usize; 2]>, PlacedError> {
    const EXAMPLE: &str = "primary = [[\"tree\", \"flat\"]]";
    let mut primary: Vec<[usize; 2]> = Vec::new();
    for pair in array("primary", value)? {
        let DeValue::Array(names) = pair.get_ref() else {
            let message = format!("a comparison is a list of two names; write for example `{EXAMPLE}`");
            return Err(PlacedError::new(pair.span(), message));
        };
        let [a, b] = names.as_ref() else {
            let message =
                format!("a comparison is of two players, not {}; write for example `{EXAMPLE}`", names.len());
            return Err(PlacedError::new(pair.span(), message));
        };
        let pair_of = [player_named("primary", a, players)?, player_named("primary", b, players)?];
        let [a, b] = pair_of;
        if a == b {
            return Err(PlacedError::new(
                pair.span(),
                format!("`{}` is compared with itself", players[a].name),
            ));
        }
        if primary.contains(&[a, b]) || primary.contains(&[b, a]) {
            return Err(PlacedError::new(pair.span(), "this comparison is listed twice"));
        }
        if !design.meet(pair_of) {
            let message = format!(
                "`{}` and `{}` never meet in this gauntlet; compare a baseline with a challenger",
                players[a].name, players[b].name
            );
            return Err(PlacedError::new(pair.span(), message));
        }
        primary.push(pair_of);
    }
    Ok(primary)
}
