//! UCT in open loop: a tree of moves in which chance has no nodes.

use std::sync::Arc;

use super::searcher::forced_move;
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};
use crate::game::{Batch, Game, Player, Policy, Turn};
use crate::rng::Draws;

/// UCT in open loop (Perez Liebana et al. 2015, "Open loop search for general video game playing"): a node is a
/// sequence of players' moves, whatever chance did between them, and each iteration lets chance decide anew. So the
/// tree stays small where chance has many outcomes; but a decision below chance is one for all of its outcomes
/// together, which can only be worth less than knowing the outcome.
///
/// Which moves are legal may differ from visit to visit. A child's bound counts the visits at which it was legal:
/// *x* + factor · √(2 ln *N* / *n*) with *N* that number (Cowling, Powley, Whitehouse 2012, "Information set Monte Carlo
/// tree search"). Without chance it is plain UCT. The move with the most visits is played.
///
/// # Cost
/// As UCT, and a search for each legal move among the children of its node. The tree grows up to the limit of memory,
/// and then no more.
#[derive(Clone)]
pub struct OpenLoopUct<G: Game> {
    policy: Arc<dyn Policy<G>>,
    exploration: f64,
    ties: Ties,
    nodes: Vec<Node<G::Move>>,
    path: Vec<u32>,
    /// For how many nodes memory was asked for.
    room: usize,
}

#[derive(Clone)]
struct Node<M> {
    /// Payoffs of the player at the root.
    sum: f64,
    squares: f64,
    visits: u32,
    /// At how many visits of its parent it was legal.
    available: u32,
    first: u32,
    next: u32,
    mv: Option<M>,
}

const NONE: u32 = u32::MAX;

impl<M> Node<M> {
    const fn new(mv: Option<M>, next: u32) -> Self {
        Self { sum: 0.0, squares: 0.0, visits: 0, available: 0, first: NONE, next, mv }
    }
}

/// For how many nodes memory is asked for at once.
const STEP: usize = 1024;

impl<G: Game> OpenLoopUct<G> {
    /// A searcher with this playout policy; an exploration factor of 1 is UCB1 as published.
    pub const fn new(policy: Arc<dyn Policy<G>>, exploration: f64, ties: Ties) -> Self {
        Self { policy, exploration, ties, nodes: Vec::new(), path: Vec::new(), room: 0 }
    }

    /// The child of a node by a move.
    fn child(&self, node: u32, mv: G::Move) -> Option<u32> {
        let mut child = self.nodes[node as usize].first;
        while child != NONE && self.nodes[child as usize].mv != Some(mv) {
            child = self.nodes[child as usize].next;
        }
        (child != NONE).then_some(child)
    }

    /// Adds a child, where there is memory for it.
    fn add(&mut self, node: u32, mv: G::Move, meter: &mut Meter) -> Option<u32> {
        if self.nodes.len() == self.room {
            meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64).ok()?;
            self.room += STEP;
            self.nodes.reserve_exact(self.room - self.nodes.len());
        }
        let child = self.nodes.len() as u32;
        let next = self.nodes[node as usize].first;
        self.nodes.push(Node::new(Some(mv), next));
        self.nodes[node as usize].first = child;
        Some(child)
    }

    /// Goes down, chance deciding on the way. `None`: the budget allows no further node.
    fn descend(
        &mut self,
        game: &G,
        position: &mut G::Position,
        (player, share): (Player, &dyn Fn(f64) -> f64),
        draws: &mut Draws,
        meter: &mut Meter,
    ) -> Option<()> {
        let mut node = 0;
        self.path.clear();
        self.path.push(node);
        loop {
            while game.turn(position) == Turn::Chance {
                let outcome = game.random_outcome(position, draws);
                game.apply(position, outcome);
            }
            let Turn::Player(mover) = game.turn(position) else { return Some(()) };
            let (mut fresh, mut count) = (None, 0);
            let mut best = None;
            let mut largest = f64::NEG_INFINITY;
            for mv in game.moves(position) {
                let Some(child) = self.child(node, mv) else {
                    count += 1;
                    // The k-th of them replaces the one held with chance 1/k.
                    if count == 1 || self.ties == Ties::Random && draws.below(count) == 0 {
                        fresh = Some(mv);
                    }
                    continue;
                };
                let entry = &mut self.nodes[child as usize];
                entry.available += 1;
                let n = f64::from(entry.visits);
                let mean = share(entry.sum / n);
                let value = if mover == player { mean } else { 1.0 - mean };
                let log = libm::log(f64::from(entry.available));
                let bound = value + self.exploration * (2.0 * log / n).sqrt();
                if bound > largest {
                    (best, largest) = (Some((child, mv)), bound);
                }
            }
            if meter.nodes_left() == 0 {
                return None;
            }
            let added = fresh.and_then(|mv| Some((self.add(node, mv, meter)?, mv)));
            // Where there is no memory for a new child an old one is visited again.
            let Some((child, mv)) = added.or(best) else { return Some(()) };
            game.apply(position, mv);
            meter.count_node();
            self.path.push(child);
            if added.is_some() {
                self.nodes[child as usize].available = 1;
                return Some(());
            }
            node = child;
        }
    }
}

