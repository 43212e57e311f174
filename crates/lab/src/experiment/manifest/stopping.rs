//! Stopping rules: when a comparison has played enough, as they are written and as they are read.

use super::read::{Read, Section, player_named};
use super::{Design, Experiment, PlayerSpec};
use crate::game::options::{Setting, choice, open, parts, real, texts};
use crate::stats::{Bounds, EloModel, Hypotheses};

/// The condition for stopping an experiment before its largest number of trials.
#[derive(Clone, Debug, PartialEq)]
pub enum StoppingRule {
    /// When every interval of the named kind is narrow enough. The intervals are anytime-valid.
    HalfWidth {
        /// The largest half-width, in units of success or points per game.
        at_most: f64,
        /// Which intervals.
        of: Precision,
    },
    /// When a sequential probability ratio test between two players of a two-player game has decided.
    Sprt {
        /// The indices of the players: H1 is that the first is stronger by `elo1`, H0 by `elo0`.
        players: [usize; 2],
        /// The hypotheses.
        hypotheses: Hypotheses,
        /// The bounds of the likelihood ratio, from the error rates.
        bounds: Bounds,
    },
    /// When a sequential test finds that the success rates of two players of a solitaire differ.
    Difference {
        /// The indices of the players.
        players: [usize; 2],
        /// The largest probability of finding a difference between equal players.
        alpha: f64,
    },
    /// When the user stops a match, who may have looked at its course. No manifest has this rule.
    ByHand {
        /// The number of instances that were wanted.
        wanted: u64,
    },
}

/// The kind of interval that must be narrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// The intervals of every player's success rate, or points per game.
    Success,
    /// The intervals of the differences of the primary comparisons.
    Difference,
}

impl StoppingRule {
    /// Whether a sequential probability ratio test of a player decides.
    pub(crate) fn is_sprt_of(&self, player: usize) -> bool {
        match self {
            Self::Sprt { players, .. } => players.contains(&player),
            Self::HalfWidth { .. } | Self::Difference { .. } | Self::ByHand { .. } => false,
        }
    }

    /// The rule in words.
    pub fn words(&self, experiment: &Experiment) -> String {
        let names = |[a, b]: [usize; 2]| {
            format!("{} against {}", experiment.players[a].name, experiment.players[b].name)
        };
        match self {
            Self::HalfWidth { at_most, of: Precision::Success } => {
                format!("until every anytime 95 % interval has a half-width of at most {at_most}")
            }
            Self::HalfWidth { at_most, of: Precision::Difference } => {
                format!(
                    "until the anytime 95 % interval of every primary difference has a half-width of at most {at_most}"
                )
            }
            Self::Sprt { players, hypotheses, bounds } => format!(
                "until an SPRT of {} decides between {hypotheses} (α = {}, β = {})",
                names(*players),
                bounds.alpha,
                bounds.beta
            ),
            Self::Difference { players, alpha } => {
                format!("until a sequential test tells {} apart, α = {alpha}", names(*players))
            }
            Self::ByHand { .. } => "until the user stops the match".into(),
        }
    }
}

/// The parts of an experiment that a stopping rule depends on.
pub(super) struct Surroundings<'e> {
    pub(super) two_player: bool,
    pub(super) players: &'e [PlayerSpec],
    pub(super) design: &'e Design,
    pub(super) primary: &'e [[usize; 2]],
}

parts! {
    /// A stopping rule, as it is written.
    pub(super) enum WrittenRule {
        /// until every interval is narrow enough
        HalfWidth {
            /// the largest half-width of the anytime 95 % intervals
            at_most: f64 = real(open(0.0, 0.5), ()).needed("0.02"),
            /// of which intervals
            of: Precision = choice([
                ("success", "those of success rates, or points per game", Precision::Success),
                ("difference", "those of the differences of the primary comparisons", Precision::Difference),
            ]),
        },
        /// until a sequential probability ratio test of two players of a game for two decides
        Sprt {
            /// the names of two players
            between: Vec<String> = two_players(),
            /// the scale of Elo differences
            model: EloModel = choice([
                ("logistic", "that of expected points", EloModel::Logistic),
                ("normalized", "that of points in their standard deviation", EloModel::Normalized),
            ]),
            /// the difference under H0
            elo0: f64 = real(open(-Hypotheses::FURTHEST, Hypotheses::FURTHEST), ()).needed("0"),
            /// the difference under H1
            elo1: f64 = real(open(-Hypotheses::FURTHEST, Hypotheses::FURTHEST), ()).needed("10"),
            /// the probability of finding a difference between equal players
            alpha: f64 = real(open(0.0, 0.5), 0.05),
            /// the probability of missing it
            beta: f64 = real(open(0.0, 0.5), 0.05),
        },
        /// until a sequential test finds that the success rates of two players of a solitaire differ
        Difference {
            /// the names of two players
            between: Vec<String> = two_players(),
            /// the probability of finding a difference between equal players
            alpha: f64 = real(open(0.0, 1.0), 0.05),
        },
    }
}

fn two_players() -> Setting<Vec<String>> {
    texts(2..=2).needed("[\"a\", \"b\"]")
}

impl Surroundings<'_> {
    /// The rule, if it fits the game, the players and the design.
    pub(super) fn rule(&self, written: WrittenRule, keys: &Section<'_>) -> Read<StoppingRule> {
        let refused = |reason: &str| Err(keys.error("stopping", reason));
        match written {
            WrittenRule::HalfWidth { at_most, of } => {
                if of == Precision::Difference && self.primary.is_empty() {
                    return refused(
                        "`of = \"difference\"` means the primary comparisons, and there is no `primary`",
                    );
                }
                let meet = self.primary.iter().all(|&players| self.design.meet(players));
                if of == Precision::Difference && self.two_player && !meet {
                    return refused("`of = \"difference\"` needs primary comparisons of players that meet");
                }
                Ok(StoppingRule::HalfWidth { at_most, of })
            }
            WrittenRule::Sprt { between, model, elo0, elo1, alpha, beta } => {
                if !self.two_player {
                    return refused(
                        "an SPRT needs two players of a two-player game; for a solitaire write stopping.difference = \
                         { between = […] }",
                    );
                }
                let players = self.two(&between, keys)?;
                if !self.design.meet(players) {
                    return refused(&format!("{} and {} do not meet here", between[0], between[1]));
                }
                let invalid = |error: crate::stats::TestError| keys.error("stopping", error.to_string());
                let hypotheses = Hypotheses::new(model, elo0, elo1).map_err(invalid)?;
                let bounds = Bounds::new(alpha, beta).map_err(invalid)?;
                Ok(StoppingRule::Sprt { players, hypotheses, bounds })
            }
            WrittenRule::Difference { .. } if self.two_player => refused(
                "`difference` compares success rates in a solitaire; for a two-player game write stopping.sprt = \
                 { between = […], elo0 = 0, elo1 = 10 }",
            ),
            WrittenRule::Difference { between, alpha } => {
                Ok(StoppingRule::Difference { players: self.two(&between, keys)?, alpha })
            }
        }
    }

    /// Two different players.
    fn two(&self, names: &[String], keys: &Section<'_>) -> Read<[usize; 2]> {
        let named = |index: usize| player_named(&names[index], keys.at_item("between", index), self.players);
        let players = [named(0)?, named(1)?];
        if players[0] == players[1] {
            return Err(keys.error("between", "`between` names two different players"));
        }
        Ok(players)
    }
}
