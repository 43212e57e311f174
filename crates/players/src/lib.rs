//! Games and searchers as data, and the machines built from them.
//!
//! | room | holds |
//! |---|---|
//! | [`players`] | a [`Registry`](players::Registry) of games and searchers by name, and games in progress whose type is erased |
//! | [`engine`] | other programs that play, by GTP or NBoard |
//! | [`exact`] | exact results of small games, as fractions |
//!
//! The [standard registry](players::Registry::standard) has all games of `shikou-games` and all searchers of `shikou-core`. Here
//! each of them meets each, so this crate takes the longest to build.

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
