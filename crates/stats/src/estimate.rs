//! An estimate: a value, its interval, and the interval's method.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::distribution::normal_quantile;

/// A confidence level, such as 95 %, with its normal quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    level: f64,
    z: f64,
}

impl Confidence {
    /// A two-sided confidence level, strictly between 0 and 1: `Confidence::new(0.95)`.
    ///
    /// # Panics
    /// If the level is not strictly between 0 and 1.
    pub fn new(level: f64) -> Self {
        assert!(level > 0.0 && level < 1.0, "a confidence level must be between 0 and 1, not {level}");
        Self { level, z: normal_quantile(0.5 + level / 2.0) }
    }

    /// 95 %, the default everywhere.
    pub fn default_level() -> Self {
        Self::new(0.95)
    }

    /// The level, between 0 and 1.
    pub const fn level(self) -> f64 {
        self.level
    }

    /// α = 1 − level, the probability of missing the truth.
    pub const fn alpha(self) -> f64 {
        1.0 - self.level
    }

    /// z = Φ⁻¹(1 − α/2).
    pub const fn z(self) -> f64 {
        self.z
    }
}

/// The method of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Wilson's score interval for a binary outcome.
    Wilson,
    /// Clopper and Pearson's exact interval for a binary outcome.
    ClopperPearson,
    /// Equal tails of the posterior of a binary outcome under Jeffreys' prior.
    Jeffreys,
    /// Wilson's interval with n = effective number of trials, because trials came in clusters.
    WilsonClustered,
    /// Clopper and Pearson's interval with n = pairs, for pairs of equal points.
    ExactOnPairs,
    /// Clopper and Pearson's interval with n = games, for games of equal points.
    ExactOnGames,
    /// Newcombe's interval for the difference of two independent values, from the limits of each.
    Newcombe,
    /// Tango's score interval for the difference of paired rates.
    Tango,
    /// Newcombe's method 10 for the difference of paired rates.
    NewcombePaired,
    /// Bonett and Price's interval for the difference of paired rates.
    BonettPrice,
    /// Normal, from the variance of the values.
    Normal,
    /// Student's t, from the variance of the values, or of the residual of a model.
    StudentT,
    /// Student's t for scores in `[0, 1]`, from the scores and two more, 0 and 1.
    StudentPlusTwo,
    /// Bias-corrected and accelerated bootstrap.
    Bootstrap,
    /// Quantiles of the bootstrap.
    BootstrapPercentile,
    /// Two order statistics around the median.
    OrderStatistics,
    /// Median-unbiased after a sequential test, by stage-wise ordering of a Brownian motion.
    StageWise,
    /// Beta-binomial mixture confidence sequence: holds at all looks together.
    BetaBinomial,
    /// Betting confidence sequence: holds at all looks together.
    Betting,
    /// The interval that a source published, whatever its method.
    Published,
    /// No interval: there were too few trials, or all values were equal.
    None,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Wilson => "Wilson",
            Self::ClopperPearson => "Clopper–Pearson",
            Self::Jeffreys => "Jeffreys",
            Self::WilsonClustered => "Wilson with effective n",
            Self::ExactOnPairs => "Clopper–Pearson with n = pairs",
            Self::ExactOnGames => "Clopper–Pearson with n = games",
            Self::Newcombe => "Newcombe",
            Self::Tango => "Tango",
            Self::NewcombePaired => "Newcombe 10",
            Self::BonettPrice => "Bonett–Price",
            Self::Normal => "normal",
            Self::StudentT => "Student's t",
            Self::StudentPlusTwo => "Student's t, plus two",
            Self::Bootstrap => "BCa bootstrap",
            Self::BootstrapPercentile => "percentile bootstrap",
            Self::OrderStatistics => "order statistics",
            Self::StageWise => "median-unbiased, stage-wise",
            Self::BetaBinomial => "beta-binomial, anytime",
            Self::Betting => "betting, anytime",
            Self::Published => "as published",
            Self::None => "none",
        })
    }
}

/// A value with its interval, both in the value's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    #[serde(deserialize_with = "read_value")]
    pub value: f64,
    /// The lower end of the interval.
    #[serde(deserialize_with = "read_low")]
    pub low: f64,
    /// The upper end of the interval.
    #[serde(deserialize_with = "read_high")]
    pub high: f64,
    /// The method of the interval.
    pub method: Method,
}

/// JSON writes NaN and ±∞ as `null`.
fn read_or<'de, D: serde::Deserializer<'de>>(reader: D, null: f64) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(reader)?.unwrap_or(null))
}

fn read_value<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    read_or(reader, f64::NAN)
}

fn read_low<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    read_or(reader, f64::NEG_INFINITY)
}

fn read_high<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    read_or(reader, f64::INFINITY)
}

impl Estimate {
    /// A value without an interval: that is (−∞, ∞) and its method is `None`.
    pub const fn of(value: f64) -> Self {
        Self { value, low: f64::NEG_INFINITY, high: f64::INFINITY, method: Method::None }
    }

    /// A value in the middle of an interval, with half the width of it.
    pub const fn around(value: f64, half: f64, method: Method) -> Self {
        Self { value, low: value - half, high: value + half, method }
    }

    /// The value alone.
    #[must_use]
    pub const fn without_interval(self) -> Self {
        Self::of(self.value)
    }

    /// Cuts the interval to the range of the value.
    #[must_use]
    pub const fn within(self, [least, most]: [f64; 2]) -> Self {
        Self { low: self.low.max(least), high: self.high.min(most), ..self }
    }

    /// Maps the value and both ends through a non-decreasing function, to another scale.
    #[must_use]
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { value: rising(self.value), low: rising(self.low), high: rising(self.high), ..self }
    }
}
