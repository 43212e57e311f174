//! Selection: the child to visit next. *x* is a child's value in `[0, 1]`, *n* its visits, *N* those of its parent.

use super::super::tree::{AmafTable, Arena, Kind, Logarithms, Node, Scale};
use super::grave::bounds_by_table;
use super::permutation::bounds_by_permutations;
use crate::game::options::{integer, parts, real};

parts! {
    /// The rules of selection, with the factor of each exploration term; 1 is the paper's own.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Selection {
        /// value + √(2 ln N / n): Auer, Cesa-Bianchi, Fischer 2002
        Ucb1 {
            /// factor of √(2 ln N / n); 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
            exploration: f64 = real(0.0..=1000.0, 1.0),
        },
        /// ucb1 with the variance of the payoffs: UCB1-Tuned
        Tuned {
            /// factor of the exploration term; 1: as published
            exploration: f64 = real(0.0..=1000.0, 1.0),
        },
        /// mean + √(2 ln N) · σ of a beta distribution: Tesauro, Rajan, Segal 2010
        Bayes {
            /// factor of the exploration term; 1: as published
            exploration: f64 = real(0.0..=1000.0, 1.0),
        },
        /// value + prior · √N / (1 + n): Silver et al. 2016
        Puct {
            /// factor of the exploration term; 1: as published
            exploration: f64 = real(0.0..=1000.0, 1.0),
        },
        /// ucb1 + bias · prior / (1 + n): Chaslot et al. 2008
        Biased {
            /// factor of √(2 ln N / n); 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
            exploration: f64 = real(0.0..=1000.0, 1.0),
            /// factor of the bias
            bias: f64 = real(0.0..=1e6, 1.0),
        },
        /// ucb1 + weight · the move's mean in the whole search / (lost visits + 1): Nijssen, Winands 2010
        History {
            /// factor of √(2 ln N / n); 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
            exploration: f64 = real(0.0..=1000.0, 1.0),
            /// factor of the mean
            weight: f64 = real(0.0..=1000.0, 5.0),
        },
        /// ucb1, mixed with the move's mean over other playouts (AMAF): Gelly, Silver 2007
        Rave {
            /// factor of √(2 ln N / n); 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
            exploration: f64 = real(0.0..=1000.0, 1.0),
            /// visits at which the two means have the same weight
            equivalence: f64 = real(0.0..=1e9, 1000.0),
        },
        /// rave with the AMAF mean of an ancestor: Cazenave 2015
        Grave {
            /// uses the nearest ancestor with more visits than this; 0: the node itself
            reference: u32 = integer(0..=1_000_000_000, 50),
            /// how fast the weight moves to a move's own playouts
            bias: f64 = real(0.0..=1.0, 1e-5),
            /// factor of ucb1's exploration; 0, as published, is not consistent: it may never try the best move again
            exploration: f64 = real(0.0..=1000.0, 0.0),
        },
        /// mean with the AMAF mean of an ancestor and that of all playouts with the same moves in any order: Cazenave 2025
        Mcps {
            /// uses the nearest ancestor with more visits than this; 0: the node itself
            reference: u32 = integer(0..=1_000_000_000, 50),
            /// the last playouts that are looked through
            window: u32 = integer(1..=1_000_000, 10_000),
            /// factor of ucb1's exploration; 0, as published, is not consistent: it may never try the best move again
            exploration: f64 = real(0.0..=1000.0, 0.0),
        },
    }
}

impl Selection {
    pub(super) const fn wants_priors(self) -> bool {
        matches!(self, Self::Puct { .. } | Self::Biased { .. })
    }

    /// Whether the priors of a node's children add up to 1.
    pub(in crate::search) const fn takes_probabilities(self) -> bool {
        matches!(self, Self::Puct { .. })
    }

    #[inline(always)]
    pub(super) const fn exploration(self) -> f64 {
        let (Self::Ucb1 { exploration }
        | Self::Tuned { exploration }
        | Self::Bayes { exploration }
        | Self::Puct { exploration }
        | Self::Biased { exploration, .. }
        | Self::History { exploration, .. }
        | Self::Rave { exploration, .. }
        | Self::Grave { exploration, .. }
        | Self::Mcps { exploration, .. }) = self;
        exploration
    }

