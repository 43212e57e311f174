//! How promising a position is: how much lies in the wrong order.

use crate::games::calculation::{Position, Rank};

/// How far cards of each rank are from being wanted: for each rank the distances of the foundations that have yet
/// to take one, nearest first.
struct Distances([[u8; 4]; 14]);

/// More than any distance.
const NEVER: u8 = 14;

impl Distances {
    fn new(position: &Position) -> Self {
        let mut distances = [[NEVER; 4]; 14];
        for foundation in 1..=4 {
            for (distance, rank) in (0..).zip(position.yet_to_take(foundation)) {
                let of_rank = &mut distances[usize::from(rank.number())];
                let place =
                    of_rank.iter().position(|&other| other > distance).expect("a rank is wanted four times");
                of_rank[place..].rotate_right(1);
                of_rank[place] = distance;
            }
        }
        Self(distances)
    }

    /// The distance of the foundation that is so many places from the nearest.
    fn of(&self, rank: Rank, place: u8) -> u8 {
        self.0[usize::from(rank.number())][usize::from(place.min(3))]
    }
}

/// What is in the wrong order, the less the better: for each card in a pile by how much a card above it is wanted
/// later than itself. A card that copies in the stock can stand in for counts as wanted that much later.
pub(in crate::games::calculation) fn disorder(position: &Position, piles: u8) -> u32 {
    let distances = Distances::new(position);
    let mut sum = 0;
    for pile in 1..=piles {
        let mut latest_above = 0;
        for rank in position.pile(pile) {
            let needed = distances.of(rank, position.stock(rank));
            let needed = if needed == NEVER { distances.of(rank, 0) } else { needed };
            sum += 4 * u32::from(latest_above.max(needed) - needed) + 1;
            latest_above = latest_above.max(distances.of(rank, 0));
        }
    }
    sum
}
