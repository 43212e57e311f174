//! The integration tests, one binary: what the library and the command promise together.

mod support;

mod alpha_beta;
mod architecture;
mod bandits;
mod budget;
mod calculation;
mod clairvoyant;
mod cli;
mod cli_profile;
mod cli_stats;
mod conformance;
mod connect_four;
mod exact;
mod experiment;
mod frontier;
mod lock_step;
mod log;
mod manifest;
mod nested;
mod openings;
mod othello;
mod policies;
mod profile;
mod random_tree;
mod readme;
mod report;
mod resume;
mod search;
mod stopping;
mod tic_tac_toe;
mod uct;
mod user_game;
mod validate;
