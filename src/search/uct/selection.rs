//! Selection: which child is visited next.

use std::sync::LazyLock;

use super::tree::{Score, Tree};

/// A rule of selection, and the factor of its exploration term; 1 is the paper's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The rule.
    pub rule: Rule,
    /// The factor of what is added to the value.
    pub exploration: f64,
    /// What else the rule takes: the weight of a bias, the equivalence of RAVE.
    pub parameter: f64,
}

/// The rules of selection. *x* is a child's value in `[0, 1]`, *n* its visits, *N* those of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// UCB1: *x* + √(2 ln *N* / *n*) (Auer, Cesa-Bianchi, Fischer 2002; for trees Kocsis, Szepesvári 2006).
    Ucb1,
    /// UCB1-Tuned: *x* + √(ln *N* / *n* · min(¼, *V*)), where *V* = σ² + √(2 ln *N* / *n*) and σ² is the variance of
    /// the child's payoffs (Auer, Cesa-Bianchi, Fischer 2002).
    Tuned,
    /// Bayes-UCT's second rule: *x* + √(2 ln *N*) · σ (Tesauro, Rajan, Segal 2010), where *x* and σ are mean and
    /// deviation of a beta distribution that begins uniform and is told each payoff as a share of a win.
    Bayes,
    /// PUCT: *x* + *P* √*N* / (1 + *n*), where *P* is the child's prior (Silver et al. 2016).
    Puct,
    /// Progressive bias: UCB1 + parameter · *P* / (1 + *n*) (Chaslot et al. 2008, "Progressive strategies for Monte-Carlo tree
    /// search").
    Biased,
    /// RAVE: *x* gives way to the mean of all playouts in which the move was made at once or later, with share
    /// √(*k* / (3*n* + *k*)), *k* the parameter; exploration as in UCB1 (Gelly, Silver 2007, "Combining online and offline
    /// knowledge in UCT").
    Rave,
    /// GRAVE: RAVE whose second mean is that of the nearest ancestor with more than `reference` visits: (1 − β) *x* + β *x̃*
    /// (Cazenave 2015, "Generalized rapid action value estimation"); *bias*, in β, is the parameter. Published without
    /// exploration.
    Grave {
        /// The visits of which an ancestor must have more.
        reference: u32,
    },
}

impl Rule {
    /// Whether it reads priors.
    pub(super) const fn wants_priors(self) -> bool {
        matches!(self, Self::Puct | Self::Biased)
    }

    /// Whether the priors of a node's children have to add up to 1.
    pub(super) const fn wants_a_distribution(self) -> bool {
        matches!(self, Self::Puct)
    }
}

impl Default for Selection {
    /// UCB1 as published.
    fn default() -> Self {
        Self { rule: Rule::Ucb1, exploration: 1.0, parameter: 0.0 }
    }
}

/// How payoffs become shares of the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) min: f64,
    /// 1 over the range.
    pub(super) factor: f64,
}

impl Scale {
    #[inline(always)]
    pub(super) fn share(self, payoff: f64) -> f64 {
        (payoff - self.min) * self.factor
    }

    pub(super) fn payoff(self, share: f64) -> f64 {
        share / self.factor + self.min
    }
}

