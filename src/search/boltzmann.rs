//! Boltzmann tree search: moves are sampled by their values, and values are backed up by maximum.

use std::sync::Arc;

use super::searcher::forced_move;
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};
use crate::game::{Batch, Facts, Game, Player, Policy, Turn};
use crate::rng::Draws;

/// Boltzmann tree search, BTS, and with an `entropy` above 0 decaying entropy tree search, DENTS (Painter, Baioumy, Hawes,
/// Lacerda 2023, "Monte Carlo tree search with Boltzmann exploration").
///
/// In the tree a move is sampled: with a chance that falls like 1 / ln *N* any, else with a chance proportional to
/// exp(*Q* / temperature), where *Q* is a move's value as a share of the payoffs for who moves, ½ before its first visit.
/// A node's value is that of its best child, the mean at chance's turns, and the mean of its playouts before it has
/// children. DENTS adds to *Q* the entropy of the choices behind the move, with a weight that falls like 1 / ln *N*: so it
/// looks where much is open, and in the limit at values alone. In games for two the smallest child counts at the
/// opponent's turns; the entropy is that of both players' choices. The move with the largest value is played.
///
/// # Cost
/// An iteration: a playout, and at each node on the way two passes over its children with an exponential each. The tree
/// grows up to the limit of memory, and then no more.
#[derive(Clone)]
pub struct BoltzmannTree<G: Game> {
    settings: BoltzmannSettings<G>,
    nodes: Vec<Node<G::Move>>,
    path: Vec<u32>,
    /// For how many nodes memory was asked for.
    room: usize,
}

/// What a [`BoltzmannTree`] is told.
#[derive(Clone)]
pub struct BoltzmannSettings<G> {
    /// How playouts choose their moves.
    pub policy: Arc<dyn Policy<G>>,
    /// By how much larger a share of the payoffs a move is sampled *e* times as often; above 0.
    pub temperature: f64,
    /// The weight of uniform sampling; 0 for none.
    pub epsilon: f64,
    /// The weight of the entropy at first, in shares; 0 for BTS.
    pub entropy: f64,
    /// Which of several best moves is played.
    pub ties: Ties,
}

#[derive(Clone)]
struct Node<M> {
    /// As a share of the payoffs for the player at the root.
    value: f64,
    /// Of the choices from here on.
    entropy: f64,
    /// Payoffs of its playouts, and their squares.
    sum: f64,
    squares: f64,
    visits: u32,
    /// Its children stand side by side; none before it is expanded.
    first: u32,
    count: u32,
    decides: Decides,
    mv: Option<M>,
}

/// Who decides at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decides {
    /// The player at the root: the largest value counts.
    Own,
    /// The opponent: the smallest.
    Other,
    /// Chance: the mean.
    Chance,
}

/// For how many nodes memory is asked for at once.
const STEP: usize = 1024;

impl<M> Node<M> {
    const fn new(mv: Option<M>) -> Self {
        let decides = Decides::Own;
        Self { value: 0.5, entropy: 0.0, sum: 0.0, squares: 0.0, visits: 0, first: 0, count: 0, decides, mv }
    }
}

/// Payoffs as shares of their range, and back.
#[derive(Clone, Copy)]
struct Scale {
    min: f64,
    range: f64,
}

impl Scale {
    fn new(facts: &Facts) -> Self {
        let (min, max) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        Self { min, range: if max > min { max - min } else { 1.0 } }
    }
}

impl<G: Game> BoltzmannTree<G> {
    /// A searcher with these settings.
    ///
    /// # Panics
    /// Where the temperature is not above 0.
    pub fn new(settings: BoltzmannSettings<G>) -> Self {
        assert!(settings.temperature > 0.0, "a temperature is above 0");
        Self { settings, nodes: Vec::new(), path: Vec::new(), room: 0 }
    }

