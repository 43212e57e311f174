//! The deal without the limits of the piles, which says when each card could go up.
//!
//! The cards in piles keep their order; every card that comes later is always in reach. Cards go up as soon as they
//! can. The key decision: this simulation is short enough to run for every card of a rollout. Rejected: distances on the
//! foundations, which do not know when the cards between will come.

use crate::calculation::{Position, Rank};

/// When cards go up in the relaxed deal. A clock counts the cards turned and the cards that go up.
pub(super) struct Relaxed {
    /// When the top of each pile goes up; the largest number if it does not.
    pub(super) tops: [u32; 8],
    /// When the first card of the rank in hand goes up, other than those in piles; the largest number if
    /// none does.
    pub(super) card: u32,
    pub(super) end: u32,
    /// For each card turned, the cards that have gone up by then: the sum. Larger is earlier.
    pub(super) progress: u32,
    /// The number of cards on the foundations at the end.
    pub(super) cards_up: u8,
}

/// Later than any time.
const NEVER: u32 = u32::MAX;

/// Plays the relaxed deal on from a position, with `hand` in hand and the rest of the stock in this order.
pub(super) fn relaxed(mut position: Position, hand: Option<Rank>, order: &[Rank]) -> Relaxed {
    let from = position.cards_up();
    let (mut tops, mut card) = ([NEVER; 8], NEVER);
    let mut in_reach = [0_u8; 16];
    if let Some(rank) = hand {
        in_reach[usize::from(rank.number())] = 1;
    }
    let mut progress = 0;
    for (turned, next) in (0_u32..).zip(order.iter().map(Some).chain([None])) {
        loop {
            let time = turned + u32::from(position.cards_up() - from);
            let offers = position.offers();
            if offers != 0 {
                let (pile, foundation) =
                    (offers.trailing_zeros() as u8 / 4, offers.trailing_zeros() as u8 % 4);
                let top = &mut tops[usize::from(pile)];
                *top = (*top).min(time);
                position.waste_up(pile, foundation);
                continue;
            }
            let mut wanted = (0..4).filter_map(|index| Some((index, position.wanted(index + 1)?)));
            let Some((foundation, rank)) = wanted.find(|(_, rank)| in_reach[usize::from(rank.number())] > 0)
            else {
                break;
            };
            in_reach[usize::from(rank.number())] -= 1;
            if Some(rank) == hand {
                card = card.min(time);
            }
            position.raise_rank(foundation, rank);
        }
        progress += u32::from(position.cards_up() - from);
        if let Some(rank) = next {
            in_reach[usize::from(rank.number())] += 1;
        }
    }
    let end = order.len() as u32 + u32::from(position.cards_up() - from);
    Relaxed { tops, card, end, progress, cards_up: position.cards_up() }
}
