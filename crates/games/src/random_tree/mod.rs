//! Random trees: abstract games with known or easily computed values.
//!
//! Everything is a hash of the path and nothing is stored, so a tree with a million moves per node and a thousand
//! levels costs no more than one with two moves and ten levels. The same `tree` number with another depth is the same
//! tree, cut at another level. Leaves are valued in two ways: *path-sum*, the P-games of Kocsis and Szepesvári (2006,
//! "Bandit based Monte-Carlo planning", section 3), in which random playouts are informative, and *planted*, in which
//! the value of every node under best play is known in advance, at any size. Rejected: independent values of leaves,
//! which make playouts almost uninformative.

mod rules;
mod settings;

pub use rules::Position;
pub use settings::{Leaves, Reward, Settings};

use crate::game::options::OptionError;
use crate::rng::{PlayoutKey, Stream};

/// A game whose tree is a hash: each turn has the moves 0, 1, …, one less than the branching factor, and all games have
/// the same number of plies.
///
/// Moves are written as numbers. Player *l* mod *players* moves at level *l*, counted from 0 at the root without chance
/// levels.
///
/// # Example: three ways to a value
/// ```
/// use shikou::game::Game;
/// use shikou::games::random_tree::{Leaves, RandomTree, Settings};
///
/// let planted = Settings { branching: 3, depth: 6, leaves: Leaves::Planted, ..Settings::default() };
/// let game = RandomTree::new(planted)?;
/// assert_eq!(game.value(), Some(game.minimax(&game.start())));
///
/// let huge = Settings { branching: 1_000_000, depth: 1000, ..planted };
/// assert!(RandomTree::new(huge)?.value().is_some()); // minimax would take long
///
/// let path_sum = Settings { leaves: Leaves::PathSum, ..planted };
/// assert_eq!(RandomTree::new(path_sum)?.value(), None); // known by search only
/// # Ok::<(), shikou::game::options::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomTree {
    settings: Settings,
    root: PlayoutKey,
}

impl RandomTree {
    /// The tree with these settings.
    ///
    /// # Errors
    /// If a setting is out of range, or settings contradict each other.
    pub fn new(settings: Settings) -> Result<Self, OptionError> {
        settings.check()?;
        let root = (Stream::new(settings.tree) / "random-tree").playout_key();
        Ok(Self { settings, root })
    }

    /// The settings of this tree.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl Default for RandomTree {
    /// The path-sum tree number 0 with two moves per node and ten plies.
    fn default() -> Self {
        Self::new(Settings::default()).expect("the defaults are consistent")
    }
}
