use std::sync::Arc;

use super::tree::{Arena, Descent, Found, Iteration, Kind, Method, Root, Sample, Totals, back_up, object};
use super::{Decision, MoveEstimate, SearchError, Ties, TreeSearch, UctSettings};
use crate::game::{Game, Policy};
use crate::rng::{PlayoutRng, Rng};

/// The settings of [`TreeSearch::boltzmann`].
#[derive(Clone, Copy, Debug)]
pub struct BoltzmannSettings {
    /// The difference of normalised values that makes a move *e* times as likely; above 0.
    pub temperature: f64,
    /// The weight of uniform sampling; 0 for none.
    pub epsilon: f64,
    /// The weight of the entropy at first, in normalised values; 0 for BTS.
    pub entropy: f64,
    /// The choice among equal moves.
    pub ties: Ties,
}

/// The method of [`TreeSearch::boltzmann`].
#[derive(Clone)]
struct Boltzmann {
    settings: BoltzmannSettings,
    probabilities: Vec<f64>,
}

impl<G: Game> TreeSearch<G> {
    /// Boltzmann tree search, BTS, and with an `entropy` above 0 decaying entropy tree search, DENTS (Painter, Baioumy, Hawes,
    /// Lacerda 2023, "Monte Carlo tree search with Boltzmann exploration").
    ///
    /// In the tree, moves are sampled: uniformly with a probability that falls like 1 / ln *N*, else with a probability
    /// proportional to exp(*Q* / temperature), where *Q* is a move's normalised value for the player to move, ½ before its
    /// first visit. The value of a max node is its largest child value, of a min node the smallest, of a chance node the
    /// mean, and of a leaf the mean of its playouts. DENTS adds to *Q* the entropy of the choices after the move, with a
    /// weight that falls like 1 / ln *N*. So it first explores moves that leave many choices open, and in the limit follows
    /// values alone. In two-player games the entropy is that of both players' choices. The move with the largest value is
    /// played.
    ///
    /// # Cost
    /// An iteration costs a playout, and at each node of the path two passes over its children with one exponential per
    /// child. At the memory limit the children of the least visited nodes are recycled.
    ///
    /// # Panics
    /// If the temperature is not above 0.
    pub fn boltzmann(policy: Arc<dyn Policy<G>>, settings: BoltzmannSettings) -> Self {
        assert!(settings.temperature > 0.0, "a temperature is above 0");
        Self::of(
            Arc::new(UctSettings::new(policy)),
            Box::new(Boltzmann { settings, probabilities: Vec::new() }),
        )
    }
}

impl BoltzmannSettings {
    /// The probability of each child of a player's node.
    fn probabilities(self, arena: &Arena, node: u32, probabilities: &mut Vec<f64>) {
        let kind = arena.nodes[node].kind;
        let decay = libm::log(std::f64::consts::E + f64::from(arena.nodes[node].visits));
        // DENTS: Q + β(N) · H; BTS without the second.
        let worth =
            |child: u32| kind.view(arena.minimax[child]) + self.entropy / decay * arena.entropies[child];
        let most = arena.children(node).map(worth).fold(f64::NEG_INFINITY, f64::max);
        // ρ ∝ exp(Q / α); the largest exponent is 0, so that none overflows.
        probabilities.clear();
        let weight = |child| libm::exp((worth(child) - most) / self.temperature);
        probabilities.extend(arena.children(node).map(weight));
        let sum: f64 = probabilities.iter().sum();
        // π = (1 − λ) ρ + λ / |A|, where λ = min(1, ε / ln(e + N)).
        let (uniform, count) = ((self.epsilon / decay).min(1.0), probabilities.len() as f64);
        for probability in probabilities {
            *probability = (1.0 - uniform) * *probability / sum + uniform / count;
        }
    }

    /// A child of a player's node.
    fn sample(self, arena: &Arena, node: u32, draws: &mut PlayoutRng, probabilities: &mut Vec<f64>) -> u32 {
        let mut pick = f64::from(draws.next_u32()) / (1_u64 << 32) as f64;
        self.probabilities(arena, node, probabilities);
        let falls_on = probabilities.iter().position(|probability| {
            pick -= probability;
            pick < 0.0
        });
        // Rounding may leave a remainder after the last child.
        arena.nodes[node].first + falls_on.unwrap_or(probabilities.len() - 1) as u32
    }

    /// The value and entropy of a node, computed from its children. The value of a leaf is given.
    fn value(self, arena: &Arena, node: u32, leaf: f64, probabilities: &mut Vec<f64>) -> (f64, f64) {
        let kind = arena.nodes[node].kind;
        let weighted = |column: &dyn Fn(u32) -> f64| {
            let n: u32 = arena.visited(node).map(|child| arena.nodes[child].visits).sum();
            let term = |child: u32| f64::from(arena.nodes[child].visits) * column(child);
            arena.visited(node).map(term).sum::<f64>() / f64::from(n)
        };
        let values = arena.visited(node).map(|child| arena.minimax[child]);
        let (mut value, mut entropy) = (leaf, 0.0);
        if arena.visited(node).next().is_some() {
            value = match kind {
                Kind::Max => values.fold(f64::NEG_INFINITY, f64::max),
                Kind::Min => values.fold(f64::INFINITY, f64::min),
                // V = Σ N(s') / N · V(s').
                _ => weighted(&|child| arena.minimax[child]),
            };
            if self.entropy > 0.0 && kind == Kind::Chance {
                entropy = weighted(&|child| arena.entropies[child]);
            } else if self.entropy > 0.0 {
                // H(π), plus the entropy of each child.
                self.probabilities(arena, node, probabilities);
                let term = |(probability, child): (&f64, u32)| {
                    let own = if *probability > 0.0 { -libm::log(*probability) } else { 0.0 };
                    probability * (own + arena.entropies[child])
                };
                entropy = probabilities.iter().zip(arena.children(node)).map(term).sum();
            }
        }
        (value, entropy)
    }
}

impl Method for Boltzmann {
    object!();

    fn set_columns(&self, arena: &mut Arena) {
        (arena.minimax.default, arena.entropies.default) = (Some(0.5), Some(0.0));
    }

    fn select(&mut self, descent: &mut Descent<'_>, node: u32, kind: Kind) -> Option<u32> {
        if kind == Kind::Chance {
            return Some(descent.sample_outcome(node));
        }
        Some(self.settings.sample(descent.arena, node, &mut descent.draws, &mut self.probabilities))
    }

    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        let Iteration { root, arena, path, .. } = iteration;
        back_up(arena, path, sample, |arena, step, _| {
            let mean = arena.totals[step.node].mean(arena.nodes[step.node].visits);
            let leaf = root.scale.quotient(mean);
            let (value, entropy) = self.settings.value(arena, step.node, leaf, &mut self.probabilities);
            (arena.minimax[step.node], arena.entropies[step.node]) = (value, entropy);
        });
    }

    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        found.require_children()?;
        let Found { root, arena, children, .. } = found;
        let estimate = |&child: &u32| {
            let value = self.value(arena, root, child, Kind::Max);
            found.estimate(child, value.unwrap_or(root.scale.min), Totals::standard_error)
        };
        let moves: Vec<_> = children.iter().map(estimate).collect();
        let rank = |estimate: &MoveEstimate<u32>| (estimate.visits > 0, estimate.value);
        let chosen = self.settings.ties.best(moves.iter().map(rank), rng);
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, root: &Root, child: u32, _: Kind) -> Option<f64> {
        (arena.nodes[child].visits > 0).then(|| root.scale.payoff_of_quotient(arena.minimax[child]))
    }
}
