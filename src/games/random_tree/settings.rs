//! The options of random trees.

use std::ops::RangeInclusive;

use super::RandomTree;
use super::rules::Value;
use crate::game::options::{OptionDecl, OptionError, Options};
use crate::game::{Facts, NamedEvaluation, NamedGame};

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

/// The settings of a random tree; see the options of the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The moves of each node: 1 to 1 000 000, by default 2.
    pub branching: u32,
    /// The plies of each game: 0 to 1000, by default 10.
    pub depth: u32,
    /// The number of the tree, by default 0; in manifests up to 2⁶³ − 1.
    pub tree: u64,
    /// The number of players: 1 or 2, by default 2.
    pub players: u8,
    /// The values of leaves, by default path-sum.
    pub leaves: Leaves,
    /// The payoff of a leaf, by default success.
    pub reward: Reward,
    /// The period of chance levels: 3 means the levels 2, 5, 8, … 0, the default, means none.
    pub chance_every: u32,
    /// The largest value of a move (path-sum) or node (planted), 1 to 32 767, by default 127. A small range makes many
    /// ties.
    pub value_range: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            branching: 2,
            depth: 10,
            tree: 0,
            players: 2,
            leaves: Leaves::PathSum,
            reward: Reward::Success,
            chance_every: 0,
            value_range: 127,
        }
    }
}

/// The largest payoff of a game.
const LARGEST_PAYOFF: u64 = 1 << 15;

impl Settings {
    /// Checks the ranges, and that the settings are consistent.
    pub(super) fn check(&self) -> Result<(), OptionError> {
        let ranges: [(&str, u32, RangeInclusive<u32>); 4] = [
            ("branching", self.branching, 1..=1_000_000),
            ("depth", self.depth, 0..=1000),
            ("players", self.players.into(), 1..=2),
            ("value-range", self.value_range, 1..=32_767),
        ];
        for (name, value, range) in ranges {
            if !range.contains(&value) {
                let (min, max) = range.into_inner();
                return Err(OptionError::Value {
                    option: name.into(),
                    found: value.to_string(),
                    expected: format!("a whole number from {min} to {max}"),
                    suggestion: None,
                });
            }
        }
        if self.leaves == Leaves::Planted && self.chance_every > 0 {
            let text = "`chance-every` needs path-sum leaves: planted values do not support chance";
            return Err(OptionError::Other(text.into()));
        }
        if self.leaves == Leaves::PathSum
            && self.reward == Reward::Score
            && self.largest_sum() > LARGEST_PAYOFF
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
        match (self.reward, self.leaves) {
            (Reward::Success, _) => facts,
            (Reward::Score, Leaves::Planted) => {
                let (min, max) = self.planted().into_inner();
                facts.with_payoffs(min, max)
            }
            (Reward::Score, Leaves::PathSum) => {
                let largest = self.largest_sum() as i32;
                facts.with_payoffs(-largest, largest)
            }
        }
    }
}

impl NamedGame for RandomTree {
    const NAME: &'static str = "random-tree";
    const ABOUT: &'static str = "an abstract tree with known values, for the study of searchers";

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("branching", 1, 1_000_000, 2, "moves of each node"),
            OptionDecl::integer("depth", 0, 1000, 10, "plies of each game"),
            OptionDecl::integer("tree", 0, i64::MAX, 0, "number of the tree"),
            OptionDecl::integer("players", 1, 2, 2, "number of players"),
            OptionDecl::choice(
                "leaves",
                &[
                    ("path-sum", "the sum of the values of the moves along the path"),
                    ("planted", "chosen so that the value of every node is known"),
                ],
                "values of leaves",
            ),
            OptionDecl::choice(
                "reward",
                &[("success", "whether the leaf is a win"), ("score", "the value of the leaf")],
                "payoff of a leaf",
            ),
            OptionDecl::integer("chance-every", 0, 1000, 0, "period of chance levels; 0: none"),
            OptionDecl::integer("value-range", 1, 32_767, 127, "the largest value of a move or planted node"),
        ]
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let word = |name, of| options.word(name) == of;
        Self::new(Settings {
            branching: options.integer("branching") as u32,
            depth: options.integer("depth") as u32,
            tree: options.integer("tree") as u64,
            players: options.integer("players") as u8,
            leaves: if word("leaves", "planted") { Leaves::Planted } else { Leaves::PathSum },
            reward: if word("reward", "score") { Reward::Score } else { Reward::Success },
            chance_every: options.integer("chance-every") as u32,
            value_range: options.integer("value-range") as u32,
        })
    }

    fn evaluations(&self) -> Vec<NamedEvaluation<Self>> {
        match self.settings.leaves {
            Leaves::PathSum => vec![NamedEvaluation::new("sum", "the sum along the path so far", Value)],
            Leaves::Planted => vec![NamedEvaluation::new("planted", "the value under best play", Value)],
        }
    }
}
