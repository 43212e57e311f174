//! `[[training]]` in a manifest.

use std::ops::Range;

use toml::de::DeValue;

use super::{
    Files, MOST_GAMES, MOST_MEMORY_MIB, MOST_UNITS, Mistakes, PlacedError, Read, Section, Surroundings,
    Value, Variant, limits, opening, options_of, read_game, read_players, refused, repeats, sweep, tagged,
};
use crate::game::options::{
    OptionDecl, OptionKind, OptionValue, Options, integer, other, real, settings, text, texts_or_one,
};
use crate::learn::{Problem, Unit};
use crate::players::{LearnError, Registry, Source, learner_options, no_random_moves, source_of};
use crate::{Judge, PlayerSpec, Recorded, Training, waits_for};

/// The word for games of the learner against itself.
const ITSELF: &str = "itself";

/// Why a learner of a solitaire meets nobody.
const ALONE: &str = "a network of bags learns a solitaire; write against = \"itself\", omit `judge`, and test the network in an \
                     [[experiment]]";

const MOST_RANDOM_PLIES: i64 = 1_000_000;

settings! {
    pub(crate) struct TrainingKeys {
        /// its name, unique in the manifest; the name of its folder
        name: Option<String> = text("a text", "").optional().fixed(),
        /// the game, with its options
        game: bool = other("game").needed("\"othello\""),
        /// the evaluation whose weights are learned: tuples by td or least-squares, a network by td or dense, features by policy-gradient; a race finds the shapes of tuples, their seen and step, if shapes are left out
        evaluation: bool = other("evaluation").needed("{ tuples = { shapes = \"all-2\" } }"),
        /// how weights are learned
        method: bool = other("training-method").needed("\"td\""),
        /// with td: "itself", or opponents that are met in turn
        against: bool = other("opponents"),
        /// with td of bags: the one player that plays the games in place of the learner; its default evaluation is what is learned
        player: bool = other("one-player").fixed(),
        /// with dense or least-squares: the games whose samples are learned
        samples: bool = other("samples"),
        /// players that `against` and `judge` name
        opponent: bool = other("players").fixed(),
        /// with td: how many games are learned; with policy-gradient: how many deals
        games: Option<u64> = integer(1..=MOST_GAMES, ()).optional(),
        /// how good the result is, in games that are not learned
        judge: bool = other("training-judge").fixed(),
        /// the seed of this training alone
        seed: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// memory of one search of an opponent, in MiB
        memory_mib: Option<u64> = integer(1..=MOST_MEMORY_MIB, ()).optional(),
    }
}

settings! {
    pub(crate) struct SamplesKeys {
        /// the players: every pair in turn, each also with itself; one plays itself
        between: bool = other("opponents"),
        /// how many games are played
        games: Option<u64> = integer(1..=MOST_GAMES, ()).optional(),
        /// random plies at the beginning, which give no samples
        random_plies: Option<u32> = integer(0..=MOST_RANDOM_PLIES, ()).optional(),
        /// files of recorded games, in place of players
        files: Option<Vec<String>> = texts_or_one().optional(),
    }
}

settings! {
    pub(crate) struct TrainingJudgeKeys {
        /// the opponents
        against: bool = other("opponents").needed("[\"random\"]"),
        /// pairs of games against each opponent, with the seats swapped
        pairs: u64 = integer(1..=MOST_UNITS, ()).needed("1000"),
        /// the chance of a random move of the learner
        random: f64 = real(0.0..=1.0, 0.0),
        /// how its games begin
        openings: bool = other("openings"),
        /// the number of games between two judgements; only at the end if omitted
        every: Option<u64> = integer(1..=MOST_GAMES, ()).optional(),
    }
}

