//! Settings that many searchers share: a playout policy, an evaluation, a depth, a rule for ties.
//!
//! A choice is the value of an option before the game is known; a [`Catalogue`](super::Catalogue) looks it up in a
//! game.
//!
//! # Example: the settings of flat Monte Carlo
//! ```
//! use shikou::game::options::{Settings, integer, settings};
//! use shikou::players::choices::{PolicyChoice, policy, ties};
//! use shikou::search::Ties;
//!
//! settings! {
//!     /// The settings of flat Monte Carlo.
//!     pub struct FlatSettings {
//!         /// playouts for each legal move
//!         playouts_per_move: u64 = integer(1..=1_000_000_000, 100).amount(4),
//!         /// how playouts choose their moves
//!         policy: PolicyChoice = policy(),
//!         /// which of several best moves is played
//!         ties: Ties = ties(Ties::Random),
//!     }
//! }
//! let names: Vec<&str> = FlatSettings::options().iter().map(|option| option.name).collect();
//! assert_eq!(names, ["playouts-per-move", "policy", "ties"]);
//! ```

use super::recipe::{FitError, Fitted, Recipe};
use crate::game::Game;
use crate::game::options::{
    Chosen, FileValue, NameOr, Numbers, OptionDecl, OptionKind, OptionValue, Options, Part, PartDecl, Parts,
    Setting, choice, evolved, file, integer, name_of, name_or_part, numbers, part, parts, real, real_or,
    rules, settings, tables, text,
};
use crate::game::tuples::Seen;
use crate::learn::{Activation, Squares};
use crate::search::ExactEnd;
pub use crate::search::ties;

parts! {
    /// The policies that every game has besides its own.
    #[derive(Clone, Debug)]
    pub enum GenericPolicy {
        /// the best move by an evaluation, and sometimes a random move
        EpsilonGreedy {
            /// the evaluation that judges moves; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
            /// probability of a random move
            epsilon: f64 = real(0.0..=1.0, 0.1),
        },
        /// moves with probabilities by the exponential of their evaluation
        Softmax {
            /// the evaluation that judges moves; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
            /// difference in evaluation that makes a move e times as likely
            temperature: f64 = real(1e-6..=1e9, 1.0),
            /// how a finished position is valued
            finished: FinishedChoice = FinishedChoice::setting(),
        },
        /// the best move by an evaluation, the first of several; it takes no random numbers, so that common ones give common chance
        Best {
            /// the evaluation that judges moves; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
            /// how a finished position is valued
            finished: FinishedChoice = FinishedChoice::setting(),
        },
        /// a best move by a list of rules
        Rules {
            /// the rules; "0" scores all moves alike, so it plays at random
            list: RuleChoice = rule_list(),
            /// other values for numbers that the list names, to a millionth
            numbers: Vec<RuleNumber> = tables(),
        },
    }
}

