//! Results as people and programs read them, and the speed of playouts and searchers.
//!
//! | room | holds |
//! |---|---|
//! | [`report`] | a summary as a [`Document`](report::Document) with tables and figures, in every format of [`EXPORTERS`](report::EXPORTERS) |
//! | [`profile`] | measured times: playouts on each path of the processor, searchers under a budget, two builds compared |
//!
//! Everything here returns values; the command prints them.

use shikou_base::{rng, words};
use shikou_core::{game, search};
use shikou_lab::experiment;
use shikou_players::players;
use shikou_stats as stats;

pub mod profile;
pub mod report;
