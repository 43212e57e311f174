//! The worth of a disc on each square, by the weights of n-tuples.

use super::TupleTable;

/// The worth of a disc on each square of a board.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SquareEffects {
    /// The columns of the board.
    pub columns: usize,
    /// The squares, row by row: half the difference between the player and the opponent as the owner.
    pub values: Vec<f64>,
}

/// For each square of a board half the difference that its owner makes: the player in place of the opponent, in the mean
/// over all ways to own the other squares of each tuple.
///
/// Tables of single squares are their own effects. Of longer tuples it is what remains of a square if nothing else is
/// known of the board, so it says less the longer they are.
///
/// # Panics
/// If the weights are not as many as the tables have, or a square is not on the board.
///
/// # Example
/// ```
/// use shikou::game::tuples::{TupleTable, square_effects};
/// let table = TupleTable { length: 1, places: vec![vec![0], vec![2]] };
/// assert_eq!(square_effects(3, &[table], &[-2.0, 0.5, 1.0]), [1.5, 0.0, 1.5]);
/// ```
pub fn square_effects(squares: usize, tables: &[TupleTable], weights: &[f64]) -> Vec<f64> {
    assert_eq!(tables.iter().map(TupleTable::weights).sum::<usize>(), weights.len());
    let (mut effects, mut rest) = (vec![0.0; squares], weights);
    for table in tables {
        let (own, later) = rest.split_at(table.weights());
        rest = later;
        for digit in 0..table.length {
            let factor = 3_usize.pow((table.length - 1 - digit) as u32);
            let of_owner = |owner: usize| -> f64 {
                let is_owned = |&(index, _): &(usize, &f64)| index / factor % 3 == owner;
                own.iter().enumerate().filter(is_owned).map(|(_, weight)| weight).sum()
            };
            let ways = own.len() as f64 / 3.0;
            let effect = (of_owner(2) - of_owner(0)) / ways / 2.0;
            for place in &table.places {
                effects[place[digit]] += effect;
            }
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All boards of three squares, valued tuple by tuple: half the mean difference that a square makes.
    #[test]
    fn effects_are_those_of_all_boards() {
        let tables = [
            TupleTable { length: 2, places: vec![vec![0, 1], vec![2, 1]] },
            TupleTable { length: 1, places: vec![vec![1]] },
        ];
        let weights: Vec<f64> = (0..12_u32).map(|at| f64::from(at * at % 7) - 3.0).collect();
        let value = |board: [usize; 3]| -> f64 {
            let of_place = |place: &[usize]| place.iter().fold(0, |index, &square| 3 * index + board[square]);
            let pairs: f64 = tables[0].places.iter().map(|place| weights[of_place(place)]).sum();
            pairs + weights[9 + board[1]]
        };
        let effects = square_effects(3, &tables, &weights);
        for (square, effect) in effects.into_iter().enumerate() {
            let (mut sum, mut boards) = (0.0, 0.0);
            for number in 0..27 {
                let mut board = [number / 9, number / 3 % 3, number % 3];
                if board[square] != 0 {
                    continue;
                }
                let before = value(board);
                board[square] = 2;
                sum += value(board) - before;
                boards += 1.0;
            }
            assert!((effect - sum / boards / 2.0).abs() < 1e-12, "{square}: {effect}");
        }
    }
}
