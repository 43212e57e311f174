//! The picture of a position.

use super::foundations::sequence;
use super::{Calculation, Position, Rank};
use crate::game::{Picture, Tone};

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
