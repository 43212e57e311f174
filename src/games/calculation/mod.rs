//! Calculation, a solitaire: four foundations that count in steps of 1, 2, 3 and 4, and a few waste piles. Smaller decks
//! have fewer foundations or ranks.
//!
//! Cards are turned one at a time. A card goes onto a foundation that wants it or onto any waste pile; the top
//! of a waste pile may go up at any time. All skill lies in the order of the piles. Chance is strong but
//! nearly every deal can be solved, so that success measures play and not luck.
//!
//! The key decision: a position holds the *counts* of the stock and never its order, and turning a card is
//! chance's turn. The order is exchangeable, so this is exactly the game, and a searcher that peeks cannot be
//! written. Rejected: a shuffled stock in the position, which would tell every copy of it the future.
//!
//! | file | holds |
//! |---|---|
//! | `rank`, `deck` | the thirteen ranks; how many of them there are, and suits |
//! | `moves` | a move as one byte, and its meaning |
//! | `foundations`, `stock` | who wants which rank; what is left |
//! | `position` | both with the piles and the hand |
//! | `variant` | the options: piles, layout, foundation rule, reward |
//! | `rules` | the game |
//! | `text`, `drawing` | positions written, read and drawn |
//! | `clairvoyant` | what could be won if the stock were known: a bound, not a player |
//! | `evaluations` | cards up, and what lies in the wrong order |
//! | `policies` | two rules of thumb that play games out |
//! | `vector` | playouts of many games in vector lanes |
//! | `king_rules` | rules by hand: where a card that cannot go up does least harm |

mod clairvoyant;
mod deck;
mod drawing;
mod evaluations;
mod foundations;
mod king_rules;
mod moves;
mod policies;
mod position;
mod rank;
mod rules;
mod stock;
mod text;
mod variant;
mod vector;

pub use clairvoyant::{Clairvoyant, Solution, Verdict};
pub use deck::Deck;
pub use evaluations::{CardsUp, Order};
pub use king_rules::KingRules;
pub use moves::{Move, MoveKind};
pub use policies::{FoundationFirst, WasteFirst};
pub use position::Position;
pub use rank::Rank;
pub use rules::Calculation;
pub use text::PositionError;
pub use variant::{FoundationRule, Layout, Reward};
