//! Two players of a solitaire on the same deals; the p-value of a comparison, and its correction for how many there are.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Counts;
use crate::manifest::Experiment;
use crate::rng::Stream;
use crate::stats::{
    Confidence, Estimate, MatchCounts, PairedCounts, PairedMoments, RESAMPLES, bootstrap, holm,
    mcnemar_asymptotic, tango,
};

/// A difference of margins is bootstrapped if all comparisons together have at most this many deals. Beyond that the
/// interval by Student's t is as good, and the bootstrap takes seconds.
const MOST_BOOTSTRAPPED: u64 = 20_000;

/// The difference of two players on the same deals: the first minus the second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The indices of both.
    #[serde(skip)]
    pub players: [usize; 2],
    /// The numbers of deals that both, one or none of them solved; none if the score counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<PairedCounts>,
    /// The numbers of deals on which the first scored more, as much, or less; none if success counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub higher_equal_lower: Option<[u64; 3]>,
    /// The difference of the success rates; none if the score counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<Estimate>,
    /// The correlation of the successes; none if one of them always or never succeeded.
    pub success_correlation: Option<f64>,
    /// The factor by which the number of deals would grow, for the success, if the players had different deals; none if
    /// the difference does not vary.
    pub success_variance_reduction: Option<f64>,
    /// The difference of the mean margins, in the margin's unit; if the score counts, of the mean scores.
    pub margin: Estimate,
    /// The correlation of the margins; none if one of them does not vary.
    pub margin_correlation: Option<f64>,
    /// The same factor for the margin; none if the difference does not vary.
    pub margin_variance_reduction: Option<f64>,
    /// Whether both differ in nothing but their random streams, so that no difference is expected.
    pub alike: bool,
    /// The test that both are equally good by what counts; none before all trials are done.
    pub tested: Option<Tested>,
}

impl Difference {
    /// The difference of what counts: of the success rates or of the mean scores.
    pub fn result(&self) -> Estimate {
        self.success.unwrap_or(self.margin)
    }
}

#[derive(Clone, Debug)]
pub(super) struct DifferenceFold {
    pub(super) players: [usize; 2],
    primary: bool,
    /// Whether the score counts.
    scored: bool,
    counts: PairedCounts,
    higher_equal_lower: [u64; 3],
    margins: PairedMoments,
    /// The frequency of each difference of margins; dropped if there are too many deals for a bootstrap.
    differences: Option<BTreeMap<i64, u64>>,
}

impl DifferenceFold {
    /// All pairs of an experiment's players; primary pairs in the order that the question states.
    pub(super) fn of_all(experiment: &Experiment) -> Vec<Self> {
        let (players, scored) = (experiment.players.len(), experiment.facts().counts == Counts::Score);
        let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        let fold = |pair: [usize; 2]| {
            let declared = |found: &&[usize; 2]| **found == pair || **found == [pair[1], pair[0]];
            let declared = experiment.primary.iter().find(declared);
            Self {
                players: *declared.unwrap_or(&pair),
                primary: declared.is_some(),
                scored,
                counts: PairedCounts::default(),
                higher_equal_lower: [0; 3],
                margins: PairedMoments::default(),
                differences: Some(BTreeMap::new()),
            }
        };
        let mut folds: Vec<Self> = pairs.map(fold).collect();
        // The interval of what counts is the one that its test inverts.
        let bootstrapped =
            !scored && experiment.trials.saturating_mul(folds.len() as u64) <= MOST_BOOTSTRAPPED;
        folds.iter_mut().filter(|_| !bootstrapped).for_each(|fold| fold.differences = None);
        folds
    }

    /// A deal: whether each solved it, and its margin.
    pub(super) fn push(&mut self, first: (bool, i32), second: (bool, i32)) {
        self.counts.push(first.0, second.0);
        self.higher_equal_lower[(second.1.cmp(&first.1) as i8 + 1) as usize] += 1;
        self.margins.push(f64::from(first.1), f64::from(second.1));
        if let Some(differences) = &mut self.differences {
            *differences.entry(i64::from(first.1) - i64::from(second.1)).or_default() += 1;
        }
    }

