//! The two files of a log: rows of CSV as they are, or the same rows packed in gzip members. Both check themselves.
//!
//! The rows and their reader are the same. A plain row is read with `cat`, and has a check of its own. Where trials are
//! short, text fills a disk: so plans with many trials have a packed log, which everybody's programs read too. A log
//! keeps the form in which it began. Rejected: a packed log with a plain file of its newest rows, because two files need
//! a rule for what is in both after a crash, and a batch of rows is a member at once.
//!
//! The members are gzip files one after the other, which every reader of gzip takes for one. The extra field of a member's
//! header holds the length of the member, and the CRC-32 of all bytes before it. Otherwise a damaged member would look like a
//! torn end, and reading could not go on after it. The content has gzip's own check.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use super::{LogError, earlier_format};
use crate::experiment::line::{CHECK, checked};
use crate::experiment::plan::Plan;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// Plain rows, in `trials.csv`, each with its check.
    Csv,
    /// Rows in gzip members, in `trials.csv.gz`. The check is that of the member.
    Gzip,
}

impl LogForm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Gzip];

    /// A plan with as many trials begins a packed log.
    pub const MANY: u64 = 1_000_000;

    /// The form in which a plan begins a log.
    pub fn of_plan(plan: &Plan) -> Self {
        if plan.len() < Self::MANY { Self::Csv } else { Self::Gzip }
    }

    /// The form of the log in this file, by its name.
    pub(crate) fn of_file(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "gz") { Self::Gzip } else { Self::Csv }
    }

    /// The name, as in `--log`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Gzip => "gzip",
        }
    }

    /// The name of the file in a folder of results.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Csv => "trials.csv",
            Self::Gzip => "trials.csv.gz",
        }
    }

    /// Adds whole rows to a file. Plain ones have their checks.
    pub(super) fn push(self, rows: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Csv => out.extend(rows),
            Self::Gzip => push_member(out, rows),
        }
    }

    /// The beginning of the file of a log with these columns.
    pub(super) fn beginning(self, columns: &str) -> Vec<u8> {
        let (mut beginning, check) = (Vec::new(), if self == Self::Csv { ",check" } else { "" });
        self.push(format!("{columns}{check}\n").as_bytes(), &mut beginning);
        beginning
    }
}

/// The beginning of a member, by which it is found: gzip with an extra field, no time and no system; one subfield.
const MARK: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0, b'S', b'k', 8, 0];

/// The number of bytes up to the compressed rows: the mark, the length, the check.
const HEADER: usize = MARK.len() + 8;

/// No member has as many bytes, packed or not.
const MOST: usize = 1 << 28;

/// How hard rows are packed: a fifth of their bytes is left, and half as much work as of playing a short trial is added.
const LEVEL: u32 = 2;

/// Adds rows as a member.
pub(super) fn push_member(out: &mut Vec<u8>, rows: &[u8]) {
    assert!(rows.len() < MOST, "a member holds a few hundred trials");
    let start = out.len();
    let extra = [&MARK[12..], &[0; 8]].concat();
    let mut encoder = GzBuilder::new().extra(extra).write(&mut *out, Compression::new(LEVEL));
    encoder.write_all(rows).and_then(|()| encoder.finish().map(drop)).expect("memory can be written to");
    let member = &mut out[start..];
    let length = member.len() as u32;
    member[16..20].copy_from_slice(&length.to_le_bytes());
    let check = crc32fast::hash(&member[..20]);
    member[20..HEADER].copy_from_slice(&check.to_le_bytes());
}

/// The length of the member with this header. `None` if it is none.
fn length_of(header: &[u8; HEADER]) -> Option<usize> {
    let number = |place: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[place + byte]));
    let length = number(16) as usize;
    let is_sound = header.starts_with(&MARK) && number(20) == crc32fast::hash(&header[..20]);
    (is_sound && (HEADER..MOST).contains(&length)).then_some(length)
}

/// The thing at a place of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Columns,
    Rows,
    End,
    /// A piece that was not written to its end.
    Torn,
    /// Something else, and what is wrong with it.
    Damaged(&'static str),
}

