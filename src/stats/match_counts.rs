//! The results of a match between two players, counted by score.
//!
//! The unit is the pair of games from one opening with the seats swapped: its games are not independent, and the
//! variance over pairs is smaller if the opening favours a seat. Single games are for matches without pairs.

use serde::Serialize;

use super::rate::wilson_limits;
use super::{Confidence, EloInterval, Estimate, Method, normal_cdf};

/// The unit that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Single games: scores 0, ½, 1.
    Games,
    /// Pairs of games: scores 0, ¼, ½, ¾, 1 for LL, LD, DD or WL, WD, WW.
    Pairs,
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

    /// The mean score with its interval s ± z·√(v/n), for a number of units fixed in advance. If the scores do not vary, or
    /// the normal interval exceeds [0, 1], Wilson's interval for n units is used instead; it is wide enough for any scores
    /// in `[0, 1]` with this mean.
    pub fn score_interval(&self, confidence: Confidence) -> Estimate {
        let (value, variance, n) = (self.score(), self.variance(), self.total() as f64);
        if n == 0.0 {
            return Estimate { value, low: 0.0, high: 1.0, method: Method::None };
        }
        let half = confidence.z() * (variance / n).sqrt();
        if variance > 0.0 && value - half > 0.0 && value + half < 1.0 {
            return Estimate { value, low: value - half, high: value + half, method: Method::Normal };
        }
        let (low, high) = wilson_limits(value, n, confidence);
        let method = match self.unit {
            Unit::Games => Method::WilsonOnGames,
            Unit::Pairs => Method::WilsonOnPairs,
        };
        Estimate { value, low, high, method }
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

    /// The likelihood of superiority, Φ((s − ½)/√(v/n)). `None` if the scores do not vary.
    pub fn superiority(&self) -> Option<f64> {
        let variance = self.variance();
        (variance > 0.0).then(|| normal_cdf((self.score() - 0.5) / (variance / self.total() as f64).sqrt()))
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
        assert_eq!((won.value, won.high, won.method), (None, None, Method::WilsonOnPairs));
        assert!(won.low.unwrap() > 100.0);
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
