//! Declared options: what a game or a searcher can be told, and the values it was told.
//!
//! An option is declared once, as data. Manifests, `--option`, the listings of `shikou games` and
//! `shikou searchers`, and the identity of a trial all read the same declaration. Rejected: a struct per
//! game with derived parsing, which repeats names, defaults and ranges in three places and cannot list them.

use std::fmt;

pub use super::time_text::{read_time, write_time};

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
}

impl OptionValue {
    /// What sort of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a real number",
            Self::Flag(_) => "true or false",
            Self::Word(_) => "a word",
        }
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for OptionValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Word(value.into())
    }
}

impl fmt::Display for OptionValue {
    /// As it stands in a manifest: words in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Word(value) => write!(f, "{value:?}"),
        }
    }
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number in a range.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A whole number in a range, or one special word.
    IntegerOr {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// The word.
        word: &'static str,
    },
    /// A real number in a range.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// A time, such as `50ms`, or one special word.
    TimeOr {
        /// The word.
        word: &'static str,
    },
    /// Yes or no.
    Flag,
    /// One of these words; each with what it means.
    Choice(&'static [(&'static str, &'static str)]),
    /// A name that the game in question knows: `"policy"`, `"evaluation"`.
    NameOf(&'static str),
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::IntegerOr { min, max, word } => {
                write!(f, "a whole number from {min} to {max}, or {word:?}")
            }
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
            Self::TimeOr { word } => {
                write!(f, "a time such as \"50ms\" (us, ms, s, min or h), or {word:?}")
            }
            Self::Flag => write!(f, "true or false"),
            Self::Choice(words) => {
                let words: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
                write!(f, "{}", words.join(" or "))
            }
            Self::NameOf(what) => write!(f, "the name of one of the game's {what}"),
        }
    }
}

/// An option as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDecl {
    /// The name, in kebab case.
    pub name: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// The value where none is given.
    pub default: OptionValue,
    /// What it does, in a line.
    pub about: &'static str,
}

impl OptionDecl {
    /// A whole number from `min` to `max`.
    pub fn integer(name: &'static str, min: i64, max: i64, default: i64, about: &'static str) -> Self {
        Self { name, kind: OptionKind::Integer { min, max }, default: default.into(), about }
    }

    /// A real number from `min` to `max`.
    pub fn real(name: &'static str, min: f64, max: f64, default: f64, about: &'static str) -> Self {
        Self { name, kind: OptionKind::Real { min, max }, default: default.into(), about }
    }

    /// Yes or no.
    pub fn flag(name: &'static str, default: bool, about: &'static str) -> Self {
        Self { name, kind: OptionKind::Flag, default: default.into(), about }
    }

    /// One of some words, the first of which is the default.
    pub fn choice(
        name: &'static str,
        words: &'static [(&'static str, &'static str)],
        about: &'static str,
    ) -> Self {
        Self { name, kind: OptionKind::Choice(words), default: words[0].0.into(), about }
    }

    /// The value that a person typed on a command line, before it is checked against the range.
    pub fn parse(&self, text: &str) -> OptionValue {
        let word = || OptionValue::Word(text.into());
        match self.kind {
            OptionKind::Integer { .. } | OptionKind::IntegerOr { .. } => {
                text.parse().map_or_else(|_| word(), OptionValue::Integer)
            }
            OptionKind::Real { .. } => text.parse().map_or_else(|_| word(), OptionValue::Real),
            OptionKind::Flag => text.parse().map_or_else(|_| word(), OptionValue::Flag),
            OptionKind::Choice(_) | OptionKind::NameOf(_) | OptionKind::TimeOr { .. } => word(),
        }
    }

