//! Running stopping rules, and their verdicts.
//!
//! A rule gets whole instances in the order of their indices, never in order of completion, and its decision is final.
//! So the decision is a function of the manifest: it is the same for any number of threads, and after an interruption.
//! Later trials stay in the log and do not count.

use serde::{Deserialize, Serialize};

use super::{BoundedMean, InstanceResults, Standing};
use crate::experiment::plan::Plan;
use crate::game::{Counts, Facts};
use crate::manifest::{Experiment, Precision, StoppingRule};
use crate::stats::{
    Bounds, Confidence, EloInterval, EloModel, Estimate, Hypotheses, MeanEProcess, PairedEProcess, Sprt,
    Unit, Verdict, estimate_after_sprt, named_pairs,
};

/// The final state of a stopping rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoppingSummary {
    /// The rule in words.
    pub rule: String,
    /// The decision in words; none if the trials ended first.
    pub decision: Option<String>,
    /// The number of instances that count.
    pub instances: u64,
    /// The largest number of instances.
    pub at_most: u64,
    /// Whether the user stopped the match, not a rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The state of the test, if the rule is one.
    pub test: Option<TestSummary>,
}

/// The state of a sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestSummary {
    /// A sequential probability ratio test.
    Sprt {
        /// The log-likelihood ratio.
        ratio: f64,
        /// The bounds.
        bounds: Bounds,
        /// Pairs of games by score of the first player, 0 to 4 quarters.
        #[serde(with = "named_pairs")]
        pairs: [u64; 5],
        /// The verdict.
        verdict: Verdict,
        /// The plain estimate of the difference in Elo, which stopping biases.
        naive_elo: EloInterval,
        /// The median-unbiased estimate, in the unit of the hypotheses; none if it did not decide.
        unbiased_elo: Option<EloInterval>,
        /// Whether that unit is normalised Elo, not logistic Elo.
        #[serde(default)]
        normalized: bool,
    },
    /// The e-process of discordant instances, or of the differences of a score or of the points of pairs.
    Difference {
        /// The logarithm of the evidence.
        ln_e: f64,
        /// The p-value, which holds at any time.
        p: f64,
    },
}

/// The decision of a stopping rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppingPoint {
    /// The number of instances before it.
    pub instances: u64,
    /// The decision in words.
    pub words: String,
}

/// A running stopping rule.
pub struct Stopper {
    facts: Facts,
    state: State,
    instances: u64,
    next_look: u64,
    decision: Option<StoppingPoint>,
}

enum State {
    Rates {
        at_most: f64,
        players: Vec<Standing>,
    },
    Differences {
        at_most: f64,
        pairs: Vec<([usize; 2], BoundedMean)>,
    },
    Sprt {
        cell: usize,
        reversed: bool,
        names: [String; 2],
        test: Sprt,
        hypotheses: Hypotheses,
        bounds: Bounds,
    },
    Difference {
        players: [usize; 2],
        names: [String; 2],
        alpha: f64,
        evidence: Evidence,
    },
    ByHand,
}

/// The evidence that one of two players is better, and which of them is.
enum Evidence {
    Success { process: PairedEProcess, wins: [u64; 2] },
    Mean { process: Box<MeanEProcess>, lead: f64, does: &'static str },
}

impl Evidence {
    fn mean(does: &'static str) -> Self {
        Self::Mean { process: Box::default(), lead: 0.0, does }
    }

    /// ln E, the p-value, whether the second is better, and what it does.
    fn state(&self) -> (f64, f64, bool, &'static str) {
        match self {
            Self::Success { process, wins } => {
                (process.ln_e(), process.p_value(), wins[1] > wins[0], "succeeds more often than")
            }
            Self::Mean { process, lead, does } => (process.ln_e(), process.p_value(), *lead < 0.0, does),
        }
    }

