//! The board for n-tuples, and their sums by tables of windows of 2×2 squares.

use std::ops::Range;
use std::sync::Arc;

use super::board::flips;
use super::children::{Change, OfDiscs, SumOfDiscs};
use super::places::place_sums;
use super::{Othello, Position};
use crate::game::tuples::{Board, SquareChange, TupleTable};
use crate::game::{Bits, Player, WeightedSum};

/// The squares of Othello, with the eight symmetries of a square board.
pub(super) struct Squares;

impl Board<Othello> for Squares {
    fn size(&self, game: &Othello) -> (usize, usize) {
        let size = usize::from(game.size());
        (size, size)
    }

    fn owners(&self, game: &Othello, position: &Position, player: Player, owners: &mut [u8]) {
        let (own, other) = (position.discs(player), position.discs(player.other()));
        for (owner, square) in owners.iter_mut().zip(game.squares()) {
            *owner = (1 + (own >> square & 1) - (other >> square & 1)) as u8;
        }
    }

    fn each_change(
        &self,
        game: &Othello,
        position: &Position,
        player: Player,
        found: &mut dyn FnMut(&[SquareChange]),
    ) {
        let Position { mine, theirs, moves, to_move, .. } = *position;
        if position.must_pass() {
            return found(&[]);
        }
        let towards = if player == to_move { 1 } else { -1 };
        let size = game.size();
        let mut changes = [SquareChange { square: 0, by: 0 }; 64];
        for put in Bits::new(moves) {
            let mut count = 0;
            let mut change = |bit: u8, by: i8| {
                changes[count] = SquareChange { square: size * (bit / 8) + bit % 8, by };
                count += 1;
            };
            change(put, towards);
            for turned in Bits::new(flips(mine, theirs, put)) {
                change(turned, 2 * towards);
            }
            found(&changes[..count]);
        }
    }

    fn symmetries(&self, game: &Othello) -> Vec<Vec<usize>> {
        let size = usize::from(game.size());
        let last = size - 1;
        let image = |symmetry: usize, row: usize, file: usize| {
            let (row, file) = if symmetry & 1 == 0 { (row, file) } else { (file, row) };
            let row = if symmetry & 2 == 0 { row } else { last - row };
            let file = if symmetry & 4 == 0 { file } else { last - file };
            size * row + file
        };
        let squares = || (0..size).flat_map(|row| (0..size).map(move |file| (row, file)));
        (0..8).map(|symmetry| squares().map(|(row, file)| image(symmetry, row, file)).collect()).collect()
    }

    fn prepared(
        &self,
        game: &Othello,
        tables: &[TupleTable],
        weights: &[i64],
    ) -> Option<Arc<dyn WeightedSum<Othello>>> {
        let Some(sums) = window_sums(usize::from(game.size()), tables, weights) else {
            return place_sums(game, tables, weights.to_vec());
        };
        let is_small = sums.iter().flatten().all(|&sum| i32::try_from(sum).is_ok());
        // Smaller tables stay in a nearer cache.
        Some(if is_small {
            Arc::new(SumOfDiscs(Windows(sums.iter().map(|sums| sums.map(|sum| sum as i32)).collect())))
        } else {
            Arc::new(SumOfDiscs(Windows(sums)))
        })
    }
}

/// The windows of a row, and of the board: each begins at a square that is not in the last row or file.
const WINDOWS: usize = 7;

