//! The simple tree: `simple-tree`.

use crate::game::NamedGame;
use crate::game::options::{flag, integer, part, parts, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, PolicyChoice, evaluation, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{FullWidth, Ties};

pub(crate) struct SimpleTree;

settings! {
    /// The settings of `simple-tree`.
    pub(crate) struct SimpleTreeSettings {
        /// depth of the tree in plies, decisions and chance alike
        level: u32 = integer(1..=100, 4).capped(2),
        /// playouts at each leaf
        playouts: u64 = integer(1..=1_000_000_000, 20).amount(4),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// whether the leaves below all moves share random numbers
        common_draws: bool = flag(false),
        /// how leaves are valued
        leaves: LeavesPart = part(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::First),
    }
}

parts! {
    /// How leaves are valued.
    pub(crate) enum LeavesPart {
        /// by the mean of their playouts
        Playouts {},
        /// by an evaluation, which also values finished games
        Evaluation {
            /// the evaluation; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
        },
    }
}

impl NamedSearcher for SimpleTree {
    const NAME: &'static str = "simple-tree";
    const ABOUT: &'static str = "expectimax to a fixed depth, with playouts or an evaluation at the leaves";
    const PAPER: &'static str = "TIM Labs 2015, part 15 of a series on Calculation";
    const FITS: &'static str = "every game";
    const VALUES_UNVISITED: bool = true;
    const CASES: &'static [&'static str] =
        &["level=1,playouts=2", "level=2,playouts=2,common-draws=true", "level=3,playouts=2,ties=random"];
    type Settings = SimpleTreeSettings;

    fn visits_every_line_to(settings: &SimpleTreeSettings) -> u32 {
        settings.level
    }

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: SimpleTreeSettings) -> Fitted<G> {
        let SimpleTreeSettings { level, playouts, ties, .. } = settings;
        let searcher = match &settings.leaves {
            LeavesPart::Playouts {} => {
                FullWidth::simple_tree(level, playouts, catalogue.policy(&settings.policy)?, ties)
            }
            LeavesPart::Evaluation { evaluation } => {
                let reason = "this game has no evaluation; write leaves = \"playouts\"";
                let found = catalogue
                    .evaluation(evaluation)
                    .map_err(|misfit| FitError::option("leaves", misfit.reason))?;
                FullWidth::evaluated_tree(
                    level,
                    found.ok_or_else(|| FitError::option("leaves", reason))?,
                    ties,
                )
            }
        };
        Ok(Recipe::new(searcher.with_common_random_numbers(settings.common_draws)))
    }
}
