//! `[[optimisation]]` in a manifest.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

use super::{
    Files, MOST_GENERATIONS, MOST_MEMORY_MIB, Mistakes, PlacedError, Read, Section, Surroundings, Value,
    genes_below, limits, notation_or_table, opening, options_of, read_files, read_fitness, read_game,
    read_genes, read_judge, read_players, refused, repeats, sweep, with_extremes,
};
use crate::game::options::{OptionError, Settings as _, integer, other, settings, text};
use crate::players::{AnyGame, PlacedSearcher, Registry, SearcherSpec};
use crate::{
    Fitness, Genes, Length, MethodSettings, Openings, Optimisation, OptimisationRun, fits, waits_for,
};

pub(crate) const MOST_GAMES: i64 = 1_000_000_000_000;

settings! {
    pub(crate) struct OptimisationKeys {
        /// its name, unique in the manifest; the name of its folder
        name: Option<String> = text("a text", "").optional().fixed(),
        /// the game, with its options
        game: bool = other("game").needed("\"othello\""),
        /// how many generations are played
        generations: Option<u64> = integer(1..=MOST_GENERATIONS, ()).optional(),
        /// the games of candidates after which it ends, in place of `generations`
        games: Option<u64> = integer(1..=MOST_GAMES, ()).optional(),
        /// the genes by name
        genes: bool = other("genes").needed("{ w = { count = 64, within = [-1.0, 1.0] } }").fixed(),
        /// the player, with genes in place of values
        player: bool = other("player").needed("{ search.greedy.depth = 1 }"),
        /// players that fitness and judge name
        opponent: bool = other("players").fixed(),
        /// how candidates are chosen
        method: bool = other("method").needed("\"genetic\""),
        /// how candidates are compared
        fitness: bool = other("fitness"),
        /// how good the result is, in games that did not choose it
        judge: bool = other("judge").fixed(),
        /// how the games for two begin; both games of a pair begin alike
        openings: bool = other("openings"),
        /// the seed of this optimisation alone
        seed: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// memory of one search, in MiB
        memory_mib: Option<u64> = integer(1..=MOST_MEMORY_MIB, ()).optional(),
    }
}

