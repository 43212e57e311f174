use super::foundations::NEVER;
use super::{Calculation, Position, Rank};
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

/// The disorder of the piles; less is better. It sums, over the cards in piles, by how much a card above is needed
/// later than the card itself. A card that a copy in the stock can replace counts as needed correspondingly later.
pub(super) fn disorder(position: &Position, piles: u8) -> u32 {
    let distances = position.distances();
    // The distance to the foundation of this rank by distance.
    let distance = |rank: Rank, place: u8| distances[usize::from(place.min(3))][usize::from(rank.number())];
    let mut sum = 0;
    for pile in 1..=piles {
        let mut latest_above = 0;
        for rank in position.pile(pile) {
            let needed = distance(rank, position.stock(rank));
            let needed = if needed == NEVER { distance(rank, 0) } else { needed };
            sum += 4 * u32::from(latest_above.max(needed) - needed) + 1;
            latest_above = latest_above.max(distance(rank, 0));
        }
    }
    sum
}
