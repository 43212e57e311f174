//! Intervals and tests that are valid at any time.
//!
//! An interval for a fixed number of trials, if looked at after every trial, misses the truth at some look in more than
//! half of all runs. The intervals here hold at all looks together, and the tests may end at any of them.

use super::distribution::{ln_beta, ln_kernel, root};
use super::rate::of_trials;
use super::{Confidence, Estimate, Method};

/// Both parameters of the mixing beta distribution: Jeffreys' prior.
pub(super) const PRIOR: f64 = 0.5;

/// The beta-binomial mixture confidence sequence after `trials` trials: {p : B(a₀+k, b₀+n−k)/(B(a₀, b₀)·pᵏ(1−p)ⁿ⁻ᵏ) <
/// 1/α}, a₀ = b₀ = ½ (Robbins 1970, Ann. Math. Stat. 41; Howard, Ramdas, `McAuliffe`, Sekhon 2021, Ann. Stat. 49).
///
/// With probability at least the level, it covers the true rate after *every* number of trials. Without trials it is
/// [0, 1] with the value 0.
///
/// # Panics
/// If there are more successes than trials.
///
/// # Example: wider than an interval for one look
/// ```
/// use shikou::stats::{Confidence, beta_binomial_sequence, wilson};
/// let (once, always) = (wilson(37, 100, Confidence::new(0.95)), beta_binomial_sequence(37, 100, Confidence::new(0.95)));
/// assert!((always.low - 0.22294265).abs() < 1e-8 && (always.high - 0.53558686).abs() < 1e-8);
/// assert!(always.low < once.low && always.high > once.high);
/// ```
pub fn beta_binomial_sequence(successes: u64, trials: u64, confidence: Confidence) -> Estimate {
    let (k, n) = (successes as f64, trials as f64);
    let limit = -libm::log(confidence.alpha());
    let prior = ln_beta(PRIOR, PRIOR);
    // ln M − ln 1/α as a function of p and 1 − p: with the kernel of the posterior it keeps its digits.
    let excess = |p: f64, q: f64| {
        if p <= 0.0 || q <= 0.0 {
            // Impossible, unless the other result has never occurred.
            let seen = if p <= 0.0 { k } else { n - k };
            return if seen == 0.0 { -limit } else { f64::INFINITY };
        }
        let own = PRIOR * (libm::log(p) + libm::log(q));
        own - prior - ln_kernel(PRIOR + k, PRIOR + n - k, p, q) - limit
    };
    of_trials(successes, trials, Method::BetaBinomial, |value| {
        let low = root(|p| excess(p, 1.0 - p), 0.0, value);
        (low, 1.0 - root(|q| excess(1.0 - q, q), 0.0, 1.0 - value))
    })
}

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
    ln_mean_exp(&capitals)
}

/// The logarithm of the mean of some numbers, from their logarithms.
fn ln_mean_exp(logarithms: &[f64]) -> f64 {
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logarithms.iter().map(|logarithm| libm::exp(logarithm - most)).sum();
    most + libm::log(sum / logarithms.len() as f64)
}

/// The e-process of differences in [−1, 1] whose mean is 0 if the players are equal: half the capital of gamblers as in
/// [`mean_ln_e`] who bet that it is above 0, and half of those who bet that it is below. It reaches 1/α at any time with
/// probability at most α (Ville 1939).
///
/// # Example
/// ```
/// use shikou::stats::MeanEProcess;
/// let mut process = MeanEProcess::default();
/// (0..30).for_each(|_| process.push(-0.5));
/// assert!(process.ln_e() > 20.0_f64.ln() && process.p_value() < 0.05);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MeanEProcess {
    /// For each bet the logarithm of its capital, above 0 and below.
    capitals: [[f64; 2]; BETS as usize],
    most: f64,
}

impl MeanEProcess {
    /// Adds the next difference, in trial order.
    ///
    /// # Panics
    /// If the difference is not in [−1, 1].
    pub fn push(&mut self, difference: f64) {
        assert!((-1.0..=1.0).contains(&difference), "a difference must be in [-1, 1]");
        for (bet, [above, below]) in (0..BETS).zip(&mut self.capitals) {
            let gain = (f64::from(bet) + 0.5) / f64::from(BETS) * difference;
            (*above, *below) = (*above + libm::log1p(gain), *below + libm::log1p(-gain));
        }
        self.most = self.most.max(self.ln_e());
    }

