//! Stopping rules as they are written.

use super::{Read, Section, player_named};
use crate::game::options::{POSITIVE, Setting, choice, open, parts, real, texts};
use crate::game::{Counts, Facts};
use crate::players::AnyGame;
use crate::stats::{Bounds, EloModel, Hypotheses};
use crate::{Design, PlayerSpec, Precision, StoppingRule};

pub(crate) struct Meetings<'e> {
    pub(crate) game: &'e dyn AnyGame,
    pub(crate) facts: Facts,
    /// The length of the list of boards of a solitaire.
    pub(crate) boards: Option<u64>,
    pub(crate) players: &'e [PlayerSpec],
    pub(crate) design: &'e Design,
    pub(crate) primary: &'e [[usize; 2]],
}

parts! {
    pub(crate) enum WrittenRule {
        /// until every interval is narrow enough
        HalfWidth {
            /// the largest half-width of the anytime 95 % intervals, below half of the range: 0.5, or in the unit of the score that counts
            at_most: f64 = real(POSITIVE, ()).needed("0.02"),
            /// of which intervals
            of: Precision = Precision::setting(),
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
            alpha: f64 = real(open(0.0, 0.5), Bounds::ERROR),
            /// the probability of missing it
            beta: f64 = real(open(0.0, 0.5), Bounds::ERROR),
        },
        /// until a sequential test finds that two players differ: in success or score on the same deals, or in the points of the pairs
        /// that they play against each other
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

impl Meetings<'_> {
    pub(crate) fn rule(&self, written: WrittenRule, keys: &Section<'_>) -> Read<StoppingRule> {
        let refused = |reason: &str| Err(keys.error("stopping", reason));
        let facts = &self.facts;
        if self.boards.is_some() {
            return refused(
                "a stopping rule needs instances that are drawn alike, and a list of boards is played in its order; leave \
                 `stopping` out",
            );
        }
        let two_player = facts.counts == Counts::Points;
        let Some([least, most]) = facts.results() else {
            return refused(&format!(
                "a rule needs the range of the score of {}, for its intervals hold at any time only for bounded scores, and the \
                 game declares none; leave `stopping` out, or declare the range with `with_scores`",
                self.game.spec()
            ));
        };
        match written {
            WrittenRule::HalfWidth { at_most, of } => {
                let half = (most - least) / 2.0;
                if at_most >= half {
                    let unit = facts.unit();
                    let message = format!(
                        "`at-most` must be a number between 0 and {half}{unit}, both excluded, not {at_most}"
                    );
                    return Err(keys.error("stopping", message));
                }
                if of == Precision::Difference && self.primary.is_empty() {
                    return refused(
                        "`of = \"difference\"` means the primary comparisons, and there is no `primary`",
                    );
                }
                let meet = self.primary.iter().all(|&players| self.design.meet(players));
                if of == Precision::Difference && two_player && !meet {
                    return refused("`of = \"difference\"` needs primary comparisons of players that meet");
                }
                Ok(StoppingRule::HalfWidth { at_most, of })
            }
            WrittenRule::Sprt { between, model, elo0, elo1, alpha, beta } => {
                if !two_player {
                    return refused(
                        "an SPRT needs two players of a two-player game; for a solitaire write stopping.difference = \
                         { between = […] }",
                    );
                }
                let players = self.opponents(&between, keys)?;
                let invalid = |error: crate::stats::TestError| keys.error("stopping", error.to_string());
                let hypotheses = Hypotheses::new(model, elo0, elo1).map_err(invalid)?;
                let bounds = Bounds::new(alpha, beta).map_err(invalid)?;
                Ok(StoppingRule::Sprt { players, hypotheses, bounds })
            }
            WrittenRule::Difference { between, alpha } => {
                let players =
                    if two_player { self.opponents(&between, keys)? } else { self.two(&between, keys)? };
                Ok(StoppingRule::Difference { players, alpha })
            }
        }
    }

    fn opponents(&self, names: &[String], keys: &Section<'_>) -> Read<[usize; 2]> {
        let players = self.two(names, keys)?;
        if !self.design.meet(players) {
            return Err(keys.error("stopping", format!("{} and {} do not meet here", names[0], names[1])));
        }
        Ok(players)
    }

    fn two(&self, names: &[String], keys: &Section<'_>) -> Read<[usize; 2]> {
        let named = |index: usize| player_named(&names[index], keys.at_item("between", index), self.players);
        let players = [named(0)?, named(1)?];
        if players[0] == players[1] {
            return Err(keys.error("between", "`between` names two different players"));
        }
        Ok(players)
    }
}
