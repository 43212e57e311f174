//! `[[optimisation]]` in a manifest.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

use super::document::{Mistakes, PlacedError, Section, Value, genes_below, typed_options};
use super::evolved::with_extremes;
use super::files::Files;
use super::fitness::{Surroundings, opening, read_fitness, read_judge, repeats};
use super::genes::read_genes;
use super::player::{notation_or_table, read_files, read_players};
use super::section::{MOST_MEMORY_MIB, read_game};
use super::sweep;
use crate::experiment::manifest::filled::waits_for;
use crate::experiment::manifest::genes::Genes;
use crate::experiment::manifest::method::MethodSettings;
use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::optimisation::{Length, Optimisation, OptimisationRun};
use crate::experiment::manifest::places::misfit;
use crate::game::options::{OptionError, Options, Settings as _};
use crate::players::{AnyGame, Registry, SearcherSpec};
use crate::search::Limits;

/// The largest numbers of generations and games.
pub(super) const MOST_GENERATIONS: i64 = 1_000_000_000;
pub(super) const MOST_GAMES: i64 = 1_000_000_000_000;

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
    let limits = memory
        .map_or_else(Limits::default, |mib| Limits { memory_bytes: (mib as u64) << 20, ..Limits::default() });
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
    let (named, named_places) = named.and_then(|read| mistakes.note(read)).unwrap_or_default();
    let surroundings = Surroundings { game: &*game, named: &named, name: &name };
    if let Some(player) = &player {
        mistakes.note(repeats(player, player_value.span()));
    }
    for (opponent, places) in named.iter().zip(&named_places) {
        mistakes.note(repeats(&opponent.searcher, places.name.clone()));
        if waits_for(&opponent.searcher).is_none() {
            let fits = game.fits(&opponent.searcher);
            mistakes
                .note(fits.map_err(|error| misfit(&*game, &opponent.searcher, places.of(&error), &error)));
        }
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
        let tried = with_extremes(&filled, &places, game, files, 0)?;
        game.fits(&tried).map_err(|error| misfit(game, &filled, places.of(&error), &error))?;
    }
    Ok(player)
}

/// The place of a key of a table.
fn place_of_key(table: &Value<'_>, key: &str) -> Range<usize> {
    let DeValue::Table(entries) = table.get_ref() else { return table.span() };
    entries.iter().find(|(name, _)| name.get_ref() == key).map_or(table.span(), |(name, _)| name.span())
}
