//! The trait that every searcher implements.

use super::{AskTell, Branches, Decision, Limit, Meter, NoTree, Ties, TreeExtent};
use crate::game::{DEEPEST, Game, MoveReasons};
use crate::rng::{PlayoutKey, Rng};

/// A player that chooses a move at a player's turn.
///
/// A searcher lives for one game, and may remember what it finds.
///
/// # Laws
/// - The chosen move is legal, and the position is not changed.
/// - Without a time limit, the decision is a function of the game, the positions decided so far in this game, the
///   streams and the limits. It does not depend on time, threads or addresses.
/// - All work goes through the meter.
///
/// # Example: asking for a move
/// ```
/// use shikou::game::Game;
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Limits, Meter, Minimax, MoveStream, Searcher, Ties};
///
/// let game = TicTacToe::default();
/// let mut searcher = Minimax::full(Ties::First);
/// let mut meter = Meter::new(Limits::default());
/// let decision = searcher.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
/// assert!(decision.moves.iter().all(|estimate| estimate.value == 0.0));
/// assert_eq!(meter.spent().nodes, 549_945);
/// ```
pub trait Searcher<G: Game>: Send {
    /// Chooses a move for the player to move. Call it only at a player's turn.
    ///
    /// # Errors
    /// If a limit, such as the memory cap, prevents a decision.
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G>;

    /// Tells it how its game came to the position at which it is asked next: the moves from `start`. It is called at the
    /// start of a game and before each decision, if its recipe follows games. By
    /// default a searcher needs only the position.
    fn follow(&mut self, game: &G, start: &G::Position, moves: &[G::Move]) {
        let _ = (game, start, moves);
    }

    /// This searcher by ask and tell, if it supports that; by default it does not. It lets a caller that plays many
    /// games at once compute the playouts and evaluations of all games in one call.
    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        None
    }

    /// Whether its decisions depend on earlier decisions of the game, and not only on the position, the randomness of
    /// the move and the limits. `true` by default. If `false`, an interrupted game can be resumed without repeating the
    /// decisions already made.
    fn remembers(&self) -> bool {
        true
    }

    /// The probability of each move at a player's turn, as relative weights. Players that state it can be compared
    /// exactly. `None`, the default, if it is unknown. The weights must not depend on earlier decisions. Moves that it
    /// never plays may be omitted.
    ///
    /// # Errors
    /// If a limit prevents a decision.
    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        let _ = (game, at, meter);
        Ok(None)
    }

    /// The reasons for its choice, if it follows rules; see [`Policy::reasons`](crate::game::Policy::reasons).
    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        let _ = (game, position);
        None
    }

    /// The principal variation of the last decision, which was made at this position: the moves that the search expects,
    /// beginning with the chosen one. It ends at the horizon of the search or at a chance node. By default it is the
    /// chosen move alone.
    ///
    /// # Cost
    /// It is computed on request and outside all budgets, so it costs the decision nothing.
    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let _ = (game, at);
        vec![decision.chosen]
    }

    /// The search tree of the last decision, which was made at this position: the children of the root. By default
    /// there is none, for the reason of [`Searcher::no_tree`].
    ///
    /// # Errors
    /// The reason why there is no tree.
    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        let _ = (game, position, decision, extent);
        Err(self.no_tree())
    }

    /// The reason why it has no tree to show.
    fn no_tree(&self) -> NoTree {
        NoTree::NotKept
    }
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

/// The move probabilities of a searcher with exact values, in which randomness only chooses among equals, by `ties`.
///
/// # Errors
/// If a limit prevents a decision.
pub(super) fn chances_of_equals<G: Game>(
    searcher: &mut dyn Searcher<G>,
    ties: Ties,
    game: &G,
    position: &G::Position,
    meter: &mut Meter,
) -> Result<Weighted<G::Move>, SearchError> {
    let decision = searcher.choose(game, position, MoveStream::new(PlayoutKey::new(0)), meter)?;
    Ok(ties.distribution(&decision))
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
    /// A line of play is longer than a search looks; see [`SearchError::DEEPEST`].
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
        /// What the system said.
        reason: String,
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
    /// The most plies that a search to the end of the game looks ahead.
    pub const DEEPEST: u32 = DEEPEST;

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

/// The legal move, if there is only one.
#[inline(never)]
pub(super) fn forced_move<G: Game>(game: &G, position: &G::Position) -> Option<G::Move> {
    let mut moves = game.moves(position);
    let first = moves.next()?;
    moves.next().is_none().then_some(first)
}
