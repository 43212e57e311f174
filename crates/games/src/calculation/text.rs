//! Positions as one line of text.
//!
//! `up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 49T | hand -`: the heights of the foundations, the piles
//! from bottom to top, the cards of the stock in any order, and the hand. `-` means none; an empty hand may be omitted.
//! Ranks are `A23456789TJQK`, in either case; spaces among them do not matter.

use super::position::Parts;
use super::{Calculation, FoundationRule, Move, Position, Rank};
use crate::game::{Bits, Game};
use crate::words::counted;

/// The reason why a text is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A missing part.
    #[error(
        "found `{found}` where the part `{expected}` should begin; a position has four parts, \
         such as `up 11 7 9 13 | piles QT / 75 / 7J / KK9 | stock 34 | hand K`"
    )]
    Part {
        /// The expected part.
        expected: &'static str,
        /// The text found; empty at the end.
        found: String,
    },
    /// Heights that are not one number for each foundation, each at most the number of ranks.
    #[error("the heights are `{found}`, but must be {suits} numbers from 0 to {ranks}")]
    Heights {
        /// The text found.
        found: String,
        /// The number of foundations.
        suits: u8,
        /// The height of a complete foundation.
        ranks: u8,
    },
    /// A character that is not a rank.
    #[error("`{0}` is not a rank; ranks are A23456789TJQK")]
    Rank(char),
    /// A wrong number of piles.
    #[error("the text has {}, but the game has {expected}", counted(*.found as u64, "pile"))]
    Piles {
        /// The number in the text.
        found: usize,
        /// The number in the game.
        expected: u8,
    },
    /// More than one card in hand.
    #[error("the hand has {0} cards, but at most one is possible")]
    Hand(usize),
    /// A wrong number of copies of a rank.
    #[error("the text has {} of rank {rank} in all, but a pack has {pack}", counted(*.found as u64, "card"))]
    Copies {
        /// The rank.
        rank: Rank,
        /// The number on foundations, in piles, stock and hand.
        found: usize,
        /// The number in the deck.
        pack: u8,
    },
    /// A card that the automatic rule would move.
    #[error("`{0}` happens by itself in this game, so this position cannot arise")]
    Unsettled(String),
}

