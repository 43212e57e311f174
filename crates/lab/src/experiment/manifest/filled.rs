//! Players with genes, players and weights that are the result of an optimisation or a training, and these filled in.

use std::ops::Range;
use std::sync::Arc;

use super::read::{Files, PlacedError, Read, Value, text};
use super::{Gene, Optimisation, OptimisationRun, Training, misfit};
use crate::game::options::{OptionDecl, OptionError, OptionKind, OptionValue, Options};
use crate::players::{AnyGame, PlacedSearcher, SearcherPlaces, SearcherSpec};

/// A player with values in place of its genes; a gene without a value stays.
///
/// # Errors
/// If an option does not take a value.
pub(crate) fn filled(
    player: &SearcherSpec,
    value_of: impl Fn(&str) -> Option<OptionValue>,
) -> Result<SearcherSpec, OptionError> {
    let fill = |_: &OptionDecl, value: &OptionValue| match value {
        OptionValue::Gene(name) => value_of(name).unwrap_or_else(|| value.clone()),
        value => value.clone(),
    };
    player.map(&fill)
}

/// The name of a gene of another optimisation, in a player that is its result.
pub(crate) fn gene_of(run: &str, gene: &str) -> String {
    format!("{run}:{gene}")
}

/// The name of the optimisation or the training whose result the player needs, if that is not known yet.
pub(crate) fn waits_for(player: &SearcherSpec) -> Option<String> {
    let waits = |(decl, value): (&OptionDecl, &OptionValue)| match value {
        OptionValue::Gene(name) => Some(name.rsplit_once(':').map_or(name.as_str(), |(run, _)| run).into()),
        OptionValue::File(file)
            if decl.kind == OptionKind::Evolved && file.content().is_none() && !file.name().is_empty() =>
        {
            Some(file.name().to_owned())
        }
        _ => None,
    };
    find_in(player, &waits)
}

/// Whether a value of the player is a gene.
pub(crate) fn has_genes(player: &SearcherSpec) -> bool {
    let gene = |(_, value): (&OptionDecl, &OptionValue)| matches!(value, OptionValue::Gene(_)).then_some(());
    find_in(player, &gene).is_some()
}

/// The first that `find` finds among the options and the open limits of a player.
fn find_in<T>(player: &SearcherSpec, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    let open = || player.open_budget.as_ref().and_then(|limits| find_below(limits, find));
    find_below(&player.options, find).or_else(open)
}

/// The first that `find` finds among options, also in their parts and tables.
fn find_below<T>(options: &Options, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    options.iter().find_map(|(decl, value)| match value {
        OptionValue::Part(part) => find_below(&part.options, find),
        OptionValue::Tables(tables) => tables.iter().find_map(|table| find_below(table, find)),
        _ => find((decl, value)),
    })
}

/// Fills in the evaluations whose weights are the result of an optimisation or a training; one without a content stays.
///
/// # Errors
/// The first error of `content_of`.
pub(crate) fn fill_evaluations<E>(
    player: &mut SearcherSpec,
    content_of: &mut impl FnMut(&str) -> Result<Option<Arc<[u8]>>, E>,
) -> Result<(), E> {
    player.options.change_files(&mut |decl, file| {
        if decl.kind == OptionKind::Evolved
            && let Some(content) = content_of(file.name())?
        {
            *file = file.clone().with_content(content);
        }
        Ok(())
    })
}

