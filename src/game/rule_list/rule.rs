//! A rule: when it applies to a move, and what it gives.

use std::sync::Arc;

use super::Points;
use crate::game::{Game, Pattern};

/// A move that is judged.
pub(super) struct Judged<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) before: &'a G::Position,
    pub(super) mv: G::Move,
    pub(super) after: &'a G::Position,
}

/// A pattern as a rule names it.
#[derive(Clone)]
pub(super) struct Counted<G> {
    pub(super) name: String,
    pub(super) pattern: Arc<dyn Pattern<G>>,
}

impl<G: Game> Counted<G> {
    pub(super) fn count(&self, judged: &Judged<'_, G>) -> i32 {
        self.pattern.count(judged.game, judged.before, judged.mv, judged.after)
    }
}

/// How a count is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    AtLeast,
    AtMost,
    More,
    Less,
}

impl Comparison {
    /// The signs, as they are written.
    pub(super) const ALL: [(&'static str, Self); 6] = [
        ("=", Self::Equal),
        ("!=", Self::NotEqual),
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        (">", Self::More),
        ("<", Self::Less),
    ];

    const fn holds(self, count: i32, bound: i32) -> bool {
        match self {
            Self::Equal => count == bound,
            Self::NotEqual => count != bound,
            Self::AtLeast => count >= bound,
            Self::AtMost => count <= bound,
            Self::More => count > bound,
            Self::Less => count < bound,
        }
    }
}

/// A condition on a count.
#[derive(Clone)]
pub(super) struct Condition<G> {
    pub(super) counted: Counted<G>,
    pub(super) comparison: Comparison,
    pub(super) bound: i32,
}

impl<G: Game> Condition<G> {
    fn holds(&self, judged: &Judged<'_, G>) -> bool {
        self.comparison.holds(self.counted.count(judged), self.bound)
    }
}

/// Whether all conditions hold; none always do.
pub(super) fn hold<G: Game>(conditions: &[Condition<G>], judged: &Judged<'_, G>) -> bool {
    conditions.iter().all(|condition| condition.holds(judged))
}

/// What a number of a sum is multiplied by.
#[derive(Clone)]
pub(super) enum Factor<G> {
    /// Nothing: the number counts as it is.
    One,
    /// A count.
    Count(Counted<G>),
    /// 1 where all these hold, else 0.
    Holds(Vec<Condition<G>>),
}

impl<G: Game> Factor<G> {
    pub(super) fn value(&self, judged: &Judged<'_, G>) -> i32 {
        match self {
            Self::One => 1,
            Self::Count(counted) => counted.count(judged),
            Self::Holds(conditions) => hold(conditions, judged).into(),
        }
    }
}

/// A term of a sum, with its text.
#[derive(Clone)]
pub(super) struct Term<G> {
    pub(super) text: String,
    pub(super) number: Points,
    pub(super) factor: Factor<G>,
}

/// A rule.
#[derive(Clone)]
pub(super) struct Rule<G> {
    /// As it is written.
    pub(super) text: String,
    /// Whether it applies to the first such move only.
    pub(super) first: bool,
    pub(super) conditions: Vec<Condition<G>>,
    pub(super) sum: Vec<Term<G>>,
}

impl<G: Game> Rule<G> {
    /// What it gives to a move.
    pub(super) fn points(&self, judged: &Judged<'_, G>) -> Points {
        let terms = self.sum.iter().map(|term| term.number * term.factor.value(judged));
        terms.fold(Points::default(), |sum, term| sum + term)
    }
}

impl<G> Rule<G> {
    /// All patterns that it names.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Counted<G>> {
        let of_terms = self.sum.iter().flat_map(|term| match &term.factor {
            Factor::One => Vec::new(),
            Factor::Count(counted) => vec![counted],
            Factor::Holds(conditions) => conditions.iter().map(|condition| &condition.counted).collect(),
        });
        self.conditions.iter().map(|condition| &condition.counted).chain(of_terms)
    }
}
