//! The greedy player: `greedy`.

use crate::game::NamedGame;
use crate::game::options::{integer, real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, FinishedChoice, evaluation, finished, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{FullWidth, Limit, Ties};

pub(crate) struct Greedy;

settings! {
    /// The settings of `greedy`.
    pub(crate) struct GreedySettings {
        /// plies to look ahead; beyond the first, the plain mean over all lines counts
        depth: u32 = integer(1..=100, 1).depth(2),
        /// the evaluation of these positions; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = finished(),
        /// probability of a random move instead
        epsilon: f64 = real(0.0..=1.0, 0.0),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Greedy {
    const NAME: &'static str = "greedy";
    const ABOUT: &'static str = "the best mean evaluation some plies ahead, with occasional random moves";
    const PAPER: &'static str = "with depth 1 and epsilon 0.1: Lucas, Runarsson 2006";
    const FITS: &'static str = "games that have an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const CASES: &'static [&'static str] = &["", "depth=2,epsilon=0.5"];
    type Settings = GreedySettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: GreedySettings) -> Fitted<G> {
        let GreedySettings { depth, evaluation, finished, epsilon, ties } = settings;
        let Some(evaluation) = catalogue.evaluation(&evaluation)? else {
            return Err(FitError::searcher("greedy needs an evaluation, and this game has none"));
        };
        let evaluation = Catalogue::ending(finished, evaluation);
        Ok(Recipe::new(FullWidth::greedy(depth, evaluation, epsilon, ties)))
    }
}
