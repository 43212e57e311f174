//! An estimate: a value, its interval, and by which method.

use std::fmt;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// A confidence level, such as 95 %, with the normal quantile that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    level: f64,
    z: f64,
}

impl Confidence {
    /// The two-sided level `level`, strictly between 0 and 1: `Confidence::new(0.95)`.
    ///
    /// # Panics
    /// Where the level is not between 0 and 1.
    pub fn new(level: f64) -> Self {
        assert!(level > 0.0 && level < 1.0, "a confidence level lies between 0 and 1, not at {level}");
        Self { level, z: Normal::standard().inverse_cdf(0.5 + level / 2.0) }
    }

    /// 95 %, the default everywhere.
    pub fn default_level() -> Self {
        Self::new(0.95)
    }

    /// The level, between 0 and 1.
    pub const fn level(self) -> f64 {
        self.level
    }

    /// z = Φ⁻¹(1 − α/2).
    pub const fn z(self) -> f64 {
        self.z
    }
}

/// How an interval was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Wilson's score interval for a binary outcome.
    Wilson,
    /// Normal, from the variance of the values.
    Normal,
    /// Wilson with n = pairs, because all pair scores were equal.
    WilsonOnPairs,
    /// None: there were too few trials, or all were equal.
    None,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Wilson => "Wilson",
            Self::Normal => "normal",
            Self::WilsonOnPairs => "Wilson with n = pairs",
            Self::None => "none",
        })
    }
}

/// A value with its interval, both in the value's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How the interval was computed.
    pub method: Method,
}

impl Estimate {
    /// The value alone: the interval reaches from −∞ to ∞, and the method says that there is none.
    #[must_use]
    pub const fn without_interval(self) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, method: Method::None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!((Confidence::new(0.95).z() - 1.959963984540054).abs() < 1e-12);
        assert!((Confidence::new(0.999).z() - 3.290526731491926).abs() < 1e-11);
        assert!((Confidence::new(1.0 - 1e-6).z() - 4.891_638_475_698_59).abs() < 1e-9);
    }
}
