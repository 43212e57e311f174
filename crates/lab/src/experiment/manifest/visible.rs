//! Characters that a terminal obeys or hides.
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
}
