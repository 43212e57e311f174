//! Values of options.

use std::fmt;

use super::Part;

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
    /// A list of whole numbers.
    Integers(Vec<i64>),
    /// A part with its own options.
    Part(Part),
    /// The gene of this name: a value that an optimiser finds. Only the player of an optimisation has genes, and each is
    /// filled in before a game is played.
    Gene(String),
}

impl OptionValue {
    /// The kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a real number",
            Self::Flag(_) => "true or false",
            Self::Word(_) => "a word",
            Self::Integers(_) => "a list of whole numbers",
            Self::Part(_) => "a part with options",
            Self::Gene(_) => "a gene",
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

impl From<Vec<i64>> for OptionValue {
    fn from(values: Vec<i64>) -> Self {
        Self::Integers(values)
    }
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Word(value.into())
    }
}

impl From<Part> for OptionValue {
    fn from(part: Part) -> Self {
        Self::Part(part)
    }
}

impl fmt::Display for OptionValue {
    /// Writes the value as in a manifest, with words in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Word(value) => write!(f, "{value:?}"),
            Self::Integers(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(","))
            }
            Self::Part(part) => write!(f, "{part}"),
            Self::Gene(name) => write!(f, "gene({name:?})"),
        }
    }
}
