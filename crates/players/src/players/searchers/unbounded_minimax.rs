//! Unbounded best-first minimax: `unbounded-minimax`.

use crate::game::NamedGame;
use crate::game::options::settings;
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, evaluation, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{Limit, Ties, TreeSearch};

pub(crate) struct UnboundedMinimax;

settings! {
    /// The settings of `unbounded-minimax`.
    pub(crate) struct UnboundedMinimaxSettings {
        /// the evaluation of leaves; "default" is the game's first, or 0 if it has none
        evaluation: EvaluationChoice = evaluation(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for UnboundedMinimax {
    const NAME: &'static str = "unbounded-minimax";
    const ABOUT: &'static str = "best-first minimax: the tree grows at the end of the principal variation";
    const PAPER: &'static str = "Korf, Chickering 1996; Cohen-Solal 2020";
    const FITS: &'static str = "games without chance, best with an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const NEEDS_BUDGET: bool = true;
    const VALUES_UNVISITED: bool = true;
    type Settings = UnboundedMinimaxSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: UnboundedMinimaxSettings) -> Fitted<G> {
        let facts = catalogue.game().facts();
        if facts.chance {
            return Err(FitError::searcher(
                "unbounded-minimax does not fit a game of chance; expectimax does",
            ));
        }
        if facts.players > 1 && !facts.zero_sum {
            return Err(FitError::searcher(
                "unbounded-minimax needs payoffs that add up to 0; minimax does not",
            ));
        }
        Ok(Recipe::new(TreeSearch::unbounded_minimax(
            catalogue.evaluation(&settings.evaluation)?,
            settings.ties,
        )))
    }
}
