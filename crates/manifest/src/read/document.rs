//! Reading a TOML document by hand, so that every error has its place.
//!
//! Rejected: derived deserialisation, which loses the place of an error inside tagged and flattened
//! parts, and cannot be expanded before it is typed.

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use crate::error::PlacedError;
use crate::error::{ManifestError, Mistakes, Read, not_toml, refused};
use crate::game::options::{
    self, OptionDecl, OptionError, OptionValue, Options, Setting, Typed, TypedItem, TypedValue, is_name_key,
    name_as_value, named_with_options, nearest,
};
use crate::visible::hidden_in;

/// Reads a document with `read`. `path` and `what`, such as `the manifest`, are for errors.
///
/// # Errors
/// All mistakes that are found, each with its place.
pub fn read_document<T>(
    path: &Path,
    text: &str,
    what: &str,
    read: impl FnOnce(&mut Section<'_>) -> Result<T, PlacedError>,
) -> Result<T, ManifestError> {
    let document = DeTable::parse(text).map_err(|error| {
        let PlacedError { span, message, .. } = not_toml(text, &error);
        let message = format!("{what} is not valid TOML: {message}");
        let placed = ManifestError::at(path, text, PlacedError::new(span, message));
        // Another file, named by mistake, is not quoted.
        let is_toml = path.extension().is_some_and(|extension| extension == "toml");
        if is_toml { placed } else { ManifestError::unreadable(path, placed.unquoted()) }
    })?;
    let mut root = Section::new(document.get_ref(), 0..0);
    let mut mistakes = Mistakes::default();
    for mistake in misplaced_genes(document.get_ref()) {
        mistakes.add(mistake);
    }
    let done = if mistakes.is_empty() { mistakes.note(read(&mut root)) } else { None };
    if done.is_some() {
        mistakes.note(root.finish());
    }
    match (done, mistakes.take()) {
        (Some(done), None) => Ok(done),
        (_, error) => Err(ManifestError::at(path, text, error.expect("nothing was read"))),
    }
}

/// A value with its place.
pub type Value<'a> = Spanned<DeValue<'a>>;

/// A table of a document: keys are taken one by one, and any key that is left is an error.
pub struct Section<'a> {
    table: &'a DeTable<'a>,
    /// The place of the section in the text.
    pub span: Range<usize>,
    pub(crate) known: Vec<&'static str>,
    /// The places of values, also of those in lists and parts.
    pub(crate) places: Vec<(String, Range<usize>)>,
}

impl<'a> Section<'a> {
    pub(crate) fn new(table: &'a DeTable<'a>, span: Range<usize>) -> Self {
        Self { table, span, known: Vec::new(), places: Vec::new() }
    }

