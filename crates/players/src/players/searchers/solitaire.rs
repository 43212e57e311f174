//! Searchers for games of one player: `nested`, `nrpa`, `sp-mcts`, `hindsight`.

use super::uct::check_numbers;
use crate::game::NamedGame;
use crate::game::options::{choice, flag, integer, integer_or, option_name, or_word, real, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{
    Foresight, Hindsight as HindsightSearcher, Limit, NestedMonteCarlo, Nrpa as NrpaSearcher, Restarts, Ties,
    TreeSearch,
};

/// The limits that a search keeps if it can stop after any playout.
const ANYTIME: &[Limit] = &[Limit::Playouts, Limit::Plies, Limit::Time, Limit::CpuTime];

/// Returns an error for a two-player game.
pub(super) fn check_solitaire<G: NamedGame>(game: &G, name: &str) -> Result<(), FitError> {
    let reason = || format!("{name} is for games of one player; nested-rollout and flat fit this one");
    if game.facts().players == 1 { Ok(()) } else { Err(FitError::searcher(reason())) }
}

/// Returns an error for a two-player game or a game of chance.
fn check_no_chance<G: NamedGame>(game: &G, name: &str) -> Result<(), FitError> {
    check_solitaire(game, name)?;
    let reason = || format!("{name} needs a game without chance; nested-rollout and hindsight fit this one");
    if game.facts().chance { Err(FitError::searcher(reason())) } else { Ok(()) }
}

settings! {
    pub(crate) struct Nested {
        /// nesting depth of the search
        level: u32 = integer(1..=9, 2).capped(1),
        /// whether the best line of earlier turns is followed until one pays more; else that of the present turn
        memory: bool = flag(true),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Nested {
    const NAME: &'static str = "nested";
    const ABOUT: &'static str =
        "nested Monte Carlo search: searches within searches; plays the best line found";
    const PAPER: &'static str = "Cazenave 2009";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;
    const CASES: &'static [&'static str] = &["level=1", "level=2", "memory=false"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_no_chance(catalogue.game(), Self::NAME)?;
        only_if!(G, Some(1), Some(false));
        let Self { level, memory, policy, ties } = self;
        let searcher = NestedMonteCarlo::new(level, catalogue.policy(&policy)?, ties);
        Ok(Recipe::new(searcher.with_memory(memory)))
    }
}

settings! {
    pub(crate) struct Nrpa {
        /// nesting depth of the search
        level: u32 = integer(1..=9, 2).capped(2),
        /// searches that each level runs at the level below
        iterations: u64 = integer(1..=1_000_000_000, 100).amount(2),
        /// step size of the adaptation
        alpha: f64 = real(0.0..=1000.0, 1.0),
        /// what has a weight
        code: bool = choice([
            ("ply", "each move at each ply, as published", false),
            ("move", "each move by what the game says of it, at whatever ply", true),
        ]),
        /// the policy from which the weights begin; what it never plays is never played
        prior: Option<PolicyChoice> = or_word(policy(), "none"),
    }
}

impl NamedSearcher for Nrpa {
    const NAME: &'static str = "nrpa";
    const ABOUT: &'static str =
        "nested rollout policy adaptation: playouts learn from the best line of their level";
    const PAPER: &'static str = "Rosin 2011; prior: Cazenave 2020";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;
    const FOLLOWS_LINES: bool = true;
    const CASES: &'static [&'static str] = &["iterations=5", "iterations=5,code=move,prior=uniform"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_no_chance(catalogue.game(), Self::NAME)?;
        only_if!(G, Some(1), Some(false));
        let Self { level, iterations, alpha, code, prior } = self;
        if code {
            check_numbers(catalogue.game(), option_name!(Nrpa, code))?;
        }
        let at_prior = |misfit: FitError| FitError::option(option_name!(Nrpa, prior), misfit.reason);
        let prior = prior.map(|prior| catalogue.policy(&prior)).transpose().map_err(at_prior)?;
        Ok(Recipe::new(NrpaSearcher::new(level, iterations, alpha).with_codes(code).with_prior(prior)))
    }
}

settings! {
    pub(crate) struct SpMcts {
        /// C: the factor of √(ln N / n)
        exploration: f64 = real(0.0..=1000.0, 0.5),
        /// D: the possible deviation of a rarely tried move, squared
        possible: f64 = real(0.0..=1e9, 0.01),
        /// visits of a node before it gets children
        threshold: u32 = integer(1..=1_000_000, 1),
        /// searches that share the budget, each from the start; the best line of all is followed
        restarts: u32 = integer(1..=1000, 1),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for SpMcts {
    const NAME: &'static str = "sp-mcts";
    const ABOUT: &'static str =
        "single-player UCT: explores moves with varied payoffs; plays the best line found";
    const PAPER: &'static str = "Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;
    const CASES: &'static [&'static str] = &["", "threshold=3,restarts=2"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_no_chance(catalogue.game(), Self::NAME)?;
        only_if!(G, Some(1), Some(false));
        let Self { exploration, possible, threshold, restarts, policy, ties } = self;
        let policy = catalogue.policy(&policy)?;
        let search = TreeSearch::sp_mcts(policy, (exploration, possible), threshold, ties);
        Ok(if restarts == 1 { Recipe::new(search) } else { Recipe::new(Restarts::new(search, restarts)) })
    }
}

settings! {
    pub(crate) struct Hindsight {
        /// the most futures that are sampled
        futures: u64 = integer(1..=1_000_000_000, 20).amount(2),
        /// level of the nested search that plays a future, and need not solve it; "exact" searches every line
        level: Option<u32> = integer_or(0..=9, "exact", Some(1)).capped(1),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Hindsight {
    const NAME: &'static str = "hindsight";
    const ABOUT: &'static str = "hindsight optimisation: solves sampled futures with their luck known";
    const PAPER: &'static str = "Chong, Givan, Chang 2000; Bjarnason, Fern, Tadepalli 2009";
    const FITS: &'static str = "games of one player";
    const KEEPS: &'static [Limit] =
        &[Limit::Playouts, Limit::Nodes, Limit::Plies, Limit::Time, Limit::CpuTime];
    const CASES: &'static [&'static str] = &["futures=5", "futures=2,level=exact"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_solitaire(catalogue.game(), Self::NAME)?;
        only_if!(G, Some(1), None);
        let Self { futures, level, policy, ties } = self;
        let foresight = level.map_or(Foresight::Exact, Foresight::Nested);
        Ok(Recipe::new(HindsightSearcher::new(futures, foresight, catalogue.policy(&policy)?, ties)))
    }
}
