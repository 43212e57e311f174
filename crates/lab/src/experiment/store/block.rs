//! Blocks of a compact log, which check themselves.
//!
//! A file is a first line and blocks. A block is a header of 16 bytes and its content: a mark, the length of the content,
//! its CRC-32, and the CRC-32 of these twelve bytes; numbers are little endian. The header has a check of its own, or a
//! wrong length would make all that follows look like a torn end. The mark is where reading goes on after damage.

use std::io::{self, Read};

/// The first line of the file.
pub(super) const FIRST_LINE: &[u8; 16] = b"shikou trials 1\n";

/// The beginning of a block.
const MARK: [u8; 4] = *b"blck";

/// The number of bytes of a header.
const HEADER: usize = 16;

/// No content has as many bytes.
const MOST: usize = 1 << 28;

/// Adds a block.
///
/// # Panics
/// If the content is longer than a quarter of a gigabyte.
pub(super) fn push_block(out: &mut Vec<u8>, content: &[u8]) {
    assert!(content.len() < MOST, "a block holds a few hundred trials");
    let start = out.len();
    out.extend(MARK);
    out.extend((content.len() as u32).to_le_bytes());
    out.extend(crc32fast::hash(content).to_le_bytes());
    out.extend(crc32fast::hash(&out[start..]).to_le_bytes());
    out.extend(content);
}

/// Length and check of the content of the block with this header. `None` if it is none.
fn read_header(header: &[u8; HEADER]) -> Option<(usize, u32)> {
    let (fields, _) = header.as_chunks::<4>();
    let [mark, length, check, own] = fields else { return None };
    let length = u32::from_le_bytes(*length) as usize;
    let is_sound =
        *mark == MARK && u32::from_le_bytes(*own) == crc32fast::hash(&header[..12]) && length < MOST;
    is_sound.then(|| (length, u32::from_le_bytes(*check)))
}

/// What is at a place of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A sound block.
    Block,
    /// The end of the file.
    End,
    /// A block that was not written to its end.
    Torn,
    /// Something else, and what is wrong with it.
    Damaged(&'static str),
}

/// Reads the next block, and its content.
pub(super) fn read_block(reader: &mut impl Read, content: &mut Vec<u8>) -> io::Result<Found> {
    let mut header = [0; HEADER];
    content.clear();
    match read_full(reader, &mut header)? {
        0 => return Ok(Found::End),
        HEADER => {}
        _ => return Ok(Found::Torn),
    }
    let Some((length, check)) = read_header(&header) else {
        return Ok(Found::Damaged("the check of its header does not agree"));
    };
    // No memory is taken for bytes that are not there.
    reader.by_ref().take(length as u64).read_to_end(content)?;
    Ok(if content.len() < length {
        Found::Torn
    } else if crc32fast::hash(content) == check {
        Found::Block
    } else {
        Found::Damaged("its check does not agree")
    })
}

/// The number of bytes of a block with this content.
pub(super) const fn length_of_block(content: &[u8]) -> usize {
    HEADER + content.len()
}

/// The place of the next sound block at or after `from`.
pub(super) fn next_sound(bytes: &[u8], from: usize) -> Option<usize> {
    let is_sound =
        |place: &usize| matches!(read_block(&mut &bytes[*place..], &mut Vec::new()), Ok(Found::Block));
    let marks = bytes.get(from..)?.windows(MARK.len()).enumerate().filter(|(_, bytes)| **bytes == MARK);
    marks.map(|(place, _)| from + place).find(is_sound)
}

/// Reads until the buffer is full or the file ends. Returns the number of bytes.
pub(super) fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut at = 0;
    while at < buffer.len() {
        match reader.read(&mut buffer[at..]) {
            Ok(0) => break,
            Ok(count) => at += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> (Vec<Vec<u8>>, Found) {
        let (mut contents, mut content) = (Vec::new(), Vec::new());
        loop {
            match read_block(&mut bytes, &mut content).unwrap() {
                Found::Block => contents.push(content.clone()),
                other => return (contents, other),
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed_and_every_cut_leaves_whole_blocks() {
        let contents: Vec<Vec<u8>> =
            [0_usize, 1, 70, 300].map(|n| (0..n).map(|i| (i * 7) as u8).collect()).into();
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for content in &contents {
            push_block(&mut bytes, content);
            ends.push(bytes.len());
        }
        assert_eq!(all(&bytes), (contents.clone(), Found::End));
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let (found, end) = all(&flipped);
            let whole = ends[1..].iter().filter(|&&end| end <= bit / 8).count();
            assert_eq!(found, contents[..whole], "bit {bit}");
            assert!(matches!(end, Found::Damaged(_)), "bit {bit}");
            let next = ends.iter().copied().find(|&end| end > bit / 8).filter(|&end| end < bytes.len());
            assert_eq!(next_sound(&flipped, bit / 8), next, "bit {bit}");
        }
        for cut in 0..bytes.len() {
            let whole = ends[1..].iter().filter(|&&end| end <= cut).count();
            let end = if ends.contains(&cut) { Found::End } else { Found::Torn };
            assert_eq!(all(&bytes[..cut]), (contents[..whole].to_vec(), end));
        }
    }
}