/// Reads the next member into one buffer, and its rows into another one.
pub(super) fn read_member(
    reader: &mut impl Read,
    member: &mut Vec<u8>,
    rows: &mut Vec<u8>,
) -> io::Result<Found> {
    rows.clear();
    reader.by_ref().take(HEADER as u64).read_to_end(member)?;
    let Some(header) = member.as_array() else {
        return Ok(if member.is_empty() { Found::End } else { Found::Torn });
    };
    let Some(length) = length_of(header) else {
        return Ok(Found::Damaged("the check of its header does not agree"));
    };
    // No memory is taken for bytes that are not there.
    reader.by_ref().take((length - HEADER) as u64).read_to_end(member)?;
    if member.len() < length {
        return Ok(Found::Torn);
    }
    let mut decoder = GzDecoder::new(&member[..]).take(MOST as u64);
    let is_sound = decoder.read_to_end(rows).is_ok() && decoder.into_inner().into_inner().is_empty();
    Ok(if is_sound { Found::Rows } else { Found::Damaged("its check does not agree") })
}

/// The place of the next sound member at or after `from`.
pub(super) fn next_sound(bytes: &[u8], from: usize) -> Option<usize> {
    let is_sound = |place: &usize| {
        let found = read_member(&mut &bytes[*place..], &mut Vec::new(), &mut Vec::new());
        matches!(found, Ok(Found::Rows))
    };
    let marks = bytes.get(from..)?.windows(MARK.len()).enumerate().filter(|(_, bytes)| **bytes == MARK);
    marks.map(|(place, _)| from + place).find(is_sound)
}

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
    pub(super) piece: Vec<u8>,
    unpacked: Vec<u8>,
}

impl<'c, R: BufRead> Pieces<'c, R> {
    pub(super) fn new(reader: R, form: LogForm, columns: &'c str, place: u64) -> Self {
        let (piece, unpacked) = (Vec::new(), Vec::new());
        Self { reader, form, columns, place, length: 0, piece, unpacked }
    }

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
        // Behind the columns are those of sweeps, if these are exported trials.
        let rest = line.strip_suffix(b",check").and_then(|names| names.strip_prefix(self.columns.as_bytes()));
        let is_first = self.place == 0 && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b","));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> (Vec<Vec<u8>>, Found) {
        let (mut all, mut rows) = (Vec::new(), Vec::new());
        loop {
            match read_member(&mut bytes, &mut Vec::new(), &mut rows).unwrap() {
                Found::Rows => all.push(rows.clone()),
                other => return (all, other),
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed_and_every_cut_leaves_whole_members() {
        let contents: Vec<Vec<u8>> = [0, 1, 70, 300].map(|n| (0..n).map(|i| (i * i) as u8).collect()).into();
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for content in &contents {
            push_member(&mut bytes, content);
            ends.push(bytes.len());
        }
        assert_eq!(all(&bytes), (contents.clone(), Found::End));
        // Every other program reads the whole.
        let mut whole = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut whole).unwrap();
        assert_eq!(whole, contents.concat());
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let (found, end) = all(&flipped);
            // The bits that fill the last byte of a deflate stream mean nothing.
            if (&found, end) == (&contents, Found::End) {
                continue;
            }
            let sound = ends[1..].iter().filter(|&&end| end <= bit / 8).count();
            assert_eq!(found, contents[..sound], "bit {bit}");
            assert!(matches!(end, Found::Damaged(_)), "bit {bit}");
            let next = ends.iter().copied().find(|&end| end > bit / 8).filter(|&end| end < bytes.len());
            assert_eq!(next_sound(&flipped, bit / 8), next, "bit {bit}");
        }
        for cut in 0..bytes.len() {
            let sound = ends[1..].iter().filter(|&&end| end <= cut).count();
            let end = if ends.contains(&cut) { Found::End } else { Found::Torn };
            assert_eq!(all(&bytes[..cut]), (contents[..sound].to_vec(), end));
        }
    }
}
