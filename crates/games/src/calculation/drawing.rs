//! The drawing of a position, and its picture.

use std::fmt::Write as _;

use super::foundations::sequence;
use super::{Calculation, Position, Rank};
use crate::game::{Picture, Tone};

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

/// The width of a column of cards, and the size of a card.
const COLUMN: u16 = 16;
const CARD: [u16; 2] = [12, 14];

/// The tops of the cards that lie side by side, and of the first cards of the piles.
const ABOVE: u16 = 8;
const PILES: u16 = 33;

/// The part of a card that those above it in its pile leave to see.
const STEP: u16 = 7;

/// The height of piles for which there is always a place, so that the picture rarely changes its size.
const USUAL: u16 = 12;

/// The foundations with the ranks that they take next, the card in hand, the piles from bottom to top, and the stock by rank.
pub(super) fn picture(game: &Calculation, position: &Position) -> Picture {
    let (suits, piles) = (game.deck().suits(), game.piles());
    let columns = u16::from(piles.max(suits + 2)).max(6);
    let tallest = (1..=piles).map(|pile| position.pile(pile).count() as u16).max().unwrap_or(0).max(USUAL);
    let (width, stock) = (COLUMN * columns + 4, PILES + STEP * tallest + 14);
    let mut picture = Picture::new(width, stock + 12).rect(Tone::Board, [0, 0], [width, stock + 12]);
    let left = |column: u16| 4 + COLUMN * column;
    for (index, height) in (0..suits).zip(position.heights()) {
        let wants = position.wanted(index + 1).map_or("done".into(), |rank| format!("next {rank}"));
        let top = sequence(game.deck().ranks(), index).take(height.into()).last();
        picture = place(picture, [left(index.into()), ABOVE], &wants, top);
    }
    picture = place(picture, [left(u16::from(suits)), ABOVE], "hand", position.hand());
    let middle = left(u16::from(suits) + 1) + CARD[0] / 2;
    picture = picture.text(Tone::Label, [middle, 4], "stock");
    picture = picture.text(Tone::Label, [middle, ABOVE + CARD[1] / 2], position.stock_len().to_string());
    for pile in 1..=piles {
        let mut cards: Vec<Rank> = position.pile(pile).collect();
        cards.reverse();
        let x = left(u16::from(pile) - 1);
        picture = picture.text(Tone::Label, [x + CARD[0] / 2, PILES - 4], format!("pile {pile}"));
        if cards.is_empty() {
            picture = picture.rect(Tone::Line, [x, PILES], CARD);
        }
        for (number, rank) in (0..).zip(cards) {
            picture = card(picture, [x, PILES + STEP * number], rank);
        }
    }
    let ranks = u16::from(game.deck().ranks());
    for rank in Rank::all().take(ranks.into()) {
        let x = 4 + (2 * u16::from(rank.number()) - 1) * (width - 8) / (2 * ranks);
        picture = picture.text(Tone::Label, [x, stock], rank.to_string());
        picture = picture.text(Tone::Label, [x, stock + 6], position.stock(rank).to_string());
    }
    picture
}

/// A place with its name, and the card on it if there is one.
fn place(picture: Picture, [x, y]: [u16; 2], name: &str, rank: Option<Rank>) -> Picture {
    let picture = picture.text(Tone::Label, [x + CARD[0] / 2, y - 4], name);
    match rank {
        Some(rank) => card(picture, [x, y], rank),
        None => picture.rect(Tone::Line, [x, y], CARD),
    }
}

/// A card, of which the next one of a pile covers the lower part.
fn card(picture: Picture, [x, y]: [u16; 2], rank: Rank) -> Picture {
    picture.rect(Tone::Card, [x, y], CARD).text(Tone::Ink, [x + CARD[0] / 2, y + 4], rank.to_string())
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
