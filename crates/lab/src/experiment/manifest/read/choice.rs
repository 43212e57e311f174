//! What a sweep chose: the value of an axis, and values as text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::Value;
use crate::game::options::short_list;

pub(super) type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

/// The value chosen on an axis.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) axis: String,
    /// The value as text, words in quotes.
    pub(super) text: String,
    /// Whether it is part of the name: not if the value of an outer axis shows it already.
    pub(super) named: bool,
}

impl Choice {
    pub(super) fn unquoted(&self) -> String {
        self.text.replace('"', "")
    }

    /// The value in a name: of a long list, its length and the beginning of its hash.
    pub(super) fn shown(&self) -> String {
        let text = self.unquoted();
        if text.starts_with('[') { short_list(text.split(',').count(), text) } else { text }
    }
}

/// The entries of a table in the order of the file.
pub(super) fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Key<'a>, &'t Value<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, value)| (key.span().start, value.span().start));
    entries
}

/// A value as text: words in quotes, numbers in one notation, `flat(playouts-per-move=20)` for a name
/// with a table of options.
pub(super) fn text(value: &Value<'_>) -> String {
    match value.get_ref() {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| number.to_string(), |number| number.to_string()),
        DeValue::Float(number) => {
            number.as_str().parse().map_or_else(|_| number.to_string(), |number: f64| number.to_string())
        }
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(items) => {
            format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(","))
        }
        DeValue::Table(table) => {
            let entries = in_order(table);
            match entries[..] {
                [(name, inner)] if let DeValue::Table(options) = inner.get_ref() => {
                    format!("{}{}", name.get_ref(), options_text(options))
                }
                _ => options_text(table),
            }
        }
    }
}

/// Options in brackets: `(playouts=20,policy=uniform)`.
fn options_text(table: &DeTable<'_>) -> String {
    let option = |(key, value): (&Key<'_>, &Value<'_>)| format!("{}={}", key.get_ref(), text(value));
    format!("({})", in_order(table).into_iter().map(option).collect::<Vec<_>>().join(","))
}
