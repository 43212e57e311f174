//! Values of all children of a position, each from the value of the position and what its move changes.

use std::sync::Arc;

use super::board::{flips, legal_moves_among};
use super::{Othello, Position};
use crate::game::{Bits, ChildSum, ChildValues, Ends, Found, Kernel, Player, WeightedSum, accelerate};

/// A function of the discs of two sides that is cheap to follow from move to move.
pub(super) trait OfDiscs {
    /// The part that is computed once for a position.
    type Before;

    /// The value of a position, by the discs of the player for whom it is valued and of the other.
    fn sum(&self, own: u64, other: u64) -> i64;

    /// The position, before one of its moves.
    fn before(&self, own: u64, other: u64) -> Self::Before;

    /// The value after a move, by the discs then and by what it changed. Implementations should be `#[inline(always)]`.
    fn after(&self, before: &mut Self::Before, own: u64, other: u64, change: Change) -> i64;
}

/// A function of the discs as a weighted sum.
pub(super) struct SumOfDiscs<V>(pub(super) V);

impl<V: OfDiscs + Send + Sync> WeightedSum<Othello> for SumOfDiscs<V> {
    fn sum(&self, position: &Position, player: Player) -> i64 {
        self.0.sum(position.discs(player), position.discs(player.other()))
    }

    fn each_child(
        &self,
        game: &Othello,
        position: &Position,
        wanted: ChildValues,
        found: Found<'_, ChildSum>,
    ) {
        each_child((game, position), wanted, &self.0, found);
    }
}

/// The discs that a move changes; none if it is a pass.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) put: u64,
    pub(super) turned: u64,
}

/// Shows each child of a position at a player's turn to `found`, in the order of the moves, until that breaks off.
pub(super) fn each_child(
    (game, position): (&Othello, &Position),
    wanted: ChildValues,
    value: &impl OfDiscs,
    found: Found<'_, ChildSum>,
) {
    accelerate(Children { game, position, wanted, value, found });
}

struct Children<'c, V> {
    game: &'c Othello,
    position: &'c Position,
    wanted: ChildValues,
    value: &'c V,
    found: Found<'c, ChildSum>,
}

impl<V: OfDiscs> Kernel for Children<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { game, position, wanted: ChildValues { player, ends, .. }, value, found } = self;
        let Position { mine, theirs, moves, to_move, .. } = *position;
        let sides = |mover: u64, other: u64| if player == to_move { (mover, other) } else { (other, mover) };
        let (own, other) = sides(mine, theirs);
        let mut before = value.before(own, other);
        if moves == 0 {
            let _ = found(ChildSum::Sum(value.after(&mut before, own, other, Change { put: 0, turned: 0 })));
            return;
        }
        for square in Bits::new(moves) {
            let change = Change { put: 1 << square, turned: flips(mine, theirs, square) };
            let (mover, next) = (mine | change.put | change.turned, theirs & !change.turned);
            let (own, other) = sides(mover, next);
            let is_over = || {
                legal_moves_among(game.playable(), next, mover) == 0
                    && legal_moves_among(game.playable(), mover, next) == 0
            };
            let child = if ends == Ends::Known && is_over() {
                ChildSum::Payoff(game.payoff_of(own, other))
            } else {
                ChildSum::Sum(value.after(&mut before, own, other, change))
            };
            if found(child).is_break() {
                return;
            }
        }
    }
}

/// The sum of weights that many squares share: a weight for the squares of each mask.
pub(super) struct Shared<'w> {
    pub(super) weights: &'w [i64],
    pub(super) masks: &'w [u64],
}

impl Shared<'_> {
    #[inline(always)]
    fn of(&self, squares: u64) -> i64 {
        let terms = self.weights.iter().zip(self.masks);
        terms.map(|(weight, mask)| weight * i64::from((squares & mask).count_ones())).sum()
    }

    /// The sum over own squares less that over the other's.
    #[inline(always)]
    pub(super) fn difference(&self, own: u64, other: u64) -> i64 {
        self.of(own) - self.of(other)
    }
}

impl OfDiscs for Shared<'_> {
    type Before = i64;

    fn sum(&self, own: u64, other: u64) -> i64 {
        self.difference(own, other)
    }

    #[inline(always)]
    fn before(&self, own: u64, other: u64) -> i64 {
        self.difference(own, other)
    }

    #[inline(always)]
    fn after(&self, before: &mut i64, own: u64, _other: u64, change: Change) -> i64 {
        *before + gained(own, change, self.of(change.turned | change.put) + self.of(change.turned))
    }
}

/// The gain of a sum of weights: a turned disc counts twice, and a gain of the other side is a loss.
#[inline(always)]
pub(super) fn gained(own: u64, change: Change, sum: i64) -> i64 {
    if own & change.put == 0 { -sum } else { sum }
}

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