/// A vector as the content of a file: a number in each line.
pub(crate) fn vector_content(vector: &OptionValue) -> Arc<[u8]> {
    let lines: Vec<String> = match vector {
        OptionValue::Integers(numbers) => numbers.iter().map(ToString::to_string).collect(),
        OptionValue::Reals(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect(),
        other => unreachable!("{other} is no vector"),
    };
    lines.join("\n").into_bytes().into()
}

/// The player that is the result of an optimisation, `evolved = "tune"`, with the genes of that optimisation.
pub(super) fn read_evolved(
    value: &Value<'_>,
    game: &dyn AnyGame,
    optimisations: &[Arc<Optimisation>],
) -> Read<PlacedSearcher> {
    let (name, at) = (text("evolved", value)?, value.span());
    let run = all_runs(optimisations).find(|run| run.name == name);
    let run = run.ok_or_else(|| unknown(&name, at.clone(), optimisations))?;
    if run.game.spec() != game.spec() {
        let message = format!("`{name}` plays {}, not {}", run.game.spec(), game.spec());
        return Err(PlacedError::new(at, message));
    }
    let waits = filled(&run.player, |gene| Some(OptionValue::Gene(gene_of(&run.name, gene))));
    let waits = waits.expect("a gene fits everywhere");
    let places = SearcherPlaces { name: at, options: Vec::new(), limits: Vec::new(), renamed: None };
    Ok(PlacedSearcher { spec: waits, places })
}

/// Checks that each evaluation whose weights are a result, `evolved = "grid"`, can take all that may be found.
pub(super) fn check_results(
    searcher: &SearcherSpec,
    places: &SearcherPlaces,
    game: &dyn AnyGame,
    files: &Files,
) -> Read<()> {
    for end in 0..2 {
        let tried = with_extremes(searcher, places, game, files, end)?;
        if tried == *searcher || has_genes(searcher) {
            return Ok(());
        }
        game.fits(&tried).map_err(|error| misfit(game, searcher, places.of(&error), &error))?;
    }
    Ok(())
}

/// The searcher with the least (`end` 0) or the largest values (1) of the genes that its evaluations name, and with weights
/// 0 of the trainings that they name.
pub(super) fn with_extremes(
    searcher: &SearcherSpec,
    places: &SearcherPlaces,
    game: &dyn AnyGame,
    files: &Files,
    end: usize,
) -> Read<SearcherSpec> {
    let mut tried = searcher.clone();
    let mut written = places.options.iter().filter(|(option, _)| option == "evolved");
    fill_evaluations(&mut tried, &mut |name| {
        let at = written.next().map_or_else(|| places.name.clone(), |(_, at)| at.clone());
        if let Some(training) = files.trainings.iter().find(|training| training.name == name) {
            return untrained(training, game, at).map(Some);
        }
        let gene = vector_named(name, at, game, files)?;
        let [least, largest] = gene.extreme_values();
        Ok(Some(vector_content(if end == 0 { &least } else { &largest })))
    })?;
    Ok(tried)
}

/// The weights of a training that has not begun.
fn untrained(training: &Training, game: &dyn AnyGame, at: Range<usize>) -> Read<Arc<[u8]>> {
    if training.game.spec().name != game.spec().name {
        let message = format!("`{}` plays {}, not {}", training.name, training.game.spec(), game.spec());
        return Err(PlacedError::new(at, message));
    }
    let form = training.form().map_err(|error| PlacedError::new(at, error.to_string()))?;
    Ok(form.content(&[]).into())
}

/// The vector that an evaluation names: `grid`, or `grid:w` of an optimisation with several.
fn vector_named<'o>(name: &str, at: Range<usize>, game: &dyn AnyGame, files: &'o Files) -> Read<&'o Gene> {
    let optimisations = &files.optimisations;
    let vectors = |run: &'o Arc<OptimisationRun>| run.genes.vectors(&run.name);
    for run in all_runs(optimisations) {
        if let Some((_, gene)) = vectors(run).into_iter().find(|(known, _)| known == name) {
            if run.game.spec().name == game.spec().name {
                return Ok(gene);
            }
            let message = format!("`{name}` plays {}, not {}", run.game.spec(), game.spec());
            return Err(PlacedError::new(at, message));
        }
    }
    let named = |run: &&Arc<OptimisationRun>| {
        name.strip_prefix(run.name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    let Some(run) = all_runs(optimisations).find(named) else {
        return Err(unknown_weights(name, at, files));
    };
    let known: Vec<String> = vectors(run).iter().map(|(known, _)| format!("{known:?}")).collect();
    let message = if known.is_empty() {
        format!("`{}` finds no vector, so no weights of an evaluation: its genes have no `count`", run.name)
    } else {
        format!("weights are one vector of `{}`; write evolved = {}", run.name, known.join(" or "))
    };
    Err(PlacedError::new(at, message))
}

fn all_runs(optimisations: &[Arc<Optimisation>]) -> impl Iterator<Item = &Arc<OptimisationRun>> {
    optimisations.iter().flat_map(|optimisation| &optimisation.runs)
}

/// The error of a name that no run has.
fn unknown(name: &str, at: Range<usize>, optimisations: &[Arc<Optimisation>]) -> PlacedError {
    let swept = optimisations.iter().find(|optimisation| optimisation.name == name);
    let message = match swept.and_then(|swept| swept.runs.first()) {
        Some(first) => format!("`{name}` has several runs; name one of them, such as {:?}", first.name),
        None if optimisations.is_empty() => {
            format!("there is no optimisation {name:?}; put an `[[optimisation]]` of that name above")
        }
        None => {
            let known = all_runs(optimisations).map(|run| run.name.as_str());
            OptionError::unknown("optimisation", name, known).to_string()
        }
    };
    PlacedError::new(at, message)
}

/// The error of weights that have the name of no run and of no training.
fn unknown_weights(name: &str, at: Range<usize>, files: &Files) -> PlacedError {
    let runs = || all_runs(&files.optimisations).map(|run| run.name.as_str());
    let trainings = || files.trainings.iter().map(|training| training.name.as_str());
    if let Some(first) = files.trainings.iter().find(|training| training.swept.0 == name) {
        let message = format!("`{name}` is several trainings; name one of them, such as {:?}", first.name);
        return PlacedError::new(at, message);
    }
    let message = match (runs().next(), trainings().next()) {
        (_, None) => return unknown(name, at, &files.optimisations),
        (None, Some(_)) => OptionError::unknown("training", name, trainings()).to_string(),
        (Some(_), Some(_)) => {
            OptionError::unknown("optimisation or training", name, runs().chain(trainings())).to_string()
        }
    };
    PlacedError::new(at, message)
}
