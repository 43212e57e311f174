//! The generalised log-likelihood ratio of two Elo hypotheses.
//!
//! Van den Bergh ("The generalized sequential probability ratio test", the mathematics behind fishtest): the
//! distribution of the scores is unknown, so each hypothesis is represented by the distribution under it that makes
//! the results most likely, by empirical likelihood.

use serde::Serialize;

use super::distribution::root;
use super::match_counts::normalized_scale;
use super::{MatchCounts, score_of_elo};

/// The unit of an Elo number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// The expected score: s = 1/(1 + 10^(−elo/400)).
    Logistic,
    /// The expected score less ½, in standard deviations of a game's score.
    Normalized,
}

/// Two hypotheses on a player's strength against another: `elo0` and `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    model: EloModel,
    elo0: f64,
    elo1: f64,
}

impl std::fmt::Display for Hypotheses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self.model {
            EloModel::Logistic => "Elo",
            EloModel::Normalized => "normalised Elo",
        };
        write!(f, "H0: {} {unit} and H1: {} {unit}", self.elo0, self.elo1)
    }
}

/// The reason why a sequential test is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestError(pub(super) String);

impl std::fmt::Display for TestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TestError {}

impl Hypotheses {
    /// The furthest Elo from 0 that a hypothesis may name.
    pub const FURTHEST: f64 = 1000.0;

    /// H0: the difference is `elo0`; H1: it is `elo1`.
    ///
    /// # Errors
    /// Returns an error if `elo0` is not less than `elo1`, or if one of them is further from 0 than
    /// [`FURTHEST`](Self::FURTHEST).
    pub fn new(model: EloModel, elo0: f64, elo1: f64) -> Result<Self, TestError> {
        if !(elo0.abs() <= Self::FURTHEST && elo1.abs() <= Self::FURTHEST) {
            return Err(TestError(format!(
                "elo0 and elo1 must be within ±{}, not {elo0} and {elo1}",
                Self::FURTHEST
            )));
        }
        if elo0 >= elo1 {
            return Err(TestError(format!(
                "elo0 must be less than elo1, but {elo0} is not less than {elo1}"
            )));
        }
        Ok(Self { model, elo0, elo1 })
    }

    /// The unit of the Elo numbers.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The Elo difference under H0.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference under H1.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }
}

/// A count of zero is replaced by this, as in fishtest: no result is impossible.
const ZERO_COUNT: f64 = 1e-3;

/// A distribution over scores: each score, and its probability.
type Distribution = Vec<(f64, f64)>;

/// The generalised log-likelihood ratio ln(L1/L0) of the results; 0 without results.
///
/// N·Σ p̂ ln(p1/p0), with the relative frequencies p̂ and the most likely distributions p0 and p1 under H0 and H1.
///
/// # Example: fishtest's number
/// ```
/// use shikou::stats::{EloModel, Hypotheses, MatchCounts, log_likelihood_ratio};
/// let hypotheses = Hypotheses::new(EloModel::Normalized, 0.0, 2.0)?;
/// let counts = MatchCounts::pairs([365, 16618, 36229, 16974, 390]);
/// assert!((log_likelihood_ratio(hypotheses, &counts) - 2.250368).abs() < 1e-6);
/// # Ok::<(), shikou::stats::TestError>(())
/// ```
pub fn log_likelihood_ratio(hypotheses: Hypotheses, counts: &MatchCounts) -> f64 {
    if counts.total() == 0 {
        return 0.0;
    }
    let raised = |count: f64| if count == 0.0 { ZERO_COUNT } else { count };
    let total: f64 = counts.scored().map(|(_, count)| raised(count)).sum();
    let shares: Distribution = counts.scored().map(|(score, count)| (score, raised(count) / total)).collect();
    let most_likely = |elo: f64| match hypotheses.model {
        EloModel::Logistic => with_mean(&shares, score_of_elo(elo)),
        EloModel::Normalized => with_t_value(&shares, elo * normalized_scale(counts.unit())),
    };
    let (p0, p1) = (most_likely(hypotheses.elo0), most_likely(hypotheses.elo1));
    let terms = shares.iter().zip(p0).zip(p1);
    total * terms.map(|((&(_, share), (_, p0)), (_, p1))| share * libm::log(p1 / p0)).sum::<f64>()
}

/// The most likely distribution with this mean: p̂/(1 + θ(a − s)).
fn with_mean(shares: &Distribution, mean: f64) -> Distribution {
    let deviations: Vec<f64> = shares.iter().map(|(score, _)| score - mean).collect();
    tilted(shares, &deviations).expect("a mean strictly between the lowest and highest score is attainable")
}

/// The most likely distribution with (μ − ½)/σ = t. The constraint is linearised at the last distribution found, starting
/// with the uniform one, until nothing changes.
fn with_t_value(shares: &Distribution, t: f64) -> Distribution {
    let uniform = 1.0 / shares.len() as f64;
    let mut found: Distribution = shares.iter().map(|&(score, _)| (score, uniform)).collect();
    let mut trust = 1.0;
    for _ in 0..500 {
        let mean: f64 = found.iter().map(|(score, p)| score * p).sum();
        let variance: f64 = found.iter().map(|(score, p)| p * (score - mean) * (score - mean)).sum();
        let deviations: Vec<f64> = shares
            .iter()
            .map(|(score, _)| {
                score - 0.5 - 0.5 * t * (variance.sqrt() + (score - mean) * (score - mean) / variance.sqrt())
            })
            .collect();
        // If the linear constraint cannot be met, the previous step was too long: move towards the side that the
        // constraint needs.
        let next = tilted(shares, &deviations).unwrap_or_else(|| {
            trust = 0.25;
            towards(&found, if t > 0.0 { found.len() - 1 } else { 0 })
        });
        let moved = found.iter().zip(&next).map(|(old, new)| (old.1 - new.1).abs()).fold(0.0, f64::max);
        for (old, new) in found.iter_mut().zip(next) {
            old.1 += trust * (new.1 - old.1);
        }
        if moved < 1e-13 {
            break;
        }
    }
    found
}

