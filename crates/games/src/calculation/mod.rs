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
//!
//! | file | holds |
//! |---|---|
//! | `deck` | the ranks and suits of a deck; the thirteen ranks |
//! | `moves` | a move as one byte, and its meaning |
//! | `foundations`, `stock` | the ranks wanted; the cards left |
//! | `position` | foundations, stock, piles and hand |
//! | `options` | piles, layout, foundation rule, reward |
//! | `rules` | the game |
//! | `catalogue` | options, evaluations and policies for manifests |
//! | `text`, `drawing` | writing, reading and drawing positions; the picture of a position |
//! | `hints`, `open_stock` | what exact search may use: dead and sure positions, safe cards, equal piles |
//! | `clairvoyant` | whether a deal can be won with the stock known: a bound, not a player |
//! | `evaluations` | cards up, and the disorder of the piles |
//! | `policies` | two rules of thumb |
//! | `vector` | playouts of many games in vector lanes |
//! | `waste_features` | numbers of the cards in the piles, for weighted sums and learned policies |
//! | `pile_bags` | the piles as bags of numbered things, for networks that learn values |
//! | `king_rules` | handmade rules: the pile with the least harm |

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
