//! The rules as tables.

use super::super::foundations::sequence;
use super::super::{Calculation, FoundationRule, Rank};
use super::LanePolicy;

/// A rank that no card has.
pub(super) const NEVER: u8 = 15;

/// The rank that a complete foundation wants.
const COMPLETE: u8 = 14;

/// The number of piles in a bank.
pub(super) const BANK: u8 = 4;

/// The rules of a game and of a policy, as bytes.
pub(super) struct Tables {
    /// For each foundation and rank that it takes, the rank that it wants next.
    pub(super) after: [[u8; 16]; 4],
    /// The number of piles.
    pub(super) piles: u8,
    /// Whether only the first of the empty piles may be chosen.
    pub(super) merge_empty: bool,
    /// The policy.
    pub(super) policy: LanePolicy,
    /// Whether cards go up by themselves, without a turn.
    pub(super) automatic: bool,
}

impl Tables {
    pub(super) fn new(game: &Calculation, policy: LanePolicy) -> Self {
        Self {
            after: [0, 1, 2, 3].map(|index| after(game.deck.ranks(), index)),
            piles: game.piles,
            merge_empty: game.merge_empty,
            policy,
            automatic: game.foundation == FoundationRule::Automatic,
        }
    }
}

/// The rank that foundation `index` (from 0) wants after each.
fn after(ranks: u8, index: u8) -> [u8; 16] {
    let mut after = [NEVER; 16];
    let next = sequence(ranks, index).skip(1).map(Rank::number).chain([COMPLETE]);
    for (rank, next) in sequence(ranks, index).zip(next) {
        after[usize::from(rank.number())] = next;
    }
    after
}
