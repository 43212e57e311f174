//! Aligned tables.

use std::fmt::{self, Display};

use textwrap::core::display_width;

use super::numbers::{decimals, interval, interval_parts, interval_strip, with_thousands};
use super::page::{GAP, Page, Tone, fit, wrap_line};
use crate::experiment::visible;
use crate::stats::Estimate;

/// A table for a terminal: a heading, a line, rows. Columns are as wide as their widest cell. Characters that a terminal
/// would obey or hide are escaped.
///
/// On a page that is too narrow, headings wrap; then columns that may be left out are; then long texts wrap; then the rest
/// is folded: the table is printed in parts, each of which begins with the first column.
///
/// # Example
/// ```
/// use shikou::report::Table;
/// let mut table = Table::new(&["<depth", ">leaves"]);
/// table.row(["1", "4"]);
/// table.row(["2", "12"]);
/// assert_eq!(table.to_string(), "depth  leaves\n─────────────\n1           4\n2          12");
/// assert_eq!(table.markdown(), "| depth | leaves |\n|:--|--:|\n| 1 | 4 |\n| 2 | 12 |");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Table {
    headings: Vec<Heading>,
    rows: Vec<Vec<Cell>>,
    tones: Vec<Tone>,
}

/// A cell: its text; the interval between 0 and 1 that a page draws in place of it; and for programs the value of a figure, the ends
/// of its interval and its method.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    strip: Option<[f64; 3]>,
    figure: Option<[String; 4]>,
}

impl Cell {
    /// A figure without an interval: its value, how it came about, and the text of the cell.
    pub(super) fn figure(value: impl Display, method: &str, text: impl Display) -> Self {
        let figure = Some([value.to_string(), String::new(), String::new(), method.into()]);
        Self { figure, ..text.into() }
    }

    /// An estimate with these decimals, and its interval in a cell of its own.
    pub(super) fn estimate(estimate: &Estimate, digits: usize) -> [Self; 2] {
        let figure = Some(figure_of(estimate));
        [Self { figure, ..decimals(estimate.value, digits).into() }, interval(estimate, digits).into()]
    }

    /// The text, in which characters that a terminal would obey or hide are escaped.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Low, value and high of an interval.
    pub(super) const fn strip(&self) -> Option<[f64; 3]> {
        self.strip
    }
}

/// Value, ends and method, for programs; ends that are not finite are empty.
pub(super) fn figure_of(&Estimate { value, low, high, method }: &Estimate) -> [String; 4] {
    let end = |end: f64| if end.is_finite() { end.to_string() } else { String::new() };
    [value.to_string(), end(low), end(high), method.to_string()]
}

impl<T: Display> From<T> for Cell {
    fn from(content: T) -> Self {
        Self { text: visible(&content.to_string()).into_owned(), ..Self::default() }
    }
}

/// The cells of a row; none if the row does not have the figure.
type CellsOf<'c, R> = Box<dyn Fn(&R) -> Option<Vec<Cell>> + 'c>;

/// A figure of the rows of a table, in one column or in several that belong together.
pub struct Column<'c, R> {
    /// The names of its cells in CSV.
    names: Vec<String>,
    headings: Vec<String>,
    cells: CellsOf<'c, R>,
    is_shown: bool,
    is_optional: bool,
}

impl<R> Column<'_, R> {
    /// The names and the figures of a row, shown or not.
    pub(super) fn figures(&self, row: &R) -> Vec<(&str, [String; 4])> {
        let cells = (self.cells)(row).unwrap_or_default();
        self.names.iter().zip(cells).filter_map(|(name, cell)| Some((&**name, cell.figure?))).collect()
    }
}

/// A figure that has other names in CSV than its headings.
pub(super) fn named<'c, R>(names: &[&str], column: Column<'c, R>) -> Column<'c, R> {
    Column { names: names.iter().map(ToString::to_string).collect(), ..column }
}

/// A number that no table shows.
pub(super) fn unseen<'c, R, V: Display>(name: &str, of: impl Fn(&R) -> Option<V> + 'c) -> Column<'c, R> {
    named(&[name], when(false, grouped([""], move |row| Some([Cell::figure(of(row)?, "", "")]))))
}

/// A figure that is shown only if this holds.
pub fn when<R>(holds: bool, column: Column<'_, R>) -> Column<'_, R> {
    Column { is_shown: holds, ..column }
}

/// A figure that is shown only if a row has it.
pub fn if_any<R>(column: Column<'_, R>) -> Column<'_, R> {
    Column { is_optional: true, ..column }
}

/// Columns that belong together. Dashes stand for cells that a row does not have.
pub(super) fn grouped<'c, R, const N: usize>(
    headings: [&str; N],
    cells: impl Fn(&R) -> Option<[Cell; N]> + 'c,
) -> Column<'c, R> {
    let cells = Box::new(move |row: &R| cells(row).map(Vec::from));
    let names = headings.map(|heading| heading.get(1..).unwrap_or_default().into()).into();
    Column { names, headings: headings.map(Into::into).into(), cells, is_shown: true, is_optional: false }
}

