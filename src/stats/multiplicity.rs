//! Corrections for several comparisons. A report should name the family and its size.

/// Holm's adjusted p-values, in the order given (Holm 1979, Scand. J. Stat. 6). Rejecting those at most α keeps the
/// probability of any false rejection at α. The default.
///
/// # Panics
/// If a value is not a probability.
///
/// # Example
/// ```
/// use shikou::stats::holm;
/// assert_eq!(holm(&[0.25, 0.125, 1.0]), [0.5, 0.375, 1.0]);
/// ```
pub fn holm(p: &[f64]) -> Vec<f64> {
    adjusted(p, |order| {
        let mut least: f64 = 0.0;
        let step = |(rank, value): (usize, f64)| {
            least = least.max(((p.len() - rank) as f64 * value).min(1.0));
            least
        };
        order.into_iter().enumerate().map(step).collect()
    })
}

/// Benjamini and Hochberg's adjusted p-values, in the order given (1995, J. R. Stat. Soc. B 57). Rejecting those at most
/// α keeps the expected fraction of false rejections at α. For exploration.
///
/// # Panics
/// If a value is not a probability.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    adjusted(p, |order| {
        let count = order.len() as f64;
        let mut most: f64 = 1.0;
        let mut values: Vec<f64> = order
            .into_iter()
            .enumerate()
            .rev()
            .map(|(rank, value)| {
                most = most.min(value * count / (rank + 1) as f64);
                most
            })
            .collect();
        values.reverse();
        values
    })
}

/// The e-Holm procedure's adjusted e-values, in the order given: the closure of averaging (Vovk, Wang 2021, Ann.
/// Stat. 49, algorithm 1). Rejecting those at least 1/α keeps the probability of any false rejection at α,
/// whatever the dependence among the e-values. Never pass running maxima: they are not e-values.
///
/// # Panics
/// If a value is negative or NaN.
pub fn e_holm(e: &[f64]) -> Vec<f64> {
    adjusted_e(e, |order| {
        let adjust = |rank: usize| {
            // The smallest mean of this value with any number of the smallest ones.
            let (mut sum, mut least) = (order[rank], order[rank]);
            for (others, value) in order[..rank].iter().enumerate() {
                sum += value;
                least = least.min(sum / (others + 2) as f64);
            }
            least
        };
        (0..order.len()).map(adjust).collect()
    })
}

/// The e-BH procedure's adjusted e-values, in the order given (Wang, Ramdas 2022, J. R. Stat. Soc. B 84). Rejecting those
/// at least 1/α keeps the expected fraction of false rejections at α, whatever the dependence among the e-values. Never
/// pass running maxima: they are not e-values.
///
/// # Panics
/// If a value is negative or NaN.
///
/// # Example
/// ```
/// use shikou::stats::e_bh;
/// // The second largest is 30, and two of three are at least that: 2·30/3.
/// assert_eq!(e_bh(&[30.0, 0.5, 90.0]), [20.0, 0.5, 30.0]);
/// ```
pub fn e_bh(e: &[f64]) -> Vec<f64> {
    adjusted_e(e, |order| {
        let count = order.len();
        let mut most: f64 = 0.0;
        let step = |(rank, value): (usize, f64)| {
            most = most.max((count - rank) as f64 * value / count as f64);
            most
        };
        order.into_iter().enumerate().map(step).collect()
    })
}

fn adjusted(p: &[f64], adjust: impl FnOnce(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "a p-value must be in [0, 1]");
    in_order(p, adjust)
}

fn adjusted_e(e: &[f64], adjust: impl FnOnce(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    assert!(e.iter().all(|e| *e >= 0.0), "an e-value must not be negative");
    in_order(e, adjust)
}

/// Calls a function with the values in ascending order, and returns its results in the original order.
fn in_order(values: &[f64], adjust: impl FnOnce(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&x, &y| values[x].total_cmp(&values[y]));
    let found = adjust(order.iter().map(|&index| values[index]).collect());
    let mut result = vec![0.0; values.len()];
    order.into_iter().zip(found).for_each(|(index, value)| result[index] = value);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 10] = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216];

    fn agree(found: &[f64], expected: [f64; 10]) {
        assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6), "{found:?}");
    }

    /// From statsmodels 0.15.0 (`multipletests`), to six decimal places.
    #[test]
    fn corrections_agree_with_statsmodels() {
        agree(&holm(&P), [0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615]);
        agree(&benjamini_hochberg(&P), [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.105714, 0.216, 0.216, 0.216]);
    }

    #[test]
    fn the_order_given_is_kept() {
        let mut reversed = P;
        reversed.reverse();
        for correct in [holm, benjamini_hochberg] {
            let mut back = correct(&reversed);
            back.reverse();
            assert_eq!(back, correct(&P));
        }
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty() && e_bh(&[]).is_empty());
    }

    /// By hand, over all sets of three hypotheses that contain the one in question.
    #[test]
    fn e_holm_is_the_closure_of_averaging() {
        let e = [40.0, 2.0, 90.0];
        let adjusted = |i: usize| {
            let sets = (1..8_usize).filter(|set| set >> i & 1 == 1);
            sets.map(|set| {
                let of: Vec<f64> = (0..3).filter(|j| set >> j & 1 == 1).map(|j| e[j]).collect();
                of.iter().sum::<f64>() / of.len() as f64
            })
            .fold(f64::INFINITY, f64::min)
        };
        assert_eq!(e_holm(&e), [adjusted(0), adjusted(1), adjusted(2)]);
        assert_eq!(e_holm(&e), [21.0, 2.0, 44.0]);
    }
}
