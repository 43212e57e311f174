//! The correlation of two players' values on the same instances.

use super::{Confidence, Estimate, Moments, mean_interval};

/// The means, variances and covariance of two paired series, updated one instance at a time.
///
/// # Example
/// ```
/// use shikou::stats::PairedMoments;
/// let paired: PairedMoments = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)].into_iter().collect();
/// assert!((paired.correlation().unwrap() - 0.981980506).abs() < 1e-9);
/// // var 1 + var 7/3, compared with var 1/3 of the difference: ten times fewer instances.
/// assert!((paired.variance_reduction().unwrap() - 10.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedMoments {
    first: Moments,
    second: Moments,
    difference: Moments,
}

impl PairedMoments {
    /// Adds the values of one instance.
    pub fn push(&mut self, first: f64, second: f64) {
        self.first.push(first);
        self.second.push(second);
        self.difference.push(first - second);
    }

    /// The moments of the first player's values.
    pub const fn first(&self) -> &Moments {
        &self.first
    }

    /// The moments of the second player's values.
    pub const fn second(&self) -> &Moments {
        &self.second
    }

    /// The mean difference, first less second, with its interval.
    pub fn difference(&self, confidence: Confidence) -> Estimate {
        mean_interval(&self.difference, confidence)
    }

    /// The correlation of the two series; `None` if one of them does not vary.
    pub fn correlation(&self) -> Option<f64> {
        let (x, y) = (self.first.variance(), self.second.variance());
        let covariance = (x + y - self.difference.variance()) / 2.0;
        (x > 0.0 && y > 0.0).then(|| (covariance / (x * y).sqrt()).clamp(-1.0, 1.0))
    }

    /// The variance-reduction factor (var x + var y)/var(x − y): with different instances for each player, this many times
    /// more would be needed. `None` if the difference does not vary.
    pub fn variance_reduction(&self) -> Option<f64> {
        let together = self.difference.variance();
        (together > 0.0).then(|| (self.first.variance() + self.second.variance()) / together)
    }
}

impl Extend<(f64, f64)> for PairedMoments {
    fn extend<I: IntoIterator<Item = (f64, f64)>>(&mut self, values: I) {
        values.into_iter().for_each(|(first, second)| self.push(first, second));
    }
}

impl FromIterator<(f64, f64)> for PairedMoments {
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(values: I) -> Self {
        let mut moments = Self::default();
        moments.extend(values);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairedCounts;

    #[test]
    fn binary_values_agree_with_the_table() {
        let table = PairedCounts { both: 20, only_first: 12, only_second: 2, neither: 16 };
        let values = [(20, 1.0, 1.0), (12, 1.0, 0.0), (2, 0.0, 1.0), (16, 0.0, 0.0)];
        let paired: PairedMoments =
            values.into_iter().flat_map(|(n, x, y)| std::iter::repeat_n((x, y), n)).collect();
        assert!((paired.correlation().unwrap() - table.correlation().unwrap()).abs() < 1e-12);
        assert!((paired.variance_reduction().unwrap() - table.variance_reduction().unwrap()).abs() < 1e-12);
        assert!((paired.difference(Confidence::new(0.95)).value - 0.2).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        let paired: PairedMoments = [(1.0, 2.0), (1.0, 2.0)].into_iter().collect();
        assert_eq!((paired.correlation(), paired.variance_reduction()), (None, None));
    }
}