    /// The value if it is one that this option takes.
    fn accept(&self, value: OptionValue) -> Result<OptionValue, Invalid> {
        let value = match (&self.kind, value) {
            // A manifest may write 1 where 1.0 is meant.
            (OptionKind::Real { .. }, OptionValue::Integer(value)) => OptionValue::Real(value as f64),
            // The same time is the same value, however it is written.
            (OptionKind::TimeOr { .. }, OptionValue::Word(text)) => {
                OptionValue::Word(read_time(&text).map_or(text, write_time))
            }
            (_, value) => value,
        };
        let fits = match (&self.kind, &value) {
            (
                OptionKind::Integer { min, max } | OptionKind::IntegerOr { min, max, .. },
                OptionValue::Integer(value),
            ) => (min..=max).contains(&value),
            (OptionKind::IntegerOr { word, .. }, OptionValue::Word(value)) => value == word,
            (OptionKind::TimeOr { word }, OptionValue::Word(value)) => {
                value == word || read_time(value).is_some()
            }
            (OptionKind::Real { min, max }, OptionValue::Real(value)) => (min..=max).contains(&value),
            (OptionKind::Choice(words), OptionValue::Word(value)) => {
                words.iter().any(|(word, _)| word == value)
            }
            (OptionKind::Flag, OptionValue::Flag(_)) | (OptionKind::NameOf(_), OptionValue::Word(_)) => true,
            _ => false,
        };
        if fits {
            return Ok(value);
        }
        let suggestion = match (&self.kind, &value) {
            (OptionKind::Choice(words), OptionValue::Word(value)) => {
                nearest(value, words.iter().map(|(word, _)| *word))
            }
            _ => None,
        };
        Err(Invalid::Value {
            option: self.name.into(),
            found: value.to_string(),
            expected: self.kind.to_string(),
            suggestion: suggestion.map(Into::into),
        })
    }
}

/// The values of all declared options, in the order of declaration.
///
/// # Example
/// ```
/// use shikou::game::options::{OptionDecl, Options};
/// let declared = vec![OptionDecl::integer("size", 4, 8, 8, "squares along an edge")];
/// let options = Options::new(&declared, [("size", 6.into())]).unwrap();
/// assert_eq!(options.integer("size"), 6);
/// assert_eq!(options.changed(), "size=6");
/// let error = Options::new(&declared, [("siez", 6.into())]).unwrap_err();
/// assert_eq!(error.to_string(), "unknown option `siez`; did you mean `size`?");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(OptionDecl, OptionValue)>);

impl Options {
    /// The declared options with the given values, and defaults for the rest.
    ///
    /// # Errors
    /// Where a name is not declared, a value is out of its range, or an option is given twice.
    pub fn new<'a>(
        declared: &[OptionDecl],
        given: impl IntoIterator<Item = (&'a str, OptionValue)>,
    ) -> Result<Self, Invalid> {
        let mut options: Vec<_> = declared.iter().map(|decl| (decl.clone(), decl.default.clone())).collect();
        let mut seen = Vec::new();
        for (name, value) in given {
            let Some(slot) = options.iter_mut().find(|(decl, _)| decl.name == name) else {
                return Err(Invalid::unknown("option", name, declared.iter().map(|decl| decl.name)));
            };
            if seen.contains(&slot.0.name) {
                return Err(Invalid::Other(format!("option `{name}` is given twice")));
            }
            seen.push(slot.0.name);
            slot.1 = slot.0.accept(value)?;
        }
        Ok(Self(options))
    }

    /// Each declared option with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&OptionDecl, &OptionValue)> {
        self.0.iter().map(|(decl, value)| (decl, value))
    }

    /// The options that differ from their defaults, sorted by name, as `name=value` with commas between: what
    /// the identity of a trial hashes, so that a new option with a default changes no old trial.
    pub fn changed(&self) -> String {
        let mut changed: Vec<String> = self
            .iter()
            .filter(|(decl, value)| decl.default != **value)
            .map(|(decl, value)| format!("{}={value}", decl.name))
            .collect();
        changed.sort();
        changed.join(",")
    }

    /// A whole number.
    ///
    /// # Panics
    /// Where no such option is declared: a mistake in the program, not in its input. So too in the others.
    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            OptionValue::Integer(value) => *value,
            other => panic!("option `{name}` is {other}, not a whole number"),
        }
    }

    /// A whole number, or `None` where the option's special word stands.
    pub fn integer_or_word(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            OptionValue::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// A real number.
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            OptionValue::Real(value) => *value,
            other => panic!("option `{name}` is {other}, not a real number"),
        }
    }

    /// Yes or no.
    pub fn flag(&self, name: &str) -> bool {
        *self.value(name) == OptionValue::Flag(true)
    }

    /// A word.
    pub fn word(&self, name: &str) -> &str {
        match self.value(name) {
            OptionValue::Word(value) => value,
            other => panic!("option `{name}` is {other}, not a word"),
        }
    }

    fn value(&self, name: &str) -> &OptionValue {
        let found = self.0.iter().find(|(decl, _)| decl.name == name);
        &found.unwrap_or_else(|| panic!("option `{name}` is not declared")).1
    }
}

