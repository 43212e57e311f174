use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{
    FileValue, OptionError, OptionValue, Options, Part, PartDecl, Typed, meant, nearest, plain_rules,
    read_time, write_time,
};
use crate::words::counted;

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number in a range.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// A word in place of a number, if there is one.
        word: Option<&'static str>,
    },
    /// A real number in a range.
    Real {
        /// The range.
        range: Interval,
        /// A word in place of a number, if there is one.
        word: Option<&'static str>,
    },
    /// A time, such as `50ms`.
    Time {
        /// A word in place of a time, if there is one.
        word: Option<&'static str>,
    },
    /// Yes or no.
    Flag,
    /// A word of these, each with its meaning.
    Choice(Vec<(&'static str, &'static str)>),
    /// A name from one of the game's lists, such as `"evaluations"`.
    NameOf(&'static str),
    /// A list of rules in the language of [`RuleList`](crate::game::RuleList), or the name of one of the game's lists.
    /// Kept on one line.
    Rules,
    /// A list of numbers in a range.
    Numbers {
        /// The range.
        range: Interval,
        /// Whether all are whole.
        whole: bool,
        /// How many there may be.
        count: Count,
    },
    /// A list of texts.
    Texts {
        /// How many there may be.
        count: Count,
        /// Whether a text alone is a list of one.
        alone: bool,
    },
    /// A text, described by these words.
    Text(&'static str),
    /// A program with its arguments, as a text or a list of words; see [`OptionValue::Words`].
    Command,
    /// The name of a file; see [`FileValue`](super::FileValue).
    File,
    /// The name of an optimisation, whose result has the form of a file.
    Evolved,
    /// A list of tables, each with these options.
    Tables(Vec<OptionDecl>),
    /// A part of these, each with its own options.
    Part {
        /// The parts.
        parts: Vec<PartDecl>,
        /// The list of the game, such as `"policies"`, whose names are also allowed, if any. Names take no options.
        names: Option<&'static str>,
    },
    /// A value that has a reader of its own; the name of its shape.
    Other(&'static str),
}

/// How many items a list may have.
pub type Count = RangeInclusive<usize>;

/// A range of real numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub min: f64,
    /// The upper end.
    pub max: f64,
    /// Whether the ends are left out.
    pub open: bool,
}

/// All numbers that are finite.
pub const FINITE: Interval = open(f64::NEG_INFINITY, f64::INFINITY);

/// The numbers above 0.
pub const POSITIVE: Interval = open(0.0, f64::INFINITY);

/// The numbers between two others, which are left out.
pub const fn open(min: f64, max: f64) -> Interval {
    Interval { min, max, open: true }
}

impl Interval {
    fn contains(&self, number: f64) -> bool {
        let Self { min, max, open } = *self;
        if open { min < number && number < max } else { (min..=max).contains(&number) }
    }
}

impl From<RangeInclusive<f64>> for Interval {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self { min: *range.start(), max: *range.end(), open: false }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { min, max, open: false } => write!(f, " from {min} to {max}"),
            Self { min: f64::NEG_INFINITY, .. } => Ok(()),
            Self { min, max: f64::INFINITY, .. } => write!(f, " above {min}"),
            Self { min, max, .. } => write!(f, " between {min} and {max}"),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Real { range, .. } => write!(f, "a number{range}"),
            Self::Time { .. } => write!(f, "a time such as \"50ms\" (us, ms, s, min or h)"),
            Self::Numbers { range, whole, count } => {
                write!(f, "a list of {}{range}", many(count, if *whole { "whole number" } else { "number" }))
            }
            Self::Texts { count, alone } => {
                write!(f, "{}a list of {}", if *alone { "a text, or " } else { "" }, many(count, "text"))
            }
            Self::Other(shape) => write!(f, "{shape}"),
            Self::Text(what) => write!(f, "{what}"),
            Self::Command => {
                write!(
                    f,
                    "words, as a list, or as a text in which one with spaces or a quote is in single quotes, and such a quote \
                     in it is doubled"
                )
            }
            Self::File => write!(f, "the name of a file"),
            Self::Evolved => write!(f, "the name of an optimisation"),
            Self::Tables(_) if let Some(value) = self.named_value() => {
                write!(f, "a table of names, each with {}, such as {{ name = 1 }}", value.kind)
            }
            Self::Tables(options) => {
                let names: Vec<String> = options.iter().map(|option| format!("`{}`", option.name)).collect();
                write!(f, "a list of tables with {}", names.join(" and "))
            }
            Self::Flag => write!(f, "true or false"),
            Self::Choice(words) => {
                let words: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
                f.write_str(&either(words))
            }
            Self::Rules => write!(f, "a list of rules, or the name of one of the game's"),
            Self::NameOf(what) => write!(f, "the name of one of the game's {what}"),
            Self::Part { parts, names } => {
                let named = names.map(|what| format!("the name of one of the game's {what}"));
                let (plain, rich): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.options.is_empty());
                let quoted = |part: &&PartDecl| format!("{:?}", part.name);
                let alone: Vec<String> = named.into_iter().chain(plain.iter().map(quoted)).collect();
                let rich: Vec<String> = rich.iter().map(quoted).collect();
                let one_of_each = (alone.len(), rich.len()) == (1, 1);
                match (either(alone), rich.len()) {
                    (alone, 0) => f.write_str(&alone),
                    (alone, _) if alone.is_empty() => write!(f, "{} with options", either(rich)),
                    (alone, _) if one_of_each => write!(f, "{alone} or {} with options", rich[0]),
                    (alone, _) => write!(f, "{alone}, or {} with options", either(rich)),
                }
            }
        }?;
        self.word().map_or(Ok(()), |word| write!(f, ", or {word:?}"))
    }
}

