//! A one-sided test of the mean of bounded differences that is valid at any time.

/// The shares of the capital that are bet are the middles of this many equal parts of (0, 1).
const BETS: u32 = 16;

/// ln E of the hypothesis that differences in [−1, 1] have no mean above 0: E is the mean over some λ in (0, 1) of
/// ∏(1 + λ·d), the capital of gamblers who each bet the share λ on every next difference (Waudby-Smith, Ramdas 2024).
///
/// If each difference has a mean of at most 0 given those before it, E reaches 1/α at any time with probability at most α
/// (Ville 1939). Unlike [`PairedEProcess`](super::PairedEProcess), it counts how large a difference is.
///
/// # Example
/// ```
/// use shikou::stats::mean_ln_e;
/// assert!((mean_ln_e(&[1.0]) - 1.5_f64.ln()).abs() < 1e-12);
/// assert!(mean_ln_e(&[0.5; 20]) > 20.0_f64.ln() && mean_ln_e(&[-0.5; 20]) < 0.0);
/// ```
///
/// # Panics
/// If a difference is not in [−1, 1].
pub fn mean_ln_e(differences: &[f64]) -> f64 {
    assert!(differences.iter().all(|d| (-1.0..=1.0).contains(d)), "a difference must be in [-1, 1]");
    let share = |bet: u32| (f64::from(bet) + 0.5) / f64::from(BETS);
    // Products of eight factors, so that one logarithm is taken per eight factors.
    let capital = |share: f64| -> f64 {
        let growth = |eight: &[f64]| libm::log(eight.iter().map(|d| 1.0 + share * d).product::<f64>());
        differences.chunks(8).map(growth).sum()
    };
    let capitals: Vec<f64> = (0..BETS).map(|bet| capital(share(bet))).collect();
    let most = capitals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = capitals.iter().map(|capital| libm::exp(capital - most)).sum();
    most + libm::log(sum / f64::from(BETS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// E is a fair bet: its mean over the next difference is its current value, if that has the mean 0.
    #[test]
    fn the_mean_of_the_next_e_is_this_e() {
        for past in [&[][..], &[1.0, -0.5, 0.25], &[-1.0; 9], &[0.75; 30]] {
            let with = |next: f64| libm::exp(mean_ln_e(&[past, &[next]].concat()));
            let now = libm::exp(mean_ln_e(past));
            assert!((f64::midpoint(with(1.0), with(-1.0)) / now - 1.0).abs() < 1e-12);
            assert!((0.2 * with(1.0) + 0.8 * with(-0.25) - now).abs() < 1e-12 * now);
        }
        assert!(mean_ln_e(&[]).abs() < 1e-15);
    }

    /// 1000 runs of 100 differences, with a look after each: fewer than 5 % ever reach 20, also if the few differences
    /// above 0 are large.
    #[test]
    fn no_difference_is_rarely_seen_by_peeking() {
        let laws: [fn(u64) -> f64; 3] = [
            |draw| [1.0, 0.5, 0.0, -0.5, -1.0][draw as usize % 5],
            |draw| if draw.is_multiple_of(10) { 0.9 } else { -0.1 },
            |draw| if draw.is_multiple_of(10) { -0.9 } else { 0.1 },
        ];
        for (number, law) in laws.into_iter().enumerate() {
            let mut rejected = 0;
            for run in 0..1000 {
                let mut rng = (Stream::new(number as u64) / "mean-e-process" / run).rng();
                let differences: Vec<f64> = (0..100).map(|_| law(rng.below(1000))).collect();
                let ever = (1..=100).any(|n| mean_ln_e(&differences[..n]) >= libm::log(20.0));
                rejected += u32::from(ever);
            }
            assert!(rejected < 50, "law {number}: {rejected}");
        }
    }
}
