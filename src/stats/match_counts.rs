//! The results of a match between two players, counted by score.
//!
//! The unit is the pair of games from one opening with the seats swapped: its games are not independent, and the
//! variance over pairs is smaller if the opening favours a seat. Single games are for matches without pairs.

use serde::Serialize;

use super::rate::{clopper_pearson, clopper_pearson_limits};
use super::{Confidence, EloInterval, Estimate, Method, mcnemar_exact, normal_cdf};

/// The unit that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Single games: scores 0, ½, 1.
    Games,
    /// Pairs of games: scores 0, ¼, ½, ¾, 1 for LL, LD, DD or WL, WD, WW.
    Pairs,
}

/// The least number of units with a normal interval and test. With 6 to 10 pairs a normal test at 0.05 would find a difference
/// between equal players in about 0.13 of all matches, because so few pairs often vary too little by luck.
pub const LEAST_FOR_NORMAL: u64 = 30;

/// The number of games, or pairs, with each score, lowest first, for a named player.
///
/// # Example: pairs
/// ```
/// use shikou::stats::{Confidence, MatchCounts};
/// let counts = MatchCounts::pairs([75, 64, 63, 54, 34]);
/// let elo = counts.elo(Confidence::new(0.95));
/// assert!((elo.value.unwrap() + 55.5798).abs() < 1e-4);
/// assert!((elo.half_width().unwrap() - 27.6534).abs() < 1e-4);
/// assert!((counts.normalized_elo().unwrap() + 57.9356).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchCounts {
    unit: Unit,
    counts: [u64; 5],
}

impl MatchCounts {
    /// Single games: losses, draws, wins.
    pub const fn games([losses, draws, wins]: [u64; 3]) -> Self {
        Self { unit: Unit::Games, counts: [losses, draws, wins, 0, 0] }
    }

    /// Pairs of games: LL, LD, DD and WL together, WD, WW.
    pub const fn pairs(counts: [u64; 5]) -> Self {
        Self { unit: Unit::Pairs, counts }
    }

    /// Counts of 0.
    pub const fn empty(unit: Unit) -> Self {
        Self { unit, counts: [0; 5] }
    }

    /// The unit.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// The counts, lowest score first: three for games, five for pairs.
    pub fn counts(&self) -> &[u64] {
        &self.counts[..self.classes()]
    }

    /// Adds a result by its class: the score in half points for games (0 to 2), in quarters of a pair's points for pairs
    /// (0 to 4).
    ///
    /// # Panics
    /// If the class does not exist.
    pub fn push(&mut self, class: usize) {
        assert!(class < self.classes(), "there is no class {class}: the unit has {} classes", self.classes());
        self.counts[class] += 1;
    }

    /// The counts for the other player.
    #[must_use]
    pub fn turned(mut self) -> Self {
        let classes = self.classes();
        self.counts[..classes].reverse();
        self
    }

    /// The counts without one result of this class; none if there is no such result.
    pub(super) fn without(mut self, class: usize) -> Option<Self> {
        self.counts[class] = self.counts[class].checked_sub(1)?;
        Some(self)
    }

    /// The number of games, or pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score in `[0, 1]`; 0 without results.
    pub fn score(&self) -> f64 {
        let total = self.total() as f64;
        if total == 0.0 {
            0.0
        } else {
            self.scored().map(|(score, count)| score * count).sum::<f64>() / total
        }
    }

    /// The variance of one unit's score: Σ p (x − s)², divided by n and not by n − 1; 0 without results.
    pub fn variance(&self) -> f64 {
        let (total, mean) = (self.total() as f64, self.score());
        if total == 0.0 {
            return 0.0;
        }
        self.scored().map(|(score, count)| count * (score - mean) * (score - mean)).sum::<f64>() / total
    }

