//! Bandits at the root: `flat`, `flat-ucb`, `sequential-halving`, `anytime-halving`, `thompson`, `gumbel`.

use super::uct::check_numbers;
use crate::game::NamedGame;
use crate::game::options::{flag, integer, option_name, real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{FlatMonteCarlo, Gumbel as GumbelSharing, Limit, RootBandit, Sharing, Ties};

settings! {
    pub(crate) struct Flat {
        /// playouts for each legal move
        playouts_per_move: u64 = integer(1..=1_000_000_000, 100).amount(4).formerly("playouts"),
        /// whether a playout counts for every move that its player makes in it (all moves as first)
        amaf: bool = flag(false),
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
    const CASES: &'static [&'static str] = &["", "amaf=true,playouts-per-move=20"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { playouts_per_move: playouts, amaf, policy, ties } = self;
        if amaf {
            check_numbers(catalogue.game(), option_name!(Flat, amaf))?;
        }
        Ok(Recipe::new(FlatMonteCarlo::new(playouts, catalogue.policy(&policy)?, ties).with_amaf(amaf)))
    }
}

/// The limits that a bandit keeps if it can stop at any time.
const ANYTIME: &[Limit] = &[Limit::Playouts, Limit::Plies, Limit::Time, Limit::CpuTime];

settings! {
    pub(crate) struct FlatUcb {
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
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let rule = Sharing::Ucb1 { exploration: self.exploration };
        Ok(Recipe::new(RootBandit::new(rule, catalogue.policy(&self.policy)?, self.ties)))
    }
}

/// A bandit without parameters.
macro_rules! bandit {
    ($name:ident, $sharing:ident, $words:literal, $about:literal, $paper:literal, $keeps:expr) => {
        settings! {
            pub(crate) struct $name {
                /// how playouts choose their moves
                policy: PolicyChoice = policy(),
                /// which of several best moves is played
                ties: Ties = ties(Ties::Random),
            }
        }

        impl NamedSearcher for $name {
            const NAME: &'static str = $words;
            const ABOUT: &'static str = $about;
            const PAPER: &'static str = $paper;
            const KEEPS: &'static [Limit] = $keeps;
            const NEEDS_BUDGET: bool = true;

            fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
                let Self { policy, ties } = self;
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

settings! {
    pub(crate) struct Gumbel {
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
    const KEEPS: &'static [Limit] = &[Limit::Playouts];
    const NEEDS_BUDGET: bool = true;
    const CASES: &'static [&'static str] = &["", "considered=3"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let rule = Sharing::Gumbel(GumbelSharing {
            prior: catalogue.policy(&self.prior)?,
            considered: self.considered,
            visit_offset: self.visit_offset,
            scale: self.scale,
        });
        Ok(Recipe::new(RootBandit::new(rule, catalogue.policy(&self.policy)?, self.ties)))
    }
}
