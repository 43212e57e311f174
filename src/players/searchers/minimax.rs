//! Plain minimax: `minimax`.

use super::parts::{evaluation, evaluation_option, ties, ties_option};
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
        match (option, value) {
            ("depth", &OptionValue::Integer(depth)) => depth.min(2).into(),
            ("depth", OptionValue::Word(_)) if has_evaluation => 2.into(),
            _ => value.clone(),
        }
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        if game.facts().chance {
            return Err(Misfit::searcher("minimax does not fit a game of chance; simple-tree and flat do"));
        }
        let ties = ties(options);
        let Some(depth) = options.integer_or_word("depth") else {
            return Ok(Recipe::new(Searcher::full(ties)));
        };
        let Some(evaluation) = evaluation(game, options)? else {
            let reason = "this game has no evaluation to stop at a depth; write depth = \"full\"";
            return Err(Misfit::option("depth", reason));
        };
        Ok(Recipe::new(Searcher::to_depth(depth as u32, evaluation, ties)))
    }
}
