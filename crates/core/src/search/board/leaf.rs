//! Simulation: playouts from the leaves of the tree, to the end of the game or cut off and evaluated, and shallow minimax.

use super::heuristic::{Evaluated, WHOLE};
use crate::game::{EvaluationRequest, Game, GameExt, Player, PlayoutRequest, Turn};
use crate::search::tree::{Bounds, Kind, Scale};
use crate::search::uct::{Statistics, number_of};
use crate::search::{Playouts, UctSettings};

/// A playout: its plies, and its payoff if it reached the end of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) plies: u32,
    pub(super) payoff: Option<f64>,
}

/// Plays a batch to the end of the game or to the cut-off, and requests the values of the last positions there. Playout
/// statistics, if used, choose and record every move. Cost: one virtual call per ply.
pub(super) fn play_to<G: Game>(
    settings: &UctSettings<G>,
    game: &G,
    request: &PlayoutRequest<G::Position>,
    mut statistics: Option<(Playouts<()>, &mut Statistics)>,
    (cuts, evaluations): (&mut Vec<Cut>, &mut Vec<EvaluationRequest<G::Position>>),
) {
    let PlayoutRequest { from, player, batch } = *request;
    let policy = &*settings.policy;
    let as_code = settings.playouts.use_codes();
    let most = if let Playouts::Cut { plies, .. } = settings.playouts { plies } else { u32::MAX };
    // With minimax at the cut-off the value is known at once.
    let ahead = |position: &G::Position| match &settings.playouts {
        Playouts::Cut { minimax: minimax @ 1.., evaluation, scale: worth, .. } => {
            let (evaluated, scale) = (Evaluated::new(evaluation, *worth), Scale::of(game));
            Some(scale.payoff(evaluated.after(game, position, (player, scale), *minimax, WHOLE)))
        }
        _ => None,
    };
    let led_here = statistics.as_ref().map_or(0, |(_, statistics)| statistics.made.len());
    cuts.clear();
    for index in batch.first..batch.first + batch.count {
        if let Some((_, statistics)) = &mut statistics {
            statistics.made.truncate(led_here);
        }
        let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
        let payoff = loop {
            let turn = game.turn(&position);
            let mv = match (turn, &mut statistics) {
                (Turn::Over, _) => break Some(f64::from(game.payoff(&position, player))),
                _ if plies == most => break ahead(&position),
                (Turn::Chance, _) => game.random_outcome(&position, &mut draws),
                (_, None) => policy.choose(game, &position, &mut draws),
                (_, Some((playouts, statistics))) => {
                    let kind = Kind::of(turn, player);
                    let number = |mv| number_of(game, &position, mv, as_code);
                    let moves = || game.moves(&position).map(|mv| (mv, number(mv)));
                    let choose = |draws: &mut _| policy.choose(game, &position, draws);
                    let mv = statistics.choose(*playouts, kind, moves, &mut draws, choose);
                    statistics.note(kind, number(mv));
                    mv
                }
            };
            game.apply(&mut position, mv);
            plies += 1;
        };
        if payoff.is_none() {
            evaluations.push(EvaluationRequest { position, player, prior: false });
        }
        cuts.push(Cut { plies, payoff });
    }
}

/// The bounds of a position for a player that plain minimax to a few plies proves (MCTS-MS: Baier, Winands 2013, "Monte-Carlo tree
/// search and minimax hybrids").
pub(super) fn probe_to<G: Game>(
    game: &G,
    position: &G::Position,
    (player, range): (Player, Bounds),
    depth: u32,
) -> Bounds {
    let kind = Kind::of(game.turn(position), player);
    if kind == Kind::Over {
        return Bounds::exactly(game.payoff(position, player).into());
    }
    if depth == 0 || kind == Kind::Chance {
        return range;
    }
    let better = if kind == Kind::Max { f64::max } else { f64::min };
    let children =
        game.children(position).map(|(_, child)| probe_to(game, &child, (player, range), depth - 1));
    let both = |a: Bounds, b: Bounds| Bounds { low: better(a.low, b.low), high: better(a.high, b.high) };
    children.reduce(both).expect("a player's turn has a move")
}