/// Columns that belong together, by a closure that the caller keeps.
pub fn columns<'c, R, const N: usize>(
    headings: [&str; N],
    cells: &'c dyn Fn(&R) -> Option<[Cell; N]>,
) -> Column<'c, R> {
    grouped(headings, cells)
}

/// A column with a cell in every row.
pub fn column<'c, R, C: Into<Cell>>(heading: &str, cell: &'c dyn Fn(&R) -> C) -> Column<'c, R> {
    grouped([heading], |row| Some([cell(row).into()]))
}

pub(super) fn number_of(things: u64) -> Cell {
    Cell::figure(things, "", with_thousands(things))
}

/// A number with this many decimals, where a row has it.
pub fn number<'c, R>(heading: &str, digits: usize, of: &'c dyn Fn(&R) -> Option<f64>) -> Column<'c, R> {
    grouped([heading], move |row| {
        let number = of(row)?;
        Some([Cell::figure(number, "", decimals(number, digits))])
    })
}

/// An estimate with its interval, where a row has it.
pub fn estimate<'c, R>(
    heading: &str,
    digits: usize,
    of: &'c dyn Fn(&R) -> Option<Estimate>,
) -> Column<'c, R> {
    grouped([heading, "<95 % interval"], move |row| Some(Cell::estimate(&of(row)?, digits)))
}

/// The interval of an estimate between 0 and 1 as a picture.
pub fn strip<R>(of: &dyn Fn(&R) -> Estimate) -> Column<'_, R> {
    strip_of("|0    ½    1", [0.0, 1.0], of)
}

/// The interval of an estimate within these ends as a picture.
pub(super) fn strip_within<R>([least, most]: [f64; 2], of: &dyn Fn(&R) -> Estimate) -> Column<'_, R> {
    let [left, right] = [least, most].map(|end| decimals(end, usize::from(most - least < 100.0)));
    let room = 11_usize.saturating_sub(left.chars().count()).max(1 + right.chars().count());
    strip_of(&format!("|{left}{right:>room$}"), [least, most], of)
}

fn strip_of<'c, R>(heading: &str, [least, most]: [f64; 2], of: &'c dyn Fn(&R) -> Estimate) -> Column<'c, R> {
    grouped([heading], move |row| {
        let part = |end: f64| if most > least { (end - least) / (most - least) } else { 0.5 };
        let strip = interval_parts(&of(row)).map(|parts| parts.map(part));
        let text = strip.map(|[low, value, high]| interval_strip(value, low, high, 11)).unwrap_or_default();
        Some([Cell { text, strip, figure: None }])
    })
}

#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) text: String,
    pub(super) is_right: bool,
    /// Whether its cells are pictures of intervals.
    pub(super) is_strip: bool,
    /// Whether the column may be left out.
    pub(super) is_optional: bool,
}

impl Table {
    /// A table with these headings. A heading begins with `<` or `>`: whether its column is aligned left or right; or with `|`, if
    /// its cells are pictures of intervals. A `?` before it says that the column may be left out on a narrow page; the last such
    /// column goes first.
    ///
    /// # Panics
    /// If a heading begins with anything else.
    pub fn new(headings: &[impl AsRef<str>]) -> Self {
        let heading = |text: &str| {
            let (is_optional, rest) = text.strip_prefix('?').map_or((false, text), |rest| (true, rest));
            let (is_right, is_strip) = match rest.as_bytes().first() {
                Some(b'<') => (false, false),
                Some(b'>') => (true, false),
                Some(b'|') => (false, true),
                _ => panic!("the heading {text:?} says no alignment"),
            };
            Heading { text: visible(&rest[1..]).into_owned(), is_right, is_strip, is_optional }
        };
        let headings = headings.iter().map(|text| heading(text.as_ref())).collect();
        Self { headings, rows: Vec::new(), tones: Vec::new() }
    }

    /// A table of figures with a row for each of these.
    pub fn of<'r, R, const N: usize>(rows: &'r [R], columns: [Column<'r, R>; N]) -> Self {
        let (mut headings, mut cells) = (Vec::new(), vec![Vec::new(); rows.len()]);
        for column in columns.into_iter().filter(|column| column.is_shown) {
            let found: Vec<_> = rows.iter().map(&column.cells).collect();
            if column.is_optional && found.iter().all(Option::is_none) {
                continue;
            }
            for (row, found) in cells.iter_mut().zip(found) {
                row.extend(found.unwrap_or_else(|| vec!["–".into(); column.headings.len()]));
            }
            headings.extend(column.headings);
        }
        let mut table = Self::new(&headings);
        for row in cells {
            table.row(row);
        }
        table
    }

    pub(super) fn paint(&mut self, tone: Tone, wanted: impl Fn(usize) -> bool) {
        for (_, row) in self.tones.iter_mut().enumerate().filter(|(number, _)| wanted(*number)) {
            *row = tone;
        }
    }

