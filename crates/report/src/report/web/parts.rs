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
use crate::report::run::{notes, of_player, tables, title};
use crate::report::table::Table;
use crate::report::training::{in_sweeps, trainings};
use crate::report::verdict::verdict;

/// The largest number of comparisons on the page. With more, only the most important ones are shown.
const COMPARISONS: usize = 300;

/// A part of the page, with its figures.
pub(super) struct Part {
    pub(super) heading: String,
    pub(super) figures: Vec<Figure>,
    /// The rest of what the template shows.
    view: Value,
}

/// The parts as values of the template, with their figures drawn.
pub(super) fn views_of_parts(run: &Run<'_>) -> Vec<Value> {
    let view = |(number, Part { heading, figures, view }): (usize, Part)| {
        let figure = |(index, figure)| figure_view(figure, &format!("part{number}-figure{index}"));
        let figures: Vec<Value> = (1..).zip(&figures).map(figure).collect();
        context! { heading, figures, ..view }
    };
    (1..).zip(parts(run.summary, run)).map(view).collect()
}

pub(super) fn parts(summary: &Summary, run: &Run<'_>) -> Vec<Part> {
    let learned = in_sweeps(&summary.trainings).map(learned);
    let trainings = trainings(&summary.trainings, true).zip(learned);
    let optimisations = summary.optimisations.iter().map(|found| (optimisation(found, true), curves(found)));
    let of_blocks = |(blocks, figures): (Vec<Block>, Vec<Figure>)| {
        let [Block::Heading(heading), blocks @ ..] = &blocks[..] else { panic!("the first is a heading") };
        let view = context! { blocks => views(blocks, false), is_open => true };
        Part { heading: shown(heading), figures, view }
    };
    let experiments = (0..summary.experiments.len()).map(|index| of_experiment(summary, index, run));
    trainings.chain(optimisations).map(of_blocks).chain(experiments).collect()
}

fn of_experiment(summary: &Summary, index: usize, run: &Run<'_>) -> Part {
    let experiment = &summary.experiments[index];
    let comparisons = experiment.differences.len() + experiment.meetings.len();
    let extent = if comparisons > COMPARISONS { Extent::Short } else { Extent::Full };
    let detail = title(experiment);
    let detail = detail.strip_prefix(&experiment.name).unwrap_or(&detail).trim_start_matches(" · ");
    let sentences = verdict(experiment).into_iter().chain(crossings(experiment));
    let players = Table::of(&experiment.players, of_player(experiment));
    let view = context! {
        // The game, the design and the unit.
        detail => shown(detail),
        // A comparison does not break before its number.
        sentences => sentences.map(|text| shown(text).replace("p < ", "p\u{a0}<\u{a0}")).collect::<Vec<_>>(),
        table => table_view(&players, &format!("players of {}", experiment.name)),
        notes => notes(experiment, true).iter().map(shown).collect::<Vec<_>>(),
        blocks => views(&tables(experiment, index, run.times, run.facts, extent), false),
        is_open => false,
    };
    Part { heading: shown(&experiment.name), figures: figures(summary, index, run), view }
}
