//! Tests of rules and searches whose games are known types, built optimised like what they test.

mod support;

mod alpha_beta;
mod amazons;
mod boards;
mod calculation;
mod capture_go;
mod children;
mod conformance;
mod einstein;
mod exact;
mod graph;
mod move_codes;
mod nested;
mod othello;
mod puzzles;
mod random_tree;
mod search;
mod simple_tree;
mod soonest;
mod tic_tac_toe;
mod yavalath;

/// The folder of the whole project.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