impl OptionKind {
    /// The word that is taken in place of a number or a time.
    pub const fn word(&self) -> Option<&'static str> {
        match self {
            Self::Integer { word, .. } | Self::Real { word, .. } | Self::Time { word } => *word,
            _ => None,
        }
    }

    /// The value that each name has, if tables of a name and a value are written as one table from names to values.
    pub fn named_value(&self) -> Option<&OptionDecl> {
        match self {
            Self::Tables(options) => {
                options.get(1).filter(|_| options.len() == 2 && options[0].name == "name")
            }
            _ => None,
        }
    }
}

/// A number of things, in words.
fn many(count: &Count, what: &str) -> String {
    match (*count.start(), *count.end()) {
        (0, _) => format!("{what}s"),
        (least, most) if least == most => counted(least as u64, what),
        (least, _) => format!("{} or more", counted(least as u64, what)),
    }
}

/// Alternatives in a sentence: `a, b or c`.
fn either(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// How the work of a search grows with an option, and the value of the option in a smoke test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// The option hardly changes the work. A smoke test keeps its value.
    #[default]
    Fixed,
    /// The work is proportional to the value, such as a number of playouts. A smoke test uses at most `smoke`.
    Amount {
        /// The largest value in a smoke test.
        smoke: i64,
    },
    /// The work is exponential in the value, a number of plies; the special word is the end of the game. A smoke test
    /// uses at most `smoke`, and replaces the word by it if the game has an evaluation.
    Depth {
        /// The largest value in a smoke test.
        smoke: i64,
    },
    /// The work or memory grows in another way. A smoke test uses at most `smoke`, and keeps a special word.
    Capped {
        /// The largest value in a smoke test.
        smoke: i64,
    },
    /// The value is a number of threads that divide the work. No result depends on it, so it is no part of a trial's
    /// identity. A smoke test uses one thread.
    Threads,
    /// The value is a number of threads that divide the work, and results depend on it. A smoke test uses one thread.
    RacingThreads,
}

impl Cost {
    /// The value of an option in a smoke test.
    pub fn in_smoke(self, value: &OptionValue, has_evaluation: bool) -> OptionValue {
        match (self, value) {
            (
                Self::Amount { smoke } | Self::Depth { smoke } | Self::Capped { smoke },
                &OptionValue::Integer(value),
            ) => value.min(smoke).into(),
            (Self::Threads | Self::RacingThreads, _) => 1.into(),
            (Self::Depth { smoke }, OptionValue::Word(_)) if has_evaluation => smoke.into(),
            _ => value.clone(),
        }
    }
}

/// An option as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDecl {
    /// The name, in kebab case.
    pub name: &'static str,
    /// An older name, which is still read. The identity of a trial has it, so that a new name changes no identity.
    pub formerly: Option<&'static str>,
    /// The values that it takes.
    pub kind: OptionKind,
    /// The value if none is given.
    pub default: OptionValue,
    /// The default before, where it means the same: the identity of a trial leaves it out as it did.
    pub default_formerly: Option<OptionValue>,
    /// The value if none is given and the searcher has a budget; `None` if a budget makes no difference.
    pub default_within_budget: Option<OptionValue>,
    /// The meaning, in one line.
    pub about: &'static str,
    /// How the work grows with the value.
    pub cost: Cost,
    /// Whether it has one value only: no sweep is over it or anything in it.
    pub fixed: bool,
}

