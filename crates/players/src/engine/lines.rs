//! Lines of another program: of any length, with any bytes.

use std::io::{self, BufRead};

use crate::words::text_of;

/// The longest line that is kept, in bytes.
pub const LONGEST_LINE: usize = 64 * 1024;

/// A line of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The text, without its end and a byte order mark. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A line of this many bytes, more than [`LONGEST_LINE`]. It was skipped.
    TooLong(u64),
}

/// Reads lines that end with LF or CRLF. The last one need not end.
///
/// # Example
/// ```
/// use shikou::engine::{Line, read_lines};
/// let long = [&b"=\r\n"[..], &[b'x'; 100_000][..], b"\n\xff"].concat();
/// let lines: Vec<Line> = read_lines(&long[..]).map(Result::unwrap).collect();
/// assert_eq!(lines, [Line::Text("=".into()), Line::TooLong(100_000), Line::Text("\u{fffd}".into())]);
/// ```
pub fn read_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<Line>> {
    std::iter::from_fn(move || next(&mut reader).transpose())
}

fn next(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let mut length: u64 = 0;
    loop {
        let bytes = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if bytes.is_empty() && length == 0 {
            return Ok(None);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        length += part.len() as u64;
        if length <= LONGEST_LINE as u64 {
            kept.extend(part);
        }
        let (is_last, used) = (end.is_some() || bytes.is_empty(), part.len() + usize::from(end.is_some()));
        reader.consume(used);
        if is_last {
            break;
        }
    }
    if length > LONGEST_LINE as u64 {
        return Ok(Some(Line::TooLong(length)));
    }
    let text = kept.strip_suffix(b"\r").unwrap_or(&kept);
    let text = text_of(text).map_or_else(|_| String::from_utf8_lossy(text), Into::into);
    Ok(Some(Line::Text(text.into_owned())))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(bytes: &[u8]) -> Vec<Line> {
        // A small buffer, so that lines come in parts.
        read_lines(BufReader::with_capacity(3, bytes)).map(Result::unwrap).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_end() {
        assert_eq!(all(b"one\r\n\ntwo\n"), [text("one"), text(""), text("two")]);
        assert_eq!(all(b"half a line"), [text("half a line")]);
        assert_eq!(all(b"\xef\xbb\xbfmarked\nline"), [text("marked"), text("line")]);
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [text("")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let longest = vec![b'x'; LONGEST_LINE];
        let bytes = [&longest[..], b"\n", &longest[..], b"x\nquit\n"].concat();
        let read = all(&bytes);
        assert_eq!(read[0], text(&"x".repeat(LONGEST_LINE)));
        assert_eq!(read[1..], [Line::TooLong(LONGEST_LINE as u64 + 1), text("quit")]);
    }
}
