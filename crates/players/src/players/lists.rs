//! Lists of types: the games and the searchers of a registry. They let each game be compiled with each searcher.

use super::named_searcher::NamedSearcher;
use crate::game::NamedGame;

/// Games as a list of types: `()`, or `(G, Rest)`.
pub trait GameList {
    /// Calls the visitor for each game.
    fn visit(visitor: &mut impl GameVisitor);
}

/// A function over game types.
pub trait GameVisitor {
    /// Visits a game.
    fn visit<G: NamedGame>(&mut self);
}

impl GameList for () {
    fn visit(_visitor: &mut impl GameVisitor) {}
}

impl<G: NamedGame, Rest: GameList> GameList for (G, Rest) {
    fn visit(visitor: &mut impl GameVisitor) {
        visitor.visit::<G>();
        Rest::visit(visitor);
    }
}

/// Searchers as a list of types: `()`, or `(S, Rest)`.
pub trait SearcherList {
    /// Calls the visitor for each searcher.
    fn visit(visitor: &mut impl SearcherVisitor);
}

/// A function over searcher types.
pub trait SearcherVisitor {
    /// Visits a searcher.
    fn visit<S: NamedSearcher>(&mut self);
}

impl SearcherList for () {
    fn visit(_visitor: &mut impl SearcherVisitor) {}
}

impl<S: NamedSearcher, Rest: SearcherList> SearcherList for (S, Rest) {
    fn visit(visitor: &mut impl SearcherVisitor) {
        visitor.visit::<S>();
        Rest::visit(visitor);
    }
}

/// The list of these types: `list![A, B]` is `(A, (B, ()))`.
macro_rules! list {
    () => { () };
    ($first:ty $(, $rest:ty)* $(,)?) => { ($first, $crate::players::lists::list![$($rest),*]) };
}

pub(super) use list;
