//! The simple tree: `simple-tree`.

use super::parts::{policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::SimpleTree as Searcher;

pub(super) struct SimpleTree;

impl Declared for SimpleTree {
    const NAME: &'static str = "simple-tree";
    const ABOUT: &'static str = "expectimax to a fixed height, the mean of playouts at every leaf";
    const PAPER: &'static str = "TIM Labs 2015, part 15 of a series on Calculation";
    const FITS: &'static str = "every game";

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("level", 1, 100, 4, "height of the tree, decisions and chance alike"),
            OptionDecl::integer("playouts", 1, 1_000_000_000, 20, "playouts at each leaf"),
            policy_option(),
            OptionDecl::flag("common-draws", false, "whether the leaves behind every move share their draws"),
            ties_option("first"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let (level, playouts) = (options.integer("level") as u32, options.integer("playouts") as u64);
        let searcher = Searcher::new(level, playouts, policy(game, options)?, ties(options));
        Ok(Recipe::new(searcher.with_common_random_numbers(options.flag("common-draws"))))
    }
}