impl Selection {
    /// The child of a node that is visited next: of the first `limit` the first of those with the largest bound.
    ///
    /// # Panics
    /// Where the node has no children.
    #[inline(always)]
    pub(super) fn select<P: Copy + Eq, M: Copy + Eq>(
        self,
        tree: &Tree<P, M>,
        node: u32,
        limit: u32,
        scale: Scale,
    ) -> u32 {
        let children = tree.children(node);
        let first = children.start;
        let range = first as usize..children.end.min(first.saturating_add(limit)) as usize;
        let nodes = &tree.nodes[range.clone()];
        let visits = tree.visits(node);
        let best = match self.rule {
            Rule::Ucb1 => {
                let factor = self.exploration * tree.log.root(visits);
                best_of(nodes.iter().map(|child| child.score.value + factor * child.score.width))
            }
            Rule::Tuned => {
                let log = tree.log.of(visits);
                best_of(nodes.iter().zip(&tree.totals[range]).map(|(child, totals)| {
                    let (score, n) = (child.score, f64::from(child.visits).max(1.0));
                    let mean = totals.sum / n;
                    let variance = (totals.squares / n - mean * mean).max(0.0) * scale.factor * scale.factor;
                    let over = log * score.width * score.width;
                    let bound = (variance + (2.0 * over).sqrt()).min(0.25);
                    score.value + self.exploration * (over * bound).sqrt()
                }))
            }
            Rule::Bayes => {
                let factor = self.exploration * tree.log.root(visits);
                best_of(nodes.iter().map(|child| bayes(child.score, child.visits, factor)))
            }
            Rule::Puct => {
                let factor = self.exploration * f64::from(visits).sqrt();
                let priors = &tree.priors[range];
                best_of(nodes.iter().zip(priors).map(|(child, prior)| {
                    child.score.value + factor * prior / (1.0 + f64::from(child.visits))
                }))
            }
            Rule::Biased => {
                let factor = self.exploration * tree.log.root(visits);
                let priors = &tree.priors[range];
                best_of(nodes.iter().zip(priors).map(|(child, prior)| {
                    let score = child.score;
                    let bias = self.parameter * prior / (1.0 + f64::from(child.visits));
                    score.value + factor * score.width + bias
                }))
            }
            Rule::Grave { .. } => unreachable!("it is asked of the tables"),
            Rule::Rave => {
                let factor = self.exploration * tree.log.root(visits);
                let amaf = &tree.amaf[range];
                best_of(nodes.iter().zip(amaf).map(|(child, amaf)| {
                    let score = child.score;
                    if amaf.visits == 0 || score.value == f64::NEG_INFINITY {
                        return score.value + factor * score.width;
                    }
                    let share = (self.parameter / (3.0 * f64::from(child.visits) + self.parameter)).sqrt();
                    let mean = amaf.sum / f64::from(amaf.visits);
                    if child.visits == 0 {
                        // Worth what it was worth elsewhere, and explored as if it had been visited once.
                        return mean + factor;
                    }
                    (1.0 - share) * score.value + share * mean + factor * score.width
                }))
            }
        };
        first + best
    }
}

/// Natural logarithms of visits: the small ones, which nearly all are, from tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Log {
    logs: &'static [f64],
    roots: &'static [f64],
}

impl Log {
    const TABLED: u32 = 1 << 14;

    /// The tables are made once.
    pub(super) fn new() -> Self {
        static LOGS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..Log::TABLED).map(Log::computed).collect());
        static ROOTS: LazyLock<Vec<f64>> =
            LazyLock::new(|| LOGS.iter().map(|log| (2.0 * log).sqrt()).collect());
        Self { logs: &LOGS, roots: &ROOTS }
    }

    fn computed(visits: u32) -> f64 {
        libm::log(f64::from(visits.max(1)))
    }

    /// ln of the visits; 0 where there were none.
    #[inline(always)]
    fn of(self, visits: u32) -> f64 {
        self.logs.get(visits as usize).copied().unwrap_or_else(|| Self::computed(visits))
    }

    /// √(2 ln of the visits).
    #[inline(always)]
    pub(super) fn root(self, visits: u32) -> f64 {
        let tabled = self.roots.get(visits as usize).copied();
        tabled.unwrap_or_else(|| (2.0 * Self::computed(visits)).sqrt())
    }
}

/// The bound of Bayes-UCT for a child.
fn bayes(score: Score, visits: u32, factor: f64) -> f64 {
    if visits == 0 || score.value == f64::NEG_INFINITY {
        return score.value;
    }
    let n = f64::from(visits);
    let mean = (score.value * n + 1.0) / (n + 2.0);
    mean + factor * (mean * (1.0 - mean) / (n + 3.0)).sqrt()
}

