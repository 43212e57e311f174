//! Positions of random trees, and the rules.

use super::{Leaves, RandomTree, Reward};
use crate::game::{Evaluation, Facts, Game, GameExt, Player, Turn};
use crate::rng::PlayoutKey;

/// A node of a random tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The hash of the path.
    key: PlayoutKey,
    level: u32,
    /// The sum along the path, or the planted value.
    pub(super) value: i32,
}

impl Position {
    /// The plies from the root to this node; 0 at the root.
    pub const fn level(&self) -> u32 {
        self.level
    }
}

// The children of a node have the child keys 0, 1, …; these indices are for its other random choices.
/// The index for a node's own value, or for the value of the move that leads to it.
const VALUE: u64 = 1 << 32;
/// The index for the child that inherits the planted value.
const HEIR: u64 = VALUE + 1;
/// The index for the weight of an outcome of chance.
const WEIGHT: u64 = VALUE + 2;

/// A random choice of a node: one of `n`, with equal probabilities up to 2⁻³².
#[inline(always)]
fn choice(key: PlayoutKey, what: u64, n: u32) -> u32 {
    (((key.child(what).to_u64() >> 32) * u64::from(n)) >> 32) as u32
}

/// A random choice of a node among the numbers of a range.
#[inline(always)]
fn between(key: PlayoutKey, min: i32, max: i32) -> i32 {
    min + choice(key, VALUE, (max - min + 1) as u32) as i32
}

impl RandomTree {
    /// The value at the child `key` of a node.
    #[inline(always)]
    fn child_value(&self, node: &Position, key: PlayoutKey, mv: u32) -> i32 {
        let turn = self.turn(node);
        let range = self.settings.value_range as i32;
        match (self.settings.leaves, turn) {
            (Leaves::Planted, _) if choice(node.key, HEIR, self.settings.branching) == mv => node.value,
            (Leaves::Planted, turn) => {
                let (min, max) = self.settings.planted().into_inner();
                // No better for the player to move: the first player maximises, the second minimises.
                if turn == Turn::Player(Player::SECOND) {
                    between(key, node.value, max)
                } else {
                    between(key, min, node.value)
                }
            }
            (Leaves::PathSum, Turn::Player(Player::FIRST)) if self.settings.players == 2 => {
                node.value + between(key, 0, range)
            }
            (Leaves::PathSum, Turn::Player(Player::SECOND)) => node.value + between(key, -range, 0),
            (Leaves::PathSum, _) => node.value + between(key, -range, range),
        }
    }
}

impl Game for RandomTree {
    type Position = Position;
    type Move = u32;

    fn facts(&self) -> Facts {
        self.settings.facts()
    }

    fn start(&self) -> Position {
        let value = match self.settings.leaves {
            Leaves::PathSum => 0,
            Leaves::Planted => {
                let (min, max) = self.settings.planted().into_inner();
                between(self.root, min, max)
            }
        };
        Position { key: self.root, level: 0, value }
    }

    #[inline(always)]
    fn turn(&self, node: &Position) -> Turn {
        if node.level >= self.settings.depth {
            return Turn::Over;
        }
        let chance = self.settings.chance_levels(node.level);
        if self.settings.chance_levels(node.level + 1) > chance {
            return Turn::Chance;
        }
        Turn::Player(Player::new(((node.level - chance) % u32::from(self.settings.players)) as u8))
    }

    #[inline(always)]
    fn moves(&self, node: &Position) -> impl Iterator<Item = u32> {
        0..if matches!(self.turn(node), Turn::Player(_)) { self.settings.branching } else { 0 }
    }

    #[inline(always)]
    fn outcomes(&self, node: &Position) -> impl Iterator<Item = (u32, u32)> {
        let count = if self.turn(node) == Turn::Chance { self.settings.branching } else { 0 };
        (0..count).map(|mv| (mv, 1 + choice(node.key.child(u64::from(mv)), WEIGHT, 8)))
    }

    #[inline(always)]
    fn apply(&self, node: &mut Position, mv: u32) {
        let key = node.key.child(u64::from(mv));
        *node = Position { key, level: node.level + 1, value: self.child_value(node, key, mv) };
    }

    #[inline(always)]
    fn payoff(&self, node: &Position, player: Player) -> i32 {
        let value = match self.settings.reward {
            Reward::Score => node.value,
            Reward::Success if self.settings.players == 1 => i32::from(node.value > 0),
            Reward::Success => node.value.signum(),
        };
        if player == Player::FIRST { value } else { -value }
    }

    /// The first index that is not a child.
    #[inline(always)]
    fn move_number(&self, mv: u32) -> Option<u16> {
        (self.settings.branching <= 1 << 12).then_some(mv as u16)
    }

