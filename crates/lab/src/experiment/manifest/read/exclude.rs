//! Combinations that a sweep excludes.

use toml::de::DeValue;

use super::choice::text;
use super::document::{PlacedError, Value, kind};
use super::sweep::Variant;
use crate::game::options::OptionError;

/// Removes the variants that match all values of a row.
pub(super) fn exclude_row(variants: &mut Vec<Variant<'_>>, row: &Value<'_>) -> Result<(), PlacedError> {
    let wanted = match row.get_ref() {
        DeValue::Table(wanted) if !wanted.is_empty() => wanted,
        DeValue::Table(_) => return Err(PlacedError::new(row.span(), "this row names no value")),
        other => {
            let message =
                format!("a row of `exclude` must be a table like {{ level = 4 }}, not {}", kind(other));
            return Err(PlacedError::new(row.span(), message));
        }
    };
    let mut texts = Vec::new();
    for (key, value) in wanted {
        let axes = || variants.iter().flat_map(|variant| &variant.chosen);
        if !axes().any(|choice| choice.axis == **key.get_ref()) {
            let mut known: Vec<&str> = axes().map(|choice| choice.axis.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(PlacedError::new(
                key.span(),
                OptionError::unknown("axis", key.get_ref(), known).to_string(),
            ));
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
    Err(PlacedError::new(row.span(), message))
}