    fn children(&self, node: u32) -> &[Node<G::Move>] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.nodes[first as usize..(first + count) as usize]
    }

    /// Gives a node its children, where there is memory for them.
    fn expand(&mut self, node: u32, moves: impl Iterator<Item = G::Move>, meter: &mut Meter) -> bool {
        let first = self.nodes.len();
        for mv in moves {
            if self.nodes.len() == self.room {
                if meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64).is_err() {
                    self.nodes.truncate(first);
                    return false;
                }
                self.room += STEP;
                self.nodes.reserve_exact(self.room - self.nodes.len());
            }
            self.nodes.push(Node::new(Some(mv)));
        }
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[node as usize];
        (node.first, node.count) = (first as u32, count);
        true
    }

    /// The chance with which each child of a player's node is sampled.
    fn chances(&self, node: u32) -> Vec<f64> {
        let Node { visits, decides, .. } = self.nodes[node as usize];
        let children = self.children(node);
        let decay = libm::log(std::f64::consts::E + f64::from(visits));
        let worth = |child: &Node<G::Move>| {
            let value = if decides == Decides::Own { child.value } else { 1.0 - child.value };
            // DENTS: Q + β(N) · H; BTS without the second.
            value + self.settings.entropy / decay * child.entropy
        };
        let most = children.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
        // ρ ∝ exp(Q / α); the largest is taken out, so that none overflows.
        let weights: Vec<f64> = children
            .iter()
            .map(|child| libm::exp((worth(child) - most) / self.settings.temperature))
            .collect();
        let sum: f64 = weights.iter().sum();
        // π = (1 − λ) ρ + λ / |A|, where λ = min(1, ε / ln(e + N)).
        let uniform = (self.settings.epsilon / decay).min(1.0);
        weights.iter().map(|weight| (1.0 - uniform) * weight / sum + uniform / weights.len() as f64).collect()
    }

    /// Goes down to a position that nobody has visited, or to the end of the game. `None`: the budget allows no further
    /// node.
    fn descend(
        &mut self,
        game: &G,
        position: &mut G::Position,
        player: Player,
        draws: &mut Draws,
        meter: &mut Meter,
    ) -> Option<()> {
        let mut node = 0;
        self.path.clear();
        self.path.push(node);
        loop {
            let turn = game.turn(position);
            let Node { visits, count, .. } = self.nodes[node as usize];
            if turn == Turn::Over || visits == 0 && node != 0 {
                return Some(());
            }
            self.nodes[node as usize].decides = match turn {
                Turn::Chance => Decides::Chance,
                Turn::Player(mover) if mover == player => Decides::Own,
                _ => Decides::Other,
            };
            let is_chance = turn == Turn::Chance;
            let has_children = count > 0
                || if is_chance {
                    self.expand(node, game.outcomes(position).map(|(mv, _)| mv), meter)
                } else {
                    self.expand(node, game.moves(position), meter)
                };
            if !has_children {
                return Some(());
            }
            if meter.nodes_left() == 0 {
                return None;
            }
            let child = if is_chance {
                let outcome = game.random_outcome(position, draws);
                self.children(node).iter().position(|child| child.mv == Some(outcome))
            } else {
                let mut pick = f64::from(draws.next_u32()) / (1_u64 << 32) as f64;
                let chances = self.chances(node);
                // Rounding may leave a little behind the last.
                let falls_on = chances.iter().position(|chance| {
                    pick -= chance;
                    pick < 0.0
                });
                falls_on.or(Some(chances.len() - 1))
            };
            node = self.nodes[node as usize].first + child.expect("the outcome is one of all") as u32;
            game.apply(position, self.nodes[node as usize].mv.expect("a child has a move"));
            meter.count_node();
            self.path.push(node);
        }
    }

    /// Takes a playout's payoff up.
    fn back_up(&mut self, payoff: f64, scale: Scale) {
        for at in (0..self.path.len()).rev() {
            let index = self.path[at];
            let node = &mut self.nodes[index as usize];
            node.visits += 1;
            node.sum += payoff;
            node.squares += payoff * payoff;
            let mean = (node.sum / f64::from(node.visits) - scale.min) / scale.range;
            let decides = node.decides;
            let visited = || self.children(index).iter().filter(|child| child.visits > 0);
            let (mut value, mut entropy) = (mean, 0.0);
            if visited().next().is_some() {
                let values = visited().map(|child| child.value);
                value = match decides {
                    Decides::Own => values.fold(f64::NEG_INFINITY, f64::max),
                    Decides::Other => values.fold(f64::INFINITY, f64::min),
                    // V = Σ N(s') / N · V(s').
                    Decides::Chance => {
                        let n: u32 = visited().map(|child| child.visits).sum();
                        visited().map(|child| f64::from(child.visits) * child.value).sum::<f64>()
                            / f64::from(n)
                    }
                };
                if self.settings.entropy > 0.0 {
                    entropy = self.entropy(index, decides);
                }
            }
            let node = &mut self.nodes[index as usize];
            (node.value, node.entropy) = (value, entropy);
        }
    }

    /// H(π) and the entropy behind each child, by its chance; at chance's turns only the second.
    fn entropy(&self, node: u32, decides: Decides) -> f64 {
        let children = self.children(node);
        if decides == Decides::Chance {
            let n: u32 = children.iter().map(|child| child.visits).sum();
            return children.iter().map(|child| f64::from(child.visits) * child.entropy).sum::<f64>()
                / f64::from(n);
        }
        let chances = self.chances(node);
        let term = |(chance, child): (&f64, &Node<G::Move>)| {
            let own = if *chance > 0.0 { -libm::log(*chance) } else { 0.0 };
            chance * (own + child.entropy)
        };
        chances.iter().zip(children).map(term).sum()
    }
}