impl Calculation {
    /// Reads a text of [`Calculation::position_text`]. The position need not be reachable, but each rank must have all its
    /// copies.
    ///
    /// # Errors
    /// If a part is missing or malformed, the number of piles is wrong, copies of a rank are missing, or the automatic
    /// rule would have moved a card.
    ///
    /// # Example: the last three cards
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::calculation::Calculation;
    /// let game = Calculation::default().with_piles(3);
    /// let text = "up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 49T | hand -";
    /// let position = game.parse_position(text).unwrap();
    /// assert_eq!(position.cards_up(), 39);
    /// assert_eq!(game.position_text(&position), text);
    /// let error = game.parse_position(&text.replace("49T", "59T")).unwrap_err();
    /// assert_eq!(error.to_string(), "the text has 3 cards of rank 4 in all, but a pack has 4");
    /// ```
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let mut parts = text.split('|');
        let mut part = |name: &'static str| {
            let text = parts.next().unwrap_or("").trim();
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            let error = || PositionError::Part { expected: name, found: text.chars().take(20).collect() };
            if text[..end].eq_ignore_ascii_case(name) { Ok(text[end..].trim()) } else { Err(error()) }
        };
        let heights = part("up")?;
        let piles = part("piles")?;
        let stock = cards(part("stock")?)?;
        let hand = match part("hand") {
            Ok(text) => cards(text)?,
            Err(PositionError::Part { found, .. }) if found.is_empty() => Vec::new(),
            Err(error) => return Err(error),
        };
        if let Some(rest) = parts.next() {
            return Err(PositionError::Part { expected: "end", found: rest.chars().take(20).collect() });
        }
        let piles: Vec<Vec<Rank>> = piles.split('/').map(cards).collect::<Result<_, _>>()?;
        if piles.len() != usize::from(self.piles) {
            return Err(PositionError::Piles { found: piles.len(), expected: self.piles });
        }
        if hand.len() > 1 {
            return Err(PositionError::Hand(hand.len()));
        }
        let mut counts = [0; 13];
        for rank in &stock {
            counts[usize::from(rank.number()) - 1] += 1_usize;
        }
        let heights = self.parse_heights(heights)?;
        for rank in Rank::all() {
            let deck = self.deck;
            let up = (0..deck.suits()).flat_map(|index| {
                super::foundations::sequence(deck.ranks(), index).take(heights[usize::from(index)].into())
            });
            let all = up.chain(piles.iter().flatten().chain(&stock).chain(&hand).copied());
            let found = all.filter(|&other| other == rank).count();
            let pack = if rank.number() <= deck.ranks() { deck.suits() } else { 0 };
            if found != usize::from(pack) {
                return Err(PositionError::Copies { rank, found, pack });
            }
        }
        let stock = counts.map(|count| count as u8);
        let position =
            Position::build(&Parts { deck: self.deck, heights, piles, stock, hand: hand.first().copied() });
        self.check_settled(&position)?;
        Ok(position)
    }

    /// The text of a position, which [`Calculation::parse_position`] reads.
    pub fn position_text(&self, position: &Position) -> String {
        let or_nothing = |cards: String| if cards.is_empty() { "-".into() } else { cards };
        let suits = usize::from(self.deck.suits());
        let heights = position.heights().map(|height| height.to_string())[..suits].join(" ");
        let pile = |pile| {
            let from_top: String = position.pile(pile).map(Rank::to_char).collect();
            or_nothing(from_top.chars().rev().collect())
        };
        let piles: Vec<String> = (1..=self.piles).map(pile).collect();
        let copies = |rank: Rank| std::iter::repeat_n(rank.to_char(), position.stock(rank).into());
        let stock = or_nothing(Rank::all().flat_map(copies).collect());
        let hand = or_nothing(position.hand().map(Rank::to_char).into_iter().collect());
        format!("up {heights} | piles {} | stock {stock} | hand {hand}", piles.join(" / "))
    }

    /// The heights of the foundations; 0 beyond the deck's foundations.
    fn parse_heights(&self, text: &str) -> Result<[u8; 4], PositionError> {
        let (ranks, suits) = (self.deck.ranks(), self.deck.suits());
        let height = |word: &str| word.parse().ok().filter(|&height| height <= ranks);
        let heights: Option<Vec<u8>> = text.split_whitespace().map(height).collect();
        match heights {
            Some(mut heights) if heights.len() == usize::from(suits) => {
                heights.resize(4, 0);
                Ok(heights.try_into().expect("they are four"))
            }
            _ => Err(PositionError::Heights { found: text.into(), suits, ranks }),
        }
    }

    /// Checks that the automatic rule, if the game has it, would move no card.
    fn check_settled(&self, position: &Position) -> Result<(), PositionError> {
        if self.foundation != FoundationRule::Automatic {
            return Ok(());
        }
        match Bits::new(super::policies::ups(position)).next() {
            Some(code) => Err(PositionError::Unsettled(self.notation(position, Move::from_code(code)))),
            None => Ok(()),
        }
    }
}

