use std::fmt::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Options, Part};

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

/// The use of the text of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// To be read again: as in a manifest, with words in quotes.
    Notation,
    /// The identity of a trial: files by the hash of their content.
    Identity,
    /// A name in results: a long list of numbers by its length and the beginning of its hash.
    Name,
}

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
            Self::Tables(tables) if let Some(entries) = named_values(tables) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, value)| format!("{name}={}", value.text(wording))).collect();
                format!("({})", entries.join(","))
            }
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

/// The names and values of tables that are written as one table from names to values; `None` of others, and if there are none.
fn named_values(tables: &[Options]) -> Option<Vec<(&str, &OptionValue)>> {
    fn entry(table: &Options) -> Option<(&str, &OptionValue)> {
        match table.iter().collect::<Vec<_>>()[..] {
            [(decl, OptionValue::Word(name)), (_, value)] if decl.name == "name" => Some((name, value)),
            _ => None,
        }
    }
    (!tables.is_empty()).then(|| tables.iter().map(entry).collect()).flatten()
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

/// A file that an option names, or the result of an optimisation, which has the same form.
///
/// Options are read without the disk, so a value has only a name at first. Whoever read the options then gives it its
/// content. Two values with content are equal if their contents are, whatever their paths. Behind a `#` a name may have
/// the name of a row: `counters.csv#LR06`.
///
/// # Example
/// ```
/// use shikou::game::options::FileValue;
/// let [a, b] = ["a.csv", "b.csv"].map(|name| FileValue::named(name).with_content(b"1".to_vec()));
/// assert_eq!(a, b);
/// assert_ne!(FileValue::named("a.csv"), FileValue::named("b.csv"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileValue {
    name: String,
    content: Option<Arc<FileContent>>,
}

#[derive(Debug)]
struct FileContent {
    bytes: Arc<[u8]>,
    hash: String,
}

impl FileValue {
    /// A file that is not read yet. The empty name is no file.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), content: None }
    }

    /// The same file, read.
    #[must_use]
    pub fn with_content(self, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let hash = hex(&Sha256::digest(&bytes));
        Self { content: Some(Arc::new(FileContent { bytes, hash })), ..self }
    }

    /// The name as it was typed: a path, or the name of an optimisation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path: the name without the row after its `#`.
    pub fn path(&self) -> &str {
        self.name.split_once('#').map_or(&self.name, |(path, _)| path)
    }

    /// The row of a table, after the `#` of the name.
    pub fn row(&self) -> Option<&str> {
        self.name.split_once('#').map(|(_, row)| row)
    }

    /// The identity, if the file is read: the hash of its content, and the row.
    fn identity(&self) -> Option<String> {
        let row = self.row().map_or(String::new(), |row| format!("#{row}"));
        self.hash().map(|hash| format!("sha256:{hash}{row}"))
    }

    /// The content, if the file is read.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_ref().map(|content| &*content.bytes)
    }

    /// The SHA-256 hash of the content in hexadecimal digits, if the file is read.
    pub fn hash(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.hash.as_str())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes every text");
        text
    })
}

impl PartialEq for FileValue {
    fn eq(&self, other: &Self) -> bool {
        match (self.hash(), other.hash()) {
            (Some(one), Some(two)) => one == two && self.row() == other.row(),
            (None, None) => self.name == other.name,
            _ => false,
        }
    }
}

/// The units of times, largest first, in microseconds.
const UNITS: [(&str, u64); 5] =
    [("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1000), ("us", 1)];

/// The longest time, in microseconds: a thousand hours.
const LONGEST: u64 = 1000 * UNITS[0].1;

/// Reads a time such as `50ms`: a positive whole number, then `us`, `ms`, `s`, `min` or `h`. `None` if the text is not
/// a time, or exceeds a thousand hours.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use shikou::game::options::{read_time, write_time};
/// assert_eq!(read_time("1500ms"), Some(Duration::from_millis(1500)));
/// assert_eq!(read_time("1.5s"), None);
/// assert_eq!(read_time("0s"), None);
/// assert_eq!(write_time(Duration::from_millis(2000)), "2s");
/// ```
pub fn read_time(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = (&text[..digits], text[digits..].trim());
    let (_, micros) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let micros = number.parse::<u64>().ok()?.checked_mul(*micros)?;
    (1..=LONGEST).contains(&micros).then(|| Duration::from_micros(micros))
}

/// Writes a time as a whole number of the largest possible unit.
pub fn write_time(time: Duration) -> String {
    let total = time.as_micros() as u64;
    let (name, micros) =
        UNITS.iter().find(|(_, micros)| total.is_multiple_of(*micros)).expect("microseconds divide it");
    format!("{}{name}", total / micros)
}

/// A list of rules on one line: without comments (from `#` to the end of a line), with one space between words and `; `
/// between rules. Texts that differ only in comments and white space are the same list.
///
/// # Example
/// ```
/// use shikou::game::options::plain_rules;
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
    use super::plain_rules;

    #[test]
    fn a_list_is_the_same_on_many_lines_and_on_one() {
        assert_eq!(plain_rules("# all\n\na : 1;\n  b:\t2 # two\n0"), "a : 1; b: 2; 0");
        assert_eq!(plain_rules(&plain_rules("a: 1;; b: 2")), "a: 1; b: 2");
    }
}
