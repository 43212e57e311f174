//! Policies as players: `random`, `policy` and `rules`.

use std::sync::Arc;

use super::parts::{policy, policy_option, rule_list, rules_option};
use super::{Declared, Misfit, Recipe};
use crate::game::options::{OptionDecl, Options};
use crate::game::{Game, Uniform};
use crate::search::PolicyPlayer;

pub(super) struct Random;

impl Declared for Random {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "plays every legal move with the same probability";
    const PAPER: &'static str = "none";
    const FITS: &'static str = "every game";

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    fn recipe<G: Game>(_: &G, _: &Options) -> Result<Recipe<G>, Misfit> {
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(Uniform))))
    }
}

pub(super) struct Policy;

impl Declared for Policy {
    const NAME: &'static str = "policy";
    const ABOUT: &'static str = "plays as one of the game's playout policies does, without search";
    const PAPER: &'static str = "none";
    const FITS: &'static str = "every game";

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl { about: "the policy to play by", ..policy_option() }]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        Ok(Recipe::new(PolicyPlayer::new(policy(game, options)?)))
    }
}

pub(super) struct Rules;

impl Declared for Rules {
    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "plays a best move by a list of rules, without search";
    const PAPER: &'static str = "none";
    const FITS: &'static str = "games that have patterns; `shikou games NAME` lists them";

    fn options() -> Vec<OptionDecl> {
        vec![rules_option()]
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        if game.patterns().is_empty() {
            return Err(Misfit::searcher("this game has no patterns to make rules of"));
        }
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(rule_list(game, options)?))))
    }
}
