//! `[[training]]` in a manifest.

use std::ops::Range;

use toml::de::DeValue;

use super::document::{Mistakes, PlacedError, Section, Value, option_value, typed_options};
use super::files::Files;
use super::fitness::{MOST_UNITS, Surroundings, opening, repeats};
use super::optimisation::MOST_GAMES;
use super::player::read_players;
use super::section::{MOST_MEMORY_MIB, read_game};
use crate::experiment::manifest::filled::waits_for;
use crate::experiment::manifest::optimisation::Judge;
use crate::experiment::manifest::training::{Training, training_options};
use crate::game::options::{OptionValue, Options};
use crate::players::{AnyGame, Registry};
use crate::search::Limits;

/// The word for games of the learner against itself.
const ITSELF: &str = "itself";

/// A training.
pub(super) fn read_training(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<Training, PlacedError> {
    let mut section = Section::from_value(value, "a training")?;
    let mut mistakes = Mistakes::default();
    let game = mistakes.note(section.require("game", "game = \"othello\""));
    let game = game.and_then(|value| mistakes.note(read_game(value, registry)));
    let name = mistakes.note(section.name("name")).flatten().unwrap_or_else(|| "training".into());
    let name_span = section.take("name").map_or(section.span.clone(), Value::span);
    let seed =
        mistakes.note(section.integer("seed", 0..=i64::MAX)).flatten().map_or(seed, |seed| seed as u64);
    let memory = mistakes.note(section.integer("memory-mib", 1..=MOST_MEMORY_MIB)).flatten();
    let limits = memory.map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20 });
    let games = mistakes.note(section.integer("games", 1..=MOST_GAMES)).flatten();
    if games.is_none() && mistakes.is_empty() {
        mistakes.add(section.missing("games", "games = 300_000"));
    }
    let evaluation = mistakes.note(section.require("evaluation", "evaluation.tuples.shapes = \"all-2\""));
    let method = mistakes.note(section.require("method", "method = \"td\""));
    let against = mistakes.note(section.require("against", "against = \"itself\""));
    let [opponents, judge] = ["opponent", "judge"].map(|key| section.take(key));
    mistakes.note(section.finish());
    if let Some(bad) = name.chars().find(|letter| "/\\:".contains(*letter)) {
        let message = format!("the name of a training is the name of its folder, which cannot have `{bad}`");
        mistakes.add(PlacedError::new(name_span, message));
    }
    // The rest depends on these.
    let (Some(game), Some(games), Some(evaluation), Some(method), Some(against)) =
        (game, games, evaluation, method, against)
    else {
        return Err(mistakes.take().expect("something could not be read"));
    };
    let settings = mistakes.note(read_settings(evaluation, method));
    let named = opponents.and_then(|list| mistakes.note(read_players(list, &*game, files)));
    // Players name the opponents, so more would be said of opponents that could not be read.
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let (named, _) = named.unwrap_or_default();
    let of = Surroundings { game: &*game, named: &named, name: &name };
    let is_itself = matches!(against.get_ref(), DeValue::String(word) if word == ITSELF);
    let met = if is_itself { Some(Vec::new()) } else { mistakes.note(of.players(against)) };
    let judge = judge.map(|value| read_judge(value, &of, files));
    let judge = judge.and_then(|read| mistakes.note(read));
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let (settings, met) = (settings.expect("no mistake was noted"), met.expect("no mistake was noted"));
    let (judge, judged_random) = judge.map_or((None, 0.0), |(judge, random)| (Some(judge), random));
    let training = Training {
        name,
        game,
        settings,
        against: met,
        games: games as u64,
        judge,
        judged_random,
        seed,
        limits,
    };
    fits(&training, evaluation.span(), against.span())?;
    Ok(training)
}

/// The options `evaluation` and `method`.
fn read_settings(evaluation: &Value<'_>, method: &Value<'_>) -> Result<Options, PlacedError> {
    let typed =
        typed_options(&[("evaluation", evaluation.span(), evaluation), ("method", method.span(), method)])?;
    let read = Options::read(&training_options(), typed);
    let read = read.map_err(|mistakes| PlacedError::of_misread(mistakes, |place| place))?;
    Ok(read.options)
}

/// Checks that the evaluation fits the game, and that every opponent repeats its games.
fn fits(training: &Training, evaluation: Range<usize>, against: Range<usize>) -> Result<(), PlacedError> {
    for player in &training.against {
        repeats(&player.searcher, against.clone())?;
    }
    let game: &dyn AnyGame = &*training.game;
    let waits = training.against.iter().any(|player| waits_for(&player.searcher).is_some());
    let lessons = game.lessons(training.settings.part("evaluation"), &[]).map(|_| ());
    let lessons = lessons.map_err(|error| (evaluation, error));
    let all = if waits { Ok(()) } else { training.lessons().map(|_| ()) };
    lessons.and(all.map_err(|error| (against, error))).map_err(|(span, error)| {
        PlacedError::new(span, format!("this training does not fit {}: {error}", game.spec()))
    })
}

fn read_judge(
    value: &Value<'_>,
    of: &Surroundings<'_>,
    files: &mut Files,
) -> Result<(Judge, f64), PlacedError> {
    let mut section = Section::from_value(value, "`judge`")?;
    let every = section.integer("every", 1..=MOST_GAMES)?.map(|every| every as u64);
    let random = section.take("random").map_or(Ok(0.0), read_chance)?;
    let Some(units) = section.integer("pairs", 1..=MOST_UNITS)? else {
        return Err(section.missing("pairs", "pairs = 1000"));
    };
    let against = of.players(section.require("against", "against = [\"random\"]")?)?;
    let openings =
        section.take("openings").map(|value| opening(value, of.game, units as u64, files)).transpose()?;
    section.finish()?;
    Ok((Judge { against, units: units as u64, openings, every }, random))
}

fn read_chance(value: &Value<'_>) -> Result<f64, PlacedError> {
    let chance = match option_value("random", value)? {
        OptionValue::Real(chance) => Some(chance),
        OptionValue::Integer(chance) => Some(chance as f64),
        _ => None,
    };
    chance
        .filter(|chance| (0.0..=1.0).contains(chance))
        .ok_or_else(|| PlacedError::new(value.span(), "`random` must be a chance from 0 to 1, such as 0.1"))
}
