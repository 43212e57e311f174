//! The board for n-tuples, and their sums by tables of windows of 2×2 squares.

use std::sync::Arc;

use super::{Othello, Position};
use crate::game::tuples::{Board, TupleTable};
use crate::game::{Player, WeightedSum};

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
        let sums = window_sums(usize::from(game.size()), tables, weights)?;
        let is_small = sums.iter().flatten().all(|&sum| i32::try_from(sum).is_ok());
        // Smaller tables stay in a nearer cache.
        Some(if is_small {
            Arc::new(Windows(sums.iter().map(|sums| sums.map(|sum| sum as i32)).collect()))
        } else {
            Arc::new(Windows(sums))
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

impl<T: Copy + Into<i64> + Send + Sync> WeightedSum<Othello> for Windows<T> {
    fn sum(&self, position: &Position, player: Player) -> i64 {
        let (own, other) =
            (position.discs(player).to_le_bytes(), position.discs(player.other()).to_le_bytes());
        let row = |row: usize| {
            u32::from(SPREAD[usize::from(own[row])]) | u32::from(SPREAD[usize::from(other[row])]) << 1
        };
        let (rows, mut sum) = (self.0.as_chunks::<WINDOWS>().0, 0);
        let mut above = row(0);
        for (number, windows) in rows.iter().enumerate() {
            let below = row(number + 1);
            for (file, table) in windows.iter().enumerate() {
                let owners = (above >> (2 * file) & 15) | (below >> (2 * file) & 15) << 4;
                sum += table[owners as usize].into();
            }
            above = below;
        }
        sum
    }
}
