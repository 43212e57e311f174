//! Stopping rules in a manifest.

use std::ops::Range;

use super::document::{Entry, PlacedError, Value, array, option_value, tagged_like};
use super::section::player_named;
use crate::experiment::manifest::experiment::{Design, PlayerSpec};
use crate::experiment::manifest::stopping::{Precision, StoppingRule};
use crate::game::options::{OptionError, OptionValue};
use crate::stats::{Bounds, EloModel, Hypotheses};

/// The rules, as they are named, each with its keys.
pub(crate) const RULES: [(&str, &[&str]); 3] = [
    ("half-width", &["at-most", "of"]),
    ("sprt", &["between", "model", "elo0", "elo1", "alpha", "beta"]),
    ("difference", &["between", "alpha"]),
];

/// The parts of an experiment that a stopping rule depends on.
pub(crate) struct Surroundings<'e> {
    pub(crate) two_player: bool,
    pub(crate) players: &'e [PlayerSpec],
    pub(crate) design: &'e Design,
    pub(crate) primary: &'e [[usize; 2]],
}

/// Reads `stopping`.
pub(crate) fn read_stopping(value: &Value<'_>, of: &Surroundings<'_>) -> Result<StoppingRule, PlacedError> {
    let tag = tagged_like("stopping", value, |rule| example(rule, of))?;
    let Some((_, known)) = RULES.iter().find(|(name, _)| *name == tag.name) else {
        let invalid = OptionError::unknown("stopping rule", tag.name, RULES.iter().map(|(name, _)| *name));
        return Err(PlacedError::new(tag.name_span, invalid.to_string()));
    };
    for (name, span, _) in &tag.options {
        if !known.contains(name) {
            let invalid = OptionError::unknown("key", name, known.iter().copied());
            return Err(PlacedError::new(Range::clone(span), invalid.to_string()));
        }
    }
    let keys = Keys { span: value.span(), rule: tag.name, given: &tag.options, of };
    match tag.name {
        "half-width" => half_width(&keys, of),
        "sprt" => sprt(&keys, of),
        _ => difference(&keys, of),
    }
}

/// The options of a rule that must be written, as an example.
fn example(rule: &str, of: &Surroundings<'_>) -> String {
    let [first, last] =
        [of.players.first(), of.players.last()].map(|player| player.map(|player| &*player.name));
    let between = format!("between = [{:?}, {:?}]", first.unwrap_or("a"), last.unwrap_or("b"));
    match rule {
        "half-width" => "at-most = 0.02".into(),
        "sprt" => format!("{between}, elo0 = 0, elo1 = 10"),
        "difference" => between,
        _ => String::new(),
    }
}

/// The keys of a rule.
struct Keys<'a, 'v> {
    span: Range<usize>,
    rule: &'a str,
    given: &'a [Entry<'v>],
    of: &'a Surroundings<'a>,
}

impl<'v> Keys<'_, 'v> {
    fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.given.iter().find(|(name, _, _)| *name == key).map(|(_, _, value)| *value)
    }

    fn require(&self, key: &str) -> Result<&'v Value<'v>, PlacedError> {
        self.get(key).ok_or_else(|| {
            let (rule, example) = (self.rule, example(self.rule, self.of));
            let message =
                format!("`{key}` is missing; write for example `stopping.{rule} = {{ {example} }}`");
            PlacedError::new(self.span.clone(), message)
        })
    }

    fn number_or(&self, key: &str, default: f64, between: (f64, f64)) -> Result<f64, PlacedError> {
        self.get(key).map_or(Ok(default), |value| number(key, value, between))
    }

    /// The word of a key, one of these.
    fn word(&self, key: &'static str, words: [&'static str; 2]) -> Result<&'static str, PlacedError> {
        let Some(value) = self.get(key) else { return Ok(words[0]) };
        let word = super::document::text(key, value)?;
        words.into_iter().find(|known| *known == word).ok_or_else(|| {
            PlacedError::new(value.span(), OptionError::unknown(key, &word, words).to_string())
        })
    }

    /// Two different players.
    fn between(&self) -> Result<[usize; 2], PlacedError> {
        let value = self.require("between")?;
        let players: Vec<usize> = array("between", value)?
            .iter()
            .map(|value| player_named("between", value, self.of.players))
            .collect::<Result<_, _>>()?;
        match players[..] {
            [a, b] if a != b => Ok([a, b]),
            _ => Err(PlacedError::new(value.span(), "`between` names two different players")),
        }
    }
}

