//! Boltzmann exploration in the tree: `bts`, `dents`.

use crate::game::NamedGame;
use crate::game::options::{real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{BoltzmannSettings, Limit, Ties, TreeSearch};

const PAPER: &str = "Painter, Baioumy, Hawes, Lacerda 2023";

pub(crate) struct Bts;

settings! {
    /// The settings of `bts`.
    pub(crate) struct BtsSettings {
        /// difference in value that makes a move e times as likely, for payoffs scaled to [0, 1]
        temperature: f64 = real(1e-6..=1e6, 0.1),
        /// weight of uniform sampling, over ln N
        epsilon: f64 = real(0.0..=1e6, 1.0),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Bts {
    const NAME: &'static str = "bts";
    const ABOUT: &'static str = "Boltzmann tree search: samples moves by their values and backs up the best";
    const PAPER: &'static str = PAPER;
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;
    type Settings = BtsSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: BtsSettings) -> Fitted<G> {
        let BtsSettings { temperature, epsilon, policy, ties } = settings;
        let settings = BoltzmannSettings { temperature, epsilon, entropy: 0.0, ties };
        Ok(Recipe::new(TreeSearch::boltzmann(catalogue.policy(&policy)?, settings)))
    }
}

pub(crate) struct Dents;

settings! {
    /// The settings of `dents`.
    pub(crate) struct DentsSettings {
        /// weight of the entropy, over ln N; 0 is bts
        entropy: f64 = real(0.0..=1e6, 0.1),
        /// difference in value that makes a move e times as likely, for payoffs scaled to [0, 1]
        temperature: f64 = real(1e-6..=1e6, 0.1),
        /// weight of uniform sampling, over ln N
        epsilon: f64 = real(0.0..=1e6, 1.0),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Dents {
    const NAME: &'static str = "dents";
    const ABOUT: &'static str = "bts plus the entropy after each move, with a weight that decays";
    const PAPER: &'static str = PAPER;
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;
    type Settings = DentsSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: DentsSettings) -> Fitted<G> {
        let DentsSettings { entropy, temperature, epsilon, policy, ties } = settings;
        let settings = BoltzmannSettings { temperature, epsilon, entropy, ties };
        Ok(Recipe::new(TreeSearch::boltzmann(catalogue.policy(&policy)?, settings)))
    }
}
