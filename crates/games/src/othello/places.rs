//! Sums over the places of n-tuples, whose indices are followed from move to move.
//!
//! Two forms: of few places all indices move together, as vectors; of many only those of the squares that change.

use std::sync::Arc;

use super::Othello;
use super::children::{Change, OfDiscs, SumOfDiscs};
use crate::game::tuples::TupleTable;
use crate::game::{Bits, Kernel, WeightedSum, accelerate};

/// The most places: their indices lie on the stack.
const MOST: usize = 512;

/// The sum of the weights of some places.
struct Places {
    weights: Vec<i64>,
    /// For each place the number of its weight if all its squares are empty.
    empty: Vec<u32>,
    /// For each bit of a mask the places with that square, and what a disc of the player adds to the index of each. A disc
    /// of the other takes as much away.
    squares: Vec<Vec<(u16, u32)>>,
}

/// The sum over some places, prepared. `None` if there are too many.
pub(super) fn place_sums(
    game: &Othello,
    tables: &[TupleTable],
    weights: Vec<i64>,
) -> Option<Arc<dyn WeightedSum<Othello>>> {
    let bits: Vec<u8> = game.squares().collect();
    let (mut empty, mut squares, mut begin) = (Vec::new(), vec![Vec::new(); 64], 0);
    for table in tables {
        for place in &table.places {
            let number = u16::try_from(empty.len()).ok().filter(|&number| usize::from(number) < MOST)?;
            for (digit, &square) in place.iter().rev().enumerate() {
                squares[usize::from(bits[square])].push((number, 3_u32.pow(digit as u32)));
            }
            // All digits are 1.
            empty.push(begin + (table.weights() as u32 - 1) / 2);
        }
        begin += table.weights() as u32;
    }
    if empty.len() > FEW {
        return Some(Arc::new(SumOfDiscs(Places { weights, empty, squares })));
    }
    // Smaller tables stay in a nearer cache.
    let small: Result<Vec<i16>, _> = weights.iter().map(|&weight| weight.try_into()).collect();
    Some(match small {
        Ok(weights) => Arc::new(SumOfDiscs(FewPlaces::new(weights, &empty, &squares))),
        Err(_) => Arc::new(SumOfDiscs(FewPlaces::new(weights, &empty, &squares))),
    })
}

/// The index of each place, and the sum.
struct Indices {
    of: [u32; MOST],
    sum: i64,
}

impl Places {
    /// The indices for the discs of two sides.
    #[inline(always)]
    fn indices(&self, own: u64, other: u64) -> [u32; MOST] {
        let mut indices = [0; MOST];
        indices[..self.empty.len()].copy_from_slice(&self.empty);
        self.shift(&mut indices, own, 1);
        self.shift(&mut indices, other, u32::MAX);
        indices
    }

    #[inline(always)]
    fn sum_of(&self, indices: &[u32; MOST]) -> i64 {
        indices[..self.empty.len()].iter().map(|&index| self.weights[index as usize]).sum()
    }

    /// Moves the indices of the places of some squares by this many steps.
    #[inline(always)]
    fn shift(&self, indices: &mut [u32; MOST], squares: u64, steps: u32) {
        for square in Bits::new(squares) {
            for &(place, step) in &self.squares[usize::from(square)] {
                let index = &mut indices[usize::from(place)];
                *index = index.wrapping_add(steps.wrapping_mul(step));
            }
        }
    }

    /// The same. Returns what the sum gains.
    #[inline(always)]
    fn shift_gaining(&self, indices: &mut [u32; MOST], squares: u64, steps: u32) -> i64 {
        let mut gain = 0;
        for square in Bits::new(squares) {
            for &(place, step) in &self.squares[usize::from(square)] {
                let index = &mut indices[usize::from(place)];
                let before = self.weights[*index as usize];
                *index = index.wrapping_add(steps.wrapping_mul(step));
                gain += self.weights[*index as usize] - before;
            }
        }
        gain
    }
}

impl OfDiscs for Places {
    type Before = Indices;

    fn sum(&self, own: u64, other: u64) -> i64 {
        self.sum_of(&self.indices(own, other))
    }

    #[inline(always)]
    fn before(&self, own: u64, other: u64) -> Indices {
        let of = self.indices(own, other);
        Indices { of, sum: self.sum_of(&of) }
    }

    #[inline(always)]
    fn after(&self, before: &mut Indices, own: u64, _other: u64, change: Change) -> i64 {
        let Change { put, turned } = change;
        let towards: u32 = if own & put == 0 { u32::MAX } else { 1 };
        let twice = towards.wrapping_mul(2);
        let Indices { of, sum } = before;
        let gain = self.shift_gaining(of, put, towards) + self.shift_gaining(of, turned, twice);
        // Back to the position.
        self.shift(of, put, towards.wrapping_neg());
        self.shift(of, turned, twice.wrapping_neg());
        *sum + gain
    }
}

/// The most places whose indices move together.
const FEW: usize = 64;

/// A number for each place.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([u32; FEW]);

impl Row {
    const ZERO: Self = Self([0; FEW]);

    /// Adds a multiple of other numbers.
    #[inline(always)]
    fn add(&mut self, others: &Self, times: u32) {
        for (number, other) in self.0.iter_mut().zip(&others.0) {
            *number = number.wrapping_add(other.wrapping_mul(times));
        }
    }
}

