//! UCT in open loop: `open-loop-uct`.

use super::parts::{policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::{Limit, OpenLoopUct as Searcher};

pub(super) struct OpenLoopUct;

impl Declared for OpenLoopUct {
    const NAME: &'static str = "open-loop-uct";
    const ABOUT: &'static str = "UCT whose tree knows moves only: chance decides anew in each iteration";
    const PAPER: &'static str = "Perez Liebana et al. 2015";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::real(
                "exploration",
                0.0,
                1000.0,
                1.0,
                "factor of the exploration term; 1: as published",
            ),
            policy_option(),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        Ok(Recipe::new(Searcher::new(policy(game, options)?, options.real("exploration"), ties(options))))
    }
}
