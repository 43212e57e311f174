//! Values of options.

use std::fmt;

use sha2::{Digest, Sha256};

use super::file::hex;
use super::{FileValue, Options, Part};

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
    /// A list of real numbers.
    Reals(Vec<f64>),
    /// Words: a program with its arguments, or names of files. The identity has the names without their folders.
    Words(Vec<String>),
    /// A file, or the result of an optimisation.
    File(FileValue),
    /// A list of tables with options.
    Tables(Vec<Options>),
    /// A part with its own options.
    Part(Part),
    /// The gene of this name: a value that an optimiser finds. Only the player of an optimisation has genes, and each is
    /// filled in before a game is played.
    Gene(String),
    /// No value: the default of an option that may be left out.
    Nothing,
    /// No value: the default of an option that must be given, for example as in this text.
    Needed(String),
}

/// What the text of a value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// To be read again: as in a manifest, with words in quotes.
    Notation,
    /// The identity of a trial: files by the hash of their content.
    Identity,
    /// A name in results: a long list of numbers by its length and the beginning of its hash.
    Name,
}

/// The longest list of numbers that a name shows in full.
const LONGEST_IN_NAME: usize = 16;

impl OptionValue {
    /// The kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a real number",
            Self::Flag(_) => "true or false",
            Self::Word(_) => "a word",
            Self::Integers(_) => "a list of whole numbers",
            Self::Reals(_) => "a list of numbers",
            Self::Words(_) => "a list of words",
            Self::File(_) => "the name of a file",
            Self::Tables(_) => "a list of tables",
            Self::Part(_) => "a part with options",
            Self::Gene(_) => "a gene",
            Self::Nothing | Self::Needed(_) => "nothing",
        }
    }

    /// The value as text.
    ///
    /// # Example
    /// ```
    /// use shikou::game::options::{FileValue, OptionValue, Wording};
    /// let long = OptionValue::Reals(vec![0.5; 64]);
    /// assert_eq!(long.text(Wording::Name), "[64 numbers, 5a701a]");
    /// let file = OptionValue::from(FileValue::named("w.csv").with_content(b"1".to_vec()));
    /// assert_eq!(file.text(Wording::Name), "\"w.csv\"");
    /// assert!(file.text(Wording::Identity).starts_with("sha256:6b86b273ff34fce1"));
    /// let command = OptionValue::Words(["/opt/bin/edax", "-l", "4"].map(String::from).into());
    /// assert_eq!(command.text(Wording::Notation), "\"/opt/bin/edax -l 4\"");
    /// assert_eq!(command.text(Wording::Identity), "\"edax -l 4\"");
    /// ```
    pub fn text(&self, wording: Wording) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Real(value) => format!("{value:?}"),
            Self::Flag(value) => value.to_string(),
            Self::Word(value) => format!("{value:?}"),
            Self::Integers(values) => list(values, ToString::to_string, wording),
            Self::Reals(values) => list(values, |value| format!("{value:?}"), wording),
            Self::Words(words) => written_words(words, wording),
            Self::File(file) => match (wording, file.identity()) {
                (Wording::Identity, Some(identity)) => identity,
                _ => format!("{:?}", file.name()),
            },
            Self::Tables(tables) => {
                let tables: Vec<String> =
                    tables.iter().map(|table| format!("({})", table.changed_as(wording))).collect();
                format!("[{}]", tables.join(","))
            }
            Self::Part(part) => part.text(wording),
            Self::Gene(name) => format!("gene({name:?})"),
            Self::Nothing | Self::Needed(_) => "nothing".into(),
        }
    }
}

/// Words as text: one with white space or a single quote in single quotes, in which a single quote is doubled; and so is every
/// double quote, because the text is in such.
fn written_words(words: &[String], wording: Wording) -> String {
    let written = |word: &String| {
        let name = word.rsplit(std::path::is_separator).next().filter(|name| !name.is_empty());
        let word = if wording == Wording::Notation { word } else { name.unwrap_or(word) };
        if word.is_empty() || word.contains(|letter: char| letter.is_whitespace() || letter == '\'') {
            format!("'{}'", word.replace('\'', "''"))
        } else {
            word.into()
        }
    };
    format!("\"{}\"", words.iter().map(written).collect::<Vec<_>>().join(" ").replace('"', "\"\""))
}

fn list<T>(numbers: &[T], text: impl Fn(&T) -> String, wording: Wording) -> String {
    let text = format!("[{}]", numbers.iter().map(text).collect::<Vec<_>>().join(","));
    if wording == Wording::Name { short_list(numbers.len(), text) } else { text }
}

/// The text of a list in a name: if it is long, its length and the beginning of its hash.
pub fn short_list(length: usize, text: String) -> String {
    if length <= LONGEST_IN_NAME {
        return text;
    }
    let digest = Sha256::digest(text.as_bytes());
    format!("[{length} numbers, {}]", hex(&digest[..3]))
}

/// No default.
impl From<()> for OptionValue {
    fn from((): ()) -> Self {
        Self::Nothing
    }
}

macro_rules! made_of {
    ($($content:ty => $kind:ident),*) => {
        $(impl From<$content> for OptionValue {
            fn from(content: $content) -> Self {
                Self::$kind(content)
            }
        })*
    };
}

made_of! {
    i64 => Integer, f64 => Real, bool => Flag, Vec<i64> => Integers, Vec<f64> => Reals, Vec<String> => Words,
    FileValue => File, Vec<Options> => Tables, Part => Part
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Word(value.into())
    }
}

impl fmt::Display for OptionValue {
    /// Writes the value as in a manifest, with words in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Wording::Notation))
    }
}
