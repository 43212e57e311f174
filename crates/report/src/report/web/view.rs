//! The parts of the page, and the blocks of each, as values of the template: trainings, optimisations and experiments.

use minijinja::{Value, context};

use super::shown;
use crate::experiment::Summary;
use crate::report::comparisons::crossings;
use crate::report::document::Block;
use crate::report::figure::Figure;
use crate::report::figure::svg::svg_in_page;
use crate::report::figures::{curves, figures, learned};
use crate::report::optimisation::optimisation;
use crate::report::page::Extent;
use crate::report::run::{Run, notes, of_player, tables, title};
use crate::report::table::{Cell, Heading, Table};
use crate::report::training::{in_sweeps, trainings};
use crate::report::verdict::verdict;

const WIDTH: f64 = 132.0;

pub(super) fn figure_view(figure: &Figure, id: &str) -> Value {
    let table = table_view(&figure.table, &format!("numbers of {}", figure.title));
    context! { id, title => shown(&figure.title), svg => svg_in_page(figure, id), table }
}

/// A table under a name for those who hear it.
pub(super) fn table_view(table: &Table, name: &str) -> Value {
    let heading = |Heading { text, is_right, is_strip, .. }: &Heading| {
        let text = match text.trim() {
            // A column without a name numbers the rows.
            "" => "#",
            text if *is_strip => {
                let (least, most) = text.split_once(' ').unwrap_or_default();
                &format!("{least} to {}", most.rsplit(' ').next().unwrap_or_default())
            }
            text => text,
        };
        context! { text, is_right }
    };
    let place = |value: f64| format!("{:.1}", 4.0 + (WIDTH - 8.0) * value.clamp(0.0, 1.0));
    let cell = |(cell, Heading { is_right, is_strip, .. }): (&Cell, &Heading)| {
        let text = if *is_strip { "" } else { cell.text().trim() };
        let strip = cell.strip().map(|strip| {
            let [low, value, high] = strip.map(place);
            context! { low, value, high }
        });
        context! { text, is_right, strip }
    };
    let row = |row: &Vec<Cell>| row.iter().zip(table.columns()).map(cell).collect::<Vec<_>>();
    let headings: Vec<Value> = table.columns().iter().map(heading).collect();
    context! { name => shown(name), headings, rows => table.rows().iter().map(row).collect::<Vec<_>>() }
}

/// The blocks of a document, one after the other. `is_of_run` says whether they are of one machine and one run.
pub(super) fn views(blocks: &[Block], is_of_run: bool) -> Vec<Value> {
    let mut views = Vec::new();
    for block in blocks {
        let (kind, lines, table) = match block {
            Block::Heading(text) => ("heading", std::slice::from_ref(text), None),
            Block::Text(lines) => ("text", lines.as_slice(), None),
            Block::Notes(lines) => ("notes", lines.as_slice(), None),
            Block::Line(text) => ("text", std::slice::from_ref(text), None),
            // The page has figures.
            Block::Picture(_) => continue,
            Block::Table(table) => {
                let name = table.headings().find(|heading| !heading.is_empty()).unwrap_or("table");
                ("table", [].as_slice(), Some(table_view(table, name)))
            }
            Block::OfThisRun(inner) => {
                views.extend(self::views(inner, true));
                continue;
            }
        };
        if lines.is_empty() && table.is_none() {
            continue;
        }
        let lines: Vec<String> = lines.iter().map(shown).collect();
        views.push(context! { kind, lines, table, is_of_run });
    }
    views
}

/// The largest number of comparisons on the page. With more, only the most important ones are shown.
const COMPARISONS: usize = 300;

/// A part of the page, with its figures.
pub(super) struct Part {
    pub(super) heading: String,
    pub(super) figures: Vec<Figure>,
    view: Value,
}

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
        let (sentences, blocks) = match blocks {
            [Block::Notes(lines) | Block::Text(lines), blocks @ ..] => (lines.as_slice(), blocks),
            _ => ([].as_slice(), blocks),
        };
        let sentences: Vec<String> = sentences.iter().map(shown).collect();
        let view = context! { sentences, blocks => views(blocks, false), is_open => true };
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
