//! Commands that enumerate a small game: `exact` and `prove`; and `explain`.

mod arguments;
mod explain;
mod meetings;
mod missed;
mod prove;

pub(super) use arguments::{ExactArguments, ExplainArguments, ProveArguments, SmallGameArguments};
pub(super) use explain::explain;
pub(super) use meetings::exact;
pub(super) use prove::prove;

use super::failure::Failure;
use super::field::Field;
use crate::exact::{Known, NoExact};
use crate::players::{Explored, NamedPlayer, Registry};
use crate::report::with_thousands;

impl From<NoExact> for Failure {
    fn from(error: NoExact) -> Self {
        Self::Usage(error.to_string())
    }
}

impl SmallGameArguments {
    fn field(&self, registry: &Registry) -> Result<Field, Failure> {
        Field::new(registry, &self.game)
    }

    pub(super) fn explore<'f>(&self, field: &'f Field) -> Result<Box<dyn Explored + 'f>, Failure> {
        field.explore("", self.most as usize)
    }
}

/// A player that all is known of.
pub(super) fn known<'g>(all: &'g dyn Explored, player: &NamedPlayer) -> Result<Known<'g>, Failure> {
    Ok(Known::new(all, &player.name, &player.searcher)?)
}

/// The game, and how many positions it has.
pub(super) fn headline(field: &Field, all: &dyn Explored) -> String {
    format!("{}: all {} positions", field.game.spec(), with_thousands(all.graph().len() as u64))
}

/// A line of moves from a position, by their places among the edges, as they are written.
fn written(all: &dyn Explored, from: u32, line: &[usize]) -> Vec<String> {
    let mut at = from;
    let write = |&edge: &usize| {
        let text = all.moves(at).swap_remove(edge);
        at = all.graph().edges(at)[edge].to;
        text
    };
    line.iter().map(write).collect()
}
