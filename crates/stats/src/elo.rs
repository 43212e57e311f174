//! The Elo scale, normalised Elo with its interval, and the names of a match's counts.

use serde::de::Deserializer;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::factorial::student_quantile;
use super::match_counts::normalized_scale;
use super::{Confidence, Estimate, MatchCounts, Method, Unit};

/// The Elo difference at which a player is expected to score `score`: −400·log₁₀(1/s − 1); ∓∞ at 0 and 1.
///
/// # Example
/// ```
/// use shikou::stats::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    if score == 0.5 { 0.0 } else { -400.0 * libm::log10(1.0 / score - 1.0) }
}

/// The score in `[0, 1]` that is expected at an Elo difference: 1/(1 + 10^(−elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// An Elo difference with its interval. Infinite values are `None`: a player that won everything has only a lower
/// bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloInterval {
    /// The estimate; `None` if the score is 0 or 1, or nothing was played.
    pub value: Option<f64>,
    /// The lower end; `None` if infinite.
    pub low: Option<f64>,
    /// The upper end; `None` if infinite.
    pub high: Option<f64>,
    /// The method of the score's interval.
    pub method: Method,
}

impl EloInterval {
    /// Maps the interval of a score in `[0, 1]` to Elo.
    pub fn of_score(score: Estimate) -> Self {
        let inside = |score: f64| (score > 0.0 && score < 1.0).then(|| elo_of_score(score));
        Self {
            value: inside(score.value),
            low: inside(score.low),
            high: inside(score.high),
            method: score.method,
        }
    }

    /// Half the width of the interval, printed after ±. The interval itself is not symmetric.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The smallest number of units whose variance is known well enough for an interval of normalised Elo.
const LEAST: u64 = 30;

impl Unit {
    /// The names of the results of one unit, from the worst to the best.
    pub const fn results(self) -> &'static [&'static str] {
        match self {
            Self::Games => &["lost", "drawn", "won"],
            Self::Pairs => &["LL", "LD", "DD+WL", "WD", "WW"],
        }
    }
}

impl Serialize for MatchCounts {
    /// The unit, then each count under the name of its result.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("unit", &self.unit())?;
        for (name, count) in self.unit().results().iter().zip(self.counts()) {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

impl MatchCounts {
    /// [Normalised Elo](Self::normalized_elo) with its interval: Student's, with the delta method's error of a mean in
    /// standard deviations, which are estimated too. `None` if the scores do not vary, or with fewer than
    /// 30 units, whose variance is too uncertain.
    ///
    /// The error is that of the influence z − ½·t·(z² − 1) of a result on t = (s − ½)/σ, with z its distance from s in
    /// standard deviations: for normal scores √((1 + t²/2)/n).
    ///
    /// # Example
    /// ```
    /// use shikou::stats::{Confidence, MatchCounts};
    /// let found = MatchCounts::pairs([75, 64, 63, 54, 34]).normalized_elo_interval(Confidence::new(0.95)).unwrap();
    /// assert!((found.value + 57.9356).abs() < 1e-4);
    /// assert!(found.low < -86.0 && found.high > -30.0);
    /// ```
    pub fn normalized_elo_interval(&self, confidence: Confidence) -> Option<Estimate> {
        let value = self.normalized_elo().filter(|_| self.total() >= LEAST)?;
        let (mean, deviation, n) = (self.score(), self.variance().sqrt(), self.total() as f64);
        let t = (mean - 0.5) / deviation;
        let influence = |score: f64| {
            let z = (score - mean) / deviation;
            z - 0.5 * t * (z * z - 1.0)
        };
        let squares: f64 =
            self.scored().map(|(score, count)| count * influence(score) * influence(score)).sum();
        let half = student_quantile(self.total() - 1, confidence) * (squares / n / n).sqrt()
            / normalized_scale(self.unit());
        Some(Estimate { value, low: value - half, high: value + half, method: Method::StudentT })
    }
}

/// Counts of pairs of games as JSON, each under the name of its result; older files have a list.
pub mod named_pairs {
    use super::{Deserialize, Deserializer, SerializeMap, Serializer, Unit};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Named {
            #[serde(rename = "LL")]
            ll: u64,
            #[serde(rename = "LD")]
            ld: u64,
            #[serde(rename = "DD+WL")]
            even: u64,
            #[serde(rename = "WD")]
            wd: u64,
            #[serde(rename = "WW")]
            ww: u64,
        },
        List([u64; 5]),
    }

    /// Writes the counts.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn serialize<S: Serializer>(counts: &[u64; 5], serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        for (name, count) in Unit::Pairs.results().iter().zip(counts) {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }

    /// Reads counts in either form.
    ///
    /// # Errors
    /// If they are in neither.
    pub fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<[u64; 5], D::Error> {
        Ok(match Written::deserialize(reader)? {
            Written::Named { ll, ld, even, wd, ww } => [ll, ld, even, wd, ww],
            Written::List(counts) => counts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn the_scale_goes_both_ways() {
        for elo in [-800.0, -12.5, 0.0, 3.0, 200.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9, "{elo}");
        }
    }

    /// 4000 matches of 60 pairs with skewed scores and a true value of 165.9: 95 % intervals cover it in 0.95 ± 0.0034. A
    /// correct program is further than 0.012 away about once in 2000 seeds; the seed is fixed.
    #[test]
    fn the_interval_covers_the_truth() {
        let shares = [0.02, 0.13, 0.4, 0.15, 0.3];
        let mean: f64 = shares.iter().enumerate().map(|(class, share)| class as f64 / 4.0 * share).sum();
        let square = |class: usize| (class as f64 / 4.0 - mean) * (class as f64 / 4.0 - mean);
        let variance: f64 = shares.iter().enumerate().map(|(class, share)| share * square(class)).sum();
        let truth = (mean - 0.5) / variance.sqrt() / normalized_scale(Unit::Pairs);
        let mut held = 0;
        for run in 0..4000 {
            let mut rng = (Stream::new(1) / "normalised" / run).rng();
            let mut counts = MatchCounts::empty(Unit::Pairs);
            for _ in 0..60 {
                let pick = rng.unit();
                let mut least = 0.0;
                let class = shares.iter().position(|share| {
                    least += share;
                    pick < least
                });
                counts.push(class.unwrap_or(4));
            }
            let found = counts.normalized_elo_interval(Confidence::new(0.95)).unwrap();
            held += u32::from(found.low <= truth && truth <= found.high);
        }
        let share = f64::from(held) / 4000.0;
        assert!((share - 0.95).abs() < 0.012, "{truth}: {share}");
    }

    #[test]
    fn counts_have_names_and_lists_are_read() {
        #[derive(Serialize, Deserialize)]
        struct Held(#[serde(with = "named_pairs")] [u64; 5]);
        let games = serde_json::to_string(&MatchCounts::games([1, 2, 3])).unwrap();
        assert_eq!(games, r#"{"unit":"games","lost":1,"drawn":2,"won":3}"#);
        let named = serde_json::to_string(&Held([1, 2, 3, 4, 5])).unwrap();
        assert_eq!(named, r#"{"LL":1,"LD":2,"DD+WL":3,"WD":4,"WW":5}"#);
        for text in [&named, "[1,2,3,4,5]"] {
            assert_eq!(serde_json::from_str::<Held>(text).unwrap().0, [1, 2, 3, 4, 5]);
        }
    }
}
