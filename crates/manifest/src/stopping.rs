//! Stopping rules: when a comparison has played enough.

use super::PlayerSpec;
use crate::game::Facts;
use crate::stats::{Bounds, Hypotheses};

/// The condition for stopping an experiment before its largest number of trials.
#[derive(Clone, Debug, PartialEq)]
pub enum StoppingRule {
    /// When every interval of the named kind is narrow enough. The intervals are anytime-valid.
    HalfWidth {
        /// The largest half-width, in units of success, points per game or the score that counts.
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
    /// When a sequential test finds that two players differ: in success or score on the same deals of a solitaire, or in the points
    /// of the pairs that they play against each other.
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

shikou_learn::words! {
    /// The kind of interval that must be narrow.
    pub enum Precision {
        Success = "those of success rates, points per game, or scores that count",
        Difference = "those of the differences of the primary comparisons",
    }
}

impl StoppingRule {
    /// The two players of a test whose estimate after the decision is the only one that they have.
    pub const fn tested(&self) -> &[usize] {
        match self {
            Self::Sprt { players, .. } => players,
            Self::HalfWidth { .. } | Self::Difference { .. } | Self::ByHand { .. } => &[],
        }
    }

    /// The rule in words.
    pub fn words(&self, players: &[PlayerSpec], facts: &Facts) -> String {
        let unit = facts.unit();
        let names = |[a, b]: [usize; 2]| format!("{} against {}", players[a].name, players[b].name);
        match self {
            Self::HalfWidth { at_most, of: Precision::Success } => {
                format!("until every anytime 95 % interval has a half-width of at most {at_most}{unit}")
            }
            Self::HalfWidth { at_most, of: Precision::Difference } => {
                format!(
                    "until the anytime 95 % interval of every primary difference has a half-width of at most {at_most}{unit}"
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
