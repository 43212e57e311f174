//! Random trees: a game that is nothing but its tree, with known or easily computed values.
//!
//! Everything is a hash of the path: nothing is stored, so a tree of a million moves a node and a thousand
//! levels costs as little as one of two and ten. The same `tree` number with another depth is the same tree,
//! cut elsewhere. Two ways to value the leaves: *path-sum*, the P-games of Kocsis and Szepesvári (2006,
//! "Bandit based Monte-Carlo planning", section 3), in which random playouts tell much about a node, and
//! *planted*, in which every node's value under best play is known beforehand, at any size. Rejected: leaves
//! of independent values, about which a playout tells next to nothing.
//!
//! | file | holds |
//! |---|---|
//! | `settings` | the options, and which of them go together |
//! | `rules` | positions and the rules |
//! | `values` | values under best play: planted, or by full search |

mod rules;
mod settings;
mod values;

pub use rules::Position;
pub use settings::{Leaves, Reward, Settings};

use crate::game::options::Invalid;
use crate::rng::{PlayoutKey, Stream};

/// A game whose tree is a hash: each turn has the moves 0, 1, … up to the branching factor, and all
/// games take the same number of plies.
///
/// Moves are written as their numbers. At level *l* (the root is level 0) player *l* mod *players* has the turn;
/// chance's levels, if there are any, are not counted.
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
/// assert!(RandomTree::new(huge)?.value().is_some()); // minimax would take a while
///
/// let path_sum = Settings { leaves: Leaves::PathSum, ..planted };
/// assert_eq!(RandomTree::new(path_sum)?.value(), None); // known by search only
/// # Ok::<(), shikou::game::options::Invalid>(())
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
    /// Where a setting is out of its range, or some do not go together.
    pub fn new(settings: Settings) -> Result<Self, Invalid> {
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
    /// The tree number 0 with two moves a node and ten plies, path-sum.
    fn default() -> Self {
        Self::new(Settings::default()).expect("the defaults go together")
    }
}
