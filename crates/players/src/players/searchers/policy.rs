//! Policies as players: `random`, `policy` and `rules`.

use std::sync::Arc;

use crate::game::options::settings;
use crate::game::{NamedGame, Uniform};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PolicyChoice, RuleChoice, policy, rule_list};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::PolicyPlayer;

pub(crate) struct Random;

impl NamedSearcher for Random {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "plays every legal move with the same probability";
    const PAPER: &'static str = "none";
    const SEARCHES: bool = false;
    const FITS: &'static str = "every game";
    type Settings = ();

    fn recipe<G: NamedGame>(_catalogue: &Catalogue<'_, G>, (): ()) -> Fitted<G> {
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(Uniform))))
    }
}

pub(crate) struct Policy;

settings! {
    /// The settings of `policy`.
    pub(crate) struct PolicySettings {
        /// the policy to play by
        policy: PolicyChoice = policy(),
    }
}

impl NamedSearcher for Policy {
    const NAME: &'static str = "policy";
    const ABOUT: &'static str = "plays by one of the game's playout policies, without search";
    const PAPER: &'static str = "none";
    const SEARCHES: bool = false;
    const FITS: &'static str = "every game";
    const CASES: &'static [&'static str] = &["", "policy=softmax", "policy=epsilon-greedy"];
    type Settings = PolicySettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: PolicySettings) -> Fitted<G> {
        Ok(Recipe::new(PolicyPlayer::new(catalogue.policy(&settings.policy)?)))
    }
}

pub(crate) struct Rules;

settings! {
    /// The settings of `rules`.
    pub(crate) struct RulesSettings {
        /// the rules; "0" scores all moves alike, so it plays at random
        list: RuleChoice = rule_list(),
    }
}

impl NamedSearcher for Rules {
    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "plays a best move by a list of rules, without search";
    const PAPER: &'static str = "none";
    const SEARCHES: bool = false;
    const FITS: &'static str = "games that have patterns; `shikou games NAME` lists them";
    const CASES: &'static [&'static str] = &["", "list=ai12s"];
    type Settings = RulesSettings;

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: RulesSettings) -> Fitted<G> {
        if catalogue.game().entries().patterns.is_empty() {
            return Err(FitError::searcher("rules count patterns, and this game has none"));
        }
        Ok(Recipe::new(PolicyPlayer::new(Arc::new(catalogue.rules(&settings.list)?))))
    }
}
