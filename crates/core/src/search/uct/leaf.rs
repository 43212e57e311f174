//! Simulation: playouts from the leaves of the tree, to the end of the game or cut off and evaluated.

use std::sync::Arc;

use super::super::tree::{Kind, Sample, Scale};
use super::heuristic::Evaluated;
use super::learning::Statistics;
use super::parts::Playouts;
use super::settings::{Plain, UctSettings};
use crate::game::{Evaluation, EvaluationRequest, Game, PlayoutRequest, Policy, PolicyExt, Turn};

/// A playout with a cut-off: its plies, and its payoff if the game ended earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) plies: u32,
    pub(super) payoff: Option<f64>,
}

/// Where playouts are cut off, and the evaluation there.
pub(super) struct Cutoff<'e, G> {
    plies: u32,
    pub(super) evaluation: &'e Arc<dyn Evaluation<G>>,
    scale: f64,
}

impl<'e, G: Game> Cutoff<'e, G> {
    /// The cut-off of playouts, if they are cut off.
    pub(super) const fn of(playouts: &'e Playouts<Arc<dyn Evaluation<G>>>) -> Option<Self> {
        match playouts {
            Playouts::Cut { plies, evaluation, scale, .. } => {
                Some(Self { plies: *plies, evaluation, scale: *scale })
            }
            _ => None,
        }
    }

    fn evaluated(&self) -> Evaluated<'e, G> {
        Evaluated::new(self.evaluation, self.scale)
    }

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
        let evaluated = self.evaluated();
        let mut values = evaluations.iter().map(|&value| scale.payoff(evaluated.normalise(value)));
        let mut sample = Sample::default();
        for &Cut { plies, payoff } in cuts {
            let payoff = payoff.or_else(|| values.next()).expect("each position is evaluated");
            sample.add(payoff, plies);
        }
        sample
    }
}

/// Plays out a leaf. Playout statistics, if used, choose and record every move.
///
/// # Cost
/// One virtual call per batch; with a cut-off or statistics, one per ply.
pub(super) fn play_out<G: Game>(
    settings: &UctSettings<G>,
    plain: &Plain,
    game: &G,
    request: &PlayoutRequest<G::Position>,
    mut statistics: Option<&mut Statistics>,
) -> Sample {
    let PlayoutRequest { from, player, batch } = *request;
    let (policy, cutoff) = (&*settings.policy, Cutoff::of(&settings.playouts));
    if cutoff.is_none() && statistics.is_none() {
        return policy.playouts(game, &from, player, batch).into();
    }
    let mut sample = Sample::default();
    let led_here = statistics.as_ref().map_or(0, |statistics| statistics.made.len());
    for index in batch.first..batch.first + batch.count {
        if let Some(statistics) = &mut statistics {
            statistics.made.truncate(led_here);
        }
        let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
        let payoff = loop {
            let kind = Kind::of(game.turn(&position), player);
            let mv = match (kind, &cutoff, &mut statistics) {
                (Kind::Over, ..) => break f64::from(game.payoff(&position, player)),
                (_, Some(cutoff), _) if plies == cutoff.plies => {
                    break Scale::of(game).payoff(cutoff.evaluated().value(game, &position, player));
                }
                (Kind::Chance, ..) => game.random_outcome(&position, &mut draws),
                (_, _, None) => policy.choose(game, &position, &mut draws),
                (_, _, Some(statistics)) => {
                    statistics.play(plain.playouts, game, policy, &position, kind, &mut draws)
                }
            };
            game.apply(&mut position, mv);
            plies += 1;
        };
        sample.add(payoff, plies);
    }
    sample
}