impl<G: Game> Searcher<G> for BoltzmannTree<G> {
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
        let scale = Scale::new(&game.facts());
        meter.reserve((self.room * size_of::<Node<G::Move>>()) as u64)?;
        if self.room == 0 {
            meter.reserve((STEP * size_of::<Node<G::Move>>()) as u64)?;
            self.room = STEP;
        }
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        let (playouts, in_tree) = (stream.playouts().child(0), stream.playouts().child(1));
        let mut iteration = 0;
        let limit = loop {
            if let Some(limit) = meter.limit() {
                break limit;
            }
            let (mut at, mut draws) = (*position, in_tree.playout(iteration));
            if self.descend(game, &mut at, player, &mut draws, meter).is_none() {
                break Limit::Nodes;
            }
            let batch = Batch { key: playouts, first: iteration, count: 1 };
            let tally = self.settings.policy.playouts(game, &at, player, batch);
            meter.count_playouts(&tally);
            self.back_up(tally.sum as f64, scale);
            iteration += 1;
        };
        let children = self.children(0);
        if children.iter().all(|child| child.visits == 0) {
            return Err(if children.is_empty() && iteration > 0 {
                meter.out_of_memory(1)
            } else {
                Fault::Budget { limit }
            });
        }
        let estimate = |child: &Node<G::Move>| {
            let n = f64::from(child.visits);
            let mean = child.sum / n.max(1.0);
            let variance =
                if child.visits > 1 { ((child.squares - n * mean * mean) / (n - 1.0)).max(0.0) } else { 0.0 };
            MoveEstimate {
                mv: child.mv.expect("a child has a move"),
                visits: child.visits.into(),
                value: if child.visits > 0 { scale.min + scale.range * child.value } else { scale.min },
                spread: (variance / n.max(1.0)).sqrt(),
            }
        };
        let moves: Vec<_> = children.iter().map(estimate).collect();
        let rank = |estimate: &MoveEstimate<G::Move>| (estimate.visits > 0, estimate.value);
        let chosen = self.settings.ties.best(moves.iter().map(rank), &mut stream.rng());
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: Stop::Limit(limit) })
    }
}
