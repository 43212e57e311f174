use std::sync::Arc;

use super::children::row_sums;
use super::hints::around;
use super::{Mobility, Move, Othello, Position};
use crate::game::{Evaluation, Features, Player, WeightedSum};

/// The owner of each square: 1 the player, −1 the opponent, 0 neither. Row by row from a1; 64 numbers on 8×8.
pub(super) struct Squares;

/// The owner of each square, summed over symmetric squares: ten kinds on 8×8, six on 6×6, three on 4×4. Each kind is
/// named after its first square in the order of the board.
pub(super) struct SquareKinds;

/// Discs, mobility, corners and frontier: the features of programs without tables.
pub(super) struct General;

fn name(square: u8) -> String {
    Move::on(square).to_string()
}

/// The owner of a square, from a player's point of view.
fn owner(position: &Position, player: Player, square: u8) -> i32 {
    let has = |player| (position.discs(player) >> square & 1) as i32;
    has(player) - has(player.other())
}

impl Features<Othello> for Squares {
    fn names(&self, game: &Othello) -> Vec<String> {
        game.squares().map(name).collect()
    }

    fn values(&self, game: &Othello, position: &Position, player: Player, values: &mut [i32]) {
        for (value, square) in values.iter_mut().zip(game.squares()) {
            *value = owner(position, player, square);
        }
    }

    fn largest(&self, _game: &Othello) -> Option<i32> {
        Some(1)
    }

    fn prepared(&self, game: &Othello, weights: &[i64]) -> Option<Arc<dyn WeightedSum<Othello>>> {
        let mut by_square = [0; 64];
        for (square, &weight) in game.squares().zip(weights) {
            by_square[usize::from(square)] = weight;
        }
        Some(row_sums(&by_square))
    }
}

/// The kinds of squares: distances from the nearest edges, the smaller one first.
fn kinds(game: &Othello) -> impl Iterator<Item = (u8, u8)> + use<> {
    let half = game.size() / 2;
    (0..half).flat_map(move |near| (near..half).map(move |far| (near, far)))
}

fn kind_of(game: &Othello, square: u8) -> (u8, u8) {
    let from_edge = |place: u8| place.min(game.size() - 1 - place);
    let (row, file) = (from_edge(square / 8), from_edge(square % 8));
    (row.min(file), row.max(file))
}

fn squares_of(game: &Othello, kind: (u8, u8)) -> u64 {
    game.squares().filter(|&square| kind_of(game, square) == kind).fold(0, |mask, square| mask | 1 << square)
}

/// Own discs less the opponent's among some squares.
fn difference(position: &Position, player: Player, mask: u64) -> i32 {
    let count = |player| (position.discs(player) & mask).count_ones() as i32;
    count(player) - count(player.other())
}

impl Features<Othello> for SquareKinds {
    fn names(&self, game: &Othello) -> Vec<String> {
        kinds(game).map(|(near, far)| name(8 * near + far)).collect()
    }

    fn values(&self, game: &Othello, position: &Position, player: Player, values: &mut [i32]) {
        for (value, kind) in values.iter_mut().zip(kinds(game)) {
            *value = difference(position, player, squares_of(game, kind));
        }
    }

    /// A kind has at most eight squares.
    fn largest(&self, _game: &Othello) -> Option<i32> {
        Some(8)
    }

    fn prepared(&self, game: &Othello, weights: &[i64]) -> Option<Arc<dyn WeightedSum<Othello>>> {
        let mut by_kind = [[0; 4]; 4];
        for ((near, far), &weight) in kinds(game).zip(weights) {
            by_kind[usize::from(near)][usize::from(far)] = weight;
        }
        let mut by_square = [0; 64];
        for square in game.squares() {
            let (near, far) = kind_of(game, square);
            by_square[usize::from(square)] = by_kind[usize::from(near)][usize::from(far)];
        }
        Some(row_sums(&by_square))
    }
}

impl General {
    /// The empty squares next to a player's discs: potential moves of the opponent.
    fn frontier(game: &Othello, position: &Position, player: Player) -> i32 {
        let empty = game.playable() & !(position.mine | position.theirs);
        (around(position.discs(player)) & empty).count_ones() as i32
    }
}

impl Features<Othello> for General {
    fn names(&self, _game: &Othello) -> Vec<String> {
        ["discs", "mobility", "corners", "frontier"].map(Into::into).to_vec()
    }

    fn values(&self, game: &Othello, position: &Position, player: Player, values: &mut [i32]) {
        let frontier = |player| Self::frontier(game, position, player);
        values[0] = position.disc_difference(player);
        values[1] = Mobility.evaluate(game, position, player) as i32;
        let edge = u32::from(game.size() - 1);
        values[2] = difference(position, player, (1 | 1 << edge) | (1 | 1 << edge) << (8 * edge));
        values[3] = frontier(player) - frontier(player.other());
    }

    fn largest(&self, _game: &Othello) -> Option<i32> {
        Some(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameExt, Linear};

    fn values(
        features: &dyn Features<Othello>,
        game: &Othello,
        position: &Position,
        player: Player,
    ) -> Vec<i32> {
        let mut values = vec![0; features.names(game).len()];
        features.values(game, position, player, &mut values);
        values
    }

    #[test]
    fn there_are_as_many_kinds_as_published() {
        let count = |size| SquareKinds.names(&Othello::new(size)).len();
        assert_eq!([count(4), count(6), count(8)], [3, 6, 10]);
        for size in [4, 6, 8] {
            let game = Othello::new(size);
            let all = kinds(&game).fold(0, |all, kind| {
                assert_eq!(all & squares_of(&game, kind), 0, "no square is of two kinds");
                all | squares_of(&game, kind)
            });
            assert_eq!(all, game.playable());
        }
    }

    #[test]
    fn the_fast_sum_over_squares_is_the_sum() {
        for size in [4, 6, 8] {
            let game = Othello::new(size);
            let mut position = game.start();
            let weights: Vec<i64> = (1..=i64::from(size).pow(2)).map(|place| place * place).collect();
            let fast = Squares.prepared(&game, &weights).unwrap();
            while let Some(mv) = game.moves(&position).last() {
                let plain = values(&Squares, &game, &position, Player::FIRST);
                let sum: i64 =
                    plain.iter().zip(&weights).map(|(&value, &weight)| i64::from(value) * weight).sum();
                assert_eq!(fast.sum(&position, Player::FIRST), sum);
                game.apply(&mut position, mv);
            }
        }
    }

    /// After f5 black has four discs and white one. Black's discs touch 13 empty squares, white's 5.
    #[test]
    fn general_features_of_the_second_position() {
        let game = Othello::default();
        let position = game.follow("f5").unwrap();
        assert_eq!(values(&General, &game, &position, Player::FIRST), [3, 0, 0, 8]);
        assert_eq!(values(&General, &game, &position, Player::SECOND), [-3, 0, 0, -8]);
    }

    #[test]
    fn a_linear_evaluation_stays_below_a_win() {
        let game = Othello::default();
        let position = game.follow("f5").unwrap();
        let huge = Linear::new(&game, Arc::new(General), vec![1 << 40, 0, 0, 0]);
        assert_eq!(huge.evaluate(&game, &position, Player::FIRST), (1 << 20) - 1);
        assert_eq!(huge.evaluate(&game, &position, Player::SECOND), 1 - (1 << 20));
    }
}
