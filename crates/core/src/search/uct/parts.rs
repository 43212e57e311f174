//! The parts of a UCT search that are not files of their own.

use super::super::tree::Score;
use super::selection::Selection;
use crate::game::options::{Setting, choice, flag, integer, or_word, parts, real};

parts! {
    /// The expected value of moves before their first visit. Unvisited moves are visited in this order.
    #[derive(Clone, Copy, Debug)]
    pub enum Prior<P, E> {
        /// nothing
        None {},
        /// the probability with which a policy plays the move
        Policy {
            /// the policy; "playouts" is that of the playouts
            policy: Option<P> = or_word(P::setting(), "playouts"),
        },
        /// the prior that an evaluation gives with its value
        Head {
            /// an evaluation that gives priors; "default" is the game's first
            evaluation: E = E::setting(),
        },
        /// the evaluation of the position after the move
        Evaluation {
            /// the game's evaluation; "default" is its first
            evaluation: E = E::setting(),
            /// the evaluation that equals ¾ of the best payoff
            scale: f64 = real(0.001..=1e9, 10.0),
            /// plies of minimax after the move: Baier, Winands 2018
            minimax: u32 = integer(0..=8, 0),
        },
    }
}

parts! {
    /// First-play urgency: the value of an unvisited child in selection.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum FirstPlay {
        /// each move once before any twice; for puct, half of the best payoff
        Published {},
        /// a fixed value: Gelly, Wang 2006
        Urgency {
            /// as a fraction of the best payoff
            worth: f64 = real(-1000.0..=1000.0, 1.0),
        },
        /// the parent's value, reduced
        Reduction {
            /// as a fraction of the best payoff
            by: f64 = real(-1000.0..=1000.0, 0.2),
        },
    }
}

impl FirstPlay {
    /// The score of an unvisited child. `mean` is the parent's value at its expansion.
    pub(super) fn score(self, selection: Selection, mean: impl FnOnce() -> f64) -> Score {
        let value = match self {
            Self::Published {} if matches!(selection, Selection::Puct { .. }) => 0.5,
            Self::Published {} => f64::INFINITY,
            Self::Urgency { worth } => worth,
            Self::Reduction { by } => mean() - by,
        };
        // Other children are explored as if they had been visited once, because otherwise they might never be visited.
        let width = if matches!(self, Self::Reduction { .. }) { 1.0 } else { 0.0 };
        Score { value, width }
    }
}

parts! {
    /// How a node is expanded: after how many visits (Coulom 2006, "Efficient selectivity and backup operators in Monte-Carlo tree
    /// search"), and how its children get their first visits.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Expansion {
        /// one child per visit
        Single {
            /// visits of a node before it gets children
            threshold: u32 = integer(1..=1_000_000, 1),
            /// children of a node per √visits; 0: all of them
            widening: f64 = real(0.0..=1e6, 0.0),
        },
        /// all children at once, with playouts from each
        All {
            /// visits of a node before it gets children
            threshold: u32 = integer(1..=1_000_000, 1),
            /// children of a node per √visits; 0: all of them
            widening: f64 = real(0.0..=1e6, 0.0),
        },
    }
}

impl Expansion {
    pub(super) const fn threshold(self) -> u32 {
        let (Self::Single { threshold, .. } | Self::All { threshold, .. }) = self;
        threshold
    }

    pub(super) const fn widening(self) -> f64 {
        let (Self::Single { widening, .. } | Self::All { widening, .. }) = self;
        widening
    }

    /// The number of children to visit of a node with this many visits, at least 1: ⌈widening · *n*^½⌉, chance nodes included
    /// (progressive widening: Couëtoux, Hoock, Sokolovska, Teytaud, Bonnard 2011, "Continuous upper confidence trees").
    #[inline(always)]
    pub(super) fn children(self, visits: impl FnOnce() -> u32) -> u32 {
        match self.widening() {
            widening if widening > 0.0 => ((widening * f64::from(visits()).sqrt()).ceil() as u32).max(1),
            _ => u32::MAX,
        }
    }
}

parts! {
    /// The value of a node; at chance nodes always the mean weighted by visits. TIM Labs' tree takes the best child alone.
    #[derive(Clone, Copy, Debug)]
    pub enum Backup<E> {
        /// the mean of its playouts
        Mean {},
        /// the mean of its playouts, of which one that is won soon counts more: Pepels et al. 2014
        Relative {
            /// k: how steeply the bonus grows with the length below the mean, in standard deviations
            steepness: f64 = real(0.0..=1000.0, 1.0),
            /// α: the largest bonus, as a fraction of half the range of payoffs
            weight: f64 = real(0.0..=10.0, 0.25),
        },
        /// mean and best child: Coulom 2006
        Mixed {
            /// share of the best child; 1: the best child alone
            max_share: f64 = real(0.0..=1.0, 0.5),
        },
        /// mean and evaluation, backed up by minimax: Lanctot et al. 2014
        Implicit {
            /// share of the evaluation
            share: f64 = real(0.0..=1.0, 0.4),
            /// the game's evaluation; "default" is its first
            evaluation: E = E::setting(),
            /// the evaluation that equals ¾ of the best payoff
            scale: f64 = real(0.001..=1e9, 10.0),
        },
    }
}

