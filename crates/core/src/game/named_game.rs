//! The catalogue of a game: its name, its options, and all that manifests and commands may name of it.

use std::sync::Arc;

use super::options::{OptionDecl, OptionError, Options};
use super::tuples::Board;
use super::{
    Bags, Game, NamedEvaluation, NamedFeatures, NamedPattern, NamedPolicy, NamedRules, PatternOf,
    RecordFormat,
};
use crate::rng::Stream;

/// A game that manifests and commands use by name.
///
/// The name, the description and `with_options` are required. [`conformance::check`](super::conformance::check) checks
/// everything in the catalogue.
pub trait NamedGame: Game {
    /// The name, in kebab case.
    const NAME: &'static str;

    /// A one-line description.
    const ABOUT: &'static str;

    /// The game's names for the first and the second player, such as black and white, if any.
    const SEATS: Option<[&'static str; 2]> = None;

    /// The options, as typed names and values, that `solve` sets unless the user does. Empty if the game is solved as
    /// it is played.
    const SOLVING: &'static [(&'static str, &'static str)] = &[];

    /// The options that it takes.
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    /// The game with these options, each within its declared range.
    ///
    /// # Errors
    /// If options contradict each other.
    fn with_options(options: &Options) -> Result<Self, OptionError>;

    /// All that manifests and commands may name. By default the policy `uniform` alone.
    fn entries(&self) -> Entries<Self> {
        Entries::default()
    }
}

/// All that manifests and commands may name of a game. The default has the policy `uniform` and nothing else.
pub struct Entries<G: Game> {
    /// The policies. The first is `uniform`.
    pub policies: Vec<NamedPolicy<G>>,
    /// The evaluations. The first is the default.
    pub evaluations: Vec<NamedEvaluation<G>>,
    /// The features that a linear evaluation may use. The first is the default.
    pub features: Vec<NamedFeatures<G>>,
    /// The squares of the board, for n-tuples.
    pub board: Option<Arc<dyn Board<G>>>,
    /// The bags of a position, for networks that learn its values.
    pub bags: Option<Arc<dyn Bags<G>>>,
    /// The patterns that rules may count; see [`RuleList`](super::RuleList).
    pub patterns: Vec<NamedPattern<G>>,
    /// The pattern that a word describes if it is not the name of a pattern, such as a picture in square brackets. `None`
    /// if it describes none; the error is the reason why the description is wrong.
    pub described: fn(&str) -> Option<Result<PatternOf<G>, String>>,
    /// The lists of rules.
    pub rule_lists: Vec<NamedRules>,
    /// The search of a deal from a stream for a win with the hidden order known, within about so many positions: a bound,
    /// never a player.
    pub deal_solver: Option<fn(&G, Stream, u64) -> DealSolution>,
    /// The formats of game records that it can read. Openings can be taken from records.
    pub record_formats: Vec<RecordFormat>,
}

impl<G: Game> Default for Entries<G> {
    fn default() -> Self {
        Self {
            policies: vec![NamedPolicy::uniform()],
            evaluations: Vec::new(),
            features: Vec::new(),
            board: None,
            bags: None,
            patterns: Vec::new(),
            described: |_| None,
            rule_lists: Vec::new(),
            deal_solver: None,
            record_formats: Vec::new(),
        }
    }
}

/// Whether a deal can be won with its hidden order known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealVerdict {
    /// It can be won.
    Won,
    /// It cannot be won.
    Lost,
    /// The search did not decide within its limit.
    Undecided,
}

/// The verdict on a deal and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealSolution {
    /// The verdict.
    pub verdict: DealVerdict,
    /// The number of positions that the search examined.
    pub nodes: u64,
}
