//! Calculation, a solitaire: four foundations that count in steps of 1, 2, 3 and 4, and a few waste piles. Smaller decks
//! have fewer foundations or ranks.
//!
//! Cards are turned one at a time. A card goes onto a foundation that wants it or onto any waste pile; the top of a waste
//! pile may go up at any time. The skill is the order of the piles. Chance is strong, but nearly every deal can be solved,
//! so that success measures play and not luck.
//!
//! The key decision: a position holds the *counts* of the stock and never its order, and turning a card is a chance turn.
//! The order is exchangeable, so this is exactly the game, and no searcher can peek. Rejected: a shuffled stock in the
//! position, which would reveal the future to every copy of it.
//!
//! | file | holds |
//! |---|---|
//! | `rank`, `deck` | the thirteen ranks; the ranks and suits of a deck |
//! | `moves` | a move as one byte, and its meaning |
//! | `foundations`, `stock` | the ranks wanted; the cards left |
//! | `position` | both with the piles and the hand |
//! | `options` | piles, layout, foundation rule, reward |
//! | `rules` | the game |
//! | `catalogue` | its options, evaluations and policies for manifests |
//! | `text`, `drawing` | positions written, read and drawn |
//! | `clairvoyant` | whether a deal can be won if the stock is known: a bound, not a player |
//! | `evaluations` | cards up, and the disorder of the piles |
//! | `policies` | two rules of thumb |
//! | `vector` | playouts of many games in vector lanes |
//! | `king_rules` | rules by hand: the pile with the least harm |

mod catalogue;
mod clairvoyant;
mod deck;
mod drawing;
mod evaluations;
mod foundations;
mod king_rules;
mod moves;
mod options;
mod policies;
mod position;
mod rank;
mod rules;
mod stock;
mod text;
mod vector;

pub use clairvoyant::{Clairvoyant, Solution, Verdict};
pub use deck::Deck;
pub use evaluations::{CardsUp, Order};
pub use king_rules::KingRules;
pub use moves::{Move, MoveKind};
pub use options::{FoundationRule, Layout, Reward};
pub use policies::{FoundationFirst, WasteFirst};
pub use position::Position;
pub use rank::Rank;
pub use rules::Calculation;
pub use text::PositionError;
