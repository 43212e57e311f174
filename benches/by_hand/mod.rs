//! Playout loops for one game each, written without the trait `Game`: the baseline for its cost.
//!
//! A competent programmer would write them so for one game: scalar and fast. The draws and their order are those of the generic
//! loop, so both must give the same tally.

pub(crate) mod boards;
mod calculation;
mod othello;
mod tic_tac_toe;

pub(crate) use calculation::{CalculationByHand, Choice};
pub(crate) use othello::OthelloByHand;
pub(crate) use tic_tac_toe::TicTacToeByHand;
