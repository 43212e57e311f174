//! Othello on 8×8, 6×6 and 4×4 boards.
//!
//! The key decision: every board is two masks of 64 bits, and a smaller board is the upper left corner of the large one. So
//! one set of bit functions serves all sizes; the game masks their result with its squares. Rejected: a const generic for
//! the size, which would compile every searcher three times.
//!
//! The second decision: a position holds the legal moves of the player to move. Making a move finds them anyway, to see
//! whether the next player must pass, so the turn and the moves cost nothing more.
//!
//! | file | holds |
//! |---|---|
//! | `squares_board`, `places` | the squares for n-tuples, and their sums by windows or by places |
//! | `rules`, `catalogue` | the rules; options, evaluations, features, file format |
//! | `position` | the position, and the move: a square or a pass |
//! | `board` | legal moves and flips as pure functions of two masks |
//! | `notation` | moves, transcripts, boards and drawings as text; the picture of a position |
//! | `wthor` | the database of human tournament games |
//! | `children` | values of all children of a position, without making the moves; sums of weights of squares |
//! | `evaluations` | discs, weights, mobility |
//! | `features` | numbers that describe positions |
//! | `greedy` | evaluations of simple players |
//! | `replies` | the policy that leaves the fewest moves |
//! | `hints` | hints for search: order, bounds, exact ends |
//! | `stability`, `tail` | stable discs; the last few empty squares |
//! | `vector` | uniform playouts of many games in vector lanes |

pub mod board;
mod catalogue;
mod children;
mod evaluations;
mod features;
mod greedy;
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

pub use evaluations::{Discs, Mobility, Weights};
pub use greedy::{Choices, Freedom, Hand, OwnMoves};
pub use notation::BoardError;
pub use position::{Move, Position};
pub use replies::{Counted, FewestReplies};
pub use rules::{Empties, Othello, Reward};

pub use crate::game::Path;
