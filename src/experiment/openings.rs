//! How the games for two begin.
//!
//! An opening is part of what a trial is, by its moves: a file of openings may be moved or renamed, and lines may
//! be added to it, without renaming a trial; another move in a line renames the trials that begin with it.

use std::cell::LazyCell;

use super::Experiment;
use super::identity::Roots;
use crate::game::Turn;
use crate::players::Table;
use crate::rng::Rng;

/// How the games of an experiment begin. Both games of a pair begin in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// With this many uniformly random plies, others for each instance; 0 is the start of the game.
    Random {
        /// The number of plies; chance's turns between them do not count.
        plies: u32,
    },
    /// Instance *i* begins with opening *i*.
    Listed {
        /// Where they come from, for people to read.
        source: String,
        /// Each opening as its moves from the start as they are written. There are at least as many as instances.
        lines: Vec<Vec<String>>,
    },
}

impl Openings {
    /// From the start of the game.
    pub const START: Self = Self::Random { plies: 0 };

    /// How many uniformly random plies begin each game.
    pub const fn random_plies(&self) -> u32 {
        match self {
            Self::Random { plies } => *plies,
            Self::Listed { .. } => 0,
        }
    }

    /// What an opening is, as an addition to "one opening": `of 4 random plies`. `None` for the start of the game.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Random { plies: 0 } => None,
            Self::Random { plies: 1 } => Some("of 1 random ply".into()),
            Self::Random { plies } => Some(format!("of {plies} random plies")),
            Self::Listed { source, .. } => Some(format!("of {source}")),
        }
    }

    /// The opening of an instance as its part in a trial's identity.
    pub(super) fn content(&self, instance: u64) -> String {
        match self {
            Self::Random { plies } => format!("random-plies={plies}"),
            Self::Listed { lines, .. } => format!("moves {}", lines[instance as usize].join(" ")),
        }
    }
}

/// Plays the opening of an instance. Chance's turns between random plies are answered by the deal.
pub(super) fn play(
    experiment: &Experiment,
    roots: &Roots,
    instance: u64,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) {
    match &experiment.openings {
        Openings::Random { plies: 0 } => {}
        Openings::Random { plies } => {
            play_random(*plies, &mut roots.opening(experiment, instance), table, deal);
        }
        Openings::Listed { lines, .. } => {
            for mv in &lines[instance as usize] {
                assert!(table.make_written_move(mv), "{mv} was legal when the manifest was read");
            }
        }
    }
}

fn play_random(
    plies: u32,
    rng: &mut Rng,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) {
    let mut left = plies;
    while left > 0 {
        match table.turn() {
            Turn::Over => return,
            Turn::Chance => table.let_chance_choose(deal),
            Turn::Player(_) => {
                table.make_random_move(rng);
                left -= 1;
            }
        }
    }
}
