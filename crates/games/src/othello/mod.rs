//! Othello on 8×8, 6×6 and 4×4 boards.
//!
//! The key decision: every board is two masks of 64 bits, and a smaller board is the upper left corner of the large one. So
//! one set of bit functions serves all sizes; the game masks their result with its squares. Rejected: a const generic for
//! the size, which would compile every searcher three times.
//!
//! The second decision: a position holds the legal moves of the player to move. Making a move finds them anyway, to see
//! whether the next player must pass, so the turn and the moves cost nothing more.

pub mod board;
mod catalogue;
mod children;
mod evaluations;
mod features;
mod hints;
mod notation;
mod places;
mod position;
mod replies;
mod rules;
mod squares_board;
mod stability;
mod tail;
mod vector;
pub mod wthor;

pub use evaluations::{Choices, Discs, Freedom, Hand, Mobility, OwnMoves, Weights};
pub use notation::BoardError;
pub use position::{Move, Position};
pub use replies::{Counted, FewestReplies};
pub use rules::{Empties, Othello, Reward};

pub use crate::game::Path;
