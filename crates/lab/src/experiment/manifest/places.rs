//! The places of players in a manifest: the bytes to underline if one does not fit its game.

use std::ops::Range;

use super::read::document::PlacedError;
use crate::game::options::Wording;
use crate::players::{AnyGame, FitError, Renamed, SearcherPlaces, SearcherSpec, SpecPart};

/// The places of the searchers of an experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) players: Vec<SearcherPlaces>,
    /// The judge of its openings.
    pub(crate) judge: Option<SearcherPlaces>,
}

impl Places {
    /// The options that are written by an older name, the first of each player.
    pub(super) fn renamed(&self) -> impl Iterator<Item = &Renamed> {
        self.players.iter().chain(&self.judge).filter_map(|searcher| searcher.renamed.as_ref())
    }

    /// The place of the part of a player, or of the judge if `player` is `None`, that does not fit.
    pub(super) fn of(&self, player: Option<usize>, error: &FitError) -> Range<usize> {
        let searcher = match player {
            Some(player) => self.players.get(player),
            None => self.judge.as_ref(),
        };
        searcher.map_or(0..0, |searcher| searcher.of(error))
    }
}

/// The error of a searcher that does not fit a game, with what to write instead.
pub(super) fn misfit(
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    span: Range<usize>,
    error: &FitError,
) -> PlacedError {
    let message = match error.part {
        SpecPart::NoBudget(limit) => {
            format!("{error}; write for example budget = {{ {} = 1000 }}", limit.name())
        }
        _ => format!("`{}` does not fit {}: {error}", searcher.text(Wording::Name), game.spec()),
    };
    PlacedError::new(span, message)
}
