//! Sweeps: one table that expands to many.
//!
//! `{ each = [ … ] }` in place of a value is an axis, and a table with axes, also in its lists, expands to every combination of
//! their values. `each-of = [ { … }, { … } ]` in a table is one axis whose rows set several keys together, for
//! sweeps that are not grids. `exclude = [ { … } ]` removes the combinations that have all values of a row.
//!
//! The document is expanded before it is typed, and every piece keeps its place: an error in one
//! combination underlines the value in the file. Rejected: expanding specs after typing, for which every
//! typed value would have to know that it may be a list.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Key, Read, Value, array, in_order, kind, refused};
use crate::game::options::{
    OptionDecl, OptionError, OptionValue, Settings, Wording, read_time, short_list, write_time,
};
use crate::players::SearcherSpec;

const MOST_COMBINATIONS: usize = 1000;

/// The keys of sweeps, for the error that lists known keys.
pub(crate) const KEYS: [&str; 2] = ["exclude", "each-of"];

/// A table of those that a table with axes expands to.
pub(crate) struct Variant<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) chosen: Vec<Choice>,
}

impl Variant<'_> {
    pub(crate) fn is_swept(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// A name followed by the chosen values: `tree level=4 playouts=20`.
    pub(crate) fn name(&self, given: &str) -> String {
        let add = |name, choice: &Choice| format!("{name} {}={}", choice.axis, choice.shown());
        self.named_choices().fold(given.to_owned(), add)
    }

    /// The chosen values: the axis, and the value without quotes.
    pub(crate) fn values(&self) -> Vec<(String, String)> {
        self.named_choices().map(|choice| (choice.axis.clone(), choice.shown())).collect()
    }

    /// The name of a searcher that has none: its text without what was chosen, followed by the chosen values, so that
    /// the default value of an axis is shown as well.
    pub(crate) fn name_of(&self, searcher: &SearcherSpec) -> String {
        let mut rest = searcher.clone();
        let shown: Vec<&Choice> =
            self.named_choices().filter(|choice| !WHOLE.contains(&choice.axis.as_str())).collect();
        for choice in &shown {
            let (axis, text) = (choice.axis.as_str(), choice.unquoted());
            let is_chosen = |decl: &OptionDecl, value: &OptionValue| {
                let value = value.to_string().replace('"', "");
                // Options write 2.0 and 1e-7 where the chosen value is 2 and 0.0000001.
                let is_same_number = || value.parse::<f64>().is_ok_and(|value| text.parse() == Ok(value));
                decl.is_called(axis) && (value == text || is_same_number())
            };
            let options = rest.options.without(&is_chosen);
            if options == rest.options {
                rest.budget = rest.budget.without(axis);
            }
            rest.options = options;
        }
        shown.iter().fold(rest.text(Wording::Name), |name, choice| {
            format!("{name} {}={}", choice.axis, choice.shown())
        })
    }

    fn named_choices(&self) -> impl Iterator<Item = &Choice> {
        self.chosen.iter().filter(|choice| choice.named)
    }
}

/// The axes that a searcher's own text shows.
const WHOLE: [&str; 2] = ["search", "budget"];

/// The same of a table with declared keys: below those that are fixed nothing is expanded.
pub(crate) fn expand_keys<'a, S: Settings>(value: &Value<'a>) -> Read<Vec<Variant<'a>>> {
    let fixed: Vec<&str> = S::options().iter().filter(|decl| decl.fixed).map(|decl| decl.name).collect();
    expand(value, &fixed)
}

/// The tables that a table expands to, the first axis of the file slowest; the table itself if it has no axis. Below
/// the keys `whole` nothing is expanded. Other values expand to themselves.
pub(crate) fn expand<'a>(value: &Value<'a>, whole: &[&str]) -> Read<Vec<Variant<'a>>> {
    let DeValue::Table(table) = value.get_ref() else { return Ok(vec![fixed(value)]) };
    let mut variants = expand_table(table, value.span(), &[whole, &["exclude"]].concat())?;
    let Some((key, exclude)) = entry(table, "exclude") else { return Ok(variants) };
    if !variants.iter().any(Variant::is_swept) {
        let message = "`exclude` removes combinations of a sweep, and nothing is swept here; a sweep is written \
                       like `level = { each = [4, 5] }`";
        return refused(key.span(), message);
    }
    for variant in &mut variants {
        let DeValue::Table(table) = variant.value.get_mut() else { unreachable!("it was made of a table") };
        table.remove("exclude");
    }
    for row in array("exclude", exclude)? {
        exclude_row(&mut variants, row)?;
    }
    if variants.is_empty() {
        return refused(exclude.span(), "`exclude` leaves no combination");
    }
    Ok(variants)
}

