//! A sample and its bootstrap resamples.

use std::cmp::Ordering;

use super::beta::binomial_pmf;
use crate::rng::Rng;

/// The distinct rows of a sample, with their counts.
pub(super) struct Sample {
    pub(super) distinct: Vec<Vec<f64>>,
    pub(super) counts: Vec<u64>,
    pub(super) instances: usize,
    /// For each instance, in sorted order, the index of its distinct row.
    places: Vec<u32>,
    columns: usize,
}

impl Sample {
    /// The sample of a table with one row per instance.
    pub(super) fn new(rows: &[impl AsRef<[f64]>]) -> Self {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        assert!(
            rows.iter().all(|row| row.as_ref().len() == columns),
            "rows must have a value for every player"
        );
        let mut sorted: Vec<&[f64]> = rows.iter().map(AsRef::as_ref).collect();
        let compare = |x: &&[f64], y: &&[f64]| {
            let values = x.iter().zip(*y).map(|(x, y)| x.total_cmp(y));
            values.fold(Ordering::Equal, Ordering::then)
        };
        sorted.sort_by(compare);
        let mut distinct: Vec<Vec<f64>> = Vec::new();
        let (mut counts, mut places) = (Vec::new(), Vec::with_capacity(rows.len()));
        for row in sorted {
            if distinct.last().is_some_and(|last| compare(&last.as_slice(), &row).is_eq()) {
                *counts.last_mut().expect("a distinct row has a count") += 1;
            } else {
                distinct.push(row.to_vec());
                counts.push(1);
            }
            places.push(counts.len() as u32 - 1);
        }
        Self { distinct, counts, instances: rows.len(), places, columns }
    }

    /// The sample of different rows, with the number of instances that have each.
    pub(super) fn of_counts(rows: &[(Vec<f64>, u64)]) -> Self {
        let counts: Vec<u64> = rows.iter().map(|(_, count)| *count).collect();
        let repeated = |(row, &count): (usize, &u64)| std::iter::repeat_n(row as u32, count as usize);
        let places: Vec<u32> = counts.iter().enumerate().flat_map(repeated).collect();
        Self {
            columns: rows.first().map_or(0, |(row, _)| row.len()),
            instances: places.len(),
            distinct: rows.iter().map(|(row, _)| row.clone()).collect(),
            counts,
            places,
        }
    }

    /// Whether a resample is drawn as a multinomial over the distinct rows. With n instances and d distinct rows this takes
    /// about √(n·d) steps, instead of n for drawing each instance.
    pub(super) fn is_drawn_by_counts(&self) -> bool {
        16 * self.distinct.len() < self.instances
    }

    /// Draws a resample: the number of times that each distinct row occurs.
    pub(super) fn draw(&self, rng: &mut Rng, counts: &mut [u64]) {
        if self.is_drawn_by_counts() {
            let (mut left, mut weight) = (self.instances as u64, self.instances as u64);
            for (drawn, &count) in counts.iter_mut().zip(&self.counts) {
                *drawn =
                    if count == weight { left } else { binomial(left, count as f64 / weight as f64, rng) };
                left -= *drawn;
                weight -= count;
            }
            return;
        }
        counts.fill(0);
        for _ in 0..self.instances {
            let instance = rng.below(self.instances as u64);
            counts[self.places[instance as usize] as usize] += 1;
        }
    }

    /// The mean of each column for these counts of the distinct rows.
    pub(super) fn means(&self, counts: &[u64]) -> Vec<f64> {
        let mut means = vec![0.0; self.columns];
        for (row, &count) in self.distinct.iter().zip(counts).filter(|(_, count)| **count > 0) {
            means.iter_mut().zip(row).for_each(|(mean, value)| *mean += count as f64 * value);
        }
        means.into_iter().map(|mean| mean / self.instances as f64).collect()
    }
}

/// A binomial random number: `n` trials with the rate `rate`. Inverts the distribution by summing outward from its
/// mode, in about √n steps.
fn binomial(n: u64, rate: f64, rng: &mut Rng) -> u64 {
    if n == 0 || rate <= 0.0 {
        return 0;
    }
    let mode = (((n + 1) as f64 * rate) as u64).min(n);
    let odds = rate / (1.0 - rate);
    let top = binomial_pmf(mode, n, rate);
    let (mut lower, mut upper) = (mode, mode);
    let (mut lower_p, mut upper_p) = (top, top);
    let mut left = rng.unit() - top;
    while left >= 0.0 {
        if upper < n {
            upper_p *= (n - upper) as f64 / (upper + 1) as f64 * odds;
            upper += 1;
            left -= upper_p;
            if left < 0.0 {
                return upper;
            }
        }
        if lower > 0 {
            lower_p *= lower as f64 / (n - lower + 1) as f64 / odds;
            lower -= 1;
            left -= lower_p;
            if left < 0.0 {
                return lower;
            }
        }
        if lower_p + upper_p < 1e-300 || (lower == 0 && upper == n) {
            // Only rounding is left.
            return mode;
        }
    }
    mode
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// A χ² test of 40 000 draws for each of four distributions, over the counts with an expectation of at least 5. The
    /// statistic exceeds its degrees of freedom by five standard deviations less than once in ten thousand times.
    #[test]
    fn binomials_have_their_distribution() {
        let mut rng = (Stream::new(1) / "binomial").rng();
        for (n, rate) in [(1, 0.3), (10, 0.5), (200, 0.02), (1000, 0.7)] {
            let mut seen = vec![0_u32; n as usize + 1];
            (0..40_000).for_each(|_| seen[binomial(n, rate, &mut rng) as usize] += 1);
            let (mut statistic, mut classes) = (0.0, 0.0);
            for (k, &count) in seen.iter().enumerate() {
                let expected = 40_000.0 * binomial_pmf(k as u64, n, rate);
                if expected >= 5.0 {
                    statistic += (f64::from(count) - expected).powi(2) / expected;
                    classes += 1.0;
                }
            }
            let freedom: f64 = classes - 1.0;
            assert!(
                statistic < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0,
                "{n} {rate}: {statistic} {freedom}"
            );
        }
        assert_eq!((binomial(0, 0.5, &mut rng), binomial(9, 0.0, &mut rng)), (0, 0));
    }

    #[test]
    fn a_resample_has_as_many_instances() {
        let mut rng = (Stream::new(1) / "resample").rng();
        for values in [3, 90] {
            let sample = Sample::new(&(0..100).map(|i| [f64::from(i % values)]).collect::<Vec<_>>());
            let mut counts = vec![0; sample.distinct.len()];
            for _ in 0..100 {
                sample.draw(&mut rng, &mut counts);
                assert_eq!(counts.iter().sum::<u64>(), 100);
            }
        }
    }
}
