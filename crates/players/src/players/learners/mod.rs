//! Learners: evaluations and policies, each with the methods that find its weights.
//!
//! The key decision: a learner is an object. A [`Learnable`] has the form of its weights, and begins to learn them;
//! [`Lessons`] have a state from which they go on. A new learner is one file, or a part of one, and
//! one row of the table of methods: its options, the source of its games, and the object. Rejected: evaluations and
//! methods as a cross product, of which each caller knows the pairs.

mod form;
mod games;
mod known;
mod samples;

use std::ops::Range;
use std::sync::Arc;

pub use self::form::Form;
pub use self::games::no_random_moves;
use self::games::{BagTd, NetworkTd, PolicyGradient, TupleTd};
pub(super) use self::known::Known;
pub use self::known::Learning;
use self::samples::{Dense, LeastSquaresOptions};
pub use self::samples::{GameSample, KeptErrors, Sampler};
use super::choices::{PlainEvaluation, UNIT, evaluation};
use super::evaluations::{form_of, staged_names};
use super::network_file::{NetworkForm, seen_word};
use super::weights_file::WeightsForm;
use super::{FitError, PlayError, SearcherSpec};
use crate::game::options::{OptionDecl, OptionKind, Options, Part, PartDecl, Parts, Settings};
use crate::game::tuples::{Seen, SquareEffects, TupleTable, square_effects};
use crate::learn::{Diverged, Epoch, Problem, Split, TupleSum};
use crate::rng::Stream;
use crate::search::Limits;

/// The source of the games of a learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Deals, which it plays alone.
    Deals,
    /// Games that it plays against itself, or against opponents in turn.
    Games,
    /// Games of a solitaire that it plays, or that a player plays in its place.
    Solitaire,
    /// Samples of the games of others.
    Samples {
        /// How often each is learned.
        epochs: u64,
        /// How they are split.
        split: Split,
    },
}

impl Source {
    /// The unit that is counted: `game`, `deal` or `epoch`.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Games | Self::Solitaire => "game",
            Self::Deals => "deal",
            Self::Samples { .. } => "epoch",
        }
    }
}

/// Declares the methods, each with the evaluation that it learns, and the source of its games.
macro_rules! methods {
    ($($evaluation:literal by $method:literal: $options:ident, $source:expr, $about:expr;)*) => {
        /// A method of learning, with its options.
        enum Method {
            $($options($options),)*
        }

        impl Method {
            /// The methods, each with the evaluation that it learns.
            fn declared() -> Vec<(&'static str, PartDecl)> {
                vec![$(($evaluation, PartDecl::new($method, $about, $options::options())),)*]
            }

            /// The method of some options; see [`learner_options`].
            fn read(settings: &Options) -> Self {
                let method = settings.part("method");
                match (&*settings.part("evaluation").name, &*method.name) {
                    $(($evaluation, $method) => Self::$options($options::read(&method.options)),)*
                    (evaluation, method) => unreachable!("{method} of {evaluation} is declared"),
                }
            }

            fn source(&self) -> Source {
                match self { $(Self::$options(own) => { let of: fn(&$options) -> Source = $source; of(own) })* }
            }

            fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
                match self { $(Self::$options(own) => own.learnable(of),)* }
            }
        }
    };
}

const TD: &str = "temporal differences, at one ply (Sutton 1988; Lucas 2007)";

methods! {
    "tuples" by "td": TupleTd, |_| Source::Games, TD;
    "network" by "td": NetworkTd, |_| Source::Games, TD;
    "bags" by "td": BagTd, |_| Source::Solitaire, TD;
    "linear" by "policy-gradient": PolicyGradient, |_| Source::Deals,
        "a softmax policy by weights of features, from its own games (Williams 1992)";
    "network" by "dense": Dense, Dense::source, "a network of dense layers, from samples of games";
    "tuples" by "least-squares": LeastSquaresOptions, LeastSquaresOptions::source,
        "weights of tuples by stage of the game, from samples of games (Buro 1999)";
}

/// An evaluation of a game whose weights are learned, and players.
struct Setup<'s> {
    game: &'s dyn Learning,
    part: &'s Part,
    players: &'s [SearcherSpec],
}

/// The options `evaluation` and `method` of a learner: with the methods of an evaluation, or with all methods and their options.
///
/// # Errors
/// If nothing learns an evaluation of this name.
pub fn learner_options(name: Option<&str>) -> Result<[OptionDecl; 2], String> {
    let mut methods: Vec<PartDecl> = Vec::new();
    for (_, method) in Method::declared().into_iter().filter(|(of, _)| name.is_none_or(|name| name == *of)) {
        match methods.iter_mut().find(|known| known.name == method.name) {
            None => methods.push(method),
            Some(known) => {
                let is_new =
                    |option: &OptionDecl| known.options.iter().all(|other| other.name != option.name);
                let more: Vec<_> = method.options.into_iter().filter(is_new).collect();
                known.options.extend(more);
            }
        }
    }
    let Some(first) = methods.first() else {
        let name = name.unwrap_or_default();
        return Err(format!(
            "{name:?} has no weights to learn; write \"bags\", or \"linear\", \"network\" or \"tuples\" with options, for \
             example evaluation.tuples.shapes = \"all-2\""
        ));
    };
    let default = first.with_defaults();
    let about = "the evaluation whose weights are learned: tuples by `td` or `least-squares`, a network by `td` or `dense`, bags by `td`, features by `policy-gradient`";
    let kind = OptionKind::Part { parts: methods, names: None };
    let method = OptionDecl::new("method", kind, default, "how weights are learned");
    Ok([evaluation().decl("evaluation", about), method])
}