    /// The current ln E.
    pub fn ln_e(&self) -> f64 {
        ln_mean_exp(self.capitals.as_flattened())
    }

    /// The anytime-valid p-value, as [`PairedEProcess::p_value`].
    pub fn p_value(&self) -> f64 {
        libm::exp(-self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::wilson;

    /// To eight decimal places.
    #[test]
    fn the_sequence_has_the_golden_values() {
        let golden =
            [(5, 10, 0.11756292, 0.88243708), (0, 20, 0.0, 0.22400611), (37, 100, 0.22294265, 0.53558686)];
        for (k, n, low, high) in golden {
            let estimate = beta_binomial_sequence(k, n, Confidence::new(0.95));
            assert!((estimate.low - low).abs() < 1e-8 && (estimate.high - high).abs() < 1e-8, "{estimate:?}");
            let mirrored = beta_binomial_sequence(n - k, n, Confidence::new(0.95));
            assert!((estimate.low + mirrored.high - 1.0).abs() < 1e-12);
        }
        let many = beta_binomial_sequence(5_000_000, 10_000_000, Confidence::new(0.95));
        assert!(many.low > 0.499 && many.low < 0.4995 && (many.low + many.high - 1.0).abs() < 1e-12);
    }

    /// 500 runs of 1000 trials for each of two rates, with a look after every trial up to 100 and then after every tenth.
    /// The sequence covers the truth at all looks in at least 95 % of the runs. Wilson's interval, with a look after every
    /// trial from 20, does so in far fewer.
    #[test]
    fn constant_peeking_is_allowed() {
        let confidence = Confidence::new(0.95);
        let runs = 500;
        for rate in [0.5, 0.1] {
            let (mut held, mut wilson_held) = (0, 0);
            for run in 0..runs {
                let mut rng = (Stream::new(1) / "peeking" / run).rng();
                let (mut k, mut holds, mut wilson_holds) = (0, true, true);
                for n in 1..=1000 {
                    k += u64::from(rng.unit() < rate);
                    if n <= 100 || n % 10 == 0 {
                        let estimate = beta_binomial_sequence(k, n, confidence);
                        holds &= estimate.low <= rate && rate <= estimate.high;
                    }
                    let once = wilson(k, n, confidence);
                    wilson_holds &= n < 20 || once.low <= rate && rate <= once.high;
                }
                held += u32::from(holds);
                wilson_held += u32::from(wilson_holds);
            }
            let share = |count: u32| f64::from(count) / runs as f64;
            assert!(share(held) >= 0.95, "{rate}: {}", share(held));
            assert!(share(wilson_held) < 0.7, "{rate}: {}", share(wilson_held));
        }
    }

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

    /// 500 runs of 400 differences without a mean, with a look after each: at most 5 % reach 20; those of a mean do.
    #[test]
    fn equal_means_are_told_apart_as_rarely_as_it_says() {
        let laws: [fn(f64) -> f64; 3] =
            [|u| 2.0 * u - 1.0, |u| if u < 0.9 { 0.1 } else { -0.9 }, |u| if u < 0.5 { 1.0 } else { -1.0 }];
        for (number, law) in laws.into_iter().enumerate() {
            let found = |shift: f64| {
                let reaches = |run: &u64| {
                    let mut rng = (Stream::new(number as u64) / "mean" / *run).rng();
                    let mut process = MeanEProcess::default();
                    (0..400).for_each(|_| process.push((law(rng.unit()) + shift).clamp(-1.0, 1.0)));
                    process.p_value() <= 0.05
                };
                (0..500).filter(reaches).count()
            };
            assert!(found(0.0) <= 25, "law {number}: {}", found(0.0));
            assert!(number == 2 || found(-0.3) > 475, "law {number}: {}", found(-0.3));
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

    /// E is a fair bet: its mean over the next difference is its current value, if that has the mean 0.
    #[test]
    fn the_mean_of_the_next_e_of_differences_is_this_e() {
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