    /// The section of a value that must be a table; `what` names it in the error.
    ///
    /// # Errors
    /// If it is not a table.
    pub fn from_value(value: &'a Value<'a>, what: &str) -> Result<Self, PlacedError> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Self::new(table, value.span())),
            other => refused(value.span(), format!("{what} must be a table, not {}", kind(other))),
        }
    }

    /// The value of a key, if the section has it.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Value<'a>> {
        self.known.push(key);
        self.peek(key)
    }

    /// The value of a key, which is not known because of that.
    pub(crate) fn peek(&self, key: &str) -> Option<&'a Value<'a>> {
        self.entry(key).map(|(_, value)| value)
    }

    pub(crate) fn entry(&self, key: &str) -> Option<(&'a Key<'a>, &'a Value<'a>)> {
        self.table.iter().find(|(name, _)| name.get_ref() == key)
    }

    /// The value of a key that must be there.
    ///
    /// # Errors
    /// If the key is missing.
    pub fn require(&mut self, key: &'static str, example: &str) -> Result<&'a Value<'a>, PlacedError> {
        self.take(key).ok_or_else(|| self.missing(key, example))
    }

    /// The error about a missing key. If a similar key is there, the error underlines that one.
    pub fn missing(&self, key: &'static str, example: &str) -> PlacedError {
        let unknown = self.table.keys().find(|name| {
            !self.known.contains(&name.get_ref().as_ref()) && nearest(name.get_ref(), [key]).is_some()
        });
        match unknown {
            Some(name) => {
                PlacedError::new(name.span(), OptionError::unknown("key", name.get_ref(), [key]).to_string())
            }
            None => PlacedError::new(
                self.span.clone(),
                format!("`{key}` is missing; write for example `{example}`"),
            ),
        }
    }

    /// The value of a key, which a setting takes.
    ///
    /// # Errors
    /// If it is missing and needed, or of another kind, or out of the range.
    pub fn get<T: 'static>(&mut self, key: &'static str, setting: &Setting<T>) -> Result<T, PlacedError> {
        match (self.take(key), setting.decl(key, "").default) {
            (Some(value), _) => setting_of(setting, key, value),
            (None, OptionValue::Needed(example)) => Err(self.missing(key, &format!("{key} = {example}"))),
            (None, _) => Ok(setting.read(key, &options_of(&[setting.decl(key, "")], &[], &self.span)?)),
        }
    }

    /// The place of the value of a key, also of one in a part; that of the section if it has none.
    pub fn at(&self, key: &str) -> Range<usize> {
        let inner = || self.places.iter().find(|(name, _)| name == key).map(|(_, at)| at.clone());
        self.peek(key).map(Value::span).or_else(inner).unwrap_or_else(|| self.span.clone())
    }

    /// A name, if the section has the key: a text of one line that is not empty.
    ///
    /// # Errors
    /// If it is of another kind, or no name.
    pub fn name(&mut self, key: &'static str) -> Result<Option<String>, PlacedError> {
        let name = self.get(key, &options::text("a text", "").optional())?;
        name.iter().try_for_each(|name| shown_name(key, name, self.at(key)))?;
        Ok(name)
    }

    /// Returns an error for each key that was not taken.
    ///
    /// # Errors
    /// If a key is left.
    pub fn finish(&self) -> Result<(), PlacedError> {
        self.finish_with(|_| None)
    }

    /// The same; `hint` says where a key belongs, if it knows.
    pub(crate) fn finish_with(&self, hint: impl Fn(&Entry<'a>) -> Option<String>) -> Read<()> {
        let mut mistakes = Mistakes::default();
        for (name, value) in self.table {
            let entry = (name.get_ref().as_ref(), name.span(), value);
            if !self.known.contains(&entry.0) {
                let unknown = || OptionError::unknown("key", entry.0, self.known.iter().copied()).to_string();
                mistakes.add(PlacedError::new(name.span(), hint(&entry).unwrap_or_else(unknown)));
            }
        }
        mistakes.or(())
    }
}

/// The longest name: it stands in each row of a log.
const LONGEST_NAME: usize = 1000;

/// Refuses a name that is empty, too long, or not shown as it is.
pub(crate) fn shown_name(key: &str, name: &str, span: Range<usize>) -> Read<()> {
    let message = if let Some(hidden) = hidden_in(name) {
        format!(
            "`{key}` holds the invisible character U+{:04X}; a name holds only characters that are shown",
            u32::from(hidden)
        )
    } else if name.trim().is_empty() || name.contains(['\n', '\t']) {
        format!("`{key}` must be a name in one line, without tabs, and not empty")
    } else if name.len() > LONGEST_NAME {
        format!(
            "this name has {} bytes, and a `name` may have {LONGEST_NAME}; give a shorter one",
            name.len()
        )
    } else {
        return Ok(());
    };
    refused(span, message)
}

/// A thing that is named alone, `"random"`, or as the one key of a table with its options,
/// `{ flat = { playouts-per-move = 20 } }`.
pub(crate) struct Tagged<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_span: Range<usize>,
    pub(crate) options: Vec<Entry<'a>>,
}

pub(crate) type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

pub(crate) fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Key<'a>, &'t Value<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, value)| (key.span().start, value.span().start));
    entries
}

/// A key of a table, its place, and its value.
pub(crate) type Entry<'a> = (&'a str, Range<usize>, &'a Value<'a>);

