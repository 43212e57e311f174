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

use std::path::PathBuf;
use std::sync::Arc;

use self::document::{PlacedError, Section, array, option_value};
use self::files::Files;
use self::section::read_experiments;
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
    let schema = root.require("schema", "schema = 1")?;
    if option_value("schema", schema)? != 1.into() {
        return Err(PlacedError::new(
            schema.span(),
            "this version of Shikou reads manifests of `schema = 1`",
        ));
    }
    let question = root.text("question")?;
    let source = root.text("source")?;
    let seed = root.integer("seed", 0..=i64::MAX)?.unwrap_or(0) as u64;
    let time_limit = match root.take("time-limit") {
        None => None,
        Some(value) => Some(read_time(&document::text("time-limit", value)?).ok_or_else(|| {
            PlacedError::new(
                value.span(),
                "`time-limit` must be a whole number with its unit, such as \"30min\" or \"2h\"",
            )
        })?),
    };
    let list = root.require("experiment", "[[experiment]]")?;
    let (mut experiments, mut all_places) = (Vec::<Experiment>::new(), Vec::new());
    for value in array("experiment", list)? {
        for (experiment, places) in read_experiments(value, seed, registry, files)? {
            if experiments.iter().any(|other| other.name == experiment.name) {
                let message = format!("two experiments are called `{}`; give each a `name`", experiment.name);
                return Err(PlacedError::new(value.span(), message));
            }
            experiments.push(experiment);
            all_places.push(places);
        }
    }
    if experiments.is_empty() {
        return Err(PlacedError::new(list.span(), "there is no experiment; begin one with `[[experiment]]`"));
    }
    let files = std::mem::take(&mut files.read);
    let questions = experiments.into_iter().map(|experiment| Question::Comparison(Arc::new(experiment)));
    Ok(Manifest {
        path: PathBuf::new(),
        question,
        source,
        time_limit,
        questions: questions.collect(),
        places: all_places,
        text: text.into(),
        files,
    })
}
