//! The p-value of a comparison, and its correction for how many comparisons there are.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::stats::{Confidence, MatchCounts, Method, PairedCounts, holm, mcnemar_mid_p, normal_cdf};

/// A two-sided test of two players being equally good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// `McNemar`'s mid-p test of the deals that only one of them solved.
    McnemarMidP,
    /// The normal test of the mean points a game against ½.
    NormalOnPairs,
    /// The exact sign test of the pairs that were not even: there are few pairs, or the points are so high, so low or so
    /// equal that the normal interval exceeds [0, 1].
    SignOfPairs,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::McnemarMidP => "McNemar's mid-p test",
            Self::NormalOnPairs => "normal test of the mean points a game",
            Self::SignOfPairs => "exact sign test of the pairs",
        })
    }
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// By which test.
    pub test: Test,
    /// Its p-value without correction.
    pub p: f64,
    /// Whether the comparison is primary: then its p-value is not corrected.
    pub primary: bool,
    /// The p-value corrected by Holm's method for the number of comparisons that are not primary; of a primary one
    /// `p` itself.
    pub corrected_p: f64,
}

impl Tested {
    /// Two rates on the same deals.
    pub(super) fn of_paired(counts: PairedCounts, primary: bool) -> Self {
        let p = mcnemar_mid_p(counts.only_first, counts.only_second);
        Self { test: Test::McnemarMidP, p, primary, corrected_p: p }
    }

    /// A match over pairs: |s − ½|/√(v/n) on the normal distribution. If the interval of the points is not normal
    /// either, the exact sign test of the pairs that each won.
    pub(super) fn of_pairs(counts: &MatchCounts, primary: bool) -> Self {
        let interval = counts.score_interval(Confidence::default_level());
        let (test, p) = if interval.method == Method::Normal {
            let error = (counts.variance() / counts.total() as f64).sqrt();
            (Test::NormalOnPairs, 2.0 * normal_cdf(-(counts.score() - 0.5).abs() / error))
        } else {
            (Test::SignOfPairs, counts.sign_test())
        };
        Self { test, p, primary, corrected_p: p }
    }

    /// Whether the players differ, at this probability of saying so of any two that do not.
    pub fn is_significant(&self, alpha: f64) -> bool {
        self.corrected_p <= alpha
    }
}

/// Corrects what is not primary, together one family, and returns how many that are.
pub(super) fn correct<'t>(tests: impl Iterator<Item = &'t mut Tested>) -> u64 {
    let mut family: Vec<&mut Tested> = tests.filter(|tested| !tested.primary).collect();
    let p: Vec<f64> = family.iter().map(|tested| tested.p).collect();
    for (tested, corrected) in family.iter_mut().zip(holm(&p)) {
        tested.corrected_p = corrected;
    }
    p.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_primary_comparison_stands_as_it_is_and_is_in_no_family() {
        let counts = |b, c| PairedCounts { both: 5, only_first: b, only_second: c, neither: 5 };
        let mut tests = [
            Tested::of_paired(counts(1, 7), true),
            Tested::of_paired(counts(12, 2), false),
            Tested::of_paired(counts(3, 3), false),
        ];
        assert_eq!(correct(tests.iter_mut()), 2);
        assert!((tests[0].corrected_p - 0.0390625).abs() < 1e-12);
        assert!((tests[1].corrected_p - 2.0 * 0.007385254).abs() < 1e-8);
        assert_eq!(tests[2].corrected_p, tests[2].p);
        assert!(tests[0].is_significant(0.05) && !tests[2].is_significant(0.05));
    }

    #[test]
    fn a_match_is_tested_by_its_pairs() {
        // Published: 75, 64, 63, 54, 34 give −55.58 ± 27.65 Elo, which is far from 0.
        let lost = Tested::of_pairs(&MatchCounts::pairs([75, 64, 63, 54, 34]), false);
        assert_eq!(lost.test, Test::NormalOnPairs);
        assert!(lost.p > 1e-5 && lost.p < 1e-4, "{}", lost.p);
        let mirrored = Tested::of_pairs(&MatchCounts::pairs([34, 54, 63, 64, 75]), false);
        assert!((mirrored.p - lost.p).abs() < 1e-15);
    }

    #[test]
    fn pairs_that_nearly_all_went_one_way_are_tested_by_their_number() {
        let won = Tested::of_pairs(&MatchCounts::pairs([0, 0, 0, 0, 6]), false);
        assert_eq!(won.test, Test::SignOfPairs);
        assert!((won.p - 0.03125).abs() < 1e-12);
        // A normal test would take one even pair for certainty.
        let nearly = Tested::of_pairs(&MatchCounts::pairs([0, 0, 1, 0, 5]), false);
        assert!((nearly.p - 0.0625).abs() < 1e-12);
        assert_eq!(Tested::of_pairs(&MatchCounts::pairs([0, 0, 9, 0, 0]), false).p, 1.0);
    }
}