    /// Adds the difference of an instance, in [−1, 1].
    fn push(&mut self, difference: f64) {
        match self {
            Self::Success { .. } if difference == 0.0 => {}
            Self::Success { process, wins } => {
                process.push(difference > 0.0);
                wins[usize::from(difference < 0.0)] += 1;
            }
            Self::Mean { process, lead, .. } => {
                process.push(difference);
                *lead += difference;
            }
        }
    }
}

/// The decision of a sequential test between two Elo differences.
fn in_words(hypotheses: Hypotheses, is_h1: bool, [first, second]: &[String; 2]) -> String {
    let normalized = if hypotheses.model() == EloModel::Normalized { "normalised " } else { "" };
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    match is_h1 {
        true if elo0 >= 0.0 => format!("{first} is stronger than {second}"),
        true => format!("{first} is not {} {normalized}Elo weaker than {second}", -elo0),
        false if elo1 <= 0.0 => format!("{first} is weaker than {second}"),
        false => format!("{first} is not {elo1} {normalized}Elo stronger than {second}"),
    }
}

impl Stopper {
    /// The rule of an experiment before its first instance. `None` for a fixed number of trials.
    pub fn new(plan: &Plan, experiment: usize) -> Option<Self> {
        let (cells, experiment) = (plan.cells(experiment), plan.experiment(experiment));
        let (confidence, facts) = (Confidence::default_level(), experiment.facts());
        let names = |players: [usize; 2]| players.map(|player| experiment.players[player].name.clone());
        let state = match experiment.stopping.clone()? {
            StoppingRule::HalfWidth { at_most, of: Precision::Success } => {
                let standing = |_| Standing::new(facts.clone());
                State::Rates { at_most, players: (0..experiment.players.len()).map(standing).collect() }
            }
            StoppingRule::HalfWidth { at_most, of: Precision::Difference } => {
                let pair = |&players: &[usize; 2]| (players, BoundedMean::new(confidence));
                State::Differences { at_most, pairs: experiment.primary.iter().map(pair).collect() }
            }
            StoppingRule::Sprt { players, hypotheses, bounds } => {
                let reversed = [players[1], players[0]];
                let found = cells.iter().position(|cell| cell.players == players || cell.players == reversed);
                let cell = found.expect("the manifest was checked");
                let test = Sprt::new(hypotheses, bounds, Unit::Pairs);
                let (reversed, names) = (cells[cell].players == reversed, names(players));
                State::Sprt { cell, reversed, names, test, hypotheses, bounds }
            }
            StoppingRule::Difference { players, alpha } => State::Difference {
                players,
                names: names(players),
                alpha,
                evidence: match facts.counts {
                    Counts::Success => Evidence::Success { process: PairedEProcess::default(), wins: [0; 2] },
                    Counts::Score => Evidence::mean("has a higher mean score than"),
                    Counts::Points => Evidence::mean("has more points than"),
                },
            },
            StoppingRule::ByHand { .. } => State::ByHand,
        };
        Some(Self { facts, state, instances: 0, next_look: 1, decision: None })
    }

    /// The decision, if there is one.
    pub const fn decision(&self) -> Option<&StoppingPoint> {
        self.decision.as_ref()
    }

    /// The expected number of instances until a sequential test decides; see [`Sprt::expected_left`].
    pub fn expected_left(&self) -> Option<f64> {
        if let State::Sprt { test, .. } = &self.state { test.expected_left() } else { None }
    }

    /// The number of instances that count.
    pub const fn instances(&self) -> u64 {
        self.instances
    }

