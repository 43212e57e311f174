//! Heuristics: priors, normalised evaluations, widening.

use std::sync::Arc;

use super::super::tree::Scale;
use crate::game::{Evaluation, EvaluationBuffer, EvaluationRequest, Game, Player, Policy, Turn};

/// An evaluation as a value in `[0, 1]`.
#[derive(Clone)]
pub struct Evaluated<G> {
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// An evaluation *e* counts as ½ + *e* / 2(|*e*| + scale): ¾ if it equals the scale. One that estimates points counts as these.
    pub scale: f64,
}

impl<G: Game> Evaluated<G> {
    /// The value of an unfinished position for `player`.
    pub(super) fn value(&self, game: &G, position: &G::Position, player: Player) -> f64 {
        if !self.evaluation.prefers_batches() {
            return self.normalise(self.evaluation.evaluate(game, position, player));
        }
        let request = EvaluationRequest { position: *position, player, prior: false };
        let mut answers = EvaluationBuffer::default();
        self.evaluation.evaluate_many(game, &[request], &mut answers);
        self.normalise(answers.all().values()[0])
    }

    /// The value in `[0, 1]` of an evaluation.
    pub(super) fn normalise(&self, evaluation: i64) -> f64 {
        if let Some(points) = self.evaluation.points(evaluation) {
            return points;
        }
        let value = evaluation as f64;
        0.5 + 0.5 * value / (value.abs() + self.scale)
    }
}

/// The expected value of a move before its first visit. Unvisited moves are visited in this order.
#[derive(Clone, Default)]
pub enum Prior<G> {
    /// Unknown.
    #[default]
    Unknown,
    /// The probability with which a policy chooses it. It need not be the policy of the playouts.
    Policy(Arc<dyn Policy<G>>),
    /// The prior that an evaluation gives with its value, as networks do.
    Head(Arc<dyn Evaluation<G>>),
    /// The evaluation of the position after the move.
    Evaluation(Evaluated<G>),
}

impl<G: Game> Prior<G> {
    /// The priors of moves for the player who makes them, largest first. `told` is the requested prior of an
    /// evaluation, in the game's order.
    pub(super) fn of(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        (mover, scale): (Player, Scale),
        told: Option<Vec<f32>>,
    ) -> Vec<(f64, G::Move)> {
        let mut priors: Vec<(f64, G::Move)> = match self {
            Self::Unknown => Vec::new(),
            Self::Policy(policy) => {
                let known = policy.distribution(game, position);
                let whole: f64 = known.iter().map(|(_, weight)| f64::from(*weight)).sum();
                let weight = |mv: &G::Move| {
                    known.iter().find(|(known, _)| known == mv).map_or(0, |(_, weight)| *weight)
                };
                moves.iter().map(|mv| (f64::from(weight(mv)) / whole, *mv)).collect()
            }
            Self::Head(evaluation) => {
                let prior = told.unwrap_or_else(|| {
                    let mut answers = EvaluationBuffer::default();
                    let request = EvaluationRequest { position: *position, player: mover, prior: true };
                    evaluation.evaluate_many(game, &[request], &mut answers);
                    answers.all().prior(0).to_vec()
                });
                let place = |mv| game.moves(position).position(|legal| legal == mv).expect("a legal move");
                moves.iter().map(|&mv| (f64::from(prior[place(mv)]), mv)).collect()
            }
            Self::Evaluation(evaluated) => {
                let value = |&mv: &G::Move| {
                    let mut child = *position;
                    game.apply(&mut child, mv);
                    let value = match game.turn(&child) {
                        Turn::Over => scale.value(f64::from(game.payoff(&child, mover))),
                        _ => evaluated.value(game, &child, mover),
                    };
                    (value, mv)
                };
                moves.iter().map(value).collect()
            }
        };
        priors.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        priors
    }
}

/// Progressive widening (Couëtoux, Hoock, Sokolovska, Teytaud, Bonnard 2011, "Continuous upper confidence trees"): a
/// node with *n* visits has ⌈factor · *n*^½⌉ children that are visited, chance nodes included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The factor.
    pub factor: f64,
}

impl Widening {
    /// The number of children to visit, at least 1, of a node with this many visits.
    pub(super) fn children(self, visits: u32) -> u32 {
        ((self.factor * f64::from(visits).sqrt()).ceil() as u32).max(1)
    }
}

/// Implicit minimax back-ups (Lanctot, Winands, Pepels, Sturtevant 2014, "Monte Carlo tree search with heuristic
/// evaluations using implicit minimax backups"): the value of a node is (1 − share) · mean + share · evaluation, where
/// plain minimax backs up the evaluation in the tree.
#[derive(Clone)]
pub struct Implicit<G> {
    /// The weight of the evaluation, in `[0, 1]`.
    pub share: f64,
    /// The evaluation that is backed up.
    pub evaluated: Evaluated<G>,
}
