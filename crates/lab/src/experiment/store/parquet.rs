//! The trials of a log as Parquet, for programs that read tables of millions of rows.
//!
//! The rows are those of the canonical log, one for each game, with the times of `trials.csv` beside them. Columns are flat and
//! uncompressed but for dictionaries, and a row group has a bounded number of rows, so memory does not grow with the log.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{Log, LogError, LogForm, Rows, Swept, columns};
use crate::experiment::plan::Plan;

/// The rows of a row group.
const ROWS: usize = 1 << 17;

/// Writes a row for each game of the log that is of the plan, in canonical order, with the columns of `trials.csv` but its check, and
/// as text the values of sweeps. A
/// field that is empty there is null. Trials after the decision of a stopping rule are among them, as in `trials.csv`.
///
/// # Errors
/// If the log cannot be read, or `out` cannot be written.
pub fn write_parquet(plan: &Plan, log: &Log, out: impl Write + Send) -> Result<(), LogError> {
    let (rows, swept, mut text, mut row) = (Rows::new(plan), Swept::new(plan), Vec::new(), Vec::new());
    let mut table = Table::new(&swept);
    let schema = Arc::new(table.schema()?);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::builder().build()))?;
    for (index, _) in plan.experiments().enumerate() {
        for chunk in log.chunks(index) {
            text.clear();
            for record in &chunk?.records {
                row.clear();
                rows.push_log(record, LogForm::Gzip, &mut row);
                swept.push(record, &row, LogForm::Gzip, &mut text);
            }
            table.push(&text)?;
            if table.rows() >= ROWS {
                table.write(file.next_row_group()?)?;
            }
        }
    }
    if table.rows() > 0 {
        table.write(file.next_row_group()?)?;
    }
    file.close()?;
    Ok(())
}

/// The columns that hold texts. The others hold whole numbers.
const TEXTS: [&str; 7] = ["experiment", "trial", "first", "second", "outcome", "course", "failure"];

/// A column: the values that are not null, and for each row whether there is one.
struct Column {
    name: String,
    values: Values,
    is_there: Vec<i16>,
}

enum Values {
    Numbers(Vec<i64>),
    Texts(Vec<ByteArray>),
}

/// The columns, in the order of `trials.csv`, and those of sweeps.
struct Table(Vec<Column>);

impl Table {
    fn new(swept: &Swept) -> Self {
        let column = |(name, is_swept): (&str, bool)| {
            let is_text = is_swept || TEXTS.contains(&name);
            let values = if is_text { Values::Texts(Vec::new()) } else { Values::Numbers(Vec::new()) };
            Column { name: name.into(), values, is_there: Vec::new() }
        };
        let of_log = columns();
        let of_log = of_log.split(',').map(|name| (name, false));
        Self(of_log.chain(swept.names().map(|name| (name, true))).map(column).collect())
    }

    fn schema(&self) -> Result<Type, ParquetError> {
        let field = |column: &Column| {
            let (physical, logical) = match column.values {
                Values::Numbers(_) => (Physical::INT64, None),
                Values::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(&column.name, physical);
            let field = field.with_repetition(Repetition::OPTIONAL).with_logical_type(logical);
            field.build().map(Arc::new)
        };
        let fields = self.0.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        Type::group_type_builder("trials").with_fields(fields).build()
    }

    fn rows(&self) -> usize {
        self.0[0].is_there.len()
    }

    fn push(&mut self, rows: &[u8]) -> io::Result<()> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
        let mut row = csv::StringRecord::new();
        while reader.read_record(&mut row)? {
            for (Column { values, is_there, .. }, field) in self.0.iter_mut().zip(&row) {
                is_there.push(i16::from(!field.is_empty()));
                match values {
                    _ if field.is_empty() => {}
                    Values::Numbers(values) => values.push(field.parse().map_err(io::Error::other)?),
                    Values::Texts(values) => values.push(field.into()),
                }
            }
        }
        Ok(())
    }

    /// Writes all rows as a row group, and forgets them.
    fn write<W: Write + Send>(
        &mut self,
        mut group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        for Column { values, is_there, .. } in &mut self.0 {
            let mut out = group.next_column()?.expect("the file has as many columns");
            match values {
                Values::Numbers(values) => {
                    out.typed::<Int64Type>().write_batch(values, Some(is_there), None)?;
                    values.clear();
                }
                Values::Texts(values) => {
                    out.typed::<ByteArrayType>().write_batch(values, Some(is_there), None)?;
                    values.clear();
                }
            }
            out.close()?;
            is_there.clear();
        }
        group.close().map(drop)
    }
}
