//! Unbounded best-first minimax: the tree grows at the end of the line that looks best.

use std::sync::Arc;

use super::searcher::forced_move;
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};
use crate::game::{Evaluation, Game, GameExt, Player, Turn};

/// Unbounded best-first minimax (Korf, Chickering 1996, "Best-first minimax search", Artificial Intelligence 84) with
/// the completion of Cohen-Solal 2020 ("Learning to play two-player perfect-information games without knowledge"):
/// again and again the leaf at the end of the principal variation is given its children, which are evaluated, and the
/// values go up by minimax. For games without chance, for one player, or for two with payoffs that add up to 0.
///
/// Completion: a position whose value is known for certain is not visited again, so that the search goes on with what
/// is open, and is complete; it ends where the root is proved. Without an evaluation all unfinished positions are worth
/// the same, 0. The move with the largest value is played, among equals the one visited most.
///
/// # Cost
/// A position for each child that is evaluated, in time and in memory, and for each expansion the way down.
#[derive(Clone)]
pub struct UnboundedMinimax<G: Game> {
    evaluation: Option<Arc<dyn Evaluation<G>>>,
    ties: Ties,
    nodes: Vec<Node<G::Move>>,
    /// For how many nodes memory was asked for.
    room: usize,
}

#[derive(Clone)]
struct Node<M> {
    /// For the player at the root.
    value: i64,
    /// Expansions at it or below.
    visits: u32,
    /// Its children stand side by side.
    first: u32,
    count: u32,
    /// Whether the value is certain.
    resolved: bool,
    mv: Option<M>,
}

const NONE: u32 = u32::MAX;

/// For how many nodes memory is asked for at once.
const STEP: usize = 1024;

impl<G: Game> UnboundedMinimax<G> {
    /// A searcher with this evaluation.
    pub const fn new(evaluation: Option<Arc<dyn Evaluation<G>>>, ties: Ties) -> Self {
        Self { evaluation, ties, nodes: Vec::new(), room: 0 }
    }

    /// A node for a position, valued.
    fn leaf(&self, game: &G, position: &G::Position, player: Player, mv: Option<G::Move>) -> Node<G::Move> {
        let resolved = game.turn(position) == Turn::Over;
        let value = match &self.evaluation {
            Some(evaluation) if resolved => evaluation.finished(game, position, player),
            Some(evaluation) => evaluation.evaluate(game, position, player),
            None if resolved => i64::from(game.payoff(position, player)),
            None => 0,
        };
        Node { value, visits: 0, first: NONE, count: 0, resolved, mv }
    }

    /// What all values lie between.
    fn range(&self, game: &G) -> (i64, i64) {
        let facts = game.facts();
        let payoffs = (facts.min_payoff.into(), facts.max_payoff.into());
        self.evaluation.as_ref().map_or(payoffs, |evaluation| evaluation.range(game))
    }

    fn children(&self, node: u32) -> std::ops::Range<u32> {
        let Node { first, count, .. } = self.nodes[node as usize];
        if first == NONE { 0..0 } else { first..first + count }
    }

    /// The best of the children that `admits` lets in, for who decides: the first among equals.
    fn best_child(&self, node: u32, own: bool, admits: impl Fn(&Node<G::Move>) -> bool) -> Option<u32> {
        let worth = |child: u32| {
            let Node { value, visits, .. } = self.nodes[child as usize];
            (if own { value } else { -value }, visits)
        };
        let open = self.children(node).filter(|&child| admits(&self.nodes[child as usize]));
        open.reduce(|best, next| if worth(next) > worth(best) { next } else { best })
    }

