//! The course of a sequential experiment: the estimates after more and more instances.

use crate::experiment::plan::Plan;
use crate::experiment::stopping::standings::{BoundedMean, InstanceResults};
use crate::stats::{Confidence, Estimate, beta_binomial_sequence};

/// After an instance that is noted, the next one to note comes when their number has grown by this part of itself.
const PART: u64 = 12;

/// The largest number of players that are followed.
const MOST: usize = 6;

/// The estimates of the first players of an experiment with a stopping rule, with intervals that hold at all looks, after more and
/// more instances; at most a hundred or two, however long it ran.
pub(super) struct Course {
    players: Vec<Running>,
    is_paired: bool,
    instances: u64,
    next: u64,
    points: Vec<(u64, Vec<Estimate>)>,
}

/// The results of a player so far.
struct Running {
    successes: u64,
    trials: u64,
    points: BoundedMean,
}

impl Course {
    /// The course of an experiment before its first instance. `None` if it has no stopping rule.
    pub(super) fn new(plan: &Plan, experiment: usize) -> Option<Self> {
        let of = plan.experiment(experiment);
        of.stopping.as_ref()?;
        let running =
            |_| Running { successes: 0, trials: 0, points: BoundedMean::new(Confidence::default_level()) };
        let is_paired = of.game.facts().players == 2;
        let players = (0..of.players.len().min(MOST)).map(running).collect();
        Some(Self { players, is_paired, instances: 0, next: 1, points: Vec::new() })
    }

    /// Takes the next instance, in order.
    pub(super) fn push(&mut self, results: &InstanceResults<'_>) {
        self.instances += 1;
        for (player, running) in self.players.iter_mut().enumerate() {
            let Some((share, _)) = results.of_player(player) else { continue };
            running.trials += 1;
            running.successes += u64::from(share > 0.5);
            if self.is_paired {
                running.points.push(share);
            }
        }
        if self.instances >= self.next {
            self.note();
            self.next = self.instances + self.instances.div_ceil(PART);
        }
    }

    /// The places: the instances so far, and the estimate of each player that is followed; the last is that of all instances.
    pub(super) fn finished(mut self) -> Vec<(u64, Vec<Estimate>)> {
        if self.points.last().is_some_and(|(instances, _)| *instances < self.instances) {
            self.note();
        }
        self.points
    }

    fn note(&mut self) {
        let is_paired = self.is_paired;
        let estimate = |running: &Running| {
            if is_paired {
                running.points.interval()
            } else {
                beta_binomial_sequence(running.successes, running.trials, Confidence::default_level())
            }
        };
        self.points.push((self.instances, self.players.iter().map(estimate).collect()));
    }
}
