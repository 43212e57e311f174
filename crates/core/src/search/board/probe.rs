//! The shallow minimax of MCTS-MS (Baier, Winands 2013, "Monte-Carlo tree search and minimax hybrids").

use crate::game::{Game, GameExt, Player};
use crate::search::tree::{Bounds, Kind};

/// The bounds of a position for a player that plain minimax to a few plies proves.
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
