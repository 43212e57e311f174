//! The parser of a list of rules.

use super::rule::{Comparison, Condition, Counted, Factor, Rule, Term};
use super::{Points, PointsError};
use crate::game::options::nearest;

/// An error in a list of rules, with its column in the one-line text that [`plain_rules`](crate::game::options::plain_rules) writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}, `{found}`: {reason}")]
pub struct RuleError {
    /// The column of the wrong word, counted from 1.
    pub column: usize,
    /// The word.
    pub found: String,
    /// The expectation, with advice.
    pub reason: String,
}

impl RuleError {
    pub(super) fn new(at: usize, found: &str, reason: impl Into<String>) -> Self {
        Self { column: at + 1, found: found.into(), reason: reason.into() }
    }
}

/// Finds a pattern by its name in the game, or by a description. Returns its number, or the reason why the description
/// is wrong; `None` if there is no such pattern.
pub(super) type Find<'f> = dyn FnMut(&str) -> Option<Result<usize, String>> + 'f;

/// A number with its name in a list.
pub(super) type Named = (String, Points);

/// Reads the rules of a one-line text. `names` are the names of the game's patterns; `given` has other values for named numbers.
pub(super) fn rules(
    text: &str,
    given: &[Named],
    names: &[String],
    find: &mut Find<'_>,
) -> Result<Vec<Rule>, RuleError> {
    let (words, mut numbers) = named(&words(text)?)?;
    for (name, value) in &mut numbers {
        *value = given.iter().find(|(other, _)| other == name).map_or(*value, |&(_, value)| value);
    }
    let words = words.into_iter().map(|word| word.valued(&numbers)).collect::<Result<Vec<_>, _>>()?;
    let letters: Vec<char> = text.chars().collect();
    let mut reader = Reader { names, find, letters: &letters, words: &words, next: 0 };
    let mut rules = Vec::new();
    while reader.peek().is_some() {
        rules.push(reader.rule()?);
        if reader.peek().is_some() {
            reader.expect(";", "separate rules by `;` or write each on its own line")?;
        }
    }
    if rules.is_empty() {
        return Err(RuleError::new(
            0,
            "",
            "there is no rule; the shortest list is `0`, which plays at random",
        ));
    }
    Ok(rules)
}