    /// The visits beyond which a node is the reference of those below it, if nodes have references.
    #[inline(always)]
    pub(super) const fn reference(self) -> Option<u32> {
        match self {
            Self::Grave { reference, .. } | Self::Mcps { reference, .. } => Some(reference),
            _ => None,
        }
    }

    /// The child of a node to visit next: among the first `limit` children, the first with the largest bound. Cut
    /// children have no bound. GRAVE and MCPS read the table of the family `reference`; `of_search` is that of progressive history, or
    /// for MCPS that of permutations.
    #[inline(always)]
    pub(super) fn select(
        self,
        arena: &Arena,
        (node, limit, (reference, of_search)): (u32, u32, (u32, &AmafTable)),
        scale: Scale,
        logarithms: Logarithms,
    ) -> u32 {
        let children = arena.children(node);
        let first = children.start;
        let children = first..children.end.min(first.saturating_add(limit));
        let nodes = arena.nodes[children.clone()].iter();
        let visits = arena.visits(node);
        let exploration = self.exploration() * scale.exploration;
        let factor = exploration * logarithms.root(visits);
        let ucb1 = |child: &Node| child.score.value + factor * child.score.width;
        let best = match self {
            Self::Ucb1 { .. } => best_of(nodes.map(ucb1)),
            // *x* + √(ln *N* / *n* · min(¼, *V*)), where *V* = σ² + √(2 ln *N* / *n*) and σ² is the variance of the payoffs.
            Self::Tuned { .. } => {
                let log = logarithms.of(visits);
                best_of(nodes.zip(&arena.totals[children]).map(|(child, totals)| {
                    let (score, n) = (child.score, f64::from(child.visits).max(1.0));
                    let mean = totals.sum / n;
                    let variance = (totals.squares / n - mean * mean).max(0.0) * scale.factor * scale.factor;
                    let over = log * score.width * score.width;
                    let bound = (variance + (2.0 * over).sqrt()).min(0.25);
                    score.value + exploration * (over * bound).sqrt()
                }))
            }
            Self::Bayes { .. } => best_of(nodes.map(|child| bayes(child, factor))),
            Self::Puct { .. } => {
                let factor = exploration * f64::from(visits).sqrt();
                best_of(nodes.zip(&arena.priors[children]).map(|(child, prior)| {
                    child.score.value + factor * prior / (1.0 + f64::from(child.visits))
                }))
            }
            Self::Biased { bias, .. } => best_of(
                nodes
                    .zip(&arena.priors[children])
                    .map(|(child, prior)| ucb1(child) + bias * prior / (1.0 + f64::from(child.visits))),
            ),
            Self::History { weight, .. } => {
                let (kind, numbers) = (arena.nodes[node].kind, &arena.numbers[children]);
                best_of(nodes.zip(numbers).map(|(child, &number)| {
                    let bias = weight * mean_in(of_search, kind, number);
                    by_history(child, ucb1(child), bias)
                }))
            }
            // The weight of the AMAF mean is √(*k* / (3*n* + *k*)), *k* the equivalence.
            Self::Rave { equivalence, .. } => {
                best_of(nodes.zip(&arena.amaf[children]).map(|(child, amaf)| {
                    if amaf.visits == 0 || child.is_cut {
                        return ucb1(child);
                    }
                    if child.visits == 0 {
                        // The AMAF value of the move, explored as if the child had been visited once.
                        return amaf.mean() + factor;
                    }
                    let weight = (equivalence / (3.0 * f64::from(child.visits) + equivalence)).sqrt();
                    (1.0 - weight) * child.score.value + weight * amaf.mean() + factor * child.score.width
                }))
            }
            Self::Grave { bias, .. } => {
                best_of(bounds_by_table(arena, (node, children, reference), factor, bias))
            }
            Self::Mcps { .. } => {
                best_of(bounds_by_permutations(arena, (node, children, reference), of_search, factor))
            }
        };
        first + best
    }
}

