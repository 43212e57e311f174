//! The greedy player: `greedy`.

use super::parts::{evaluation, evaluation_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::{Greedy as Searcher, Limit};

pub(super) struct Greedy;

impl Declared for Greedy {
    const NAME: &'static str = "greedy";
    const ABOUT: &'static str =
        "the best mean of an evaluation some plies ahead, and now and then a random move";
    const PAPER: &'static str = "with depth 1 and epsilon 0.1: Lucas, Runarsson 2006";
    const FITS: &'static str = "games that have an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer(
                "depth",
                1,
                100,
                1,
                "plies to look ahead; behind the first the plain mean counts",
            ),
            evaluation_option("what is looked at there; \"default\" is the game's first"),
            OptionDecl::real("epsilon", 0.0, 1.0, 0.0, "how often any legal move is played instead"),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let Some(evaluation) = evaluation(game, options)? else {
            return Err(Misfit::searcher("this game has no evaluation to be greedy for"));
        };
        let (depth, epsilon) = (options.integer("depth") as u32, options.real("epsilon"));
        Ok(Recipe::new(Searcher::new(depth, evaluation, epsilon, ties(options))))
    }
}
