//! AMAF tables (all moves as first): the results of all moves made below a position.

use super::node::{Amaf, Kind};

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
    /// The bytes of a table of `numbers` move numbers.
    pub(crate) const fn bytes(numbers: usize) -> u64 {
        (2 * numbers * size_of::<Amaf>()) as u64
    }

    /// An empty table of `numbers` move numbers.
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
