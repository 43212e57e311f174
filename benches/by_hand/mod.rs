//! Playout loops for one game each, written without the trait `Game`: the baseline for its cost.
//!
//! They are what a competent programmer would write for this one game: scalar and fast. They
//! take the same draws in the same order as the generic loop, so both must give the same tally.

mod calculation;
mod othello;
mod tic_tac_toe;

pub(crate) use calculation::{CalculationByHand, Choice};
pub(crate) use othello::OthelloByHand;
pub(crate) use tic_tac_toe::TicTacToeByHand;