/// The mean of a move's results in the whole search; ½ without results.
fn mean_in(history: &AmafTable, kind: Kind, number: u16) -> f64 {
    let results = history.of(kind, number);
    if results.visits == 0 { 0.5 } else { results.mean() }
}

/// More than every bound of a visited child.
const UNVISITED: f64 = 1e9;

/// The bound of progressive history (Nijssen, Winands 2010, "Enhancements for multi-player Monte-Carlo tree search"): that of UCB1 plus
/// *s*ₐ / *n*ₐ · *W* / (*n* − *s* + 1), where *s* is the sum of the child's results, and *s*ₐ and *n*ₐ are those of the move in all
/// playouts. Unvisited children are visited in the order of this bias.
fn by_history(child: &Node, ucb1: f64, bias: f64) -> f64 {
    if child.visits == 0 && ucb1 == f64::INFINITY {
        return UNVISITED + bias;
    }
    if child.is_cut {
        return ucb1;
    }
    let lost = if child.visits == 0 { 0.0 } else { f64::from(child.visits) * (1.0 - child.score.value) };
    ucb1 + bias / (lost + 1.0)
}

fn bayes(child: &Node, factor: f64) -> f64 {
    if child.visits == 0 || child.is_cut {
        return child.score.value;
    }
    let n = f64::from(child.visits);
    let mean = (child.score.value * n + 1.0) / (n + 2.0);
    mean + factor * (mean * (1.0 - mean) / (n + 3.0)).sqrt()
}

