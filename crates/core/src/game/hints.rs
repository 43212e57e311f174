//! Hints of a game for exact search: move order, bounds on payoffs, exact ends.
//!
//! The key decision: a game returns its hints from [`Game::hints`], so that searchers call them statically, and a game
//! without hints needs no code. Rejected: a supertrait, which every game would have to implement.

use super::lines::EqualKeys;
use super::{Follow, Game, GameExt, LARGEST_PAYOFF, Turn};

/// Knowledge of a game beyond its rules that a search can use. Each method has a default that is right for every game.
///
/// # Laws
/// [`conformance::check`](super::conformance::check) checks these:
/// - `order`, `plies_left`, `estimate` and the order that `each_child` shows depend on their arguments only.
/// - `each_child` shows the moves and the positions after them, and `best_estimates` what its default shows.
/// - `payoff_bounds` hold, and `solve_tail` is exact within the window.
/// - Of `lines`, the only move that is followed is legal and loses nothing, and positions with equal keys have equal values.
///
/// # Example: a game that searches its larger moves first
/// ```
/// use shikou::game::{Game, SearchHints};
/// use shikou::games::tic_tac_toe::TicTacToe;
///
/// struct LargestFirst;
///
/// impl SearchHints<TicTacToe> for LargestFirst {
///     fn order(&self, _: &TicTacToe, _: &<TicTacToe as Game>::Position, mv: u8, _: &<TicTacToe as Game>::Position) -> i32 {
///         mv.into()
///     }
/// }
///
/// let (game, start) = (TicTacToe, TicTacToe.start());
/// assert_eq!(LargestFirst.order(&game, &start, 8, &start), 8);
/// assert_eq!(game.hints().order(&game, &start, 8, &start), 0); // tic-tac-toe itself has no hints
/// ```
pub trait SearchHints<G: Game> {
    /// How promising a move is for the player who makes it. A search tries moves with larger hints first. `child` is
    /// the position after the move. The hint affects how long a search takes, never its result. The range is −2²³ to
    /// 2²³; values beyond are clamped. The default is 0 for every move.
    #[inline(always)]
    fn order(&self, _game: &G, _position: &G::Position, _mv: G::Move, _child: &G::Position) -> i32 {
        0
    }

    /// Shows each move of a position at a player's turn to `found`, in the game's order, with the position after it and its
    /// order for the solver, which ranks moves by short searches where many plies are left. By default each move is made and
    /// has its [`order`](SearchHints::order). A game overrides it if it is faster to make all at once.
    #[inline(always)]
    fn each_child(
        &self,
        game: &G,
        position: &G::Position,
        found: &mut impl FnMut(G::Move, G::Position, i32),
    ) {
        for mv in game.moves(position) {
            let child = game.after(position, mv);
            let order = self.order(game, position, mv, &child);
            found(mv, child, order);
        }
    }

    /// About how many plies are left to the end of the game. Where many are left, a search works longer on the order of
    /// the moves and remembers more. `None`, the default, if the game cannot tell.
    #[inline(always)]
    fn plies_left(&self, _game: &G, _position: &G::Position) -> Option<u32> {
        None
    }

    /// How promising an unfinished position at a player's turn is for that player, from −2²³ to 2²³ in any unit; for the
    /// opponent it is the same, negated. Searches of a solitaire of chance ask for it at chance's turn. A search to the end
    /// orders moves by short searches with it: that changes how long a search takes, never its result. `None`, the default,
    /// if the game cannot tell.
    #[inline(always)]
    fn estimate(&self, _game: &G, _position: &G::Position) -> Option<i32> {
        None
    }

    /// Shows how promising each of some unfinished positions at a player's turn is after its best move, in order: what
    /// [`plain_best_estimate`] returns. A game overrides it if it is faster to make all moves at once.
    ///
    /// # Panics
    /// If the game knows no [`estimate`](SearchHints::estimate).
    #[inline(always)]
    fn best_estimates(
        &self,
        game: &G,
        positions: impl Iterator<Item = G::Position>,
        found: &mut impl FnMut(i32),
    ) {
        for position in positions {
            found(plain_best_estimate(game, &position).expect("the game knows estimates"));
        }
    }