pub(crate) fn tagged<'a>(key: &str, value: &'a Value<'a>) -> Read<Tagged<'a>> {
    let whole = |name: &str| format!("`{key}.{name} = {{}}`");
    match value.get_ref() {
        DeValue::String(name) => Ok(Tagged { name, name_span: value.span(), options: Vec::new() }),
        DeValue::Table(table) if let Some(name) = named_as_value(table) => {
            let keys = table.keys().map(|key| key.get_ref().as_ref());
            refused(value.span(), name_as_value(key, name, keys))
        }
        DeValue::Table(table) if table.len() == 1 => {
            let (name, inner) = table.iter().next().expect("the table has one entry");
            let DeValue::Table(options) = inner.get_ref() else {
                let message = format!(
                    "the options of `{}` must be a table, not {}; write for example {}",
                    name.get_ref(),
                    kind(inner.get_ref()),
                    whole(name.get_ref())
                );
                return refused(inner.span(), message);
            };
            let options =
                options.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value)).collect();
            Ok(Tagged { name: name.get_ref(), name_span: name.span(), options })
        }
        DeValue::Table(table) => {
            let names: Vec<&str> = in_order(table).iter().map(|(name, _)| name.get_ref().as_ref()).collect();
            let first = names.first().map(|name| whole(name));
            refused(value.span(), OptionError::not_one(key, &names, first).to_string())
        }
        other => {
            let message =
                format!("`{key}` must be a name, or a name with a table of options, not {}", kind(other));
            refused(value.span(), message)
        }
    }
}

/// The name of a game, its place, and its options, which may stand in brackets after the name.
pub(crate) fn written_game<'a>(value: &'a Value<'a>) -> Read<(&'a str, Range<usize>, Vec<Typed>)> {
    let Tagged { name, name_span, options } = tagged("game", value)?;
    let placed = |error: OptionError| PlacedError::new(name_span.clone(), error.to_string());
    let (name, in_brackets) = named_with_options(name).map_err(placed)?;
    let text = in_brackets.map_or("", |(_, text)| text);
    let read = Typed::read_list(text, 0, false).map_err(|misread| placed(misread.error))?;
    // A document may write some letters in another way, so no place inside the text is known.
    let mut typed: Vec<Typed> = read.into_iter().map(|typed| typed.moved(&|_| name_span.clone())).collect();
    typed.extend(typed_options(&options)?);
    Ok((name, name_span, typed))
}

/// The name in a table like `{ name = "othello", size = 6 }`, a likely guess.
fn named_as_value<'a>(table: &'a DeTable<'_>) -> Option<&'a str> {
    let (_, value) = table.iter().find(|(key, _)| is_name_key(key.get_ref()))?;
    value.get_ref().as_str()
}

pub(crate) fn option_value(name: &str, value: &Value<'_>) -> Read<OptionValue> {
    Ok(match value.get_ref() {
        DeValue::String(word) => OptionValue::Word(word.clone().into_owned()),
        DeValue::Boolean(flag) => OptionValue::Flag(*flag),
        DeValue::Integer(_) => OptionValue::Integer(integer(name, value, i64::MIN..=i64::MAX)?),
        DeValue::Float(number) => OptionValue::Real(
            number
                .as_str()
                .parse()
                .map_err(|_| PlacedError::new(value.span(), format!("`{name}` is not a number")))?,
        ),
        other => {
            let message = format!(
                "`{name}` must be a single value, not {}; several are written `{name} = {{ each = [1, 2] }}`",
                kind(other)
            );
            return refused(value.span(), message);
        }
    })
}

pub(crate) fn typed_options(options: &[Entry<'_>]) -> Read<Vec<Typed>> {
    options.iter().map(|(name, span, value)| typed(name, span.clone(), value)).collect()
}

/// A value that an option of this setting takes.
pub(crate) fn setting_of<T: 'static>(setting: &Setting<T>, name: &'static str, value: &Value<'_>) -> Read<T> {
    let options = options_of(&[setting.decl(name, "")], &[(name, value.span(), value)], &value.span())?;
    Ok(setting.read(name, &options))
}

