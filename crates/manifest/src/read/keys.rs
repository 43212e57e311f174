//! Tables whose keys are declared as options.

use std::ops::Range;

use super::{Entry, Mistakes, PlacedError, Read, Section, Value, shown_name, typed_options};
use crate::game::options::{
    Misread, OptionError, OptionKind, OptionValue, Options, Settings, Typed, TypedValue,
};

impl<'v> Section<'v> {
    pub(crate) fn read<S: Settings>(value: &'v Value<'v>, what: &str) -> Read<(S, Self)> {
        let (read, section) = Self::read_with(value, what, &[], |_, _| None)?;
        Ok((read?, section))
    }

    /// The same. The section is returned also if there are mistakes in it; there are `others`, which are read elsewhere, and
    /// `hint` says where an unknown key belongs, if it knows.
    pub(crate) fn read_with<S: Settings>(
        value: &'v Value<'v>,
        what: &str,
        others: &[&'static str],
        hint: impl Fn(&Self, &Entry<'v>) -> Option<String>,
    ) -> Read<(Read<S>, Self)> {
        let mut section = Self::from_value(value, what)?;
        let declared = S::options();
        section.known.extend(declared.iter().map(|decl| decl.name).chain(others.iter().copied()));
        let (mut mistakes, mut typed) = (Mistakes::default(), Vec::new());
        mistakes.note(section.finish_with(|entry| hint(&section, entry)));
        for decl in &declared {
            let entry = section.entry(decl.name).map(|(key, value)| (decl.name, key.span(), value));
            match (entry, &decl.kind) {
                (None, _) => {}
                (Some((name, at, value)), OptionKind::Other(_)) => {
                    let given = TypedValue::Value(OptionValue::Flag(true));
                    typed.push(Typed::new(name, at, given, value.span()));
                }
                (Some(entry), _) => {
                    typed.extend(mistakes.note(typed_options(&[entry])).into_iter().flatten());
                }
            }
        }
        match Options::read(&declared, typed, &section.span) {
            Ok(read) => {
                section.places = read.places;
                let read = mistakes.take().map_or_else(|| Ok(S::read(&read.options)), Err);
                Ok((read, section))
            }
            Err(found) => {
                for Misread { at, error } in found {
                    // A key that is written in another way is not forgotten.
                    let is_misspelt =
                        matches!(error, OptionError::Missing { name, .. } if mistakes.mention(name));
                    if !is_misspelt {
                        mistakes.add(PlacedError::new(at, error.to_string()));
                    }
                }
                Ok((Err(mistakes.some()), section))
            }
        }
    }

    /// The place of an item of a list, by its index.
    pub fn at_item(&self, key: &str, index: usize) -> Range<usize> {
        let item = format!("{key}[{index}]");
        let known = self.places.iter().find(|(name, _)| *name == item).map(|(_, at)| at.clone());
        let written = || self.peek(key)?.get_ref().as_array()?.get(index).map(Value::span);
        known.or_else(written).unwrap_or_else(|| self.at(key))
    }

    pub(crate) fn error(&self, key: &str, message: impl Into<String>) -> PlacedError {
        PlacedError::new(self.at(key), message)
    }

    /// Refuses a key that is given and has no place here.
    pub(crate) fn without(&self, key: &str, reason: &str) -> Read<()> {
        self.peek(key).map_or(Ok(()), |_| Err(self.error(key, format!("`{key}` {reason}"))))
    }

    pub(crate) fn shown(&self, key: &str, name: Option<&String>) -> Read<()> {
        name.map_or(Ok(()), |name| shown_name(key, name, self.at(key)))
    }

    /// Refuses the name of `what` that cannot be that of a folder.
    pub(crate) fn folder(&self, what: &str, name: &str) -> Read<()> {
        let bad = name.chars().find(|letter| "/\\:".contains(*letter));
        bad.map_or(Ok(()), |bad| {
            let reason = format!("the name of {what} is the name of its folder, which cannot have `{bad}`");
            Err(self.error("name", reason))
        })
    }
}
