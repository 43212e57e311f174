//! Aligned tables.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table for a terminal: a heading, a line, rows. Columns are as wide as their widest cell.
///
/// # Example
/// ```
/// use shikou::report::Table;
/// let mut table = Table::new(&["<depth", ">leaves"]);
/// table.row(["1", "4"]);
/// table.row(["2", "12"]);
/// assert_eq!(table.to_string(), "depth  leaves\n─────────────\n1           4\n2          12");
/// ```
pub struct Table {
    table: comfy_table::Table,
}

impl Table {
    /// A table with these headings. A heading begins with `<` or `>`: whether its column is aligned left or right.
    ///
    /// # Panics
    /// Where a heading begins with anything else.
    pub fn new(headings: &[&str]) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(headings.iter().map(|heading| &heading[1..]));
        for (column, heading) in table.column_iter_mut().zip(headings) {
            column.set_padding((0, 1));
            column.set_cell_alignment(match heading.as_bytes()[0] {
                b'<' => CellAlignment::Left,
                b'>' => CellAlignment::Right,
                _ => panic!("the heading {heading:?} says no alignment"),
            });
        }
        Self { table }
    }

    /// A table without a heading, all of whose columns are aligned left.
    ///
    /// # Example
    /// ```
    /// use shikou::report::Table;
    /// let mut table = Table::list();
    /// table.row(["value", "+38"]);
    /// table.row(["best", "a2"]);
    /// assert_eq!(table.to_string(), "value  +38\nbest   a2");
    /// ```
    pub fn list() -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
        Self { table }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.table.add_row(cells.into_iter().map(Into::into).collect::<Vec<String>>());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The padding of the last column is no part of the table.
        let lines: Vec<String> = self.table.lines().map(|line| line.trim_end().into()).collect();
        let rule = lines.iter().enumerate().filter(|(index, _)| *index != 1);
        let width = rule.map(|(_, line)| line.chars().count()).max().unwrap_or(0);
        for (index, line) in lines.iter().enumerate() {
            let line: String = if index == 1 { line.chars().take(width).collect() } else { line.clone() };
            write!(f, "{}{line}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}
