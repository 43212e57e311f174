use std::fmt;

use super::Limit;
use crate::game::options::{Setting, choice};
use crate::game::{DEEPEST, Game, Tally};
use crate::rng::{PlayoutKey, Rng};

/// A decision: the chosen move, and an estimate of every move.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// The move that is played.
    pub chosen: M,
    /// An estimate of every legal move, in the game's order; empty if nothing was searched.
    pub moves: Vec<MoveEstimate<M>>,
    /// The reason why the search ended.
    pub stop: Stop,
}

/// The estimate of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MoveEstimate<M, V = f64> {
    /// The move.
    pub mv: M,
    /// The number of playouts or nodes that the value is based on.
    pub visits: u64,
    /// The value for the player who moves: the mean payoff, or an evaluation in its own unit.
    pub value: V,
    /// The standard error of the value, in its unit; 0 if the value is exact or its error is unknown.
    pub standard_error: V,
}

impl<M> MoveEstimate<M> {
    /// An estimate whose error is 0 or unknown.
    pub(super) const fn exact(mv: M, visits: u64, value: f64) -> Self {
        Self { mv, visits, value, standard_error: 0.0 }
    }

    /// The mean payoff of the playouts of a move; 0 without a playout.
    pub(super) fn of(mv: M, tally: &Tally) -> Self {
        let visits = tally.playouts;
        let standard_error = (tally.variance() / visits.max(1) as f64).sqrt();
        Self { mv, visits, value: tally.mean(), standard_error }
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stop {
    /// The search is complete.
    Complete,
    /// Only one move is legal.
    Forced,
    /// The value of the position is proved.
    Proved,
    /// The limit of the budget that was reached.
    Limit(Limit),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.pad("complete"),
            Self::Forced => f.pad("only one legal move"),
            Self::Proved => f.pad("proved"),
            Self::Limit(limit) => f.pad(&format!("{} spent", limit.name())),
        }
    }
}

impl<M> Decision<M> {
    /// A move chosen without search.
    pub const fn unsearched(chosen: M, stop: Stop) -> Self {
        Self { chosen, moves: Vec::new(), stop }
    }

    /// The same decision in other words for its moves.
    pub fn map<N>(self, change: impl Fn(M) -> N) -> Decision<N> {
        let estimate = |MoveEstimate { mv, visits, value, standard_error }| MoveEstimate {
            mv: change(mv),
            visits,
            value,
            standard_error,
        };
        let moves = self.moves.into_iter().map(estimate).collect();
        Decision { chosen: change(self.chosen), moves, stop: self.stop }
    }
}

impl Decision<usize> {
    /// A best move by the estimates, chosen by this rule among equals.
    pub(super) fn of_best(
        moves: Vec<MoveEstimate<usize>>,
        ties: Ties,
        stop: Stop,
        stream: MoveStream,
    ) -> Self {
        let best = ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Self { chosen: moves[best].mv, moves, stop }
    }

    /// The decision between these moves, which it knows by their numbers.
    #[inline(never)]
    pub(super) fn between<M: Copy>(self, moves: &[M]) -> Decision<M> {
        self.map(|number| moves[number])
    }
}

/// The estimates of moves by their playouts.
pub(super) fn estimates(tallies: &[Tally]) -> Vec<MoveEstimate<usize>> {
    tallies.iter().enumerate().map(|(number, tally)| MoveEstimate::of(number, tally)).collect()
}

/// The move that a searcher decides on, or the reason why there is none.
pub type Decided<G> = Result<Decision<<G as Game>::Move>, SearchError>;

/// The moves between which a searcher draws; `None` if it does not say.
pub type Distribution<G> = Result<Option<Weighted<<G as Game>::Move>>, SearchError>;

/// Moves with relative weights: the probabilities with which a player chooses them.
pub type Weighted<M> = Vec<(M, u64)>;

/// The randomness of one move of one player.
#[derive(Clone, Copy, Debug)]
pub struct MoveStream(PlayoutKey);

impl MoveStream {
    /// The randomness under a key: the child of the player's key with the number of the move.
    pub const fn new(key: PlayoutKey) -> Self {
        Self(key)
    }

    /// The key of all playouts of this move. A searcher that needs several batches numbers its children.
    pub const fn playouts(self) -> PlayoutKey {
        self.0.child(0)
    }

    /// A generator for everything else, such as choosing among equals.
    pub fn rng(self) -> Rng {
        Rng::from_key(self.0.child(1))
    }
}

/// The rule for choosing among several best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first in the game's order.
    First,
    /// Each with equal probability.
    Random,
}

