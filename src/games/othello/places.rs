//! Sums over the places of n-tuples, whose indices are followed from move to move.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::children::{Change, OfDiscs, each_child};
use super::{Othello, Position};
use crate::game::tuples::TupleTable;
use crate::game::{Bits, ChildSum, Ends, Player, WeightedSum};

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
    Some(Arc::new(Places { weights, empty, squares }))
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
        for square in Bits::new(own) {
            for &(place, step) in &self.squares[usize::from(square)] {
                indices[usize::from(place)] += step;
            }
        }
        for square in Bits::new(other) {
            for &(place, step) in &self.squares[usize::from(square)] {
                indices[usize::from(place)] -= step;
            }
        }
        indices
    }

    #[inline(always)]
    fn sum_of(&self, indices: &[u32; MOST]) -> i64 {
        indices[..self.empty.len()].iter().map(|&index| self.weights[index as usize]).sum()
    }

    /// Moves the indices of the places of some squares by this many steps. Returns what the sum gains.
    #[inline(always)]
    fn shift(&self, indices: &mut Indices, squares: u64, steps: u32) -> i64 {
        let mut gain = 0;
        for square in Bits::new(squares) {
            for &(place, step) in &self.squares[usize::from(square)] {
                let index = &mut indices.of[usize::from(place)];
                let before = self.weights[*index as usize];
                *index = index.wrapping_add(steps.wrapping_mul(step));
                gain += self.weights[*index as usize] - before;
            }
        }
        gain
    }

    /// Moves them back.
    #[inline(always)]
    fn unshift(&self, indices: &mut Indices, squares: u64, steps: u32) {
        for square in Bits::new(squares) {
            for &(place, step) in &self.squares[usize::from(square)] {
                let index = &mut indices.of[usize::from(place)];
                *index = index.wrapping_sub(steps.wrapping_mul(step));
            }
        }
    }
}

impl WeightedSum<Othello> for Places {
    fn sum(&self, position: &Position, player: Player) -> i64 {
        self.sum_of(&self.indices(position.discs(player), position.discs(player.other())))
    }

    fn each_child(
        &self,
        game: &Othello,
        position: &Position,
        player: Player,
        ends: Ends,
        found: &mut dyn FnMut(ChildSum) -> ControlFlow<()>,
    ) {
        each_child((game, position), player, ends, self, found);
    }
}

impl OfDiscs for Places {
    type Before = Indices;

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
        let gain = self.shift(before, put, towards) + self.shift(before, turned, twice);
        // Back to the position.
        self.unshift(before, put, towards);
        self.unshift(before, turned, twice);
        before.sum + gain
    }
}
