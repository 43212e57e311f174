//! The integration tests, one binary: what the library and the command promise together.

mod support;

mod calculation;
mod conformance;
mod connect_four;
mod othello;
mod random_tree;
mod readme;
mod tic_tac_toe;
mod user_game;
