//! The parts of a UCT search.

use std::sync::Arc;

use super::super::tree::Score;
use super::final_choice::FinalChoice;
use super::heuristic::{Implicit, Prior, Widening};
use super::leaf::Leaf;
use super::learning::Learning;
use super::selection::{Rule, Selection};
use crate::game::options::{parts, real};
use crate::game::{Game, Policy};
use crate::search::Ties;

/// First-play urgency: the value of an unvisited child in selection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FirstPlay {
    /// The value published with the rule of selection: ½ for PUCT, infinite for all others, so that each child is
    /// visited once before any is visited again.
    #[default]
    Published,
    /// A number, usually in `[0, 1]` (Gelly, Wang 2006, "Exploration exploitation in Go: UCT for Monte-Carlo Go").
    Urgency(f64),
    /// The parent's value at its expansion minus this number, explored as if the child had been visited once.
    Reduction(f64),
}

parts! {
    impl FirstPlay {
        /// each move once before any twice; for puct, half of the best payoff
        Published {},
        /// a fixed value: Gelly, Wang 2006
        Urgency {
            /// as a fraction of the best payoff
            worth: f64 = real(-1000.0..=1000.0, 1.0),
        } => Self::Urgency(worth),
        /// the parent's value, reduced
        Reduction {
            /// as a fraction of the best payoff
            by: f64 = real(-1000.0..=1000.0, 0.2),
        } => Self::Reduction(by),
    }
}

impl FirstPlay {
    /// The score of an unvisited child. `mean` is the parent's value at its expansion.
    pub(super) fn score(self, rule: Rule, mean: impl FnOnce() -> f64) -> Score {
        let value = match self {
            Self::Published if rule == Rule::Puct => 0.5,
            Self::Published => f64::INFINITY,
            Self::Urgency(urgency) => urgency,
            Self::Reduction(reduction) => mean() - reduction,
        };
        // Other children are explored as if they had been visited once, because otherwise they might never be visited.
        let width = if matches!(self, Self::Reduction(_)) { 1.0 } else { 0.0 };
        Score { value, width }
    }
}

/// When nodes are expanded, and how their children get their first visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The visits of a node before it is expanded, from 1 (Coulom 2006, "Efficient selectivity and backup
    /// operators in Monte-Carlo tree search").
    pub threshold: u32,
    /// Whether an expansion plays out all children once before anything else, as in TIM Labs' tree for Calculation.
    pub all_at_once: bool,
}

impl Default for Expansion {
    fn default() -> Self {
        Self { threshold: 1, all_at_once: false }
    }
}

/// A part of a UCT search that several threads in one tree do not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unshared {
    /// Another rule of selection than UCB1.
    Selection,
    /// A prior.
    Prior,
    /// All children at once, or widening.
    Expansion,
    /// Sampled outcomes.
    Sparse,
    /// Values that are not means.
    Backup,
    /// Proofs.
    Solver,
    /// Playouts that are cut off, or that learn.
    Playouts,
    /// Transpositions, or a tree that is kept.
    Memory,
    /// Too many playouts at once.
    Size,
}

