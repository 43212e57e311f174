//! `[[training]]` in a manifest.

use std::ops::Range;

use toml::de::DeValue;

use super::document::{Mistakes, PlacedError, Section, Value, array, option_value, typed_options};
use super::files::Files;
use super::fitness::{MOST_UNITS, Surroundings, opening, repeats};
use super::optimisation::MOST_GAMES;
use super::player::read_players;
use super::section::{MOST_MEMORY_MIB, read_game};
use super::sweep::{self, Variant};
use crate::experiment::manifest::experiment::PlayerSpec;
use crate::experiment::manifest::filled::waits_for;
use crate::experiment::manifest::optimisation::Judge;
use crate::experiment::manifest::training::{Recorded, Training, TrainingMethod, training_options};
use crate::game::options::{OptionKind, OptionValue, Options};
use crate::learn::{Problem, Unit};
use crate::players::{AnyGame, FitError, Registry, SearcherSpec};
use crate::search::Limits;

/// The word for games of the learner against itself.
const ITSELF: &str = "itself";

/// Why a learner of a solitaire meets nobody.
const ALONE: &str = "a network of bags learns a solitaire; write against = \"itself\", omit `judge`, and test the network in an \
                     [[experiment]]";

/// The keys below which nothing is swept.
const WHOLE: [&str; 4] = ["name", "opponent", "player", "judge"];

/// The most random plies at the beginning of a game.
const MOST_RANDOM_PLIES: i64 = 1_000_000;

