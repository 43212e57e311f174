//! A paired test that is valid at any time.

use super::beta::ln_beta;
use super::beta_binomial::PRIOR;

/// The e-process of discordant pairs: E = 2^{b+c}·B(b+½, c+½)/B(½, ½). For equally strong players it is a fair bet and
/// reaches 1/α at any time with probability at most α (Ville 1939). It is the paired test of a run in progress.
///
/// # Example
/// ```
/// use shikou::stats::PairedEProcess;
/// let mut process = PairedEProcess::default();
/// [true, false, false, false, false, false, false, false].iter().for_each(|&first| process.push(first));
/// assert!((process.ln_e() - 1.20942666).abs() < 1e-8);
/// assert!(process.p_value() > 0.05);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedEProcess {
    only_first: u64,
    only_second: u64,
    most: f64,
}

impl PairedEProcess {
    /// Adds the next discordant pair, in trial order: `true` if only the first succeeded.
    pub fn push(&mut self, first: bool) {
        *if first { &mut self.only_first } else { &mut self.only_second } += 1;
        self.most = self.most.max(self.ln_e());
    }

    /// The current ln E. To combine several comparisons, use this and not the maximum so far.
    pub fn ln_e(&self) -> f64 {
        paired_ln_e(self.only_first, self.only_second)
    }

    /// The anytime-valid p-value: min(1, 1/max E). It holds at all looks together and never increases.
    pub fn p_value(&self) -> f64 {
        libm::exp(-self.most)
    }
}

/// ln E for these numbers of discordant pairs.
pub fn paired_ln_e(only_first: u64, only_second: u64) -> f64 {
    let (b, c) = (only_first as f64, only_second as f64);
    (b + c) * std::f64::consts::LN_2 + ln_beta(b + PRIOR, c + PRIOR) - ln_beta(PRIOR, PRIOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// To eight decimal places.
    #[test]
    fn the_process_has_the_golden_values() {
        for (b, c, expected) in [(1, 7, 1.20942666), (12, 2, 2.38713984), (120, 90, -0.75034619)] {
            assert!((paired_ln_e(b, c) - expected).abs() < 1e-8, "{}", paired_ln_e(b, c));
            assert!((paired_ln_e(c, b) - expected).abs() < 1e-8);
        }
        assert!(paired_ln_e(0, 0).abs() < 1e-15);
    }

    /// E is a fair bet: its mean over the next pair is its current value.
    #[test]
    fn the_mean_of_the_next_e_is_this_e() {
        for (b, c) in [(0, 0), (3, 9), (50, 20)] {
            let next = f64::midpoint(libm::exp(paired_ln_e(b + 1, c)), libm::exp(paired_ln_e(b, c + 1)));
            assert!((next / libm::exp(paired_ln_e(b, c)) - 1.0).abs() < 1e-12);
        }
    }

    /// 2000 runs of 500 pairs between equal players: fewer than 5 % ever have p ≤ 5 %.
    #[test]
    fn equals_are_rarely_told_apart_by_peeking() {
        let mut rejected = 0;
        for run in 0..2000 {
            let mut rng = (Stream::new(1) / "e-process" / run).rng();
            let mut process = PairedEProcess::default();
            (0..500).for_each(|_| process.push(rng.below(2) == 0));
            rejected += u32::from(process.p_value() <= 0.05);
        }
        assert!(rejected < 100, "{rejected}");
    }
}
