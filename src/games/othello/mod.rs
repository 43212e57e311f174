//! Othello on 8×8, 6×6 and 4×4 boards.
//!
//! The key decision: every board is two masks of 64 bits, and a smaller board lies in the upper left corner
//! of the large one. So one set of bit functions serves all sizes; the game masks their result with the
//! squares that it plays on. Rejected: a const generic for the size, which would compile every searcher three
//! times and make the size something that a manifest cannot say.
//!
//! The second: a position carries the legal moves of the player whose turn it is. They are found once, when
//! the move before is made, which must look for them anyway to know whether the next player has to pass; so
//! asking whose turn it is, how many moves there are and which they are costs nothing.
//!
//! | file | holds |
//! |---|---|
//! | `rules` | the game with its options |
//! | `position`, `moves` | the position; the move, a square or a pass |
//! | `board` | legal moves and flips as pure functions of two masks |
//! | `notation` | moves, transcripts, boards and drawings as text |
//! | `wthor` | the database of tournament games between people |
//! | `evaluations` | discs, weights, mobility |
//! | `greedy` | evaluations of simple players |
//! | `hints` | what a search is told: order, bounds, the end |
//! | `stability`, `tail` | discs that stay; the last few empty squares |
//! | `stages` | the parts of a playout, to be timed |
//! | `vector` | uniform playouts of many games in vector lanes |

pub mod board;
mod evaluations;
mod features;
mod greedy;
mod hints;
mod moves;
mod notation;
mod position;
mod rules;
mod stability;
mod stages;
mod tail;
mod vector;
pub mod wthor;

pub use evaluations::{Discs, Mobility, Weights};
pub use greedy::{Choices, Hand};
pub use moves::Move;
pub use notation::BoardError;
pub use position::Position;
pub use rules::{Empties, Othello, Reward};

pub use crate::game::Path;
