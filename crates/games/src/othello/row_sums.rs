//! Sums of weights of squares, read from tables of whole rows.

use std::sync::Arc;

use super::Othello;
use super::children::{Change, OfDiscs, SumOfDiscs, gained};
use crate::game::WeightedSum;

/// For each row and each set of its squares, the sum of their weights.
struct RowSums<T>([[T; 256]; 8]);

/// The sum of weight · owner over all squares, prepared. A weight for each of the 64 bits of a mask.
pub(super) fn row_sums(weights: &[i64; 64]) -> Arc<dyn WeightedSum<Othello>> {
    let all = weights.iter().fold(0_i64, |all, weight| all.saturating_add(weight.saturating_abs()));
    // Smaller tables stay in the first cache.
    if all <= i32::MAX.into() {
        Arc::new(SumOfDiscs(RowSums(tables(weights, |weight| weight as i32))))
    } else {
        Arc::new(SumOfDiscs(RowSums(tables(weights, |weight| weight))))
    }
}

fn tables<T: Copy + Default + std::ops::Add<Output = T>>(
    weights: &[i64; 64],
    narrow: impl Fn(i64) -> T,
) -> [[T; 256]; 8] {
    let mut tables = [[T::default(); 256]; 8];
    for (table, weights) in tables.iter_mut().zip(weights.as_chunks::<8>().0) {
        let weights = weights.map(&narrow);
        for squares in 1..256_usize {
            // The squares without the first, and the first.
            table[squares] = table[squares & (squares - 1)] + weights[squares.trailing_zeros() as usize];
        }
    }
    tables
}

impl<T: Copy + Into<i64>> RowSums<T> {
    #[inline(always)]
    fn of(&self, discs: u64) -> i64 {
        let rows = self.0.iter().zip(discs.to_le_bytes());
        rows.map(|(table, row)| table[usize::from(row)].into()).sum()
    }
}

impl<T: Copy + Into<i64>> OfDiscs for RowSums<T> {
    type Before = i64;

    fn sum(&self, own: u64, other: u64) -> i64 {
        self.of(own) - self.of(other)
    }

    #[inline(always)]
    fn before(&self, own: u64, other: u64) -> i64 {
        OfDiscs::sum(self, own, other)
    }

    #[inline(always)]
    fn after(&self, before: &mut i64, own: u64, _other: u64, change: Change) -> i64 {
        let Change { put, turned } = change;
        // Zero for a pass.
        let row = (put.trailing_zeros() / 8) as usize & 7;
        let of_put: i64 = self.0[row][(put >> (8 * row)) as usize & 255].into();
        *before + gained(own, change, 2 * self.of(turned) + of_put)
    }
}
