//! The lines that lead from a square, by table.

use std::arch::x86_64::{__m256i, _mm256_permute2x128_si256, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64};

use super::words::{GAMES, WIDTH, Words, load, zero};
use crate::othello::board::{self, LINES};

/// The lines of a square. Number 64 means no square.
#[repr(align(64))]
pub(super) struct Square {
    /// The squares that are not on its lines to the south, the south-west and the south-east; then the squares on its
    /// line to the west.
    first: [u64; 4],
    /// On the board upside down: the squares that are not on its lines to the north, the north-west and the north-east;
    /// then the next square.
    second: [u64; 4],
}

/// As many as the masked index can address.
static SQUARES: [Square; 128] = {
    let opposite = board::lines(true);
    let mut squares = [const { Square { first: [!0, !0, !0, 0], second: [!0, !0, !0, 0] } }; 128];
    let mut square = 0;
    while square < 64 {
        let turned = square ^ 0b11_1000;
        let [_, south_west, south, south_east] = LINES[square];
        let [_, north_west, north, north_east] = LINES[turned];
        squares[square] = Square {
            first: [!south, !south_west, !south_east, opposite[square][0]],
            second: [!north, !north_west, !north_east, (1_u64 << turned).wrapping_mul(2)],
        };
        square += 1;
    }
    squares
};

/// The lines of all games.
pub(super) struct Lines {
    pub(super) not_south: Words,
    pub(super) not_south_west: Words,
    pub(super) not_south_east: Words,
    pub(super) west: Words,
    pub(super) not_north: Words,
    pub(super) not_north_west: Words,
    pub(super) not_north_east: Words,
    pub(super) behind: Words,
}

for_this_path! {
    /// The lines from one square for each game.
    pub(super) fn lines(of: &[u64; GAMES]) -> Lines {
        let nothing = zero();
        let (mut first, mut second) = ([nothing; 4], [nothing; 4]);
        for i in 0..WIDTH {
            let square = |lane: usize| &SQUARES[of[4 * i + lane] as usize % 128];
            let a = transposed([&square(0).first, &square(1).first, &square(2).first, &square(3).first]);
            let b = transposed([&square(0).second, &square(1).second, &square(2).second, &square(3).second]);
            for j in 0..4 {
                first[j].0[i] = a[j];
                second[j].0[i] = b[j];
            }
        }
        let [not_south, not_south_west, not_south_east, west] = first;
        let [not_north, not_north_west, not_north_east, behind] = second;
        Lines {
            not_south,
            not_south_west,
            not_south_east,
            west,
            not_north,
            not_north_west,
            not_north_east,
            behind,
        }
    }

    /// Column `j` of four rows as register `j`.
    fn transposed(rows: [&[u64; 4]; 4]) -> [__m256i; 4] {
        let [a, b, c, d] = [load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3])];
        let (ab_even, ab_odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        [
            _mm256_permute2x128_si256::<0x20>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd),
            _mm256_permute2x128_si256::<0x31>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd),
        ]
    }
}
