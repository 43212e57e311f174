//! Evaluations: how far a game has come, and how well its piles lie.

use super::clairvoyant::disorder;
use super::{Calculation, Position};
use crate::game::{Evaluation, Player};

/// The number of cards on the foundations, 0 to 52.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardsUp;

/// How little lies in the wrong order: for each card in a pile, what a card above it is needed later than itself counts
/// against the position, four for each place, and 1 for lying there at all. Where copies in the stock can stand in for a
/// card, it counts as needed that much later. At most 0; a hundred is much.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl Evaluation<Calculation> for CardsUp {
    fn evaluate(&self, _game: &Calculation, position: &Position, _player: Player) -> i64 {
        position.cards_up().into()
    }
}

impl Evaluation<Calculation> for Order {
    fn evaluate(&self, game: &Calculation, position: &Position, _player: Player) -> i64 {
        -i64::from(disorder(position, game.piles()))
    }
}
