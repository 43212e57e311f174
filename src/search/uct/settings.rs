//! The composition: which part does what.

use std::sync::Arc;

use super::{FinalChoice, Implicit, Leaf, Learning, Prior, Rule, Selection, Widening};
use crate::game::{Game, Policy};
use crate::search::Ties;

/// What an unvisited child is worth to selection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FirstPlay {
    /// As the rule of selection is published: for PUCT half of the best payoff, for all others everything, so that each
    /// child is visited once before any is visited again.
    #[default]
    Published,
    /// So much, in `[0, 1]` (Gelly, Wang 2006, "Exploration exploitation in Go: UCT for Monte-Carlo Go").
    Urgency(f64),
    /// As much as its parent when the children were made, less this, and explored as if it had been visited once.
    Reduction(f64),
}

/// When nodes get children, and what happens then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// How many visits a node has before it gets children, from 1 (Coulom 2006, "Efficient selectivity and backup
    /// operators in Monte-Carlo tree search").
    pub threshold: u32,
    /// Whether all children are then played out at once, once each, as in TIM Labs' tree for Calculation.
    pub all_at_once: bool,
}

impl Default for Expansion {
    fn default() -> Self {
        Self { threshold: 1, all_at_once: false }
    }
}

/// The parts of a UCT search. `new` is plain UCT as published; the parts are then exchanged one by one.
#[derive(Clone)]
pub struct UctSettings<G> {
    /// Which child is visited next.
    pub selection: Selection,
    /// What an unvisited child is worth to selection.
    pub first_play: FirstPlay,
    /// When nodes get children.
    pub expansion: Expansion,
    /// The share of the best child in a node's value, in `[0, 1]`; the rest is the mean of its playouts. 0 is UCT, 1
    /// the maximum as in TIM Labs' tree (Coulom 2006 compares mean, maximum and mixtures). At chance's turn it is always the
    /// mean weighted by visits.
    pub max_share: f64,
    /// How a position at the edge of the tree is valued.
    pub leaf: Leaf<G>,
    /// How many playouts are made from each such position, at least 1 (leaf parallelisation: Chaslot, Winands, van
    /// den Herik 2008, "Parallel Monte-Carlo tree search").
    pub batch: u32,
    /// Which move is played.
    pub final_choice: FinalChoice,
    /// Whether values are proved on the way.
    pub solver: bool,
    /// So many plies are searched by plain minimax when a node gets children, for what that proves (MCTS-MS: Baier,
    /// Winands 2013, "Monte-Carlo tree search and minimax hybrids"). Without the solver nothing.
    pub probe: u32,
    /// What moves are expected to be worth before they are visited.
    pub prior: Prior<G>,
    /// How many children are visited; all where it is not said.
    pub widening: Option<Widening>,
    /// At most so many samples of chance's outcomes are looked at behind each of its turns, all of them where it is not
    /// said (sparse UCT: Bjarnason, Fern, Tadepalli 2009, "Lower bounding Klondike solitaire with Monte-Carlo planning").
    pub sparse: Option<u32>,
    /// What is mixed into values.
    pub implicit: Option<Implicit<G>>,
    /// How playouts learn from those before.
    pub learning: Learning,
    /// In which order equals are visited: the game's or a random one; and which of equals is played.
    pub ties: Ties,
    /// Whether what was found below the move that came true is kept for the next move.
    pub keep_tree: bool,
    /// Whether positions that are the same, by the game's [key](Game::key), share their children.
    pub transpositions: bool,
    /// How many threads search in the tree, at least 1. From 2 on no two searches are the same.
    pub threads: u32,
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
            threads: 1,
        }
    }

    /// Whether the moves of playouts are looked at one by one.
    pub(super) fn traces(&self) -> bool {
        self.learning != Learning::Nothing || matches!(self.selection.rule, Rule::Rave | Rule::Grave { .. })
    }
}
