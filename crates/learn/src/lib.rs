//! Networks from samples, weights from games, and methods that look for the best numbers.

use shikou_base::{rng, words};
use shikou_core::game;
use shikou_stats as stats;

pub mod learn;
pub mod optimise;
