//! Words of messages: numbers in sentences, with nouns and verbs that agree, words of a shell, and settings that cannot be used;
//! and the text that people write.

mod problem;
mod written;

pub use problem::Problem;
pub use written::PASS;
pub use written::{after_pass, after_separators, is_pass, text_of};

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
}
