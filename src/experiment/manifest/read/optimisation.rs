//! `[[optimisation]]` in a manifest.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

use super::document::{
    Mistakes, PlacedError, Section, Value, array, genes_below, integer, kind, text, typed_options,
};
use super::evolved::with_extremes;
use super::files::Files;
use super::genes::{positive, read_genes};
use super::openings::read_openings;
use super::player::{notation_or_table, read_files, read_players};
use super::section::{MOST_MEMORY_MIB, read_game};
use super::sweep;
use crate::experiment::manifest::experiment::PlayerSpec;
use crate::experiment::manifest::genes::Genes;
use crate::experiment::manifest::method::{MethodPart, MethodSettings};
use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::optimisation::{
    Against, Fitness, Judge, Length, Luck, Measure, Optimisation, OptimisationRun, Racing, Seat,
};
use crate::experiment::manifest::places::misfit;
use crate::game::options::{OptionError, Options, Settings as _, Wording, nearest};
use crate::players::{AnyGame, Registry, SearcherSpec};
use crate::search::Limits;

/// The largest numbers of generations, games and units.
const MOST_GENERATIONS: i64 = 1_000_000_000;
const MOST_GAMES: i64 = 1_000_000_000_000;
const MOST_UNITS: i64 = 1_000_000_000;

/// The keys below which nothing is swept.
const WHOLE: [&str; 4] = ["name", "opponent", "judge", "genes"];

/// An optimisation: one run for each combination of a sweep.
pub(super) fn read_optimisation(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<Optimisation, PlacedError> {
    let variants = sweep::expand(value, &WHOLE)?;
    let mut mistakes = Mistakes::default();
    let mut name = String::new();
    let mut runs = Vec::new();
    for variant in &variants {
        let mut section = Section::from_value(&variant.value, "an optimisation")?;
        section.knows(&sweep::KEYS);
        let read = mistakes.note(read_run(&mut section, seed, registry, files));
        mistakes.note(section.finish());
        if let Some(run) = read {
            name.clone_from(&run.name);
            runs.push(Arc::new(OptimisationRun {
                name: variant.name(&run.name),
                swept: variant.values(),
                ..run
            }));
        }
    }
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let ids: Vec<u32> = runs.iter().map(|run| run.id()).collect();
    if let Some(twin) = (1..ids.len()).find(|&run| ids[..run].contains(&ids[run])) {
        let message = format!(
            "`{}` asks the same as a run before it; sweep over something that differs",
            runs[twin].name
        );
        return Err(PlacedError::new(value.span(), message));
    }
    Ok(Optimisation { name, runs })
}

fn read_run(
    section: &mut Section<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Result<OptimisationRun, PlacedError> {
    let mut mistakes = Mistakes::default();
    let game_value = mistakes.note(section.require("game", "game = \"othello\""));
    let game = game_value.and_then(|value| mistakes.note(read_game(value, registry)));
    let name = mistakes.note(section.name("name")).flatten();
    let name_span = section.take("name").map_or(section.span.clone(), Value::span);
    let seed =
        mistakes.note(section.integer("seed", 0..=i64::MAX)).flatten().map_or(seed, |seed| seed as u64);
    let memory = mistakes.note(section.integer("memory-mib", 1..=MOST_MEMORY_MIB)).flatten();
    let limits = memory.map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20 });
    let length = mistakes.note(read_length(section));
    let genes_value =
        mistakes.note(section.require("genes", "genes.w = { count = 64, within = [-1.0, 1.0] }"));
    let genes = genes_value.and_then(|value| mistakes.note(read_genes(value)));
    let player_value = mistakes.note(section.require("player", "player.search.greedy.depth = 1"));
    let method_value = mistakes.note(section.require("method", "method = \"genetic\""));
    let method = method_value.and_then(|value| mistakes.note(read_method(value)));
    let [fitness, opponents, judge, openings] =
        ["fitness", "opponent", "judge", "openings"].map(|key| section.take(key));
    let name = name.unwrap_or_else(|| "optimisation".into());
    if let Some(bad) = name.chars().find(|letter| "/\\:".contains(*letter)) {
        let message =
            format!("the name of an optimisation is the name of its folder, which cannot have `{bad}`");
        mistakes.add(PlacedError::new(name_span, message));
    }
    // The rest depends on the game, the genes and the method.
    let (Some(game), Some(genes), Some(player_value), Some(method)) = (game, genes, player_value, method)
    else {
        return Err(mistakes.take().expect("something could not be read"));
    };
    let player = mistakes.note(read_player(player_value, genes_value, &genes, &*game, files));
    let (space, parts) = (genes.space(), MethodSettings::read(&method).method);
    mistakes.note(
        parts
            .check(&space)
            .map_err(|problem| PlacedError::new(method_value.map_or(0..0, Value::span), problem.to_string())),
    );
    let named = opponents.map(|list| read_players(list, &*game, files));
    let (named, _) = named.and_then(|read| mistakes.note(read)).unwrap_or_default();
    let surroundings = Surroundings { game: &*game, named: &named, name: &name };
    if let Some(player) = &player {
        mistakes.note(repeats(player, player_value.span()));
    }
    for opponent in &named {
        mistakes.note(repeats(&opponent.searcher, opponents.map_or(0..0, Value::span)));
    }
    let fitness = mistakes.note(read_fitness(fitness, section, &surroundings, &parts));
    let judge = judge.map(|value| read_judge(value, &surroundings, fitness.as_ref(), files));
    let judge = judge.and_then(|read| mistakes.note(read));
    let units = fitness.as_ref().map_or(1, |fitness| fitness.units);
    let openings = openings.map(|value| opening(value, &*game, units, files));
    let openings = openings.and_then(|read| mistakes.note(read)).unwrap_or(Openings::START);
    match (player, fitness, length, mistakes.take()) {
        (Some(player), Some(fitness), Some(length), None) => Ok(OptimisationRun {
            name,
            swept: Vec::new(),
            game,
            genes,
            player,
            fitness,
            method,
            length,
            judge,
            openings,
            seed,
            limits,
        }),
        (.., error) => Err(error.expect("something could not be read")),
    }
}

