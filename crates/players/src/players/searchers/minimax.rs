//! Plain minimax: `minimax`.

use crate::game::NamedGame;
use crate::game::options::settings;
use crate::players::catalogue::Catalogue;
use crate::players::choices::{
    Depth, DepthChoice, EvaluationChoice, FinishedChoice, depth, evaluation, finished, ties,
};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{FullWidth, Limit, Ties};

pub(crate) struct Minimax;

settings! {
    /// The settings of `minimax`.
    pub(crate) struct MinimaxSettings {
        /// plies to look ahead, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(3),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = finished(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Minimax {
    const NAME: &'static str = "minimax";
    const ABOUT: &'static str = "plain minimax: every line to a depth, or to the end of the game";
    const PAPER: &'static str = "von Neumann 1928; Shannon 1950";
    const FITS: &'static str = "games without chance that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const CASES: &'static [&'static str] = &["", "depth=2", "depth=3,ties=first", "depth=full"];
    type Settings = MinimaxSettings;

    fn is_exact(settings: &MinimaxSettings) -> bool {
        settings.depth.depth == Depth::Full
    }

    fn visits_every_line_to(settings: &MinimaxSettings) -> u32 {
        match settings.depth.depth {
            Depth::Full => u32::MAX,
            Depth::Plies(plies) => plies,
            Depth::Budget => 0,
        }
    }

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: MinimaxSettings) -> Fitted<G> {
        if catalogue.game().facts().chance {
            return Err(FitError::searcher("minimax does not fit a game of chance; simple-tree and flat do"));
        }
        let MinimaxSettings { depth, evaluation, finished, ties } = settings;
        Ok(Recipe::new(FullWidth::minimax(catalogue.horizon(depth, &evaluation, finished)?, ties)))
    }
}
