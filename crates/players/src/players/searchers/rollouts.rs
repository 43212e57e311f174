//! Rollouts: `nested-rollout`, and `rollouts` of lines that race.

use super::solitaire::check_solitaire;
use crate::game::NamedGame;
use crate::game::options::{flag, integer, integer_or, option_name, real, real_or, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, PolicyChoice, evaluation, policy, ties};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{self, Limit, Pruning, Race, Ties, pruning};

settings! {
    pub(crate) struct NestedRollout {
        /// nesting depth of the rollouts; 1 is flat Monte Carlo
        level: u32 = integer(1..=9, 2).capped(2),
        /// games after each move, at each level
        playouts_per_move: u64 = integer(1..=1_000_000_000, 10).amount(4).formerly("playouts"),
        /// whether a game counts less the later it ends: what it pays above or below the middle, by its plies + 1
        discount: bool = flag(false),
        /// which games are not played: Cazenave et al. 2016
        prune: Pruning = pruning(),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for NestedRollout {
    const NAME: &'static str = "nested-rollout";
    const ABOUT: &'static str = "nested rollouts: each level plays the best mean of games by the level below";
    const PAPER: &'static str = "Tesauro, Galperin 1996; Yan, Diaconis, Rusmevichientong, Van Roy 2004; discount, prune: Cazenave et al. 2016";
    const CASES: &'static [&'static str] = &[
        "level=1",
        "level=2,playouts-per-move=2",
        "level=2,playouts-per-move=1,discount=true",
        "playouts-per-move=1,discount=true,prune=depth",
    ];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { level, playouts_per_move: playouts, discount, prune, policy, ties } = self;
        if prune.by_depth() && !(discount && playouts == 1) {
            let reason = "the depth of a game decides only if it counts, and is alone; write discount = true, playouts-per-move = 1, or prune = \"won\"";
            return Err(FitError::option(option_name!(NestedRollout, prune), reason));
        }
        let searcher = search::NestedRollout::new(level, playouts, catalogue.policy(&policy)?, ties);
        Ok(Recipe::new(searcher.with_discount(discount).with_pruning(prune)))
    }
}

/// The prior of an evaluation that estimates points.
const PRIOR: f64 = 16.0;

settings! {
    pub(crate) struct Rollouts {
        /// the evaluation that plays all lines on, and whose best lines race; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// the most playouts after each line
        playouts: u64 = integer(1..=1_000_000_000, 64).amount(4),
        /// turns of chance, such as cards, after which the evaluation values a playout
        turns: Option<u32> = integer_or(1..=1000, "all", None),
        /// the most lines that race
        width: usize = integer(1..=1000, 4),
        /// how much lower than the best the estimate of a line that races may be
        margin: f64 = real(0.0..=1e9, 0.15),
        /// playouts that the evaluation of a line counts for; "auto": 16 if it estimates points, else 0
        prior: Option<f64> = real_or(0.0..=1e9, "auto"),
        /// standard errors by which a line is behind that drops out
        behind: f64 = real(0.0..=1000.0, 3.0),
    }
}

impl NamedSearcher for Rollouts {
    const NAME: &'static str = "rollouts";
    const ABOUT: &'static str =
        "the best lines by an evaluation race, by playouts of the evaluation with common random numbers";
    const PAPER: &'static str = "Tesauro, Galperin 1996; Moore, Lee 1994";
    const FITS: &'static str = "solitaires that have an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Playouts, Limit::Time, Limit::CpuTime];
    const VALUES_UNVISITED: bool = true;
    const FOLLOWS_LINES: bool = true;
    const CASES: &'static [&'static str] = &["playouts=20", "width=2,playouts=3", "margin=1000,behind=1"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_solitaire(catalogue.game(), Self::NAME)?;
        only_if!(G, Some(1), None);
        let Self { playouts, turns, width, margin, prior, behind, .. } = self;
        let Some(evaluation) = catalogue.evaluation(&self.evaluation)? else {
            return Err(FitError::searcher("rollouts needs an evaluation, and this game has none"));
        };
        let points = evaluation.facts().is_points;
        let needs_points = |option| {
            let reason = "this evaluation estimates no points; leave this option out, or take bags or a learned evaluation";
            Err(FitError::option(option, reason))
        };
        if !points && turns.is_some() {
            return needs_points("turns");
        }
        if !points && prior.is_some_and(|prior| prior > 0.0) {
            return needs_points("prior");
        }
        let prior = prior.unwrap_or(if points { PRIOR } else { 0.0 });
        let race = Race { playouts, turns: turns.unwrap_or(u32::MAX), width, margin, prior, behind };
        Ok(Recipe::new(search::Rollouts::new(race, evaluation)))
    }
}