impl<E> Backup<E> {
    pub(super) fn is_mean(&self) -> bool {
        match self {
            Self::Mean {} => true,
            Self::Mixed { max_share } => *max_share == 0.0,
            Self::Relative { .. } | Self::Implicit { .. } => false,
        }
    }

    /// The same part with another evaluation.
    pub(super) fn resolve<F, X>(self, evaluation: impl FnOnce(E) -> Result<F, X>) -> Result<Backup<F>, X> {
        Ok(match self {
            Self::Mean {} => Backup::Mean {},
            Self::Relative { steepness, weight } => Backup::Relative { steepness, weight },
            Self::Mixed { max_share } => Backup::Mixed { max_share },
            Self::Implicit { share, evaluation: named, scale } => {
                Backup::Implicit { share, evaluation: evaluation(named)?, scale }
            }
        })
    }
}

parts! {
    /// Whether the search proves values.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Solver {
        /// nothing is proved
        None {},
        /// bounds of the payoff are proved: Cazenave, Saffidine 2010
        Bounds {
            /// plies of minimax before a node gets children: Baier, Winands 2013
            probe: u32 = integer(0..=8, 0),
            /// plies of minimax at a node, once, when a child is proved and the node is not: Baier, Winands 2015
            backup: u32 = integer(0..=8, 0),
        },
    }
}

impl Solver {
    /// Whether it proves bounds.
    pub(super) const fn is_used(self) -> bool {
        matches!(self, Self::Bounds { .. })
    }

    /// The plies of minimax in the backup.
    pub(super) const fn backup(self) -> u32 {
        if let Self::Bounds { backup, .. } = self { backup } else { 0 }
    }
}

/// Whether playouts look for immediate wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The policy chooses.
    Never,
    /// A move that wins at once is played.
    Own,
    /// Also avoids moves after which the opponent wins at once.
    Both,
}

/// The setting for immediate wins.
fn decisive() -> Setting<Sight> {
    choice([
        ("never", "the policy chooses", Sight::Never),
        ("own", "a move that wins at once is played: Teytaud, Teytaud 2010", Sight::Own),
        ("both", "also avoids moves after which the opponent wins at once", Sight::Both),
    ])
}

