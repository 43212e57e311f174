//! Expectimax: `expectimax`.

use crate::game::NamedGame;
use crate::game::options::{choice, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{
    Depth, DepthChoice, EvaluationChoice, FinishedChoice, depth, evaluation, ties,
};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{Expectimax as Searcher, Limit, Star, Ties};

pub(crate) struct Expectimax;

settings! {
    /// The settings of `expectimax`.
    pub(crate) struct ExpectimaxSettings {
        /// plies to look ahead, decisions and chance alike, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(3),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// the cuts at chance nodes
        star: Star = choice([
            ("two", "Star2: first searches one move after each outcome", Star::Two),
            ("one", "Star1: bounds unsearched outcomes by the range of values", Star::One),
            ("off", "no cuts at all", Star::Off),
        ]),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Expectimax {
    const NAME: &'static str = "expectimax";
    const ABOUT: &'static str = "expectimax to a depth, or to the end of the game, cut by Star1 and Star2";
    const PAPER: &'static str = "Michie 1966; Ballard 1983; Hauk, Buro, Schaeffer 2004";
    const FITS: &'static str = "games that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const CASES: &'static [&'static str] = &["", "depth=2", "depth=3,star=one", "depth=full,star=off"];
    type Settings = ExpectimaxSettings;

    fn is_exact(settings: &ExpectimaxSettings) -> bool {
        settings.depth.depth == Depth::Full
    }

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: ExpectimaxSettings) -> Fitted<G> {
        let ExpectimaxSettings { depth, evaluation, star, ties } = settings;
        Ok(match catalogue.horizon(depth, &evaluation, FinishedChoice::Payoff)? {
            None => Recipe::new(Searcher::full(star, ties)),
            Some((depth, evaluation)) => Recipe::new(Searcher::to_depth(depth, evaluation, star, ties)),
        })
    }
}
