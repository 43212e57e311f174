//! The members of a packed log: gzip files one after the other, which every reader of gzip takes for one.
//!
//! The extra field of a member's header holds the length of the member, and the CRC-32 of all bytes before it. Otherwise a
//! damaged member would look like a torn end, and reading could not go on after it. The content has gzip's own check.

use std::io::{self, Read, Write as _};

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

/// The beginning of a member, by which it is found: gzip with an extra field, no time and no system; one subfield.
const MARK: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0, b'S', b'k', 8, 0];

/// The number of bytes up to the compressed rows: the mark, the length, the check.
const HEADER: usize = MARK.len() + 8;

/// No member has as many bytes, packed or not.
const MOST: usize = 1 << 28;

/// How hard rows are packed: a fifth of their bytes is left, and half as much work as of playing a short trial is added.
const LEVEL: u32 = 2;

/// Adds rows as a member.
///
/// # Panics
/// If they are longer than a quarter of a gigabyte.
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

/// What is at a place of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The first line.
    Columns,
    /// Sound rows.
    Rows,
    /// The end of the file.
    End,
    /// What was not written to its end.
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
