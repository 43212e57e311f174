//! Evaluations: the cards up, and the order of the piles.

use super::clairvoyant::disorder;
use super::{Calculation, Position};
use crate::game::{Evaluation, Player};

/// The number of cards on the foundations, 0 to 52.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardsUp;

/// The negated disorder of the piles: each card in a pile counts 1, plus 4 for each place by which a card above it is
/// needed later than itself. A card that a copy in the stock can replace counts as needed correspondingly later. At
/// most 0; −100 is bad.
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
