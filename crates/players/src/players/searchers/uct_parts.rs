//! The options of UCT. Each part has only the options that it uses.

use crate::game::options::{Choice, choice, flag, integer, part, parts, real, settings};
use crate::players::choices::{EvaluationChoice, PolicyChoice, evaluation, policy, policy_or, ties};
use crate::search::{FinalChoice, FirstPlay, Selection, Ties};

settings! {
    /// The options of `uct`.
    pub(crate) struct UctOptions {
        /// which move is visited next
        selection: Selection = part(),
        /// the prior of a move, before its first visit
        prior: PriorPart = part(),
        /// the value of an unvisited move
        first_play: FirstPlay = part(),
        /// how a node is expanded
        expansion: ExpansionPart = part(),
        /// sampled outcomes at each chance node; 0: all outcomes
        sparse: u32 = integer(0..=1_000_000, 0),
        /// the value of a node
        backup: BackupPart = part(),
        /// whether the search proves values
        solver: SolverPart = part(),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// how leaves are valued
        playouts: PlayoutPart = part(),
        /// which move is played
        final_choice: FinalChoice = choice([
            ("robust", "the most visits", FinalChoice::Robust),
            ("max", "the largest value", FinalChoice::Max),
            ("secure", "the largest value − 1/√visits", FinalChoice::Secure),
        ]),
        /// how many trees and leaves grow at once
        parallel: ParallelPart = part(),
        /// what the search remembers, and for how long
        memory: MemoryPart = part(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

parts! {
    /// The prior of a move, before it is visited.
    pub(crate) enum PriorPart {
        /// nothing
        None {},
        /// the probability with which a policy plays the move
        Policy {
            /// the policy; "playouts" is that of the playouts
            policy: Option<PolicyChoice> = policy_or("playouts"),
        },
        /// the prior that an evaluation gives with its value
        Head {
            /// an evaluation that gives priors; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
        },
        /// the evaluation of the position after the move
        Evaluation {
            /// the game's evaluation; "default" is its first
            evaluation: EvaluationChoice = evaluation(),
            /// the evaluation that equals ¾ of the best payoff
            scale: f64 = real(0.001..=1e9, 10.0),
        },
    }
}

parts! {
    /// How a node is expanded.
    pub(crate) enum ExpansionPart {
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

parts! {
    /// The value of a node.
    pub(crate) enum BackupPart {
        /// the mean of its playouts
        Mean {},
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
            evaluation: EvaluationChoice = evaluation(),
            /// the evaluation that equals ¾ of the best payoff
            scale: f64 = real(0.001..=1e9, 10.0),
        },
    }
}

parts! {
    /// Whether the search proves values.
    pub(crate) enum SolverPart {
        /// nothing is proved
        None {},
        /// bounds of the payoff are proved: Cazenave, Saffidine 2010
        Bounds {
            /// plies of minimax before a node gets children: Baier, Winands 2013
            probe: u32 = integer(0..=8, 0),
        },
    }
}

/// Whether playouts look for immediate wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The policy chooses.
    Never,
    /// A move that wins at once is played.
    Own,
    /// Also avoids moves after which the opponent wins at once.
    Both,
}

/// The setting for immediate wins.
fn decisive() -> Choice<Sight> {
    choice([
        ("never", "the policy chooses", Sight::Never),
        ("own", "a move that wins at once is played: Teytaud, Teytaud 2010", Sight::Own),
        ("both", "also avoids moves after which the opponent wins at once", Sight::Both),
    ])
}

parts! {
    /// How leaves are valued.
    pub(crate) enum PlayoutPart {
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
            /// the game's evaluation; "default" is its first
            evaluation: EvaluationChoice = evaluation(),
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
        /// by playouts that prefer pairs of moves with high payoffs: Tak, Winands, Björnsson 2012
        Nst {
            /// probability that the policy chooses instead
            random: f64 = real(0.0..=1.0, 0.2),
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
        /// by playouts that repeat replies that won: Drake 2009; Baier, Drake 2010
        LastGoodReply {
            /// whether playouts look for immediate wins
            decisive: Sight = decisive(),
        },
    }
}

parts! {
    /// The number of searches, and the threads that they use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum ParallelPart {
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

parts! {
    /// The memory of the tree.
    pub(crate) enum MemoryPart {
        /// one node for each path to a position
        Tree {
            /// keep the subtree below the moves that were played
            keep: bool = flag(false),
        },
        /// one node for each position: Childs, Brodeur, Kocsis 2008
        Graph {
            /// keep the subtree below the moves that were played
            keep: bool = flag(false),
        },
    }
}
