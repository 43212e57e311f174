//! What a source published of players, to stand beside their results.

use super::document::{PlacedError, Section, Value, array, option_value};
use super::section::player_named;
use crate::experiment::manifest::experiment::{PlayerSpec, Published};
use crate::game::options::OptionValue;
use crate::stats::{Confidence, Estimate, Method, clopper_pearson};

const EXAMPLE: &str = "published = [{ player = \"tree\", successes = 72, trials = 100 }]";

/// The published results, at most one of each player.
pub(super) fn read_published(
    value: &Value<'_>,
    players: &[PlayerSpec],
) -> Result<Vec<Published>, PlacedError> {
    let mut all: Vec<Published> = Vec::new();
    for item in array("published", value)? {
        let mut section = Section::from_value(item, "a published result")?;
        let player = player_named("published", section.require("player", EXAMPLE)?, players)?;
        if all.iter().any(|other| other.player == player) {
            let message = format!("`{}` has two published results", players[player].name);
            return Err(PlacedError::new(item.span(), message));
        }
        all.push(Published { player, result: read_result(&mut section, item)? });
        section.finish()?;
    }
    Ok(all)
}

/// Successes of trials, or a share with the interval that the source has, or none.
fn read_result(section: &mut Section<'_>, item: &Value<'_>) -> Result<Estimate, PlacedError> {
    let trials = section.integer("trials", 1..=i64::MAX)?;
    let successes = section.integer("successes", 0..=trials.unwrap_or(i64::MAX))?;
    let [value, low, high] = ["value", "low", "high"].map(|key| share(section, key));
    match (successes, trials, value?, low?, high?) {
        (Some(successes), Some(trials), None, None, None) => {
            Ok(clopper_pearson(successes as u64, trials as u64, Confidence::default_level()))
        }
        (None, None, Some(value), Some(low), Some(high)) if low <= value && value <= high => {
            Ok(Estimate { value, low, high, method: Method::Published })
        }
        (None, None, Some(value), None, None) => {
            let method = Method::Published;
            Ok(Estimate { value, low: value, high: value, method }.without_interval())
        }
        _ => Err(PlacedError::new(
            item.span(),
            format!(
                "a published result is `successes` and `trials`, or `value` in [0, 1], alone or between `low` and `high`; \
                 write for example `{EXAMPLE}`"
            ),
        )),
    }
}

/// A number in [0, 1].
fn share(section: &mut Section<'_>, key: &'static str) -> Result<Option<f64>, PlacedError> {
    let Some(value) = section.take(key) else { return Ok(None) };
    let number = match option_value(key, value)? {
        OptionValue::Integer(number) => Some(number as f64),
        OptionValue::Real(number) => Some(number),
        _ => None,
    };
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    let message = || PlacedError::new(value.span(), format!("`{key}` must be a number in [0, 1]"));
    number.map(Some).ok_or_else(message)
}
