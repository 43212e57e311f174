//! The trait that every searcher implements.

use super::{Converse, Decision, Limit, Meter, MoveEstimate, Stop, Ties};
use crate::game::{Game, MoveReasons, Player, Turn};
use crate::rng::{PlayoutKey, Rng};

/// A player that thinks: it chooses a move at a player's turn.
///
/// A searcher lives for one game, and may remember what it learns on the way.
///
/// # Laws
/// - The chosen move is legal, and the position is not changed.
/// - For limits that count, the decision is a function of the game, the positions it was asked about in this
///   game, the streams and the limits: never of time, threads or addresses.
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
    /// A move for the player whose turn it is. Called at a player's turn only.
    ///
    /// # Errors
    /// Where a limit leaves no decision, such as the memory cap.
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault>;

    /// The searcher as one whose decisions are conversations, where it holds them; by default it does not. Whoever plays
    /// many games at once can then play the playouts of all in one call.
    fn conversation(&mut self) -> Option<&mut dyn Converse<G>> {
        None
    }

    /// Whether its decisions depend on anything but the position, the randomness of the move and the limits: on what it did
    /// before in the game. `true` by default. One that says `false` may be asked about some positions of a game and not
    /// about others, so that a long game that was broken off goes on without the decisions that are known.
    fn remembers(&self) -> bool {
        true
    }

    /// The chance with which it plays each move of a position at a player's turn, as relative weights: for players that
    /// can state it, so that they can be compared exactly. `None`, as by default: it cannot. It must not depend on what the
    /// searcher did before. Moves that it never plays may be left out.
    ///
    /// # Errors
    /// Where a limit leaves no decision.
    fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
        meter: &mut Meter,
    ) -> Result<Option<Weighted<G::Move>>, Fault> {
        let _ = (game, position, meter);
        Ok(None)
    }

    /// Why it plays as it does, for players that go by rules; see [`Policy::reasons`](crate::game::Policy::reasons).
    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        let _ = (game, position);
        None
    }

    /// The principal variation of the decision that was made last, at this position: the line that the search
    /// expects, the chosen move first. It ends where the search did, and at chance's turn. By default the move alone.
    ///
    /// # Cost
    /// It is found when it is asked for, beside all budgets, so that no decision pays for it.
    fn line(&self, game: &G, position: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let _ = (game, position);
        vec![decision.chosen]
    }
}

/// Moves with relative weights: the chances with which a player chooses them.
pub type Weighted<M> = Vec<(M, u64)>;

/// The randomness of one move of one player.
#[derive(Clone, Copy, Debug)]
pub struct MoveStream(PlayoutKey);

impl MoveStream {
    /// The randomness under a key: the player's key's child with the number of the move.
    pub const fn new(key: PlayoutKey) -> Self {
        Self(key)
    }

    /// The key of all playouts of this move; a searcher that asks for several batches numbers its children.
    pub const fn playouts(self) -> PlayoutKey {
        self.0.child(0)
    }

    /// A generator for everything else, such as choosing among equals.
    pub fn rng(self) -> Rng {
        Rng::from_key(self.0.child(1))
    }
}

/// The chances with which a searcher plays each move of a position whose values are exact, so that randomness only
/// chooses among equals, as `ties` says.
///
/// # Errors
/// Where a limit leaves no decision.
pub(super) fn chances_of_equals<G: Game>(
    searcher: &mut impl Searcher<G>,
    ties: Ties,
    game: &G,
    position: &G::Position,
    meter: &mut Meter,
) -> Result<Weighted<G::Move>, Fault> {
    let decision = searcher.choose(game, position, MoveStream::new(PlayoutKey::new(0)), meter)?;
    Ok(ties.distribution(&decision))
}

/// Why a search gave no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The search needs more memory than the trial may use.
    #[error("memory cap: the search needs {needed} bytes, and a search may hold {cap}")]
    Memory {
        /// Bytes that it would hold.
        needed: u64,
        /// Bytes that it may hold.
        cap: u64,
    },
    /// The budget was spent before there was anything to decide by.
    #[error("budget: the limit of {} was reached before the search could decide", .limit.name())]
    Budget {
        /// Which limit.
        limit: Limit,
    },
}

/// What every search does at its root: a forced move is played without search; else memory for the estimates of
/// all moves is reserved, `estimate` finds them for the player at the root, and a best one is chosen.
///
/// # Panics
/// Where it is not a player's turn: a mistake of the caller.
pub(super) fn decide<G: Game>(
    game: &G,
    position: &G::Position,
    stream: MoveStream,
    meter: &mut Meter,
    ties: Ties,
    estimate: impl FnOnce(Player, &mut Meter) -> Result<Vec<MoveEstimate<G::Move>>, Fault>,
) -> Result<Decision<G::Move>, Fault> {
    let Turn::Player(player) = game.turn(position) else {
        panic!("a searcher was asked for a move at no player's turn")
    };
    if let Some(forced) = forced_move(game, position) {
        return Ok(Decision::unsearched(forced, Stop::Forced));
    }
    meter.reserve(u64::from(game.move_count(position)) * size_of::<MoveEstimate<G::Move>>() as u64)?;
    let moves = estimate(player, meter)?;
    let best = ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
    Ok(Decision { chosen: moves[best].mv, moves, stop: Stop::Complete })
}

/// The only legal move, if there is just one.
pub(super) fn forced_move<G: Game>(game: &G, position: &G::Position) -> Option<G::Move> {
    let mut moves = game.moves(position);
    let first = moves.next()?;
    moves.next().is_none().then_some(first)
}