struct Reader<'a> {
    names: &'a [String],
    find: &'a mut Find<'a>,
    letters: &'a [char],
    words: &'a [Word],
    next: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|word| word.text.as_str())
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.next += usize::from(found);
        found
    }

    /// The error at the next word.
    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, RuleError> {
        let end = Word { text: "the end".into(), at: self.letters.len(), end: self.letters.len() };
        let word = self.words.get(self.next).unwrap_or(&end);
        Err(RuleError::new(word.at, &word.text, reason))
    }

    fn expect(&mut self, text: &str, reason: &str) -> Result<(), RuleError> {
        if self.take(text) { Ok(()) } else { self.refuse(reason) }
    }

    /// The text from a word up to the next one, with the values of named numbers as they would be written there.
    fn written(&self, from: usize) -> String {
        let (words, mut text) = (&self.words[from..self.next], String::new());
        let mut end = words[0].at;
        for (word, next) in words.iter().zip(words[1..].iter().map(Some).chain([None])) {
            text.extend(&self.letters[end..word.at]);
            let is_named = self.letters[word.at] == NAMED;
            let mut shown = word.text.as_str();
            if let (true, Some(size), Some(before)) =
                (is_named, shown.strip_prefix('-'), text.strip_suffix("+ "))
            {
                (shown, text) = (size, format!("{before}- "));
            }
            let factor = next.filter(|next| !["+", "-", "*"].contains(&next.text.as_str()));
            if let (true, "1", Some(factor)) = (is_named, shown, factor) {
                end = factor.at;
            } else {
                text.push_str(shown);
                end = word.end;
            }
        }
        text
    }

    /// `[first] conditions : sum`, or a sum alone.
    fn rule(&mut self) -> Result<Rule, RuleError> {
        let begin = self.next;
        let rest = self.words[begin..].iter().map(|word| word.text.as_str());
        let has_conditions = rest.take_while(|&text| text != ";").any(|text| text == ":");
        let (mut first, mut conditions) = (false, Vec::new());
        if has_conditions {
            first = self.take("first");
            conditions = if self.take("any") { Vec::new() } else { self.conditions()? };
            self.expect(":", "expected `:` and a score after the conditions")?;
        }
        let sum = self.sum()?;
        Ok(Rule { text: self.written(begin), first, conditions, sum })
    }

    /// `condition , condition …`
    fn conditions(&mut self) -> Result<Vec<Condition>, RuleError> {
        let mut conditions = vec![self.condition()?];
        while self.take(",") {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    /// `pattern`, or `pattern ≥ number`.
    fn condition(&mut self) -> Result<Condition, RuleError> {
        let counted = self.pattern()?;
        let sign = Comparison::ALL.into_iter().find(|&(sign, _)| Some(sign) == self.peek());
        let Some((_, comparison)) = sign else {
            return Ok(Condition { counted, comparison: Comparison::AT_LEAST, bound: 1 });
        };
        self.next += 1;
        let Some(bound) = self.peek().and_then(|text| text.parse().ok()) else {
            return self.refuse("expected an integer to compare the count with");
        };
        self.next += 1;
        Ok(Condition { counted, comparison, bound })
    }

    /// `term + term − term …`
    fn sum(&mut self) -> Result<Vec<Term>, RuleError> {
        let mut sum = Vec::new();
        loop {
            let begin = self.next;
            let minus = self.take("-");
            if !minus {
                self.take("+");
            }
            if !sum.is_empty() && self.next == begin {
                return Ok(sum);
            }
            sum.push(self.term(begin, minus)?);
            if !matches!(self.peek(), Some("+" | "-")) {
                return Ok(sum);
            }
        }
    }

    /// `number`, `factor`, `number factor` or `number * factor`.
    fn term(&mut self, begin: usize, minus: bool) -> Result<Term, RuleError> {
        let number: Option<Result<Points, PointsError>> =
            self.peek().filter(|text| is_number(text)).map(str::parse);
        let number = match number {
            None => None,
            Some(Err(error)) => return self.refuse(error.to_string()),
            Some(Ok(number)) => {
                self.next += 1;
                Some(number)
            }
        };
        let times = number.is_some() && self.take("*");
        let ends = matches!(self.peek(), None | Some(";" | "+" | "-"));
        let factor = if number.is_some() && !times && ends { Factor::One } else { self.factor()? };
        let number = number.unwrap_or(Points::ONE) * if minus { -1 } else { 1 };
        Ok(Term { text: self.written(begin), number, factor })
    }

    /// `pattern`, or conditions in brackets.
    fn factor(&mut self) -> Result<Factor, RuleError> {
        if !self.take("(") {
            return Ok(Factor::Count(self.pattern()?));
        }
        let conditions = self.conditions()?;
        self.expect(")", "the bracket is not closed")?;
        Ok(Factor::Holds(conditions))
    }

    fn pattern(&mut self) -> Result<Counted, RuleError> {
        let Some(text) = self.peek() else { return self.refuse("a pattern is missing") };
        let pattern = match (self.find)(text) {
            Some(Ok(pattern)) => pattern,
            Some(Err(reason)) => return self.refuse(reason),
            None => return self.refuse(self.unknown(text)),
        };
        self.next += 1;
        Ok(Counted { name: text.into(), pattern })
    }

    fn unknown(&self, text: &str) -> String {
        let names = || self.names.iter().map(String::as_str);
        if let Some(name) = text.strip_prefix('-').filter(|name| names().any(|known| known == *name)) {
            return format!("write a space after the minus: `- {name}`");
        }
        match nearest(text, names()) {
            Some(name) => format!("no such pattern; did you mean `{name}`?"),
            None => format!("no such pattern; known: {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

/// Whether a word is a number: an optional minus, digits, and an optional point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

/// A word with its place: the number of characters before it, and before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    at: usize,
    end: usize,
}

/// The sign before the name of a number.
const NAMED: char = '$';

impl Word {
    /// The word itself, or in place of the name of a number its value.
    fn valued(self, numbers: &[Named]) -> Result<Self, RuleError> {
        let Some(name) = self.text.strip_prefix(NAMED) else { return Ok(self) };
        if let Some((_, value)) = numbers.iter().find(|(known, _)| known == name) {
            return Ok(Self { text: value.to_string(), ..self });
        }
        let known = nearest(name, numbers.iter().map(|(known, _)| known.as_str()));
        let advice = known.map_or_else(
            || format!("write `{NAMED}{name} = 1;` before the rules"),
            |known| format!("did you mean `{NAMED}{known}`?"),
        );
        Err(RuleError::new(self.at, &self.text, format!("no number has this name; {advice}")))
    }
}

/// The names of the numbers of a one-line text with their values.
pub(super) fn numbers(text: &str) -> Result<Vec<Named>, RuleError> {
    Ok(named(&words(text)?)?.1)
}

/// The words of the rules, without the statements `$name = number`, and the numbers that these name.
fn named(words: &[Word]) -> Result<(Vec<Word>, Vec<Named>), RuleError> {
    let (mut rules, mut numbers) = (Vec::new(), Vec::<Named>::new());
    for statement in words.split_inclusive(|word| word.text == ";") {
        let (name, value) = match statement {
            [name, equals, rest @ ..] if name.text.starts_with(NAMED) && equals.text == "=" => (name, rest),
            _ => {
                rules.extend_from_slice(statement);
                continue;
            }
        };
        let refuse = |reason: String| Err(RuleError::new(name.at, &name.text, reason));
        let plain = &name.text[NAMED.len_utf8()..];
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if plain.is_empty() || !plain.chars().all(is_plain) {
            return refuse("a number's name consists of small letters, digits and `-`".into());
        }
        if numbers.iter().any(|(known, _)| known == plain) {
            return refuse("a number of this name has a value already".into());
        }
        let value = match value {
            [value] if value.text != ";" => value,
            [value, end] if end.text == ";" => value,
            _ => return refuse(format!("write its value as one number: `{} = 1`", name.text)),
        };
        match value.text.parse() {
            Ok(value) => numbers.push((plain.into(), value)),
            Err(error) => return Err(RuleError::new(value.at, &value.text, PointsError::to_string(&error))),
        }
    }
    Ok((rules, numbers))
}

/// The signs that are always separate words.
const SIGNS: &str = ":;,()*";

/// The words of a text: signs, comparisons, pictures in square brackets, and everything between white space.
fn words(text: &str) -> Result<Vec<Word>, RuleError> {
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
        words.push(Word { text: letters[at..end].iter().collect(), at, end });
        at = end;
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_alone_and_the_rest_together() {
        let read = words("2-0-1>=2, [t o . / ...]: -100*0-2-1 + 0.5 (a=1)").unwrap();
        let texts: Vec<String> = read.into_iter().map(|word| word.text).collect();
        let expected = "2-0-1|>=|2|,|[t o . / ...]|:|-100|*|0-2-1|+|0.5|(|a|=|1|)";
        assert_eq!(texts.join("|"), expected);
        assert!(words("[t o").is_err());
    }
}
