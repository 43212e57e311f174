//! Open-loop UCT: `open-loop-uct`.

use crate::game::NamedGame;
use crate::game::options::{real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{Limit, Ties, TreeSearch};

pub(crate) struct OpenLoopUct;

settings! {
    /// The settings of `open-loop-uct`.
    pub(crate) struct OpenLoopUctSettings {
        /// factor of √(2 ln N / n); 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
        exploration: f64 = real(0.0..=1000.0, 1.0),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for OpenLoopUct {
    const NAME: &'static str = "open-loop-uct";
    const ABOUT: &'static str = "UCT on a tree of moves only; each iteration samples chance anew";
    const PAPER: &'static str = "Perez Liebana et al. 2015";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;
    type Settings = OpenLoopUctSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: OpenLoopUctSettings) -> Fitted<G> {
        let policy = catalogue.policy(&settings.policy)?;
        Ok(Recipe::new(TreeSearch::open_loop(policy, settings.exploration, settings.ties)))
    }
}