    /// Gives a node its children.
    fn expand(
        &mut self,
        game: &G,
        (node, position): (u32, &G::Position),
        player: Player,
        meter: &mut Meter,
    ) -> Result<(), Fault> {
        let first = self.nodes.len();
        for (mv, child) in game.children(position) {
            if self.nodes.len() == self.room {
                meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64)?;
                self.room += STEP;
                self.nodes.reserve_exact(self.room - self.nodes.len());
            }
            meter.count_node();
            let leaf = self.leaf(game, &child, player, Some(mv));
            self.nodes.push(leaf);
        }
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[node as usize];
        (node.first, node.count) = (first as u32, count);
        Ok(())
    }

    /// Takes the values of the children up to a node.
    fn back_up(&mut self, node: u32, own: bool, (low, high): (i64, i64)) {
        let best = self.best_child(node, own, |_| true).expect("an expanded node has children");
        let value = self.nodes[best as usize].value;
        let children = self.children(node);
        let all =
            self.nodes[children.start as usize..children.end as usize].iter().all(|child| child.resolved);
        let sure = self.best_child(node, own, |child| child.resolved);
        let end = if own { high } else { low };
        let at_end = sure.is_some_and(|sure| self.nodes[sure as usize].value == end);
        let node = &mut self.nodes[node as usize];
        node.value = value;
        node.visits += 1;
        node.resolved = all || at_end;
    }
}

impl<G: Game> Searcher<G> for UnboundedMinimax<G> {
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
            self.nodes.clear();
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        meter.reserve((self.room * size_of::<Node<G::Move>>()) as u64)?;
        let range = self.range(game);
        let mut path = Vec::new();
        self.nodes.clear();
        let root = self.leaf(game, position, player, None);
        if self.room == 0 {
            meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64)?;
            self.room = STEP;
        }
        self.nodes.push(root);
        let stop = loop {
            if self.nodes[0].resolved {
                break Stop::Proved;
            }
            if let Some(limit) = meter.limit() {
                break Stop::Limit(limit);
            }
            let (mut node, mut at) = (0, *position);
            path.clear();
            loop {
                let own = game.turn(&at) == Turn::Player(player);
                path.push((node, own));
                // Korf and Chickering 1996: on from the best child; Cohen-Solal 2020: of those that are not resolved.
                let Some(child) = self.best_child(node, own, |child| !child.resolved) else { break };
                game.apply(&mut at, self.nodes[child as usize].mv.expect("a child has a move"));
                node = child;
            }
            if meter.nodes_left() < u64::from(game.move_count(&at)) {
                break Stop::Limit(Limit::Nodes);
            }
            self.expand(game, (node, &at), player, meter)?;
            for &(node, own) in path.iter().rev() {
                self.back_up(node, own, range);
            }
        };
        let children = self.children(0);
        if children.is_empty() {
            let Stop::Limit(limit) = stop else { unreachable!("only a limit leaves the root alone") };
            return Err(Fault::Budget { limit });
        }
        let children = &self.nodes[children.start as usize..children.end as usize];
        let ranks = children.iter().map(|child| (child.value, child.visits));
        let chosen = self.ties.best(ranks, &mut stream.rng());
        let estimate = |child: &Node<G::Move>| MoveEstimate {
            mv: child.mv.expect("a child has a move"),
            visits: child.visits.into(),
            value: child.value as f64,
            spread: 0.0,
        };
        let moves: Vec<_> = children.iter().map(estimate).collect();
        Ok(Decision { chosen: moves[chosen].mv, moves, stop })
    }

    /// The chosen move, and then the best one at each node that has children.
    fn line(&self, game: &G, position: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let (mut line, mut at) = (vec![decision.chosen], *position);
        if decision.moves.is_empty() {
            return line;
        }
        game.apply(&mut at, decision.chosen);
        let turn = game.turn(position);
        let mut children = self.children(0);
        let mut next = children.find(|&child| self.nodes[child as usize].mv == Some(decision.chosen));
        while let Some(node) = next {
            next = self.best_child(node, game.turn(&at) == turn, |_| true);
            if let Some(mv) = next.and_then(|child| self.nodes[child as usize].mv) {
                line.push(mv);
                game.apply(&mut at, mv);
            }
        }
        line
    }
}
