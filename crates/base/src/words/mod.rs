//! Words of messages: numbers in sentences, with nouns and verbs that agree, words of a shell, and settings that cannot be used;
//! and the text that people write.

use std::fmt;

/// A number with its thousands apart.
///
/// # Example
/// ```
/// assert_eq!(shikou::report::with_thousands(1234567), "1 234 567");
/// ```
pub fn with_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Text as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+=,@:".contains(c));
    if is_plain && !text.is_empty() { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// A path as one word of a shell.
pub fn shell_path(path: &std::path::Path) -> String {
    shell_word(&path.to_string_lossy())
}

/// A number of things: `1 game`, `1 200 games`. The noun is singular.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {}", with_thousands(number), plural(number, what))
}

/// A noun that agrees with a number of things. The noun is singular.
pub fn plural(number: u64, what: &str) -> String {
    if number == 1 {
        return what.into();
    }
    match what.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if what.ends_with(['s', 'x']) || what.ends_with("ch") && what != "epoch" => format!("{what}es"),
        _ => format!("{what}s"),
    }
}

/// The verb that agrees with a number of things.
pub const fn is_or_are(number: u64) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// Why settings, samples or a space cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The name of the setting, as in a manifest.
    pub setting: &'static str,
    /// The reason and the next step.
    pub reason: String,
}

impl Problem {
    /// A setting that cannot be used, for this reason.
    pub fn new(setting: &'static str, reason: impl Into<String>) -> Self {
        Self { setting, reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.setting, self.reason)
    }
}

impl std::error::Error for Problem {}

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
    /// UTF-16, as some programs of Windows write it.
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
    fn nouns_agree_with_numbers() {
        let one = ["game", "ply", "pass", "match", "success", "play"].map(|what| counted(1, what));
        assert_eq!(one, ["1 game", "1 ply", "1 pass", "1 match", "1 success", "1 play"]);
        let two = ["game", "ply", "pass", "match", "success", "play", "epoch"].map(|what| counted(2, what));
        assert_eq!(
            two,
            ["2 games", "2 plies", "2 passes", "2 matches", "2 successes", "2 plays", "2 epochs"]
        );
        assert_eq!((counted(0, "case"), counted(1200, "case")), ("0 cases".into(), "1 200 cases".into()));
    }

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
