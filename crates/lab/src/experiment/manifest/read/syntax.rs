//! What is wrong with a text that is no TOML, in words.

use std::ops::Range;

use toml::de::{DeTable, Error};

use super::document::PlacedError;

/// The mistake in a text that is no TOML.
pub(super) fn not_toml(text: &str, error: &Error) -> PlacedError {
    let span = error.span().unwrap_or(0..0);
    let message = unquoted(text, &span).unwrap_or_else(|| error.message().replace('\n', "; "));
    PlacedError::new(span, message)
}

/// What to write in place of a word, if the text is right up to there with the word in quotes.
fn unquoted(text: &str, span: &Range<usize>) -> Option<String> {
    let word = text.get(span.clone())?.trim_matches(['“', '”', '„', '‘', '’']);
    if word.contains('\n')
        || !word.chars().all(|letter| letter.is_alphanumeric() || " -_.@+".contains(letter))
    {
        return None;
    }
    let (before, after) = (&text[..span.start], &text[span.end..]);
    if word.is_empty() {
        return before.trim_end().ends_with('=').then(|| "a value is missing here".into());
    }
    let quoted = format!("\"{word}\"");
    let next = DeTable::parse(&format!("{before}{quoted}{after}")).err();
    let next = next.map(|error| error.span().unwrap_or(0..0).start);
    next.is_none_or(|next| next >= span.start + quoted.len()).then(|| match word.to_lowercase().as_str() {
        flag @ ("true" | "false") => format!("write {flag}"),
        _ => format!("text must be in quotes; write {quoted}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(text: &str, message: &str) {
        assert_eq!(not_toml(text, &DeTable::parse(text).unwrap_err()).message, message, "{text}");
    }

    #[test]
    fn a_bare_word_must_be_in_quotes() {
        for word in ["othello", "tic-tac-toe", "falsework", "nim", "info", "10k", "2h", "uct@1000", "tic tac"]
        {
            let message = format!("text must be in quotes; write \"{word}\"");
            says(&format!("game = {word}"), &message);
            says(&format!("a = 1\r\nlist = [\r\n  {word},\r\n  other\r\n]\r\n"), &message);
            says(&format!("player = [{{ search = {word}, name = nothing }}]"), &message);
        }
        says("game = “othello”", "text must be in quotes; write \"othello\"");
        says("merge = True", "write true");
        says("game =\nseed = 1", "a value is missing here");
    }

    #[test]
    fn other_mistakes_stay_as_they_are() {
        for text in [
            "gäme = 1",
            "tic tac = 1",
            "[experiment",
            "[tic tac]",
            "game : othello",
            "game = 'oth' tic",
            "game = { tic-tac-toe }",
            "game = { size = 6, 2h }",
            "game = \"othello",
            "a = 1\na = 2",
        ] {
            let error = DeTable::parse(text).unwrap_err();
            says(text, &error.message().replace('\n', "; "));
        }
    }
}