    /// The mean score with its interval s ± z·√(v/n), for a number of units fixed in advance.
    ///
    /// With fewer than [`LEAST_FOR_NORMAL`] units, if the scores do not vary, or if the normal interval exceeds [0, 1], the
    /// interval is the inversion of the [sign test](Self::sign_test): Clopper and Pearson's limits for n units, so that it
    /// holds ½ exactly if that test does not reject ½ at this level.
    ///
    /// # Example: no point from five pairs
    /// ```
    /// use shikou::stats::{Confidence, MatchCounts};
    /// let lost = MatchCounts::pairs([5, 0, 0, 0, 0]);
    /// let score = lost.score_interval(Confidence::new(0.95));
    /// assert!(score.low == 0.0 && (score.high - 0.521823750).abs() < 1e-9);
    /// assert!((lost.sign_test() - 0.0625).abs() < 1e-12);
    /// ```
    pub fn score_interval(&self, confidence: Confidence) -> Estimate {
        let (value, variance, n) = (self.score(), self.variance(), self.total() as f64);
        if n == 0.0 {
            return Estimate { value, low: 0.0, high: 1.0, method: Method::None };
        }
        let half = confidence.z() * (variance / n).sqrt();
        let fits = variance > 0.0 && value - half > 0.0 && value + half < 1.0;
        if fits && self.total() >= LEAST_FOR_NORMAL {
            return Estimate { value, low: value - half, high: value + half, method: Method::Normal };
        }
        let (low, high) = self.exact_limits(confidence);
        let method = match self.unit {
            Unit::Games => Method::ExactOnGames,
            Unit::Pairs => Method::ExactOnPairs,
        };
        Estimate { value, low, high, method }
    }

    /// The exact sign test of ½, two-sided: [`mcnemar_exact`] of the units that were won and lost; even ones do not count.
    pub fn sign_test(&self) -> f64 {
        let [lost, won] = self.decisive();
        mcnemar_exact(lost, won)
    }

    /// The number of units below ½, and above.
    pub fn decisive(&self) -> [u64; 2] {
        let middle = self.classes() / 2;
        [self.counts[..middle].iter().sum(), self.counts()[middle + 1..].iter().sum()]
    }

    /// Clopper and Pearson's limits for the points of n units. The sign test leaves even units out, so it may reject ½
    /// although these limits hold it, and the other way round; then its own limit, on the scale of the score, takes the
    /// place of the one that ½ is beyond.
    fn exact_limits(&self, confidence: Confidence) -> (f64, f64) {
        let (value, n) = (self.score(), self.total() as f64);
        let (low, high) = clopper_pearson_limits(value * n, n, confidence);
        let [lost, won] = self.decisive();
        let sign = clopper_pearson(won, lost + won, confidence);
        // How far a decisive unit is from ½ on average.
        let spread = self.scored().map(|(score, count)| count * (score - 0.5).abs()).sum::<f64>() / n;
        let of_sign = |share: f64| 0.5 + (2.0 * share - 1.0) * spread;
        if sign.low > 0.5 {
            (low.max(of_sign(sign.low)).min(value), high)
        } else if sign.high < 0.5 {
            (low, high.min(of_sign(sign.high)).max(value))
        } else {
            (low.min(0.5), high.max(0.5))
        }
    }

    /// The Elo difference: the score and its interval, mapped.
    pub fn elo(&self, confidence: Confidence) -> EloInterval {
        EloInterval::of_score(self.score_interval(confidence))
    }

    /// Normalised Elo: (s − ½)/√(2v)·800/ln 10 for pairs, (s − ½)/√v·800/ln 10 for games (van den Bergh,
    /// "Normalized Elo"). It does not depend on how often the players draw. `None` if the scores do not vary.
    pub fn normalized_elo(&self) -> Option<f64> {
        let variance = self.variance();
        (variance > 0.0).then(|| (self.score() - 0.5) / variance.sqrt() / normalized_scale(self.unit))
    }

    /// The likelihood of superiority, Φ((s − ½)/√(v/n)). `None` if the scores do not vary, or with fewer than
    /// [`LEAST_FOR_NORMAL`] units, whose variance is too uncertain.
    pub fn superiority(&self) -> Option<f64> {
        let variance = self.variance();
        (variance > 0.0 && self.total() >= LEAST_FOR_NORMAL)
            .then(|| normal_cdf((self.score() - 0.5) / (variance / self.total() as f64).sqrt()))
    }

    const fn classes(&self) -> usize {
        match self.unit {
            Unit::Games => 3,
            Unit::Pairs => 5,
        }
    }

    /// Each class's score and count.
    pub(super) fn scored(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let top = (self.classes() - 1) as f64;
        self.counts().iter().enumerate().map(move |(class, &count)| (class as f64 / top, count as f64))
    }
}

