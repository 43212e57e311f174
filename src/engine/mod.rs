//! Other programs that play: what they say, as text. This room knows no game.
//!
//! | file | holds |
//! |---|---|
//! | `lines` | lines of any length, with any bytes |
//! | `ggf` | games of Othello as NBoard writes them |

mod ggf;
mod lines;

pub use ggf::{GgfError, GgfGame, read_move, written_move};
pub use lines::{LONGEST_LINE, Line, Lines};
