//! Conversions of random numbers. **Stable across versions**: a log can only be told again to a method that draws
//! alike.

use super::normal_quantile;
use crate::rng::Rng;

/// A standard normal number: the quantile of a uniform one, so that each takes exactly one draw.
pub fn normal(rng: &mut Rng) -> f64 {
    // The middles of 2⁵² equal parts of (0, 1).
    normal_quantile(((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64)
}

/// True with this chance: never at 0, always at 1.
pub fn happens(rng: &mut Rng, chance: f64) -> bool {
    rng.unit() < chance
}

/// A uniform number between two bounds, in either order.
pub fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + rng.unit() * (high - low)
}

/// A uniform index below `count`.
pub fn index(rng: &mut Rng, count: usize) -> usize {
    rng.below(count as u64) as usize
}

/// Two different uniform indices below `count`, in random order.
pub fn two(rng: &mut Rng, count: usize) -> (usize, usize) {
    let first = index(rng, count);
    let second = index(rng, count - 1);
    (first, second + usize::from(second >= first))
}

/// This many different uniform indices below `of`, in random order.
///
/// # Panics
/// If there are fewer.
pub fn several(rng: &mut Rng, count: usize, of: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    for place in 0..count {
        let other = place + index(rng, of - place);
        all.swap(place, other);
    }
    all.truncate(count);
    all
}

/// Puts a list in random order (Fisher, Yates).
pub fn shuffle<T>(rng: &mut Rng, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(index(rng, last + 1), last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut rng = Stream::new(1).rng();
        let (mut sum, mut squares, mut fourths) = (0.0, 0.0, 0.0);
        for _ in 0..200_000 {
            let x = normal(&mut rng);
            assert!(x.is_finite());
            sum += x;
            squares += x * x;
            fourths += x * x * x * x;
        }
        // Standard errors: .0022, .0032, .022.
        assert!((sum / 2e5).abs() < 0.01, "{sum}");
        assert!((squares / 2e5 - 1.0).abs() < 0.015, "{squares}");
        assert!((fourths / 2e5 - 3.0).abs() < 0.1, "{fourths}");
    }

    #[test]
    fn two_indices_differ_and_every_pair_occurs() {
        let mut rng = Stream::new(2).rng();
        let mut seen = [[0_u32; 4]; 4];
        for _ in 0..12_000 {
            let (a, b) = two(&mut rng, 4);
            seen[a][b] += 1;
        }
        for (a, row) in seen.iter().enumerate() {
            for (b, &count) in row.iter().enumerate() {
                // The mean is 1000, the standard deviation 30.
                assert!(if a == b { count == 0 } else { count.abs_diff(1000) < 150 }, "{seen:?}");
            }
        }
    }

    #[test]
    fn every_order_of_a_shuffle_is_as_likely() {
        let mut rng = Stream::new(3).rng();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut list = [0, 1, 2, 3];
            shuffle(&mut rng, &mut list);
            *counts.entry(list).or_insert(0_u32) += 1;
        }
        // Each of the 24 orders has a mean of 1000 and a standard deviation of 31.
        assert!(counts.len() == 24 && counts.values().all(|count| count.abs_diff(1000) < 155), "{counts:?}");
    }
}
