//! The result of a derivation.

use std::fmt;

use serde::Serialize;

use crate::game::Tally;
use crate::stats::{Confidence, Estimate, Method, Moments, PairedCounts, clopper_pearson, tango};

/// The result of a case's derivation.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// One or several exact values.
    Exact(Vec<Value>),
    /// Successes among independent trials.
    Rate {
        /// The number of successes.
        successes: u64,
        /// Of how many.
        trials: u64,
    },
    /// The mean of independent values.
    Mean(Sample),
    /// The joint results of two players on the same instances.
    Paired(PairedCounts),
    /// Nothing, because something is missing. The text names it and says how to get it.
    Missing(String),
}

/// A value without error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// An integer.
    Whole(i64),
    /// A number, known to floating-point precision.
    Real(f64),
    /// A word, such as a result or a move.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Count, mean and variance of independent values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The number of values.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The unbiased variance.
    pub variance: f64,
}

impl Sample {
    /// The squared standard error of the mean.
    pub fn squared_error(&self) -> f64 {
        self.variance / self.count as f64
    }

    /// The sample of the values times `factor` plus `shift`.
    #[must_use]
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        Self { mean: self.mean * factor + shift, variance: self.variance * factor * factor, ..self }
    }
}

impl From<&Tally> for Sample {
    fn from(tally: &Tally) -> Self {
        Self { count: tally.playouts, mean: tally.mean(), variance: tally.variance() }
    }
}

impl From<&Moments> for Sample {
    fn from(moments: &Moments) -> Self {
        Self { count: moments.count(), mean: moments.mean(), variance: moments.variance() }
    }
}

impl Found {
    /// The number of trials; `None` if the result is exact or missing.
    pub fn trials(&self) -> Option<u64> {
        match self {
            Self::Exact(_) | Self::Missing(_) => None,
            Self::Rate { trials, .. } => Some(*trials),
            Self::Mean(sample) => Some(sample.count),
            Self::Paired(counts) => Some(counts.instances()),
        }
    }

    /// The estimate with its interval: Clopper–Pearson for a rate (coverage at least its level), normal for a mean, Tango for
    /// a paired difference. `None` if the result is exact or missing.
    pub fn estimate(&self, confidence: Confidence) -> Option<Estimate> {
        match self {
            Self::Exact(_) | Self::Missing(_) => None,
            Self::Rate { successes, trials } => Some(clopper_pearson(*successes, *trials, confidence)),
            Self::Mean(sample) => {
                let half = confidence.z() * sample.squared_error().sqrt();
                let (low, high) = (sample.mean - half, sample.mean + half);
                Some(Estimate { value: sample.mean, low, high, method: Method::Normal })
            }
            Self::Paired(counts) => Some(tango(*counts, confidence)),
        }
    }
}
