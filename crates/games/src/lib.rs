//! The games, a file or a folder each. A game knows its rules, its notation and its catalogue, but no searcher.

// The lanes are x86-64's; the plain loop, which gives the same bytes, needs less.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, unused_variables, reason = "only the lanes of x86-64 use them")
)]

use shikou_base::{rng, words};
use shikou_core::{device, game};

#[macro_use]
mod registers;

pub mod amazons;
pub mod breakthrough;
pub mod calculation;
pub mod capture_go;
pub mod clobber;
pub mod domineering;
pub mod einstein;
mod grid;
pub mod hex;
pub mod k_in_a_row;
pub mod kalah;
pub mod left_moves;
pub mod morpion;
pub mod othello;
pub mod pig;
pub mod random_tree;
pub mod samegame;
#[cfg(test)]
mod testing;
pub mod tic_tac_toe;
pub mod twenty_forty_eight;
pub mod weak_schur;
pub mod yavalath;
