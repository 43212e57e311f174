//! Reading a manifest: TOML in, typed questions out, each error at its place.
//!
//! | file | holds |
//! |---|---|
//! | `document` | the document with its places, read by hand |
//! | `sweep`, `exclude` | tables with axes, expanded before they are typed; combinations that are left out |
//! | `section` | an experiment: game, design, primary comparisons |
//! | `player` | a player; the options of searchers and games |
//! | `stopping` | stopping rules |
//! | `openings` | openings, random or from files |
//! | `files` | the files that a manifest names |

pub(crate) mod document;
mod exclude;
pub(crate) mod files;
mod openings;
mod player;
pub(crate) mod section;
pub(crate) mod stopping;
mod sweep;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use self::document::{Mistakes, PlacedError, Section, Value, array, option_value};
use self::files::Files;
use self::section::{few_pairs, read_experiments};
use crate::experiment::manifest::experiment::Experiment;
use crate::experiment::manifest::{Manifest, Question};
use crate::game::options::read_time;
use crate::players::Registry;

pub(super) fn read_manifest(
    root: &mut Section<'_>,
    text: &str,
    registry: &Registry,
    files: &mut Files,
) -> Result<Manifest, PlacedError> {
    if text.trim().is_empty() {
        return Err(PlacedError::new(
            0..0,
            "the manifest is empty; see experiments/tour.toml for one that is not",
        ));
    }
    let mut mistakes = Mistakes::default();
    match root.take("schema") {
        // Another version has other keys.
        Some(schema) => read_schema(schema)?,
        None => mistakes.add(root.missing("schema", "schema = 1")),
    }
    let question = mistakes.note(root.text("question")).flatten();
    let source = mistakes.note(root.text("source")).flatten();
    let seed = mistakes.note(root.integer("seed", 0..=i64::MAX)).flatten().unwrap_or(0) as u64;
    let time_limit = root.take("time-limit").and_then(|value| mistakes.note(read_time_limit(value)));
    let list = mistakes.note(root.require("experiment", "[[experiment]]"));
    mistakes.note(root.finish());
    let values = list.and_then(|list| mistakes.note(array("experiment", list)));
    let (mut experiments, mut all_places) = (Vec::<Experiment>::new(), Vec::new());
    for value in values.into_iter().flatten() {
        let read = mistakes.note(read_experiments(value, seed, registry, files));
        count(read.iter().flatten().map(|(experiment, _)| experiment).chain(&experiments), value.span())?;
        for (experiment, places) in read.into_iter().flatten() {
            if experiments.iter().any(|other| other.name == experiment.name) {
                let message = format!("two experiments are called `{}`; give each a `name`", experiment.name);
                mistakes.add(PlacedError::new(value.span(), message));
            }
            experiments.push(experiment);
            all_places.push(places);
        }
    }
    if let (Some(list), Some([])) = (list, values) {
        let message = "there is no experiment; begin one with `[[experiment]]`";
        mistakes.add(PlacedError::new(list.span(), message));
    }
    if let Some(error) = mistakes.take() {
        return Err(error);
    }
    let files = std::mem::take(&mut files.read);
    let questions = experiments.into_iter().map(|experiment| Question::Comparison(Arc::new(experiment)));
    Ok(Manifest {
        path: PathBuf::new(),
        origin: PathBuf::new(),
        question,
        source,
        time_limit,
        questions: questions.collect(),
        places: all_places,
        text: text.into(),
        files,
    })
}

/// The largest number of experiments of a manifest.
const MOST_EXPERIMENTS: usize = 1000;

/// Refuses too many experiments, or pairs of players in them.
fn count<'e>(
    experiments: impl Iterator<Item = &'e Experiment>,
    span: Range<usize>,
) -> Result<(), PlacedError> {
    let pairs = experiments.map(|experiment| experiment.design.pairs(experiment.players.len()));
    let (experiments, pairs) = pairs.fold((0, 0), |(experiments, sum), pairs| (experiments + 1, sum + pairs));
    if experiments > MOST_EXPERIMENTS {
        let message =
            format!("a manifest may have {MOST_EXPERIMENTS} experiments; divide them among several");
        return Err(PlacedError::new(span, message));
    }
    few_pairs(pairs, span)
}

fn read_schema(schema: &Value<'_>) -> Result<(), PlacedError> {
    if option_value("schema", schema)? == 1.into() {
        return Ok(());
    }
    Err(PlacedError::new(schema.span(), "this version of Shikou reads manifests of `schema = 1`"))
}

fn read_time_limit(value: &Value<'_>) -> Result<Duration, PlacedError> {
    read_time(&document::text("time-limit", value)?).ok_or_else(|| {
        PlacedError::new(
            value.span(),
            "`time-limit` must be a whole number with its unit, such as \"30min\" or \"2h\"",
        )
    })
}
