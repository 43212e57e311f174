//! The games, one room each. A game knows its rules, its notation and its catalogue, but no searcher.

pub mod calculation;
pub mod left_moves;
pub mod othello;
pub mod random_tree;
pub mod tic_tac_toe;
