//! Players and weights that are the result of an optimisation or a training.

use std::ops::Range;
use std::sync::Arc;

use super::{Files, PlacedError, Read, Value, refused, text};
use crate::game::options::{OptionError, OptionValue};
use crate::players::{AnyGame, PlacedSearcher, SearcherPlaces, SearcherSpec};
use crate::{
    Gene, Optimisation, OptimisationRun, Training, fill_evaluations, filled, fits, gene_of, has_genes,
    vector_content,
};

/// The player that is the result of an optimisation, `evolved = "tune"`, with the genes of that optimisation.
pub(crate) fn read_evolved(
    value: &Value<'_>,
    game: &dyn AnyGame,
    optimisations: &[Arc<Optimisation>],
) -> Read<PlacedSearcher> {
    let (name, at) = (text("evolved", value)?, value.span());
    let run = all_runs(optimisations).find(|run| run.name == name);
    let run = run.ok_or_else(|| unknown(&name, at.clone(), optimisations))?;
    if run.game.spec() != game.spec() {
        let message = format!("`{name}` plays {}, not {}", run.game.spec(), game.spec());
        return refused(at, message);
    }
    let waits = filled(&run.player, |gene| Some(OptionValue::Gene(gene_of(&run.name, gene))));
    let waits = waits.expect("a gene fits everywhere");
    let places = SearcherPlaces { name: at, options: Vec::new(), limits: Vec::new(), renamed: None };
    Ok(PlacedSearcher { spec: waits, places })
}

/// Checks that each evaluation whose weights are a result, `evolved = "grid"`, can take all that may be found.
pub(crate) fn check_results(
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
        fits(game, &tried, searcher, places)?;
    }
    Ok(())
}

/// The searcher with the least (`end` 0) or the largest values (1) of the genes that its evaluations name, and with weights
/// 0 of the trainings that they name.
pub(crate) fn with_extremes(
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
            return untrained(training, end, game, at).map(Some);
        }
        let gene = vector_named(name, at, game, files)?;
        let [least, largest] = gene.extreme_values();
        Ok(Some(vector_content(if end == 0 { &least } else { &largest })))
    })?;
    Ok(tried)
}

/// Weights 0 of a training; of one with a race those of its first candidate (`end` 0), or of its last (1).
fn untrained(training: &Training, end: usize, game: &dyn AnyGame, at: Range<usize>) -> Read<Arc<[u8]>> {
    if training.game.spec().name != game.spec().name {
        let message = format!("`{}` plays {}, not {}", training.name, training.game.spec(), game.spec());
        return refused(at, message);
    }
    let last = training.candidates.len().saturating_sub(1);
    let raced = (last > 0).then(|| training.by(end * last));
    let form =
        raced.as_ref().unwrap_or(training).form().map_err(|error| PlacedError::new(at, error.to_string()))?;
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
            return refused(at, message);
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
    refused(at, message)
}

fn all_runs(optimisations: &[Arc<Optimisation>]) -> impl Iterator<Item = &Arc<OptimisationRun>> {
    optimisations.iter().flat_map(|optimisation| &optimisation.runs)
}

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