/// The index of the first of the largest values.
#[inline(always)]
pub(in crate::search) fn best_of(values: impl Iterator<Item = f64>) -> u32 {
    let mut best = 0;
    let mut largest = f64::NEG_INFINITY;
    for (index, value) in (0..).zip(values) {
        let better = value > largest;
        largest = if better { value } else { largest };
        best = if better { index } else { best };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::{Amaf, Bounds, Kind, ROOT, Score, Totals};
    use super::*;

    fn visited(sum: f64, visits: u32) -> Node {
        let (value, width) = (sum / f64::from(visits), 1.0 / f64::from(visits).sqrt());
        Node { visits, ..Node::unseen(Score { value, width }) }
    }

    /// Mean and deviation of the beta distribution with 1 + wins and 1 + losses.
    #[test]
    fn the_posterior_is_that_of_the_beta_distribution() {
        let (wins, visits) = (3.0_f64, 10_u32);
        let (a, b) = (wins + 1.0, f64::from(visits) - wins + 1.0);
        let mean = a / (a + b);
        let deviation = (a * b / ((a + b) * (a + b) * (a + b + 1.0))).sqrt();
        assert!((bayes(&visited(wins, visits), 2.0) - (mean + 2.0 * deviation)).abs() < 1e-15);
    }

    /// The nodes of a root with two visited children: sums and sums of squares of payoffs 0 or 1, visits, priors.
    fn tree(children: [(f64, u32, f64); 2]) -> Arena {
        let mut arena = Arena::new(0, 0);
        (arena.priors.default, arena.amaf.default) = (Some(0.0), Some(Amaf::default()));
        arena.numbers.default = Some(0);
        arena.clear(Kind::Max, Bounds { low: 0.0, high: 1.0 });
        arena.adopt(ROOT, 3, Score::UNUSED, 0);
        for (child, (sum, visits, prior)) in arena.children(ROOT).zip(children) {
            arena.totals[child] = Totals { sum, squares: sum };
            arena.nodes[child] = visited(sum, visits);
            arena.nodes[ROOT].visits += visits;
            arena.priors[child] = prior;
            arena.numbers[child] = child as u16 - 1;
        }
        arena
    }

    const UCB1: Selection = Selection::Ucb1 { exploration: 1.0 };

    fn select(selection: Selection, arena: &Arena) -> u32 {
        let mut history = AmafTable::new(2);
        // The first move won one of four playouts, the second three.
        for (number, won) in [(0, 1), (1, 3)] {
            (0..4).for_each(|playout| history.add(Kind::Max, number, f64::from(u8::from(playout < won))));
        }
        selection.select(arena, (ROOT, 9, (0, &history)), Scale::default(), Logarithms::new()) - 1
    }

    /// Each rule's own term decides: with it one child is visited, with the next smaller factor the other.
    #[test]
    fn every_rule_explores_as_published() {
        let choose = |selection, children| select(selection, &tree(children));
        // UCB1: .6 + e √(2 ln 110 / 100) against .3 + e √(2 ln 110 / 10): .7410 and .7460 for e = .46.
        let children = [(60.0, 100, 0.5), (3.0, 10, 0.5)];
        assert_eq!(choose(Selection::Ucb1 { exploration: 0.46 }, children), 1);
        assert_eq!(choose(Selection::Ucb1 { exploration: 0.45 }, children), 0);
        // UCB1-Tuned: equal means and visits, but the second child's payoffs vary.
        let mut varied = tree([(500.0, 1000, 0.5), (500.0, 1000, 0.5)]);
        varied.totals[1].squares = 250.0;
        let tuned = Selection::Tuned { exploration: 1.0 };
        assert_eq!((select(UCB1, &varied), select(tuned, &varied)), (0, 1));
        // PUCT: .5 + P √20 / 11 with P = .2 and .8 is .5813 and .8253; UCB1 would see equals.
        let children = [(5.0, 10, 0.2), (5.0, 10, 0.8)];
        assert_eq!(choose(UCB1, children), 0);
        assert_eq!(choose(Selection::Puct { exploration: 1.0 }, children), 1);
        // Progressive bias: the same equals, .2 / 11 and .8 / 11 more.
        assert_eq!(choose(Selection::Biased { exploration: 1.0, bias: 1.0 }, children), 1);
        // Progressive history: 3 of 10 and 6 of 20 visits are won, so that .7 · 10 and .7 · 20 are lost: UCB1 without exploration sees
        // equals, .25 W / 8 and .75 W / 15 more. With four times the visits of the second child it is .75 W / 57 < .25 W / 8.
        let history = |visits: u32| {
            let children = [(3.0, 10, 0.5), (0.3 * f64::from(visits), visits, 0.5)];
            choose(Selection::History { exploration: 0.0, weight: 5.0 }, children)
        };
        assert_eq!(
            (choose(Selection::Ucb1 { exploration: 0.0 }, [(3.0, 10, 0.5), (6.0, 20, 0.5)]), history(20)),
            (0, 1)
        );
        assert_eq!(history(80), 0);
        // RAVE: equal means and visits, but the second move was worth more elsewhere.
        let mut known = tree(children);
        (known.amaf[1], known.amaf[2]) = (Amaf::default(), Amaf { sum: 6.0, visits: 10 });
        let rave = |equivalence| select(Selection::Rave { exploration: 1.0, equivalence }, &known);
        assert_eq!((rave(0.0), rave(1000.0)), (0, 1));
    }

    #[test]
    fn a_cut_child_is_not_selected() {
        let mut arena = tree([(9.0, 10, 0.5), (1.0, 10, 0.5)]);
        assert_eq!(select(UCB1, &arena), 0);
        arena.nodes[1].cut();
        assert_eq!(select(UCB1, &arena), 1);
    }

    #[test]
    fn progressive_history_visits_the_best_move_first() {
        let mut arena = tree([(9.0, 10, 0.5), (1.0, 10, 0.5)]);
        let selection = Selection::History { exploration: 1.0, weight: 5.0 };
        for child in arena.children(ROOT) {
            arena.nodes[child] = Node::unseen(Score { value: f64::INFINITY, width: 0.0 });
        }
        assert_eq!((select(UCB1, &arena), select(selection, &arena)), (0, 1));
    }

    #[test]
    fn the_first_of_equals_is_best() {
        assert_eq!(best_of([0.5, 1.0, 1.0].into_iter()), 1);
        assert_eq!(best_of([f64::NEG_INFINITY, 0.0].into_iter()), 1);
        assert_eq!(best_of([1.0, f64::INFINITY, f64::INFINITY].into_iter()), 1);
    }
}
