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

use super::error::LogError;
use super::log::Log;
use crate::experiment::plan::Plan;
use crate::experiment::trial::record::{Record, SeatRecord};
use crate::search::Spent;

/// The rows of a row group.
const ROWS: usize = 1 << 17;

/// An error of reading the log or of writing the table.
#[derive(Debug, thiserror::Error)]
pub enum ParquetFileError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The table cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The writer of the format failed.
    #[error(transparent)]
    Format(#[from] ParquetError),
}

/// Writes a row for each game of the log that is of the plan, in canonical order, with the columns of `trials.csv` but its check. A
/// field that is empty there is null. Trials after the decision of a stopping rule are among them, as in `trials.csv`.
///
/// # Errors
/// If the log cannot be read, or `out` cannot be written.
pub fn write_parquet(plan: &Plan, log: &Log, out: impl Write + Send) -> Result<(), ParquetFileError> {
    let mut columns = Columns::default();
    let schema = Arc::new(columns.schema()?);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::builder().build()))?;
    for (index, _) in plan.experiments().enumerate() {
        for chunk in log.chunks(index) {
            for record in &chunk?.records {
                columns.push(plan, record);
            }
            if columns.rows() >= ROWS {
                columns.write(file.next_row_group()?)?;
            }
        }
    }
    if columns.rows() > 0 {
        columns.write(file.next_row_group()?)?;
    }
    file.close()?;
    Ok(())
}

/// The values of a column that are not null, and for each row whether there is one.
struct Column<T> {
    name: &'static str,
    values: Vec<T>,
    is_there: Vec<i16>,
}

impl<T> Column<T> {
    const fn new(name: &'static str) -> Self {
        Self { name, values: Vec::new(), is_there: Vec::new() }
    }

    fn push(&mut self, value: Option<T>) {
        self.is_there.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn clear(&mut self) {
        self.values.clear();
        self.is_there.clear();
    }
}

/// A column by the type of its values.
enum Any {
    Number(Column<i64>),
    Text(Column<ByteArray>),
}

/// A field of a row.
enum Field {
    Number(Option<i64>),
    Text(Option<String>),
}

/// The columns, in the order of `trials.csv`.
struct Columns(Vec<Any>);

/// The names of the columns; those of texts are marked.
const COLUMNS: [(&str, bool); 22] = [
    ("experiment", true),
    ("instance", false),
    ("trial", true),
    ("game", false),
    ("first", true),
    ("second", true),
    ("outcome", true),
    ("margin", false),
    ("plies", false),
    ("course", true),
    ("first_playouts", false),
    ("first_plies", false),
    ("first_nodes", false),
    ("second_playouts", false),
    ("second_plies", false),
    ("second_nodes", false),
    ("failure", true),
    ("first_moves", false),
    ("second_moves", false),
    ("first_wall_ns", false),
    ("second_wall_ns", false),
    ("trial_cpu_ns", false),
];

impl Default for Columns {
    fn default() -> Self {
        let column = |(name, is_text)| {
            if is_text { Any::Text(Column::new(name)) } else { Any::Number(Column::new(name)) }
        };
        Self(COLUMNS.map(column).into())
    }
}

impl Columns {
    fn schema(&self) -> Result<Type, ParquetError> {
        let field = |column: &Any| {
            let (name, physical, logical) = match column {
                Any::Number(column) => (column.name, Physical::INT64, None),
                Any::Text(column) => (column.name, Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
            field.with_logical_type(logical).build().map(Arc::new)
        };
        let fields = self.0.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        Type::group_type_builder("trials").with_fields(fields).build()
    }

    fn rows(&self) -> usize {
        match &self.0[0] {
            Any::Number(column) => column.is_there.len(),
            Any::Text(column) => column.is_there.len(),
        }
    }

    /// Adds the rows of a trial.
    fn push(&mut self, plan: &Plan, record: &Record) {
        let experiment = plan.experiment(record.trial.experiment);
        let id = String::from_utf8_lossy(&plan.id(&record.trial).digits()).into_owned();
        for (index, game) in record.games.iter().enumerate() {
            let result = game.result.as_ref().ok();
            let name = |seat: usize| Some(experiment.players[game.seats.get(seat)?.player].name.clone());
            let spent =
                |seat: usize, amount: fn(&Spent) -> u64| Some(amount(&game.seats.get(seat)?.spent) as i64);
            let of_seat =
                |seat: usize, number: fn(&SeatRecord) -> u64| Some(number(game.seats.get(seat)?) as i64);
            let is_last = index + 1 == record.games.len();
            let fields = [
                Field::Text(Some(experiment.name.clone())),
                Field::Number(Some(record.trial.instance as i64)),
                Field::Text(Some(id.clone())),
                Field::Number(Some(index as i64 + 1)),
                Field::Text(name(0)),
                Field::Text(name(1)),
                Field::Text(result.map(|(outcome, _)| outcome.to_str().into())),
                Field::Number(result.map(|&(_, margin)| i64::from(margin))),
                Field::Number(Some(i64::from(game.plies))),
                Field::Text(Some(format!("{:016x}", game.game_hash))),
                Field::Number(spent(0, |spent| spent.playouts)),
                Field::Number(spent(0, |spent| spent.plies)),
                Field::Number(spent(0, |spent| spent.nodes)),
                Field::Number(spent(1, |spent| spent.playouts)),
                Field::Number(spent(1, |spent| spent.plies)),
                Field::Number(spent(1, |spent| spent.nodes)),
                Field::Text(game.result.as_ref().err().cloned()),
                Field::Number(of_seat(0, |seat| u64::from(seat.moves))),
                Field::Number(of_seat(1, |seat| u64::from(seat.moves))),
                Field::Number(of_seat(0, |seat| seat.wall_ns)),
                Field::Number(of_seat(1, |seat| seat.wall_ns)),
                Field::Number(is_last.then_some(record.cpu_ns as i64)),
            ];
            for (column, field) in self.0.iter_mut().zip(fields) {
                match (column, field) {
                    (Any::Number(column), Field::Number(number)) => column.push(number),
                    (Any::Text(column), Field::Text(text)) => {
                        column.push(text.map(|text| text.into_bytes().into()));
                    }
                    _ => unreachable!("the fields are in the order of the columns"),
                }
            }
        }
    }

    /// Writes all rows as a row group, and forgets them.
    fn write<W: Write + Send>(
        &mut self,
        mut group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        for column in &mut self.0 {
            let mut out = group.next_column()?.expect("the file has as many columns");
            match column {
                Any::Number(column) => {
                    out.typed::<Int64Type>().write_batch(&column.values, Some(&column.is_there), None)?;
                    column.clear();
                }
                Any::Text(column) => {
                    out.typed::<ByteArrayType>().write_batch(&column.values, Some(&column.is_there), None)?;
                    column.clear();
                }
            }
            out.close()?;
        }
        group.close().map(drop)
    }
}