impl<G: Game> Searcher<G> for OpenLoopUct<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        let Turn::Player(player) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        if let Some(forced) = forced_move(game, position) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        let facts = game.facts();
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        let range = if max > min { max - min } else { 1.0 };
        let share = |payoff: f64| (payoff - min) / range;
        meter.reserve((self.room * size_of::<Node<G::Move>>()) as u64)?;
        if self.room == 0 {
            meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64)?;
            self.room = STEP;
        }
        self.nodes.clear();
        self.nodes.push(Node::new(None, NONE));
        let (playouts, in_tree) = (stream.playouts().child(0), stream.playouts().child(1));
        let mut iteration = 0;
        let stop = loop {
            if let Some(limit) = meter.limit() {
                break limit;
            }
            let (mut at, mut draws) = (*position, in_tree.playout(iteration));
            if self.descend(game, &mut at, (player, &share), &mut draws, meter).is_none() {
                break Limit::Nodes;
            }
            let tally =
                self.policy.playouts(game, &at, player, Batch { key: playouts, first: iteration, count: 1 });
            meter.count_playouts(&tally);
            for &node in &self.path {
                let node = &mut self.nodes[node as usize];
                node.visits += 1;
                node.sum += tally.sum as f64;
                node.squares += tally.sum_squares as f64;
            }
            iteration += 1;
        };
        if self.nodes.len() == 1 {
            return Err(Fault::Budget { limit: stop });
        }
        let estimate = |mv: G::Move| {
            let Some(child) = self.child(0, mv) else {
                return MoveEstimate { mv, visits: 0, value: min, spread: 0.0 };
            };
            let node = &self.nodes[child as usize];
            let n = f64::from(node.visits);
            let mean = node.sum / n.max(1.0);
            let variance =
                if node.visits > 1 { (node.squares / n - mean * mean).max(0.0) * n / (n - 1.0) } else { 0.0 };
            MoveEstimate {
                mv,
                visits: node.visits.into(),
                value: mean,
                spread: (variance / n.max(1.0)).sqrt(),
            }
        };
        let moves: Vec<_> = game.moves(position).map(estimate).collect();
        let best =
            self.ties.best(moves.iter().map(|estimate| (estimate.visits, estimate.value)), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop: Stop::Limit(stop) })
    }

    /// The chosen move, and then the most visited one at each node, down to one without visits.
    fn line(&self, game: &G, position: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let (mut line, mut at) = (vec![decision.chosen], *position);
        game.apply(&mut at, decision.chosen);
        let chosen = || self.child(0, decision.chosen);
        let mut next = (!decision.moves.is_empty()).then(chosen).flatten();
        while let (Some(node), Turn::Player(_)) = (next, game.turn(&at)) {
            let visits = |child: u32| self.nodes[child as usize].visits;
            let most = game
                .moves(&at)
                .filter_map(|mv| Some((self.child(node, mv)?, mv)))
                .reduce(|most, other| if visits(other.0) > visits(most.0) { other } else { most });
            next = most.map(|(child, _)| child);
            if let Some((_, mv)) = most {
                line.push(mv);
                game.apply(&mut at, mv);
            }
        }
        line
    }
}
