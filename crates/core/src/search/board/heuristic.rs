//! Heuristics: priors and normalised evaluations.

use std::sync::Arc;

use crate::game::{Evaluation, EvaluationBuffer, EvaluationRequest, Game, GameExt, Player, Policy, Turn};
use crate::search::Prior;
use crate::search::tree::Scale;

/// An evaluation as a value in `[0, 1]`.
pub(super) struct Evaluated<'e, G> {
    evaluation: &'e dyn Evaluation<G>,
    /// An evaluation *e* counts as ½ + *e* / 2(|*e*| + scale): ¾ if it equals the scale. One that estimates points counts as these.
    scale: f64,
}

impl<'e, G: Game> Evaluated<'e, G> {
    /// An evaluation, and its value that counts as ¾, in the evaluation's unit.
    pub(super) fn new(evaluation: &'e Arc<dyn Evaluation<G>>, scale: f64) -> Self {
        Self { evaluation: &**evaluation, scale: scale / evaluation.facts().unit }
    }

    /// The value of an unfinished position for `player`.
    pub(super) fn value(&self, game: &G, position: &G::Position, player: Player) -> f64 {
        if !self.evaluation.facts().prefers_batches {
            return self.normalise(self.evaluation.evaluate(game, position, player));
        }
        let request = EvaluationRequest { position: *position, player, prior: false };
        let mut answers = EvaluationBuffer::default();
        self.evaluation.evaluate_many(game, &[request], &mut answers);
        self.normalise(answers.all().values()[0])
    }

    /// The value of a position for a player after some plies of minimax, with cuts outside a window; earlier at a turn of chance or the
    /// end of the game. As prior and as value of leaves: MCTS-IP-M and MCTS-IC-M of Baier and Winands 2018, "MCTS-minimax hybrids with
    /// state evaluations".
    pub(super) fn after(
        &self,
        game: &G,
        position: &G::Position,
        (player, scale): (Player, Scale),
        plies: u32,
        (mut low, mut high): (f64, f64),
    ) -> f64 {
        let is_max = match game.turn(position) {
            Turn::Over => return scale.value(f64::from(game.payoff(position, player))),
            Turn::Player(mover) if plies > 0 => mover == player,
            _ => return self.value(game, position, player),
        };
        for (_, child) in game.children(position) {
            let found = self.after(game, &child, (player, scale), plies - 1, (low, high));
            if is_max {
                low = low.max(found);
            } else {
                high = high.min(found);
            }
            if low >= high {
                break;
            }
        }
        if is_max { low } else { high }
    }

    /// The value in `[0, 1]` of an evaluation.
    pub(super) fn normalise(&self, evaluation: i64) -> f64 {
        let (value, facts) = (evaluation as f64, self.evaluation.facts());
        if let Some(points) = facts.points(evaluation) {
            return points;
        }
        0.5 + 0.5 * value / (value.abs() + self.scale)
    }
}

/// The window without cuts.
pub(super) const WHOLE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The prior of the moves of a game.
pub(super) type PriorOf<G> = Prior<Arc<dyn Policy<G>>, Arc<dyn Evaluation<G>>>;

impl<G: Game> PriorOf<G> {
    /// The priors of moves for the player who makes them. `told` is the requested prior of an evaluation, in the
    /// game's order.
    pub(super) fn of(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        (mover, scale): (Player, Scale),
        told: Option<Vec<f32>>,
    ) -> Vec<f64> {
        match self {
            Self::None {} | Self::Policy { policy: None } => Vec::new(),
            Self::Policy { policy: Some(policy) } => {
                let known = policy.distribution(game, position);
                let whole: f64 = known.iter().map(|(_, weight)| f64::from(*weight)).sum();
                let weight = |mv: &G::Move| {
                    known.iter().find(|(known, _)| known == mv).map_or(0, |(_, weight)| *weight)
                };
                moves.iter().map(|mv| f64::from(weight(mv)) / whole).collect()
            }
            Self::Head { evaluation } => {
                let prior = told.unwrap_or_else(|| {
                    let mut answers = EvaluationBuffer::default();
                    let request = EvaluationRequest { position: *position, player: mover, prior: true };
                    evaluation.evaluate_many(game, &[request], &mut answers);
                    answers.all().prior(0).to_vec()
                });
                let place = |mv| game.moves(position).position(|legal| legal == mv).expect("a legal move");
                moves.iter().map(|&mv| f64::from(prior[place(mv)])).collect()
            }
            Self::Evaluation { evaluation, scale: worth, minimax } => {
                let evaluated = Evaluated::new(evaluation, *worth);
                let value = |&mv: &G::Move| {
                    evaluated.after(game, &game.after(position, mv), (mover, scale), *minimax, WHOLE)
                };
                moves.iter().map(value).collect()
            }
        }
    }
}
