//! Results as documents, tables and figures, and the speed of playouts and searchers.

use shikou_base::{rng, words};
use shikou_core::{game, search};
use shikou_lab::experiment;
use shikou_players::players;
use shikou_stats as stats;

pub mod profile;
pub mod report;
