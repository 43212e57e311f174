//! Expectimax: `expectimax`.

use super::parts::{evaluation_option, horizon, smaller_depth, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, OptionKind, OptionValue, Options};
use crate::search::{Expectimax as Searcher, Limit, Star};

pub(super) struct Expectimax;

impl Declared for Expectimax {
    const NAME: &'static str = "expectimax";
    const ABOUT: &'static str = "expectimax to a depth, or to the end of the game, cut by Star1 and Star2";
    const PAPER: &'static str = "Michie 1966; Ballard 1983; Hauk, Buro, Schaeffer 2004";
    const FITS: &'static str = "games that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl {
                name: "depth",
                kind: OptionKind::IntegerOr { min: 1, max: 1000, word: "full" },
                default: 3.into(),
                about: "plies to look ahead, decisions and chance alike, or to the end of the game",
            },
            evaluation_option("what stands in at the depth; \"default\" is the game's first"),
            OptionDecl::choice(
                "star",
                &[
                    ("two", "Star2: one move behind each outcome is searched before"),
                    ("one", "Star1: what is left may be worth the ends of the range"),
                    ("off", "no cuts at all"),
                ],
                "what is cut at chance's turns",
            ),
            ties_option("random"),
        ]
    }

    /// A search to the end of the game stays one where the game has no evaluation.
    fn smaller(option: &str, value: &OptionValue, has_evaluation: bool) -> OptionValue {
        smaller_depth(option, value, has_evaluation)
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let star = match options.word("star") {
            "off" => Star::Off,
            "one" => Star::One,
            _ => Star::Two,
        };
        let ties = ties(options);
        Ok(match horizon(game, options)? {
            None => Recipe::new(Searcher::full(star, ties)),
            Some((depth, evaluation)) => Recipe::new(Searcher::to_depth(depth, evaluation, star, ties)),
        })
    }
}
