//! How the columns of a table fit a width.

use textwrap::core::display_width;

use super::page::unmarked;
use super::table::{Cell, Heading};

pub(super) const GAP: usize = 2;

/// A text that is wider than this may wrap.
const PROSE: usize = 24;

pub(super) struct Widths {
    columns: Vec<Column>,
}

#[derive(Clone, Copy)]
struct Column {
    index: usize,
    /// With the heading in one line.
    natural: usize,
    /// With a heading of one word a line.
    least: usize,
    is_prose: bool,
    is_optional: bool,
    /// Whether it stays with the column before it.
    belongs: bool,
}

impl Widths {
    pub(super) fn of(headings: &[Heading], rows: &[Vec<Cell>]) -> Self {
        let column = |(index, heading): (usize, &Heading)| {
            let cells =
                rows.iter().filter_map(|row| row.get(index)).map(|cell| display_width(cell.text())).max();
            let (cells, title) = (cells.unwrap_or(0), display_width(&heading.text));
            let words = unmarked(&heading.text);
            let mark = display_width(&heading.text) - display_width(words);
            let word = mark + words.split(' ').map(display_width).max().unwrap_or(0);
            Column {
                index,
                natural: cells.max(title),
                least: cells.max(word),
                is_prose: !heading.is_right && cells > PROSE,
                is_optional: heading.is_optional,
                belongs: heading.text.ends_with("interval") || heading.text.starts_with('│'),
            }
        };
        Self { columns: headings.iter().enumerate().map(column).collect() }
    }

    /// The parts that the table is printed in: of each its columns with their widths.
    pub(super) fn fit(mut self, width: usize) -> Vec<Vec<(usize, usize)>> {
        let columns = &mut self.columns;
        // Headings wrap before a column is left out.
        while total(columns, |column| if column.is_prose { column.natural } else { column.least }) > width {
            let Some(last) = columns.iter().rposition(|column| column.is_optional) else { break };
            columns.remove(last);
        }
        if columns.is_empty() {
            return Vec::new();
        }
        let most_of_key = PROSE.max(width / 3);
        if columns[0].is_prose {
            columns[0].least = columns[0].least.min(most_of_key);
        }
        for column in columns.iter_mut().skip(1).filter(|column| column.is_prose) {
            column.least = column.least.min(PROSE);
        }
        if total(columns, |column| column.least) <= width || columns.len() == 1 {
            return vec![assign(columns, width)];
        }
        // Columns that belong together are folded together.
        let (key, rest) = columns.split_first().expect("there is a column");
        let mut parts: Vec<Vec<Column>> = Vec::new();
        for group in rest.chunk_by(|_, next| next.belongs) {
            let fits = |part: &Vec<Column>| total(&[part, group].concat(), |column| column.least) <= width;
            match parts.last_mut().filter(|part| fits(part)) {
                Some(part) => part.extend(group),
                None => parts.push([&[*key], group].concat()),
            }
        }
        parts.iter().map(|part| assign(part, width)).collect()
    }
}

fn total(columns: &[Column], width: impl Fn(&Column) -> usize) -> usize {
    columns.iter().map(width).sum::<usize>() + GAP * columns.len().saturating_sub(1)
}

/// The width of each column. Headings wrap rather than texts, if that is enough; else texts wrap, and headings only as far
/// as that is not enough.
fn assign(columns: &[Column], width: usize) -> Vec<(usize, usize)> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.least).collect();
    let least = |column: &Column| column.least;
    let prose = |column: &&Column| column.is_prose;
    let free = width.saturating_sub(total(columns, least));
    let wanted: usize = columns.iter().filter(prose).map(|column| column.natural - column.least).sum();
    let mut of_headings = free.saturating_sub(if wanted <= free { wanted } else { 0 });
    for (grown, column) in widths.iter_mut().zip(columns).filter(|(_, column)| !column.is_prose) {
        let more = of_headings.min(column.natural - column.least);
        (*grown, of_headings) = (*grown + more, of_headings - more);
    }
    // The texts share what is left, the shortest first: it may need less than its share.
    let numbers = widths.iter().zip(columns).filter(|(_, column)| !column.is_prose);
    let taken = numbers.map(|(width, _)| width).sum::<usize>() + GAP * columns.len().saturating_sub(1);
    let mut left = width.saturating_sub(taken);
    let mut texts: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].is_prose).collect();
    texts.sort_by_key(|&place| columns[place].natural);
    for (done, &place) in texts.iter().enumerate() {
        let reserved: usize = texts[done + 1..].iter().map(|&other| columns[other].least).sum();
        let share = (left / (texts.len() - done)).min(left.saturating_sub(reserved));
        widths[place] = columns[place].natural.min(share.max(columns[place].least));
        left = left.saturating_sub(widths[place]);
    }
    columns.iter().map(|column| column.index).zip(widths).collect()
}
