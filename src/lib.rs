//! **Shikou** (思考 to think, 試行 to try): a research harness for Monte Carlo search.
#![doc = ""]

pub mod rng;

pub mod stats;

pub mod game;

pub mod games;

pub mod search;

pub mod players;

pub mod experiment;

pub mod report;

pub mod cli;
