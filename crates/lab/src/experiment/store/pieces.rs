//! A log as a file: lines, or if it is packed the members that hold them. Both check themselves.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::error::LogError;
use super::facts::earlier_format;
use super::form::LogForm;
use super::member::{Found, read_member};
use crate::experiment::line::{CHECK, checked};

/// The number of bytes that are read at a time.
const BUFFER: u64 = 1 << 18;

/// No line has as many bytes.
const MOST_LINE: u64 = 1 << 20;

/// The pieces of a log, one after the other: each is a line, or a member.
pub(super) struct Pieces<'c, R> {
    reader: R,
    form: LogForm,
    columns: &'c str,
    /// The place of the piece in the file, and its length.
    pub(super) place: u64,
    pub(super) length: u64,
    /// Its bytes.
    pub(super) piece: Vec<u8>,
    /// The rows of a member.
    unpacked: Vec<u8>,
}

impl<'c, R: BufRead> Pieces<'c, R> {
    /// Those from this place on.
    pub(super) fn new(reader: R, form: LogForm, columns: &'c str, place: u64) -> Self {
        let (piece, unpacked) = (Vec::new(), Vec::new());
        Self { reader, form, columns, place, length: 0, piece, unpacked }
    }

    /// Reads the next piece.
    pub(super) fn next(&mut self) -> io::Result<Found> {
        self.place += self.length;
        self.piece.clear();
        match self.form {
            LogForm::Csv => self.next_line(),
            LogForm::Gzip => {
                let found = read_member(&mut self.reader, &mut self.piece, &mut self.unpacked);
                let is_first =
                    self.place == 0 && self.unpacked.strip_suffix(b"\n") == Some(self.columns.as_bytes());
                self.length = self.piece.len() as u64;
                found.map(|found| if is_first && found == Found::Rows { Found::Columns } else { found })
            }
        }
    }

    fn next_line(&mut self) -> io::Result<Found> {
        self.length = self.reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut self.piece)? as u64;
        let Some(line) = self.piece.strip_suffix(b"\n") else {
            return Ok(match self.length {
                0 => Found::End,
                MOST_LINE => {
                    self.length += self.reader.skip_until(b'\n')? as u64;
                    Found::Damaged("it is longer than a row")
                }
                _ => Found::Torn,
            });
        };
        let is_first = self.place == 0 && line.strip_suffix(b",check") == Some(self.columns.as_bytes());
        Ok(match checked(line) {
            _ if is_first => Found::Columns,
            Some(_) => Found::Rows,
            None => Found::Damaged("its check does not agree"),
        })
    }

    /// The rows of a sound piece, without checks.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let text = match self.form {
            LogForm::Csv => &self.piece[..self.piece.len() - CHECK - 1],
            LogForm::Gzip => self.unpacked.strip_suffix(b"\n").unwrap_or(&self.unpacked),
        };
        text.split(|&byte| byte == b'\n')
    }
}

impl<'b> Pieces<'_, &'b [u8]> {
    /// Takes all up to this place of the whole for the piece.
    pub(super) fn skip_to(&mut self, whole: &'b [u8], place: usize) {
        (self.reader, self.length) = (&whole[place..], place as u64 - self.place);
    }
}

/// Goes through the rows in some bytes of a log with these columns. `take` is given each row without its check, and the bytes of
/// the line or the member that holds it, and returns why the row is damaged. A torn end is left out: returned is where it
/// begins.
///
/// # Errors
/// If the file cannot be read, or anything but its end is damaged.
pub(crate) fn each_row(
    path: &Path,
    columns: &str,
    bytes: Range<u64>,
    mut take: impl FnMut(&[u8], Range<u64>) -> Result<(), &'static str>,
) -> Result<u64, LogError> {
    let io = |source| LogError::Io { path: path.into(), source };
    let mut file = File::open(path).map_err(io)?;
    file.seek(SeekFrom::Start(bytes.start)).map_err(io)?;
    let length = bytes.end - bytes.start;
    let reader = BufReader::with_capacity(BUFFER.min(length) as usize, file.take(length));
    let mut pieces = Pieces::new(reader, LogForm::of_file(path), columns, bytes.start);
    let mut lines = 0;
    loop {
        let found = pieces.next().map_err(io)?;
        let damaged = |reason: &str, lines: usize| {
            let reason = match pieces.form {
                LogForm::Csv => reason.into(),
                LogForm::Gzip => format!("its gzip member, at byte {}: {reason}", pieces.place),
            };
            LogError::Damaged { path: path.into(), line: lines + 1, reason }
        };
        match found {
            Found::End | Found::Torn => return Ok(pieces.place),
            Found::Columns => lines += 1,
            Found::Rows | Found::Damaged(_) if pieces.place == 0 => {
                let other = earlier_format(path, &pieces.piece);
                return Err(other.unwrap_or_else(|| damaged("these are not the columns of a log", 0)));
            }
            Found::Damaged(reason) => return Err(damaged(reason, lines)),
            Found::Rows => {
                let bytes = pieces.place..pieces.place + pieces.length;
                for row in pieces.rows() {
                    take(row, bytes.clone()).map_err(|reason| damaged(reason, lines))?;
                    lines += 1;
                }
            }
        }
    }
}
