//! The kinds of derivation.
//!
//! A new kind is a declaration and an entry in [`KINDS`]. All randomness comes from the case's seed, and nothing depends on the
//! number of threads.

mod effects;
mod errors;
mod exact;
mod heredity;
mod network;
mod optimise;
mod play;
mod playouts;
pub(super) mod reference;
mod rules;
mod solve;
mod stats;

use std::error::Error;
use std::path::{Path, PathBuf};

use super::published::Found;
use crate::experiment::document::{PlacedError, Section};
use crate::experiment::read_game;
use crate::game::options::{self, Setting, integer, text};
use crate::players::files::{is_data, no_data, path_of};
use crate::players::{AnyGame, Registry};
use crate::report::Block;

/// The resources of a derivation.
pub struct Context<'r> {
    /// The registry of games.
    pub registry: &'r Registry,
    /// The number of threads.
    pub threads: usize,
    /// The folder of the committed results.
    pub references: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Yields {
    Exact,
    Rate,
    Mean,
    Paired,
}

impl Yields {
    /// The type in words, and the forms of a published figure that it can be compared with.
    pub(super) const fn about(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Exact => ("exact values", &["exact", "sampled", "between", "at-least"]),
            Self::Rate => ("a rate", &["exact", "rate", "between", "at-least", "more-than"]),
            Self::Mean => ("a mean", &["exact", "mean", "between", "at-least", "more-than"]),
            Self::Paired => ("a paired difference", &["exact", "between", "at-least", "more-than"]),
        }
    }
}

pub(super) trait Derive: Send + Sync {
    fn yields(&self) -> Yields {
        Yields::Exact
    }

    /// The figure; an error counts as a failed case.
    fn derive(&self, context: &Context<'_>) -> Derived;

    /// More tables of the derivation, if the case asks for them.
    fn tables(&self) -> Vec<Block> {
        Vec::new()
    }

    /// Whether the figure is read from committed results and not played.
    fn is_read(&self) -> bool {
        false
    }
}

type Derivation = Result<Box<dyn Derive>, PlacedError>;

/// Reads the parameters of a derivation from its section. The path is that of the cases file.
type Read = fn(&mut Section<'_>, &Path, &Registry) -> Derivation;

/// A result, or why there is none: any error in words.
type Derived<T = Found> = Result<T, Box<dyn Error + Send + Sync>>;

/// The kinds, by their names in cases.
pub(super) const KINDS: [(&str, Read); 18] = [
    ("perft", rules::read_perft),
    ("positions", rules::read_positions),
    ("solve", solve::read),
    ("exact", exact::read),
    ("prove", exact::read_prove),
    ("replay", rules::read_replay),
    ("wthor", rules::read_wthor),
    ("playouts", playouts::read),
    ("play", play::read),
    ("tournament", play::read_tournament),
    ("errors", errors::read),
    ("clairvoyant", rules::read_clairvoyant),
    ("stats", stats::read),
    ("optimise", optimise::read),
    ("effects", effects::read),
    ("heredity", heredity::read),
    ("reference", reference::read),
    ("network", network::read),
];

/// A derivation, each of whose parameters is read from its section as it says.
macro_rules! derivation {
    (
        $(#[$about:meta])*
        $read:ident($section:ident, $path:ident, $registry:ident) -> $name:ident
        { $($(#[$doc:meta])* $field:ident: $type:ty = $value:expr,)* }
    ) => {
        $(#[$about])*
        struct $name {
            $($(#[$doc])* $field: $type,)*
        }

        pub(super) fn $read(
            $section: &mut super::Section<'_>,
            $path: &super::Path,
            $registry: &super::Registry,
        ) -> super::Derivation {
            $(let $field = $value;)*
            $section.finish()?;
            Ok(Box::new($name { $($field,)* }))
        }
    };
}

use derivation;

/// The measures of a derivation, with the reader of its key `measure`.
macro_rules! measures {
    ($($(#[$about:meta])* $measure:ident,)*) => {
        #[derive(Clone, Copy, PartialEq)]
        enum Measure { $($(#[$about])* $measure,)* }

        impl Measure {
            fn read(section: &mut super::Section<'_>) -> Result<Self, super::PlacedError> {
                section.get("measure", &super::choice(&[
                    $((crate::game::options::kebab_name!($measure), Self::$measure),)*
                ]))
            }
        }
    };
}

use measures;

fn game(section: &mut Section<'_>, registry: &Registry) -> Result<std::sync::Arc<dyn AnyGame>, PlacedError> {
    read_game(section.require("game", "game = \"othello\"")?, registry)
}

/// A required integer of at least 1.
fn count<T: TryFrom<i64> + 'static>(most: i64) -> Setting<T> {
    integer(1..=most, ()).needed("100")
}

fn word(example: &str) -> Setting<String> {
    text("a text", "").needed(format!("{example:?}"))
}

fn seed() -> Setting<u64> {
    integer(0..=i64::MAX, 1)
}

fn choice<T: Copy + 'static>(choices: &[(&'static str, T)]) -> Setting<T> {
    let words: Vec<_> = choices.iter().map(|&(name, value)| (name, "", value)).collect();
    options::choice(words).needed(format!("{:?}", choices[0].0))
}

struct CsvFile {
    name: String,
    path: PathBuf,
}

struct Table {
    columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl CsvFile {
    /// Reads the key `file`: `data:` and a path in the folder of large data, or a path beside the cases file.
    pub(super) fn read(section: &mut Section<'_>, cases: &Path) -> Result<Self, PlacedError> {
        let name = section.get("file", &word("data:evolution/source-b.csv"))?;
        let path = path_of(&name, cases.parent().unwrap_or(Path::new("")));
        Ok(Self { name, path })
    }

    /// The table; without the large data, the reason.
    pub(super) fn table(&self) -> Derived<Result<Table, String>> {
        if is_data(&self.name) && !self.path.is_file() {
            return Ok(Err(no_data(&self.name)));
        }
        let failed = |error: csv::Error| format!("{}: {error}", self.path.display());
        let mut reader = csv::Reader::from_path(&self.path).map_err(failed)?;
        let columns = reader.headers().map_err(failed)?.iter().map(String::from).collect();
        let row = |row: Result<csv::StringRecord, csv::Error>| {
            Ok(row.map_err(failed)?.iter().map(String::from).collect())
        };
        let rows = reader.records().map(row).collect::<Derived<_>>()?;
        Ok(Ok(Table { columns, rows }))
    }
}

impl Table {
    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, String> {
        let place = self.columns.iter().position(|column| column == name);
        place.ok_or_else(|| format!("there is no column `{name}`, only {}", self.columns.join(", ")))
    }
}

/// A field as a number.
fn number(field: &str) -> Result<f64, String> {
    field.parse().map_err(|_| format!("`{field}` is not a number"))
}
