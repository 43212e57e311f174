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
/// assert_eq!(table.markdown(), "| depth | leaves |\n|:--|--:|\n| 1 | 4 |\n| 2 | 12 |");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    headings: Vec<(CellAlignment, String)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings. A heading begins with `<` or `>`: whether its column is aligned left or right.
    ///
    /// # Panics
    /// Where a heading begins with anything else.
    pub fn new(headings: &[impl AsRef<str>]) -> Self {
        let heading = |heading: &str| {
            let alignment = match heading.as_bytes().first() {
                Some(b'<') => CellAlignment::Left,
                Some(b'>') => CellAlignment::Right,
                _ => panic!("the heading {heading:?} says no alignment"),
            };
            (alignment, heading[1..].to_owned())
        };
        Self { headings: headings.iter().map(|text| heading(text.as_ref())).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The headings, without their alignment.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().map(|(_, heading)| heading.as_str())
    }

    /// The rows, cell by cell.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            cells.fold("|".to_owned(), |line, cell| format!("{line} {} |", cell.trim().replace('|', "\\|")))
        };
        let rule = self.headings.iter().fold("|".to_owned(), |rule, (alignment, _)| {
            rule + if *alignment == CellAlignment::Right { "--:|" } else { ":--|" }
        });
        let mut lines = vec![line(&mut self.headings.iter().map(|(_, heading)| heading)), rule];
        lines.extend(self.rows.iter().map(|row| line(&mut row.iter())));
        lines.join("\n")
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.headings.iter().map(|(_, heading)| heading));
        for (column, (alignment, _)) in table.column_iter_mut().zip(&self.headings) {
            column.set_padding((0, 1));
            column.set_cell_alignment(*alignment);
        }
        table.add_rows(&self.rows);
        // The padding of the last column is no part of the table.
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().into()).collect();
        let rule = lines.iter().enumerate().filter(|(index, _)| *index != 1);
        let width = rule.map(|(_, line)| line.chars().count()).max().unwrap_or(0);
        for (index, line) in lines.iter().enumerate() {
            let line: String = if index == 1 { line.chars().take(width).collect() } else { line.clone() };
            write!(f, "{}{line}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}
