//! Experiments: a manifest asks, trials answer, a log keeps the truth, a summary says it.
//!
//! A program reads a [`Manifest`](experiment::Manifest), makes its [`Plan`](experiment::Plan), [runs](experiment::run) it
//! into [`Results`](experiment::Results), and folds the log into a [`Summary`](experiment::Summary). Trainings and
//! optimisations go the same way. How a summary looks is the matter of `shikou-report`.

// The lanes are x86-64's; the plain loop, which gives the same bytes, needs less.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, unused_variables, reason = "only the lanes of x86-64 use them")
)]

use shikou_base::{rng, words};
use shikou_core::{game, search};
use shikou_learn::{learn, optimise};
use shikou_manifest as manifest;
use shikou_players::{engine, players};
use shikou_stats as stats;

pub mod experiment;