impl OptionDecl {
    /// An option whose value hardly changes the work of a search.
    pub fn new(
        name: &'static str,
        kind: OptionKind,
        default: impl Into<OptionValue>,
        about: &'static str,
    ) -> Self {
        Self {
            name,
            formerly: None,
            kind,
            default: default.into(),
            default_formerly: None,
            default_within_budget: None,
            about,
            cost: Cost::Fixed,
            fixed: false,
        }
    }

    /// Whether a text is its name, its older name or a [synonym](super::meant) of one.
    pub fn is_called(&self, text: &str) -> bool {
        meant(text, self.names()).is_some()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        std::iter::once(self.name).chain(self.formerly)
    }

    /// The option of a searcher with a budget.
    #[must_use]
    pub fn within_budget(self) -> Self {
        let default = self.default_within_budget.clone().unwrap_or(self.default);
        Self { default, ..self }
    }

    /// The value that a person typed on a command line: a number, a word, a part as `name(option=value,…)`.
    ///
    /// # Errors
    /// If this option does not take it.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        let typed = Typed::of_text(self.name, text);
        let read = Options::read(std::slice::from_ref(self), vec![typed], &(0..text.len()));
        let read = read.map_err(|mut mistakes| mistakes.swap_remove(0).error)?;
        Ok(read.options.value(self.name).clone())
    }

    /// The value of a text that names no part, before it is checked against the range.
    pub(super) fn plain(&self, text: &str) -> OptionValue {
        if self.kind == OptionKind::Command {
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            return OptionValue::Word(inner.map_or_else(|| text.into(), |inner| inner.replace("\"\"", "\"")));
        }
        let text = text.trim_matches('"');
        let word = || OptionValue::Word(text.into());
        match self.kind {
            OptionKind::Integer { .. } => read_count(text).map_or_else(word, OptionValue::Integer),
            OptionKind::Real { .. } => text.parse().map_or_else(|_| word(), OptionValue::Real),
            OptionKind::Flag => text.parse().map_or_else(|_| word(), OptionValue::Flag),
            OptionKind::Numbers { whole, .. } => {
                let reals = || listed(text).filter(|_| !whole).map(OptionValue::Reals);
                listed(text).map(OptionValue::Integers).or_else(reals).unwrap_or_else(word)
            }
            _ => word(),
        }
    }

    /// The part with this name, among those that take options.
    ///
    /// # Errors
    /// If this option has no such part. The error names the nearest.
    pub fn part_decl(&self, name: &str) -> Result<&PartDecl, OptionError> {
        let parts: &[PartDecl] = if let OptionKind::Part { parts, .. } = &self.kind { parts } else { &[] };
        parts.iter().find(|part| part.name == name).ok_or_else(|| OptionError::Value {
            option: self.name.into(),
            found: format!("{name:?} with options"),
            expected: self.kind.to_string(),
            suggestion: nearest(name, parts.iter().map(|part| part.name)).map(Into::into),
        })
    }

    /// The value if it is one that this option takes.
    pub(super) fn accept(&self, value: OptionValue) -> Result<OptionValue, OptionError> {
        let value = match (&self.kind, value) {
            // A manifest may write 1 for 1.0.
            (OptionKind::Real { .. }, OptionValue::Integer(value)) => OptionValue::Real(value as f64),
            (OptionKind::File | OptionKind::Evolved, OptionValue::Word(name)) => {
                FileValue::named(&name).into()
            }
            (OptionKind::Command, OptionValue::Word(text)) => {
                words(&text).map_or(OptionValue::Word(text), OptionValue::Words)
            }
            (OptionKind::Texts { alone: true, .. }, OptionValue::Word(text)) => {
                OptionValue::Words(vec![text])
            }
            // Different texts of the same time are the same value.
            (OptionKind::Time { .. }, OptionValue::Word(text)) => {
                OptionValue::Word(read_time(&text).map_or(text, write_time))
            }
            // Different layouts of the same list are the same value.
            (OptionKind::Rules, OptionValue::Word(text)) => OptionValue::Word(plain_rules(&text)),
            // Names in another order are the same table.
            (kind @ OptionKind::Tables(_), OptionValue::Tables(mut tables)) => {
                if kind.named_value().is_some() {
                    tables.sort_by(|one, other| one.word("name").cmp(other.word("name")));
                }
                OptionValue::Tables(tables)
            }
            // A part may be named without its options.
            (OptionKind::Part { parts, names }, OptionValue::Word(text)) => {
                match parts.iter().find(|part| part.name == text) {
                    Some(part) => OptionValue::Part(part.with_defaults()),
                    None if names.is_some() => OptionValue::Part(Part::named(&text)),
                    None => OptionValue::Word(text),
                }
            }
            (_, value) => value,
        };
        let fits = match (&self.kind, &value) {
            // The value of a gene is checked when it is filled in.
            (_, OptionValue::Gene(_))
            | (OptionKind::Flag | OptionKind::Other(_), OptionValue::Flag(_))
            | (OptionKind::NameOf(_) | OptionKind::Text(_) | OptionKind::Rules, OptionValue::Word(_)) => true,
            (OptionKind::Integer { min, max, .. }, OptionValue::Integer(value)) => {
                (min..=max).contains(&value)
            }
            (OptionKind::Real { range, .. }, OptionValue::Real(value)) => range.contains(*value),
            (OptionKind::Numbers { range, count, .. }, OptionValue::Integers(values)) => {
                count.contains(&values.len()) && values.iter().all(|&value| range.contains(value as f64))
            }
            (OptionKind::Numbers { range, whole: false, count }, OptionValue::Reals(values)) => {
                count.contains(&values.len()) && values.iter().all(|&value| range.contains(value))
            }
            (OptionKind::Texts { count, .. }, OptionValue::Words(words)) => count.contains(&words.len()),
            (OptionKind::Choice(words), OptionValue::Word(value)) => {
                words.iter().any(|(word, _)| word == value)
            }
            (OptionKind::Time { .. }, OptionValue::Word(value)) if read_time(value).is_some() => true,
            (kind, OptionValue::Word(value)) => kind.word() == Some(value.as_str()),
            (OptionKind::File | OptionKind::Evolved, OptionValue::File(file)) => !file.name().is_empty(),
            (OptionKind::Command, OptionValue::Words(words)) => {
                !words.iter().any(|word| word.contains(char::is_control))
            }
            (OptionKind::Tables(options), OptionValue::Tables(tables)) => {
                let is_twice = |pair: &[Options]| pair[0].word("name") == pair[1].word("name");
                if let Some(pair) =
                    tables.windows(2).find(|pair| self.kind.named_value().is_some() && is_twice(pair))
                {
                    return Err(OptionError::Other(format!(
                        "option `{}` is given twice",
                        pair[0].word("name")
                    )));
                }
                tables.iter().all(|table| options.iter().eq(table.iter().map(|(decl, _)| decl)))
            }
            (OptionKind::Part { parts, names }, OptionValue::Part(part)) => {
                names.is_some() && part.options.is_empty() || parts.iter().any(|decl| decl.declares(part))
            }
            _ => false,
        };
        // A default need not be a value that a person can write.
        if fits || value == self.default {
            return Ok(value);
        }
        let suggestion = match (&self.kind, &value) {
            (OptionKind::Choice(words), OptionValue::Word(value)) => {
                nearest(value, words.iter().map(|(word, _)| *word))
            }
            (OptionKind::Part { parts, .. }, OptionValue::Word(value)) => {
                nearest(value, parts.iter().map(|part| part.name))
            }
            _ => None,
        };
        Err(OptionError::Value {
            option: self.name.into(),
            found: match (&self.kind, &value) {
                (OptionKind::Texts { .. }, OptionValue::Words(texts)) => format!("{texts:?}"),
                _ => value.to_string(),
            },
            expected: self.kind.to_string(),
            suggestion: suggestion.map(Into::into),
        })
    }
}

/// The words of a text, divided by white space; one in single quotes may hold some. `None` if a quote is open.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' if is_quoted && letters.next_if_eq(&'\'').is_some() => {
                word.get_or_insert_with(String::new).push('\'');
            }
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_with(String::new);
            }
            letter if letter.is_whitespace() && !is_quoted => words.extend(word.take()),
            letter => word.get_or_insert_with(String::new).push(letter),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

/// The numbers of a list in square brackets.
fn listed<T: FromStr>(text: &str) -> Option<Vec<T>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let numbers = inner.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

/// A whole number as people type it: `10000`, `10_000`, `10k`, `2M`.
///
/// # Example
/// ```
/// use shikou::game::options::read_count;
/// assert_eq!(["10_000", "10k", "2M", "-3"].map(read_count), [Some(10_000), Some(10_000), Some(2_000_000), Some(-3)]);
/// assert_eq!(["", "k", "1.5k", "10m", "_"].map(read_count), [None; 5]);
/// ```
pub fn read_count(text: &str) -> Option<i64> {
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    digits.replace('_', "").parse::<i64>().ok()?.checked_mul(factor)
}
