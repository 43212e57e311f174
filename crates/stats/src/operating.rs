//! The operating characteristics of a sequential test: acceptance probability and expected length.

use serde::Serialize;

use super::match_counts::normalized_scale;
use super::{Bounds, EloModel, Hypotheses, Unit, score_of_elo};

/// The behaviour of a sequential test at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Operating {
    /// The assumed true Elo difference, in the unit of the hypotheses.
    pub elo: f64,
    /// The probability of accepting H1.
    pub accept_h1: f64,
    /// The expected number of games or pairs.
    pub expected: f64,
}

/// The log-likelihood ratio as a Brownian motion: its drift and variance per unit.
///
/// Logistic: μ = (s − (s0+s1)/2)(s1−s0)/v and σ² = (s1−s0)²/v. Normalised: the same with s in standard deviations and
/// v = 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// (s0 + s1)/2.
    middle: f64,
    /// √v.
    deviation: f64,
    /// σ = (s1 − s0)/√v, the standard deviation of the ratio per unit.
    pub(super) sigma: f64,
}

impl Motion {
    pub(super) fn new(hypotheses: Hypotheses, unit: Unit, variance: f64) -> Self {
        let deviation = match hypotheses.model() {
            EloModel::Logistic => variance.sqrt(),
            EloModel::Normalized => 1.0,
        };
        let place = |elo| place(hypotheses.model(), unit, elo);
        let (s0, s1) = (place(hypotheses.elo0()), place(hypotheses.elo1()));
        Self { middle: f64::midpoint(s0, s1), deviation, sigma: (s1 - s0) / deviation }
    }

    /// The drift per unit, in standard deviations of the ratio, if the truth is `place`.
    pub(super) fn drift(self, place: f64) -> f64 {
        (place - self.middle) / self.deviation
    }

    /// The truth at which the drift has this value.
    pub(super) fn place(self, drift: f64) -> f64 {
        self.middle + drift * self.deviation
    }
}

/// An Elo difference as an expected score, or in standard deviations of a unit's score.
fn place(model: EloModel, unit: Unit, elo: f64) -> f64 {
    match model {
        EloModel::Logistic => score_of_elo(elo),
        EloModel::Normalized => elo * normalized_scale(unit),
    }
}

/// The probability that a sequential test accepts H1, and its expected length, if the true difference is `elo`. Uses the
/// Brownian approximation: real tests overshoot their bounds and take a little longer.
///
/// `variance` is the variance of one unit's score. It matters to the logistic model only: ¼ for games without draws; for
/// pairs half that or less.
///
/// # Panics
/// If the variance is not positive.
///
/// # Example: 0 against 5 Elo, in games without draws
/// ```
/// use shikou::stats::{Bounds, EloModel, Hypotheses, Unit, operating};
/// let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 5.0)?;
/// let bounds = Bounds::new(0.05, 0.05)?;
/// let none = operating(hypotheses, bounds, Unit::Games, 0.25, 0.0);
/// assert!((none.accept_h1 - 0.05).abs() < 1e-4 && none.expected.round() == 25594.0);
/// # Ok::<(), shikou::stats::TestError>(())
/// ```
pub fn operating(hypotheses: Hypotheses, bounds: Bounds, unit: Unit, variance: f64, elo: f64) -> Operating {
    assert!(variance > 0.0, "a variance must be positive, not {variance}");
    let motion = Motion::new(hypotheses, unit, variance);
    let drift = motion.drift(place(hypotheses.model(), unit, elo));
    let (a, b) = (bounds.lower / motion.sigma, bounds.upper / motion.sigma);
    let accept_h1 = upper_first(drift, a, b);
    let expected =
        if (drift * (b - a)).abs() < 1e-6 { -a * b } else { (accept_h1 * b + (1.0 - accept_h1) * a) / drift };
    Operating { elo, accept_h1, expected }
}

/// The probability that a Brownian motion with this drift, started at 0, reaches `b` > 0 before `a` < 0:
/// (1 − e^{−ha})/(e^{−hb} − e^{−ha}) with h twice the drift.
pub(super) fn upper_first(drift: f64, a: f64, b: f64) -> f64 {
    let h = 2.0 * drift;
    if (h * (b - a)).abs() < 1e-9 {
        -a / (b - a)
    } else if h > 0.0 {
        libm::expm1(h * a) / libm::expm1(h * (a - b))
    } else {
        libm::exp(h * b) * libm::expm1(-h * a) / libm::expm1(h * (b - a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(model: EloModel, unit: Unit, elo: f64) -> Operating {
        let hypotheses = Hypotheses::new(model, 0.0, 5.0).unwrap();
        operating(hypotheses, Bounds::new(0.05, 0.05).unwrap(), unit, 0.25, elo)
    }

    /// The published lengths, to one game.
    #[test]
    fn expected_lengths_are_the_published() {
        for (elo, games) in [(0.0, 25594.0), (2.5, 41867.0), (10.0, 9479.0)] {
            let found = at(EloModel::Logistic, Unit::Games, elo);
            assert_eq!(found.expected.round(), games, "{elo}: {found:?}");
        }
    }

    #[test]
    fn error_rates_are_those_asked_for() {
        for (model, unit) in [(EloModel::Normalized, Unit::Pairs), (EloModel::Normalized, Unit::Games)] {
            assert!((at(model, unit, 0.0).accept_h1 - 0.05).abs() < 1e-12);
            assert!((at(model, unit, 5.0).accept_h1 - 0.95).abs() < 1e-12);
        }
        assert!((at(EloModel::Logistic, Unit::Games, 2.5).accept_h1 - 0.5).abs() < 1e-4);
    }

    #[test]
    fn extreme_truths_give_finite_lengths() {
        assert_eq!(at(EloModel::Logistic, Unit::Games, 900.0).accept_h1, 1.0);
        assert!(at(EloModel::Logistic, Unit::Games, -900.0).accept_h1 < 1e-100);
        let near = [2.4, 2.499_99, 2.5, 2.500_01, 2.6].map(|elo| at(EloModel::Logistic, Unit::Games, elo));
        assert!(near.windows(2).all(|pair| pair[0].accept_h1 < pair[1].accept_h1));
        assert!(near.iter().all(|found| (found.expected / 41867.0 - 1.0).abs() < 0.01), "{near:?}");
        let rare = at(EloModel::Normalized, Unit::Games, -20.0).accept_h1;
        assert!(rare > 0.0 && rare < 1e-10);
    }
}