/// The distribution with half of its mass moved to one class.
fn towards(distribution: &Distribution, class: usize) -> Distribution {
    let half = |(index, &(score, p)): (usize, &(f64, f64))| {
        (score, 0.5 * p + if index == class { 0.5 } else { 0.0 })
    };
    distribution.iter().enumerate().map(half).collect()
}

/// p̂/(1 + θd) for the root θ of Σ p̂ d/(1 + θd) = 0; `None` if no distribution has Σ p d = 0.
fn tilted(shares: &Distribution, deviations: &[f64]) -> Option<Distribution> {
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let most = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let balance = |theta: f64| {
        shares.iter().zip(deviations).map(|(&(_, share), d)| share * d / (1.0 + theta * d)).sum::<f64>()
    };
    let theta = root(balance, -1.0 / most, -1.0 / least);
    Some(
        shares
            .iter()
            .zip(deviations)
            .map(|(&(score, share), d)| (score, share / (1.0 + theta * d)))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// From fishtest's code, to six decimal places.
    #[test]
    fn ratios_agree_with_fishtest() {
        let (normalized, logistic) = (EloModel::Normalized, EloModel::Logistic);
        let golden = [
            (normalized, 0.0, 2.0, MatchCounts::pairs([365, 16618, 36229, 16974, 390]), 2.250368),
            (normalized, -1.75, 0.25, MatchCounts::pairs([127, 4883, 10712, 5150, 104]), 3.010154),
            (logistic, 0.5, 2.5, MatchCounts::pairs([223, 9863, 21279, 10037, 246]), -3.074126),
            (normalized, 0.0, 2.0, MatchCounts::games([36027, 68692, 36433]), 0.923293),
        ];
        for (model, elo0, elo1, counts, expected) in golden {
            let ratio = log_likelihood_ratio(Hypotheses::new(model, elo0, elo1).unwrap(), &counts);
            assert!((ratio - expected).abs() < 1e-6, "{counts:?}: {ratio}");
        }
    }

    /// Without draws, the ratio is that of Wald's test of two rates.
    #[test]
    fn two_outcomes_give_walds_ratio() {
        let elo1 = crate::elo_of_score(0.55);
        let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, elo1).unwrap();
        let ratio = log_likelihood_ratio(hypotheses, &MatchCounts::games([40, 0, 70]));
        let wald = 70.0 * libm::log(0.55 / 0.5) + 40.0 * libm::log(0.45 / 0.5);
        assert!((ratio - wald).abs() < 2e-4, "{ratio} {wald}");
    }

    /// Every result gives a finite number, a most likely distribution meets its constraint, and mirrored results give the
    /// negated number.
    #[test]
    fn extreme_results_give_finite_ratios() {
        let mut rng = (Stream::new(1) / "results").rng();
        for case in 0..3000 {
            let counts =
                [(); 5].map(|()| if rng.below(2) == 0 { 0 } else { rng.below(10_u64.pow(case % 6)) });
            let elo = rng.unit() * 60.0 - 30.0;
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let ratio = |elo0, elo1, counts| {
                    log_likelihood_ratio(
                        Hypotheses::new(model, elo0, elo1).unwrap(),
                        &MatchCounts::pairs(counts),
                    )
                };
                let there = ratio(elo, elo + 5.0, counts);
                let mut mirrored = counts;
                mirrored.reverse();
                let back = ratio(-elo - 5.0, -elo, mirrored);
                assert!(
                    there.is_finite() && (there + back).abs() < 1e-6 * (1.0 + there.abs()),
                    "{model:?} {elo} {counts:?} {there} {back}"
                );
            }
        }
    }

    #[test]
    fn constraints_hold_for_extreme_hypotheses() {
        for t in [-2.0, -0.5, -0.01, 0.0, 0.01, 0.5, 1.0, 2.0] {
            for shares in [[0.2; 5], [0.001, 0.001, 0.996, 0.001, 0.001], [0.9, 0.01, 0.04, 0.03, 0.02]] {
                let shares: Distribution =
                    shares.iter().enumerate().map(|(i, &p)| (i as f64 / 4.0, p)).collect();
                let found = with_t_value(&shares, t);
                let mean: f64 = found.iter().map(|(score, p)| score * p).sum();
                let variance: f64 = found.iter().map(|(score, p)| p * (score - mean).powi(2)).sum();
                let total: f64 = found.iter().map(|(_, p)| p).sum();
                assert!(
                    (total - 1.0).abs() < 1e-9 && ((mean - 0.5) / variance.sqrt() - t).abs() < 1e-6,
                    "{t} {shares:?} {found:?}"
                );
            }
        }
    }

    #[test]
    fn invalid_hypotheses_are_errors() {
        let message = |elo0, elo1| Hypotheses::new(EloModel::Logistic, elo0, elo1).unwrap_err().to_string();
        assert_eq!(message(5.0, 0.0), "elo0 must be less than elo1, but 5 is not less than 0");
        assert!(message(f64::NAN, 0.0).contains("within ±1000"));
    }
}
