//! Nested rollouts: `nested-rollout`.

use crate::game::NamedGame;
use crate::game::options::{integer, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{NestedRollout as Searcher, Ties};

pub(crate) struct NestedRollout;

settings! {
    /// The settings of `nested-rollout`.
    pub(crate) struct NestedRolloutSettings {
        /// nesting depth of the rollouts; 1 is flat Monte Carlo
        level: u32 = integer(1..=9, 2).capped(2),
        /// games after each move, at each level
        playouts_per_move: u64 = integer(1..=1_000_000_000, 10).amount(4).formerly("playouts"),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for NestedRollout {
    const NAME: &'static str = "nested-rollout";
    const ABOUT: &'static str = "nested rollouts: each level plays the best mean of games by the level below";
    const PAPER: &'static str = "Tesauro, Galperin 1996; Yan, Diaconis, Rusmevichientong, Van Roy 2004";
    const FITS: &'static str = "every game";
    const CASES: &'static [&'static str] = &["level=1", "level=2,playouts-per-move=2"];
    type Settings = NestedRolloutSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: NestedRolloutSettings) -> Fitted<G> {
        let NestedRolloutSettings { level, playouts_per_move: playouts, policy, ties } = settings;
        Ok(Recipe::new(Searcher::new(level, playouts, catalogue.policy(&policy)?, ties)))
    }
}
