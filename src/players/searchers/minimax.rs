//! Plain minimax: `minimax`.

use super::parts::{evaluation_option, horizon, smaller_depth, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, OptionKind, OptionValue, Options};
use crate::search::{Limit, Minimax as Searcher};

pub(super) struct Minimax;

impl Declared for Minimax {
    const NAME: &'static str = "minimax";
    const ABOUT: &'static str = "plain minimax: every line to a depth, or to the end of the game";
    const PAPER: &'static str = "von Neumann 1928; Shannon 1950";
    const FITS: &'static str = "games without chance that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl {
                name: "depth",
                kind: OptionKind::IntegerOr { min: 1, max: 1000, word: "full" },
                default: 3.into(),
                about: "plies to look ahead, or to the end of the game",
            },
            evaluation_option("what stands in at the depth; \"default\" is the game's first"),
            ties_option("random"),
        ]
    }

    /// A search to the end of the game stays one where the game has no evaluation.
    fn smaller(option: &str, value: &OptionValue, has_evaluation: bool) -> OptionValue {
        smaller_depth(option, value, has_evaluation)
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        if game.facts().chance {
            return Err(Misfit::searcher("minimax does not fit a game of chance; simple-tree and flat do"));
        }
        let ties = ties(options);
        Ok(match horizon(game, options)? {
            None => Recipe::new(Searcher::full(ties)),
            Some((depth, evaluation)) => Recipe::new(Searcher::to_depth(depth, evaluation, ties)),
        })
    }
}
