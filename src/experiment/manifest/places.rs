//! The places of players in a manifest: the bytes to underline if one does not fit its game.

use std::ops::Range;

use crate::players::{FitError, SpecPart};

/// The places of the searchers of an experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) players: Vec<SearcherPlaces>,
    /// The judge of its openings.
    pub(crate) judge: Option<SearcherPlaces>,
}

/// The places of a searcher, its options and its budget.
#[derive(Clone, Debug)]
pub(crate) struct SearcherPlaces {
    pub(crate) name: Range<usize>,
    /// The options with those of parts inside them, outer ones first.
    pub(crate) options: Vec<(String, Range<usize>)>,
    pub(crate) limits: Vec<(String, Range<usize>)>,
}

impl Places {
    /// The place of the part of a player, or of the judge if `player` is `None`, that does not fit.
    pub(super) fn of(&self, player: Option<usize>, error: &FitError) -> Range<usize> {
        let searcher = match player {
            Some(player) => self.players.get(player),
            None => self.judge.as_ref(),
        };
        searcher.map_or(0..0, |searcher| searcher.of(error))
    }
}

impl SearcherPlaces {
    fn of(&self, error: &FitError) -> Range<usize> {
        let found = match error.part {
            SpecPart::Searcher | SpecPart::NoBudget(_) => None,
            SpecPart::Option(name) => find(&self.options, name),
            SpecPart::Budget(limit) => find(&self.limits, limit.name()),
        };
        found.unwrap_or_else(|| self.name.clone())
    }
}

fn find(places: &[(String, Range<usize>)], name: &str) -> Option<Range<usize>> {
    places.iter().find(|(known, _)| known == name).map(|(_, span)| span.clone())
}

/// Advice: what to write in a manifest instead.
pub(super) fn advice(error: &FitError) -> String {
    match error.part {
        SpecPart::NoBudget(limit) => format!("; write for example budget = {{ {} = 1000 }}", limit.name()),
        _ => String::new(),
    }
}