fn exclude_row(variants: &mut Vec<Variant<'_>>, row: &Value<'_>) -> Read<()> {
    let wanted = match row.get_ref() {
        DeValue::Table(wanted) if !wanted.is_empty() => wanted,
        DeValue::Table(_) => return refused(row.span(), "this row names no value"),
        other => {
            let message =
                format!("a row of `exclude` must be a table like {{ level = 4 }}, not {}", kind(other));
            return refused(row.span(), message);
        }
    };
    let mut texts = Vec::new();
    for (key, value) in wanted {
        let axes = || variants.iter().flat_map(|variant| &variant.chosen);
        if !axes().any(|choice| choice.axis == **key.get_ref()) {
            let mut known: Vec<&str> = axes().map(|choice| choice.axis.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return refused(key.span(), OptionError::unknown("axis", key.get_ref(), known).to_string());
        }
        texts.push((key.get_ref().to_string(), text(value)));
    }
    let before = variants.len();
    variants.retain(|variant| {
        let has = |(axis, text): &(String, String)| {
            variant.chosen.iter().any(|choice| choice.axis == *axis && choice.text == *text)
        };
        !texts.iter().all(has)
    });
    if variants.len() < before {
        return Ok(());
    }
    let wanted: Vec<String> = texts.iter().map(|(axis, text)| format!("{axis} = {text}")).collect();
    let message = format!("this row removes nothing: no remaining combination has {}", wanted.join(", "));
    refused(row.span(), message)
}

fn fixed<'a>(value: &Value<'a>) -> Variant<'a> {
    Variant { value: value.clone(), chosen: Vec::new() }
}

fn entry<'t, 'a>(table: &'t DeTable<'a>, key: &str) -> Option<(&'t Key<'a>, &'t Value<'a>)> {
    table.iter().find(|(name, _)| name.get_ref() == key)
}

fn expand_value<'a>(axis: &str, value: &Value<'a>) -> Read<Vec<Variant<'a>>> {
    let table = match value.get_ref() {
        DeValue::Table(table) => table,
        DeValue::Array(items) => return expand_items(axis, items, value.span()),
        _ => return Ok(vec![fixed(value)]),
    };
    let Some((_, list)) = entry(table, "each") else { return expand_table(table, value.span(), &[]) };
    if let Some((other, _)) = table.iter().find(|(name, _)| name.get_ref() != "each") {
        let message = format!(
            "`each` must be the only key, as in `{axis} = {{ each = [4, 5] }}`; options that change together are rows of \
             `each-of`"
        );
        return refused(other.span(), message);
    }
    let mut variants: Vec<Variant<'a>> = Vec::new();
    for item in items("each", list)? {
        for mut variant in expand_value(axis, item)? {
            let text = text(&variant.value);
            if variants.iter().any(|other| other.chosen[0].text == text) {
                return refused(item.span(), format!("`each` names {text} twice"));
            }
            variant.chosen.iter_mut().for_each(|inner| inner.named = false);
            variant.chosen.insert(0, Choice { axis: axis.into(), text, named: true });
            variants.push(variant);
        }
        within_limit(variants.len(), list.span())?;
    }
    if let [only] = &mut variants[..] {
        only.chosen[0].named = false; // Nothing differs.
    }
    Ok(variants)
}

/// The lists that a list expands to: every combination of the expansions of its tables.
fn expand_items<'a>(axis: &str, items: &DeArray<'a>, span: Range<usize>) -> Read<Vec<Variant<'a>>> {
    let mut made: Vec<(DeArray<'a>, Vec<Choice>)> = vec![(DeArray::new(), Vec::new())];
    for item in items {
        let variants = expand_value(axis, item)?;
        within_limit(made.len().saturating_mul(variants.len()), item.span())?;
        let with = |(list, chosen): &(DeArray<'a>, Vec<Choice>), variant: &Variant<'a>| {
            let mut list = list.clone();
            list.push(variant.value.clone());
            (list, [&chosen[..], &variant.chosen[..]].concat())
        };
        made = made.iter().flat_map(|one| variants.iter().map(move |variant| with(one, variant))).collect();
    }
    let variant =
        |(list, chosen)| Variant { value: Spanned::new(span.clone(), DeValue::Array(list)), chosen };
    Ok(made.into_iter().map(variant).collect())
}

/// Keys that are set together, and the choices that set them.
struct Segment<'a> {
    entries: Vec<(Key<'a>, Value<'a>)>,
    chosen: Vec<Choice>,
}

impl<'a> Segment<'a> {
    fn single(key: &Key<'a>, variant: Variant<'a>) -> Self {
        Self { entries: vec![(key.clone(), variant.value)], chosen: variant.chosen }
    }

    /// The choices, independent of the order of the keys.
    fn choices(&self) -> Vec<(&str, &str)> {
        let mut choices: Vec<_> = self.chosen.iter().map(|c| (c.axis.as_str(), c.text.as_str())).collect();
        choices.sort_unstable();
        choices
    }
}