/// The cards of a pile, a stock or a hand.
fn cards(text: &str) -> Result<Vec<Rank>, PositionError> {
    if text.trim() == "-" {
        return Ok(Vec::new());
    }
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    letters.map(|letter| Rank::from_char(letter).ok_or(PositionError::Rank(letter))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculation::Deck;
    use crate::game::Game;

    const WITNESS: &str = "up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 49T | hand -";

    fn error(text: &str) -> String {
        Calculation::default().with_piles(3).parse_position(text).unwrap_err().to_string()
    }

    #[test]
    fn a_text_may_be_written_freely() {
        let game = Calculation::default().with_piles(3);
        let position = game.parse_position(WITNESS).unwrap();
        let free = "UP 10 10 9  10|Piles 7/ 5 j 9 k /kkqjk|stock T 9 4";
        assert_eq!(game.parse_position(free).unwrap(), position);
        assert_eq!(Game::parse_position(&game, free).unwrap(), position);
        assert_eq!(Game::position_text(&game, &position).unwrap(), WITNESS);
        let begun = Game::parse_position(&game, "8 p1").unwrap();
        assert_eq!(game.position_text(&begun).split(" | ").nth(1), Some("piles 8 / - / -"));
        let in_hand = WITNESS.replace("49T | hand -", "9T | hand 4");
        assert_eq!(game.position_text(&game.parse_position(&in_hand).unwrap()), in_hand);
        let all_up = "up 13 13 13 13 | piles - / - / - | stock - | hand -";
        assert_eq!(game.position_text(&game.parse_position(all_up).unwrap()), all_up);
    }

    #[test]
    fn malformed_texts_are_refused() {
        let example = "up 11 7 9 13 | piles QT / 75 / 7J / KK9 | stock 34 | hand K";
        Calculation::default().parse_position(example).unwrap();
        let form = format!("a position has four parts, such as `{example}`");
        assert_eq!(error(""), format!("found `` where the part `up` should begin; {form}"));
        assert_eq!(
            error(&WITNESS.replace("stock", "stack")),
            format!("found `stack 49T` where the part `stock` should begin; {form}")
        );
        assert_eq!(
            error(&format!("{WITNESS} | more")),
            format!("found ` more` where the part `end` should begin; {form}")
        );
        let heights = "the heights are `10 10 9`, but must be 4 numbers from 0 to 13";
        assert_eq!(error(&WITNESS.replace("up 10 10 9 10", "up 10 10 9")), heights);
        assert_eq!(
            error(&WITNESS.replace("up 10", "up 14")),
            "the heights are `14 10 9 10`, but must be 4 numbers from 0 to 13"
        );
        assert_eq!(error(&WITNESS.replace("5J", "5é")), "`é` is not a rank; ranks are A23456789TJQK");
        assert_eq!(error(&WITNESS.replace("7 /", "")), "the text has 2 piles, but the game has 3");
        assert_eq!(
            error(&WITNESS.replace("hand -", "hand 49")),
            "the hand has 2 cards, but at most one is possible"
        );
        assert_eq!(
            error(&WITNESS.replace("hand -", "hand 4")),
            "the text has 5 cards of rank 4 in all, but a pack has 4"
        );
        assert_eq!(
            error(&WITNESS.replace("stock 4", "stock ")),
            "the text has 3 cards of rank 4 in all, but a pack has 4"
        );
    }

    #[test]
    fn a_small_deck_has_its_own_heights_and_copies() {
        let game = Calculation::default().with_deck(Deck::new(5, 2).unwrap()).with_piles(2);
        let text = "up 1 2 | piles 5 / 3A | stock 2345 | hand -";
        let position = game.parse_position(text).unwrap();
        assert_eq!(game.position_text(&position), text);
        let error = |from, to| game.parse_position(&text.replace(from, to)).unwrap_err().to_string();
        assert_eq!(error("up 1 2", "up 1 2 0"), "the heights are `1 2 0`, but must be 2 numbers from 0 to 5");
        assert_eq!(error("up 1", "up 6"), "the heights are `6 2`, but must be 2 numbers from 0 to 5");
        assert_eq!(error("2345", "23455"), "the text has 3 cards of rank 5 in all, but a pack has 2");
        assert_eq!(error("2345", "23456"), "the text has 1 card of rank 6 in all, but a pack has 0");
    }

    #[test]
    fn what_goes_up_by_itself_is_no_position() {
        let game = Calculation::default().with_piles(3).with_foundation_rule(FoundationRule::Automatic);
        assert!(game.parse_position(WITNESS).is_ok());
        let in_hand = WITNESS.replace("49T | hand -", "9T | hand 4");
        assert_eq!(
            game.parse_position(&in_hand).unwrap_err().to_string(),
            "`f3` happens by itself in this game, so this position cannot arise"
        );
        let on_a_pile = WITNESS.replace("7 /", "74 /").replace("49T", "9T");
        assert_eq!(game.parse_position(&on_a_pile).unwrap_err(), PositionError::Unsettled("p1f3".into()));
    }
}
