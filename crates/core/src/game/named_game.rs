//! The catalogue of a game: its name, its options, and all that manifests and commands may name of it; patterns for lists of
//! rules, and file formats of games that were played elsewhere.

use std::fmt;
use std::sync::Arc;

use super::options::{OptionDecl, OptionError, Options};
use super::tuples::Board;
use super::{Bags, Game, NamedEvaluation, NamedFeatures, NamedPolicy, Outcome};
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

    /// The bags of a position, for networks that learn the values of a solitaire.
    const BAGS: Option<Bags<Self>> = None;

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
#[expect(clippy::type_complexity, reason = "a function that one game has needs no name")]
pub struct Entries<G: Game> {
    /// The policies. The first is `uniform`.
    pub policies: Vec<NamedPolicy<G>>,
    /// The evaluations. The first is the default.
    pub evaluations: Vec<NamedEvaluation<G>>,
    /// The features that a linear evaluation may use. The first is the default.
    pub features: Vec<NamedFeatures<G>>,
    /// The squares of the board, for n-tuples.
    pub board: Option<Arc<dyn Board<G>>>,
    /// The patterns that rules may count; see [`RuleList`](super::RuleList).
    pub patterns: Vec<NamedPattern<G>>,
    /// The pattern that a word describes if it is not the name of a pattern, such as a picture in square brackets. `None`
    /// if it describes none; the error is the reason why the description is wrong.
    pub described: fn(&str) -> Option<Result<PatternOf<G>, String>>,
    /// The lists of rules.
    pub rule_lists: Vec<NamedRules>,
    /// A search for a win of the deal of a stream, with the hidden order known: a bound, never a player. The number is about
    /// the most positions. It returns whether the deal can be won, if that was decided, and the positions examined.
    pub deal_solver: Option<fn(&G, Stream, u64) -> (Option<bool>, u64)>,
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
            patterns: Vec::new(),
            described: |_| None,
            rule_lists: Vec::new(),
            deal_solver: None,
            record_formats: Vec::new(),
        }
    }
}

/// A recorded game, replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRecord {
    /// The plies, passes included, up to the end or to the first illegal move.
    pub plies: u32,
    /// The passes among them.
    pub passes: u32,
    /// The end of the game, or a description of the first illegal move.
    pub end: Result<RecordEnd, String>,
}

/// The position after the moves of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The outcome for the first player; `None` if the game is unfinished.
    pub outcome: Option<Outcome>,
    /// The score by the moves, in the usual notation.
    pub score: String,
    /// The difference from the recorded score, in words.
    pub mismatch: Option<String>,
}

/// A file format that a game can read.
#[derive(Clone, Copy)]
#[expect(clippy::type_complexity, reason = "a function of a format needs no name")]
pub struct RecordFormat {
    /// The name in manifests: `wthor`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The extension of its files: `wtb`.
    pub extension: &'static str,
    /// Reads the bytes of a file: for each of its games the notations of the moves from the start. The error is a reason in
    /// words. It need not check that moves are legal, and may omit forced moves that the game's transcripts omit.
    pub read: fn(&[u8]) -> Result<Vec<Vec<String>>, String>,
    /// Reads the bytes of a file and replays its games; the error is a reason in words.
    pub replay: fn(&[u8]) -> Result<Vec<ReplayedRecord>, String>,
}

impl fmt::Debug for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFormat").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A count for a move: how often a pattern is on the board after it, or whether a condition holds (1 or 0), from the view of
/// the player who makes the move. Every function of the game, the position before, the move and the position after is one.
///
/// # Laws
/// - The count depends on the arguments only.
/// - Callers pass a position at a player's turn, a legal move and the position after it.
pub type PatternOf<G> =
    Arc<dyn Fn(&G, &<G as Game>::Position, <G as Game>::Move, &<G as Game>::Position) -> i32 + Send + Sync>;

/// A pattern in a game's catalogue: a name, a description, and the pattern.
#[derive(Clone)]
pub struct NamedPattern<G: Game> {
    /// The name in rules: letters, digits and `-`, but not a number.
    pub name: String,
    /// A one-line description.
    pub about: String,
    /// The pattern.
    pub pattern: PatternOf<G>,
}

impl<G: Game> NamedPattern<G> {
    /// A pattern under a name.
    pub fn new(
        name: impl Into<String>,
        about: impl Into<String>,
        pattern: impl Fn(&G, &G::Position, G::Move, &G::Position) -> i32 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), about: about.into(), pattern: Arc::new(pattern) }
    }
}

/// A list of rules in a game's catalogue: a name, a description, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NamedRules {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The text that [`RuleList::parse`](super::RuleList::parse) reads.
    pub text: &'static str,
}