/// An optimisation: one run for each combination of a sweep.
pub(crate) fn read_optimisation(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Read<Optimisation> {
    let variants = sweep::expand_keys::<OptimisationKeys>(value)?;
    let mut mistakes = Mistakes::default();
    let mut name = String::new();
    let mut runs = Vec::new();
    for variant in &variants {
        if let Some(run) = mistakes.note(read_run(&variant.value, seed, registry, files)) {
            name.clone_from(&run.name);
            runs.push(Arc::new(OptimisationRun {
                name: variant.name(&run.name),
                swept: variant.values(),
                ..run
            }));
        }
    }
    mistakes.check()?;
    let ids: Vec<u32> = runs.iter().map(|run| run.id()).collect();
    if let Some(again) = (1..ids.len()).find(|&run| ids[..run].contains(&ids[run])) {
        let message = format!(
            "`{}` asks the same as a run before it; sweep over something that differs",
            runs[again].name
        );
        return refused(value.span(), message);
    }
    Ok(Optimisation { name, runs })
}

fn read_run(value: &Value<'_>, seed: u64, registry: &Registry, files: &mut Files) -> Read<OptimisationRun> {
    let mut mistakes = Mistakes::default();
    let (written, keys) = Section::read_with(value, "an optimisation", &sweep::KEYS, |_, _| None)?;
    let written: Option<OptimisationKeys> = mistakes.note(written);
    let game = mistakes.of(keys.peek("game"), |value| read_game(value, registry));
    let [genes_value, player_value, method_value] = ["genes", "player", "method"].map(|key| keys.peek(key));
    let genes = mistakes.of(genes_value, read_genes);
    let method = mistakes.of(method_value, |value| {
        options_of(&MethodSettings::options(), &[("method", value.span(), value)], &value.span())
    });
    let length = mistakes.of(written.as_ref(), |written| read_length(written, &keys));
    let name = written.as_ref().and_then(|written| written.name.clone());
    mistakes.note(keys.shown("name", name.as_ref()));
    let name = name.unwrap_or_else(|| "optimisation".into());
    mistakes.note(keys.folder("an optimisation", &name));
    // The rest depends on the game, the genes and the method.
    let (Some(game), Some(genes), Some(player_value), Some(method)) = (game, genes, player_value, method)
    else {
        return Err(mistakes.some());
    };
    let player = mistakes.note(read_player(player_value, genes_value, &genes, &*game, files));
    let (space, parts) = (genes.space(), MethodSettings::read(&method).method);
    mistakes.note(
        parts
            .check(&space)
            .map_err(|problem| PlacedError::new(method_value.map_or(0..0, Value::span), problem.to_string())),
    );
    let named = mistakes.of(keys.peek("opponent"), |list| read_players(list, &*game, files));
    let (named, named_places) = named.unwrap_or_default();
    let surroundings = Surroundings { game: &*game, named: &named, name: &name };
    mistakes.of(player.as_ref(), |player| repeats(player, player_value.span()));
    for (opponent, places) in named.iter().zip(&named_places) {
        mistakes.note(repeats(&opponent.searcher, places.name.clone()));
        if waits_for(&opponent.searcher).is_none() {
            mistakes.note(fits(&*game, &opponent.searcher, &opponent.searcher, places));
        }
    }
    let fitness = match keys.peek("fitness") {
        Some(value) => read_fitness(value, &surroundings, &parts),
        None if parts.knockout().is_some() || written.is_none() => Ok(Fitness::KNOCKOUT),
        None => Err(keys.missing("fitness", "fitness = { against = [\"random\"], pairs = 10 }")),
    };
    let fitness = mistakes.note(fitness);
    let judge =
        mistakes.of(keys.peek("judge"), |value| read_judge(value, &surroundings, fitness.as_ref(), files));
    let units = fitness.as_ref().map_or(1, |fitness| fitness.units);
    let openings = mistakes.of(keys.peek("openings"), |value| opening(value, &*game, units, files));
    let openings = openings.unwrap_or(Openings::START);
    match (player, fitness, length, written, mistakes.take()) {
        (Some(player), Some(fitness), Some(length), Some(written), None) => Ok(OptimisationRun {
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
            seed: written.seed.unwrap_or(seed),
            limits: limits(written.memory_mib),
        }),
        (.., error) => Err(error.expect("something could not be read")),
    }
}

fn read_length(written: &OptimisationKeys, keys: &Section<'_>) -> Read<Length> {
    match (written.generations, written.games) {
        (Some(generations), None) => Ok(Length::Generations(generations)),
        (None, Some(games)) => Ok(Length::Games(games)),
        (None, None) => Err(keys.missing("generations", "generations = 100")),
        (Some(_), Some(_)) => {
            Err(keys.error("games", "`generations` gives the length already; keep one of the two"))
        }
    }
}

/// The player with its genes: each gene is used, and the player takes all their values.
fn read_player(
    value: &Value<'_>,
    genes_value: Option<&Value<'_>>,
    genes: &Genes,
    game: &dyn AnyGame,
    files: &mut Files,
) -> Read<SearcherSpec> {
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
    mistakes.check()?;
    let PlacedSearcher { spec: mut player, places } = notation_or_table(value, game)?;
    read_files(&mut player, &places, files)?;
    for (gene, candidate) in genes.trials() {
        let name = &genes.0[gene].name;
        let at = used.iter().find(|(used, _)| used == name).map_or(value.span(), |(_, at)| at.clone());
        let filled = genes.player(&player, &candidate).map_err(|invalid| {
            PlacedError::new(at, format!("the gene `{name}` does not fit its place: {invalid}"))
        })?;
        let tried = with_extremes(&filled, &places, game, files, 0)?;
        fits(game, &tried, &filled, &places)?;
    }
    Ok(player)
}

fn place_of_key(table: &Value<'_>, key: &str) -> Range<usize> {
    let DeValue::Table(entries) = table.get_ref() else { return table.span() };
    entries.iter().find(|(name, _)| name.get_ref() == key).map_or(table.span(), |(name, _)| name.span())
}
