//! What people write: text files in UTF-8, with or without a byte order mark, and passes.

/// The pass, as games write it.
pub const PASS: &str = "pass";

/// The notations of a pass: `PA` in GGF, `--` in many transcripts. A longer one stands before what it begins with.
const PASSES: [&str; 4] = [PASS, "ps", "pa", "--"];

/// Whether a word is a pass, in upper or lower case.
pub fn is_pass(word: &str) -> bool {
    PASSES.iter().any(|pass| word.eq_ignore_ascii_case(pass))
}

/// A text after the pass that it begins with, if it does.
pub fn after_pass(text: &str) -> Option<&str> {
    let split = PASSES.iter().filter_map(|pass| text.split_at_checked(pass.len()));
    split.into_iter().find(|(word, _)| is_pass(word)).map(|(_, rest)| after_separators(rest))
}

/// A transcript after white space and commas.
pub fn after_separators(text: &str) -> &str {
    text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',')
}

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// It is UTF-16, as some programs of Windows write it.
    #[error("this is UTF-16 text; save it as UTF-8")]
    Utf16,
    /// The first line that is not UTF-8, counted from 1.
    #[error("line {0} is not UTF-8 text")]
    Line(usize),
}

/// The text of a user's file or line, without a byte order mark.
///
/// # Errors
/// If they are not UTF-8, with the reason.
pub fn text_of(bytes: &[u8]) -> Result<&str, NotText> {
    // Text has no zero bytes, and in UTF-16 without a mark each Latin letter has one.
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, 0, 1..=255, ..] | [1..=255, 0, 1..=255, 0, ..] =
        bytes
    {
        return Err(NotText::Utf16);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|error| NotText::Line(bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_text_and_utf_16_is_named() {
        assert_eq!(text_of(b"\xef\xbb\xbff5d6\n"), Ok("f5d6\n"));
        assert_eq!(text_of(b"f5d6\n"), Ok("f5d6\n"));
        assert_eq!(text_of(b"\xef\xbb\xbf"), Ok(""));
        for utf16 in [&b"\xff\xfef\x005\x00"[..], b"\xfe\xff\0f\x005", b"f\x005\0", b"\0f\x005"] {
            assert_eq!(text_of(utf16), Err(NotText::Utf16), "{utf16:?}");
        }
        assert_eq!(text_of(b"f5\nd6\n\xe9\n"), Err(NotText::Line(3)));
    }

    #[test]
    fn passes_are_read_in_every_notation() {
        for pass in ["pass", "PASS", "Pass", "PA", "pa", "ps", "--"] {
            assert!(is_pass(pass), "{pass}");
            assert_eq!(after_pass(&format!("{pass}, c1")), Some("c1"), "{pass}");
        }
        assert!(!is_pass("p") && !is_pass("") && !is_pass("-"));
        assert_eq!((after_pass("c1"), after_pass("é")), (None, None));
    }
}
