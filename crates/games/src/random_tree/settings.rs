use std::ops::RangeInclusive;

use super::RandomTree;
use super::rules::Value;
use crate::game::options::{OptionDecl, OptionError, Options, Settings as _, choice, integer, settings};
use crate::game::{Entries, Facts, LARGEST_PAYOFF, NamedEvaluation, NamedGame};

/// The values of leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Each move has a value for the player who makes it, and the value of a leaf is the sum along its path.
    PathSum,
    /// Each node has a planted value. One child inherits it, and the others are no better for the player to move. So it
    /// is the node's value under best play.
    Planted,
}

/// The payoff of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// Success: for two players the sign of the value, for one player 1 if the value is positive, else 0.
    Success,
    /// The value of the leaf.
    Score,
}

settings! {
    /// The settings of a random tree: its options. With `chance_every` 3 the levels 2, 5, 8, … are chance levels. A small
    /// `value_range` makes many ties.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Settings {
        /// moves of each node
        branching: u32 = integer(1..=1_000_000, 2),
        /// plies of each game
        depth: u32 = integer(0..=1000, 10),
        /// number of the tree
        tree: u64 = integer(0..=i64::MAX, 0),
        /// number of players
        players: u8 = integer(1..=2, 2),
        /// values of leaves
        leaves: Leaves = choice([
            ("path-sum", "the sum of the values of the moves along the path", Leaves::PathSum),
            ("planted", "chosen so that the value of every node is known", Leaves::Planted),
        ]),
        /// payoff of a leaf
        reward: Reward = choice([
            ("success", "whether the leaf is a win", Reward::Success),
            ("score", "the value of the leaf", Reward::Score),
        ]),
        /// period of chance levels; 0: none
        chance_every: u32 = integer(0..=1000, 0),
        /// the largest value of a move or planted node
        value_range: u32 = integer(1..=32_767, 127),
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::read(&Options::new(&Self::options(), []).expect("defaults alone are in range"))
    }
}

impl Settings {
    /// Checks the ranges, and that the settings are consistent.
    pub(super) fn check(&self) -> Result<(), OptionError> {
        let given = [
            ("branching", i64::from(self.branching).into()),
            ("depth", i64::from(self.depth).into()),
            ("players", i64::from(self.players).into()),
            ("value-range", i64::from(self.value_range).into()),
        ];
        Options::new(&Self::options(), given)?;
        if self.leaves == Leaves::Planted && self.chance_every > 0 {
            let text = "`chance-every` needs path-sum leaves: planted values do not support chance";
            return Err(OptionError::Other(text.into()));
        }
        if self.leaves == Leaves::PathSum
            && self.reward == Reward::Score
            && self.largest_sum() > LARGEST_PAYOFF.into()
        {
            return Err(OptionError::Other(format!(
                "path sums go up to {}, but payoffs only to {LARGEST_PAYOFF}: lower `depth` or `value-range`, \
                 or pay success",
                self.largest_sum()
            )));
        }
        Ok(())
    }

    /// The number of chance levels above `level`.
    pub(super) fn chance_levels(&self, level: u32) -> u32 {
        level.checked_div(self.chance_every).unwrap_or(0)
    }

    /// The largest size of a path sum.
    fn largest_sum(&self) -> u64 {
        let chance = self.chance_levels(self.depth);
        // For two players, all moves of a player have one sign, and the first player has the extra move.
        let decided = (self.depth - chance).div_ceil(u32::from(self.players));
        u64::from(self.value_range) * u64::from(decided + chance)
    }

    /// The range of the value of a planted node.
    pub(super) fn planted(&self) -> RangeInclusive<i32> {
        match (self.reward, self.players) {
            (Reward::Score, _) => -(self.value_range as i32)..=self.value_range as i32,
            (Reward::Success, 1) => 0..=1,
            (Reward::Success, _) => -1..=1,
        }
    }

    pub(super) fn facts(&self) -> Facts {
        let facts = if self.players == 1 { Facts::solitaire() } else { Facts::two_player() };
        let facts = facts.with_max_plies(self.depth);
        let facts = Facts { chance: self.chance_levels(self.depth) > 0, ..facts };
        let (min, max) = match (self.reward, self.leaves) {
            (Reward::Success, _) => return facts,
            (Reward::Score, Leaves::Planted) => self.planted().into_inner(),
            (Reward::Score, Leaves::PathSum) => (-(self.largest_sum() as i32), self.largest_sum() as i32),
        };
        let facts = facts.with_payoffs(min, max);
        if self.players == 1 { facts.judged_by_score("points", min, max) } else { facts }
    }
}

impl NamedGame for RandomTree {
    const NAME: &'static str = "random-tree";
    const ABOUT: &'static str = "an abstract tree with known values, for the study of searchers";

    fn options() -> Vec<OptionDecl> {
        Settings::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        Self::new(Settings::read(options))
    }

    fn entries(&self) -> Entries<Self> {
        let (name, about) = match self.settings.leaves {
            Leaves::PathSum => ("sum", "the sum along the path so far"),
            Leaves::Planted => ("planted", "the value under best play"),
        };
        Entries { evaluations: vec![NamedEvaluation::new(name, about, Value)], ..Entries::default() }
    }
}
