//! The stages of a playout, each run alone over recorded plies, to show what takes the time.
//!
//! A stage alone runs faster than within a playout: its inputs are ready, and nothing waits for it. So the times of stages
//! are estimates and need not add up to that of the playout. Rejected: reading a clock between the stages of a ply, which
//! would take longer than the ply.

use std::hint::black_box;

use super::{Batch, Game, Kernel, Policy, Turn};
use crate::rng::PlayoutKey;

/// A stage of the plain loop of playouts, which every game and policy has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The turn.
    Turn,
    /// The policy's choice with its draws, at a player's turn.
    Choice,
    /// The outcome of chance with its draw, at a chance turn.
    Chance,
    /// One draw for every ply; choice and chance contain it.
    Draw,
    /// Making the move, in a copy of the position.
    Apply,
}

impl Stage {
    /// All of them, in the order of the loop.
    pub const ALL: [Self; 5] = [Self::Turn, Self::Choice, Self::Chance, Self::Draw, Self::Apply];

    /// The name, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Choice => "choice",
            Self::Chance => "chance",
            Self::Apply => "apply",
            Self::Draw => "draws",
        }
    }

    /// Whether it is part of other stages. If so, it is left out of their sum.
    pub const fn is_within(self) -> bool {
        matches!(self, Self::Draw)
    }

    /// A one-line description.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Turn => "whose turn it is",
            Self::Choice => "the policy's choice, with its draws",
            Self::Chance => "the outcome of chance, with its draw",
            Self::Apply => "making the move, in a copy of the position",
            Self::Draw => "one draw per ply",
        }
    }
}

/// The plies of a batch of playouts, one game after the other: the position before each, and the move of a player or the
/// outcome of chance: all of them, those of players, and those of chance.
pub(super) fn record_plies<G: Game>(
    game: &G,
    policy: &dyn Policy<G>,
    from: &G::Position,
    batch: Batch,
) -> [Vec<(G::Position, G::Move)>; 3] {
    let mut plies = [Vec::new(), Vec::new(), Vec::new()];
    for index in batch.first..batch.first + batch.count {
        let (mut position, mut draws) = (*from, batch.key.playout(index));
        loop {
            let (turn, mv) = match game.turn(&position) {
                Turn::Player(_) => (1, policy.choose(game, &position, &mut draws)),
                Turn::Chance => (2, game.random_outcome(&position, &mut draws)),
                Turn::Over => break,
            };
            plies[0].push((position, mv));
            plies[turn].push((position, mv));
            game.apply(&mut position, mv);
        }
    }
    plies
}

/// A stage of the plain loop, run once for every ply. Every ply must have this stage. The loop is compiled for the game and the
/// policy; a policy that is a trait object costs a virtual call per choice.
pub(super) struct StageLoop<'a, G: Game, P: ?Sized> {
    pub(super) game: &'a G,
    pub(super) policy: &'a P,
    pub(super) stage: Stage,
    pub(super) plies: &'a [(G::Position, G::Move)],
}

impl<G: Game, P: Policy<G> + ?Sized> Kernel for StageLoop<'_, G, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { game, policy, stage, plies } = self;
        let mut draws = PlayoutKey::new(plies.len() as u64).playout(0);
        match stage {
            Stage::Turn => {
                for (position, _) in plies {
                    black_box(game.turn(position));
                }
            }
            Stage::Choice => {
                for (position, _) in plies {
                    black_box(policy.choose(game, position, &mut draws));
                }
            }
            Stage::Chance => {
                for (position, _) in plies {
                    black_box(game.random_outcome(position, &mut draws));
                }
            }
            Stage::Apply => {
                for &(mut position, mv) in plies {
                    game.apply(&mut position, mv);
                    black_box(&position);
                }
            }
            Stage::Draw => {
                for _ in plies {
                    black_box(draws.next_u32());
                }
            }
        }
    }
}
