//! Patterns: counts of a move, for players by rules.

use std::sync::Arc;

use super::Game;

/// A count for a move: how often a pattern is on the board after it, or whether a condition holds (1 or 0), from the view of
/// the player who makes the move. Every function of the game, the position before, the move and the position after is one.
///
/// # Laws
/// - The count depends on the arguments only.
/// - Callers pass a position at a player's turn, a legal move and the position after it.
pub type PatternOf<G> =
    Arc<dyn Fn(&G, &<G as Game>::Position, <G as Game>::Move, &<G as Game>::Position) -> i32 + Send + Sync>;

/// A pattern in a game's catalogue: a name, a description, and the pattern.
#[derive(Clone)]
pub struct NamedPattern<G: Game> {
    /// The name in rules: letters, digits and `-`, but not a number.
    pub name: String,
    /// A one-line description.
    pub about: String,
    /// The pattern.
    pub pattern: PatternOf<G>,
}

impl<G: Game> NamedPattern<G> {
    /// A pattern under a name.
    pub fn new(
        name: impl Into<String>,
        about: impl Into<String>,
        pattern: impl Fn(&G, &G::Position, G::Move, &G::Position) -> i32 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), about: about.into(), pattern: Arc::new(pattern) }
    }
}

/// A list of rules in a game's catalogue: a name, a description, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NamedRules {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The text that [`RuleList::parse`](super::RuleList::parse) reads.
    pub text: &'static str,
}