parts! {
    /// The evaluations that every game has besides its own, without sums.
    #[derive(Clone, Debug)]
    pub enum PlainEvaluation {
        /// the weighted sum of some features
        Linear {
            /// the features; "default" is the game's first
            features: String = name_of("features", "default"),
            /// a weight for each feature, in their order
            weights: Numbers = numbers(-1e6..=1e6),
            /// what real weights are rounded to multiples of; "auto": nothing if all are whole, else 0.000001
            unit: Option<f64> = unit(),
            /// a file of weights; after a # the row of a table
            file: Option<FileValue> = file(),
            /// the optimisation that finds the weights
            evolved: Option<FileValue> = evolved(),
        },
        /// weights by the owners of a few squares: Lucas 2007
        Tuples {
            /// the squares: "all-1" to "all-4" (straight lines), "2x2", or such as "11|10"; several with + between; a training by td without any tries some
            shapes: String = text("shapes such as \"all-2\", \"2x2\" or \"111|010\", with + between", ""),
            /// what a table of owners shows
            seen: Option<Seen> = choice([
                ("auto", "as the weights of a training or a file were learned, else negation", None),
                ("negation", "the first player's squares and the second's; negated for the second", Some(Seen::Negation)),
                ("inversion", "the squares of the player at the root and the other's", Some(Seen::Inversion)),
            ]).formerly_or("negation"),
            /// how many stages of the game have weights of their own: equal ranges of the number of squares with an owner
            stages: usize = integer(1..=64, 1),
            /// a weight for each way to own the squares of each table, in their order
            weights: Numbers = numbers(-1e6..=1e6),
            /// what weights are rounded to multiples of; "auto": 0.000001
            unit: Option<f64> = unit(),
            /// a file of weights, or a player of the Othello League, which has shapes of its own
            file: Option<FileValue> = file(),
            /// the optimisation that finds the weights
            evolved: Option<FileValue> = evolved(),
        },
        /// a network that sums over groups of things, such as piles, with values before chance: Zaheer et al. 2017
        Bags {
            /// the network, as safetensors
            file: Option<FileValue> = file(),
            /// the training that finds the network
            evolved: Option<FileValue> = evolved(),
            /// turns of chance, such as cards, that are looked through before values count
            ahead: u32 = integer(0..=100, 0).depth(1),
            /// how many of the best positions before chance are looked through, of those that the player's moves reach
            width: usize = integer(1..=1000, 3),
            /// and how much lower than the best the estimate of such a position may be
            margin: f64 = real(0.0..=1.0, 0.1),
            /// what values are rounded to multiples of; "auto": 0.000001
            unit: Option<f64> = unit(),
        },
        /// a network of dense layers
        Network {
            /// the network, as safetensors or as .npz of NumPy or Chainer
            file: Option<FileValue> = file(),
            /// the training that finds the network
            evolved: Option<FileValue> = evolved(),
            /// of all layers but the last, for a file that states none
            activation: Option<Activation> = choice([
                ("auto", "as the file states it, and tanh in .npz, which states none", None),
                ("tanh", "the hyperbolic tangent", Some(Activation::Tanh)),
                ("relu", "the sum, or 0 if it is negative", Some(Activation::Relu)),
                ("clipped-relu", "the sum, at least 0 and at most 1", Some(Activation::ClippedRelu)),
                ("linear", "the sum itself", Some(Activation::Linear)),
            ]),
            /// what its inputs are
            input: InputChoice = choice([
                ("one-hot", "three for each square: the player's, the other's, nobody's", InputChoice::Squares(Squares::OneHot)),
                ("bits", "two for each square: the player's, the other's", InputChoice::Squares(Squares::Bits)),
                ("features", "the numbers of `features`", InputChoice::Features),
            ]),
            /// with input "features"; "default" is the game's first
            features: String = name_of("features", "default"),
            /// what its inputs show
            seen: Seen = choice([
                ("inversion", "the squares of the player at the root and the other's", Seen::Inversion),
                ("negation", "the first player's squares and the second's; negated for the second", Seen::Negation),
            ]),
            /// what values are rounded to multiples of; "auto": 0.000001
            unit: Option<f64> = unit(),
        },
    }
}

/// The inputs of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputChoice {
    /// The squares of the board.
    Squares(Squares),
    /// Some features.
    Features,
}

settings! {
    /// A term of a sum of evaluations.
    #[derive(Clone, Debug)]
    pub struct SumTerm {
        /// factor of the evaluation
        times: f64 = real(-1e6..=1e6, 1.0),
        /// the evaluation; "default" is the game's first
        evaluation: NameOr<PlainEvaluation> = name_or_part("evaluations", DEFAULT),
    }
}

parts! {
    /// The sum, as a part of its own.
    #[derive(Clone, Debug)]
    pub enum SumEvaluation {
        /// the weighted sum of some evaluations
        Sum {
            /// the evaluations, each with its factor
            parts: Vec<SumTerm> = tables(),
        },
    }
}

/// The evaluations that every game has besides its own.
#[derive(Clone, Debug)]
pub enum GenericEvaluation {
    /// Not a sum.
    Plain(PlainEvaluation),
    /// A weighted sum.
    Sum(Vec<SumTerm>),
}

impl Parts for GenericEvaluation {
    fn parts() -> Vec<PartDecl> {
        [PlainEvaluation::parts(), SumEvaluation::parts()].concat()
    }

