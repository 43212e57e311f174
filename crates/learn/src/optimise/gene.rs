//! Genes, their first values and their normalisation.

use crate::words::Problem;

/// A candidate: one number for each gene. Whole numbers and the indices of words are stored exactly.
pub type Genes = Vec<f64>;

/// Whole numbers up to this size are stored exactly.
const LARGEST_WHOLE: i64 = 1 << 53;

/// A coordinate of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gene {
    /// A real number; the bounds may be infinite.
    Real {
        /// The least value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// A whole number.
    Whole {
        /// The least value.
        low: i64,
        /// The largest value.
        high: i64,
    },
    /// A word of several, as an index from 0. Words have no order.
    Word {
        /// The number of words.
        count: usize,
    },
}

/// How the first value of a gene is drawn. A method with one starting point (`cma-es`, `spsa`) begins at the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Uniform within the bounds.
    Uniform,
    /// Uniform between two numbers, which may be narrower than the bounds.
    Between {
        /// The least first value.
        low: f64,
        /// The largest first value.
        high: f64,
    },
    /// Normal.
    Normal {
        /// The mean.
        centre: f64,
        /// The standard deviation.
        sd: f64,
    },
    /// Always this value.
    At(f64),
}

/// How a vector of genes is normalised: first centred, then scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalise {
    /// Whether the mean is subtracted.
    pub centre: bool,
    /// The largest absolute value afterwards. A vector of zeros stays as it is.
    pub largest: Option<f64>,
}

impl Normalise {
    /// Nothing is changed.
    pub const NONE: Self = Self { centre: false, largest: None };

    /// Normalises a vector.
    pub fn apply(&self, vector: &mut [f64]) {
        if self.centre && !vector.is_empty() {
            let mean = vector.iter().sum::<f64>() / vector.len() as f64;
            for gene in &mut *vector {
                *gene -= mean;
            }
        }
        let largest = vector.iter().fold(0.0_f64, |largest, gene| largest.max(gene.abs()));
        if let Some(wanted) = self.largest.filter(|_| largest > 0.0) {
            // Divided first, so that the largest becomes exactly the wanted one.
            for gene in vector {
                *gene = *gene / largest * wanted;
            }
        }
    }
}

impl Gene {
    /// The least and the largest value; those of a word are indices.
    pub fn bounds(self) -> (f64, f64) {
        match self {
            Self::Real { low, high } => (low, high),
            Self::Whole { low, high } => (low as f64, high as f64),
            Self::Word { count } => (0.0, count as f64 - 1.0),
        }
    }

    /// The nearest value that the gene can have.
    pub fn nearest(self, value: f64) -> f64 {
        let (low, high) = self.bounds();
        let value = if matches!(self, Self::Real { .. }) { value } else { libm::round(value) };
        value.clamp(low, high)
    }

    /// A value reflected at the bounds until it is inside. A whole number has half a unit of room beyond each.
    pub(super) fn reflected(self, value: f64) -> f64 {
        let room = if matches!(self, Self::Whole { .. }) { 0.5 } else { 0.0 };
        let (low, high) = self.bounds();
        let (low, high) = (low - room, high + room);
        if (low..=high).contains(&value) {
            return value;
        }
        let width = high - low;
        if width.is_finite() {
            let place = libm::fmod((value - low).abs(), 2.0 * width);
            low + place.min(2.0 * width - place)
        } else if value < low {
            2.0 * low - value
        } else {
            2.0 * high - value
        }
    }

    /// The number of values; `None` for a real number.
    pub fn values(self) -> Option<u64> {
        match self {
            Self::Real { .. } => None,
            Self::Whole { low, high } => Some(high.abs_diff(low).saturating_add(1)),
            Self::Word { count } => Some(count as u64),
        }
    }

    pub(super) fn check(self) -> Result<(), Problem> {
        match self {
            Self::Real { low, high } if low.is_nan() || high.is_nan() || low >= high => {
                let reason = format!("the bounds must be two numbers in rising order, not {low} and {high}");
                Err(Problem::new("within", reason))
            }
            Self::Whole { low, high } if low >= high || low < -LARGEST_WHOLE || high > LARGEST_WHOLE => {
                let reason = format!(
                    "the bounds must be two whole numbers in rising order, not {low} and {high}, and at most 2^53"
                );
                Err(Problem::new("within", reason))
            }
            Self::Word { count: 0 | 1 } => Err(Problem::new("words", "there must be at least two words")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_reflected_at_both_bounds() {
        let gene = Gene::Real { low: 1.0, high: 3.0 };
        for (value, inside) in
            [(2.5, 2.5), (0.5, 1.5), (3.5, 2.5), (5.5, 1.5), (-2.0, 2.0), (1.0, 1.0), (-1.0, 3.0)]
        {
            assert_eq!(gene.reflected(value), inside, "{value}");
        }
        let above = Gene::Real { low: 1.0, high: f64::INFINITY };
        assert_eq!((above.reflected(-4.0), above.reflected(9.0)), (6.0, 9.0));
        let below = Gene::Real { low: f64::NEG_INFINITY, high: 1.0 };
        assert_eq!(below.reflected(4.0), -2.0);
        assert_eq!(Gene::Whole { low: 0, high: 5 }.reflected(5.25), 5.25);
    }
}