/// The sum of the weights of at most [`FEW`] places.
struct FewPlaces<T> {
    weights: Vec<T>,
    places: usize,
    /// For each place the number of its weight if all its squares are empty.
    empty: Row,
    /// For each bit of a mask what a disc of the player adds to the index of each place. A disc of the other takes as much
    /// away.
    squares: Box<[Row; 64]>,
}

impl<T: Copy + Into<i64>> FewPlaces<T> {
    fn new(weights: Vec<T>, empty: &[u32], squares: &[Vec<(u16, u32)>]) -> Self {
        let mut few =
            Self { weights, places: empty.len(), empty: Row::ZERO, squares: Box::new([Row::ZERO; 64]) };
        few.empty.0[..empty.len()].copy_from_slice(empty);
        for (row, steps) in few.squares.iter_mut().zip(squares) {
            for &(place, step) in steps {
                row.0[usize::from(place)] += step;
            }
        }
        few
    }

    /// Moves the indices by the discs of some squares, each this many times.
    #[inline(always)]
    fn shift(&self, indices: &mut Row, squares: u64, times: u32) {
        for square in Bits::new(squares) {
            indices.add(&self.squares[usize::from(square) & 63], times);
        }
    }

    #[inline(always)]
    fn indices(&self, own: u64, other: u64) -> Row {
        let mut indices = self.empty;
        self.shift(&mut indices, own, 1);
        self.shift(&mut indices, other, u32::MAX);
        indices
    }

    #[inline(always)]
    fn sum_of(&self, indices: &Row) -> i64 {
        indices.0[..self.places].iter().map(|&index| -> i64 { self.weights[index as usize].into() }).sum()
    }
}

/// The sum for the discs of two sides, as a kernel.
struct Sum<'s, T>(&'s FewPlaces<T>, [u64; 2]);

impl<T: Copy + Into<i64>> Kernel for Sum<'_, T> {
    type Output = i64;

    #[inline(always)]
    fn run(self) -> i64 {
        let Self(places, [own, other]) = self;
        places.sum_of(&places.indices(own, other))
    }
}

impl<T: Copy + Into<i64>> OfDiscs for FewPlaces<T> {
    type Before = Row;

    fn sum(&self, own: u64, other: u64) -> i64 {
        accelerate(Sum(self, [own, other]))
    }

    #[inline(always)]
    fn before(&self, own: u64, other: u64) -> Row {
        self.indices(own, other)
    }

    #[inline(always)]
    fn after(&self, before: &mut Row, own: u64, _other: u64, change: Change) -> i64 {
        let Change { put, turned } = change;
        let towards: u32 = if own & put == 0 { u32::MAX } else { 1 };
        let mut after = *before;
        self.shift(&mut after, put, towards);
        self.shift(&mut after, turned, towards.wrapping_mul(2));
        self.sum_of(&after)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::Position;
    use super::*;
    use crate::game::tuples::tables_of_shapes;
    use crate::game::{ChildSum, Ends, GameExt, NamedGame, Player};
    use crate::rng::{PlayoutKey, Stream};
    use crate::testing::random_game;

    /// The values of a position and of its children.
    fn values(sum: &dyn WeightedSum<Othello>, game: &Othello, position: &Position) -> Vec<i64> {
        let mut values = vec![sum.sum(position, Player::SECOND)];
        sum.each_child(game, position, Ends::Unknown.exact(Player::FIRST), &mut |child| {
            let ChildSum::Sum(sum) = child else { unreachable!("the ends are not asked for") };
            values.push(sum);
            ControlFlow::Continue(())
        });
        values
    }

    #[test]
    fn few_places_have_the_sums_of_the_plain_tables() {
        for size in [6, 8] {
            let game = Othello::new(size);
            let board = game.entries().board.unwrap();
            let tables = tables_of_shapes(&game, &*board, "lines+a1:111|111|111+a1:11|10").unwrap();
            let count: usize = tables.iter().map(TupleTable::weights).sum();
            let mut rng = Stream::new(7).rng();
            for largest in [1_000, 1_000_000_000] {
                let weights: Vec<i64> =
                    (0..count).map(|_| rng.below(2 * largest) as i64 - largest as i64).collect();
                let plain = |position: &Position, player: Player| -> i64 {
                    let mut owners = vec![1; usize::from(size) * usize::from(size)];
                    board.owners(&game, position, player, &mut owners);
                    let (mut sum, mut begin) = (0, 0);
                    for table in &tables {
                        for place in &table.places {
                            let index = place
                                .iter()
                                .fold(0, |index, &square| 3 * index + usize::from(owners[square]));
                            sum += weights[begin + index];
                        }
                        begin += table.weights();
                    }
                    sum
                };
                let few = place_sums(&game, &tables, weights.clone()).unwrap();
                let positions = random_game(&game, PlayoutKey::new(7).playout(0));
                for position in &positions[..positions.len() - 1] {
                    let mut expected = vec![plain(position, Player::SECOND)];
                    expected.extend(game.children(position).map(|(_, child)| plain(&child, Player::FIRST)));
                    assert_eq!(values(&*few, &game, position), expected);
                }
            }
        }
    }
}