fn read_length(section: &mut Section<'_>) -> Result<Length, PlacedError> {
    let generations = section.integer("generations", 1..=MOST_GENERATIONS)?;
    let games = section.integer("games", 1..=MOST_GAMES)?;
    match (generations, games) {
        (Some(generations), None) => Ok(Length::Generations(generations as u64)),
        (None, Some(games)) => Ok(Length::Games(games as u64)),
        (None, None) => Err(section.missing("generations", "generations = 100")),
        (Some(_), Some(_)) => {
            let span = section.take("games").map_or(section.span.clone(), Value::span);
            Err(PlacedError::new(span, "`generations` gives the length already; keep one of the two"))
        }
    }
}

/// The method with its options, as the one option of [`MethodSettings`].
fn read_method(value: &Value<'_>) -> Result<Options, PlacedError> {
    let typed = typed_options(&[("method", value.span(), value)])?;
    let read = Options::read(&MethodSettings::options(), typed);
    let read = read.map_err(|mistakes| PlacedError::of_misread(mistakes, |place| place))?;
    Ok(read.options)
}

/// The player with its genes: each gene is used, and the player takes all their values.
fn read_player(
    value: &Value<'_>,
    genes_value: Option<&Value<'_>>,
    genes: &Genes,
    game: &dyn AnyGame,
    files: &mut Files,
) -> Result<SearcherSpec, PlacedError> {
    let used = genes_below(value);
    let known = || genes.0.iter().map(|gene| gene.name.as_str());
    let mut mistakes = Mistakes::default();
    for (name, at) in &used {
        if !known().any(|known| known == *name) {
            let message = OptionError::unknown("gene", name, known()).to_string();
            mistakes.add(PlacedError::new(at.clone(), message));
        }
    }
    for name in known().filter(|name| !used.iter().any(|(used, _)| used == name)) {
        let at = genes_value.map_or(0..0, |genes| place_of_key(genes, name));
        let message =
            format!("no value of the player is this gene; write `{{ gene = {name:?} }}` in place of one");
        mistakes.add(PlacedError::new(at, message));
    }
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let (mut player, places) = notation_or_table(value, game)?;
    read_files(&mut player, &places, files)?;
    for (gene, candidate) in genes.trials() {
        let name = &genes.0[gene].name;
        let at = used.iter().find(|(used, _)| used == name).map_or(value.span(), |(_, at)| at.clone());
        let filled = genes.player(&player, &candidate).map_err(|invalid| {
            PlacedError::new(at, format!("the gene `{name}` does not fit its place: {invalid}"))
        })?;
        let tried = with_extremes(&filled, &places, game, &files.optimisations, 0)?;
        game.fits(&tried).map_err(|error| misfit(game, &filled, places.of(&error), &error))?;
    }
    Ok(player)
}

