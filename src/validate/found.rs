//! What was derived here.

use std::fmt;

use serde::Serialize;

use crate::game::Tally;
use crate::stats::{Confidence, Estimate, Method, Moments, PairedCounts, clopper_pearson, tango};

/// What a case came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Exact values, one or several.
    Exact(Vec<Value>),
    /// Successes among independent trials.
    Rate {
        /// How many succeeded.
        successes: u64,
        /// Of how many.
        trials: u64,
    },
    /// A mean over independent values.
    Mean(Sample),
    /// How often each of two strategies succeeded on the same instances.
    Paired(PairedCounts),
    /// Nothing, because something is not there; what it is, and how it would come to be.
    Missing(String),
}

/// A value that has no error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(i64),
    /// A number that is known to the precision of floating point.
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

/// What is kept of independent values: their count, mean and variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Their unbiased variance.
    pub variance: f64,
}

impl Sample {
    /// The squared standard error of the mean.
    pub fn squared_error(&self) -> f64 {
        self.variance / self.count as f64
    }

    /// The same values, each times `factor` and moved by `shift`.
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
    /// How many trials stand behind it; none where it is exact or missing.
    pub fn trials(&self) -> Option<u64> {
        match self {
            Self::Exact(_) | Self::Missing(_) => None,
            Self::Rate { trials, .. } => Some(*trials),
            Self::Mean(sample) => Some(sample.count),
            Self::Paired(counts) => Some(counts.instances()),
        }
    }

    /// The estimate with its interval: of a rate Clopper and Pearson's, whose level is never less than it says, of a mean
    /// the normal one, of a paired difference Tango's. `None` for what is exact or missing.
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
