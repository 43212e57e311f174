//! Candidates: the moves between which a search decides at its root.
//!
//! The key decision: rules, counts, estimates and the choice among equals know the moves by their numbers, and are compiled once for all
//! games. Only this list has the moves themselves.

use super::{Decided, Decision, Meter, MoveEstimate, MoveStream, SearchError, Stop, Ties};
use crate::game::{Game, GameExt, Player, Turn};

/// The moves of a position in the game's order, and the position after each.
pub(super) struct Candidates<G: Game> {
    pub(super) player: Player,
    pub(super) moves: Vec<G::Move>,
    pub(super) children: Vec<G::Position>,
}

impl<G: Game> Candidates<G> {
    /// The candidates at a player's turn, with memory reserved for them and their estimates; or the decision, if only one move is
    /// legal.
    #[inline(never)]
    pub(super) fn new(game: &G, position: &G::Position, meter: &mut Meter) -> Result<Self, Decided<G>> {
        let player = player_to_search(game, position).map_err(Ok)?;
        reserve_estimates(game, position, meter).map_err(Err)?;
        let each = size_of::<(G::Move, G::Position)>() as u64;
        meter.reserve(u64::from(game.move_count(position)) * each).map_err(Err)?;
        Ok(Self::of(game, position, player))
    }

    #[inline(never)]
    pub(super) fn of(game: &G, position: &G::Position, player: Player) -> Self {
        let (moves, children) = game.children(position).unzip();
        Self { player, moves, children }
    }
}

/// Decides at the root. A forced move is played without search. Else `estimate` gives an estimate of each candidate and says why it
/// ended; a best move is chosen.
pub(super) fn decide<G: Game>(
    game: &G,
    position: &G::Position,
    stream: MoveStream,
    meter: &mut Meter,
    ties: Ties,
    estimate: &mut dyn FnMut(&Candidates<G>, &mut Meter) -> Estimated,
) -> Decided<G> {
    let candidates = match Candidates::new(game, position, meter) {
        Ok(candidates) => candidates,
        Err(decided) => return decided,
    };
    let (moves, stop) = estimate(&candidates, meter)?;
    Ok(Decision::of_best(moves, ties, stop, stream).between(&candidates.moves))
}

/// Estimates of the candidates, and the reason why the search ended.
pub(super) type Estimated = Result<(Vec<MoveEstimate<usize>>, Stop), SearchError>;

/// The moves of a position at a player's turn, in the game's order.
#[inline(never)]
pub(super) fn moves_of<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    game.moves(position).collect()
}

/// Estimates of all moves of a position, in the game's order, with this value and without visits.
#[inline(never)]
pub(super) fn unvisited<G: Game>(
    game: &G,
    position: &G::Position,
    value: f64,
    meter: &mut Meter,
) -> Result<Vec<MoveEstimate<G::Move>>, SearchError> {
    reserve_estimates(game, position, meter)?;
    Ok(moves_of(game, position).into_iter().map(|mv| MoveEstimate::exact(mv, 0, value)).collect())
}

pub(super) fn reserve_estimates<G: Game>(
    game: &G,
    position: &G::Position,
    meter: &mut Meter,
) -> Result<(), SearchError> {
    meter.reserve(u64::from(game.move_count(position)) * size_of::<MoveEstimate<G::Move>>() as u64)
}

/// The player to move, or the decision if only one move is legal. Panics if it is not a player's turn: an error of the caller.
#[inline(never)]
pub(super) fn player_to_search<G: Game>(
    game: &G,
    position: &G::Position,
) -> Result<Player, Decision<G::Move>> {
    let Turn::Player(player) = game.turn(position) else {
        panic!("a searcher was asked for a move at no player's turn")
    };
    match forced_move(game, position) {
        Some(forced) => Err(Decision::unsearched(forced, Stop::Forced)),
        None => Ok(player),
    }
}

/// The legal move, if there is only one.
#[inline(never)]
pub(super) fn forced_move<G: Game>(game: &G, position: &G::Position) -> Option<G::Move> {
    let mut moves = game.moves(position);
    let first = moves.next()?;
    moves.next().is_none().then_some(first)
}
