//! The drawing of a position.

use std::fmt::Write as _;

use super::foundations::sequence;
use super::{Calculation, Position, Rank};

/// The foundations with their cards and wants, the piles from bottom to top, the hand and the stock.
pub(super) fn draw(game: &Calculation, position: &Position) -> String {
    let mut text = String::new();
    let mut line = |name: String, content: &str| {
        let _ = writeln!(text, "{name:<14}{}", if content.is_empty() { "-" } else { content });
    };
    for (index, height) in (0..game.deck().suits()).zip(position.heights()) {
        let cards = spaced(sequence(game.deck().ranks(), index).take(height.into()));
        let wants = position.wanted(index + 1).map_or("complete".into(), |rank| format!("wants {rank}"));
        let cards = if cards.is_empty() { "-" } else { &cards };
        line(format!("foundation {}", index + 1), &format!("{cards:<27}{wants}"));
    }
    for pile in 1..=game.piles() {
        let mut cards: Vec<Rank> = position.pile(pile).collect();
        cards.reverse();
        line(format!("pile {pile}"), &spaced(cards));
    }
    line("hand".into(), &spaced(position.hand()));
    let stock: Vec<String> = Rank::all()
        .filter(|&rank| position.stock(rank) > 0)
        .map(|rank| format!("{rank}×{}", position.stock(rank)))
        .collect();
    line(format!("stock of {}", position.stock_len()), &stock.join(" "));
    let _ = write!(text, "{} of {} cards are up", position.cards_up(), game.deck().cards());
    text
}

fn spaced(ranks: impl IntoIterator<Item = Rank>) -> String {
    ranks.into_iter().map(|rank| rank.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::calculation::Calculation;
    use crate::game::{Game, GameExt};

    #[test]
    fn a_drawing_shows_everything() {
        let game = Calculation::default().with_piles(2);
        let position = game.follow("9 p1 6 f3 K p1 2 f1 J").unwrap();
        let expected = "\
foundation 1  A 2                        wants 3
foundation 2  2                          wants 4
foundation 3  3 6                        wants 9
foundation 4  4                          wants 8
pile 1        9 K
pile 2        -
hand          J
stock of 43   A×3 2×2 3×3 4×3 5×4 6×3 7×4 8×4 9×3 T×4 J×3 Q×4 K×3
6 of 52 cards are up";
        assert_eq!(game.drawing(&position), expected);
    }
}
