//! The ways in which a figure is derived, one a file.
//!
//! A new one is a file and an entry in [`KINDS`]. All that is random comes from a seed that the case states, and none of
//! it depends on the number of threads.

mod clairvoyant;
mod errors;
mod exact;
mod perft;
mod play;
mod playouts;
mod positions;
mod reference;
mod replay;
mod solve;
mod stats;
mod wthor;

use std::path::{Path, PathBuf};

use super::found::Found;
use crate::experiment::document::{Blame, Section, Value};
use crate::experiment::read_game;
use crate::players::{AnyGame, Registry};

/// What a derivation may use.
pub struct Context<'r> {
    /// The games.
    pub registry: &'r Registry,
    /// How many threads play.
    pub threads: usize,
    /// The folder with the results that are committed.
    pub references: PathBuf,
    /// The folder with large data, where there is one.
    pub data: Option<PathBuf>,
}

/// What a derivation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Yields {
    Exact,
    Rate,
    Mean,
    Paired,
}

impl Yields {
    /// In words, for a refusal.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Exact => "exact values",
            Self::Rate => "a rate",
            Self::Mean => "a mean",
            Self::Paired => "a paired difference",
        }
    }
}

/// A way of deriving a figure.
pub(super) trait Derive: Send + Sync {
    /// What comes out.
    fn yields(&self) -> Yields;

    /// Derives it.
    ///
    /// # Errors
    /// Where that is not possible; the case then counts as failed.
    fn derive(&self, context: &Context<'_>) -> Result<Found, String>;

    /// Whether it is read from committed results and not played.
    fn is_read(&self) -> bool {
        false
    }
}

/// Reads the parameters of a derivation; the path is that of the file.
type Read = fn(&Value<'_>, &Path, &Registry) -> Result<Box<dyn Derive>, Blame>;

/// The kinds by the names that cases use.
pub(super) const KINDS: [(&str, Read); 13] = [
    ("perft", perft::read),
    ("positions", positions::read),
    ("solve", solve::read),
    ("exact", exact::read),
    ("prove", exact::read_prove),
    ("replay", replay::read),
    ("wthor", wthor::read),
    ("playouts", playouts::read),
    ("play", play::read),
    ("errors", errors::read),
    ("clairvoyant", clairvoyant::read),
    ("stats", stats::read),
    ("reference", reference::read),
];

/// The game of a derivation.
fn game(section: &mut Section<'_>, registry: &Registry) -> Result<std::sync::Arc<dyn AnyGame>, Blame> {
    read_game(section.require("game", "game = \"othello\"")?, registry)
}

/// A whole number of at least 1 that must be there.
fn count(section: &mut Section<'_>, key: &'static str, most: i64) -> Result<u64, Blame> {
    let found = section.integer(key, 1..=most)?;
    found.map(|count| count as u64).ok_or_else(|| section.missing(key, &format!("{key} = 100")))
}

/// A text that must be there.
fn word(section: &mut Section<'_>, key: &'static str, example: &str) -> Result<String, Blame> {
    let found = section.text(key)?;
    found.ok_or_else(|| section.missing(key, example))
}

/// The seed, 1 where none is given.
fn seed(section: &mut Section<'_>) -> Result<u64, Blame> {
    Ok(section.integer("seed", 0..=i64::MAX)?.unwrap_or(1) as u64)
}

/// One of some named choices.
fn choice<T: Copy>(
    section: &mut Section<'_>,
    key: &'static str,
    choices: &[(&'static str, T)],
) -> Result<T, Blame> {
    let names = || choices.iter().map(|(name, _)| *name);
    let value = section.require(key, &format!("{key} = \"{}\"", choices[0].0))?;
    let name = crate::experiment::document::text(key, value)?;
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let invalid = crate::game::options::Invalid::unknown(key, &name, names());
        Blame::new(value.span(), invalid.to_string())
    })
}
