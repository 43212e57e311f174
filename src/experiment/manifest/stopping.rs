//! When an experiment has played enough, as a manifest writes it.

use std::ops::Range;

use super::document::{Blame, Value, array, option_value, tagged};
use super::section::player_named;
use super::{Design, PlayerSpec};
use crate::experiment::{Precision, StoppingRule};
use crate::game::options::{Invalid, OptionValue};
use crate::stats::{Bounds, EloModel, Hypotheses};

/// The rules, as they are named, each with its keys.
pub(super) const RULES: [(&str, &[&str]); 3] = [
    ("half-width", &["at-most", "of"]),
    ("sprt", &["between", "model", "elo0", "elo1", "alpha", "beta"]),
    ("difference", &["between", "alpha"]),
];

/// What a rule may need to know of its experiment.
pub(super) struct Surroundings<'e> {
    pub(super) two_player: bool,
    pub(super) players: &'e [PlayerSpec],
    pub(super) design: &'e Design,
    pub(super) primary: &'e [[usize; 2]],
}

/// Reads `stopping`.
pub(super) fn read_stopping(value: &Value<'_>, of: &Surroundings<'_>) -> Result<StoppingRule, Blame> {
    let tag = tagged("stopping", value)?;
    let Some((_, known)) = RULES.iter().find(|(name, _)| *name == tag.name) else {
        let invalid = Invalid::unknown("stopping rule", tag.name, RULES.iter().map(|(name, _)| *name));
        return Err(Blame::new(tag.name_span, invalid.to_string()));
    };
    for (name, span, _) in &tag.options {
        if !known.contains(name) {
            let invalid = Invalid::unknown("key", name, known.iter().copied());
            return Err(Blame::new(Range::clone(span), invalid.to_string()));
        }
    }
    let keys = Keys { span: value.span(), rule: tag.name, given: &tag.options };
    match tag.name {
        "half-width" => half_width(&keys, of),
        "sprt" => sprt(&keys, of),
        _ => difference(&keys, of),
    }
}

/// The keys of a rule.
struct Keys<'a, 'v> {
    span: Range<usize>,
    rule: &'a str,
    given: &'a [(&'v str, Range<usize>, &'v Value<'v>)],
}

impl<'v> Keys<'_, 'v> {
    fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.given.iter().find(|(name, _, _)| *name == key).map(|(_, _, value)| *value)
    }

    fn require(&self, key: &str, example: &str) -> Result<&'v Value<'v>, Blame> {
        self.get(key).ok_or_else(|| {
            let message =
                format!("`{key}` is missing; write for example `stopping.{} = {{ {example} }}`", self.rule);
            Blame::new(self.span.clone(), message)
        })
    }

    fn number_or(&self, key: &str, default: f64, between: (f64, f64)) -> Result<f64, Blame> {
        self.get(key).map_or(Ok(default), |value| number(key, value, between))
    }

    /// The word of a key, one of these.
    fn word(&self, key: &'static str, words: [&'static str; 2]) -> Result<&'static str, Blame> {
        let Some(value) = self.get(key) else { return Ok(words[0]) };
        let word = super::document::text(key, value)?;
        words
            .into_iter()
            .find(|known| *known == word)
            .ok_or_else(|| Blame::new(value.span(), Invalid::unknown(key, &word, words).to_string()))
    }

    /// Two different players.
    fn between(&self, of: &Surroundings<'_>) -> Result<[usize; 2], Blame> {
        let example = format!(
            "between = [\"{}\", \"{}\"], …",
            of.players[0].name,
            of.players[of.players.len() - 1].name
        );
        let value = self.require("between", &example)?;
        let players: Vec<usize> = array("between", value)?
            .iter()
            .map(|value| player_named("between", value, of.players))
            .collect::<Result<_, _>>()?;
        match players[..] {
            [a, b] if a != b => Ok([a, b]),
            _ => Err(Blame::new(value.span(), "`between` names two different players")),
        }
    }
}

/// A number strictly between two others.
fn number(key: &str, value: &Value<'_>, between: (f64, f64)) -> Result<f64, Blame> {
    let number = match option_value(key, value)? {
        OptionValue::Integer(number) => number as f64,
        OptionValue::Real(number) => number,
        other => {
            return Err(Blame::new(value.span(), format!("`{key}` must be a number, not {}", other.kind())));
        }
    };
    let (low, high) = between;
    if low < number && number < high {
        return Ok(number);
    }
    Err(Blame::new(value.span(), format!("`{key}` is {number}, but must lie between {low} and {high}")))
}

fn half_width(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, Blame> {
    let value = keys.require("at-most", "at-most = 0.02")?;
    let at_most = number("at-most", value, (0.0, 0.5))?;
    let precision = match keys.word("of", ["success", "difference"])? {
        "difference" => Precision::Difference,
        _ => Precision::Success,
    };
    if precision == Precision::Difference {
        let blame = |message: &str| Err(Blame::new(keys.span.clone(), message));
        if of.primary.is_empty() {
            return blame(
                "`of = \"difference\"` is that of the primary comparisons, and there is no `primary`",
            );
        }
        if of.two_player && !of.primary.iter().all(|&players| of.design.meet(players)) {
            return blame("`of = \"difference\"` needs primary comparisons of players who meet");
        }
    }
    Ok(StoppingRule::HalfWidth { at_most, of: precision })
}

fn sprt(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, Blame> {
    if !of.two_player {
        let message = "an SPRT is between two players of a game for two; for a solitaire write stopping.difference = \
                       { between = […] }";
        return Err(Blame::new(keys.span.clone(), message));
    }
    let players = keys.between(of)?;
    if !of.design.meet(players) {
        let message =
            format!("{} and {} do not meet here", of.players[players[0]].name, of.players[players[1]].name);
        return Err(Blame::new(keys.span.clone(), message));
    }
    let model = match keys.word("model", ["logistic", "normalized"])? {
        "normalized" => EloModel::Normalized,
        _ => EloModel::Logistic,
    };
    let range = (-Hypotheses::FURTHEST, Hypotheses::FURTHEST);
    let elo0 = number("elo0", keys.require("elo0", "between = […], elo0 = 0, elo1 = 10")?, range)?;
    let elo1 = number("elo1", keys.require("elo1", "between = […], elo0 = 0, elo1 = 10")?, range)?;
    let alpha = keys.number_or("alpha", 0.05, (0.0, 0.5))?;
    let beta = keys.number_or("beta", 0.05, (0.0, 0.5))?;
    let invalid = |error: crate::stats::InvalidTest| Blame::new(keys.span.clone(), error.to_string());
    Ok(StoppingRule::Sprt {
        players,
        hypotheses: Hypotheses::new(model, elo0, elo1).map_err(invalid)?,
        bounds: Bounds::new(alpha, beta).map_err(invalid)?,
    })
}

fn difference(keys: &Keys<'_, '_>, of: &Surroundings<'_>) -> Result<StoppingRule, Blame> {
    if of.two_player {
        let message = "`difference` compares success rates at a solitaire; for a game for two write stopping.sprt = \
                       { between = […], elo0 = 0, elo1 = 10 }";
        return Err(Blame::new(keys.span.clone(), message));
    }
    let players = keys.between(of)?;
    Ok(StoppingRule::Difference { players, alpha: keys.number_or("alpha", 0.05, (0.0, 1.0))? })
}
