//! The catalogue of a game: its name, options, policies, evaluations and record formats.

use std::sync::Arc;

use super::deal::DealSolution;
use super::options::{OptionDecl, OptionError, Options};
use super::tuples::Board;
use super::{
    Bags, Game, NamedEvaluation, NamedFeatures, NamedPattern, NamedPolicy, NamedRules, Pattern, RecordFormat,
};
use crate::rng::Stream;

/// A game that manifests and commands use by name.
///
/// The name, the description and `with_options` are required. The rest is empty by default, except `policies`.
/// [`conformance::check`](super::conformance::check) checks everything in the catalogue.
pub trait NamedGame: Game {
    /// The name, in kebab case.
    const NAME: &'static str;

    /// A one-line description.
    const ABOUT: &'static str;

    /// The game's names for the first and the second player, such as black and white, if any.
    const SEATS: Option<[&'static str; 2]> = None;

    /// The options that it takes.
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    /// The game with these options, each within its declared range.
    ///
    /// # Errors
    /// If options contradict each other.
    fn with_options(options: &Options) -> Result<Self, OptionError>;

    /// The options, as typed names and values, that `solve` sets unless the user does. Empty if the game is solved as
    /// it is played.
    fn solving() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The policies that manifests may name. The first is `uniform`.
    fn policies(&self) -> Vec<NamedPolicy<Self>> {
        vec![NamedPolicy::uniform()]
    }

    /// The evaluations that manifests may name. The first is the default.
    fn evaluations(&self) -> Vec<NamedEvaluation<Self>> {
        Vec::new()
    }

    /// The features that a linear evaluation may use. The first entry is the default.
    fn features(&self) -> Vec<NamedFeatures<Self>> {
        Vec::new()
    }

    /// The squares of the board, for n-tuples. The default is none.
    fn board(&self) -> Option<Arc<dyn Board<Self>>> {
        None
    }

    /// The bags of a position, for networks that learn its values. The default is none.
    fn bags(&self) -> Option<Arc<dyn Bags<Self>>> {
        None
    }

    /// The patterns that rules may count; see [`RuleList`](super::RuleList).
    fn patterns(&self) -> Vec<NamedPattern<Self>> {
        Vec::new()
    }

    /// The pattern that a word describes if it is not the name of a pattern, such as a picture in square brackets.
    /// `None`, the default, if the game has no such patterns.
    ///
    /// # Errors
    /// If the description is wrong, with the reason.
    fn parse_pattern(&self, text: &str) -> Option<Result<Arc<dyn Pattern<Self>>, String>> {
        let _ = text;
        None
    }

    /// The lists of rules that manifests may name.
    fn rule_lists(&self) -> Vec<NamedRules> {
        Vec::new()
    }

    /// Draws a deal from a stream, and searches for a win with the hidden order known, within about `nodes` positions:
    /// a bound, never a player. `None`, the default, if the game has no such search.
    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<DealSolution> {
        let _ = (deal, nodes);
        None
    }

    /// The formats of game records that it can read. Openings can be taken from records.
    fn record_formats(&self) -> Vec<RecordFormat> {
        Vec::new()
    }
}
