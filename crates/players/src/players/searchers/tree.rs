//! Trees that grow otherwise than that of UCT: `open-loop-uct`, `bts`, `dents`, `unbounded-minimax`.

use super::full_width::check_zero_sum;
use super::uct::check_keys;
use crate::game::NamedGame;
use crate::game::options::{flag, option_name, real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, PolicyChoice, evaluation, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{Fitted, Recipe};
use crate::search::{BestFirstSettings, BoltzmannSettings, Limit, Ties, TreeSearch};

settings! {
    pub(crate) struct OpenLoopUct {
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
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let policy = catalogue.policy(&self.policy)?;
        Ok(Recipe::new(TreeSearch::open_loop(policy, self.exploration, self.ties)))
    }
}

/// The paper on both Boltzmann searches.
const PAPER: &str = "Painter, Baioumy, Hawes, Lacerda 2023";

settings! {
    pub(crate) struct Bts {
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
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { temperature, epsilon, policy, ties } = self;
        let settings = BoltzmannSettings { temperature, epsilon, entropy: 0.0, ties };
        Ok(Recipe::new(TreeSearch::boltzmann(catalogue.policy(&policy)?, settings)))
    }
}

settings! {
    pub(crate) struct Dents {
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
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { entropy, temperature, epsilon, policy, ties } = self;
        let settings = BoltzmannSettings { temperature, epsilon, entropy, ties };
        Ok(Recipe::new(TreeSearch::boltzmann(catalogue.policy(&policy)?, settings)))
    }
}

settings! {
    pub(crate) struct UnboundedMinimax {
        /// the evaluation of leaves; "default" is the game's first, or 0 if it has none
        evaluation: EvaluationChoice = evaluation(),
        /// whether positions with a proved value are not visited again: Cohen-Solal 2020
        completion: bool = flag(true),
        /// whether equal positions share their value and their children: Cohen-Solal, Cazenave 2025
        transpositions: bool = flag(false),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for UnboundedMinimax {
    const NAME: &'static str = "unbounded-minimax";
    const ABOUT: &'static str = "best-first minimax: the tree grows at the end of the principal variation";
    const PAPER: &'static str = "Korf, Chickering 1996; Cohen-Solal 2020";
    const FITS: &'static str = "games without chance, best with an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time, Limit::CpuTime];
    const NEEDS_BUDGET: bool = true;
    const VALUES_UNVISITED: bool = true;
    const CASES: &'static [&'static str] = &["", "completion=false", "transpositions=true"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { evaluation, completion, transpositions, ties } = self;
        check_zero_sum(catalogue.game(), Self::NAME)?;
        if transpositions {
            check_keys(
                catalogue.game(),
                option_name!(UnboundedMinimax, transpositions),
                "transpositions = false",
            )?;
        }
        only_if!(G, None, Some(false));
        let settings = BestFirstSettings { completion, transpositions, ties };
        Ok(Recipe::new(TreeSearch::unbounded_minimax(catalogue.evaluation(&evaluation)?, settings)))
    }
}
