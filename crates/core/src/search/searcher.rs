use super::{
    AskTell, Branches, Decided, Decision, Distribution, Meter, MoveStream, NoTree, SearchError, Ties,
    TreeExtent, Weighted,
};
use crate::game::{Game, MoveReasons};
use crate::rng::PlayoutKey;

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
/// use shikou::search::{FullWidth, Limits, Meter, MoveStream, Searcher, Ties};
///
/// let game = TicTacToe::default();
/// let mut searcher = FullWidth::minimax(None, Ties::First);
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
    fn follow(&mut self, _game: &G, _start: &G::Position, _moves: &[G::Move]) {}

    /// The searcher by ask and tell, if it supports that; by default it does not. Ask and tell let a caller that plays many
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
    fn distribution(&mut self, _game: &G, _at: &G::Position, _meter: &mut Meter) -> Distribution<G> {
        Ok(None)
    }

    /// The reasons for its choice, if it follows rules; see [`Policy::reasons`](crate::game::Policy::reasons).
    fn reasons(&self, _game: &G, _position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        None
    }

    /// The principal variation of the last decision, which was made at this position: the moves that the search expects,
    /// beginning with the chosen one. It ends at the horizon of the search or at a chance node. By default it is the
    /// chosen move alone.
    ///
    /// # Cost
    /// The line is computed on request and outside all budgets, so it costs the decision nothing.
    fn principal_variation(
        &self,
        _game: &G,
        _at: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        vec![decision.chosen]
    }

    /// The search tree of the last decision, which was made at this position: the children of the root. By default
    /// there is none, for the reason of [`Searcher::no_tree`].
    ///
    /// # Errors
    /// The reason why there is no tree.
    fn tree(
        &self,
        _game: &G,
        _position: &G::Position,
        _decision: &Decision<G::Move>,
        _extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        Err(self.no_tree())
    }

    /// The reason why it has no tree to show.
    fn no_tree(&self) -> NoTree {
        NoTree::NotKept
    }
}

/// The move probabilities of a searcher with exact values, in which randomness only chooses among equals, by `ties`.
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