pub(crate) fn options_of(declared: &[OptionDecl], given: &[Entry<'_>], at: &Range<usize>) -> Read<Options> {
    options_typed(declared, typed_options(given)?, at)
}

pub(crate) fn options_typed(declared: &[OptionDecl], given: Vec<Typed>, at: &Range<usize>) -> Read<Options> {
    let read = Options::read(declared, given, at);
    let read = read.map_err(|mistakes| PlacedError::of_misread(mistakes, |place| place))?;
    Ok(read.options)
}

pub(crate) fn typed(name: &str, span: Range<usize>, value: &Value<'_>) -> Read<Typed> {
    Ok(Typed::new(name, span, typed_value(name, value)?, value.span()))
}

fn typed_value(name: &str, value: &Value<'_>) -> Read<TypedValue> {
    Ok(match value.get_ref() {
        DeValue::Table(table) => {
            let inner = table.iter().map(|(name, value)| typed(name.get_ref(), name.span(), value));
            let gene = gene(value).map(|(name, _)| TypedValue::Value(OptionValue::Gene(name.into())));
            gene.map_or_else(|| inner.collect::<Result<_, _>>().map(TypedValue::Table), Ok)?
        }
        DeValue::Array(items) => {
            let item = |item: &Value<'_>| Ok(TypedItem { value: typed_value(name, item)?, at: item.span() });
            TypedValue::List(items.iter().map(item).collect::<Result<_, _>>()?)
        }
        _ => TypedValue::Value(option_value(name, value)?),
    })
}

/// The name of the gene that stands in place of a value, `{ gene = "w" }`, and its place.
pub(crate) fn gene<'v>(value: &'v Value<'_>) -> Option<(&'v str, Range<usize>)> {
    let DeValue::Table(table) = value.get_ref() else { return None };
    let (key, name) = table.iter().next().filter(|_| table.len() == 1)?;
    let DeValue::String(text) = name.get_ref() else { return None };
    (key.get_ref() == "gene").then(|| (text.as_ref(), name.span()))
}

pub(crate) fn genes_below<'v>(value: &'v Value<'_>) -> Vec<(&'v str, Range<usize>)> {
    if let Some(gene) = gene(value) {
        return vec![gene];
    }
    match value.get_ref() {
        DeValue::Table(table) => table.iter().flat_map(|(_, value)| genes_below(value)).collect(),
        DeValue::Array(items) => items.iter().flat_map(genes_below).collect(),
        _ => Vec::new(),
    }
}

/// A mistake for each gene of a document that is not below the player of an optimisation.
fn misplaced_genes(root: &DeTable<'_>) -> Vec<PlacedError> {
    let mut misplaced = Vec::new();
    for (key, value) in root {
        match value.get_ref() {
            DeValue::Array(runs) if key.get_ref() == "optimisation" => {
                let tables = runs.iter().filter_map(|run| run.get_ref().as_table());
                let entries = tables.flatten().filter(|(key, _)| key.get_ref() != "player");
                misplaced.extend(entries.flat_map(|(_, value)| genes_below(value)));
            }
            _ => misplaced.extend(genes_below(value)),
        }
    }
    let message = |name: &str| {
        format!(
            "the gene {name:?} has no place here: only the player of an `[[optimisation]]` has genes; others name its result, such \
             as `evolved = \"grid\"`"
        )
    };
    misplaced.into_iter().map(|(name, at)| PlacedError::new(at, message(name))).collect()
}

/// A value that must be text.
///
/// # Errors
/// If it is of another kind.
pub fn text(key: &str, value: &Value<'_>) -> Result<String, PlacedError> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.clone().into_owned()),
        other => refused(value.span(), format!("`{key}` must be a text, not {}", kind(other))),
    }
}

/// A value that must be a list.
///
/// # Errors
/// If it is of another kind.
pub fn array<'a>(key: &str, value: &'a Value<'a>) -> Result<&'a [Value<'a>], PlacedError> {
    match value.get_ref() {
        DeValue::Array(array) => Ok(array.as_ref()),
        DeValue::Table(_) => {
            let message =
                format!("`{key}` must be a list; write `[[{key}]]` above each, or {key} = [{{ … }}]");
            refused(value.span(), message)
        }
        other => refused(value.span(), format!("`{key}` must be a list, not {}", kind(other))),
    }
}

/// A value that must be an integer of a range.
///
/// # Errors
/// If it is of another kind, or out of the range.
pub fn integer(key: &str, value: &Value<'_>, range: RangeInclusive<i64>) -> Result<i64, PlacedError> {
    let DeValue::Integer(number) = value.get_ref() else {
        let message = format!("`{key}` must be a whole number, not {}", kind(value.get_ref()));
        return refused(value.span(), message);
    };
    match i64::from_str_radix(number.as_str(), number.radix()) {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(number) => {
            let message = format!("`{key}` is {number}, but goes from {} to {}", range.start(), range.end());
            refused(value.span(), message)
        }
        Err(_) => {
            let message = format!("`{key}` is too large; the largest whole number is {}", i64::MAX);
            refused(value.span(), message)
        }
    }
}

/// The kind of a value, in words.
pub fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a real number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
