//! Expectimax: `expectimax`.

use super::parts::{evaluation, evaluation_option, ties, ties_option};
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
        match (option, value) {
            ("depth", &OptionValue::Integer(depth)) => depth.min(2).into(),
            ("depth", OptionValue::Word(_)) if has_evaluation => 2.into(),
            _ => value.clone(),
        }
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let star = match options.word("star") {
            "off" => Star::Off,
            "one" => Star::One,
            _ => Star::Two,
        };
        let ties = ties(options);
        let Some(depth) = options.integer_or_word("depth") else {
            return Ok(Recipe::new(Searcher::full(star, ties)));
        };
        let Some(evaluation) = evaluation(game, options)? else {
            let reason = "this game has no evaluation to stop at a depth; write depth = \"full\"";
            return Err(Misfit::option("depth", reason));
        };
        Ok(Recipe::new(Searcher::to_depth(depth as u32, evaluation, star, ties)))
    }
}
