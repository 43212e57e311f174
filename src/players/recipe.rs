//! What a spec means for a game: everything looked up once, machines made at will.

use super::SearcherSpec;
use crate::game::Game;
use crate::game::options::Invalid;
use crate::search::{Budget, Limit, Searcher};

/// A searcher resolved for a game: its options are read, its policies and evaluations looked up, and machines can
/// be made from it, one for each game.
///
/// # Example
/// ```
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::players::build;
/// let recipe = build(&TicTacToe, &"flat(playouts=20)".parse().unwrap()).unwrap();
/// let _first = recipe.machine();
/// let _second = recipe.machine();
/// let misfit = build(&TicTacToe, &"minimax".parse().unwrap()).err().unwrap();
/// assert!(misfit.to_string().contains("no evaluation"));
/// ```
pub struct Recipe<G> {
    make: Box<dyn Fn() -> Box<dyn Searcher<G>> + Send + Sync>,
    budget: Budget,
}

impl<G: Game> Recipe<G> {
    /// A recipe whose machines are copies of one that has not played yet.
    pub fn new(searcher: impl Searcher<G> + Clone + Sync + 'static) -> Self {
        Self { make: Box::new(move || Box::new(searcher.clone())), budget: Budget::UNLIMITED }
    }

    /// A machine that lives for one game.
    ///
    /// # Cost
    /// A copy of the searcher as it is before its first move, in one allocation.
    pub fn machine(&self) -> Box<dyn Searcher<G>> {
        (self.make)()
    }

    /// What a machine may spend on a move.
    pub const fn budget(&self) -> Budget {
        self.budget
    }
}

/// Why a searcher does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Misfit {
    /// What is to blame.
    pub blame: Blame,
    /// The reason, in words, with what to do instead.
    pub reason: String,
}

/// The part of a spec that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The searcher as a whole.
    Searcher,
    /// This option.
    Option(&'static str),
    /// This limit of the budget.
    Budget(Limit),
    /// The budget, which is missing; one of this limit would do. How it is written is said where it is read.
    NoBudget(Limit),
}

impl Misfit {
    /// The searcher as a whole does not fit.
    pub(super) fn searcher(reason: impl Into<String>) -> Self {
        Self { blame: Blame::Searcher, reason: reason.into() }
    }

    /// An option does not fit.
    pub(super) fn option(option: &'static str, reason: impl Into<String>) -> Self {
        Self { blame: Blame::Option(option), reason: reason.into() }
    }

    /// An option names what the game does not have.
    pub(super) fn unknown(option: &'static str, invalid: &Invalid) -> Self {
        Self::option(option, invalid.to_string())
    }
}

/// What a spec means for a game.
///
/// # Errors
/// Where the searcher does not fit the game, names a policy or an evaluation that the game does not have, lacks a
/// budget that it needs, or has one that it cannot keep.
pub fn build<G: Game>(game: &G, spec: &SearcherSpec) -> Result<Recipe<G>, Misfit> {
    let recipe = spec.kind.recipe(game, &spec.options)?;
    spec.check_budget()?;
    Ok(Recipe { budget: spec.budget, ..recipe })
}
