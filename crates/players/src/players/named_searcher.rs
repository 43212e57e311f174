//! A searcher as manifests name it: its name, options and claims, and how it is made for a game; and lists of searchers as types,
//! which let each game be compiled with each searcher.

use super::catalogue::{Catalogue, SearcherOf};
use super::decl::{Claims, SearcherDecl};
use super::recipe::Fitted;
use crate::game::NamedGame;
use crate::game::options::Settings;
use crate::search::Limit;

/// A searcher that a registry can hold: everything that manifests, listings and commands need, in one place.
///
/// The type is its options, a struct made by [`settings!`](crate::game::options::settings). A later option needs a default that
/// keeps the old behaviour, so that no trial changes its identity.
///
/// # Example: a searcher of your own
/// ```
/// use std::sync::Arc;
/// use shikou::game::NamedGame;
/// use shikou::game::options::{integer, settings};
/// use shikou::players::choices::{PolicyChoice, policy};
/// use shikou::players::{Catalogue, Fitted, NamedSearcher, Recipe};
/// use shikou::search::{FlatMonteCarlo, Ties};
///
/// settings! {
///     /// Flat Monte Carlo with few playouts.
///     pub struct Hasty {
///         /// playouts for each legal move
///         playouts: u64 = integer(1..=10, 2).amount(1),
///         /// how playouts choose their moves
///         policy: PolicyChoice = policy(),
///     }
/// }
///
/// impl NamedSearcher for Hasty {
///     const NAME: &'static str = "hasty";
///     const ABOUT: &'static str = "flat Monte Carlo with few playouts";
///
///     fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
///         let policy = catalogue.policy(&self.policy)?;
///         Ok(Recipe::new(FlatMonteCarlo::new(self.playouts, policy, Ties::Random)))
///     }
/// }
///
/// let registry = shikou::registry().with_searcher::<Hasty>();
/// let hasty = registry.read_searcher("hasty(playouts=3)").unwrap();
/// assert_eq!(registry.game("othello", &[]).unwrap().fits(&hasty), Ok(()));
/// ```
pub trait NamedSearcher: Settings + 'static {
    /// The name in manifests, in kebab case.
    const NAME: &'static str;
    /// The searcher in one line.
    const ABOUT: &'static str;
    /// The publications that it follows.
    const PAPER: &'static str = "none";
    /// The games that it fits, in words; [`NamedSearcher::recipe`] decides.
    const FITS: &'static str = "every game";
    /// The limits of a budget that it keeps, sorted.
    const KEEPS: &'static [Limit] = &[];
    /// Whether it needs a budget to end.
    const NEEDS_BUDGET: bool = false;
    /// Whether the value of an unvisited move is meaningful: taken from an evaluation or a table.
    const VALUES_UNVISITED: bool = false;
    /// Whether it follows the line that a search found, and searches again only where the line ends: most moves cost nothing.
    const FOLLOWS_LINES: bool = false;
    /// Whether it looks ahead. If so, it plays a move that wins at once.
    const SEARCHES: bool = true;
    /// The options, as text, of the cases that make up its fingerprint. Cover every part of the algorithm by at least
    /// one case. Budgets are added.
    const CASES: &'static [&'static str] = &[""];

    /// The claims with these options; by default those of a search that repeats, and claims no more.
    fn claims(&self) -> Claims {
        Claims::default()
    }

    /// Makes the recipe of the searcher for a game.
    ///
    /// # Errors
    /// If it does not fit the game. The error names the option at fault and gives advice.
    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G>;
}

/// Searchers as a list of types: `()`, or `(S, Rest)`.
pub trait SearcherList {
    /// The declarations.
    fn decls() -> Vec<&'static SearcherDecl>;

    /// Each with its recipe for a game.
    #[doc(hidden)]
    fn of<G: NamedGame>() -> Vec<SearcherOf<G>>;
}

impl SearcherList for () {
    fn decls() -> Vec<&'static SearcherDecl> {
        Vec::new()
    }

    fn of<G: NamedGame>() -> Vec<SearcherOf<G>> {
        Vec::new()
    }
}

impl<S: NamedSearcher, Rest: SearcherList> SearcherList for (S, Rest) {
    fn decls() -> Vec<&'static SearcherDecl> {
        [SearcherDecl::of::<S>()].into_iter().chain(Rest::decls()).collect()
    }

    fn of<G: NamedGame>() -> Vec<SearcherOf<G>> {
        [SearcherOf::new::<S>()].into_iter().chain(Rest::of()).collect()
    }
}

/// The list of these types: `list![A, B]` is `(A, (B, ()))`.
#[macro_export]
macro_rules! list {
    () => { () };
    ($first:ty $(, $rest:ty)* $(,)?) => { ($first, $crate::list![$($rest),*]) };
}