    pub(super) fn finish(
        self,
        experiment: &Experiment,
        has_intervals: bool,
        confidence: Confidence,
    ) -> Difference {
        let [first, second] = self.players;
        let has_intervals = has_intervals && self.counts.instances() > 0;
        let mut success = tango(self.counts, confidence);
        let mut margin = self.margins.difference(confidence);
        if !has_intervals {
            (success, margin) = (success.without_interval(), margin.without_interval());
        } else if let Some(differences) = &self.differences {
            let repeated =
                |(&value, &count): (&i64, &u64)| std::iter::repeat_n([value as f64], count as usize);
            let rows: Vec<[f64; 1]> = differences.iter().flat_map(repeated).collect();
            let stream = self.stream(experiment);
            [margin] = bootstrap(&rows, [&|means: &[f64]| means[0]], RESAMPLES, stream, confidence);
        }
        Difference {
            first: experiment.players[first].name.clone(),
            second: experiment.players[second].name.clone(),
            players: self.players,
            counts: (!self.scored).then_some(self.counts),
            higher_equal_lower: self.scored.then_some(self.higher_equal_lower),
            success: (!self.scored).then_some(success),
            success_correlation: self.counts.correlation().filter(|_| !self.scored),
            success_variance_reduction: self.counts.variance_reduction().filter(|_| !self.scored),
            margin,
            margin_correlation: self.margins.correlation(),
            margin_variance_reduction: self.margins.variance_reduction(),
            alike: experiment.are_alike(self.players),
            tested: has_intervals.then(|| {
                if self.scored {
                    Tested::of_scores(&self.margins, self.primary)
                } else {
                    Tested::of_paired(self.counts, self.primary)
                }
            }),
        }
    }

    /// The randomness of the bootstrap, a function of the compared players.
    fn stream(&self, experiment: &Experiment) -> Stream {
        let [first, second] = self.players.map(|player| experiment.players[player].content());
        let game = experiment.game.spec().to_string();
        Stream::new(experiment.seed) / "bootstrap" / &*game / &*first / &*second
    }
}

/// A two-sided test of two players being equally good: the one to which the printed interval belongs, so that p ≤ α exactly if
/// the interval of level 1 − α leaves out what equal players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// `McNemar`'s test of the deals that only one of them solved, without correction: the score test that Tango's interval
    /// inverts.
    Mcnemar,
    /// Student's test of the mean difference of the scores: t, with a degree of freedom less than there are deals.
    PairedT,
    /// The test of the mean points a game against ½ that their interval inverts.
    PointsOfPairs,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Mcnemar => "McNemar's score test",
            Self::PairedT => "Student's paired t test",
            Self::PointsOfPairs => "test of the mean points a game",
        })
    }
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// By which test.
    pub test: Test,
    /// The p-value without correction.
    pub p: f64,
    /// Whether the comparison is primary: then its p-value is not corrected.
    pub primary: bool,
    /// The p-value corrected by Holm's method for the number of comparisons that are not primary; of a primary one
    /// `p` itself.
    pub corrected_p: f64,
}

impl Tested {
    pub(super) fn of_paired(counts: PairedCounts, primary: bool) -> Self {
        let p = mcnemar_asymptotic(counts.only_first, counts.only_second);
        Self { test: Test::Mcnemar, p, primary, corrected_p: p }
    }

    pub(super) fn of_scores(scores: &PairedMoments, primary: bool) -> Self {
        let p = scores.p_value();
        Self { test: Test::PairedT, p, primary, corrected_p: p }
    }

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
    fn scores_are_tested_by_students_t() {
        let scores: PairedMoments = [(5.0, 1.0), (7.0, 6.0), (4.0, 4.0), (9.0, 5.0)].into_iter().collect();
        let tested = Tested::of_scores(&scores, false);
        // t = 2.182821 with 3 degrees of freedom.
        assert!(tested.test == Test::PairedT && (tested.p - 0.117_039).abs() < 1e-6, "{tested:?}");
        let equal: PairedMoments = [(5.0, 3.0), (6.0, 4.0)].into_iter().collect();
        assert_eq!(Tested::of_scores(&equal, true).p, 1.0);
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
