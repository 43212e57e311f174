//! Policies as players: `random`, `policy` and `rules`.

use std::sync::Arc;

use crate::game::options::{settings, tables};
use crate::game::{NamedGame, Uniform};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, RuleChoice, RuleNumber, policy, rule_list};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::PolicyPlayer;

settings! {
    pub(crate) struct Random {}
}

impl NamedSearcher for Random {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "plays every legal move with the same probability";
    const SEARCHES: bool = false;

    fn recipe<G: NamedGame>(self, _catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(Uniform))))
    }
}

settings! {
    pub(crate) struct Policy {
        /// the policy to play by
        policy: PolicyChoice = policy(),
    }
}

impl NamedSearcher for Policy {
    const NAME: &'static str = "policy";
    const ABOUT: &'static str = "plays by one of the game's playout policies, without search";
    const SEARCHES: bool = false;
    const CASES: &'static [&'static str] = &["", "policy=softmax", "policy=epsilon-greedy"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        Ok(Recipe::new(PolicyPlayer::new(catalogue.policy(&self.policy)?)))
    }
}

settings! {
    pub(crate) struct Rules {
        /// the rules; "0" scores all moves alike, so it plays at random
        list: RuleChoice = rule_list(),
        /// other values for numbers that the list names, to a millionth
        numbers: Vec<RuleNumber> = tables(),
    }
}

impl NamedSearcher for Rules {
    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "plays a best move by a list of rules, without search";
    const SEARCHES: bool = false;
    const FITS: &'static str = "games that have patterns; `shikou games NAME` lists them";
    const CASES: &'static [&'static str] = &["", "list=ai12s"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        if catalogue.game().entries().patterns.is_empty() {
            return Err(FitError::searcher("rules count patterns, and this game has none"));
        }
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(catalogue.rules(&self.list, &self.numbers)?))))
    }
}
