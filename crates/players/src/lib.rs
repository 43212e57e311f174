//! Games and searchers as data, and the machines built from them.
//!
//! | room | holds |
//! |---|---|
//! | [`players`] | a [`Registry`](players::Registry) of games and searchers by name, and games in progress whose type is erased |
//! | [`engine`] | other programs that play, by GTP or NBoard |
//! | [`exact`] | exact results of small games, as fractions |
//!
//! The searchers of `shikou-core` are compiled here with [some games](players::Classics), and with the others in `shikou-boards` and
//! `shikou-puzzles`: each with each takes the longest to build. `shikou::registry()` has them all.

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
