//! The Elo scale.

use serde::{Deserialize, Serialize};

use super::{Estimate, Method};

/// The Elo difference at which a player is expected to score `score`: −400·log₁₀(1/s − 1); ∓∞ at 0 and 1.
///
/// # Example
/// ```
/// use shikou::stats::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    if score == 0.5 { 0.0 } else { -400.0 * libm::log10(1.0 / score - 1.0) }
}

/// The score in `[0, 1]` that is expected at an Elo difference: 1/(1 + 10^(−elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// An Elo difference with its interval. Infinite values are `None`: a player that won everything has only a lower
/// bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloInterval {
    /// The estimate; `None` if the score is 0 or 1, or nothing was played.
    pub value: Option<f64>,
    /// The lower end; `None` if infinite.
    pub low: Option<f64>,
    /// The upper end; `None` if infinite.
    pub high: Option<f64>,
    /// The method of the score's interval.
    pub method: Method,
}

impl EloInterval {
    /// Maps the interval of a score in `[0, 1]` to Elo.
    pub fn of_score(score: Estimate) -> Self {
        let inside = |score: f64| (score > 0.0 && score < 1.0).then(|| elo_of_score(score));
        Self {
            value: inside(score.value),
            low: inside(score.low),
            high: inside(score.high),
            method: score.method,
        }
    }

    /// Half the width of the interval, printed after ±. The interval itself is not symmetric.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_goes_both_ways() {
        for elo in [-800.0, -12.5, 0.0, 3.0, 200.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9, "{elo}");
        }
    }
}
