//! Games and searchers as data, and the machines built from them.

// The lanes are x86-64's; the plain loop, which gives the same bytes, needs less.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, unused_variables, reason = "only the lanes of x86-64 use them")
)]

use shikou_base::{rng, words};
use shikou_core::{game, search};
use shikou_games as games;
use shikou_learn::learn;

pub mod engine;
pub mod exact;
pub mod players;
