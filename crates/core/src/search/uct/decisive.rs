use std::sync::Arc;

use crate::game::{Game, GameExt, Player, Policy, Turn};
use crate::rng::PlayoutRng;

/// A policy that plays a winning move if there is one, and otherwise follows another policy (Teytaud, Teytaud 2010, "On
/// the huge benefit of decisive moves in Monte-Carlo tree search algorithms"). With `anti` it also avoids, if it can,
/// moves after which the opponent wins at once. So it is a minimax of one or two plies in playouts (Baier, Winands
/// 2013, MCTS-MR).
///
/// # Cost
/// Each legal move is tried, and with `anti` each reply to each.
#[derive(Clone)]
pub struct Decisive<G> {
    /// The policy for other positions.
    pub policy: Arc<dyn Policy<G>>,
    /// Whether moves that let the opponent win are avoided.
    pub anti: bool,
}

impl<G: Game> Decisive<G> {
    /// The first move that ends the game with the largest possible payoff for the player who makes it.
    fn winning(game: &G, position: &G::Position, player: Player, best: i32) -> Option<G::Move> {
        let wins = |child: &G::Position| game.turn(child) == Turn::Over && game.payoff(child, player) == best;
        game.children(position).find(|(_, child)| wins(child)).map(|(mv, _)| mv)
    }

    /// The winning move; else the moves after which the opponent cannot win at once, if they exclude some moves and not
    /// all.
    fn narrowed(&self, game: &G, position: &G::Position) -> Narrowed<G::Move> {
        let Turn::Player(player) = game.turn(position) else { return Narrowed::Free };
        let best = game.facts().max_payoff;
        if let Some(mv) = Self::winning(game, position, player, best) {
            return Narrowed::To(vec![mv]);
        }
        if !self.anti {
            return Narrowed::Free;
        }
        let loses = |child: &G::Position| match game.turn(child) {
            Turn::Player(other) if other != player => Self::winning(game, child, other, best).is_some(),
            _ => false,
        };
        let (lost, safe): (Vec<_>, Vec<_>) = game.children(position).partition(|(_, child)| loses(child));
        if lost.is_empty() || safe.is_empty() {
            return Narrowed::Free;
        }
        Narrowed::To(safe.into_iter().map(|(mv, _)| mv).collect())
    }
}

/// The moves to choose from.
enum Narrowed<M> {
    /// All moves: the other policy chooses.
    Free,
    /// Some moves.
    To(Vec<M>),
}

impl<G: Game> Policy<G> for Decisive<G> {
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        match self.narrowed(game, position) {
            Narrowed::Free => self.policy.choose(game, position, draws),
            Narrowed::To(moves) => moves[draws.below(moves.len() as u32) as usize],
        }
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        match self.narrowed(game, position) {
            Narrowed::Free => self.policy.distribution(game, position),
            Narrowed::To(moves) => moves.into_iter().map(|mv| (mv, 1)).collect(),
        }
    }
}
