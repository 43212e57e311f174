//! Searchers for one player, and nested rollouts: `nested`, `nrpa`, `sp-mcts`, `nested-rollout`, `hindsight`.

use super::parts::{policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, OptionKind, OptionValue, Options};
use crate::search::{
    Foresight, Hindsight as HindsightSearcher, Limit, NestedMonteCarlo, NestedRollout as RolloutSearcher,
    Nrpa as NrpaSearcher, SpMcts as SpMctsSearcher,
};

/// What ends at a playout keeps.
const ANYTIME: &[Limit] = &[Limit::Playouts, Limit::Plies, Limit::Time];

/// Refuses games for two.
fn check_solitaire<G: Game>(game: &G, name: &str) -> Result<(), Misfit> {
    if game.facts().players == 1 {
        return Ok(());
    }
    Err(Misfit::searcher(format!("{name} is for games of one player; nested-rollout and flat fit this one")))
}

/// Refuses games of chance.
fn check_no_chance<G: Game>(game: &G, name: &str) -> Result<(), Misfit> {
    if !game.facts().chance {
        return Ok(());
    }
    let reason =
        format!("{name} follows lines of moves, which chance would break; nested-rollout and hindsight fit");
    Err(Misfit::searcher(reason))
}

pub(super) struct Nested;

impl Declared for Nested {
    const NAME: &'static str = "nested";
    const ABOUT: &'static str = "nested Monte Carlo search: playouts within playouts, the best line is kept";
    const PAPER: &'static str = "Cazenave 2009";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("level", 1, 9, 2, "how deep searches are nested"),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        check_solitaire(game, Self::NAME)?;
        check_no_chance(game, Self::NAME)?;
        let level = options.integer("level") as u32;
        Ok(Recipe::new(NestedMonteCarlo::new(level, policy(game, options)?, ties(options))))
    }
}

pub(super) struct Nrpa;

impl Declared for Nrpa {
    const NAME: &'static str = "nrpa";
    const ABOUT: &'static str =
        "nested rollout policy adaptation: playouts learn from the best line of their level";
    const PAPER: &'static str = "Rosin 2011";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("level", 1, 9, 2, "how deep searches are nested"),
            OptionDecl::integer(
                "iterations",
                1,
                1_000_000_000,
                100,
                "searches of each level by the one above",
            ),
            OptionDecl::real("alpha", 0.0, 1000.0, 1.0, "how far a step moves the policy"),
        ]
    }

    fn smaller(option: &str, value: &OptionValue, _has_evaluation: bool) -> OptionValue {
        match (option, value) {
            ("iterations", &OptionValue::Integer(iterations)) => iterations.min(2).into(),
            ("level", &OptionValue::Integer(level)) => level.min(2).into(),
            _ => value.clone(),
        }
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        check_solitaire(game, Self::NAME)?;
        check_no_chance(game, Self::NAME)?;
        let (level, iterations) = (options.integer("level") as u32, options.integer("iterations") as u64);
        Ok(Recipe::new(NrpaSearcher::new(level, iterations, options.real("alpha"))))
    }
}

pub(super) struct SpMcts;

impl Declared for SpMcts {
    const NAME: &'static str = "sp-mcts";
    const ABOUT: &'static str =
        "single-player UCT: payoffs that differ are worth a visit, the best line is kept";
    const PAPER: &'static str = "Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008";
    const FITS: &'static str = "games of one player without chance";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::real("exploration", 0.0, 1000.0, 0.5, "C: the factor of √(ln N / n)"),
            OptionDecl::real(
                "possible",
                0.0,
                1e9,
                0.01,
                "D: what a rarely tried move may still vary, as a square",
            ),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        check_solitaire(game, Self::NAME)?;
        check_no_chance(game, Self::NAME)?;
        let (exploration, possible) = (options.real("exploration"), options.real("possible"));
        Ok(Recipe::new(SpMctsSearcher::new(policy(game, options)?, exploration, possible, ties(options))))
    }
}

pub(super) struct NestedRollout;

impl Declared for NestedRollout {
    const NAME: &'static str = "nested-rollout";
    const ABOUT: &'static str =
        "rollouts of rollouts: each level plays by the means of games of the level below";
    const PAPER: &'static str = "Tesauro, Galperin 1996; Yan, Diaconis, Rusmevichientong, Van Roy 2004";
    const FITS: &'static str = "every game";

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("level", 1, 9, 2, "how deep rollouts are nested; 1 is flat Monte Carlo"),
            OptionDecl::integer("playouts", 1, 1_000_000_000, 10, "games behind each move, at each level"),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let (level, playouts) = (options.integer("level") as u32, options.integer("playouts") as u64);
        Ok(Recipe::new(RolloutSearcher::new(level, playouts, policy(game, options)?, ties(options))))
    }
}

pub(super) struct Hindsight;

impl Declared for Hindsight {
    const NAME: &'static str = "hindsight";
    const ABOUT: &'static str =
        "hindsight optimisation: sampled futures are solved as if their luck were known";
    const PAPER: &'static str = "Chong, Givan, Chang 2000; Bjarnason, Fern, Tadepalli 2009";
    const FITS: &'static str = "games of one player";
    const KEEPS: &'static [Limit] = &[Limit::Playouts, Limit::Nodes, Limit::Plies, Limit::Time];

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("futures", 1, 1_000_000_000, 20, "how many futures are sampled at most"),
            OptionDecl {
                name: "level",
                kind: OptionKind::IntegerOr { min: 0, max: 9, word: "exact" },
                default: 1.into(),
                about: "level of the nested search that solves a future, or every line",
            },
            policy_option(),
            ties_option("random"),
        ]
    }

    fn smaller(option: &str, value: &OptionValue, _has_evaluation: bool) -> OptionValue {
        match (option, value) {
            ("futures", &OptionValue::Integer(futures)) => futures.min(2).into(),
            ("level", &OptionValue::Integer(level)) => level.min(1).into(),
            _ => value.clone(),
        }
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        check_solitaire(game, Self::NAME)?;
        let level = options.integer_or_word("level");
        let foresight = level.map_or(Foresight::Exact, |level| Foresight::Nested(level as u32));
        let futures = options.integer("futures") as u64;
        Ok(Recipe::new(HindsightSearcher::new(futures, foresight, policy(game, options)?, ties(options))))
    }
}
