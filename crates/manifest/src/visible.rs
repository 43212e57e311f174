//! Characters that a terminal obeys or hides, and names that other programs misread.
//!
//! Text of a file or of a user may hold escape sequences, characters that change the direction of writing, and characters
//! without a width. A terminal that is given them shows something else than what is there.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is obeyed or hidden: control characters but line breaks and tabs, bidirectional controls, and what
/// has no width.
fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    }
}

/// The first character of a text that is obeyed or hidden.
pub fn hidden_in(text: &str) -> Option<char> {
    text.chars().find(|&c| is_hidden(c))
}

/// The text with an escape such as `\u{1b}` for each character that a terminal would obey or hide.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |text, c| text.extend(c.escape_unicode()))
}

/// JSON with `\u001b` for each character that a terminal would obey or hide. It means the same: such characters are only in
/// its texts.
pub fn escaped_in_json(json: String) -> String {
    let escape = |text: &mut String, c: char| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(text, "\\u{unit:04x}").expect("a String takes it");
        }
    };
    match escaped(&json, escape) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => json,
    }
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if hidden_in(text).is_none() {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) {
            escape(&mut escaped, c);
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// Words that pandas or R read as nothing or as a truth value, in either case.
const WORDS: [&str; 11] = ["", "na", "n/a", "#n/a", "<na>", "#na", "nan", "null", "none", "true", "false"];

const MOST: usize = 5;

/// Whether a cell with this name becomes something else: a number, nothing, a truth value, or a name without its spaces.
fn is_misread(name: &str) -> bool {
    let word = name.trim().to_lowercase();
    word.len() < name.len()
        || word.parse::<f64>().is_ok()
        || word.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok())
        || WORDS.contains(&&*word)
}

/// A warning of the names that pandas, R or a spreadsheet would not read as written, with advice.
pub(super) fn misread<'n>(names: impl Iterator<Item = &'n String>) -> Option<String> {
    let mut found: Vec<String> =
        names.filter(|name| is_misread(name)).map(|name| format!("{name:?}")).collect();
    found.sort_unstable();
    found.dedup();
    let more = if found.len() > MOST { ", …" } else { "" };
    found.truncate(MOST);
    let example = found.first()?.trim_matches(['"', ' ']);
    Some(format!(
        "programs that guess the types of cells (pandas, R, spreadsheets) read {}{more} as numbers, as nothing, or without \
         spaces; write a name that begins with a letter and is no such word, such as \"player {example}\"",
        found.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_obeyed_or_hidden_is_escaped() {
        assert_eq!(visible("a\n\tb é e\u{301} ≈ 1\u{202f}000 ☺"), "a\n\tb é e\u{301} ≈ 1\u{202f}000 ☺");
        assert_eq!(visible("\u{1b}[2J\r\u{9b}\u{7f}\0"), "\\u{1b}[2J\\u{d}\\u{9b}\\u{7f}\\u{0}");
        assert_eq!(visible("a\u{202e}b\u{200b}c\u{2066}\u{feff}"), "a\\u{202e}b\\u{200b}c\\u{2066}\\u{feff}");
        assert_eq!(escaped_in_json("\u{202e}\u{e0041}".into()), "\\u202e\\udb40\\udc41");
        assert_eq!((hidden_in("ab"), hidden_in("a\u{200d}b")), (None, Some('\u{200d}')));
    }

    #[test]
    fn names_that_are_not_kept_are_known() {
        let lost = [
            "1", "01", "1.0", "437804e9", "NA", "None", "null", "nan", " a", "a ", "-inf", "TRUE", "0x1F",
            ".5",
        ];
        assert_eq!(lost.map(is_misread), [true; 14]);
        assert_eq!(["a", "a 1", "1a", "uct@100", "nano", "0x", "e9", "1-2"].map(is_misread), [false; 8]);
    }
}
