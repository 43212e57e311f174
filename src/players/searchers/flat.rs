//! Flat Monte Carlo: `flat`.

use super::parts::{policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::FlatMonteCarlo;

pub(super) struct Flat;

impl Declared for Flat {
    const NAME: &'static str = "flat";
    const ABOUT: &'static str =
        "flat Monte Carlo: as many playouts after every move, the best mean is played";
    const PAPER: &'static str = "Abramson 1990; Brügmann 1993";
    const FITS: &'static str = "every game";

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("playouts", 1, 1_000_000_000, 100, "playouts for each legal move"),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let playouts = options.integer("playouts") as u64;
        Ok(Recipe::new(FlatMonteCarlo::new(playouts, policy(game, options)?, ties(options))))
    }
}
