//! Other programs that play: their processes, what they say, and how they are judged. This room knows no game.

mod client;
mod family;
mod ggf;
mod lines;
mod process;
mod verdict;

pub use client::{Engine, EngineMove, EngineSettings, GameClock, GameSoFar, Protocol};
pub use ggf::{GgfError, GgfGame, read_move, written_move};
pub use lines::{LONGEST_LINE, Line, read_lines};
pub use process::{allow_engines, stop_engines};
pub use verdict::{Failure, Verdict};

pub use crate::words::PASS;
