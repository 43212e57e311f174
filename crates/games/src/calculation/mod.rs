//! Calculation, a solitaire: four foundations that count in steps of 1, 2, 3 and 4, and a few waste piles. Smaller decks
//! have fewer foundations or ranks.
//!
//! Cards are turned one at a time. A card goes onto a foundation that wants it or onto any waste pile; the top of a waste
//! pile may go up at any time. The skill is the order of the piles. Luck matters, but nearly every deal can be won, so
//! success measures skill.
//!
//! The key decision: a position holds the *counts* of the stock and never its order, and turning a card is a chance turn.
//! All orders are equally likely, so this is exactly the game, and no searcher can peek. Rejected: a shuffled stock in
//! the position, which would reveal the future to every copy of the position.

mod catalogue;
mod clairvoyant;
mod deck;
mod drawing;
mod evaluations;
mod foundations;
mod hints;
mod king_rules;
mod moves;
mod open_stock;
mod options;
mod pile_bags;
mod policies;
mod position;
mod rules;
mod stock;
mod text;
mod vector;
mod waste_features;

pub use clairvoyant::{Clairvoyant, Solution, Verdict};
pub use deck::{Deck, Rank};
pub use evaluations::{CardsUp, Order};
pub use king_rules::KingRules;
pub use moves::{Move, MoveKind};
pub use options::{FoundationRule, Layout, Reward};
pub use pile_bags::PILE_BAGS;
pub use policies::{FoundationFirst, WasteFirst};
pub use position::Position;
pub use rules::Calculation;
pub use text::PositionError;
pub use waste_features::Waste;
