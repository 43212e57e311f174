//! The option `end` of every searcher: how the last turns of chance are played.
//!
//! The key decision: an option that the declaration of every searcher has besides its own. So it is read, listed, swept and part
//! of a trial's identity like any other, and a searcher of one's own has it too. Rejected: a searcher that holds another, which
//! would need a budget and options of another searcher inside its own.

use super::recipe::{FitError, Fitted, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options, integer, part, parts};
use crate::search::ExactEnd;

/// The name of the option.
pub const END: &str = "end";

parts! {
    /// How the last turns of chance are played.
    #[derive(Clone, Debug)]
    pub(super) enum End {
        /// by the searcher, like all other turns
        None {},
        /// exactly, by a search of every line: Michie 1966, Ballard 1983
        Exact {
            /// turns of chance, such as cards, from which the end is searched
            turns: u32 = integer(1..=100, 4).capped(2),
            /// the most positions of an exact decision; if it needs more, the searcher decides
            positions: u64 = integer(1..=1_000_000_000, 100_000).capped(1000),
        },
    }
}

impl End {
    pub(super) fn decl() -> OptionDecl {
        part::<Self>().decl(END, "how the last turns of chance of a solitaire are played")
    }

    /// The choice among options of a searcher.
    pub(super) fn of(options: &Options) -> Self {
        part().read(END, options)
    }

    /// Whether it is the search of every line.
    pub(super) const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact { .. })
    }

    /// The recipe whose machines end so.
    pub(super) fn of_recipe<G: Game>(&self, game: &G, recipe: Recipe<G>) -> Fitted<G> {
        let Self::Exact { turns, positions } = *self else { return Ok(recipe) };
        let facts = game.facts();
        if facts.players != 1 || !facts.chance {
            let reason =
                "an exact end is for solitaires of chance, such as calculation; write end = \"none\"";
            return Err(FitError::option(END, reason));
        }
        Ok(recipe.map(move |machine| Box::new(ExactEnd::new(machine, turns, positions))))
    }
}
