//! A line of CSV: fields in quotes if they must be, and a check at the end.
//!
//! Written by hand into one buffer, because a writer of the csv library for each line costs ten times the line.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Names the file that an error of the system is about.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> io::Error {
    |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The number of bytes of the check of a row, with the comma before it.
pub(crate) const CHECK: usize = 9;

/// A text without control characters: the reason of a failure is one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Adds a field, in quotes if it must be. Control characters become spaces: a line is a line.
pub(crate) fn push_field(out: &mut Vec<u8>, field: &str) {
    if field.contains(|c: char| c == ',' || c == '"' || c.is_control()) {
        out.push(b'"');
        out.extend(one_line(field).replace('"', "\"\"").bytes());
        out.push(b'"');
    } else {
        out.extend(field.bytes());
    }
}

/// Fields as a line of CSV without its end.
pub(crate) fn csv_line<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut line = Vec::new();
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        push_field(&mut line, field.as_ref());
    }
    line
}

pub(crate) fn checked_row<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut row = csv_line(fields);
    push_check(&mut row, 0);
    row
}

/// Ends the row that begins at `start` with its check.
pub(crate) fn push_check(out: &mut Vec<u8>, start: usize) {
    let check: [u8; 8] = written(crc32fast::hash(&out[start..]).into(), LETTERS);
    out.push(b',');
    out.extend(check);
    out.push(b'\n');
}

pub(crate) const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The digits of checks of rows. No program takes such a check for a number; of hexadecimal ones one in 25 looks like one.
const LETTERS: &[u8; 16] = b"abcdefghijklmnop";

/// A number, written with a fixed count of these digits.
pub(crate) fn written<const N: usize>(number: u64, digits: &[u8; 16]) -> [u8; N] {
    std::array::from_fn(|place| digits[(number >> (4 * (N - 1 - place))) as usize & 15])
}

pub(crate) fn crc_hex(bytes: &[u8]) -> String {
    written::<8>(crc32fast::hash(bytes).into(), DIGITS).map(char::from).iter().collect()
}

/// The fields of a row.
pub(crate) fn fields_of(row: &[u8]) -> Option<csv::ByteRecord> {
    csv::ReaderBuilder::new().has_headers(false).from_reader(row).into_byte_records().next()?.ok()
}

/// The text of a row of one field.
pub(crate) fn text_of(row: &[u8]) -> Option<String> {
    let record = fields_of(row).filter(|record| record.len() == 1)?;
    String::from_utf8(record[0].into()).ok()
}

/// The number of bytes before a torn last line.
pub(crate) fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// The row without its check; `None` if the check does not agree. Earlier versions wrote it in hexadecimal digits.
pub(crate) fn checked(line: &[u8]) -> Option<&[u8]> {
    let (row, check) = line.split_at_checked(line.len().checked_sub(CHECK)?)?;
    let crc = crc32fast::hash(row);
    let agrees = [LETTERS, DIGITS].iter().any(|digits| check[1..] == written::<8>(crc.into(), digits));
    (check[0] == b',' && agrees).then_some(row)
}

pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes).as_slice())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every single changed byte is noticed, and a short line is no row.
    #[test]
    fn damage_is_noticed() {
        let row = checked_row(["tic-tac-toe", "17", "0123456789abcdef"]);
        let line = &row[..row.len() - 1];
        assert!(checked(line).is_some());
        for place in 0..line.len() {
            let mut damaged = line.to_vec();
            damaged[place] ^= 1;
            assert_eq!(checked(&damaged), None);
        }
        assert_eq!((checked(b""), checked(b",")), (None, None));
    }

    #[test]
    fn the_digest_is_that_of_other_programs() {
        // printf abc | sha256sum
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        // printf 123456789 | crc32
        assert_eq!(crc_hex(b"123456789"), "cbf43926");
        for check in ["mlpedjcg", "cbf43926"] {
            assert_eq!(checked(format!("123456789,{check}").as_bytes()), Some(&b"123456789"[..]));
        }
    }
}
