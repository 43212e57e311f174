//! The rows of a tree: the kind of a node, the part that selection reads, and the sums of backup.

use crate::game::{Player, Turn};

/// The absence of a node.
pub(crate) const NONE: u32 = u32::MAX;

pub(crate) const ROOT: u32 = 0;

/// The kind of a node: who decides there, seen from the player at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unseen,
    /// The player at the root: the largest value counts.
    Max,
    /// The opponent: the smallest value counts.
    Min,
    Chance,
    Over,
}

impl Kind {
    pub(crate) fn of(turn: Turn, player: Player) -> Self {
        match turn {
            Turn::Player(mover) if mover == player => Self::Max,
            Turn::Player(_) => Self::Min,
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }

    pub(crate) const fn is_player(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }

    /// Converts a value in `[0, 1]` for the player at the root to one for the player who decides here.
    #[inline(always)]
    pub(crate) fn view(self, value: f64) -> f64 {
        if self == Self::Min { 1.0 - value } else { value }
    }
}

/// The links of a node, and the fields that selection reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) score: Score,
    /// The number of playouts.
    pub(crate) visits: u32,
    /// The first child; the others follow it. [`NONE`] before the node is expanded.
    pub(crate) first: u32,
    /// The family of the children, if any.
    pub(crate) family: u32,
    pub(crate) count: u16,
    pub(crate) kind: Kind,
    /// Whether a sibling is proved to be at least as good.
    pub(crate) is_cut: bool,
}

impl Node {
    /// Cuts the node: every bound of selection is −∞ from now on.
    pub(crate) const fn cut(&mut self) {
        self.is_cut = true;
        self.score = Score { value: f64::NEG_INFINITY, width: 0.0 };
    }

    pub(crate) const fn unseen(score: Score) -> Self {
        Self { score, visits: 0, first: NONE, family: NONE, count: 0, kind: Kind::Unseen, is_cut: false }
    }
}

/// The two terms of an upper confidence bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    /// The value in `[0, 1]` for the player who decides at the parent; before the first visit the first-play urgency;
    /// −∞ if the node is cut.
    pub(crate) value: f64,
    /// 1/√visits; 0 before the first visit.
    pub(crate) width: f64,
}

impl Score {
    /// The score of nodes that are not selected by it.
    pub(crate) const UNUSED: Self = Self { value: 0.0, width: 0.0 };
}

/// The sum of the payoffs of a node's playouts for the player at the root, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Totals {
    /// The mean of `n` payoffs; 0 for none.
    pub(crate) fn mean(self, n: u32) -> f64 {
        self.sum / f64::from(n).max(1.0)
    }

    /// The standard error of the mean of `n` payoffs; 0 for fewer than two.
    pub(crate) fn standard_error(self, n: u32) -> f64 {
        let (count, mean) = (f64::from(n), self.mean(n));
        let squares = (self.squares - count * mean * mean).max(0.0);
        if n > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 }
    }

    /// The standard error computed from the mean of the squares. It differs from [`Totals::standard_error`] in
    /// rounding.
    pub(crate) fn standard_error_of_means(self, n: u32) -> f64 {
        let (count, mean) = (f64::from(n), self.mean(n));
        let variance = (self.squares / count - mean * mean).max(0.0);
        if n > 1 { (variance * count / (count - 1.0) / count).sqrt() } else { 0.0 }
    }
}

/// The playouts in which a move was played at a node or later (all moves as first), for the player who moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amaf {
    pub(crate) sum: f64,
    pub(crate) visits: u32,
}

impl Amaf {
    pub(crate) fn add(&mut self, value: f64) {
        self.sum += value;
        self.visits += 1;
    }

    pub(crate) fn mean(self) -> f64 {
        self.sum / f64::from(self.visits)
    }
}

/// Bounds on the payoff under best play by both players, for the player at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    pub(crate) const fn exactly(payoff: f64) -> Self {
        Self { low: payoff, high: payoff }
    }

    pub(crate) fn narrowed(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The proved payoff, if the bounds meet.
    pub(crate) fn proved(self) -> Option<f64> {
        (self.low >= self.high).then_some(self.low)
    }
}

/// A minimax value for the player at the root, estimated or proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Depends on evaluations of unfinished positions.
    Estimate(i64),
    /// Depends on finished games only.
    Proved(i64),
}

impl Value {
    pub(crate) const fn is_proved(self) -> bool {
        matches!(self, Self::Proved(_))
    }

    pub(crate) const fn number(self) -> i64 {
        let (Self::Estimate(number) | Self::Proved(number)) = self;
        number
    }
}

/// A node of a descent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: u32,
    /// The kind of the node before it, which decided to visit it.
    pub(crate) parent: Kind,
}

/// The results of all moves made below a position, by player and move number.
#[derive(Clone, Debug, Default)]
pub(crate) struct AmafTable([Vec<Amaf>; 2]);

/// The index of a player; 0 is the player at the root.
pub(crate) const fn side(kind: Kind) -> usize {
    if matches!(kind, Kind::Min) { 1 } else { 0 }
}

/// The entry with this number, which is added if it is missing.
pub(crate) fn entry<T: Clone>(table: &mut Vec<T>, number: u16, new: T) -> &mut T {
    let number = usize::from(number);
    if table.len() <= number {
        table.resize(number + 1, new);
    }
    &mut table[number]
}

impl AmafTable {
    pub(crate) const fn bytes(numbers: usize) -> u64 {
        (2 * numbers * size_of::<Amaf>()) as u64
    }

    pub(crate) fn new(numbers: usize) -> Self {
        Self([vec![Amaf::default(); numbers], vec![Amaf::default(); numbers]])
    }

    pub(crate) fn of(&self, kind: Kind, number: u16) -> Amaf {
        self.0[side(kind)].get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Adds a result for the player who made the move.
    pub(crate) fn add(&mut self, kind: Kind, number: u16, value: f64) {
        entry(&mut self.0[side(kind)], number, Amaf::default()).add(value);
    }

    /// Takes a result away that was added.
    pub(crate) fn remove(&mut self, kind: Kind, number: u16, value: f64) {
        let results = entry(&mut self.0[side(kind)], number, Amaf::default());
        *results = Amaf { sum: results.sum - value, visits: results.visits - 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_knows_who_made_a_move() {
        let mut table = AmafTable::new(1);
        table.add(Kind::Max, 3, 1.0);
        table.add(Kind::Max, 3, 0.5);
        table.add(Kind::Min, 0, 0.25);
        let found = |kind, number| (table.of(kind, number).sum, table.of(kind, number).visits);
        assert_eq!(found(Kind::Max, 3), (1.5, 2));
        assert_eq!((found(Kind::Min, 3), found(Kind::Min, 0)), ((0.0, 0), (0.25, 1)));
    }
}