/// The place of a key of a table.
fn place_of_key(table: &Value<'_>, key: &str) -> Range<usize> {
    let DeValue::Table(entries) = table.get_ref() else { return table.span() };
    entries.iter().find(|(name, _)| name.get_ref() == key).map_or(table.span(), |(name, _)| name.span())
}

/// The results of an optimisation repeat, so no player may have a budget of time.
fn repeats(player: &SearcherSpec, at: Range<usize>) -> Result<(), PlacedError> {
    if !player.is_time_limited() {
        return Ok(());
    }
    let message = format!(
        "`{}` has a budget of time, so the same numbers would not give the same result again; give it a budget of playouts \
         or nodes",
        player.text(Wording::Name)
    );
    Err(PlacedError::new(at, message))
}

/// What a fitness and a judge depend on.
struct Surroundings<'s> {
    game: &'s dyn AnyGame,
    named: &'s [PlayerSpec],
    name: &'s str,
}

impl Surroundings<'_> {
    fn is_for_two(&self) -> bool {
        self.game.facts().players == 2
    }

    /// The players of a list: names of `opponent`, or searchers as on a command line. A name alone is a list of one.
    fn players(&self, value: &Value<'_>) -> Result<Vec<PlayerSpec>, PlacedError> {
        let items = match value.get_ref() {
            DeValue::String(_) => std::slice::from_ref(value),
            _ => array("against", value)?,
        };
        let mut players: Vec<PlayerSpec> = Vec::new();
        for item in items {
            let name = text("against", item)?;
            if name == self.name {
                let message =
                    format!("`{name}` is this optimisation: a candidate cannot meet its own result");
                return Err(PlacedError::new(item.span(), message));
            }
            let player = match self.named.iter().find(|player| player.name == name) {
                Some(player) => player.clone(),
                None => self.searcher(item, &name)?,
            };
            if players.iter().any(|other| other.content() == player.content()) {
                return Err(PlacedError::new(item.span(), format!("`{name}` is listed twice")));
            }
            players.push(player);
        }
        if players.is_empty() {
            return Err(PlacedError::new(value.span(), "`against` needs at least one opponent"));
        }
        Ok(players)
    }

    fn searcher(&self, value: &Value<'_>, name: &str) -> Result<PlayerSpec, PlacedError> {
        let names = || self.named.iter().map(|player| player.name.as_str());
        let read = notation_or_table(value, self.game);
        let (searcher, places) = read.map_err(|error| match nearest(name, names()) {
            Some(near) => PlacedError::new(
                value.span(),
                format!("there is no opponent {name:?}; did you mean {near:?}?"),
            ),
            None => error,
        })?;
        let fits = self.game.fits(&searcher);
        fits.map_err(|error| misfit(self.game, &searcher, places.of(&error), &error))?;
        repeats(&searcher, value.span())?;
        Ok(PlayerSpec { name: name.into(), searcher, stream: None, swept: Vec::new() })
    }
}