    /// Adds a row.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.toned_row(Tone::Plain, cells);
    }

    /// Adds a row that a terminal shows in the colour of a tone.
    pub fn toned_row<C: Into<Cell>>(&mut self, tone: Tone, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self.tones.push(tone);
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The headings, without their alignment.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().map(|heading| heading.text.as_str())
    }

    pub(super) fn columns(&self) -> &[Heading] {
        &self.headings
    }

    /// The rows, cell by cell.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            cells.fold("|".to_owned(), |line, cell| format!("{line} {} |", cell.trim().replace('|', "\\|")))
        };
        let rule = self
            .headings
            .iter()
            .fold("|".to_owned(), |rule, heading| rule + if heading.is_right { "--:|" } else { ":--|" });
        let mut lines = vec![line(&mut self.headings()), rule];
        lines.extend(self.rows.iter().map(|row| line(&mut row.iter().map(Cell::text))));
        lines.join("\n")
    }

    /// The table as text that fits the page.
    pub fn text(&self, page: Page) -> String {
        let cells = |index| self.rows.iter().filter_map(move |row| row.get(index)).map(Cell::text);
        let columns = self.headings.iter().enumerate().map(|(index, heading)| {
            let widest = cells(index).map(display_width).max().unwrap_or(0);
            (&*heading.text, [heading.is_right, heading.is_optional], widest)
        });
        let parts = fit(columns, page.width);
        parts.iter().map(|part| self.part(part, page)).collect::<Vec<_>>().join("\n\n")
    }

    fn part(&self, columns: &[(usize, usize)], page: Page) -> String {
        let headings: Vec<&str> = self.headings().collect();
        let mut head = self.lines(&headings, columns, true);
        let body: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| self.lines(&row.iter().map(Cell::text).collect::<Vec<_>>(), columns, false))
            .collect();
        let all = head.iter().chain(body.iter().flatten());
        let width = all.map(|line| display_width(line)).max().unwrap_or(0);
        head.push("─".repeat(width));
        for (lines, tone) in body.iter().zip(&self.tones) {
            head.extend(lines.iter().map(|line| tone.paint(line, page)));
        }
        head.join("\n")
    }

    /// The lines of a row. Cells that wrap end at the bottom if the row is the heading, else they begin at the top.
    fn lines(&self, row: &[&str], columns: &[(usize, usize)], is_heading: bool) -> Vec<String> {
        let cell = |&(column, width): &(usize, usize)| {
            row.get(column).map_or_else(Vec::new, |text| wrap_line(text, width, true))
        };
        let cells: Vec<Vec<String>> = columns.iter().map(cell).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |index: usize| {
            let mut line = String::new();
            for (place, (cell, &(column, width))) in cells.iter().zip(columns).enumerate() {
                let above = if is_heading { height - cell.len() } else { 0 };
                let text = index.checked_sub(above).and_then(|at| cell.get(at)).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(display_width(text)));
                if place > 0 {
                    line.push_str(&" ".repeat(GAP));
                }
                let [left, right] =
                    if self.headings[column].is_right { [&*space, text] } else { [text, &*space] };
                line.push_str(left);
                line.push_str(right);
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Page::PLAIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &Table, width: usize) -> String {
        table.text(Page { width, ..Page::PLAIN })
    }

    #[test]
    fn a_table_that_is_too_wide_wraps_headings_then_leaves_out_then_folds() {
        let mut table =
            Table::new(&["<player", ">points", "<95 % interval", "?>time a move", ">moves in all"]);
        table.row(["random", "0.25", "[0.10, 0.40]", "1 ms", "1 200"]);
        table.row(["tree", "0.75", "[0.60, 0.90]", "20 ms", "900"]);
        assert!(text(&table, 56).starts_with("player  points  95 % interval  time a move  moves in all\n──"));
        assert!(text(&table, 55).starts_with(
            "                                               moves in\nplayer  points  95 % interval  time a move          all\n──"
        ));
        assert!(text(&table, 41).starts_with(
            "                                 moves in\nplayer  points  95 % interval         all\n──"
        ));
        assert_eq!(
            text(&table, 30),
            "player  points  95 % interval\n─────────────────────────────\nrandom    0.25  [0.10, 0.40]\ntree      0.75  [0.60, 0.90]\n\n\
             player  moves in all\n────────────────────\nrandom         1 200\ntree             900"
        );
    }

    #[test]
    fn long_texts_wrap_and_numbers_do_not() {
        let mut table = Table::new(&["<option", "<what it does", ">most"]);
        table.row(["playouts", "the number of playouts of each move, one after the other", "1 000"]);
        let lines: Vec<String> = text(&table, 45).lines().map(Into::into).collect();
        assert_eq!(
            lines,
            [
                "option    what it does                   most",
                "─────────────────────────────────────────────",
                "playouts  the number of playouts of     1 000",
                "          each move, one after the",
                "          other",
            ]
        );
    }

    #[test]
    fn a_row_has_the_colour_of_its_tone() {
        let mut table = Table::new(&["<player"]);
        table.toned_row(Tone::Best, ["tree"]);
        assert_eq!(
            table.text(Page { colour: true, ..Page::PLAIN }),
            "player\n──────\n\u{1b}[32mtree\u{1b}[0m"
        );
        assert_eq!(table.to_string(), "player\n──────\ntree");
    }
}
