//! The parts of the page: trainings, optimisations and experiments.

use minijinja::{Value, context};

use super::shown;
use super::view::{figure_view, table_view, views};
use crate::experiment::Summary;
use crate::report::crossings::crossings;
use crate::report::document::{Block, Extent};
use crate::report::export::Run;
use crate::report::figure::Figure;
use crate::report::figures::{curves, figures, learned};
use crate::report::optimisation::optimisation;
use crate::report::run::{notes, players, tables, title};
use crate::report::training::{in_sweeps, trainings};
use crate::report::verdict::verdict;

/// The largest number of comparisons on the page. With more, only the most important ones are shown.
const COMPARISONS: usize = 300;

/// A part of the page.
pub(super) struct Part {
    pub(super) heading: String,
    /// The game, the design and the unit.
    detail: String,
    sentences: Vec<String>,
    /// The table of players.
    table: Option<Value>,
    notes: Vec<String>,
    pub(super) figures: Vec<Figure>,
    /// All other tables.
    blocks: Vec<Value>,
    /// Whether these are what the part shows first.
    is_open: bool,
}

/// The parts as values of the template, with their figures drawn.
pub(super) fn views_of_parts(run: &Run<'_>) -> Vec<Value> {
    let view = |(number, part): (usize, Part)| {
        let Part { heading, detail, sentences, table, notes, figures, blocks, is_open } = part;
        let figure = |(index, figure)| figure_view(figure, &format!("part{number}-figure{index}"));
        let figures: Vec<Value> = (1..).zip(&figures).map(figure).collect();
        context! { heading, detail, sentences, table, notes, figures, blocks, is_open }
    };
    (1..).zip(parts(run.summary, run)).map(view).collect()
}

/// The parts.
pub(super) fn parts(summary: &Summary, run: &Run<'_>) -> Vec<Part> {
    let figures = in_sweeps(&summary.trainings).map(learned);
    let mut parts: Vec<Part> = trainings(&summary.trainings, true)
        .zip(figures)
        .map(|(blocks, figures)| of_blocks(blocks, figures))
        .collect();
    parts.extend(
        summary.optimisations.iter().map(|found| of_blocks(optimisation(found, true), curves(found))),
    );
    parts.extend((0..summary.experiments.len()).map(|index| of_experiment(summary, index, run)));
    parts
}

/// A part that is blocks, the first of them its heading.
fn of_blocks(mut blocks: Vec<Block>, figures: Vec<Figure>) -> Part {
    let heading = match blocks.first() {
        Some(Block::Heading(heading)) => heading.clone(),
        _ => String::new(),
    };
    if !heading.is_empty() {
        blocks.remove(0);
    }
    Part {
        heading: shown(heading),
        detail: String::new(),
        sentences: Vec::new(),
        table: None,
        notes: Vec::new(),
        figures,
        blocks: views(&blocks, false),
        is_open: true,
    }
}

fn of_experiment(summary: &Summary, index: usize, run: &Run<'_>) -> Part {
    let experiment = &summary.experiments[index];
    let comparisons = experiment.differences.len() + experiment.meetings.len();
    let extent = if comparisons > COMPARISONS { Extent::Short } else { Extent::Full };
    let detail = title(experiment);
    let detail = detail.strip_prefix(&experiment.name).unwrap_or(&detail).trim_start_matches(" · ");
    Part {
        heading: shown(&experiment.name),
        detail: shown(detail),
        // A comparison does not break before its number.
        sentences: verdict(experiment)
            .into_iter()
            .chain(crossings(experiment))
            .map(|text| shown(text).replace("p < ", "p\u{a0}<\u{a0}"))
            .collect(),
        table: Some(table_view(&players(experiment), &format!("players of {}", experiment.name))),
        notes: notes(experiment, true).iter().map(shown).collect(),
        figures: figures(summary, index, run),
        blocks: views(&tables(experiment, index, run.times, run.facts, extent), false),
        is_open: false,
    }
}
