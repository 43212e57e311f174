//! Boltzmann exploration in the tree: `bts`, `dents`.

use super::parts::{policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::{BoltzmannSettings, BoltzmannTree, Limit};

const PAPER: &str = "Painter, Baioumy, Hawes, Lacerda 2023";

fn common_options() -> Vec<OptionDecl> {
    vec![
        OptionDecl::real(
            "temperature",
            1e-6,
            1e6,
            0.1,
            "share of the payoffs that is worth a factor of e in sampling",
        ),
        OptionDecl::real("epsilon", 0.0, 1e6, 1.0, "weight of uniform sampling, over ln N"),
        policy_option(),
        ties_option("random"),
    ]
}

fn recipe<G: Game>(game: &G, options: &Options, entropy: f64) -> Result<Recipe<G>, Misfit> {
    Ok(Recipe::new(BoltzmannTree::new(BoltzmannSettings {
        policy: policy(game, options)?,
        temperature: options.real("temperature"),
        epsilon: options.real("epsilon"),
        entropy,
        ties: ties(options),
    })))
}

pub(super) struct Bts;

impl Declared for Bts {
    const NAME: &'static str = "bts";
    const ABOUT: &'static str = "Boltzmann tree search: moves sampled by their values, the best backed up";
    const PAPER: &'static str = PAPER;
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        common_options()
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        recipe(game, options, 0.0)
    }
}

pub(super) struct Dents;

impl Declared for Dents {
    const NAME: &'static str = "dents";
    const ABOUT: &'static str = "the same with the entropy behind each move, whose weight decays";
    const PAPER: &'static str = PAPER;
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        let entropy =
            OptionDecl::real("entropy", 0.0, 1e6, 0.1, "weight of the entropy, over ln N; 0 is bts");
        std::iter::once(entropy).chain(common_options()).collect()
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        recipe(game, options, options.real("entropy"))
    }
}
