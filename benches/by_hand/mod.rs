//! Playout loops for one game each, written without the trait `Game`: what its price is measured against.
//!
//! They are what a competent programmer would write for this one game: scalar and fast. They
//! take the same draws in the same order as the generic loop, so that both must come to the same tally.

mod calculation;
mod othello;
mod tic_tac_toe;

pub(crate) use calculation::{CalculationByHand, Choice};
pub(crate) use othello::OthelloByHand;
pub(crate) use tic_tac_toe::TicTacToeByHand;
