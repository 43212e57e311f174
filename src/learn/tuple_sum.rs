//! Sums of weights by the owners of squares, with the index of each place.

use crate::game::tuples::TupleTable;

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
    /// That of the squares that changed.
    pub fn change(&self, indices: &mut [u32], before: &[u8], after: &[u8]) {
        for ((places, &before), &after) in self.of_square.iter().zip(before).zip(after) {
            if before != after {
                for &(place, factor) in places {
                    let index = &mut indices[place as usize];
                    *index = *index + factor * u32::from(after) - factor * u32::from(before);
                }
            }
        }
    }

    /// The sum of the weights with these indices.
    pub fn sum(weights: &[f64], indices: &[u32]) -> f64 {
        indices.iter().map(|&index| weights[index as usize]).sum()
    }
}