fn read_fitness(
    value: Option<&Value<'_>>,
    parent: &Section<'_>,
    of: &Surroundings<'_>,
    method: &MethodPart,
) -> Result<Fitness, PlacedError> {
    let is_knockout = method.knockout().is_some();
    let usual = if of.is_for_two() { Seat::Both } else { Seat::First };
    let knockout = Fitness {
        against: Against::Knockout,
        units: 1,
        seat: Seat::First,
        of: Measure::Margin,
        luck: Luck::Fresh,
        racing: None,
    };
    let Some(value) = value else {
        if is_knockout {
            return Ok(knockout);
        }
        return Err(parent.missing("fitness", "fitness = { against = [\"random\"], pairs = 10 }"));
    };
    let mut section = Section::from_value(value, "`fitness`")?;
    let luck = word(&mut section, "luck", &LUCK)?.unwrap_or(Luck::Fresh);
    if is_knockout {
        section.finish()?;
        return Ok(Fitness { luck, ..knockout });
    }
    let seat = word(&mut section, "seat", &SEATS)?.unwrap_or(usual);
    let measure = word(&mut section, "of", &MEASURES)?.unwrap_or(Measure::Points);
    let (units, _) = read_units(&mut section, of, seat)?;
    let against = section.take("against");
    let against = match (against, of.is_for_two()) {
        (None, false) => Against::Nobody,
        (Some(value), false) => {
            let message = format!("{} is a solitaire: nobody is met", of.game.spec());
            return Err(PlacedError::new(value.span(), message));
        }
        (None, true) => return Err(section.missing("against", "against = [\"random\"]")),
        (Some(value), true) => read_against(value, of)?,
    };
    let racing = section.take("racing");
    section.finish()?;
    let fitness = Fitness { against, units, seat, of: measure, luck, racing: None };
    let racing = racing.map(|value| read_racing(value, &fitness, method)).transpose()?;
    Ok(Fitness { racing, ..fitness })
}

/// When a candidate leaves early.
fn read_racing(value: &Value<'_>, fitness: &Fitness, method: &MethodPart) -> Result<Racing, PlacedError> {
    let refused = |reason: &str| Err(PlacedError::new(value.span(), format!("`racing`: {reason}")));
    if fitness.luck != Luck::Common {
        return refused(
            "it compares candidates game by game; write `luck = \"common\"`, so that they have the same luck",
        );
    }
    if fitness.of != Measure::Points {
        return refused("it compares points, which have a largest value; write `of = \"points\"`");
    }
    if fitness.against == Against::Population {
        return refused("all candidates must meet the same opponents; write their names in `against`");
    }
    if let Some(reason) = method.refuses_racing() {
        return refused(reason);
    }
    let mut section = Section::from_value(value, "`racing`")?;
    let every = section.integer("every", 1..=MOST_UNITS)?.unwrap_or(5) as u64;
    let level = section.take("level").map(|value| positive("level", value).map(|level| (level, value)));
    section.finish()?;
    match level.transpose()? {
        Some((level, value)) if level >= 1.0 => {
            Err(PlacedError::new(value.span(), format!("`level` is {level}, but must be below 1")))
        }
        level => Ok(Racing { level: level.map_or(0.05, |(level, _)| level), every }),
    }
}

const LUCK: [(&str, Luck); 3] =
    [("fresh", Luck::Fresh), ("common", Luck::Common), ("one-stream", Luck::OneStream)];
const SEATS: [(&str, Seat); 3] = [("both", Seat::Both), ("first", Seat::First), ("second", Seat::Second)];
const MEASURES: [(&str, Measure); 4] = [
    ("points", Measure::Points),
    ("margin", Measure::Margin),
    ("zero", Measure::Zero),
    ("opponent-margin", Measure::OpponentMargin),
];

/// One of some words.
fn word<T: Copy>(
    section: &mut Section<'_>,
    key: &'static str,
    words: &[(&'static str, T)],
) -> Result<Option<T>, PlacedError> {
    let Some(value) = section.take(key) else { return Ok(None) };
    let given = text(key, value)?;
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, found)| Some(*found)).ok_or_else(|| {
        let message = OptionError::unknown(key, &given, words.iter().map(|(word, _)| *word)).to_string();
        PlacedError::new(value.span(), message)
    })
}

