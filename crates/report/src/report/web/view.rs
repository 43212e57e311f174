//! What the template of the page shows.

use serde::Serialize;

use super::shown;
use crate::report::document::Block;
use crate::report::figure::Figure;
use crate::report::figure::svg::svg_in_page;
use crate::report::run::STRIP;
use crate::report::table::Table;

/// The width of the drawing of an interval.
const WIDTH: f64 = 132.0;

/// A figure with its numbers.
#[derive(Serialize)]
pub(super) struct FigureView {
    id: String,
    title: String,
    svg: String,
    table: TableView,
}

impl FigureView {
    pub(super) fn new(figure: &Figure, id: &str) -> Self {
        let table = TableView::new(&figure.table, &format!("numbers of {}", figure.title));
        Self { id: id.into(), title: shown(&figure.title), svg: svg_in_page(figure, id), table }
    }
}

/// A table.
#[derive(Serialize)]
pub(super) struct TableView {
    /// What it is, for those who hear it.
    name: String,
    headings: Vec<HeadingView>,
    rows: Vec<Vec<CellView>>,
}

#[derive(Serialize)]
struct HeadingView {
    text: String,
    is_right: bool,
}

#[derive(Serialize)]
struct CellView {
    text: String,
    is_right: bool,
    strip: Option<StripView>,
}

/// An interval between 0 and 1, drawn.
#[derive(Serialize)]
struct StripView {
    low: String,
    value: String,
    high: String,
}

impl TableView {
    pub(super) fn new(table: &Table, name: &str) -> Self {
        let headings = || table.headings().zip(table.alignments());
        // A column without a name numbers the rows.
        let named = |text: &str| if text.is_empty() { "#".into() } else { text.to_owned() };
        let heading = |(text, is_right): (&str, bool)| HeadingView { text: named(text.trim()), is_right };
        let row = |row: &Vec<String>| {
            let cells = row.iter().zip(table.alignments());
            cells
                .map(|(text, is_right)| CellView { text: text.trim().into(), is_right, strip: None })
                .collect()
        };
        Self {
            name: shown(name),
            headings: headings().map(heading).collect(),
            rows: table.rows().iter().map(row).collect(),
        }
    }

    /// Draws the intervals of the rows in place of their strips of characters: low, value and high.
    pub(super) fn draw_strips(&mut self, strips: Vec<Option<[f64; 3]>>) {
        let Some(column) = self.headings.iter().position(|heading| heading.text == STRIP) else { return };
        self.headings[column].text = "0 to 1".into();
        for (row, strip) in self.rows.iter_mut().zip(strips) {
            let place = |value: f64| format!("{:.1}", 4.0 + (WIDTH - 8.0) * value.clamp(0.0, 1.0));
            row[column].text.clear();
            row[column].strip = strip.map(|[low, value, high]| {
                let [low, value, high] = [low, value, high].map(place);
                StripView { low, value, high }
            });
        }
    }
}

/// A block of a document.
#[derive(Serialize)]
pub(super) struct BlockView {
    kind: &'static str,
    lines: Vec<String>,
    table: Option<TableView>,
    /// Whether it is of one machine and one run.
    is_of_run: bool,
}

/// The blocks of a document, one after the other.
pub(super) fn views(blocks: &[Block], is_of_run: bool) -> Vec<BlockView> {
    let lines = |lines: &[String]| lines.iter().map(shown).collect::<Vec<_>>();
    let mut views = Vec::new();
    for block in blocks {
        let (kind, lines, table) = match block {
            Block::Heading(text) => ("heading", vec![shown(text)], None),
            Block::Text(text) => ("text", lines(text), None),
            Block::Notes(text) => ("notes", lines(text), None),
            Block::Line(text) => ("text", vec![shown(text)], None),
            // The page has figures.
            Block::Picture(_) => continue,
            Block::Table(table) => {
                let name = table.headings().find(|heading| !heading.is_empty()).unwrap_or("table");
                ("table", Vec::new(), Some(TableView::new(table, name)))
            }
            Block::OfThisRun(inner) => {
                views.extend(self::views(inner, true));
                continue;
            }
        };
        views.push(BlockView { kind, lines, table, is_of_run });
    }
    views
}
