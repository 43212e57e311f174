//! The numbers of a CSV file of published results.

use std::path::{Path, PathBuf};

use super::{Section, word};
use crate::experiment::document::PlacedError;
use crate::players::files::{is_data, no_data, path_of};

/// A file that a case names.
pub(super) struct CsvFile {
    name: String,
    path: PathBuf,
}

/// The rows of a file, as text.
pub(super) struct Table {
    columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl CsvFile {
    /// Reads the key `file`: `data:` and a path in the folder of large data, or a path beside the cases file.
    pub(super) fn read(section: &mut Section<'_>, cases: &Path) -> Result<Self, PlacedError> {
        let name = section.get("file", &word("data:evolution/source-b.csv"))?;
        let path = path_of(&name, cases.parent().unwrap_or(Path::new("")));
        Ok(Self { name, path })
    }

    /// The table; if the large data is missing, in what words.
    ///
    /// # Errors
    /// If the file is no CSV file with a heading, or cannot be read.
    pub(super) fn table(&self) -> Result<Result<Table, String>, String> {
        if is_data(&self.name) && !self.path.is_file() {
            return Ok(Err(no_data(&self.name)));
        }
        let failed = |error: csv::Error| format!("{}: {error}", self.path.display());
        let mut reader = csv::Reader::from_path(&self.path).map_err(failed)?;
        let columns = reader.headers().map_err(failed)?.iter().map(String::from).collect();
        let row = |row: Result<csv::StringRecord, csv::Error>| {
            Ok(row.map_err(failed)?.iter().map(String::from).collect())
        };
        let rows = reader.records().map(row).collect::<Result<_, String>>()?;
        Ok(Ok(Table { columns, rows }))
    }
}

impl Table {
    /// The place of a column.
    ///
    /// # Errors
    /// If there is no such column.
    pub(super) fn column(&self, name: &str) -> Result<usize, String> {
        let place = self.columns.iter().position(|column| column == name);
        place.ok_or_else(|| format!("there is no column `{name}`, only {}", self.columns.join(", ")))
    }
}

/// A field as a number.
///
/// # Errors
/// If it is none.
pub(super) fn number(field: &str) -> Result<f64, String> {
    field.parse().map_err(|_| format!("`{field}` is not a number"))
}
