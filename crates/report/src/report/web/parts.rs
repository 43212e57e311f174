//! The parts of the page: trainings, optimisations and experiments.

use serde::Serialize;

use super::shown;
use super::view::{BlockView, FigureView, TableView, views};
use crate::experiment::{ExperimentSummary, Summary};
use crate::report::crossings::crossings;
use crate::report::document::{Block, Extent};
use crate::report::export::Run;
use crate::report::figure::Figure;
use crate::report::figures::{curves, figures, learned};
use crate::report::numbers::interval_parts;
use crate::report::optimisation::optimisation;
use crate::report::run::{notes, players, tables, title};
use crate::report::training::{in_sweeps, trainings};
use crate::report::verdict::verdict;

/// The largest number of comparisons on the page. With more, only the most important ones are shown.
const COMPARISONS: usize = 300;

/// A part of the page.
#[derive(Serialize)]
pub(super) struct Part<F> {
    pub(super) heading: String,
    /// The game, the design and the unit.
    detail: String,
    sentences: Vec<String>,
    /// The table of players.
    table: Option<TableView>,
    notes: Vec<String>,
    pub(super) figures: Vec<F>,
    /// All other tables.
    blocks: Vec<BlockView>,
    /// Whether these are what the part shows first.
    is_open: bool,
}

/// The parts, with their figures drawn for a page.
pub(super) fn parts(summary: &Summary, run: &Run<'_>) -> Vec<Part<FigureView>> {
    let view = |(number, part): (usize, Part<Figure>)| {
        let figures = part.figures.into_iter().enumerate();
        let figures = figures.map(|(index, figure)| {
            FigureView::new(&figure, &format!("part{}-figure{}", number + 1, index + 1))
        });
        let Part { heading, detail, sentences, table, notes, blocks, is_open, .. } = part;
        Part { figures: figures.collect(), heading, detail, sentences, table, notes, blocks, is_open }
    };
    drawn(summary, run).into_iter().enumerate().map(view).collect()
}

/// The parts.
pub(super) fn drawn(summary: &Summary, run: &Run<'_>) -> Vec<Part<Figure>> {
    let figures = in_sweeps(&summary.trainings).map(learned);
    let mut parts: Vec<Part<Figure>> = trainings(&summary.trainings, true)
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
fn of_blocks(mut blocks: Vec<Block>, figures: Vec<Figure>) -> Part<Figure> {
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

fn of_experiment(summary: &Summary, index: usize, run: &Run<'_>) -> Part<Figure> {
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
        table: Some(table_of_players(experiment)),
        notes: notes(experiment, true).iter().map(shown).collect(),
        figures: figures(summary, index, run),
        blocks: views(&tables(experiment, index, run.times, run.facts, extent), false),
        is_open: false,
    }
}

/// The table of players, with its strips of characters drawn.
fn table_of_players(experiment: &ExperimentSummary) -> TableView {
    let mut view = TableView::new(&players(experiment), &format!("players of {}", experiment.name));
    let strips = experiment.players.iter().map(|player| interval_parts(&player.result()));
    view.draw_strips(strips.collect());
    view
}
