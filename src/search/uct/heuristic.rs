//! What is known of a move before it is visited: priors, and the values of evaluations.

use std::sync::Arc;

use super::conversation::Conversation;
use super::tree::{Bounds, Kind};
use crate::game::{Evaluation, Game, GameExt, Player, Turn};

/// An evaluation as a share of the best payoff.
#[derive(Clone)]
pub struct Evaluated<G> {
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// An evaluation *e* counts as the share ½ + *e* / 2(|*e*| + scale): ¾ where it equals the scale.
    pub scale: f64,
}

impl<G: Game> Evaluated<G> {
    /// The share of an unfinished position for `player`.
    pub(super) fn share(&self, game: &G, position: &G::Position, player: Player) -> f64 {
        let value = self.evaluation.evaluate(game, position, player) as f64;
        0.5 + 0.5 * value / (value.abs() + self.scale)
    }
}

/// What a move is expected to be worth before it is visited. Moves are then looked at in that order.
#[derive(Clone, Default)]
pub enum Prior<G> {
    /// Nothing is known.
    #[default]
    Unknown,
    /// The chance with which the playout policy chooses it.
    Policy,
    /// The evaluation of the position behind it.
    Evaluation(Evaluated<G>),
}

/// Progressive widening (Couëtoux, Hoock, Sokolovska, Teytaud, Bonnard 2011, "Continuous upper confidence trees"): a
/// node with *n* visits has ⌈factor · *n*^½⌉ children that are visited, at a turn of chance too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The factor.
    pub factor: f64,
}

impl Widening {
    /// How many children of a node with so many visits are visited, at least one.
    pub(super) fn children(self, visits: u32) -> u32 {
        ((self.factor * f64::from(visits).sqrt()).ceil() as u32).max(1)
    }
}

/// Implicit minimax back-ups (Lanctot, Winands, Pepels, Sturtevant 2014, "Monte Carlo tree search with heuristic
/// evaluations using implicit minimax backups"): a node's value is (1 − share) · mean + share · the evaluation as plain
/// minimax backs it up in the tree.
#[derive(Clone)]
pub struct Implicit<G> {
    /// In `[0, 1]`.
    pub share: f64,
    /// What is backed up.
    pub evaluated: Evaluated<G>,
}

impl<G: Game> Conversation<'_, G> {
    /// Fills in the priors of the children of a node, and brings the children into their order.
    pub(super) fn set_priors(&mut self, node: u32, position: &G::Position, kind: Kind) {
        if matches!(self.settings.prior, Prior::Unknown) {
            // At every new node of most searches: nothing is allocated.
            return;
        }
        let game = self.game;
        let mover = if kind == Kind::Other { self.state.player.other() } else { self.state.player };
        let moves: Vec<G::Move> = self.tree.moves_of(node).to_vec();
        let mut priors: Vec<(f64, G::Move)> = match &self.settings.prior {
            Prior::Unknown => return,
            Prior::Policy => {
                let known = self.settings.leaf.policy.distribution(game, position);
                let whole: f64 = known.iter().map(|(_, weight)| f64::from(*weight)).sum();
                let weight = |mv: &G::Move| {
                    known.iter().find(|(known, _)| known == mv).map_or(0, |(_, weight)| *weight)
                };
                moves.iter().map(|mv| (f64::from(weight(mv)) / whole, *mv)).collect()
            }
            Prior::Evaluation(evaluated) => {
                let share = |&mv: &G::Move| {
                    let mut child = *position;
                    game.apply(&mut child, mv);
                    let share = match game.turn(&child) {
                        Turn::Over => self.state.scale.share(f64::from(game.payoff(&child, mover))),
                        _ => evaluated.share(game, &child, mover),
                    };
                    (share, mv)
                };
                moves.iter().map(share).collect()
            }
        };
        priors.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        // PUCT takes a distribution.
        let whole = if self.settings.selection.rule.wants_a_distribution() {
            priors.iter().map(|(prior, _)| prior).sum()
        } else {
            1.0
        };
        for (child, (prior, _)) in self.tree.children(node).zip(&priors) {
            self.tree.priors[child as usize] = prior / whole;
        }
        for (slot, (_, mv)) in self.tree.moves_of(node).iter_mut().zip(&priors) {
            *slot = *mv;
        }
    }

    /// What plain minimax to a few plies proves of a position, whatever lies beyond.
    pub(super) fn probe(&self, position: &G::Position, depth: u32) -> Bounds {
        let game = self.game;
        let kind = Kind::of(game.turn(position), self.state.player);
        if kind == Kind::Over {
            let payoff = f64::from(game.payoff(position, self.state.player));
            return Bounds { low: payoff, high: payoff };
        }
        if depth == 0 || kind == Kind::Chance {
            return self.state.range;
        }
        let better = if kind == Kind::Own { f64::max } else { f64::min };
        let children = game.children(position).map(|(_, child)| self.probe(&child, depth - 1));
        let both = |a: Bounds, b: Bounds| Bounds { low: better(a.low, b.low), high: better(a.high, b.high) };
        children.reduce(both).expect("a player's turn has a move")
    }
}
