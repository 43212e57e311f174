//! Simulation: playouts from the leaves of the tree, to the end of the game or cut off and evaluated.

use std::sync::Arc;

use super::super::tree::{Kind, Sample, Scale};
use super::heuristic::Evaluated;
use super::learning::{Learning, Statistics};
use crate::game::{EvaluationRequest, Game, PlayoutRequest, Policy, PolicyExt, Turn};

/// How a leaf of the tree is valued.
#[derive(Clone)]
pub struct Leaf<G> {
    /// How playouts choose their moves.
    pub policy: Arc<dyn Policy<G>>,
    /// When playouts are cut off; `None` for never.
    pub cutoff: Option<Cutoff<G>>,
}

/// A playout that is cut off and evaluated (Lorentz 2008, "Amazons discover Monte-Carlo").
#[derive(Clone)]
pub struct Cutoff<G> {
    /// The number of plies before the evaluation; with 0 the leaf itself is evaluated.
    pub plies: u32,
    /// The evaluation of the position reached.
    pub evaluated: Evaluated<G>,
}

/// A playout with a cut-off: its plies, and its payoff if the game ended earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) plies: u32,
    pub(super) payoff: Option<f64>,
}

impl<G: Game> Cutoff<G> {
    /// Plays a batch up to the cut-off. Returns each playout; those without a payoff must be evaluated.
    pub(super) fn play(
        &self,
        game: &G,
        policy: &dyn Policy<G>,
        request: &PlayoutRequest<G::Position>,
        evaluations: &mut Vec<EvaluationRequest<G::Position>>,
    ) -> Vec<Cut> {
        let PlayoutRequest { from, player, batch } = *request;
        let play = |index| {
            let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
            let payoff = loop {
                let mv = match game.turn(&position) {
                    Turn::Over => break Some(f64::from(game.payoff(&position, player))),
                    _ if plies == self.plies => break None,
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                    Turn::Player(_) => policy.choose(game, &position, &mut draws),
                };
                game.apply(&mut position, mv);
                plies += 1;
            };
            if payoff.is_none() {
                evaluations.push(EvaluationRequest { position, player, prior: false });
            }
            Cut { plies, payoff }
        };
        (batch.first..batch.first + batch.count).map(play).collect()
    }

    /// The result of playouts with a cut-off, given the evaluations of the unfinished ones.
    pub(super) fn sample(&self, cuts: &[Cut], scale: Scale, evaluations: &[i64]) -> Sample {
        let mut values = evaluations.iter().map(|&value| scale.payoff(self.evaluated.normalise(value)));
        let mut sample = Sample::default();
        for &Cut { plies, payoff } in cuts {
            let payoff = payoff.or_else(|| values.next()).expect("each position is evaluated");
            sample.add(payoff, plies);
        }
        sample
    }
}

impl<G: Game> Leaf<G> {
    /// Plays out a leaf. Playout statistics, if used, choose and record every move.
    ///
    /// # Cost
    /// One virtual call per batch; with a cut-off or statistics, one per ply.
    pub(super) fn play(
        &self,
        game: &G,
        request: &PlayoutRequest<G::Position>,
        mut statistics: Option<(&mut Statistics, Learning)>,
    ) -> Sample {
        let PlayoutRequest { from, player, batch } = *request;
        if self.cutoff.is_none() && statistics.is_none() {
            return self.policy.playouts(game, &from, player, batch).into();
        }
        let mut sample = Sample::default();
        let led_here = statistics.as_ref().map_or(0, |(statistics, _)| statistics.made.len());
        for index in batch.first..batch.first + batch.count {
            if let Some((statistics, _)) = &mut statistics {
                statistics.made.truncate(led_here);
            }
            let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
            let payoff = loop {
                let kind = Kind::of(game.turn(&position), player);
                let mv = match (kind, &self.cutoff, &mut statistics) {
                    (Kind::Over, ..) => break f64::from(game.payoff(&position, player)),
                    (_, Some(cutoff), _) if plies == cutoff.plies => {
                        break Scale::of(game).payoff(cutoff.evaluated.value(game, &position, player));
                    }
                    (Kind::Chance, ..) => game.random_outcome(&position, &mut draws),
                    (_, _, None) => self.policy.choose(game, &position, &mut draws),
                    (_, _, Some((statistics, learning))) => {
                        statistics.play(*learning, game, &*self.policy, &position, kind, &mut draws)
                    }
                };
                game.apply(&mut position, mv);
                plies += 1;
            };
            sample.add(payoff, plies);
        }
        sample
    }
}
