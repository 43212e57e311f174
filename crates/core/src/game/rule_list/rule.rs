//! A rule: when it applies to a move, and its score.
//!
//! Rules refer to patterns by number, so that their code is compiled once instead of for every game; `list` counts the
//! patterns.

use super::Points;

/// A pattern in a rule.
#[derive(Clone)]
pub(super) struct Counted {
    pub(super) name: String,
    /// The number among the patterns of the list.
    pub(super) pattern: usize,
}

/// The comparison of a count with a bound: whether it holds if the count is less, equal, and more.
#[derive(Clone, Copy)]
pub(super) struct Comparison([bool; 3]);

impl Comparison {
    pub(super) const AT_LEAST: Self = Self([false, true, true]);

    pub(super) const ALL: [(&'static str, Self); 6] = [
        ("=", Self([false, true, false])),
        ("!=", Self([true, false, true])),
        (">=", Self::AT_LEAST),
        ("<=", Self([true, true, false])),
        (">", Self([false, false, true])),
        ("<", Self([true, false, false])),
    ];

    fn holds(self, count: i32, bound: i32) -> bool {
        self.0[(count.cmp(&bound) as i8 + 1) as usize]
    }
}

/// The count of the pattern with a number.
pub(super) type Count<'c> = &'c dyn Fn(usize) -> i32;

#[derive(Clone)]
pub(super) struct Condition {
    pub(super) counted: Counted,
    pub(super) comparison: Comparison,
    pub(super) bound: i32,
}

impl Condition {
    fn holds(&self, count: Count<'_>) -> bool {
        self.comparison.holds(count(self.counted.pattern), self.bound)
    }
}

/// Whether all conditions hold; true if there are none.
pub(super) fn hold(conditions: &[Condition], count: Count<'_>) -> bool {
    conditions.iter().all(|condition| condition.holds(count))
}

#[derive(Clone)]
pub(super) enum Factor {
    /// 1.
    One,
    Count(Counted),
    /// 1 if all these hold, else 0.
    Holds(Vec<Condition>),
}

impl Factor {
    pub(super) fn value(&self, count: Count<'_>) -> i32 {
        match self {
            Self::One => 1,
            Self::Count(counted) => count(counted.pattern),
            Self::Holds(conditions) => hold(conditions, count).into(),
        }
    }
}

#[derive(Clone)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) number: Points,
    pub(super) factor: Factor,
}

#[derive(Clone)]
pub(super) struct Rule {
    pub(super) text: String,
    /// Whether it applies to the first matching move only.
    pub(super) first: bool,
    pub(super) conditions: Vec<Condition>,
    pub(super) sum: Vec<Term>,
}

impl Rule {
    pub(super) fn points(&self, count: Count<'_>) -> Points {
        let terms = self.sum.iter().map(|term| term.number * term.factor.value(count));
        terms.fold(Points::default(), |sum, term| sum + term)
    }

    pub(super) fn counted(&self) -> impl Iterator<Item = &Counted> {
        let of_terms = self.sum.iter().flat_map(|term| match &term.factor {
            Factor::One => Vec::new(),
            Factor::Count(counted) => vec![counted],
            Factor::Holds(conditions) => conditions.iter().map(|condition| &condition.counted).collect(),
        });
        self.conditions.iter().map(|condition| &condition.counted).chain(of_terms)
    }
}
