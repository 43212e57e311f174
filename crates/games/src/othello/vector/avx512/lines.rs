//! The diagonals through a square, looked up in registers.

use std::arch::x86_64::{_mm512_permutex2var_epi64, _mm512_permutexvar_epi8};
use std::array::from_fn;

use super::words::{Words, load};

/// The fifteen diagonals of one direction, and the number of the diagonal through each square.
pub(super) struct Diagonals {
    /// The diagonals by number.
    lines: [[u64; 8]; 2],
    /// Bytes: the number of the diagonal through the square 63 − `i`, and through 63 for 64.
    through: [u64; 8],
}

/// From the upper left to the lower right, in steps of nine squares.
pub(super) static FALLING: Diagonals = Diagonals::new(true);
/// From the upper right to the lower left, in steps of seven squares.
pub(super) static RISING: Diagonals = Diagonals::new(false);

impl Diagonals {
    const fn new(falling: bool) -> Self {
        let mut diagonals = Self { lines: [[0; 8]; 2], through: [0; 8] };
        let mut square = 0;
        while square < 64 {
            let (row, file) = (square / 8, square % 8);
            let number = if falling { (16 + file - row) % 16 } else { file + row };
            diagonals.lines[number / 8][number % 8] |= 1 << square;
            let index = 63 - square;
            diagonals.through[index / 8] |= (number as u64) << (8 * (index % 8));
            square += 1;
        }
        diagonals
    }
}

for_this_path! {
    /// The diagonal through the square with `behind` squares after it.
    pub(super) fn diagonal(diagonals: &Diagonals, behind: Words) -> Words {
        Words(from_fn(|i| {
            // Only the lowest four bits of an index count, so the other bytes do not matter.
            let number = _mm512_permutexvar_epi8(behind.0[i], load(&diagonals.through));
            _mm512_permutex2var_epi64(load(&diagonals.lines[0]), number, load(&diagonals.lines[1]))
        }))
    }
}
