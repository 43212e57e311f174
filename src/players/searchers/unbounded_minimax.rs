//! Unbounded best-first minimax: `unbounded-minimax`.

use super::parts::{evaluation, evaluation_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, Options};
use crate::search::{Limit, UnboundedMinimax as Searcher};

pub(super) struct UnboundedMinimax;

impl Declared for UnboundedMinimax {
    const NAME: &'static str = "unbounded-minimax";
    const ABOUT: &'static str = "best-first minimax: the tree grows at the end of the line that looks best";
    const PAPER: &'static str = "Korf, Chickering 1996; Cohen-Solal 2020";
    const FITS: &'static str = "games without chance, best with an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        vec![
            evaluation_option("what leaves are worth; \"default\" is the game's first, 0 where it has none"),
            ties_option("random"),
        ]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let facts = game.facts();
        if facts.chance {
            return Err(Misfit::searcher("unbounded-minimax does not fit a game of chance; expectimax does"));
        }
        if facts.players > 1 && !facts.zero_sum {
            return Err(Misfit::searcher(
                "unbounded-minimax needs payoffs that add up to 0; minimax does not",
            ));
        }
        Ok(Recipe::new(Searcher::new(evaluation(game, options)?, ties(options))))
    }
}
