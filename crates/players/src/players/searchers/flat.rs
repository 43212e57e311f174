//! Flat Monte Carlo: `flat`.

use crate::game::NamedGame;
use crate::game::options::{integer, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{RootBandit, Ties};

pub(crate) struct Flat;

settings! {
    /// The settings of `flat`.
    pub(crate) struct FlatSettings {
        /// playouts for each legal move
        playouts_per_move: u64 = integer(1..=1_000_000_000, 100).amount(4).formerly("playouts"),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Flat {
    const NAME: &'static str = "flat";
    const ABOUT: &'static str =
        "flat Monte Carlo: equally many playouts for every move; the best mean is played";
    const PAPER: &'static str = "Abramson 1990; Brügmann 1993";
    const FITS: &'static str = "every game";
    type Settings = FlatSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: FlatSettings) -> Fitted<G> {
        let policy = catalogue.policy(&settings.policy)?;
        Ok(Recipe::new(RootBandit::flat(settings.playouts_per_move, policy, settings.ties)))
    }
}