    /// Bounds on the payoff of the player to move under best play: `low..=high`, in a game of chance for every course of
    /// chance. In a solitaire of chance, searches ask for the bounds of positions at chance's turn. `None`, the default, if the game
    /// knows no bounds narrower than its facts, or if its bounds cannot settle the window.
    #[inline(always)]
    fn payoff_bounds(&self, _game: &G, _position: &G::Position, _window: Window) -> Option<(i32, i32)> {
        None
    }

    /// The lines of a solitaire player's moves to the next turn of chance: which count as one, because their ends are worth the
    /// same, such as positions that differ in the numbers of equal piles, and which moves need not be followed. By default
    /// positions with equal [keys](Game::key) count as one, and every move is followed.
    #[inline(always)]
    fn lines(&self) -> impl Follow<G, Key = Option<u128>> {
        EqualKeys
    }

    /// The payoff of the player to move under best play, if the end is so near that the game finds it faster than a
    /// search: exact within the window, a bound outside it (see [`Window`]). `None`, the default, lets the search
    /// continue. Called only at a player's turn of a game without chance. The positions that it visits may count for a
    /// player's budget or not; if not, as in the solver, the limit may be the fastest one.
    ///
    /// # Cost
    /// Visits fewer than 2²⁰ positions.
    #[inline(always)]
    fn solve_tail(
        &self,
        _game: &G,
        _position: &G::Position,
        _window: Window,
        _counted: bool,
    ) -> Option<Solved> {
        None
    }
}

/// How promising an unfinished position at a player's turn is after its best move, by making each: the largest
/// [`estimate`](SearchHints::estimate) for the player who moves. A finished game that is won counts 2²², a lost one
/// as much less than 0. `None` if the game cannot tell.
#[inline(always)]
pub fn plain_best_estimate<G: Game>(game: &G, position: &G::Position) -> Option<i32> {
    let Turn::Player(mover) = game.turn(position) else { return None };
    let mut best = i32::MIN;
    for mv in game.moves(position) {
        let child = game.after(position, mv);
        let value = match game.turn(&child) {
            Turn::Player(next) => {
                let estimate = game.hints().estimate(game, &child)?;
                if next == mover { estimate } else { -estimate }
            }
            _ => game.payoff(&child, mover).signum() << 22,
        };
        best = best.max(value);
    }
    Some(best)
}

/// The hints of a game without hints.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NoHints;

impl<G: Game> SearchHints<G> for NoHints {}

/// The payoffs that a search must tell apart: between `alpha` and `beta` it needs the exact payoff, outside only the
/// side.
///
/// An answer `v` to a window is *fail-soft* (Fishburn 1983, "Another optimization of alpha-beta search"): if
/// `alpha < v < beta`, it is the payoff; if `v ≤ alpha`, the payoff is at most `v`; if `v ≥ beta`, it is at least `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The payoff that the player to move has already secured.
    pub alpha: i32,
    /// The payoff to which the opponent can already limit them.
    pub beta: i32,
}

impl Window {
    /// The window that contains every payoff.
    pub const FULL: Self = Self { alpha: -(LARGEST_PAYOFF as i32) - 1, beta: LARGEST_PAYOFF as i32 + 1 };

    /// Whether `answer` is a fail-soft answer to this window if the payoff is `exact`.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Window;
    /// let window = Window { alpha: -2, beta: 2 };
    /// assert!(window.admits(1, 1) && !window.admits(0, 1));
    /// assert!(window.admits(4, 6) && !window.admits(8, 6));
    /// assert!(window.admits(-4, -6) && !window.admits(-8, -6));
    /// ```
    pub const fn admits(self, answer: i32, exact: i32) -> bool {
        if answer <= self.alpha {
            exact <= answer
        } else if answer >= self.beta {
            exact >= answer
        } else {
            exact == answer
        }
    }
}

/// The result of [`SearchHints::solve_tail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The fail-soft answer for the player to move.
    pub payoff: i32,
    /// The number of positions visited below this one.
    pub nodes: u64,
}