    /// The hash of the path, with the level and the value.
    #[inline(always)]
    fn key(&self, node: &Position) -> Option<u128> {
        let beside = u64::from(node.level) << 32 | u64::from(node.value as u32);
        Some(u128::from(node.key.to_u64()) << 64 | u128::from(beside))
    }

    fn notation(&self, _node: &Position, mv: u32) -> String {
        mv.to_string()
    }

    fn drawing(&self, node: &Position) -> String {
        let turn = match self.turn(node) {
            Turn::Player(player) => format!("{player} to move"),
            Turn::Chance => "chance to move".into(),
            Turn::Over => format!("over, worth {} to {}", self.payoff(node, Player::FIRST), Player::FIRST),
        };
        let sum = match self.settings.leaves {
            Leaves::PathSum => format!(", sum {}", node.value),
            Leaves::Planted => String::new(),
        };
        let (level, depth) = (node.level, self.settings.depth);
        format!("level {level} of {depth}, node {:016x}{sum}\n{turn}", node.key.to_u64())
    }

    /// Parses the number, because a node may have a million moves to search.
    fn parse_move(&self, node: &Position, text: &str) -> Option<u32> {
        let mv: u32 = text.parse().ok()?;
        let legal = self.turn(node) != Turn::Over && mv < self.settings.branching;
        (legal && mv.to_string() == text).then_some(mv)
    }
}

/// The path sum or the planted value for the first player, negated for the second. Clamped below 2²⁰.
pub(super) struct Value;

impl Evaluation<RandomTree> for Value {
    fn evaluate(&self, _game: &RandomTree, node: &Position, player: Player) -> i64 {
        const LARGEST: i64 = (1 << 20) - 1;
        let value = i64::from(node.value).clamp(-LARGEST, LARGEST);
        if player == Player::FIRST { value } else { -value }
    }

    /// The payoff itself if the reward is the value, which has the same unit.
    fn finished(&self, game: &RandomTree, node: &Position, player: Player) -> i64 {
        let payoff = i64::from(game.payoff(node, player));
        match game.settings.reward {
            Reward::Score => payoff,
            Reward::Success => payoff << 20,
        }
    }

    fn range(&self, game: &RandomTree) -> (i64, i64) {
        let facts = game.facts();
        let payoffs = (i64::from(facts.min_payoff), i64::from(facts.max_payoff));
        match game.settings.reward {
            Reward::Score => payoffs,
            // Sums along the path are smaller than 2²⁰.
            Reward::Success => (-1 << 20, 1 << 20),
        }
    }
}

impl RandomTree {
    /// The planted value of the game for the first player under best play. `None` for path sums, which need a search.
    ///
    /// # Cost
    /// One hash, whatever the size of the tree.
    pub fn value(&self) -> Option<i32> {
        self.value_of(&self.start())
    }

    /// The planted value of a node for the first player under best play, if there is one.
    pub fn value_of(&self, node: &Position) -> Option<i32> {
        (self.settings.leaves == Leaves::Planted).then_some(node.value)
    }

    /// The value of a node for the first player under best play, by full search: the reference for searchers.
    ///
    /// # Panics
    /// If there is a chance turn below the node: see [`RandomTree::expectimax`].
    ///
    /// # Cost
    /// Visits all `branching^(depth − level)` leaves.
    pub fn minimax(&self, node: &Position) -> i32 {
        let children = self.moves(node).map(|mv| self.minimax(&self.after(node, mv)));
        let best = match self.turn(node) {
            Turn::Over => return self.payoff(node, Player::FIRST),
            Turn::Player(Player::FIRST) => children.max(),
            Turn::Player(_) => children.min(),
            Turn::Chance => panic!("minimax is for trees without chance"),
        };
        best.expect("a player's turn has a move")
    }

    /// The expected value of a node for the first player under best play, by full search. Without chance it is
    /// [`RandomTree::minimax`]; with chance it is exact up to the rounding of one division for each chance turn.
    ///
    /// # Cost
    /// Visits all `branching^(depth − level)` leaves.
    pub fn expectimax(&self, node: &Position) -> f64 {
        let value = |mv| self.expectimax(&self.after(node, mv));
        match self.turn(node) {
            Turn::Over => f64::from(self.payoff(node, Player::FIRST)),
            Turn::Player(Player::FIRST) => self.moves(node).map(value).fold(f64::NEG_INFINITY, f64::max),
            Turn::Player(_) => self.moves(node).map(value).fold(f64::INFINITY, f64::min),
            Turn::Chance => {
                let (sum, weights) = self.outcomes(node).fold((0.0, 0.0), |(sum, weights), (mv, weight)| {
                    let weight = f64::from(weight);
                    (sum + weight * value(mv), weights + weight)
                });
                sum / weights
            }
        }
    }
}