    fn read(part: &Part) -> Option<Self> {
        let sum = || SumEvaluation::read(part).map(|SumEvaluation::Sum { parts }| Self::Sum(parts));
        PlainEvaluation::read(part).map(Self::Plain).or_else(sum)
    }
}

/// The unit of real weights.
fn unit() -> Setting<Option<f64>> {
    real_or(1e-9..=1.0, "auto")
}

/// The unit of real weights for which none is written.
pub(super) const UNIT: f64 = 1e-6;

shikou_learn::words! {
    /// How a finished position is valued.
    pub enum FinishedChoice {
        Payoff = "by its payoff, which outweighs every estimate",
        Evaluation = "by the evaluation, like any other",
    }
}

/// What an option chooses, and its name.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T> {
    pub(super) option: &'static str,
    /// What it chooses.
    pub chosen: T,
}

impl<T> Choice<T> {
    const fn new(option: &'static str, chosen: T) -> Self {
        Self { option, chosen }
    }
}

/// A policy: one of the game's by name, or a generic one; see [`policy`].
pub type PolicyChoice = Choice<NameOr<GenericPolicy>>;

/// A policy. The default is the uniform one.
pub fn policy() -> Setting<PolicyChoice> {
    name_or_part("policies", "uniform").map(Choice::new)
}

impl Chosen for PolicyChoice {
    fn setting() -> Setting<Self> {
        policy()
    }
}

/// An evaluation: one of the game's by name, or a generic one; see [`evaluation`].
pub type EvaluationChoice = Choice<Box<NameOr<GenericEvaluation>>>;

/// The name of the game's first evaluation.
pub(super) const DEFAULT: &str = "default";

/// An evaluation. The default is the game's first.
pub fn evaluation() -> Setting<EvaluationChoice> {
    name_or_part("evaluations", DEFAULT).map(|option, evaluation| Choice::new(option, Box::new(evaluation)))
}

impl Chosen for EvaluationChoice {
    fn setting() -> Setting<Self> {
        evaluation()
    }
}

/// A list of rules, or the name of one of the game's lists; see [`rule_list`].
pub type RuleChoice = Choice<String>;

/// A list of rules. The default plays at random.
pub fn rule_list() -> Setting<RuleChoice> {
    rules("0").map(Choice::new)
}

settings! {
    /// A named number of a list of rules.
    #[derive(Clone, Debug)]
    pub struct RuleNumber {
        /// the name, without `$`
        name: String = text("a name", ""),
        /// the value
        value: f64 = real(-1e6..=1e6, 0.0),
    }
}

/// How deep a search looks; see [`depth`].
pub type DepthChoice = Choice<Depth>;

/// How deep a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A number of plies.
    Plies(u32),
    /// To the end of the game.
    Full,
    /// As deep as the budget allows: a ply, then two, and so on.
    Budget,
}

pub(super) const MOST_DEPTH: u32 = 1000;

/// The depth of a searcher that has a budget, and for which no depth is written.
const BUDGET: &str = "budget";

/// A depth from 1 to 1000 plies, or the word `full`. If none is written, the default; with a budget, as deep as that
/// allows. A smoke test takes at most 2.
pub fn depth(default: u32) -> Setting<DepthChoice> {
    let kind = OptionKind::Integer { min: 1, max: MOST_DEPTH.into(), word: Some("full") };
    let read = |value: &OptionValue| match value {
        OptionValue::Integer(plies) => Some(Depth::Plies(*plies as u32)),
        OptionValue::Word(word) => Some(if word == BUDGET { Depth::Budget } else { Depth::Full }),
        _ => None,
    };
    Setting::new(kind, i64::from(default), read).or_within_budget(BUDGET).depth(2).map(Choice::new)
}

/// The name of the option.
pub const END: &str = "end";

parts! {
    /// How the last turns of chance are played: an option that the declaration of every searcher has besides its own, so that it is
    /// read, listed, swept and part of a trial's identity like any other. Rejected: a searcher that holds another, which would need
    /// a budget and options of another searcher inside its own.
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

    pub(super) fn of(options: &Options) -> Self {
        part().read(END, options)
    }

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
