//! Choosing among equals.

use super::{Decision, Weighted};
use crate::game::options::{Setting, choice};
use crate::rng::Rng;

/// The rule for choosing among several best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first in the game's order.
    First,
    /// Each with equal probability.
    Random,
}

/// Which of several best moves is played.
pub fn ties(default: Ties) -> Setting<Ties> {
    let words = [
        ("first", "the first in the game's order", Ties::First),
        ("random", "each with equal probability", Ties::Random),
    ];
    choice(words).or(if default == Ties::First { "first" } else { "random" })
}

impl Ties {
    /// The index of the largest value, chosen by this rule among equals.
    ///
    /// # Panics
    /// If there are no values.
    ///
    /// # Example
    /// ```
    /// use shikou::rng::Stream;
    /// use shikou::search::Ties;
    /// let mut rng = Stream::new(1).rng();
    /// assert_eq!(Ties::First.best([0.5, 1.0, 1.0], &mut rng), 1);
    /// assert!((0..100).any(|_| Ties::Random.best([0.5, 1.0, 1.0], &mut rng) == 2));
    /// ```
    pub fn best<V: PartialOrd + Copy>(self, values: impl IntoIterator<Item = V>, rng: &mut Rng) -> usize {
        let mut best: Option<(usize, V)> = None;
        let mut equals = 0;
        for (index, value) in values.into_iter().enumerate() {
            match best {
                Some((_, top)) if value < top => {}
                Some((_, top)) if value == top => {
                    equals += 1;
                    // The k-th equal replaces the one held with probability 1/k: all end up equally likely.
                    if self == Self::Random && rng.below(equals) == 0 {
                        best = Some((index, value));
                    }
                }
                _ => {
                    best = Some((index, value));
                    equals = 1;
                }
            }
        }
        best.expect("a choice among no moves").0
    }

    /// The moves that a decision by this rule may choose, with equal weights: those with the largest value, or the
    /// first of them. If nothing was searched, the chosen move.
    pub fn distribution<M: Copy>(self, decision: &Decision<M>) -> Weighted<M> {
        let largest = decision.moves.iter().map(|estimate| estimate.value).max_by(f64::total_cmp);
        match (self, largest) {
            (Self::Random, Some(largest)) => {
                let best = decision.moves.iter().filter(|estimate| estimate.value == largest);
                best.map(|estimate| (estimate.mv, 1)).collect()
            }
            _ => vec![(decision.chosen, 1)],
        }
    }
}