/// A number strictly between two others.
fn number(key: &str, value: &Value<'_>, between: (f64, f64)) -> Result<f64, PlacedError> {
    let number = match option_value(key, value)? {
        OptionValue::Integer(number) => number as f64,
        OptionValue::Real(number) => number,
        other => {
            return Err(PlacedError::new(
                value.span(),
                format!("`{key}` must be a number, not {}", other.kind()),
            ));
        }
    };
    let (low, high) = between;
    if low < number && number < high {
        return Ok(number);
    }
    Err(PlacedError::new(value.span(), format!("`{key}` is {number}, but must lie between {low} and {high}")))
}

fn half_width(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, PlacedError> {
    let value = keys.require("at-most")?;
    let at_most = number("at-most", value, (0.0, 0.5))?;
    let precision = match keys.word("of", ["success", "difference"])? {
        "difference" => Precision::Difference,
        _ => Precision::Success,
    };
    if precision == Precision::Difference {
        let error = |message: &str| Err(PlacedError::new(keys.span.clone(), message));
        if of.primary.is_empty() {
            return error("`of = \"difference\"` means the primary comparisons, and there is no `primary`");
        }
        if of.two_player && !of.primary.iter().all(|&players| of.design.meet(players)) {
            return error("`of = \"difference\"` needs primary comparisons of players that meet");
        }
    }
    Ok(StoppingRule::HalfWidth { at_most, of: precision })
}

fn sprt(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, PlacedError> {
    if !of.two_player {
        let message = "an SPRT needs two players of a two-player game; for a solitaire write stopping.difference = \
                       { between = […] }";
        return Err(PlacedError::new(keys.span.clone(), message));
    }
    let players = keys.between()?;
    if !of.design.meet(players) {
        let message =
            format!("{} and {} do not meet here", of.players[players[0]].name, of.players[players[1]].name);
        return Err(PlacedError::new(keys.span.clone(), message));
    }
    let model = match keys.word("model", ["logistic", "normalized"])? {
        "normalized" => EloModel::Normalized,
        _ => EloModel::Logistic,
    };
    let range = (-Hypotheses::FURTHEST, Hypotheses::FURTHEST);
    let elo0 = number("elo0", keys.require("elo0")?, range)?;
    let elo1 = number("elo1", keys.require("elo1")?, range)?;
    let alpha = keys.number_or("alpha", 0.05, (0.0, 0.5))?;
    let beta = keys.number_or("beta", 0.05, (0.0, 0.5))?;
    let invalid = |error: crate::stats::TestError| PlacedError::new(keys.span.clone(), error.to_string());
    Ok(StoppingRule::Sprt {
        players,
        hypotheses: Hypotheses::new(model, elo0, elo1).map_err(invalid)?,
        bounds: Bounds::new(alpha, beta).map_err(invalid)?,
    })
}

fn difference(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, PlacedError> {
    if of.two_player {
        let message = "`difference` compares success rates in a solitaire; for a two-player game write stopping.sprt = \
                       { between = […], elo0 = 0, elo1 = 10 }";
        return Err(PlacedError::new(keys.span.clone(), message));
    }
    let players = keys.between()?;
    Ok(StoppingRule::Difference { players, alpha: keys.number_or("alpha", 0.05, (0.0, 1.0))? })
}
