//! Reading a manifest: TOML in, typed questions out, each error at its place.

pub mod document;
mod files;
mod fitness;
mod keys;
mod optimisation;
mod player;
mod section;
mod sweep;
mod training;

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

pub(crate) use self::document::{
    Entry, Mistakes, PlacedError, Read, Section, Tagged, Value, array, gene, genes_below, kind, option_value,
    options_of, read_document, read_file, setting_of, shown_name, tagged, text, typed_options,
};
pub(crate) use self::files::{File, Files};
pub use self::files::{ManifestFile, read_to_the_end, read_whole};
pub(crate) use self::fitness::{
    Drawn, FitnessKeys, JudgeKeys, MOST_UNITS, Surroundings, opening, read_fitness, read_judge, repeats,
};
pub(crate) use self::optimisation::{MOST_GAMES, MOST_GENERATIONS, OptimisationKeys, read_optimisation};
pub(crate) use self::player::{finish_player, notation_or_table, read_files, read_players, read_searcher};
pub(crate) use self::section::{
    ExperimentKeys, MOST_MEMORY_MIB, MOST_PLAYERS, few_pairs, few_players, limits, read_experiments,
};
pub use self::section::{player_named, read_game, read_single_experiment};
use self::sweep::{Key, Variant, in_order};
pub(crate) use self::training::{SamplesKeys, TrainingJudgeKeys, TrainingKeys, read_trainings};
use crate::experiment::manifest::{Experiment, Manifest, Question};
use crate::game::options::{self, integer, time};
use crate::players::Registry;

pub(crate) fn read_manifest(
    root: &mut Section<'_>,
    text: &str,
    registry: &Registry,
    files: &mut Files,
) -> Read<Manifest> {
    if text.trim().is_empty() {
        return Err(PlacedError::new(
            0..0,
            "the manifest is empty; see experiments/tour.toml for one that is not",
        ));
    }
    let mut mistakes = Mistakes::default();
    match root.take("schema") {
        Some(schema) => read_schema(schema, &mut mistakes)?,
        None => mistakes.add(root.missing("schema", "schema = 1")),
    }
    let [question, source] = ["question", "source"]
        .map(|key| mistakes.note(root.get(key, &options::text("a text", "").optional())).flatten());
    let seed = mistakes.note(root.get("seed", &integer(0..=i64::MAX, 0))).unwrap_or(0);
    let time_limit = mistakes.note(root.get("time-limit", &time().optional())).flatten();
    let list = |value: Option<_>, key| value.map(|list| array(key, list)).transpose();
    let mut list_of = |key| mistakes.note(list(root.take(key), key)).flatten().unwrap_or_default();
    let (optimisations, trainings) = (list_of("optimisation"), list_of("training"));
    let experiments = root.take("experiment");
    match experiments.map(Value::get_ref) {
        None if optimisations.is_empty() && trainings.is_empty() => {
            mistakes.add(root.missing("experiment", "[[experiment]]"));
        }
        Some(DeValue::Array(none)) if none.is_empty() => {
            let message = "there is no experiment; begin one with `[[experiment]]`";
            mistakes.add(PlacedError::new(experiments.map_or(0..0, Value::span), message));
        }
        _ => {}
    }
    let experiments = mistakes.note(list(experiments, "experiment")).flatten().unwrap_or_default();
    mistakes.note(root.finish_with(|(key, ..)| {
        (*key == "player").then(|| "`player` belongs to an experiment; write `[[experiment.player]]`".into())
    }));
    let (mut questions, mut all_places) = (Vec::<Question>::new(), Vec::new());
    let mut add = |question: Question, at: &Value<'_>, mistakes: &mut Mistakes| {
        if questions.iter().any(|other| other.name() == question.name()) {
            let message =
                format!("two {} are called `{}`; give each a `name`", question.kind(), question.name());
            mistakes.add(PlacedError::new(at.span(), message));
        }
        questions.push(question);
    };
    for value in trainings {
        let skipped = files.skipped.len();
        let read = read_trainings(value, seed, registry, files);
        if files.leave_out("training", skipped, &read) {
            continue;
        }
        for training in mistakes.note(read).into_iter().flatten() {
            let training = Arc::new(training);
            files.trainings.push(Arc::clone(&training));
            add(Question::Training(training), value, &mut mistakes);
        }
    }
    for value in optimisations {
        let skipped = files.skipped.len();
        let read = read_optimisation(value, seed, registry, files);
        if files.leave_out("optimisation", skipped, &read) {
            continue;
        }
        if let Some(optimisation) = mistakes.note(read) {
            let optimisation = Arc::new(optimisation);
            files.optimisations.push(Arc::clone(&optimisation));
            add(Question::Optimisation(optimisation), value, &mut mistakes);
        }
    }
    // A player may be the result of a question that could not be read.
    if !(optimisations.is_empty() && trainings.is_empty())
        && let Some(error) = mistakes.take()
    {
        return Err(error);
    }
    let mut counted = (0, 0, 0);
    for value in experiments {
        let read = mistakes.note(read_experiments(value, seed, registry, files));
        for (experiment, places) in read.into_iter().flatten() {
            count(&mut counted, &experiment, value.span())?;
            add(Question::Comparison(Arc::new(experiment)), value, &mut mistakes);
            all_places.push(places);
        }
    }
    if let (true, Some(PlacedError { span, message, .. })) = (questions.is_empty(), files.skipped.first()) {
        mistakes.add(PlacedError::new(span.clone(), format!("nothing is left to play: {message}")));
    }
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let files = std::mem::take(&mut files.read);
    Ok(Manifest {
        question,
        source,
        time_limit,
        questions,
        places: all_places,
        text: text.into(),
        files,
        ..Manifest::default()
    })
}

/// The largest number of experiments of a manifest.
const MOST_EXPERIMENTS: usize = 1000;

/// Counts an experiment and its pairs of players, and refuses too many.
fn count(
    (experiments, pairs, players): &mut (usize, u64, usize),
    of: &Experiment,
    span: Range<usize>,
) -> Read<()> {
    *experiments += 1;
    *pairs += of.design.pairs(of.players.len());
    *players += of.players.len();
    if *experiments > MOST_EXPERIMENTS {
        let message =
            format!("a manifest may have {MOST_EXPERIMENTS} experiments; divide them among several");
        return Err(PlacedError::new(span, message));
    }
    few_players(*players, span.clone())?;
    few_pairs(*pairs, span)
}

/// Another version has other keys, so nothing else of it is read.
fn read_schema(schema: &Value<'_>, mistakes: &mut Mistakes) -> Read<()> {
    match document::integer("schema", schema, i64::MIN..=i64::MAX) {
        Ok(1) => {}
        Ok(_) => {
            let message = "this version of Shikou reads manifests of `schema = 1`";
            return Err(PlacedError::new(schema.span(), message));
        }
        Err(error) => mistakes.add(PlacedError::new(error.span, error.message + "; write schema = 1")),
    }
    Ok(())
}