/// The setting for the choice among equals.
pub fn ties(default: Ties) -> Setting<Ties> {
    let words = [
        ("first", "the first in the game's order", Ties::First),
        ("random", "each with equal probability", Ties::Random),
    ];
    choice(words).or(if default == Ties::First { "first" } else { "random" })
}

impl Ties {
    /// The index of the largest value, chosen by this rule among equals.
    ///
    /// # Panics
    /// If there are no values.
    ///
    /// # Example
    /// ```
    /// use shikou::rng::Stream;
    /// use shikou::search::Ties;
    /// let mut rng = Stream::new(1).rng();
    /// assert_eq!(Ties::First.best([0.5, 1.0, 1.0], &mut rng), 1);
    /// assert!((0..100).any(|_| Ties::Random.best([0.5, 1.0, 1.0], &mut rng) == 2));
    /// ```
    pub fn best<V: PartialOrd + Copy>(self, values: impl IntoIterator<Item = V>, rng: &mut Rng) -> usize {
        let mut best: Option<(usize, V)> = None;
        let mut equals = 0;
        for (index, value) in values.into_iter().enumerate() {
            match best {
                Some((_, top)) if value < top => {}
                Some((_, top)) if value == top => {
                    equals += 1;
                    // The k-th equal replaces the one held with probability 1/k: all end up equally likely.
                    if self == Self::Random && rng.below(equals) == 0 {
                        best = Some((index, value));
                    }
                }
                _ => {
                    best = Some((index, value));
                    equals = 1;
                }
            }
        }
        best.expect("a choice among no moves").0
    }

    /// The moves that a decision by this rule may choose, with equal weights: those with the largest value, or the
    /// first of them. If nothing was searched, the chosen move.
    pub fn distribution<M: Copy>(self, decision: &Decision<M>) -> Weighted<M> {
        let largest = decision.moves.iter().map(|estimate| estimate.value).max_by(f64::total_cmp);
        match (self, largest) {
            (Self::Random, Some(largest)) => {
                let best = decision.moves.iter().filter(|estimate| estimate.value == largest);
                best.map(|estimate| (estimate.mv, 1)).collect()
            }
            _ => vec![(decision.chosen, 1)],
        }
    }
}

/// The reason why a search gave no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The search needs more memory than the trial may use.
    #[error("memory cap: the search needs {needed} bytes, and a search may hold {cap}")]
    Memory {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that it may hold.
        cap: u64,
    },
    /// A line of play is longer than a search looks; see [`DEEPEST`].
    #[error(
        "depth: the search looked {plies} plies ahead, and some game was not over; give it a depth, or take a searcher that \
         does not look at every line"
    )]
    Depth {
        /// The plies.
        plies: u32,
    },
    /// A position has more moves than a node of a tree holds.
    #[error(
        "moves: a position has more than {most} moves, the most that a node of a tree holds; take another searcher"
    )]
    Moves {
        /// The most that a node holds.
        most: usize,
    },
    /// The system did not start the threads of the search.
    #[error("threads: the system did not start {threads} threads: {reason}; take fewer")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The system's reason.
        reason: String,
    },
    /// Processor time is limited, and the search has several threads.
    #[error("threads: a budget of cpu-time is of one thread, and the search has {threads}; limit the time")]
    CpuTime {
        /// The number of threads.
        threads: usize,
    },
    /// Another program plays for the searcher, and failed: its game is lost. The text begins with the kind of failure.
    #[error("{0}")]
    Forfeit(String),
    /// The search, or another program that plays for the searcher, was stopped.
    #[error("the search was stopped")]
    Stopped,
    /// The system lacks what the search needs, such as descriptors.
    #[error("{0}")]
    System(String),
    /// The budget was spent before the search found anything.
    #[error("budget: the limit of {} was reached before the search could decide", .limit.name())]
    Budget {
        /// The limit that was reached.
        limit: Limit,
    },
}

impl SearchError {
    /// The error of a search that is this many plies below its root, if that is too deep.
    #[inline(always)]
    pub(super) const fn check_depth(plies: u32) -> Result<(), Self> {
        if plies > DEEPEST { Err(Self::Depth { plies: DEEPEST }) } else { Ok(()) }
    }

    /// The error of a search whose threads were not started.
    pub(super) fn no_threads(threads: usize, error: &dyn std::fmt::Display) -> Self {
        Self::Threads { threads, reason: error.to_string() }
    }
}

impl From<Limit> for SearchError {
    /// The error of a search that a limit ended before it could decide.
    fn from(limit: Limit) -> Self {
        Self::Budget { limit }
    }
}
