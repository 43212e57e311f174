//! The disorder of a position: the measure of how promising it is.

use crate::calculation::foundations::NEVER;
use crate::calculation::{Position, Rank};

/// The disorder of the piles; less is better. It sums, over the cards in piles, by how much a card above is needed
/// later than the card itself. A card that a copy in the stock can replace counts as needed correspondingly later.
pub(in crate::calculation) fn disorder(position: &Position, piles: u8) -> u32 {
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
