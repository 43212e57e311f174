//! Lists of types: the searchers of a registry. They let each game be compiled with each searcher.

use super::catalogue::SearcherOf;
use super::decl::SearcherDecl;
use super::named_searcher::NamedSearcher;
use crate::game::NamedGame;

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
macro_rules! list {
    () => { () };
    ($first:ty $(, $rest:ty)* $(,)?) => { ($first, $crate::players::lists::list![$($rest),*]) };
}

pub(super) use list;
