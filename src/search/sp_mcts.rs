//! Single-player Monte Carlo tree search.

use std::sync::Arc;

use super::line::{Line, Plan, goes_on};
use super::searcher::forced_move;
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};
use crate::game::{Game, Player, Policy, Tally};
use crate::rng::Draws;

/// Single-player Monte Carlo tree search (Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008, "Single-player
/// Monte-Carlo tree search", CG), for solitaires without chance.
///
/// UCT whose bound has a third term, the deviation of a child's payoffs: where they differ much there may be a good line
/// behind a poor mean. The best line of all playouts, of earlier decisions too, is kept and followed; the value of a move
/// is the mean of its playouts. Payoffs count as shares between the game's smallest and largest.
///
/// A forced move is played without search.
///
/// # Cost
/// An iteration: one playout, and one pass over the children of each node on the way. The tree grows up to the limit of
/// memory, and then no more.
#[derive(Clone)]
pub struct SpMcts<G: Game> {
    policy: Arc<dyn Policy<G>>,
    bound: Bound,
    ties: Ties,
    nodes: Vec<Node<G::Move>>,
    /// For how many nodes memory was asked for.
    room: usize,
    plan: Option<Plan<G>>,
}

/// What a child may be worth.
#[derive(Clone, Copy)]
struct Bound {
    exploration: f64,
    possible: f64,
}

impl Bound {
    /// Schadd et al. 2008, equation 1: *x* + *C* √(ln *N* / *n*) + √((Σ *x*ᵢ² − *n x*² + *D*) / *n*), with *N* the visits of
    /// the parent.
    fn of(self, visits: f64, n: f64, sum: f64, squares: f64) -> f64 {
        let mean = sum / n;
        let deviation = ((squares - n * mean * mean + self.possible).max(0.0) / n).sqrt();
        mean + self.exploration * (libm::log(visits) / n).sqrt() + deviation
    }
}

#[derive(Clone)]
struct Node<M> {
    mv: Option<M>,
    visits: u32,
    /// Of the payoffs as shares, and of their squares.
    sum: f64,
    squares: f64,
    first: u32,
    count: u32,
}

impl<M> Node<M> {
    const fn new(mv: Option<M>) -> Self {
        Self { mv, visits: 0, sum: 0.0, squares: 0.0, first: 0, count: 0 }
    }
}

/// For how many nodes memory is asked for at once.
const STEP: usize = 1024;

impl<G: Game> SpMcts<G> {
    /// A searcher with *C* and *D* of the bound; *D* is in squares of shares, and keeps moves that were hardly tried in
    /// the search.
    pub const fn new(policy: Arc<dyn Policy<G>>, exploration: f64, possible: f64, ties: Ties) -> Self {
        let bound = Bound { exploration, possible };
        Self { policy, bound, ties, nodes: Vec::new(), room: 0, plan: None }
    }

