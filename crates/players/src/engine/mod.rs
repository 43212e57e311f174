//! Other programs that play: their processes, what they say, and how they are judged. This room knows no game.
//!
//! | file | holds |
//! |---|---|
//! | `client` | an engine at a table: asked for moves, judged by its clock |
//! | `process` | its process, and the permission to start one |
//! | `family` | the programs that it started, which end with it |
//! | `verdict` | how its games end |
//! | `lines` | lines of any length, with any bytes |
//! | `ggf` | games of Othello as NBoard writes them |

mod client;
mod family;
mod ggf;
mod lines;
mod process;
mod verdict;

pub use client::{Engine, EngineMove, EngineSettings, GameClock, GameSoFar, Speech};
pub use ggf::{GgfError, GgfGame, read_move, written_move};
pub use lines::{LONGEST_LINE, Line, Lines};
pub use process::{allow_engines, stop_engines};
pub use verdict::{Failure, Verdict};

pub use crate::words::PASS;
