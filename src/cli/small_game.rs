//! What the commands share that enumerate a small game: `exact`, `prove` and `diverge`.

use clap::Args;

use super::error::CommandError;
use super::field::Field;
use super::groups::GameArguments;
use crate::exact::{ExactError, Known};
use crate::players::{Explored, NamedPlayer, Registry};
use crate::report::counted;

/// The part of a help text about players.
pub(super) const PLAYERS: &str = "\
A player is a searcher with its options in brackets; the name of a rule list or a policy of the
game (`shikou games NAME` lists them); or, if a manifest is given instead of the game, the name of
one of its players. Exact answers need players that state the probability of each move: rules,
policies, random, minimax, expectimax and greedy players.";

/// A game that is small enough to be enumerated.
#[derive(Args)]
pub(super) struct SmallGameArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The largest number of positions to hold in memory
    #[arg(long, value_name = "POSITIONS", default_value_t = 5_000_000)]
    most: u32,
}

impl SmallGameArguments {
    /// The game with its named players.
    pub(super) fn field(&self, registry: &Registry) -> Result<Field, CommandError> {
        Field::new(registry, &self.game)
    }

    /// All positions of the game.
    pub(super) fn explore<'f>(&self, field: &'f Field) -> Result<Box<dyn Explored + 'f>, CommandError> {
        field.explore("", self.most as usize)
    }
}

impl From<ExactError> for CommandError {
    fn from(error: ExactError) -> Self {
        Self::usage(error)
    }
}

/// A player with its move probabilities in every position.
pub(super) fn known<'g>(all: &'g dyn Explored, player: &NamedPlayer) -> Result<Known<'g>, CommandError> {
    Ok(Known::new(all, &player.name, &player.searcher)?)
}

/// The game and its number of positions.
pub(super) fn headline(field: &Field, all: &dyn Explored) -> String {
    format!("{}: all {}", field.game.spec(), counted(all.graph().len() as u64, "position"))
}

/// The written moves of a sequence of edges from a position.
pub(super) fn written(all: &dyn Explored, from: u32, line: &[usize]) -> Vec<String> {
    let mut at = from;
    let write = |&edge: &usize| {
        let text = all.moves(at).swap_remove(edge);
        at = all.graph().edges(at)[edge].to;
        text
    };
    line.iter().map(write).collect()
}
