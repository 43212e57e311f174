//! Options as they are typed, before they are checked: on a command line, or in the tables of a document.
//!
//! Both ways of writing become the same entries, each with its place, so one reader serves both. Rejected: a reader for
//! each, which would accept different short forms.

use std::ops::Range;

use super::{OptionError, OptionValue};

/// The bytes of a text that an error underlines.
pub type Place = Range<usize>;

/// An error of options, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Misread {
    /// The place.
    pub at: Place,
    /// The error.
    pub error: OptionError,
}

impl Misread {
    /// An error at a place.
    pub const fn new(at: Place, error: OptionError) -> Self {
        Self { at, error }
    }

    /// An error in words.
    pub fn other(at: Place, message: impl Into<String>) -> Self {
        Self::new(at, OptionError::Other(message.into()))
    }
}

/// An option as it is typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The name of the option, or another word for it; empty if only a value was typed.
    pub name: String,
    /// The place of the name.
    pub at: Place,
    /// The value.
    pub value: TypedValue,
    /// The place of the value.
    pub value_at: Place,
}

/// A value as it is typed.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedValue {
    /// Text, which the kind of the option says how to read.
    Text(String),
    /// A value of a document.
    Value(OptionValue),
    /// A list of a document.
    List(Vec<TypedItem>),
    /// A table of a document, or the rest of a path.
    Table(Vec<Typed>),
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedItem {
    /// The value.
    pub value: TypedValue,
    /// The place of the value.
    pub at: Place,
}

impl TypedValue {
    fn moved(self, place: &impl Fn(Place) -> Place) -> Self {
        match self {
            Self::Table(inner) => Self::Table(inner.into_iter().map(|typed| typed.moved(place)).collect()),
            Self::List(items) => {
                let moved =
                    |item: TypedItem| TypedItem { value: item.value.moved(place), at: place(item.at) };
                Self::List(items.into_iter().map(moved).collect())
            }
            value => value,
        }
    }
}

impl Typed {
    /// An option with its value. A name with dots is a path: `selection.ucb1.exploration`.
    pub fn new(name: &str, at: Place, value: TypedValue, value_at: Place) -> Self {
        match name.split_once('.') {
            None => Self { name: name.into(), at, value, value_at },
            Some((first, rest)) => {
                let inner = Self::new(rest, at.start + first.len() + 1..at.end, value, value_at.clone());
                let outer = at.start..at.start + first.len();
                Self {
                    name: first.into(),
                    at: outer,
                    value_at: at.start..value_at.end,
                    value: TypedValue::Table(vec![inner]),
                }
            }
        }
    }

    /// An option with a text as its value.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self::new(name, 0..0, TypedValue::Text(text.into()), 0..text.len())
    }

    /// The options of a text, `name=value` with commas between. The text begins at byte `start` of a longer one.
    ///
    /// # Errors
    /// If a piece has no `=`, unless `bare` values are allowed.
    pub fn read_list(text: &str, start: usize, bare: bool) -> Result<Vec<Self>, Misread> {
        let mut list = Vec::new();
        for (at, piece) in pieces(text) {
            list.push(Self::read(piece, start + at, bare)?);
        }
        Ok(joined(list))
    }

    /// The option of a text `name=value`.
    ///
    /// # Errors
    /// If it has no `=`, unless a `bare` value is allowed.
    pub fn read(piece: &str, start: usize, bare: bool) -> Result<Self, Misread> {
        let end = start + piece.len();
        let bracket = piece.find(['(', '"']).unwrap_or(piece.len());
        let Some(at) = piece[..bracket].find('=') else {
            if bare {
                return Ok(Self {
                    name: String::new(),
                    at: start..end,
                    value: TypedValue::Text(piece.into()),
                    value_at: start..end,
                });
            }
            let message = format!("`{piece}` is not an option; write name=value");
            return Err(Misread::other(start..end, message));
        };
        let (name, rest) = (piece[..at].trim_end(), &piece[at + 1..]);
        let value = rest.trim();
        let value_start = start + at + 1 + (rest.len() - rest.trim_start().len());
        let value_at = value_start..value_start + value.len();
        Ok(Self::new(name, start..start + name.len(), TypedValue::Text(value.into()), value_at))
    }

    /// The same at other places.
    #[must_use]
    pub fn moved(self, place: &impl Fn(Place) -> Place) -> Self {
        let (value, value_at) = (self.value.moved(place), place(self.value_at));
        Self { name: self.name, at: place(self.at), value, value_at }
    }
}

