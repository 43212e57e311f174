//! The words of a list of rules.

use super::RuleError;

/// A word with its place: the number of characters before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) at: usize,
}

/// The signs that are always separate words.
const SIGNS: &str = ":;,()*";

/// The words of a text: signs, comparisons, pictures in square brackets, and everything between white space.
///
/// # Errors
/// If a bracket does not close.
pub(super) fn words(text: &str) -> Result<Vec<Word>, RuleError> {
    let letters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        let end = if letter.is_whitespace() {
            at += 1;
            continue;
        } else if SIGNS.contains(letter) {
            at + 1
        } else if letter == '[' {
            let close = letters[at..].iter().position(|&letter| letter == ']');
            let close = close.ok_or_else(|| RuleError::new(at, "[", "a picture ends with `]`"))?;
            at + close + 1
        } else {
            let compares = "<>=!".contains(letter);
            let belongs = |letter: &char| {
                !letter.is_whitespace()
                    && !SIGNS.contains(*letter)
                    && *letter != '['
                    && "<>=!".contains(*letter) == compares
            };
            at + letters[at..].iter().take_while(|letter| belongs(letter)).count()
        };
        words.push(Word { text: letters[at..end].iter().collect(), at });
        at = end;
    }
    Ok(words)
}

/// A list of rules on one line: without comments (from `#` to the end of a line), with one space between words and `; `
/// between rules. Texts that differ only in comments and white space are the same list.
///
/// # Example
/// ```
/// use shikou::game::plain_rules;
/// let text = "
///   centre:  2   # first of all
///   3-0-0:   1
/// ";
/// assert_eq!(plain_rules(text), "centre: 2; 3-0-0: 1");
/// ```
pub fn plain_rules(text: &str) -> String {
    let lines =
        text.lines().map(|line| line.split('#').next().unwrap_or("")).flat_map(|line| line.split(';'));
    let rules = lines.map(|rule| rule.split_whitespace().collect::<Vec<_>>().join(" "));
    rules.filter(|rule| !rule.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        words(text).unwrap().into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn signs_stand_alone_and_the_rest_together() {
        assert_eq!(
            split("2-0-1>=2, [t o . / ...]: -100*0-2-1 + 0.5 (a=1)"),
            [
                "2-0-1",
                ">=",
                "2",
                ",",
                "[t o . / ...]",
                ":",
                "-100",
                "*",
                "0-2-1",
                "+",
                "0.5",
                "(",
                "a",
                "=",
                "1",
                ")"
            ]
        );
        assert!(words("[t o").is_err());
    }

    #[test]
    fn a_list_is_the_same_on_many_lines_and_on_one() {
        assert_eq!(plain_rules("# all\n\na : 1;\n  b:\t2 # two\n0"), "a : 1; b: 2; 0");
        assert_eq!(plain_rules(&plain_rules("a: 1;; b: 2")), "a: 1; b: 2");
    }
}