/// The number of units, and where it is written.
fn read_units(
    section: &mut Section<'_>,
    of: &Surroundings<'_>,
    seat: Seat,
) -> Result<(u64, Option<Range<usize>>), PlacedError> {
    let key = match (of.is_for_two(), seat) {
        (false, _) => "deals",
        (true, Seat::Both) => "pairs",
        (true, _) => "games",
    };
    for other in ["deals", "pairs", "games"].into_iter().filter(|other| *other != key) {
        if let Some(value) = section.take(other) {
            let message = match other {
                "pairs" if of.is_for_two() => "`pairs` needs `seat = \"both\"`; write `games` here".into(),
                "games" if of.is_for_two() => {
                    "a candidate plays both seats: write `pairs`, or choose `seat = \"first\"`".into()
                }
                _ => format!("write `{key}` for {}", of.game.spec()),
            };
            return Err(PlacedError::new(value.span(), message));
        }
    }
    match section.take(key) {
        Some(value) => Ok((integer(key, value, 1..=MOST_UNITS)? as u64, Some(value.span()))),
        None => Ok((1, None)),
    }
}

fn read_against(value: &Value<'_>, of: &Surroundings<'_>) -> Result<Against, PlacedError> {
    match value.get_ref() {
        DeValue::String(text) if text == "population" => Ok(Against::Population),
        DeValue::Table(_) => {
            let mut section = Section::from_value(value, "`against`")?;
            let random = section.require("random-genes", "against.random-genes = { count = 20 }")?;
            section.finish()?;
            let mut section = Section::from_value(random, "`random-genes`")?;
            let count = section.integer("count", 1..=MOST_UNITS)?.unwrap_or(20) as u64;
            let seed = section.integer("seed", 0..=i64::MAX)?.unwrap_or(0) as u64;
            section.finish()?;
            Ok(Against::RandomGenes { count, seed })
        }
        DeValue::String(_) | DeValue::Array(_) => of.players(value).map(Against::Players),
        other => {
            let message = format!(
                "`against` must be names of opponents, \"population\" or {{ random-genes = {{ count = 20 }} }}, not {}",
                kind(other)
            );
            Err(PlacedError::new(value.span(), message))
        }
    }
}

fn read_judge(
    value: &Value<'_>,
    of: &Surroundings<'_>,
    fitness: Option<&Fitness>,
    files: &mut Files,
) -> Result<Judge, PlacedError> {
    let mut section = Section::from_value(value, "`judge`")?;
    let every = section.integer("every", 1..=MOST_GENERATIONS)?.map(|every| every as u64);
    let (units, at) = read_units(&mut section, of, Seat::Both)?;
    if at.is_none() {
        return Err(section.missing(if of.is_for_two() { "pairs" } else { "deals" }, "pairs = 200"));
    }
    let against = match (section.take("against"), of.is_for_two()) {
        (None, false) => Vec::new(),
        (None, true) => return Err(section.missing("against", "against = [\"random\"]")),
        (Some(value), _) => of.players(value)?,
    };
    let openings = section.take("openings").map(|value| opening(value, of.game, units, files)).transpose()?;
    section.finish()?;
    let met = fitness.map_or(&[][..], |fitness| fitness.against.players());
    for judge in &against {
        if met.iter().any(|opponent| opponent.content() == judge.content()) {
            let message = format!(
                "`{}` is an opponent of the fitness already: a judge must be a player that no candidate was chosen by",
                judge.name
            );
            return Err(PlacedError::new(value.span(), message));
        }
    }
    Ok(Judge { against, units, openings, every })
}

fn opening(
    value: &Value<'_>,
    game: &dyn AnyGame,
    units: u64,
    files: &mut Files,
) -> Result<Openings, PlacedError> {
    let (openings, _) = read_openings(value, game, units, files)?;
    match openings {
        Openings::Random { balance: Some(_), .. } => {
            let message =
                "balanced openings are for experiments; an optimisation begins with random plies or a list";
            Err(PlacedError::new(value.span(), message))
        }
        openings => Ok(openings),
    }
}
