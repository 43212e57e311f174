use super::moves::DOWN;
use super::policies::ups;
use super::{Calculation, Position, Rank};
use crate::game::Bits;

/// King and order rules: if any card can go up, a random one of those moves. Otherwise the card in hand goes onto the pile
/// with the least harm, a random one of several:
/// - 1 for each card of the pile that is needed sooner, 2 more for each place that it is sooner, and 9 more if the stock
///   has no other of its rank;
/// - an eighth for each place that the top is needed later than the card, and −1 if they have the same rank;
/// - 4 for an empty pile, but 0 if the card has the highest rank, which is needed last and begins its own pile.
///
/// A card is needed when the nearest foundation that still takes its rank reaches it; places are cards on that foundation.
///
/// # Cost
/// One pass over the piles per turn, without allocation.
#[derive(Clone, Copy, Debug, Default)]
pub struct KingRules;

/// The harm of burying a card under one that is needed later, in eighths.
const BURIED: i32 = 8;
const SOONER: i32 = 16;
const LAST: i32 = 72;
/// The harm of using an empty pile.
const EMPTY: i32 = 32;
/// The bonus for putting a card on one of the same rank.
const ALIKE: i32 = 8;

impl KingRules {
    /// The moves among which it chooses, as bits.
    pub(super) fn mask(game: &Calculation, position: &Position) -> u64 {
        let up = ups(position);
        let Some(card) = position.hand().filter(|_| up == 0) else { return up };
        let [needs, ..] = position.distances();
        let (mut least, mut best) = (i32::MAX, 0);
        for pile in Bits::new(game.open_piles(position)) {
            let harm = Self::harm(game, position, &needs, card, pile + 1);
            if harm < least {
                (least, best) = (harm, 0);
            }
            best |= u64::from(harm == least) << (DOWN + pile);
        }
        best
    }

    /// The harm of putting a card on a pile, 1 to 8, in eighths.
    fn harm(game: &Calculation, position: &Position, needs: &[u8; 16], card: Rank, pile: u8) -> i32 {
        let need = |rank: Rank| i32::from(needs[usize::from(rank.number())]);
        let needed = need(card);
        let Some(top) = position.pile(pile).next() else {
            return if card.number() == game.deck().ranks() { 0 } else { EMPTY };
        };
        let sooner = position.pile(pile).filter(|&other| need(other) < needed);
        let buried = sooner.map(|other| {
            let last = if position.stock(other) == 0 { LAST } else { 0 };
            BURIED + SOONER * (needed - need(other)) + last
        });
        let alike = if top == card { ALIKE } else { 0 };
        buried.sum::<i32>() + (need(top) - needed).max(0) - alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Policy};

    /// The piles chosen for the card in hand.
    fn piles(game: &Calculation, text: &str) -> Vec<String> {
        let position = game.parse_position(text).unwrap();
        KingRules.distribution(game, &position).iter().map(|(mv, _)| game.notation(&position, *mv)).collect()
    }

    #[test]
    fn a_card_goes_where_it_buries_least() {
        let game = Calculation::default();
        // The foundations want 2, 4, 6 and 8; then 3, 6, 9, Q; then 4, 8, Q, 3.
        let on = |tops: &str, hand: &str| {
            let mut stock: Vec<char> = "AAA22233344455556666777788889999TTTTJJJJQQQQKKKK".chars().collect();
            let mut used: Vec<char> = tops.chars().filter(char::is_ascii_alphanumeric).collect();
            used.extend(hand.chars());
            for letter in used {
                let at = stock.iter().position(|&other| other == letter).unwrap();
                stock.remove(at);
            }
            let stock: String = stock.into_iter().collect();
            piles(&game, &format!("up 1 1 1 1 | piles {tops} | stock {stock} | hand {hand}"))
        };
        // A king begins its own pile. If no pile is empty, it goes on a king.
        assert_eq!(on("- / 5 / - / T", "K"), ["p1", "p3"]);
        assert_eq!(on("7 / K / 5 / T", "K"), ["p2"]);
        // A jack is needed late: it must not lie on a three, and no card is put on an empty pile that a king would take.
        assert_eq!(on("3 / K / 5 / 9", "J"), ["p2"]);
        // A card that can go up goes up.
        assert_eq!(on("5 / K / - / 9", "2"), ["f1"]);
    }
}
