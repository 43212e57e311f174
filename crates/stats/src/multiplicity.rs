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

/// Calls a function with the values in ascending order, and returns its results in the original order.
fn adjusted(p: &[f64], adjust: impl FnOnce(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "a p-value must be in [0, 1]");
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&x, &y| p[x].total_cmp(&p[y]));
    let found = adjust(order.iter().map(|&index| p[index]).collect());
    let mut result = vec![0.0; p.len()];
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
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
    }
}
