//! Learning and optimisation: numbers in, numbers out, the same bytes for any number of threads and on every processor.
//!
//! | room | holds |
//! |---|---|
//! | [`learn`](mod@learn) | networks from [`Samples`](learn::Samples), and weights of n-tuples, networks and policies from games |
//! | [`optimise`] | methods that ask for fitness and are told it: genetic, CMA-ES, NTBEA, SPSA, local search |
//!
//! Neither opens a file: the crate `shikou-lab` runs trainings and optimisations, and keeps them.

use shikou_base::{rng, words};
use shikou_core::game;
use shikou_stats as stats;

pub mod learn;
pub mod optimise;
