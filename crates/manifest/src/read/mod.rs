//! Reading a manifest: TOML in, typed questions out, each error at its place.

pub mod document;
mod evolved;
mod files;
mod fitness;
mod genes;
mod keys;
mod openings;
mod optimisation;
mod player;
mod section;
mod stopping;
mod sweep;
mod training;

pub(crate) use self::document::{
    Entry, Key, Section, Tagged, Value, array, gene, genes_below, in_order, integer, kind, option_value,
    options_of, options_typed, read_document, setting_of, shown_name, tagged, text, typed, typed_options,
    written_game,
};
pub(crate) use self::evolved::{check_results, read_evolved, with_extremes};
pub(crate) use self::files::{File, Files};
pub use self::files::{ManifestFile, read_file, read_to_the_end, read_whole};
pub(crate) use self::fitness::{
    Drawn, FitnessKeys, JudgeKeys, MOST_GENERATIONS, MOST_UNITS, Surroundings, opening, read_fitness,
    read_judge, repeats,
};
pub(crate) use self::genes::{GeneKeys, NormaliseKeys, StartKeys, read_genes};
pub(crate) use self::openings::read_openings;
pub(crate) use self::optimisation::{MOST_GAMES, OptimisationKeys, read_optimisation};
pub use self::player::player_named;
pub(crate) use self::player::{
    MOST_PLAYERS, finish_player, notation_or_table, read_files, read_players, read_searcher,
};
pub use self::section::read_game;
pub(crate) use self::section::{
    ExperimentKeys, MOST_MEMORY_MIB, PublishedKeys, few_pairs, few_players, limits, read_experiments,
};
use self::stopping::{Meetings, WrittenRule};
use self::sweep::Variant;
pub(crate) use self::training::{SamplesKeys, TrainingJudgeKeys, TrainingKeys, read_trainings};
use super::error::{Mistakes, PlacedError, Read, refused};