/// The parts of a UCT search. `new` is plain UCT as published; parts can then be replaced one by one.
#[derive(Clone)]
pub struct UctSettings<G> {
    /// The rule that selects children.
    pub selection: Selection,
    /// The value of an unvisited child in selection.
    pub first_play: FirstPlay,
    /// When nodes are expanded.
    pub expansion: Expansion,
    /// The weight of the best child in a node's value, in `[0, 1]`; the rest is the mean of its playouts. 0 is UCT, 1
    /// the maximum as in TIM Labs' tree (Coulom 2006 compares mean, maximum and mixtures). Chance nodes always have the
    /// mean weighted by visits.
    pub max_share: f64,
    /// How a leaf is valued.
    pub leaf: Leaf<G>,
    /// The number of playouts of a leaf, at least 1 (leaf parallelisation: Chaslot, Winands, van
    /// den Herik 2008, "Parallel Monte-Carlo tree search").
    pub batch: u32,
    /// The choice of the move to play.
    pub final_choice: FinalChoice,
    /// Whether payoffs are proved.
    pub solver: bool,
    /// The depth of the plain minimax at each expansion, for its proofs; no effect without the solver (MCTS-MS: Baier,
    /// Winands 2013, "Monte-Carlo tree search and minimax hybrids").
    pub probe: u32,
    /// The expected value of moves before their first visit.
    pub prior: Prior<G>,
    /// The number of children to visit; `None` for all.
    pub widening: Option<Widening>,
    /// The number of outcomes sampled at each chance node, which are its only children; `None` for all outcomes (sparse
    /// UCT: Bjarnason, Fern, Tadepalli 2009, "Lower bounding Klondike solitaire with Monte-Carlo planning").
    pub sparse: Option<u32>,
    /// The evaluation that is mixed into values.
    pub implicit: Option<Implicit<G>>,
    /// How playouts use the results of earlier ones.
    pub learning: Learning,
    /// The order in which equal moves are visited, the game's or a random one, and the choice among equals.
    pub ties: Ties,
    /// Whether the tree below the moves played is kept for the next move.
    pub keep_tree: bool,
    /// Whether equal positions, by the game's [key](Game::key), share their children.
    pub transpositions: bool,
    /// The number of leaves that are taken from the tree before they are played out, at least 1.
    pub leaves: u32,
}

impl<G: Game> UctSettings<G> {
    /// UCT as Kocsis and Szepesvári publish it, with playouts to the end by this policy.
    pub fn new(policy: Arc<dyn Policy<G>>) -> Self {
        Self {
            selection: Selection::default(),
            first_play: FirstPlay::default(),
            expansion: Expansion::default(),
            max_share: 0.0,
            leaf: Leaf { policy, cutoff: None },
            batch: 1,
            final_choice: FinalChoice::default(),
            solver: false,
            probe: 0,
            prior: Prior::Unknown,
            widening: None,
            sparse: None,
            implicit: None,
            learning: Learning::Nothing,
            ties: Ties::Random,
            keep_tree: false,
            transpositions: false,
            leaves: 1,
        }
    }

    /// Whether leaves are selected before the results of earlier ones are known.
    pub(super) const fn overlaps(&self) -> bool {
        self.leaves > 1
    }

    /// The first part that keeps this number of threads from growing [one tree](super::SharedTree). `None` for UCB1, mean values, one child
    /// a visit, playouts to the end of the game that learn nothing, and at most a million of them at once.
    pub fn unshared(&self, threads: usize) -> Option<Unshared> {
        let Expansion { all_at_once, .. } = self.expansion;
        let at_once = threads as u64 * u64::from(self.leaves) * u64::from(self.batch);
        let parts = [
            (self.selection.rule != Rule::Ucb1, Unshared::Selection),
            (!matches!(self.prior, Prior::Unknown), Unshared::Prior),
            (all_at_once || self.widening.is_some(), Unshared::Expansion),
            (self.sparse.is_some(), Unshared::Sparse),
            (self.max_share > 0.0 || self.implicit.is_some(), Unshared::Backup),
            (self.solver, Unshared::Solver),
            (self.leaf.cutoff.is_some() || self.learning != Learning::Nothing, Unshared::Playouts),
            (self.keep_tree || self.transpositions, Unshared::Memory),
            (at_once > 1_000_000, Unshared::Size),
        ];
        parts.into_iter().find_map(|(is_unshared, part)| is_unshared.then_some(part))
    }

    /// Whether the search reads the moves of its playouts.
    pub(super) fn traces(&self) -> bool {
        self.learning != Learning::Nothing || matches!(self.selection.rule, Rule::Rave | Rule::Grave { .. })
    }
}
