//! Reading a list of rules.

use std::sync::Arc;

use super::rule::{Comparison, Condition, Counted, Factor, Rule, Term};
use super::words::{Word, words};
use super::{NoPoints, Points};
use crate::game::options::nearest;
use crate::game::{Game, NamedPattern};

/// What is wrong with a list of rules, and where: with the text on one line, as [`plain_rules`](super::plain_rules)
/// writes it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}, `{found}`: {reason}")]
pub struct RuleError {
    /// The column of the word that is wrong, from 1.
    pub column: usize,
    /// The word.
    pub found: String,
    /// What is wrong with it, and what to do.
    pub reason: String,
}

impl RuleError {
    pub(super) fn new(at: usize, found: &str, reason: impl Into<String>) -> Self {
        Self { column: at + 1, found: found.into(), reason: reason.into() }
    }
}

/// The rules of a text on one line.
pub(super) fn rules<G: Game>(game: &G, text: &str) -> Result<Vec<Rule<G>>, RuleError> {
    let words = words(text)?;
    let letters: Vec<char> = text.chars().collect();
    let mut reader = Reader { game, patterns: game.patterns(), letters: &letters, words: &words, next: 0 };
    let mut rules = Vec::new();
    while reader.peek().is_some() {
        rules.push(reader.rule()?);
        if reader.peek().is_some() {
            reader.expect(";", "rules stand apart by `;` or on lines of their own")?;
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

struct Reader<'a, G: Game> {
    game: &'a G,
    patterns: Vec<NamedPattern<G>>,
    letters: &'a [char],
    words: &'a [Word],
    next: usize,
}

impl<'a, G: Game> Reader<'a, G> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|word| word.text.as_str())
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.next += usize::from(found);
        found
    }

    /// The next word is wrong.
    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, RuleError> {
        let end = Word { text: "the end".into(), at: self.letters.len() };
        let word = self.words.get(self.next).unwrap_or(&end);
        Err(RuleError::new(word.at, &word.text, reason))
    }

    fn expect(&mut self, text: &str, reason: &str) -> Result<(), RuleError> {
        if self.take(text) { Ok(()) } else { self.refuse(reason) }
    }

    /// What is written from a word to the one that comes next, in one piece.
    fn written(&self, from: usize) -> String {
        let last = &self.words[self.next - 1];
        let end = last.at + last.text.chars().count();
        self.letters[self.words[from].at..end].iter().collect()
    }

    /// `[first] conditions : sum`, or a sum alone.
    fn rule(&mut self) -> Result<Rule<G>, RuleError> {
        let begin = self.next;
        let rest = self.words[begin..].iter().map(|word| word.text.as_str());
        let has_conditions = rest.take_while(|&text| text != ";").any(|text| text == ":");
        let (mut first, mut conditions) = (false, Vec::new());
        if has_conditions {
            first = self.take("first");
            conditions = if self.take("any") { Vec::new() } else { self.conditions()? };
            self.expect(":", "behind the conditions stands `:`, and behind that the score")?;
        }
        let sum = self.sum()?;
        Ok(Rule { text: self.written(begin), first, conditions, sum })
    }

    /// `condition , condition …`
    fn conditions(&mut self) -> Result<Vec<Condition<G>>, RuleError> {
        let mut conditions = vec![self.condition()?];
        while self.take(",") {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    /// `pattern`, or `pattern ≥ number`.
    fn condition(&mut self) -> Result<Condition<G>, RuleError> {
        let counted = self.pattern()?;
        let sign = Comparison::ALL.into_iter().find(|&(sign, _)| Some(sign) == self.peek());
        let Some((_, comparison)) = sign else {
            return Ok(Condition { counted, comparison: Comparison::AtLeast, bound: 1 });
        };
        self.next += 1;
        let Some(bound) = self.peek().and_then(|text| text.parse().ok()) else {
            return self.refuse("a count is compared with a whole number");
        };
        self.next += 1;
        Ok(Condition { counted, comparison, bound })
    }

    /// `term + term − term …`
    fn sum(&mut self) -> Result<Vec<Term<G>>, RuleError> {
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
    fn term(&mut self, begin: usize, minus: bool) -> Result<Term<G>, RuleError> {
        let number: Option<Result<Points, NoPoints>> =
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
        let number = number.unwrap_or(Points::ONE);
        Ok(Term { text: self.written(begin), number: if minus { -number } else { number }, factor })
    }

    /// `pattern`, or conditions in brackets.
    fn factor(&mut self) -> Result<Factor<G>, RuleError> {
        if !self.take("(") {
            return Ok(Factor::Count(self.pattern()?));
        }
        let conditions = self.conditions()?;
        self.expect(")", "the bracket is not closed")?;
        Ok(Factor::Holds(conditions))
    }

    fn pattern(&mut self) -> Result<Counted<G>, RuleError> {
        let Some(text) = self.peek() else { return self.refuse("a pattern is missing") };
        let named =
            self.patterns.iter().find(|named| named.name == text).map(|named| Arc::clone(&named.pattern));
        let pattern = match named {
            Some(pattern) => pattern,
            None => match self.game.parse_pattern(text) {
                Some(Ok(pattern)) => pattern,
                Some(Err(reason)) => return self.refuse(reason),
                None => return self.refuse(self.unknown(text)),
            },
        };
        self.next += 1;
        Ok(Counted { name: text.into(), pattern })
    }

    fn unknown(&self, text: &str) -> String {
        let names = || self.patterns.iter().map(|named| named.name.as_str());
        if let Some(name) = text.strip_prefix('-').filter(|name| names().any(|known| known == *name)) {
            return format!("write a space behind the minus: `- {name}`");
        }
        match nearest(text, names()) {
            Some(name) => format!("no such pattern; did you mean `{name}`?"),
            None => format!("no such pattern; known: {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

/// Whether a word is meant as a number: digits, or a minus and digits, and nothing else but a point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}