/// The tables that a table expands to: every combination of the expansions of its values.
fn expand_table<'a>(table: &DeTable<'a>, span: Range<usize>, whole: &[&str]) -> Read<Vec<Variant<'a>>> {
    let mut made: Vec<(DeTable<'a>, Vec<Choice>)> = vec![(DeTable::new(), Vec::new())];
    for (key, value) in in_order(table) {
        let name = key.get_ref().as_ref();
        let parts: Vec<Segment<'a>> = if name == "each-of" {
            rows(table, value)?
        } else if whole.contains(&name) {
            vec![Segment::single(key, fixed(value))]
        } else {
            expand_value(name, value)?.into_iter().map(|variant| Segment::single(key, variant)).collect()
        };
        within_limit(made.len().saturating_mul(parts.len()), value.span())?;
        let with = |(table, chosen): &(DeTable<'a>, Vec<Choice>), part: &Segment<'a>| {
            let (mut table, mut chosen) = (table.clone(), chosen.clone());
            table.extend(part.entries.iter().cloned());
            chosen.extend(part.chosen.iter().cloned());
            (table, chosen)
        };
        made = made.iter().flat_map(|one| parts.iter().map(move |part| with(one, part))).collect();
    }
    let variant = |(table, chosen)| {
        let value = Spanned::new(span.clone(), DeValue::Table(table));
        Variant { value, chosen }
    };
    Ok(made.into_iter().map(variant).collect())
}

fn rows<'a>(table: &DeTable<'a>, list: &Value<'a>) -> Read<Vec<Segment<'a>>> {
    let mut rows: Vec<Segment<'a>> = Vec::new();
    for item in items("each-of", list)? {
        let DeValue::Table(row) = item.get_ref() else {
            let message = format!(
                "a row of `each-of` must be a table like {{ level = 4, playouts = 20 }}, not {}; values of one \
                 option are listed with `each`",
                kind(item.get_ref())
            );
            return refused(item.span(), message);
        };
        if let Some((key, _)) = row.iter().find(|(key, _)| entry(table, key.get_ref()).is_some()) {
            let message = format!("`{}` is set beside `each-of` already", key.get_ref());
            return refused(key.span(), message);
        }
        for variant in expand_table(row, item.span(), &[])? {
            let DeValue::Table(row) = variant.value.get_ref() else { unreachable!("it is a table") };
            let entries: Vec<_> =
                in_order(row).into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            let choice = |(key, value): &(Key<'a>, Value<'a>)| Choice {
                axis: key.get_ref().to_string(),
                text: text(value),
                named: true,
            };
            let part = Segment { chosen: entries.iter().map(choice).collect(), entries };
            if rows.iter().any(|other| other.choices() == part.choices()) {
                return refused(item.span(), "this row of `each-of` is listed twice");
            }
            rows.push(part);
        }
        within_limit(rows.len(), list.span())?;
    }
    Ok(rows)
}

fn items<'v, 'a>(key: &str, list: &'v Value<'a>) -> Read<&'v [Value<'a>]> {
    match list.get_ref() {
        DeValue::Array(items) if items.is_empty() => {
            refused(list.span(), format!("`{key}` needs at least one value"))
        }
        DeValue::Array(items) => {
            within_limit(items.len(), list.span())?;
            Ok(items)
        }
        other => refused(list.span(), format!("`{key}` must be a list, not {}", kind(other))),
    }
}

fn within_limit(count: usize, span: Range<usize>) -> Read<()> {
    if count <= MOST_COMBINATIONS {
        return Ok(());
    }
    let message = format!("this makes {count} combinations; a sweep may have {MOST_COMBINATIONS}");
    refused(span, message)
}

#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) axis: String,
    /// The value as text, words in quotes.
    pub(crate) text: String,
    /// Whether it is part of the name: not if the value of an outer axis shows it already.
    pub(crate) named: bool,
}

impl Choice {
    pub(crate) fn unquoted(&self) -> String {
        self.text.replace('"', "")
    }

    /// The value in a name: of a long list, its length and the beginning of its hash.
    pub(crate) fn shown(&self) -> String {
        let text = self.unquoted();
        if text.starts_with('[') { short_list(text.split(',').count(), text) } else { text }
    }
}

/// A value as text: words in quotes, numbers and times in one notation, `flat(playouts-per-move=20)` for a name
/// with a table of options.
pub(crate) fn text(value: &Value<'_>) -> String {
    match value.get_ref() {
        DeValue::String(text) => match read_time(text).map(write_time) {
            Some(time) => {
                let unit = time.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("\"{} {unit}\"", &time[..time.len() - unit.len()])
            }
            None => format!("{text:?}"),
        },
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
