//! Bandits at the root: `flat`, `flat-ucb`, `sequential-halving`, `anytime-halving`, `thompson`, `gumbel`.

use crate::game::NamedGame;
use crate::game::options::{integer, real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{Gumbel as GumbelSharing, Limit, RootBandit, Sharing, Ties};

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

/// The limits that a bandit keeps if it can stop at any time.
const ANYTIME: &[Limit] = &[Limit::Playouts, Limit::Plies, Limit::Time];

pub(crate) struct FlatUcb;

settings! {
    /// The settings of `flat-ucb`.
    pub(crate) struct FlatUcbSettings {
        /// factor of √(2 ln N / n), payoffs in [0, 1]; 1, as published, is c = √2 ≈ 1.41 in value + c √(ln N / n)
        exploration: f64 = real(0.0..=1000.0, 1.0),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for FlatUcb {
    const NAME: &'static str = "flat-ucb";
    const ABOUT: &'static str = "UCB1 at the root: playouts go to the move with the largest upper bound";
    const PAPER: &'static str = "Auer, Cesa-Bianchi, Fischer 2002";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;
    type Settings = FlatUcbSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: FlatUcbSettings) -> Fitted<G> {
        let rule = Sharing::Ucb1 { exploration: settings.exploration };
        Ok(Recipe::new(RootBandit::new(rule, catalogue.policy(&settings.policy)?, settings.ties)))
    }
}

settings! {
    /// The settings of a bandit without parameters.
    pub(crate) struct BanditSettings {
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

/// A bandit without parameters.
macro_rules! bandit {
    ($name:ident, $sharing:ident, $words:literal, $about:literal, $paper:literal, $keeps:expr) => {
        pub(crate) struct $name;

        impl NamedSearcher for $name {
            const NAME: &'static str = $words;
            const ABOUT: &'static str = $about;
            const PAPER: &'static str = $paper;
            const FITS: &'static str = "every game";
            const KEEPS: &'static [Limit] = $keeps;
            const NEEDS_BUDGET: bool = true;
            type Settings = BanditSettings;

            fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: BanditSettings) -> Fitted<G> {
                let BanditSettings { policy, ties } = settings;
                Ok(Recipe::new(RootBandit::new(Sharing::$sharing, catalogue.policy(&policy)?, ties)))
            }
        }
    };
}

bandit!(
    SequentialHalving,
    Halving,
    "sequential-halving",
    "playouts in equal rounds; each round drops the worse half of the moves",
    "Karnin, Koren, Somekh 2013",
    &[Limit::Playouts]
);
bandit!(
    AnytimeHalving,
    AnytimeHalving,
    "anytime-halving",
    "the smallest sequential halving, repeated until the budget ends",
    "Sagers, Winands, Soemers 2024",
    ANYTIME
);
bandit!(
    Thompson,
    Thompson,
    "thompson",
    "each playout goes to a move with the probability that it is the best",
    "Thompson 1933; Agrawal, Goyal 2012",
    ANYTIME
);

pub(crate) struct Gumbel;

settings! {
    /// The settings of `gumbel`.
    pub(crate) struct GumbelSettings {
        /// the most moves that are considered
        considered: u32 = integer(1..=1_000_000, 16),
        /// the paper's c for visits: added to the largest visit count
        visit_offset: f64 = real(0.0..=1e6, 50.0),
        /// the paper's c for scale: the weight of values against the prior
        scale: f64 = real(0.0..=1e6, 1.0),
        /// the policy whose distribution is the prior
        prior: PolicyChoice = policy(),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Gumbel {
    const NAME: &'static str = "gumbel";
    const ABOUT: &'static str = "Gumbel noise on a prior picks moves; sequential halving decides by playouts";
    const PAPER: &'static str = "Danihelka, Guez, Schrittwieser, Silver 2022";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &[Limit::Playouts];
    const NEEDS_BUDGET: bool = true;
    const CASES: &'static [&'static str] = &["", "considered=3"];
    type Settings = GumbelSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: GumbelSettings) -> Fitted<G> {
        let rule = Sharing::Gumbel(GumbelSharing {
            prior: catalogue.policy(&settings.prior)?,
            considered: settings.considered,
            visit_offset: settings.visit_offset,
            scale: settings.scale,
        });
        Ok(Recipe::new(RootBandit::new(rule, catalogue.policy(&settings.policy)?, settings.ties)))
    }
}