/// Why options were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A name that nothing has.
    #[error("unknown {what} `{name}`; {}", hint(.suggestion.as_deref(), .known))]
    Unknown {
        /// What the name should have been of: an option, a game …
        what: &'static str,
        /// The name as given.
        name: String,
        /// The nearest known name, if one is near.
        suggestion: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// A value that the option does not take.
    #[error("`{option}` is {found}, but takes {expected}{}", suggestion_text(.suggestion.as_deref()))]
    Value {
        /// The option.
        option: String,
        /// The value as given.
        found: String,
        /// What it takes.
        expected: String,
        /// The nearest word that it takes, if one is near.
        suggestion: Option<String>,
    },
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

impl Invalid {
    /// The error for a name that is not among those known.
    pub fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.into_iter().map(Into::into).collect();
        let suggestion = nearest(name, known.iter().map(String::as_str)).map(Into::into);
        Self::Unknown { what, name: shorten(name), suggestion, known }
    }
}

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there are none".into(),
        None => format!("known: {}", known.join(", ")),
    }
}

fn suggestion_text(suggestion: Option<&str>) -> String {
    suggestion.map(|word| format!("; did you mean {word:?}?")).unwrap_or_default()
}

/// A name as it may stand in a message: at most 60 characters, without control characters.
fn shorten(name: &str) -> String {
    let mut short: String = name.chars().take(60).flat_map(char::escape_debug).collect();
    if name.chars().count() > 60 {
        short.push('…');
    }
    short
}

/// The known name that is most like `name`, if any is like enough to be meant.
///
/// # Example
/// ```
/// use shikou::game::options::nearest;
/// assert_eq!(nearest("othelo", ["othello", "tic-tac-toe"]), Some("othello"));
/// assert_eq!(nearest("chess", ["othello", "tic-tac-toe"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(&name.to_lowercase().replace('_', "-"), known);
    known
        .into_iter()
        .map(|known| (distance(known), known))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 4)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("playouts", 1, 1000, 100, "playouts a move"),
            OptionDecl::real("share", 0.0, 1.0, 0.5, "a share"),
            OptionDecl::flag("merge", false, "whether to merge"),
            OptionDecl::choice("ties", &[("first", "the first"), ("random", "any")], "among equals"),
            OptionDecl {
                name: "depth",
                kind: OptionKind::IntegerOr { min: 1, max: 60, word: "full" },
                default: 4.into(),
                about: "plies",
            },
        ]
    }

    fn message(name: &str, value: impl Into<OptionValue>) -> String {
        Options::new(&declared(), [(name, value.into())]).unwrap_err().to_string()
    }

    #[test]
    fn defaults_stand_where_nothing_is_given() {
        let options = Options::new(&declared(), []).unwrap();
        assert_eq!(options.integer("playouts"), 100);
        assert_eq!(options.word("ties"), "first");
        assert_eq!(options.integer_or_word("depth"), Some(4));
        assert_eq!(options.changed(), "");
    }

    #[test]
    fn changed_is_sorted_and_leaves_defaults_out() {
        let given = [
            ("ties", "random".into()),
            ("playouts", 100.into()),
            ("share", 1.into()),
            ("depth", "full".into()),
        ];
        let options = Options::new(&declared(), given).unwrap();
        assert_eq!(options.changed(), r#"depth="full",share=1.0,ties="random""#);
        assert_eq!(options.integer_or_word("depth"), None);
    }

    #[test]
    fn messages_say_what_is_wrong_and_what_to_do() {
        assert_eq!(message("playout", 5), "unknown option `playout`; did you mean `playouts`?");
        assert_eq!(message("level", 5), "unknown option `level`; known: playouts, share, merge, ties, depth");
        assert_eq!(message("playouts", -1), "`playouts` is -1, but takes a whole number from 1 to 1000");
        assert_eq!(message("playouts", 1.5), "`playouts` is 1.5, but takes a whole number from 1 to 1000");
        assert_eq!(
            message("ties", "frist"),
            r#"`ties` is "frist", but takes "first" or "random"; did you mean "first"?"#
        );
        assert_eq!(
            message("depth", "ful"),
            r#"`depth` is "ful", but takes a whole number from 1 to 60, or "full""#
        );
        assert_eq!(message("merge", 1), "`merge` is 1, but takes true or false");
    }

    #[test]
    fn an_option_is_given_once() {
        let twice = [("share", 0.25.into()), ("share", 0.75.into())];
        assert_eq!(
            Options::new(&declared(), twice).unwrap_err().to_string(),
            "option `share` is given twice"
        );
    }
}
