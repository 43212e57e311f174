//! Intervals for the mean of bounded values that are valid at any time.

use super::root::root;
use super::{Confidence, Estimate, Method};

/// The largest fraction of the capital that may be lost in one bet.
const MOST: f64 = 0.5;

/// The betting confidence sequence for the mean of values in `[0, 1]`, such as pair scores: hedged capital with
/// predictable plug-in bets (Waudby-Smith, Ramdas 2024, J. R. Stat. Soc. B 86, "Estimating means of bounded random
/// variables by betting").
///
/// With probability at least the level, it covers the true mean after every number of values. The values need not be
/// independent: it suffices that each has the same mean given the past.
///
/// # Cost
/// 16 bytes per value; computing an interval passes over all values about forty times.
///
/// # Example
/// ```
/// use shikou::stats::{BettingSequence, Confidence};
/// let mut sequence = BettingSequence::new(Confidence::new(0.95));
/// (0..400).for_each(|i| sequence.push(if i % 4 == 0 { 0.5 } else { 0.75 }));
/// let mean = sequence.interval();
/// assert!(mean.low > 0.6 && mean.value == 0.6875 && mean.high < 0.75);
/// ```
#[derive(Clone, Debug)]
pub struct BettingSequence {
    confidence: Confidence,
    /// Each value, with the size of the bet on it.
    bets: Vec<(f64, f64)>,
    sum: f64,
    squares: f64,
}

impl BettingSequence {
    /// A sequence without values.
    pub const fn new(confidence: Confidence) -> Self {
        Self { confidence, bets: Vec::new(), sum: 0.0, squares: 0.0 }
    }

    /// Adds the next value, in trial order.
    ///
    /// # Panics
    /// If the value is not in `[0, 1]`.
    pub fn push(&mut self, value: f64) {
        assert!((0.0..=1.0).contains(&value), "a bounded value must be in [0, 1], not {value}");
        let t = self.bets.len() as f64 + 1.0;
        // λ = √(2 ln(2/α)/(σ̂² t ln(t + 1))), from the values before this one.
        let variance = (0.25 + self.squares) / t;
        let bet =
            (2.0 * libm::log(2.0 / self.confidence.alpha()) / (variance * t * libm::log(t + 1.0))).sqrt();
        self.bets.push((value, bet));
        self.sum += value;
        let mean = (0.5 + self.sum) / (t + 1.0);
        self.squares += (value - mean) * (value - mean);
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.bets.len() as u64
    }

    /// The mean so far, with the interval that holds at all looks together. Without values it is [0, 1].
    pub fn interval(&self) -> Estimate {
        if self.bets.is_empty() {
            return Estimate { value: 0.0, low: 0.0, high: 1.0, method: Method::None };
        }
        let value = self.sum / self.bets.len() as f64;
        // Half the capital on each side: a side rules a mean out at 2/α.
        let limit = libm::log(2.0 / self.confidence.alpha());
        let low = root(|mean| self.capital(mean, 1.0) - limit, 0.0, 1.0);
        let high = root(|mean| self.capital(mean, -1.0) - limit, 0.0, 1.0);
        let low = if self.capital(0.0, 1.0) < limit { 0.0 } else { low };
        let high = if self.capital(1.0, -1.0) < limit { 1.0 } else { high };
        Estimate { value, low: low.min(value), high: high.max(value), method: Method::Betting }
    }

    /// The logarithm of the capital of a gambler who bets that the mean is above (`side` 1) or below (−1) `mean`. It
    /// decreases (or increases) with `mean`.
    fn capital(&self, mean: f64, side: f64) -> f64 {
        let room = if side > 0.0 { mean } else { 1.0 - mean };
        let growth = |&(value, bet): &(f64, f64)| 1.0 + side * bet.min(MOST / room) * (value - mean);
        // Products of eight factors, so that one logarithm is taken per eight factors.
        self.bets.chunks(8).map(|chunk| libm::log(chunk.iter().map(growth).product::<f64>())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// A mean, and a function from a uniform number to a value with this mean.
    type Law = (f64, fn(f64) -> f64);

    /// 300 runs of 500 values, with a look after every fourth: at least 95 % cover the mean at all looks.
    #[test]
    fn the_mean_is_held_at_all_looks() {
        let confidence = Confidence::new(0.95);
        let laws: [Law; 3] =
            [(0.5, |u| (u * 5.0).floor() / 4.0), (0.5, |u| u), (0.05, |u| f64::from(u8::from(u < 0.05)))];
        for (number, (mean, law)) in laws.into_iter().enumerate() {
            let mut held = 0;
            for run in 0..300 {
                let mut rng = (Stream::new(number as u64) / "betting" / run).rng();
                let mut sequence = BettingSequence::new(confidence);
                let mut holds = true;
                for n in 1..=500 {
                    sequence.push(law(rng.unit()));
                    if n % 4 == 0 {
                        let interval = sequence.interval();
                        holds &= interval.low <= mean && mean <= interval.high;
                    }
                }
                held += u32::from(holds);
            }
            assert!(held >= 285, "law {number}: {held} of 300");
        }
    }

    #[test]
    fn the_interval_shrinks_around_the_mean_and_mirrors() {
        let sequence = |values: &mut dyn Iterator<Item = f64>| {
            let mut sequence = BettingSequence::new(Confidence::new(0.95));
            values.for_each(|value| sequence.push(value));
            sequence.interval()
        };
        let (short, long) = (
            sequence(&mut (0..50).map(|i| f64::from(i % 5) / 4.0)),
            sequence(&mut (0..5000).map(|i| f64::from(i % 5) / 4.0)),
        );
        assert!(long.low > short.low && long.high < short.high && long.high - long.low < 0.07, "{long:?}");
        let mirrored = sequence(&mut (0..50).map(|i| 1.0 - f64::from(i % 5) / 4.0));
        assert!((short.low + mirrored.high - 1.0).abs() < 1e-9, "{short:?} {mirrored:?}");
        let ones = sequence(&mut std::iter::repeat_n(1.0, 100));
        assert!(ones.high == 1.0 && ones.low > 0.8, "{ones:?}");
        assert_eq!(sequence(&mut std::iter::empty()).method, Method::None);
    }
}
