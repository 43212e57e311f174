//! The p-value of a comparison, and its correction for how many comparisons there are.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::stats::{MatchCounts, PairedCounts, holm, mcnemar_asymptotic};

/// A two-sided test of two players being equally good: the one to which the printed interval belongs, so that p ≤ α exactly if
/// the interval of level 1 − α leaves out what equal players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// `McNemar`'s test of the deals that only one of them solved, without correction: the score test that Tango's interval
    /// inverts.
    Mcnemar,
    /// The test of the mean points a game against ½ that their interval inverts.
    PointsOfPairs,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Mcnemar => "McNemar's score test",
            Self::PointsOfPairs => "test of the mean points a game",
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
        let p = mcnemar_asymptotic(counts.only_first, counts.only_second);
        Self { test: Test::Mcnemar, p, primary, corrected_p: p }
    }

    /// A match over pairs.
    pub(super) fn of_pairs(counts: &MatchCounts, primary: bool) -> Self {
        let p = counts.p_value();
        Self { test: Test::PointsOfPairs, p, primary, corrected_p: p }
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
    use crate::stats::{Confidence, Estimate, tango};

    #[test]
    fn a_primary_comparison_stands_as_it_is_and_is_in_no_family() {
        let counts = |b, c| PairedCounts { both: 5, only_first: b, only_second: c, neither: 5 };
        let mut tests = [
            Tested::of_paired(counts(1, 7), true),
            Tested::of_paired(counts(12, 2), false),
            Tested::of_paired(counts(3, 3), false),
        ];
        assert_eq!(correct(tests.iter_mut()), 2);
        assert!((tests[0].corrected_p - 0.033894854).abs() < 1e-8);
        assert!((tests[1].corrected_p - 2.0 * 0.007526315).abs() < 1e-8);
        assert_eq!(tests[2].corrected_p, tests[2].p);
        assert!(tests[0].is_significant(0.05) && !tests[2].is_significant(0.05));
    }

    /// "No significant difference: -0.040 [-0.098, -0.002] (p = 0.063)" was a report's: all tables of 50 deals with at most 20
    /// that one player alone solved.
    #[test]
    fn the_interval_of_a_difference_leaves_out_0_exactly_if_it_is_significant() {
        let confidence = Confidence::default_level();
        for (only_first, only_second) in (0..=20).flat_map(|b| (0..=20 - b).map(move |c| (b, c))) {
            let counts =
                PairedCounts { both: 10, only_first, only_second, neither: 40 - only_first - only_second };
            let Estimate { low, high, .. } = tango(counts, confidence);
            let tested = Tested::of_paired(counts, true);
            assert_eq!(
                low > 0.0 || high < 0.0,
                tested.is_significant(0.05),
                "{counts:?} {low} {high} {tested:?}"
            );
        }
    }

    #[test]
    fn a_match_is_tested_by_its_pairs() {
        // Published: 75, 64, 63, 54, 34 give −55.58 ± 27.65 Elo, which is far from 0.
        let lost = Tested::of_pairs(&MatchCounts::pairs([75, 64, 63, 54, 34]), false);
        assert!(lost.p > 1e-5 && lost.p < 2e-4, "{}", lost.p);
        let mirrored = Tested::of_pairs(&MatchCounts::pairs([34, 54, 63, 64, 75]), false);
        assert!((mirrored.p / lost.p - 1.0).abs() < 1e-9);
    }

    #[test]
    fn pairs_of_equal_points_are_tested_by_their_number() {
        let won = Tested::of_pairs(&MatchCounts::pairs([0, 0, 0, 0, 6]), false);
        assert!((won.p - 0.03125).abs() < 1e-12);
        // A plain t test would take one even pair for near certainty (p = 0.0004), and no pairs can say more than all won.
        let nearly = Tested::of_pairs(&MatchCounts::pairs([0, 0, 1, 0, 5]), false);
        assert!(nearly.p > 0.0625, "{}", nearly.p);
        assert_eq!(Tested::of_pairs(&MatchCounts::pairs([0, 0, 9, 0, 0]), false).p, 1.0);
    }
}