/// The sums of all places within each window of 2×2 squares, by the owners of its squares: two bits each, own and other's,
/// row by row. `None` if some place does not fit into a window.
fn window_sums(size: usize, tables: &[TupleTable], weights: &[i64]) -> Option<Vec<[i64; 256]>> {
    let mut sums = vec![[0; 256]; WINDOWS * WINDOWS];
    let mut begin = 0;
    for table in tables {
        for place in &table.places {
            let row = place.iter().map(|square| square / size).min()?.min(size - 2);
            let file = place.iter().map(|square| square % size).min()?.min(size - 2);
            // The number of each square in the window.
            let number = |square: &usize| {
                let (down, right) = (square / size - row, square % size - file);
                (down < 2 && right < 2).then_some(2 * down + right)
            };
            let numbers: Vec<usize> = place.iter().map(number).collect::<Option<_>>()?;
            let window = &mut sums[WINDOWS * row + file];
            for (owners, sum) in window.iter_mut().enumerate() {
                // The digits of 01 (own), 10 (other's) and 00; 11 does not occur.
                let digit = |number: &usize| [1, 2, 0, 1][owners >> (2 * number) & 3];
                let index = numbers.iter().fold(0, |index, number| 3 * index + digit(number));
                *sum += weights[begin + index];
            }
        }
        begin += table.weights();
    }
    Some(sums)
}

/// For each window the sums by the owners of its squares.
struct Windows<T>(Vec<[T; 256]>);

/// For each set of squares of a row, two bits a square, the first of which says whether it is in the set.
static SPREAD: [u16; 256] = spread();

const fn spread() -> [u16; 256] {
    let mut table = [0; 256];
    let mut squares = 0;
    while squares < 256 {
        let mut square = 0;
        while square < 8 {
            table[squares] |= (squares as u16 >> square & 1) << (2 * square);
            square += 1;
        }
        squares += 1;
    }
    table
}

/// The owners of the squares of a row, two bits a square.
#[inline(always)]
fn owners(own: u64, other: u64, row: usize) -> u32 {
    let of = |discs: u64| u32::from(SPREAD[usize::from((discs >> (8 * row)) as u8)]);
    of(own) | of(other) << 1
}

impl<T: Copy + Into<i64>> Windows<T> {
    /// The sum over the windows of each of some rows, shown in order.
    #[inline(always)]
    fn each_row(&self, own: u64, other: u64, rows: Range<usize>, mut show: impl FnMut(i64)) {
        let mut above = owners(own, other, rows.start);
        let windows = &self.0.as_chunks::<WINDOWS>().0[rows.clone()];
        for (row, windows) in rows.zip(windows) {
            let below = owners(own, other, row + 1);
            let mut sum = 0;
            for (file, table) in windows.iter().enumerate() {
                let owners = (above >> (2 * file) & 15) | (below >> (2 * file) & 15) << 4;
                let of_window: i64 = table[owners as usize].into();
                sum += of_window;
            }
            show(sum);
            above = below;
        }
    }

    /// The sum over the windows of some rows.
    #[inline(always)]
    fn sum_of(&self, own: u64, other: u64, rows: Range<usize>) -> i64 {
        let mut sum = 0;
        self.each_row(own, other, rows, |row| sum += row);
        sum
    }
}

impl<T: Copy + Into<i64>> OfDiscs for Windows<T> {
    /// The sums over the windows of the rows before each.
    type Before = [i64; WINDOWS + 1];

    fn sum(&self, own: u64, other: u64) -> i64 {
        self.sum_of(own, other, 0..WINDOWS)
    }

    #[inline(always)]
    fn before(&self, own: u64, other: u64) -> Self::Before {
        let (mut sums, mut row) = ([0; WINDOWS + 1], 0);
        self.each_row(own, other, 0..WINDOWS, |sum| {
            sums[row + 1] = sums[row] + sum;
            row += 1;
        });
        sums
    }

    #[inline(always)]
    fn after(&self, before: &mut Self::Before, own: u64, other: u64, change: Change) -> i64 {
        let changed = change.put | change.turned;
        if changed == 0 {
            return before[WINDOWS];
        }
        // A square is in the windows of its row and of the row above.
        let first = (changed.trailing_zeros() / 8).saturating_sub(1) as usize;
        let end = (8 - changed.leading_zeros() / 8).min(WINDOWS as u32) as usize;
        before[WINDOWS] - before[end] + before[first] + self.sum_of(own, other, first..end)
    }
}
