//! Simulation: playouts from the leaves of the tree, to the end of the game or cut off and evaluated.

use super::heuristic::Evaluated;
use crate::game::{EvaluationRequest, Game, PlayoutRequest, Policy, PolicyExt, Turn};
use crate::search::tree::{Kind, Sample, Scale};
use crate::search::uct::Statistics;
use crate::search::{Playouts, UctSettings};

/// A playout with a cut-off: its plies, and its payoff if the game ended earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) plies: u32,
    pub(super) payoff: Option<f64>,
}

/// Plays a batch up to a number of plies. Returns each playout; those without a payoff must be evaluated.
pub(super) fn play_to<G: Game>(
    most: u32,
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
                _ if plies == most => break None,
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

/// Plays out a leaf. Playout statistics, if used, choose and record every move.
///
/// # Cost
/// One virtual call per batch; with a cut-off or statistics, one per ply.
pub(super) fn play_out<G: Game>(
    settings: &UctSettings<G>,
    game: &G,
    request: &PlayoutRequest<G::Position>,
    mut statistics: Option<(Playouts<()>, &mut Statistics)>,
) -> Sample {
    let PlayoutRequest { from, player, batch } = *request;
    let policy = &*settings.policy;
    let cutoff = match &settings.playouts {
        Playouts::Cut { plies, evaluation, scale, .. } => Some((*plies, Evaluated::new(evaluation, *scale))),
        _ => None,
    };
    if cutoff.is_none() && statistics.is_none() {
        return policy.playouts(game, &from, player, batch).into();
    }
    let mut sample = Sample::default();
    let led_here = statistics.as_ref().map_or(0, |(_, statistics)| statistics.made.len());
    for index in batch.first..batch.first + batch.count {
        if let Some((_, statistics)) = &mut statistics {
            statistics.made.truncate(led_here);
        }
        let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
        let payoff = loop {
            let kind = Kind::of(game.turn(&position), player);
            let mv = match (kind, &cutoff, &mut statistics) {
                (Kind::Over, ..) => break f64::from(game.payoff(&position, player)),
                (_, Some((most, evaluated)), _) if plies == *most => {
                    break Scale::of(game).payoff(evaluated.value(game, &position, player));
                }
                (Kind::Chance, ..) => game.random_outcome(&position, &mut draws),
                (_, _, None) => policy.choose(game, &position, &mut draws),
                (_, _, Some((playouts, statistics))) => {
                    statistics.play(*playouts, game, policy, &position, kind, &mut draws)
                }
            };
            game.apply(&mut position, mv);
            plies += 1;
        };
        sample.add(payoff, plies);
    }
    sample
}
