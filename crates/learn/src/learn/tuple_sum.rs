//! Sums of weights by the owners of squares, with the index of each place.

use std::array;

use crate::game::tuples::{SquareChange, TupleTable};

/// The sums that are added up side by side.
const LANES: usize = 6;

/// The tables of an n-tuple evaluation, prepared for learning: each place has an index into one list of weights.
///
/// # Example
/// ```
/// use shikou::game::tuples::TupleTable;
/// use shikou::learn::TupleSum;
/// // One table of two squares, at two places of a board of three squares.
/// let table = TupleTable { length: 2, places: vec![vec![0, 1], vec![2, 1]] };
/// let sum = TupleSum::new(3, &[table]);
/// assert_eq!((sum.places(), sum.weights()), (2, 9));
/// let mut indices = sum.indices(&[2, 1, 0]);
/// assert_eq!(indices, [7, 1]);
/// sum.change(&mut indices, &[2, 1, 0], &[2, 2, 0]);
/// assert_eq!(indices, [8, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct TupleSum {
    /// The index of each place if the opponent owns every square.
    begins: Vec<u32>,
    /// For each square the places that it is part of, and its factor in their indices.
    of_square: Vec<Vec<(u32, u32)>>,
    weights: usize,
}

impl TupleSum {
    /// The places of these tables, on a board with this many squares.
    ///
    /// # Panics
    /// If a square is not on the board.
    pub fn new(squares: usize, tables: &[TupleTable]) -> Self {
        let (mut begins, mut of_square, mut weights) = (Vec::new(), vec![Vec::new(); squares], 0);
        for table in tables {
            for place in &table.places {
                for (digit, &square) in place.iter().rev().enumerate() {
                    of_square[square].push((begins.len() as u32, 3_u32.pow(digit as u32)));
                }
                begins.push(weights as u32);
            }
            weights += table.weights();
        }
        Self { begins, of_square, weights }
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.begins.len()
    }

    /// The number of weights of all tables.
    pub const fn weights(&self) -> usize {
        self.weights
    }

    /// The number of squares of the board.
    pub fn squares(&self) -> usize {
        self.of_square.len()
    }

    /// The index of the weight of each place, for these owners: 0 the opponent, 1 nobody, 2 the player.
    pub fn indices(&self, owners: &[u8]) -> Vec<u32> {
        let mut indices = self.begins.clone();
        for (places, &owner) in self.of_square.iter().zip(owners) {
            for &(place, factor) in places {
                indices[place as usize] += factor * u32::from(owner);
            }
        }
        indices
    }

    /// Changes indices from some owners to others.
    ///
    /// # Cost
    /// Proportional to the squares that changed.
    pub fn change(&self, indices: &mut [u32], before: &[u8], after: &[u8]) {
        for (square, (before, after)) in before.iter().zip(after).enumerate() {
            if before != after {
                self.shift(indices, SquareChange { square: square as u8, by: *after as i8 - *before as i8 });
            }
        }
    }

    /// Changes indices by a square that changes its owner.
    #[inline(always)]
    pub fn shift(&self, indices: &mut [u32], change: SquareChange) {
        let by = i32::from(change.by) as u32;
        for &(place, factor) in &self.of_square[usize::from(change.square)] {
            let index = &mut indices[place as usize];
            *index = index.wrapping_add(factor.wrapping_mul(by));
        }
    }

    /// The sum of the weights with these indices.
    pub fn sum(weights: &[f64], indices: &[u32]) -> f64 {
        indices.iter().map(|&index| weights[index as usize]).sum()
    }

    /// Appends the sum of the weights of each of some rows of indices, bit by bit that of [`TupleSum::sum`].
    ///
    /// # Cost
    /// A sum has one order, so that each of its additions waits for the one before; [`LANES`] sums wait together.
    pub(super) fn sums(&self, weights: &[f64], rows: &[u32], sums: &mut Vec<f64>) {
        let (places, count) = (self.places(), rows.len() / self.places());
        for first in (0..count).step_by(LANES) {
            // Beyond the last row it is summed again.
            let group: [&[u32]; LANES] =
                array::from_fn(|lane| &rows[(first + lane).min(count - 1) * places..][..places]);
            let mut totals = [0.0; LANES];
            for place in 0..places {
                for (total, row) in totals.iter_mut().zip(group) {
                    *total += weights[row[place] as usize];
                }
            }
            sums.extend_from_slice(&totals[..LANES.min(count - first)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn sums_side_by_side_have_the_bits_of_sums_alone() {
        let table = TupleTable { length: 2, places: (0..8).map(|square| vec![square, square + 1]).collect() };
        let sum = TupleSum::new(9, &[table.clone(), TupleTable { length: 2, ..table }]);
        let mut rng = Stream::new(1).rng();
        let weights: Vec<f64> = (0..sum.weights()).map(|_| rng.unit() - 0.5).collect();
        for count in [1, LANES - 1, LANES, LANES + 1, 3 * LANES - 2] {
            let rows: Vec<u32> = (0..count * sum.places()).map(|_| rng.below(18) as u32).collect();
            let mut sums = Vec::new();
            sum.sums(&weights, &rows, &mut sums);
            let alone = rows.chunks(sum.places()).map(|row| TupleSum::sum(&weights, row));
            assert!(sums.into_iter().eq(alone), "{count}");
        }
    }
}