    /// Gives a node its children, in the game's order or a random one. Returns whether there was memory for them.
    fn expand(
        &mut self,
        game: &G,
        node: usize,
        position: &G::Position,
        draws: &mut Draws,
        meter: &mut Meter,
    ) -> bool {
        let (first, count) = (self.nodes.len(), game.move_count(position) as usize);
        while self.room < first + count {
            if meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64).is_err() {
                return false;
            }
            self.room += STEP;
            self.nodes.reserve_exact(self.room - first);
        }
        self.nodes.extend(game.moves(position).map(|mv| Node::new(Some(mv))));
        if self.ties == Ties::Random {
            for last in (1..count).rev() {
                self.nodes.swap(first + last, first + draws.below(last as u32 + 1) as usize);
            }
        }
        (self.nodes[node].first, self.nodes[node].count) = (first as u32, count as u32);
        true
    }

    /// The child that is visited next: the first that never was, else the one with the largest bound.
    fn select(&self, node: usize) -> usize {
        let Node { first, count, visits, .. } = self.nodes[node];
        let children = first as usize..(first + count) as usize;
        if let Some(fresh) = children.clone().find(|&child| self.nodes[child].visits == 0) {
            return fresh;
        }
        let bound = |child: usize| {
            let node = &self.nodes[child];
            self.bound.of(visits.into(), node.visits.into(), node.sum, node.squares)
        };
        let (mut best, mut largest) = (children.start, f64::NEG_INFINITY);
        for child in children {
            let bound = bound(child);
            if bound > largest {
                (best, largest) = (child, bound);
            }
        }
        best
    }

    /// One iteration: down the tree, a playout to the end, and up again. Returns the line.
    fn iterate(
        &mut self,
        game: &G,
        mut position: G::Position,
        (in_tree, in_playout): (&mut Draws, &mut Draws),
        meter: &mut Meter,
    ) -> Line<G::Move> {
        let mut path = vec![0_usize];
        let mut moves = Vec::new();
        let mut node = 0;
        while goes_on(game, &position) {
            let ripe = node == 0 || self.nodes[node].visits > 0;
            let known = self.nodes[node].count > 0;
            if !(known || ripe && self.expand(game, node, &position, in_tree, meter)) {
                break;
            }
            node = self.select(node);
            let mv = self.nodes[node].mv.expect("a move leads to each child");
            path.push(node);
            moves.push(mv);
            game.apply(&mut position, mv);
        }
        let mut plies = 0;
        while goes_on(game, &position) {
            let mv = self.policy.choose(game, &position, in_playout);
            moves.push(mv);
            game.apply(&mut position, mv);
            plies += 1;
        }
        let payoff = game.payoff(&position, Player::FIRST);
        let mut tally = Tally::default();
        tally.record(payoff, plies);
        meter.count_playouts(&tally);
        let facts = game.facts();
        let range = f64::from(facts.max_payoff - facts.min_payoff).max(1.0);
        let share = f64::from(payoff - facts.min_payoff) / range;
        for node in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += share;
            node.squares += share * share;
        }
        moves.reverse();
        Line { payoff, reversed: moves }
    }

    /// What the search thinks of the moves of the root.
    fn estimates(&self, game: &G, position: &G::Position) -> Vec<MoveEstimate<G::Move>> {
        let facts = game.facts();
        let (low, range) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff - facts.min_payoff));
        let children = &self.nodes[self.nodes[0].first as usize..][..self.nodes[0].count as usize];
        let estimate = |mv| {
            let child = children.iter().find(|child| child.mv == Some(mv)).filter(|child| child.visits > 0);
            let Some(child) = child else {
                return MoveEstimate { mv, visits: 0, value: low, spread: 0.0 };
            };
            let n = f64::from(child.visits);
            let mean = child.sum / n;
            let variance = (child.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
            let spread = range * (variance / n).sqrt();
            MoveEstimate { mv, visits: child.visits.into(), value: low + range * mean, spread }
        };
        game.moves(position).map(estimate).collect()
    }
}

impl<G: Game> Searcher<G> for SpMcts<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        let mut best = self.plan.take().and_then(|plan| plan.at(position));
        if let Some(forced) = forced_move(game, position) {
            self.plan = best.and_then(|line| Plan::new(*position, line).advance(game)).map(|(_, plan)| plan);
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        meter.reserve((self.room.max(STEP) * size_of::<Node<G::Move>>()) as u64)?;
        self.room = self.room.max(STEP);
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        let (playouts, in_tree) = (stream.playouts().child(0), stream.playouts().child(1));
        let mut iteration = 0;
        let stop: Limit = loop {
            if let Some(limit) = meter.limit() {
                break limit;
            }
            let mut draws = (in_tree.playout(iteration), playouts.playout(iteration));
            let line = self.iterate(game, *position, (&mut draws.0, &mut draws.1), meter);
            if best.as_ref().is_none_or(|best| line.payoff > best.payoff) {
                best = Some(line);
            }
            iteration += 1;
        };
        let Some(line) = best else { return Err(Fault::Budget { limit: stop }) };
        let moves = self.estimates(game, position);
        let (chosen, plan) = Plan::new(*position, line).advance(game).expect("the game goes on");
        self.plan = Some(plan);
        Ok(Decision { chosen, moves, stop: Stop::Limit(stop) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_the_paper() {
        let bound = Bound { exploration: 0.5, possible: 0.01 };
        // Ten visits: five of .2 and five of .6, or all of .4; the parent has 100.
        let explored = 0.4 + 0.5 * (libm::log(100.0) / 10.0).sqrt();
        let differing = bound.of(100.0, 10.0, 4.0, 5.0 * 0.04 + 5.0 * 0.36);
        let alike = bound.of(100.0, 10.0, 4.0, 10.0 * 0.16);
        assert!((differing - explored - (0.041_f64).sqrt()).abs() < 1e-12, "{differing}");
        assert!((alike - explored - (0.001_f64).sqrt()).abs() < 1e-12, "{alike}");
    }
}
