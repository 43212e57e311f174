//! The declarations of a searcher, as data.

use super::choices::End;
use crate::game::options::{OptionDecl, Options};
use crate::search::{Budget, Limit};

/// The declarations of a [`NamedSearcher`](super::NamedSearcher).
#[derive(Debug)]
#[expect(missing_docs, clippy::struct_excessive_bools, reason = "each is a constant of the trait")]
pub struct SearcherDecl {
    pub name: &'static str,
    pub about: &'static str,
    pub paper: &'static str,
    pub fits: &'static str,
    pub keeps: &'static [Limit],
    pub needs_budget: bool,
    pub values_unvisited: bool,
    pub follows_lines: bool,
    pub searches: bool,
    pub cases: &'static [&'static str],
    pub(super) options: fn() -> Vec<OptionDecl>,
    pub(super) foreign: &'static [OptionDecl],
    pub(super) claims: fn(&Options) -> Claims,
    pub(super) fingerprint: fn() -> String,
}

/// The meaning of the values of the moves that a search does not play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// The values.
    Values,
    /// Upper bounds of their values.
    Bounds,
    /// Upper bounds of the values of those that are not among the best.
    BoundsUnlessBest,
    /// Upper bounds of their values where an exact end decides.
    BoundsAtTheEnd,
}

/// The claims of a searcher with given settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Whether it decides the same in every run under a budget without time.
    pub repeats: bool,
    /// Whether a search that no budget stops finds the values under best play by all players.
    pub is_exact: bool,
    /// The meaning of its values of the moves that it does not play.
    pub others: Others,
    /// The depth in plies to which it visits every line of play, unless a budget stops it; `u32::MAX` is the end of the game.
    /// 0 if it leaves lines out.
    pub visits_every_line_to: u32,
    /// The limit that it divides beforehand, so that its budget must have it.
    pub divides: Option<Limit>,
}

impl Default for Claims {
    fn default() -> Self {
        Self {
            repeats: true,
            is_exact: false,
            others: Others::Values,
            visits_every_line_to: 0,
            divides: None,
        }
    }
}

impl SearcherDecl {
    /// The options that it takes: its own, and the choice of an exact end.
    pub fn options(&self) -> Vec<OptionDecl> {
        (self.options)().into_iter().chain(self.foreign.iter().cloned()).chain([End::decl()]).collect()
    }

    /// The options that it takes with this budget, by which some defaults are others.
    pub fn options_within(&self, budget: &Budget) -> Vec<OptionDecl> {
        let options = self.options();
        if budget.is_unlimited() {
            return options;
        }
        options.into_iter().map(OptionDecl::within_budget).collect()
    }

    /// A budget of `amount` playouts, or of `amount` nodes if it keeps no budget of playouts; unlimited if it keeps
    /// neither.
    pub fn budget_of(&self, amount: u64) -> Budget {
        let kept = [Limit::Playouts, Limit::Nodes].into_iter().find(|limit| self.keeps.contains(limit));
        kept.map_or(Budget::UNLIMITED, |limit| Budget::of(limit, amount))
    }

    /// The claims with these options, which must be [its own](Self::options).
    pub fn claims(&self, options: &Options) -> Claims {
        (self.claims)(options)
    }
}

/// Searchers are equal if they have the same name.
impl PartialEq for SearcherDecl {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
