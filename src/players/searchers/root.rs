//! Bandits at the root: `flat-ucb`, `sequential-halving`, `anytime-halving`, `thompson`, `gumbel`.

use super::parts::{named_policy, named_policy_option, policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::{Gumbel as GumbelSharing, Limit, RootBandit, Sharing};

/// What a bandit that can stop at any time keeps.
const ANYTIME: &[Limit] = &[Limit::Playouts, Limit::Plies, Limit::Time];

fn bandit<G: Game>(game: &G, options: &Options, rule: Sharing<G>) -> Result<Recipe<G>, Misfit> {
    Ok(Recipe::new(RootBandit::new(rule, policy(game, options)?, ties(options))))
}

pub(super) struct FlatUcb;

impl Declared for FlatUcb {
    const NAME: &'static str = "flat-ucb";
    const ABOUT: &'static str =
        "playouts after the move with the largest upper confidence bound, UCB1 at the root";
    const PAPER: &'static str = "Auer, Cesa-Bianchi, Fischer 2002";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::real(
                "exploration",
                0.0,
                1000.0,
                1.0,
                "the factor of the confidence term, for payoffs scaled to 0 … 1",
            ),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        bandit(game, options, Sharing::Ucb1 { exploration: options.real("exploration") })
    }
}

pub(super) struct SequentialHalving;

impl Declared for SequentialHalving {
    const NAME: &'static str = "sequential-halving";
    const ABOUT: &'static str =
        "playouts in equal rounds, after each of which the worse half of the moves leaves";
    const PAPER: &'static str = "Karnin, Koren, Somekh 2013";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &[Limit::Playouts];
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![policy_option(), ties_option("random")]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        bandit(game, options, Sharing::Halving)
    }
}

pub(super) struct AnytimeHalving;

impl Declared for AnytimeHalving {
    const NAME: &'static str = "anytime-halving";
    const ABOUT: &'static str = "the smallest sequential halving, over and over";
    const PAPER: &'static str = "Sagers, Winands, Soemers 2024";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![policy_option(), ties_option("random")]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        bandit(game, options, Sharing::AnytimeHalving)
    }
}

pub(super) struct Thompson;

impl Declared for Thompson {
    const NAME: &'static str = "thompson";
    const ABOUT: &'static str = "playouts after each move with the probability that it is the best one";
    const PAPER: &'static str = "Thompson 1933; Agrawal, Goyal 2012";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = ANYTIME;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![policy_option(), ties_option("random")]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        bandit(game, options, Sharing::Thompson)
    }
}

pub(super) struct Gumbel;

impl Declared for Gumbel {
    const NAME: &'static str = "gumbel";
    const ABOUT: &'static str =
        "Gumbel noise on a prior picks moves, sequential halving over playouts decides";
    const PAPER: &'static str = "Danihelka, Guez, Schrittwieser, Silver 2022";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &[Limit::Playouts];
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("considered", 1, 1_000_000, 16, "how many moves are considered at most"),
            OptionDecl::real("visit-offset", 0.0, 1e6, 50.0, "c_visit: what is added to the most visits"),
            OptionDecl::real("scale", 0.0, 1e6, 1.0, "c_scale: how much values weigh against the prior"),
            named_policy_option("prior", "the policy whose distribution is the prior"),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let rule = GumbelSharing {
            prior: named_policy(game, options, "prior")?,
            considered: options.integer("considered") as u32,
            visit_offset: options.real("visit-offset"),
            scale: options.real("scale"),
        };
        bandit(game, options, Sharing::Gumbel(rule))
    }
}