/// Trainings: one for each combination of a sweep.
pub(super) fn read_trainings(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<Vec<Training>, PlacedError> {
    let variants = sweep::expand(value, &WHOLE)?;
    let mut mistakes = Mistakes::default();
    let mut trainings: Vec<Training> = Vec::new();
    for variant in &variants {
        let read = mistakes.note(read_training(&variant.value, variant, seed, registry, files));
        trainings.extend(read);
    }
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let ids: Vec<u32> = trainings.iter().map(Training::id).collect();
    if let Some(twin) = (1..ids.len()).find(|&training| ids[..training].contains(&ids[training])) {
        let name = &trainings[twin].name;
        let message =
            format!("`{name}` asks the same as a training before it; sweep over something that differs");
        return Err(PlacedError::new(value.span(), message));
    }
    Ok(trainings)
}

/// Where the games of a training come from.
#[derive(Default)]
struct Source {
    players: Vec<PlayerSpec>,
    games: u64,
    random_plies: u32,
    recorded: Vec<Recorded>,
}

fn read_training(
    value: &Value<'_>,
    variant: &Variant<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<Training, PlacedError> {
    let mut section = Section::from_value(value, "a training")?;
    section.knows(&sweep::KEYS);
    let mut mistakes = Mistakes::default();
    let game = mistakes.note(section.require("game", "game = \"othello\""));
    let game = game.and_then(|value| mistakes.note(read_game(value, registry)));
    let base = mistakes.note(section.name("name")).flatten().unwrap_or_else(|| "training".into());
    let name_span = section.take("name").map_or(section.span.clone(), Value::span);
    let seed =
        mistakes.note(section.integer("seed", 0..=i64::MAX)).flatten().map_or(seed, |seed| seed as u64);
    let memory = mistakes.note(section.integer("memory-mib", 1..=MOST_MEMORY_MIB)).flatten();
    let limits = memory
        .map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20, ..Limits::default() });
    let evaluation = mistakes.note(section.require("evaluation", "evaluation.tuples.shapes = \"all-2\""));
    let method = mistakes.note(section.require("method", "method = \"td\""));
    let settings = evaluation.zip(method);
    let settings =
        settings.and_then(|(evaluation, method)| mistakes.note(read_settings(evaluation, method, files)));
    let word = settings.as_ref().map(|settings| settings.part("method").name.clone());
    let is_of_policy = word.as_deref() == Some("policy-gradient");
    let has_samples = word.map(|word| word != "td" && !is_of_policy);
    let [opponents, judge] = ["opponent", "judge"].map(|key| section.take(key));
    let name = variant.name(&base);
    if let Some(bad) = name.chars().find(|letter| "/\\:".contains(*letter)) {
        let message = format!("the name of a training is the name of its folder, which cannot have `{bad}`");
        mistakes.add(PlacedError::new(name_span, message));
    }
    let named = match (&game, opponents) {
        (Some(game), Some(list)) => {
            mistakes.note(read_players(list, &**game, files)).map(|(named, _)| named).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    // Players name the opponents, so more would be said of opponents that could not be read.
    let (true, Some(game), Some(settings), Some(has_samples), Some(evaluation), Some(method)) =
        (mistakes.is_empty(), game, settings, has_samples, evaluation, method)
    else {
        section.knows(&["games", "against", "samples"]);
        mistakes.note(section.finish());
        return Err(mistakes.take().expect("something could not be read"));
    };
    let of = Surroundings { game: &*game, named: &named, name: &name };
    let (source, source_span) = if has_samples {
        for key in ["games", "against"] {
            if let Some(value) = section.take(key) {
                let message = format!(
                    "`{key}` is a key of the method `td`; write samples = {{ between = [\"greedy\"], games = 1000 }}"
                );
                mistakes.add(PlacedError::new(value.span(), message));
            }
        }
        let samples = section.require("samples", "samples = { between = [\"greedy\"], games = 1000 }");
        let samples = mistakes.note(samples);
        let read = samples.and_then(|value| mistakes.note(read_samples(value, &of, files)));
        (read, samples.map_or(0..0, Value::span))
    } else {
        let is_of_bags = !is_of_policy && settings.part("evaluation").name == "bags";
        if is_of_policy {
            mistakes.note(alone(&mut section, judge));
        }
        read_lessons(&mut section, &mut mistakes, &of, files, [is_of_policy, is_of_bags])
    };
    let judge = judge.and_then(|value| mistakes.note(read_judge(value, &of, files)));
    mistakes.note(section.finish());
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let Source { players, games, random_plies, recorded } = source.expect("no mistake was noted");
    let (judge, judged_random) = judge.map_or((None, 0.0), |(judge, random)| (Some(judge), random));
    let swept = (base, variant.values());
    let training = Training {
        name,
        swept,
        game,
        settings,
        players,
        games,
        random_plies,
        recorded,
        judge,
        judged_random,
        seed,
        limits,
    };
    fits(&training, [evaluation.span(), method.span(), source_span])?;
    Ok(training)
}

/// The games of a learner that plays them, and the place of the players.
fn read_lessons(
    section: &mut Section<'_>,
    mistakes: &mut Mistakes,
    of: &Surroundings<'_>,
    files: &mut Files,
    [is_of_policy, is_of_bags]: [bool; 2],
) -> (Option<Source>, Range<usize>) {
    let games = mistakes.note(section.integer("games", 1..=MOST_GAMES)).flatten();
    if games.is_none() && mistakes.is_empty() {
        mistakes.add(section.missing("games", "games = 300_000"));
    }
    let against =
        if is_of_policy { None } else { mistakes.note(section.require("against", "against = \"itself\"")) };
    let player = if is_of_bags { section.take("player") } else { None };
    let read = match against {
        None => Some(Vec::new()),
        Some(against) if is_of_bags => mistakes.note(read_player_of_solitaire(against, player, of, files)),
        Some(against) => mistakes.note(read_against(against, of)),
    };
    let source =
        games.zip(read).map(|(games, players)| Source { players, games: games as u64, ..Source::default() });
    (source, player.or(against).map_or(0..0, Value::span))
}

/// Refuses opponents and judges of a policy gradient.
fn alone(section: &mut Section<'_>, judge: Option<&Value<'_>>) -> Result<(), PlacedError> {
    let message = |key: &str| {
        format!(
            "a policy gradient plays alone and has no `{key}`; omit it, and test the policy in an [[experiment]]"
        )
    };
    match (section.take("against"), judge) {
        (Some(value), _) => Err(PlacedError::new(value.span(), message("against"))),
        (None, Some(value)) => Err(PlacedError::new(value.span(), message("judge"))),
        (None, None) => Ok(()),
    }
}

/// Whom a learner meets.
fn read_against(value: &Value<'_>, of: &Surroundings<'_>) -> Result<Vec<PlayerSpec>, PlacedError> {
    let is_itself = matches!(value.get_ref(), DeValue::String(word) if word == ITSELF);
    if is_itself { Ok(Vec::new()) } else { of.players(value) }
}

/// The player in place of the learner of a solitaire, if there is one.
fn read_player_of_solitaire(
    against: &Value<'_>,
    player: Option<&Value<'_>>,
    of: &Surroundings<'_>,
    files: &mut Files,
) -> Result<Vec<PlayerSpec>, PlacedError> {
    if !read_against(against, of)?.is_empty() {
        return Err(PlacedError::new(against.span(), ALONE));
    }
    let Some(list) = player else { return Ok(Vec::new()) };
    let (players, _) = read_players(list, of.game, files)?;
    if players.len() != 1 {
        let message = format!(
            "{} players are given, and one plays the games; write for example player = [{{ search.rollouts.playouts = 4 }}]",
            players.len()
        );
        return Err(PlacedError::new(list.span(), message));
    }
    Ok(players)
}

/// The games whose samples are learned: between players, or recorded ones.
fn read_samples(value: &Value<'_>, of: &Surroundings<'_>, files: &mut Files) -> Result<Source, PlacedError> {
    let mut section = Section::from_value(value, "`samples`")?;
    let (between, recorded) = (section.take("between"), section.take("files"));
    let source = match (between, recorded) {
        (Some(between), None) => {
            let players = of.players(between)?;
            let Some(games) = section.integer("games", 1..=MOST_GAMES)? else {
                return Err(section.missing("games", "games = 1000"));
            };
            let random_plies = section.integer("random-plies", 0..=MOST_RANDOM_PLIES)?.unwrap_or(0) as u32;
            Source { players, games: games as u64, random_plies, ..Source::default() }
        }
        (None, Some(list)) => {
            let items = match list.get_ref() {
                DeValue::String(_) => std::slice::from_ref(list),
                _ => array("files", list)?,
            };
            let read = |item: &Value<'_>| -> Result<Recorded, PlacedError> {
                let file = files.read("files", item)?;
                let recorded = Recorded { name: file.name.clone(), content: file.content.clone().into() };
                recorded.games(of.game).map_err(|reason| file.error(&format!(" {reason}")))?;
                Ok(recorded)
            };
            let recorded: Vec<Recorded> = items.iter().map(read).collect::<Result<_, _>>()?;
            if recorded.is_empty() {
                let message = "`files` names no file; write files = [\"games.txt\"]";
                return Err(PlacedError::new(list.span(), message));
            }
            Source { recorded, ..Source::default() }
        }
        (Some(_), Some(files)) => {
            let message = "samples are of games `between` players or of `files`; omit one";
            return Err(PlacedError::new(files.span(), message));
        }
        (None, None) => return Err(section.missing("between", "between = [\"greedy\"]")),
    };
    section.finish()?;
    Ok(source)
}

/// The options `evaluation` and `method`.
fn read_settings(
    evaluation: &Value<'_>,
    method: &Value<'_>,
    files: &mut Files,
) -> Result<Options, PlacedError> {
    let typed =
        typed_options(&[("evaluation", evaluation.span(), evaluation), ("method", method.span(), method)])?;
    let read = Options::read(&training_options(), typed);
    let mut settings = read.map_err(|mistakes| PlacedError::of_misread(mistakes, |place| place))?.options;
    // Only a network of bags may begin with a file.
    let of_bags = settings.part("evaluation").name == "bags";
    settings.change_files(&mut |decl, file| {
        if of_bags && decl.kind == OptionKind::File {
            *file = file.clone().with_content(files.named(file.path().into(), evaluation.span())?.content);
        }
        Ok::<(), PlacedError>(())
    })?;
    Ok(settings)
}

/// Checks that the evaluation and the method fit the game, and that every opponent repeats its games. The places are those
/// of the evaluation, the method, and the players or files.
fn fits(training: &Training, places: [Range<usize>; 3]) -> Result<(), PlacedError> {
    let [evaluation, method, source] = places;
    for player in &training.players {
        repeats(&player.searcher, source.clone())?;
    }
    let (game, learning): (&dyn AnyGame, _) = (&*training.game, training.game.learning());
    let refused = |span: Range<usize>| {
        move |error: FitError| {
            PlacedError::new(span, format!("this training does not fit {}: {error}", game.spec()))
        }
    };
    let waits = training.players.iter().any(|player| waits_for(&player.searcher).is_some());
    match training.method() {
        TrainingMethod::Td(options) => {
            let (of, players): (_, &[SearcherSpec]) =
                (training.evaluation(), if waits { &[] } else { &training.searchers() });
            let problem = |problem: Problem| PlacedError::new(method.clone(), problem.to_string());
            if training.is_of_bags() {
                learning.bag_lessons(of, &[]).map_err(refused(evaluation))?;
                options.check_bags().map_err(problem)?;
                if training.judge.is_some() {
                    return Err(PlacedError::new(source, ALONE));
                }
                learning.bag_lessons(of, players).map_err(refused(source))?;
                if !training.players.is_empty() && options.random > 0.0 {
                    let reason = "a player in place of the learner makes no random moves; write random = 0";
                    return Err(problem(Problem::new("random", reason)));
                }
                return Ok(());
            }
            if training.is_of_network() {
                let lessons = learning.network_lessons(of, &[]).map_err(refused(evaluation))?;
                options.layers(lessons.form.inputs).map_err(problem)?;
                return learning.network_lessons(of, players).map(|_| ()).map_err(refused(source));
            }
            learning.tuple_lessons(of, &[]).map_err(refused(evaluation))?;
            options.check_tuples().map_err(problem)?;
            learning.tuple_lessons(of, players).map(|_| ()).map_err(refused(source))
        }
        TrainingMethod::PolicyGradient(_) => {
            learning.policy_lessons(training.evaluation()).map(|_| ()).map_err(refused(evaluation))
        }
        samples => {
            let problem = |problem: Problem| PlacedError::new(method.clone(), problem.to_string());
            let split = if let TrainingMethod::Dense(options) = samples {
                let sampler = learning.network_sampler(training.evaluation()).map_err(refused(evaluation))?;
                options.layers(sampler.form().inputs).map_err(problem)?;
                options.settings().map_err(problem)?.split
            } else {
                let sampler = learning.tuple_sampler(training.evaluation()).map_err(refused(evaluation))?;
                let TrainingMethod::LeastSquares(options) = samples else {
                    unreachable!("the other methods have no samples")
                };
                if let (1.., Some(reason)) = (options.solved, sampler.lacks_solver()) {
                    return Err(problem(Problem::new("solved", format!("{reason}; write solved = 0"))));
                }
                options.split().map_err(problem)?
            };
            let recorded = |file: &Recorded| file.games(game).map_or(0, |games| games.len());
            let games = training.games as usize + training.recorded.iter().map(recorded).sum::<usize>();
            if split.unit == Unit::Game {
                split.counts(games).map_err(problem)?;
            }
            let searchers: &[SearcherSpec] = if waits { &[] } else { &training.searchers() };
            game.prepare(searchers).map(|_| ()).map_err(|unfit| refused(source)(unfit.error))
        }
    }
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
