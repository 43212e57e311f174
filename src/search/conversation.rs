//! Decisions as conversations: the search names playouts, somebody plays them, and the search is told the result.
//!
//! The key decision: a conversation goes on inside its searcher, which keeps where it stands, so that many searchers can
//! be held at once and none borrows from another. What a search decides does not depend on who plays its playouts, nor on
//! what else that one plays between them.

use std::sync::Arc;

use super::{Decision, Fault, Meter, MoveStream, Stop};
use crate::game::{Game, PlayoutRequest, Policy, Tally};

/// What a search wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask<P> {
    /// This played out.
    Playouts(P),
    /// Nothing more.
    Nothing(Stop),
}

/// A searcher whose decisions are conversations.
///
/// # Laws
/// - [`Converse::open`] begins, then [`Converse::ask`] and [`Converse::tell`] take turns until nothing more is asked
///   for, then [`Converse::close`] decides. So held, the decision is that of
///   [`Searcher::choose`](super::Searcher::choose), and so is the work that the meter counts.
/// - Nothing of a conversation depends on the time between its turns, but for budgets of time.
///
/// # Example: a conversation by hand
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Ask, Budget, Converse, Limits, Meter, MoveStream, Searcher, Uct, UctSettings};
///
/// let (game, start) = (TicTacToe, TicTacToe.start());
/// let stream = MoveStream::new(PlayoutKey::new(1));
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(100));
/// let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
/// assert!(uct.open(&game, &start, stream, &mut meter).unwrap().is_none());
/// let stop = loop {
///     match uct.ask(&game, &mut meter) {
///         Ask::Playouts(wanted) => {
///             let tally = game.uniform_playouts(&wanted.from, wanted.player, wanted.batch);
///             uct.tell(&game, &tally, &mut meter);
///         }
///         Ask::Nothing(stop) => break stop,
///     }
/// };
/// let decision = uct.close(&game, stream, stop, &meter).unwrap();
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(100));
/// assert_eq!(Uct::new(UctSettings::new(Arc::new(Uniform))).choose(&game, &start, stream, &mut meter).unwrap(), decision);
/// ```
pub trait Converse<G: Game> {
    /// Begins a decision, or makes it at once where there is nothing to ask for, as where a move is forced. Called at a
    /// player's turn only.
    ///
    /// # Errors
    /// As [`Searcher::choose`](super::Searcher::choose).
    fn open(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Option<Decision<G::Move>>, Fault>;

    /// The playouts that are wanted next.
    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<PlayoutRequest<G::Position>>;

    /// Takes the result of the playouts that were asked for last, and counts them.
    fn tell(&mut self, game: &G, tally: &Tally, meter: &mut Meter);

    /// The decision, when nothing more is wanted.
    ///
    /// # Errors
    /// As [`Searcher::choose`](super::Searcher::choose).
    fn close(
        &mut self,
        game: &G,
        stream: MoveStream,
        stop: Stop,
        meter: &Meter,
    ) -> Result<Decision<G::Move>, Fault>;

    /// How playouts choose their moves.
    fn policy(&self) -> &Arc<dyn Policy<G>>;
}

/// Holds a conversation from beginning to end, and plays its playouts one request after the other.
pub(super) fn converse<G: Game>(
    searcher: &mut impl Converse<G>,
    game: &G,
    position: &G::Position,
    stream: MoveStream,
    meter: &mut Meter,
) -> Result<Decision<G::Move>, Fault> {
    if let Some(decision) = searcher.open(game, position, stream, meter)? {
        return Ok(decision);
    }
    let policy = Arc::clone(searcher.policy());
    let stop = loop {
        match searcher.ask(game, meter) {
            Ask::Playouts(PlayoutRequest { from, player, batch }) => {
                searcher.tell(game, &policy.playouts(game, &from, player, batch), meter);
            }
            Ask::Nothing(stop) => break stop,
        }
    };
    searcher.close(game, stream, stop, meter)
}
