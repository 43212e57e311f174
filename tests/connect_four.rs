//! The example game of Connect Four, for tests of what a user's game gets.

#[path = "../examples/connect-four/game.rs"]
pub(crate) mod game;