/// One normalised Elo in standard deviations of a unit's score: ln 10/800 for games, √2 times that for pairs.
pub(super) fn normalized_scale(unit: Unit) -> f64 {
    let game = std::f64::consts::LN_10 / 800.0;
    match unit {
        Unit::Games => game,
        Unit::Pairs => std::f64::consts::SQRT_2 * game,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From fishtest's code, to four decimal places.
    #[test]
    fn pairs_agree_with_fishtest() {
        let counts = MatchCounts::pairs([75, 64, 63, 54, 34]);
        let elo = counts.elo(Confidence::new(0.95));
        assert_eq!(elo.method, Method::Normal);
        assert!((elo.value.unwrap() + 55.5798).abs() < 1e-4, "{elo:?}");
        assert!((elo.half_width().unwrap() - 27.6534).abs() < 1e-4, "{elo:?}");
        assert!((counts.normalized_elo().unwrap() + 57.9356).abs() < 1e-4);
        assert!(counts.superiority().unwrap() < 1e-4);
    }

    #[test]
    fn no_bound_is_ever_infinite() {
        for counts in
            [[0, 0, 0, 0, 9], [0, 0, 0, 1, 9], [9, 0, 0, 0, 0], [0, 0, 9, 0, 0], [0; 5], [3, 0, 0, 0, 1]]
        {
            let elo = MatchCounts::pairs(counts).elo(Confidence::new(0.95));
            let finite = |bound: Option<f64>| bound.is_none_or(f64::is_finite);
            assert!(finite(elo.value) && finite(elo.low) && finite(elo.high), "{elo:?}");
        }
        let won = MatchCounts::pairs([0, 0, 0, 0, 9]).elo(Confidence::new(0.95));
        assert_eq!((won.value, won.high, won.method), (None, None, Method::ExactOnPairs));
        assert!(won.low.unwrap() > 100.0);
    }

    /// Clopper–Pearson, from scipy 1.17.1 to nine decimal places: 0 of 5, 0 of 6, 10 of 10.
    #[test]
    fn without_a_variance_the_interval_is_clopper_and_pearsons_over_pairs() {
        let confidence = Confidence::new(0.95);
        let interval = |counts| MatchCounts::pairs(counts).score_interval(confidence);
        for (counts, low, high) in [
            ([5, 0, 0, 0, 0], 0.0, 0.521823750),
            ([6, 0, 0, 0, 0], 0.0, 0.459258126),
            ([0, 0, 0, 0, 10], 0.691502892, 1.0),
        ] {
            let score = interval(counts);
            assert_eq!(score.method, Method::ExactOnPairs);
            assert!((score.low - low).abs() < 1e-9 && (score.high - high).abs() < 1e-9, "{score:?}");
        }
    }

    /// All counts of up to nine pairs: where the sign test decides, it rejects exactly if ½ is outside the interval, and
    /// the interval holds the score.
    #[test]
    fn the_exact_interval_never_contradicts_its_test() {
        let confidence = Confidence::new(0.95);
        let mut exact = 0;
        let mut all = vec![[0_u64; 5]];
        for class in 0..5 {
            let more = |counts: &[u64; 5]| {
                let counts = *counts;
                (0..=9 - counts.iter().sum::<u64>()).map(move |count| {
                    let mut counts = counts;
                    counts[class] = count;
                    counts
                })
            };
            all = all.iter().flat_map(more).collect();
        }
        for counts in all.into_iter().filter(|counts| counts.iter().sum::<u64>() > 0) {
            let counts = MatchCounts::pairs(counts);
            let score = counts.score_interval(confidence);
            assert!(score.low <= score.value && score.value <= score.high, "{counts:?} {score:?}");
            if score.method == Method::ExactOnPairs {
                exact += 1;
                let excludes = score.low > 0.5 || score.high < 0.5;
                assert_eq!(excludes, counts.sign_test() < 0.05, "{counts:?} {score:?}");
            }
        }
        assert!(exact > 400, "{exact}");
    }

    #[test]
    fn few_pairs_that_hardly_vary_are_no_proof() {
        let counts = MatchCounts::pairs([0, 0, 0, 4, 1]);
        let score = counts.score_interval(Confidence::new(0.95));
        assert!(score.low < 0.5, "{score:?}");
        assert_eq!(counts.sign_test(), 0.0625);
    }

    #[test]
    fn games_are_their_own_unit() {
        let counts = MatchCounts::games([30, 20, 50]);
        assert!((counts.score() - 0.6).abs() < 1e-15);
        assert!((counts.variance() - (0.3 * 0.36 + 0.2 * 0.01 + 0.5 * 0.16)).abs() < 1e-15);
        // A pair of independent games has half the variance, and so the same normalised Elo.
        let pairs = MatchCounts::pairs([9, 12, 34, 20, 25]);
        assert!((pairs.score() - 0.6).abs() < 1e-15);
        assert!((pairs.normalized_elo().unwrap() / counts.normalized_elo().unwrap() - 1.0).abs() < 1e-12);
    }
}
