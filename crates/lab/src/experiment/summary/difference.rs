//! Two players of a solitaire on the same deals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tested::Tested;
use crate::experiment::manifest::experiment::Experiment;
use crate::experiment::summary::name;
use crate::rng::Stream;
use crate::stats::{Confidence, Estimate, PairedCounts, PairedMoments, RESAMPLES, bootstrap, tango};

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
    /// The numbers of deals that both, one or none of them solved.
    pub counts: PairedCounts,
    /// The difference of the success rates.
    pub success: Estimate,
    /// The correlation of the successes; none if one of them always or never succeeded.
    pub success_correlation: Option<f64>,
    /// The factor by which the number of deals would grow, for the success, if the players had different deals; none if
    /// the difference does not vary.
    pub success_variance_reduction: Option<f64>,
    /// The difference of the mean margins, in the margin's unit.
    pub margin: Estimate,
    /// The correlation of the margins; none if one of them does not vary.
    pub margin_correlation: Option<f64>,
    /// The same factor for the margin; none if the difference does not vary.
    pub margin_variance_reduction: Option<f64>,
    /// Whether both differ in nothing but their random streams, so that no difference is expected.
    pub alike: bool,
    /// The test that both succeed equally often; none before all trials are done.
    pub tested: Option<Tested>,
}

/// The fold of two players' results on the same deals.
#[derive(Clone, Debug)]
pub(super) struct DifferenceFold {
    players: [usize; 2],
    primary: bool,
    counts: PairedCounts,
    margins: PairedMoments,
    /// The frequency of each difference of margins; dropped if there are too many deals for a bootstrap.
    differences: Option<BTreeMap<i64, u64>>,
}

impl DifferenceFold {
    /// All pairs of an experiment's players; primary pairs in the order that the question states.
    pub(super) fn of_all(experiment: &Experiment) -> Vec<Self> {
        let players = experiment.players.len();
        let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        let fold = |pair: [usize; 2]| {
            let declared = |found: &&[usize; 2]| **found == pair || **found == [pair[1], pair[0]];
            let declared = experiment.primary.iter().find(declared);
            Self {
                players: *declared.unwrap_or(&pair),
                primary: declared.is_some(),
                counts: PairedCounts::default(),
                margins: PairedMoments::default(),
                differences: Some(BTreeMap::new()),
            }
        };
        let mut folds: Vec<Self> = pairs.map(fold).collect();
        let bootstrapped = experiment.trials.saturating_mul(folds.len() as u64) <= MOST_BOOTSTRAPPED;
        folds.iter_mut().filter(|_| !bootstrapped).for_each(|fold| fold.differences = None);
        folds
    }

    /// The indices of the players.
    pub(super) const fn players(&self) -> [usize; 2] {
        self.players
    }

    /// A deal: whether each solved it, and its margin.
    pub(super) fn push(&mut self, first: (bool, i32), second: (bool, i32)) {
        self.counts.push(first.0, second.0);
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
            first: name(experiment, first),
            second: name(experiment, second),
            players: self.players,
            counts: self.counts,
            success,
            success_correlation: self.counts.correlation(),
            success_variance_reduction: self.counts.variance_reduction(),
            margin,
            margin_correlation: self.margins.correlation(),
            margin_variance_reduction: self.margins.variance_reduction(),
            alike: super::experiment_fold::are_alike(experiment, self.players),
            tested: has_intervals.then(|| Tested::of_paired(self.counts, self.primary)),
        }
    }

    /// The randomness of the bootstrap, a function of the compared players.
    fn stream(&self, experiment: &Experiment) -> Stream {
        let [first, second] = self.players.map(|player| experiment.players[player].content());
        let game = experiment.game.spec().to_string();
        Stream::new(experiment.seed) / "bootstrap" / &*game / &*first / &*second
    }
}
