//! What the template of the page shows, as its values.

use minijinja::{Value, context};

use super::shown;
use crate::report::document::Block;
use crate::report::figure::Figure;
use crate::report::figure::svg::svg_in_page;
use crate::report::table::{Cell, Heading, Table};

/// The width of the drawing of an interval.
const WIDTH: f64 = 132.0;

/// A figure with its numbers.
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
            _ if *is_strip => "0 to 1",
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