/// The source of the games of a learner, by its options.
pub fn source_of(settings: &Options) -> Source {
    Method::read(settings).source()
}

impl dyn Learning + '_ {
    /// The learner of these options, with opponents, a player in its place, or those whose games give samples.
    ///
    /// # Errors
    /// If the evaluation, a setting of the method or a player does not fit the game.
    pub fn learnable(&self, settings: &Options, players: &[SearcherSpec]) -> Result<Learnable, LearnError> {
        Method::read(settings).learnable(&Setup { game: self, part: settings.part("evaluation"), players })
    }
}

/// Why something cannot be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// The evaluation does not fit the game.
    #[error(transparent)]
    Evaluation(#[from] FitError),
    /// A player does not fit the game.
    #[error(transparent)]
    Player(FitError),
    /// A setting of the method does not fit the others, or the samples.
    #[error(transparent)]
    Method(#[from] Problem),
    /// A game could not be played to its end.
    #[error(transparent)]
    Game(#[from] PlayError),
    /// The errors of the weights are no numbers any more.
    #[error(transparent)]
    Diverged(#[from] Diverged),
}

/// The beginning of lessons.
type Begin = dyn FnOnce(Place<'_>) -> Result<Box<dyn Lessons>, LearnError>;

/// Weights that can be learned.
pub struct Learnable {
    /// The purpose of the weights, and their file.
    pub form: Form,
    /// Begins to learn; an error if the samples do not fit the settings.
    pub begin: Box<Begin>,
}

/// The circumstances of a training.
pub struct Place<'p> {
    /// The randomness of the training.
    pub luck: Stream,
    /// All games or deals that are learned.
    pub games: u64,
    /// The random plies at the beginning of the games of samples, which give none.
    pub random_plies: u32,
    /// The resources of a search of a player.
    pub limits: Limits,
    /// The threads.
    pub pool: rayon::ThreadPool,
    /// The finished games whose samples are learned, some at a time.
    pub transcripts: Box<dyn Iterator<Item = &'p [String]> + 'p>,
}

/// Weights that are learned in steps.
pub trait Lessons: Send {
    /// The games, deals or epochs of a step.
    fn step(&self) -> u64;

    /// All numbers that later steps depend on; the weights are the first.
    fn state(&self) -> Vec<f64>;

    /// Takes over a state. Returns whether it fits.
    #[must_use]
    fn restore(&mut self, state: &[f64]) -> bool;

    /// Learns these games, deals or epochs, a step. Returns the errors after an epoch over samples.
    ///
    /// # Errors
    /// If a game cannot be played to its end, or the weights are no numbers any more.
    fn learn(&mut self, step: Range<u64>) -> Result<Option<Epoch>, LearnError>;

    /// The errors of the weights that are kept, if they are fitted to samples.
    fn errors(&self) -> Option<KeptErrors>;
}

/// Checks that a part has no weights, which are learned.
///
/// # Errors
/// If it has, or names a training.
fn without_weights(part: &Part) -> Result<(), FitError> {
    let mut given = part.options.iter().filter(|(decl, value)| **value != decl.default);
    match given.find(|(decl, _)| ["weights", "file", "evolved"].contains(&decl.name)) {
        None => Ok(()),
        Some((decl, _)) => {
            Err(FitError::option("evaluation", format!("its weights are learned; omit `{}`", decl.name)))
        }
    }
}

/// Places of n-tuples whose weights are learned.
struct Tuples {
    game: Box<dyn Learning>,
    columns: usize,
    tables: Vec<TupleTable>,
    sum: TupleSum,
    seen: Seen,
    stages: usize,
    of: String,
    unit: f64,
}

impl Tuples {
    /// The places of a part `tuples`.
    fn read(game: &dyn Learning, part: &Part) -> Result<Self, FitError> {
        let Some(PlainEvaluation::Tuples { shapes, seen, stages, unit, .. }) = PlainEvaluation::read(part)
        else {
            unreachable!("the method is of tuples")
        };
        without_weights(part)?;
        let (game, ([rows, columns], tables)) = game.board(&shapes)?;
        let (sum, unit) = (TupleSum::new(rows * columns, &tables), unit.unwrap_or(UNIT));
        Ok(Self { game, columns, tables, sum, seen, stages, of: form_of(&shapes, seen, stages), unit })
    }

    /// The form of the weights. A `sparse` file leaves weights of 0 out.
    fn form(&self, sparse: bool) -> Form {
        let &Self { columns, seen, stages, unit, .. } = self;
        let (of, tables, squares) = (self.of.clone(), self.tables.clone(), self.sum.squares());
        let effects = (stages == 1).then(|| -> form::Made<SquareEffects> {
            let tables = tables.clone();
            Arc::new(move |weights| SquareEffects {
                columns,
                values: square_effects(squares, &tables, weights),
            })
        });
        let game = self.game.game().0.into();
        let names = move || {
            let names = staged_names(&tables, stages);
            WeightsForm { game, of, unit, names, sparse }
        };
        let evaluation = format!("tuples(seen={},file=weights)", seen_word(seen));
        let form = Form::of_weights(self.of.clone(), stages * self.sum.weights(), names);
        Form { evaluation, effects, ..form }
    }
}

/// A game by the inputs of a part `network` whose parameters are learned, how it sees a position, and what its file states.
fn network_input(
    game: &dyn Learning,
    part: &Part,
) -> Result<(Box<dyn Learning>, Seen, NetworkForm), FitError> {
    let Some(PlainEvaluation::Network { input, features, seen, .. }) = PlainEvaluation::read(part) else {
        unreachable!("the method is of a network")
    };
    without_weights(part)?;
    let (game, form) = game.inputs("evaluation", input, &features, seen)?;
    Ok((game, seen, form))
}
