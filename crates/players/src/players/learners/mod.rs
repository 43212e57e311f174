//! Learners: evaluations and policies, each with the methods that find its weights.
//!
//! The key decision: a learner is an object. A [`Learnable`] has the form of its weights, and begins to learn them;
//! a [`LearningRun`] has a state from which it goes on. A new learner is one file, or a part of one, and
//! one row of the table of methods: its options, the source of its games, and the object. Rejected: evaluations and
//! methods as a cross product, of which each caller knows the pairs.

mod form;
mod games;
mod known;
mod learning_run;
mod samples;
mod setup;

pub use self::form::Form;
pub use self::games::no_random_moves;
use self::games::{DeepSetsTd, NetworkTd, PolicyGradient, TupleTd};
pub(super) use self::known::Known;
pub use self::known::Learning;
pub use self::learning_run::{KeptErrors, LearnError, Learnable, LearningRun, Place, Source};
use self::learning_run::{Play, played};
pub use self::samples::GameSample;
pub(super) use self::samples::Sampling;
use self::samples::{Dense, LeastSquaresOptions};
use self::setup::{Setup, Tuples, activations, layers, network_input, without_weights};
use super::SearcherSpec;
use super::choices::evaluation;
use crate::game::options::{OptionDecl, OptionKind, Options, PartDecl, Settings};

/// Declares the methods, each with the evaluation that it learns, and the source of its games.
macro_rules! methods {
    ($($evaluation:literal by $method:literal: $options:ident, $source:expr, $about:expr;)*) => {
        enum Method {
            $($options($options),)*
        }

        impl Method {
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
    "bags" by "td": DeepSetsTd, |_| Source::Solitaire, TD;
    "linear" by "policy-gradient": PolicyGradient, |_| Source::Deals,
        "a softmax policy by weights of features, from its own games (Williams 1992)";
    "network" by "dense": Dense, Dense::source, "a network of dense layers, from samples of games";
    "tuples" by "least-squares": LeastSquaresOptions, LeastSquaresOptions::source,
        "weights of tuples by stage of the game, from samples of games (Buro 1999)";
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