parts! {
    /// How leaves are valued, and what playouts learn. Several playouts of a leaf: Chaslot, Winands, van den Herik 2008.
    #[derive(Clone, Copy, Debug)]
    pub enum Playouts<E> {
        /// to the end of the game
        Full {
            /// playouts at each leaf
            batch: u32 = integer(1..=1_000_000, 1),
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
        /// by playouts to a depth, and an evaluation there: Lorentz 2008
        Cut {
            /// plies before the evaluation; 0: nothing is played
            plies: u32 = integer(0..=1000, 0),
            /// plies of minimax before the evaluation: Baier, Winands 2018
            minimax: u32 = integer(0..=8, 0),
            /// the game's evaluation; "default" is its first
            evaluation: E = E::setting(),
            /// the evaluation that equals ¾ of the best payoff
            scale: f64 = real(0.001..=1e9, 10.0),
            /// playouts at each leaf
            batch: u32 = integer(1..=1_000_000, 1),
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
        /// by playouts that prefer moves with high payoffs: Finnsson, Björnsson 2008
        Mast {
            /// probability that the policy chooses instead
            random: f64 = real(0.0..=1.0, 0.2),
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
        /// by playouts that choose in proportion to exp(mean payoff / temperature): Finnsson, Björnsson 2008
        MastGibbs {
            /// difference of two mean payoffs, from 0 to 1, at which one move is played e times as often as the other
            temperature: f64 = real(0.001..=1000.0, 0.1),
        },
        /// by playouts that prefer sequences of moves with high payoffs: Tak, Winands, Björnsson 2012
        Nst {
            /// probability that the policy chooses instead
            random: f64 = real(0.0..=1.0, 0.2),
            /// moves of the longest sequence; the paper's is 3
            length: u32 = integer(2..=3, 2),
            /// least number of times that a sequence of two or more moves is seen before it counts
            enough: u32 = integer(1..=1_000_000, 7),
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
        /// by playouts that choose by weights of moves, which learn from the winner of each: Cazenave 2015, 2016
        Ppa {
            /// α: how far a playout moves the weights
            alpha: f64 = real(0.0..=10.0, 1.0),
            /// whether a weight depends on what is beside the move, in games that tell it (PPAF)
            features: bool = flag(false),
            /// whether the weights are kept for the next move of the game
            memory: bool = flag(false),
        },
        /// by playouts that repeat replies that won: Drake 2009; Baier, Drake 2010
        LastGoodReply {
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
    }
}

impl<E> Playouts<E> {
    /// The same part with another evaluation.
    pub(super) fn resolve<F, X>(self, evaluation: impl FnOnce(E) -> Result<F, X>) -> Result<Playouts<F>, X> {
        Ok(match self {
            Self::Full { batch, decisive } => Playouts::Full { batch, decisive },
            Self::Cut { plies, minimax, evaluation: named, scale, batch, decisive } => {
                Playouts::Cut { plies, minimax, evaluation: evaluation(named)?, scale, batch, decisive }
            }
            Self::Mast { random, decisive } => Playouts::Mast { random, decisive },
            Self::MastGibbs { temperature } => Playouts::MastGibbs { temperature },
            Self::Nst { random, length, enough, decisive } => {
                Playouts::Nst { random, length, enough, decisive }
            }
            Self::Ppa { alpha, features, memory } => Playouts::Ppa { alpha, features, memory },
            Self::LastGoodReply { decisive } => Playouts::LastGoodReply { decisive },
        })
    }

    pub(in crate::search) const fn batch(&self) -> u32 {
        match self {
            Self::Full { batch, .. } | Self::Cut { batch, .. } => *batch,
            _ => 1,
        }
    }

    pub(super) const fn decisive(&self) -> Sight {
        match self {
            Self::Full { decisive, .. }
            | Self::Cut { decisive, .. }
            | Self::Mast { decisive, .. }
            | Self::Nst { decisive, .. }
            | Self::LastGoodReply { decisive } => *decisive,
            Self::MastGibbs { .. } | Self::Ppa { .. } => Sight::Never,
        }
    }

    /// Whether moves are known by their [codes](crate::game::Game::move_code), and not by their numbers.
    pub(in crate::search) const fn use_codes(&self) -> bool {
        matches!(self, Self::Ppa { features: true, .. })
    }

    /// Whether what they learn is kept for the next move of the game.
    pub(super) const fn have_memory(&self) -> bool {
        matches!(self, Self::Ppa { memory: true, .. })
    }

    /// Whether they use the results of earlier ones.
    pub(super) const fn learn(&self) -> bool {
        !matches!(self, Self::Full { .. } | Self::Cut { .. })
    }
}

parts! {
    /// The number of searches, and the threads that they use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Parallel {
        /// one search
        None {},
        /// several trees, merged at the root: Cazenave, Jouandeau 2007
        Root {
            /// trees that share the budget
            trees: u32 = integer(1..=1000, 4),
            /// threads that grow the trees; no result depends on them
            threads: usize = integer(1..=1000, 1).threads(),
            /// leaves of a tree that are played out in one call
            leaves: u32 = integer(1..=1024, 1),
        },
        /// many leaves at once of one tree, with virtual loss: Chaslot, Winands, van den Herik 2008
        Tree {
            /// leaves that are played out in one call
            leaves: u32 = integer(1..=1024, 16),
            /// threads that grow the tree; with more than one, no result is repeatable
            threads: usize = integer(1..=1000, 1).racing_threads(),
        },
    }
}

impl Parallel {
    pub(in crate::search) const fn leaves(self) -> u32 {
        match self {
            Self::None {} => 1,
            Self::Root { leaves, .. } | Self::Tree { leaves, .. } => leaves,
        }
    }

    pub(super) const fn threads(self) -> usize {
        if let Self::Tree { threads, .. } = self { threads } else { 1 }
    }
}

/// The nodes that lose their children when there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recycling {
    /// The least visited ones, half of the tree.
    LeastVisited,
    /// Those that were not visited for longest, an eighth of the tree.
    Oldest,
}

parts! {
    /// The memory of the tree.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Memory {
        /// one node for each path to a position
        Tree {
            /// keep the subtree below the moves that were played
            keep: bool = flag(false),
            /// the most nodes with children; 0: as many as fit into memory
            nodes: u32 = integer(0..=1_000_000_000, 0),
            /// which nodes lose their children when there is no room
            recycle: Recycling = choice([
                ("visits", "half of the tree, the least visited", Recycling::LeastVisited),
                ("recent", "an eighth, the least recently visited: Powley, Cowling, Whitehouse 2017", Recycling::Oldest),
            ]),
        },
        /// one node for each position: Childs, Brodeur, Kocsis 2008
        Graph {
            /// keep the subtree below the moves that were played
            keep: bool = flag(false),
        },
    }
}

impl Memory {
    pub(in crate::search) const fn keep(self) -> bool {
        let (Self::Tree { keep, .. } | Self::Graph { keep }) = self;
        keep
    }

    /// The most nodes with children, if there is such a number, and whether the oldest are recycled.
    pub(super) const fn recycling(self) -> (usize, bool) {
        match self {
            Self::Tree { nodes, recycle, .. } => (nodes as usize, matches!(recycle, Recycling::Oldest)),
            Self::Graph { .. } => (0, false),
        }
    }

    /// Whether equal positions share their children.
    pub const fn is_graph(self) -> bool {
        matches!(self, Self::Graph { .. })
    }
}