/// A list in which the paths that begin alike are one entry.
fn joined(list: Vec<Typed>) -> Vec<Typed> {
    let mut joined: Vec<Typed> = Vec::new();
    for typed in list {
        let TypedValue::Table(more) = &typed.value else {
            joined.push(typed);
            continue;
        };
        let same = joined.iter_mut().find(|other| other.name == typed.name);
        match same.map(|other| (&mut other.value, &mut other.value_at)) {
            Some((TypedValue::Table(inner), value_at)) => {
                inner.extend(more.iter().cloned());
                *inner = self::joined(std::mem::take(inner));
                value_at.end = typed.value_at.end;
            }
            _ => joined.push(typed),
        }
    }
    joined
}

/// The text in the brackets after a name, and the byte at which it begins.
type Bracketed<'t> = Option<(usize, &'t str)>;

/// A name and, if it has brackets after it, the text in them with the byte at which it begins.
///
/// # Errors
/// If the brackets do not close at the end.
pub fn named_with_options(text: &str) -> Result<(&str, Bracketed<'_>), OptionError> {
    let Some((name, rest)) = text.split_once('(') else { return Ok((text.trim(), None)) };
    match rest.trim_end().strip_suffix(')') {
        Some(given) => Ok((name.trim(), Some((name.len() + 1, given)))),
        None => Err(OptionError::Other(format!("`{text}` has no closing bracket"))),
    }
}

/// The pieces of a text between its commas, those inside brackets of either kind and quotes left alone, each with the
/// byte at which it begins; empty ones are left out.
///
/// # Example
/// ```
/// use shikou::game::options::pieces;
/// assert_eq!(pieces("size=6, reward=score"), [(0, "size=6"), (8, "reward=score")]);
/// assert_eq!(pieces("weights=[1,2],prior=policy(policy=best)").len(), 2);
/// ```
pub fn pieces(text: &str) -> Vec<(usize, &str)> {
    let (mut pieces, mut begin, mut depth, mut quoted) = (Vec::new(), 0, 0_usize, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                pieces.push((begin, &text[begin..at]));
                begin = at + 1;
            }
            _ => {}
        }
    }
    pieces.push((begin, &text[begin..]));
    let trimmed =
        |(at, piece): (usize, &'_ str)| (at + piece.len() - piece.trim_start().len(), piece.trim().len());
    let trimmed = pieces.into_iter().map(trimmed).filter(|(_, length)| *length > 0);
    trimmed.map(|(at, length)| (at, &text[at..at + length])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_quotes_do_not_divide() {
        let texts: Vec<&str> =
            pieces("a=b(c=[1,-2],d=(2,3)), e=\"f,(\" ,, g").into_iter().map(|(_, piece)| piece).collect();
        assert_eq!(texts, ["a=b(c=[1,-2],d=(2,3))", "e=\"f,(\"", "g"]);
    }

    #[test]
    fn every_place_is_that_of_its_text() {
        let text = " ties = first,\tselection.ucb1.exploration=2 , policy=softmax(temperature=1)";
        for typed in Typed::read_list(text, 0, false).unwrap() {
            assert_eq!(text[typed.at.clone()], typed.name);
            if let TypedValue::Text(value) = typed.value {
                assert_eq!(text[typed.value_at], value);
            }
        }
    }

    #[test]
    fn paths_that_begin_alike_are_one_entry() {
        let list = Typed::read_list("a.b.c=1,ties=first,a.b.d=2", 0, false).unwrap();
        assert_eq!(list.iter().map(|typed| typed.name.as_str()).collect::<Vec<_>>(), ["a", "ties"]);
        let TypedValue::Table(a) = &list[0].value else { panic!("it is a path") };
        let TypedValue::Table(b) = &a[0].value else { panic!("it is a path") };
        assert_eq!((a.len(), b.len()), (1, 2));
    }
}