/// The index of the first of the largest values.
#[inline(always)]
pub(super) fn best_of(values: impl Iterator<Item = f64>) -> u32 {
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
    use super::super::tree::Amaf;
    use super::*;

    /// Mean and deviation of the beta distribution with 1 + wins and 1 + losses.
    #[test]
    fn the_posterior_is_that_of_the_beta_distribution() {
        let (wins, visits) = (3.0_f64, 10_u32);
        let (a, b) = (wins + 1.0, f64::from(visits) - wins + 1.0);
        let mean = a / (a + b);
        let deviation = (a * b / ((a + b) * (a + b) * (a + b + 1.0))).sqrt();
        let score = Score { value: wins / f64::from(visits), width: 1.0 / f64::from(visits).sqrt() };
        assert!((bayes(score, visits, 2.0) - (mean + 2.0 * deviation)).abs() < 1e-15);
    }

    /// A root with two visited children: sums and sums of squares of payoffs 0 or 1, visits, priors.
    fn tree(children: [(f64, u32, f64); 2]) -> Tree<(), u8> {
        use super::super::tree::{Bounds, Columns, Kind, ROOT, Totals};
        use crate::search::{Limits, Meter};
        let mut tree = Tree::new(Columns { priors: true, ..Columns::default() });
        let bounds = Bounds { low: 0.0, high: 1.0 };
        tree.clear(Kind::Own, bounds);
        let score = Score { value: 0.0, width: 0.0 };
        let meter = &mut Meter::new(Limits::default());
        assert!(tree.expand(ROOT, (), [0, 1].into_iter(), (score, bounds), 0, meter));
        for (child, (sum, visits, prior)) in tree.children(ROOT).zip(children) {
            let child = child as usize;
            tree.totals[child] = Totals { sum, squares: sum };
            tree.nodes[child].visits = visits;
            tree.nodes[0].visits += visits;
            tree.nodes[child].score =
                Score { value: sum / f64::from(visits), width: 1.0 / f64::from(visits).sqrt() };
            tree.priors[child] = prior;
        }
        tree
    }

    /// Each rule's own term decides: with it one child is visited, with the next smaller factor the other.
    #[test]
    fn every_rule_explores_as_published() {
        let choose = |rule, exploration, children| {
            Selection { rule, exploration, parameter: 1.0 }.select(
                &tree(children),
                0,
                9,
                Scale { min: 0.0, factor: 1.0 },
            ) - 1
        };
        // UCB1: .6 + e √(2 ln 110 / 100) against .3 + e √(2 ln 110 / 10): .7410 and .7460 for e = .46.
        let children = [(60.0, 100, 0.5), (3.0, 10, 0.5)];
        assert_eq!(choose(Rule::Ucb1, 0.46, children), 1);
        assert_eq!(choose(Rule::Ucb1, 0.45, children), 0);
        // UCB1-Tuned: equal means and visits, but the second child's payoffs vary.
        let mut varied = tree([(500.0, 1000, 0.5), (500.0, 1000, 0.5)]);
        varied.totals[1].squares = 250.0;
        let scale = Scale { min: 0.0, factor: 1.0 };
        let select =
            |rule| Selection { rule, exploration: 1.0, parameter: 0.0 }.select(&varied, 0, 9, scale) - 1;
        assert_eq!((select(Rule::Ucb1), select(Rule::Tuned)), (0, 1));
        // PUCT: .5 + P √20 / 11 with P = .2 and .8 is .5813 and .8253; UCB1 would see equals.
        let children = [(5.0, 10, 0.2), (5.0, 10, 0.8)];
        assert_eq!(choose(Rule::Ucb1, 1.0, children), 0);
        assert_eq!(choose(Rule::Puct, 1.0, children), 1);
        // Progressive bias: the same equals, .2 / 11 and .8 / 11 more.
        assert_eq!(choose(Rule::Biased, 1.0, children), 1);
        // RAVE: equal means and visits, but the second move was worth more elsewhere.
        let mut known = tree(children);
        known.columns.amaf = true;
        known.amaf = [(0.0, 0), (5.0, 10), (6.0, 10)].map(|(sum, visits)| Amaf { sum, visits }).into();
        let rave = |parameter| {
            Selection { rule: Rule::Rave, exploration: 1.0, parameter }.select(&known, 0, 9, scale) - 1
        };
        assert_eq!((rave(0.0), rave(1000.0)), (0, 1));
    }

    #[test]
    fn the_first_of_equals_is_best() {
        assert_eq!(best_of([0.5, 1.0, 1.0].into_iter()), 1);
        assert_eq!(best_of([f64::NEG_INFINITY, 0.0].into_iter()), 1);
        assert_eq!(best_of([1.0, f64::INFINITY, f64::INFINITY].into_iter()), 1);
    }
}
