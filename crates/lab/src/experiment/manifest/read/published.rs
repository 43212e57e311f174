//! What a source published of players, to stand beside their results.

use super::document::{PlacedError, Section, Value, array};
use super::section::player_named;
use crate::experiment::manifest::experiment::{PlayerSpec, Published};
use crate::game::options::{Setting, integer, real, settings, text};
use crate::stats::{Confidence, Estimate, Method, clopper_pearson};

settings! {
    /// A published result, as it is written.
    pub(crate) struct PublishedKeys {
        /// the name of a player of this experiment
        player: String = text("a text", "").needed("\"tree\""),
        /// successes
        successes: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// of so many trials
        trials: Option<u64> = integer(1..=i64::MAX, ()).optional(),
        /// a success rate, or points a game
        value: Option<f64> = share(),
        /// the lower end of its interval
        low: Option<f64> = share(),
        /// the upper end of its interval
        high: Option<f64> = share(),
    }
}

fn share() -> Setting<Option<f64>> {
    real(0.0..=1.0, ()).optional()
}

/// The published results, at most one of each player.
pub(super) fn read_published(
    value: &Value<'_>,
    players: &[PlayerSpec],
) -> Result<Vec<Published>, PlacedError> {
    let mut all: Vec<Published> = Vec::new();
    for item in array("published", value)? {
        let (written, keys) = Section::read::<PublishedKeys>(item, "a published result")?;
        let player = player_named(&written.player, keys.at("player"), players)?;
        if all.iter().any(|other| other.player == player) {
            let message = format!("`{}` has two published results", players[player].name);
            return Err(PlacedError::new(item.span(), message));
        }
        all.push(Published { player, result: written.result(&keys)? });
    }
    Ok(all)
}

impl PublishedKeys {
    /// Successes of trials, or a share with the interval that the source has, or none.
    fn result(&self, keys: &Section<'_>) -> Result<Estimate, PlacedError> {
        let method = Method::Published;
        match (self.successes, self.trials, self.value, self.low, self.high) {
            (Some(successes), Some(trials), None, None, None) if successes <= trials => {
                Ok(clopper_pearson(successes, trials, Confidence::default_level()))
            }
            (None, None, Some(value), Some(low), Some(high)) if low <= value && value <= high => {
                Ok(Estimate { value, low, high, method })
            }
            (None, None, Some(value), None, None) => {
                Ok(Estimate { value, low: value, high: value, method }.without_interval())
            }
            _ => Err(PlacedError::new(
                keys.span.clone(),
                "a published result is `successes` and `trials`, which are not fewer, or `value`, alone or between `low` and \
                 `high`; write for example published = [{ player = \"tree\", successes = 72, trials = 100 }]",
            )),
        }
    }
}
