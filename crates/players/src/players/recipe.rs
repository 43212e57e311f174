//! Recipes: a spec resolved for a game, which makes machines.

use crate::game::Game;
use crate::game::options::OptionError;
use crate::search::{Budget, Limit, Searcher};

/// A searcher resolved for a game: options read, policies and evaluations looked up. It builds one machine for each
/// game.
///
/// # Example
/// ```
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::players::build;
/// let searcher = |text: &str| shikou::registry().read_searcher(text).unwrap();
/// let recipe = build(&TicTacToe, &searcher("flat(playouts-per-move=20)")).unwrap();
/// let _first = recipe.machine();
/// let _second = recipe.machine();
/// let misfit = build(&TicTacToe, &searcher("minimax")).err().unwrap();
/// assert!(misfit.to_string().contains("no evaluation"));
/// ```
pub struct Recipe<G> {
    make: Box<dyn Fn() -> Box<dyn Searcher<G>> + Send + Sync>,
    budget: Budget,
    /// Whether its machines are told the moves of their game.
    pub(super) follows: bool,
    /// Whether its machines know the value of moves that they never tried.
    pub(super) values_unvisited: bool,
}

impl<G: Game> Recipe<G> {
    /// A recipe that makes machines by copying an unused searcher.
    pub fn new(searcher: impl Searcher<G> + Clone + Sync + 'static) -> Self {
        Self { follows: false, ..Self::following(move || Box::new(searcher.clone())) }
    }

    /// Builds a machine for one game.
    ///
    /// # Cost
    /// A copy of the unused searcher, in one allocation.
    pub fn machine(&self) -> Box<dyn Searcher<G>> {
        (self.make)()
    }

    /// A recipe of machines that are told the moves of their game; see [`Searcher::follow`].
    pub fn following(make: impl Fn() -> Box<dyn Searcher<G>> + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), budget: Budget::UNLIMITED, follows: true, values_unvisited: false }
    }

    /// A recipe of other machines, each made from one of these.
    pub(super) fn map(
        self,
        change: impl Fn(Box<dyn Searcher<G>>) -> Box<dyn Searcher<G>> + Send + Sync + 'static,
    ) -> Self {
        let make = self.make;
        Self { make: Box::new(move || change(make())), ..self }
    }

    pub(super) fn with_budget(self, budget: Budget, values_unvisited: bool) -> Self {
        Self { budget, values_unvisited, ..self }
    }

    /// The budget of a machine for one move.
    pub const fn budget(&self) -> Budget {
        self.budget
    }
}

/// A recipe, or the reason why the searcher does not fit.
pub type Fitted<G> = Result<Recipe<G>, FitError>;

/// The reason why a searcher does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct FitError {
    /// The part of the spec that does not fit.
    pub part: SpecPart,
    /// The reason, with advice.
    pub reason: String,
}

/// The part of a spec that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecPart {
    /// The searcher as a whole.
    Searcher,
    /// An option.
    Option(&'static str),
    /// A limit of the budget.
    Budget(Limit),
    /// The missing budget; one with this limit would fit. The caller adds the syntax.
    NoBudget(Limit),
}

impl FitError {
    /// The searcher as a whole does not fit.
    pub fn searcher(reason: impl Into<String>) -> Self {
        Self { part: SpecPart::Searcher, reason: reason.into() }
    }

    /// An option does not fit.
    pub fn option(option: &'static str, reason: impl Into<String>) -> Self {
        Self { part: SpecPart::Option(option), reason: reason.into() }
    }

    /// An option names something that the game does not have.
    pub fn unknown(option: &'static str, invalid: &OptionError) -> Self {
        Self::option(option, invalid.to_string())
    }
}