/// Trainings: one for each combination of a sweep.
pub(crate) fn read_trainings(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Read<Vec<Training>> {
    let variants = sweep::expand_keys::<TrainingKeys>(value)?;
    let mut mistakes = Mistakes::default();
    let mut trainings: Vec<Training> = Vec::new();
    for variant in &variants {
        let read = mistakes.note(read_training(&variant.value, variant, seed, registry, files));
        trainings.extend(read);
    }
    mistakes.check()?;
    let ids: Vec<u32> = trainings.iter().map(Training::id).collect();
    if let Some(again) = (1..ids.len()).find(|&training| ids[..training].contains(&ids[training])) {
        let name = &trainings[again].name;
        let message =
            format!("`{name}` asks the same as a training before it; sweep over something that differs");
        return refused(value.span(), message);
    }
    Ok(trainings)
}

#[derive(Default)]
struct Played {
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
) -> Read<Training> {
    let mut mistakes = Mistakes::default();
    let (written, keys) = Section::read_with(value, "a training", &sweep::KEYS, |_, _| None)?;
    let written: Option<TrainingKeys> = mistakes.note(written);
    let game = mistakes.of(keys.peek("game"), |value| read_game(value, registry));
    let [evaluation, method] = ["evaluation", "method"].map(|key| keys.peek(key));
    let settings =
        mistakes.of(evaluation.zip(method), |(evaluation, method)| read_settings(evaluation, method, files));
    let [opponents, judge] = ["opponent", "judge"].map(|key| keys.peek(key));
    let base = written.as_ref().and_then(|written| written.name.clone());
    mistakes.note(keys.shown("name", base.as_ref()));
    let base = base.unwrap_or_else(|| "training".into());
    let name = variant.name(&base);
    mistakes.note(keys.folder("a training", &name));
    let named = match (&game, opponents) {
        (Some(game), Some(list)) => {
            mistakes.note(read_players(list, &**game, files)).map(|(named, _)| named).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    // Players name the opponents, so more would be said of opponents that could not be read.
    let (true, Some(game), Some(settings), Some(evaluation), Some(method), Some(written)) =
        (mistakes.is_empty(), game, settings, evaluation, method, written)
    else {
        return Err(mistakes.some());
    };
    let of = Surroundings { game: &*game, named: &named, name: &name };
    let source = match source_of(&settings) {
        Source::Samples { .. } => read_samples(&keys, &of, files),
        source => read_games(source, &written, &keys, &of, files),
    };
    let source = mistakes.note(source);
    let judge = mistakes.of(judge, |value| read_judge(value, &of, files));
    mistakes.check()?;
    let (Played { players, games, random_plies, recorded }, source_span) =
        source.expect("no mistake was noted");
    let (judge, judged_random) = judge.map_or((None, 0.0), |(judge, random)| (Some(judge), random));
    let swept = (base, variant.values());
    let mut training = Training {
        name,
        swept,
        game,
        settings,
        candidates: Vec::new(),
        players,
        games,
        random_plies,
        recorded,
        judge,
        judged_random,
        seed: written.seed.unwrap_or(seed),
        limits: limits(written.memory_mib),
    };
    training.candidates = candidates(&training, method);
    if let Some(first) = training.candidates.first() {
        training.settings = first.clone();
    }
    if training.candidates.len() == 1 {
        training.candidates.clear();
    }
    fits(&training, [evaluation.span(), method.span(), source_span])?;
    Ok(training)
}

/// The values that a race tries: those of `seen` and `step` only if they are not written.
const RACED_SHAPES: [&str; 3] = ["all-2+2x2", "all-3", "all-4"];
const RACED_SEEN: [&str; 2] = ["inversion", "negation"];
const RACED_STEPS: [f64; 2] = [1.0, 0.1];

/// The settings between which a race decides: those of n-tuples by temporal differences without shapes that fit the game.
fn candidates(training: &Training, method: &Value<'_>) -> Vec<Options> {
    let settings = &training.settings;
    let (tuples, td) = (settings.part("evaluation"), settings.part("method"));
    if (&*tuples.name, &*td.name) != ("tuples", "td") || !tuples.options.word("shapes").is_empty() {
        return Vec::new();
    }
    let with = |settings: Options, name: &str, value: OptionValue| {
        let change = |decl: &OptionDecl, old: &OptionValue| {
            if decl.name == name { value.clone() } else { old.clone() }
        };
        settings.map(&change).expect("raced values are in range")
    };
    let seen = if tuples.options.word("seen") == "auto" { &RACED_SEEN[..] } else { &[] };
    let steps = if states(method.get_ref(), "step") { &[][..] } else { &RACED_STEPS };
    let mut all = vec![settings.clone()];
    let mut try_each = |name: &str, values: Vec<OptionValue>| {
        if !values.is_empty() {
            let of_each = |value: &OptionValue| {
                all.iter().map(|of| with(of.clone(), name, value.clone())).collect::<Vec<_>>()
            };
            all = values.iter().flat_map(of_each).collect();
        }
    };
    try_each("step", steps.iter().map(|&step| step.into()).collect());
    try_each("shapes", RACED_SHAPES.iter().map(|&shapes| shapes.into()).collect());
    try_each("seen", seen.iter().map(|&seen| seen.into()).collect());
    let fits =
        |settings: &Options| Training { settings: settings.clone(), ..training.clone() }.form().is_ok();
    all.retain(fits);
    all
}

/// Whether a method states an option, as a table or as text.
fn states(value: &DeValue<'_>, option: &str) -> bool {
    match value {
        DeValue::Table(table) => {
            table.iter().any(|(key, value)| key.get_ref() == option || states(value.get_ref(), option))
        }
        DeValue::String(text) => {
            text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == option)
        }
        _ => false,
    }
}

/// The games of a learner that plays them, and the place of the players.
fn read_games(
    source: Source,
    written: &TrainingKeys,
    keys: &Section<'_>,
    of: &Surroundings<'_>,
    files: &mut Files,
) -> Read<(Played, Range<usize>)> {
    let of_others =
        ["against", "judge", "player", "samples"].into_iter().find(|key| keys.peek(key).is_some());
    if let (Source::Deals, Some(key)) = (source, of_others) {
        let reason = format!(
            "a policy gradient plays alone and has no `{key}`; omit it, and test the policy in an [[experiment]]"
        );
        return Err(keys.error(key, reason));
    }
    let games = written.games.ok_or_else(|| keys.missing("games", "games = 300_000"));
    if source == Source::Deals {
        return Ok((Played { games: games?, ..Played::default() }, 0..0));
    }
    let against = keys.peek("against").ok_or_else(|| keys.missing("against", "against = \"itself\""))?;
    let games = Played { games: games?, ..Played::default() };
    keys.without("samples", "is a key of `dense` and `least-squares`; write `games` and `against`")?;
    let is_itself = matches!(against.get_ref(), DeValue::String(word) if word == ITSELF);
    let opponents = if is_itself { Vec::new() } else { of.players(against)? };
    if source == Source::Games {
        keys.without("player", "plays in place of a network of bags, and none is learned here")?;
        return Ok((Played { players: opponents, ..games }, against.span()));
    }
    if !opponents.is_empty() {
        return refused(against.span(), ALONE);
    }
    let Some(list) = keys.peek("player") else { return Ok((games, against.span())) };
    let (players, _) = read_players(list, of.game, files)?;
    if players.len() != 1 {
        let message = format!(
            "{} players are given, and one plays the games; write for example player = [{{ search.rollouts.playouts = 4 }}]",
            players.len()
        );
        return refused(list.span(), message);
    }
    Ok((Played { players, ..games }, list.span()))
}

/// The games whose samples are learned, between players or recorded, and their place.
fn read_samples(
    keys: &Section<'_>,
    of: &Surroundings<'_>,
    files: &mut Files,
) -> Read<(Played, Range<usize>)> {
    let example = "samples = { between = [\"greedy\"], games = 1000 }";
    for key in ["games", "against", "player"] {
        keys.without(key, &format!("is a key of the method `td`; write {example}"))?;
    }
    let value = keys.peek("samples").ok_or_else(|| keys.missing("samples", example))?;
    let (written, keys): (SamplesKeys, _) = Section::read(value, "`samples`")?;
    let source = match (keys.peek("between"), written.files) {
        (Some(between), None) => Played {
            players: of.players(between)?,
            games: written.games.ok_or_else(|| keys.missing("games", "games = 1000"))?,
            random_plies: written.random_plies.unwrap_or(0),
            ..Played::default()
        },
        (None, Some(names)) => {
            for key in ["games", "random-plies"] {
                keys.without(key, "is of games `between` players; omit it beside `files`")?;
            }
            let read = |(index, name): (usize, String)| -> Read<Recorded> {
                let file = files.named(name, keys.at_item("files", index))?;
                let recorded = Recorded { name: file.name.clone(), content: file.content.clone().into() };
                recorded.games(of.game).map_err(|reason| file.error(&format!(" {reason}")))?;
                Ok(recorded)
            };
            let recorded = names.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
            Played { recorded, ..Played::default() }
        }
        (Some(_), Some(_)) => {
            return Err(keys.error("files", "samples are of games `between` players or of `files`; omit one"));
        }
        (None, None) => return Err(keys.missing("between", "between = [\"greedy\"]")),
    };
    Ok((source, value.span()))
}

fn read_settings(evaluation: &Value<'_>, method: &Value<'_>, files: &mut Files) -> Read<Options> {
    let given = [("evaluation", evaluation.span(), evaluation), ("method", method.span(), method)];
    let declared = learner_options(Some(tagged("evaluation", evaluation)?.name));
    let declared = declared.map_err(|reason| PlacedError::new(evaluation.span(), reason))?;
    let mut settings = options_of(&declared, &given, &evaluation.span())?;
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

/// Checks that the evaluation and the method fit the game, and that every player repeats its games. The places are those of
/// the evaluation, the method, and the players or files.
fn fits(training: &Training, [evaluation, method, source]: [Range<usize>; 3]) -> Read<()> {
    for player in &training.players {
        repeats(&player.searcher, source.clone())?;
    }
    let game = &*training.game;
    let waits = training.players.iter().any(|player| waits_for(&player.searcher).is_some());
    let players = if waits { Vec::new() } else { training.searchers() };
    let unfit = |at, error: &LearnError| {
        PlacedError::new(at, format!("this training does not fit {}: {error}", game.spec()))
    };
    let of_method = |problem: &Problem| PlacedError::new(method.clone(), problem.to_string());
    training.learnable(&players).map(drop).map_err(|error| match &error {
        LearnError::Method(problem) => of_method(problem),
        LearnError::Player(_) => unfit(source.clone(), &error),
        _ => unfit(evaluation, &error),
    })?;
    match training.source() {
        Source::Solitaire if training.judge.is_some() => refused(source, ALONE),
        // A player that waits is not known yet, so the learner has not checked it.
        Source::Solitaire if waits && training.settings.part("method").options.real("random") > 0.0 => {
            Err(of_method(&no_random_moves()))
        }
        Source::Samples { split, .. } if split.unit == Unit::Game => {
            let recorded = |file: &Recorded| file.games(game).map_or(0, |games| games.len());
            let games = training.games as usize + training.recorded.iter().map(recorded).sum::<usize>();
            split.counts(games).map(drop).map_err(|problem| of_method(&problem))
        }
        _ => Ok(()),
    }
}

fn read_judge(value: &Value<'_>, of: &Surroundings<'_>, files: &mut Files) -> Read<(Judge, f64)> {
    let (written, keys): (TrainingJudgeKeys, _) = Section::read(value, "`judge`")?;
    let TrainingJudgeKeys { pairs: units, random, every, .. } = written;
    let against = keys.peek("against").map_or(Ok(Vec::new()), |value| of.players(value))?;
    let openings = keys.peek("openings").map(|value| opening(value, of.game, units, files)).transpose()?;
    Ok((Judge { against, units, openings, every }, random))
}
