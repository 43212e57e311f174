//! The games, one room each. A game knows its rules, its notation and what only it knows, and no searcher.

pub mod tic_tac_toe;