    /// Takes the next instance, in order. Instances after the decision change nothing.
    pub fn push(&mut self, results: &InstanceResults<'_>) {
        if self.decision.is_some() {
            return;
        }
        self.instances += 1;
        let words = match &mut self.state {
            State::Sprt { cell, reversed, names, test, hypotheses, .. } => {
                // A failed pair is no evidence.
                if let Some((share, _)) = results.of_cell(*cell) {
                    let class = (4.0 * share) as usize;
                    test.push(if *reversed { 4 - class } else { class });
                }
                match test.verdict() {
                    Verdict::Inconclusive => None,
                    verdict => {
                        let sentence = in_words(*hypotheses, verdict == Verdict::AcceptH1, names);
                        Some(format!("{sentence}; {verdict} ({hypotheses})"))
                    }
                }
            }
            State::Difference { players, names, alpha, evidence } => {
                results.difference(*players, &self.facts).into_iter().for_each(|of| evidence.push(of));
                let (ln_e, _, is_second, does) = evidence.state();
                let better = usize::from(is_second);
                let apart = ln_e >= -libm::log(*alpha);
                apart.then(|| format!("{} {does} {}", names[better], names[1 - better]))
            }
            State::Rates { players, .. } => {
                for (player, standing) in players.iter_mut().enumerate() {
                    results.of_player(player).into_iter().for_each(|result| standing.push(result));
                }
                self.look()
            }
            State::Differences { pairs, .. } => {
                for (players, mean) in pairs {
                    if let Some(difference) = results.difference(*players, &self.facts) {
                        mean.push(f64::midpoint(1.0, difference));
                    }
                }
                self.look()
            }
            State::ByHand => None,
        };
        self.decision = words.map(|words| StoppingPoint { instances: self.instances, words });
    }

    /// Checks the intervals after each of the first 100 instances, and then whenever the number of instances has grown
    /// by 1 %. The intervals are anytime-valid, so any fixed schedule of checks is valid.
    fn look(&mut self) -> Option<String> {
        if self.instances < self.next_look {
            return None;
        }
        self.next_look = self.instances + self.instances.div_ceil(100).max(1);
        let half = |estimate: Estimate| (estimate.high - estimate.low) / 2.0;
        let (at_most, widest) = match &mut self.state {
            State::Rates { at_most, players } => {
                (*at_most, players.iter().map(|of| half(of.interval())).fold(0.0, f64::max))
            }
            // The interval of the mean of (1 + d)/2 is half as wide as that of d, which is a part of the range.
            State::Differences { at_most, pairs } => {
                let width = self.facts.results().map_or(f64::INFINITY, |[least, most]| most - least);
                let widths = pairs.iter_mut().map(|(_, mean)| 2.0 * width * half(mean.interval()));
                (*at_most, widths.fold(0.0, f64::max))
            }
            State::Sprt { .. } | State::Difference { .. } | State::ByHand => return None,
        };
        let unit = self.facts.unit();
        (widest <= at_most)
            .then(|| format!("the widest anytime interval has a half-width of {widest:.4}{unit}"))
    }

    /// The final state of the rule.
    pub fn summary(&self, experiment: &Experiment) -> Option<StoppingSummary> {
        let test = match &self.state {
            State::Rates { .. } | State::Differences { .. } | State::ByHand => None,
            State::Sprt { test, hypotheses, bounds, .. } => {
                let confidence = Confidence::default_level();
                let counts = test.counts();
                Some(TestSummary::Sprt {
                    ratio: test.ratio(),
                    bounds: *bounds,
                    pairs: counts.counts().try_into().expect("pairs have five results"),
                    verdict: test.verdict(),
                    normalized: hypotheses.model() == EloModel::Normalized,
                    naive_elo: counts.elo(confidence),
                    unbiased_elo: estimate_after_sprt(
                        *hypotheses,
                        *bounds,
                        counts,
                        test.verdict(),
                        confidence,
                    ),
                })
            }
            State::Difference { evidence, .. } => {
                let (ln_e, p, ..) = evidence.state();
                Some(TestSummary::Difference { ln_e, p })
            }
        };
        let rule = experiment.stopping.as_ref()?;
        let (by_hand, at_most) = match rule {
            StoppingRule::ByHand { wanted } => (true, *wanted),
            StoppingRule::HalfWidth { .. } | StoppingRule::Sprt { .. } | StoppingRule::Difference { .. } => {
                (false, experiment.trials)
            }
        };
        let decision = self.decision.as_ref().map(|decision| decision.words.clone());
        Some(StoppingSummary {
            rule: rule.words(&experiment.players, &self.facts),
            decision,
            instances: self.instances,
            at_most,
            by_hand,
            test,
        })
    }
}
