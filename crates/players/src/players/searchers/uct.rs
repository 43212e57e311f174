//! UCT: `uct`.

use crate::game::options::option_name;
use crate::game::{NamedGame, Turn, View};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{EvaluationChoice, PolicyChoice};
use crate::players::decl::Claims;
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{Ensemble, Limit, Parallel, Uct as Searcher, UctOptions, UctSettings};

pub(crate) type Uct = UctOptions<PolicyChoice, EvaluationChoice>;

impl NamedSearcher for Uct {
    const NAME: &'static str = "uct";
    const ABOUT: &'static str =
        "Monte Carlo tree search: a tree grows where upper confidence bounds are large";
    const PAPER: &'static str = "Kocsis, Szepesvári 2006";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;
    const CASES: &'static [&'static str] = &[
        "",
        "selection=grave",
        "selection=rave",
        "selection=mcps",
        "selection=bayes,parallel=root",
        "selection=tuned,playouts=nst",
        "selection=puct,prior=evaluation,playouts=mast",
        "selection=biased,prior=policy,playouts=last-good-reply",
        "playouts=ppa(features=true,memory=true)",
        "playouts=mast-gibbs",
        "playouts=nst(length=3)",
        "backup=mixed(max-share=0.5),expansion=all,final-choice=secure",
        "backup=implicit,first-play=reduction,expansion=single(threshold=2,widening=1)",
        "playouts=cut(plies=2,decisive=both),first-play=urgency,sparse=2",
        "solver=bounds(probe=1),memory=graph(keep=true),final-choice=max",
        "solver=bounds(backup=2)",
        "backup=relative(weight=1)",
        "parallel=tree",
        "parallel=tree(threads=2)",
        "root=halving(rounds=floor),playouts=full(batch=2)",
        "root=anytime-halving,selection=grave,expansion=all",
        "root=halving(score-weight=128),selection=rave",
        "selection=history",
        "selection=puct,prior=evaluation(minimax=1),playouts=cut(minimax=2)",
        "memory=tree(nodes=20,recycle=recent)",
        "root=gumbel(considered=3),prior=policy,memory=tree(keep=true)",
    ];

    fn claims(&self) -> Claims {
        let repeats = !matches!(self.parallel, Parallel::Tree { threads: 2.., .. });
        Claims { repeats, divides: self.root.divides(), ..Claims::default() }
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let settings = settings(catalogue, self.clone())?;
        check(catalogue.game(), &self)?;
        let (parallel, ties) = (settings.parallel, settings.ties);
        Ok(match parallel {
            Parallel::Root { trees, threads, .. } => {
                Recipe::new(Ensemble::new(Searcher::new(settings), trees, ties).with_threads(threads))
            }
            Parallel::Tree { threads: 2.., .. } => Recipe::new(Searcher::shared(settings)),
            Parallel::None {} | Parallel::Tree { .. } => Recipe::new(Searcher::new(settings)),
        })
    }
}

/// The options with the policies and evaluations that they name.
fn settings<G: NamedGame>(catalogue: &Catalogue<'_, G>, options: Uct) -> Result<UctSettings<G>, FitError> {
    let of_priors = option_name!(Uct, prior);
    let policy = |option, choice| {
        let at_priors = |misfit: FitError| FitError::option(of_priors, misfit.reason);
        let found = catalogue.policy(&choice);
        found.map_err(|misfit| if option == of_priors { at_priors(misfit) } else { misfit })
    };
    options.resolve(policy, |option, part, choice| {
        let refuse = |reason: String| FitError::option(option, reason);
        let found = catalogue.evaluation(&choice).map_err(|misfit| refuse(misfit.reason))?;
        let found = found.filter(|evaluation| part != "head" || evaluation.facts().has_prior);
        let evaluation = found.ok_or_else(|| match part {
            "head" => refuse(
                "this evaluation gives no prior; write prior = \"policy\" or name one that does".into(),
            ),
            _ => refuse(format!("this game has no evaluation, which `{part}` needs")),
        })?;
        // The moves of both players have priors in one tree.
        if option == of_priors && evaluation.facts().view != View::Antisymmetric {
            let reason = "this evaluation sees the board as one player does, and a prior values moves of both; write prior = \
                          \"none\" or name an evaluation with opposite values";
            return Err(refuse(reason.into()));
        }
        Ok(evaluation)
    })
}

/// Checks that the options go together and fit the game.
fn check<G: NamedGame>(game: &G, settings: &Uct) -> Result<(), FitError> {
    if let Some((option, reason)) = settings.conflict() {
        return Err(FitError::option(option, reason));
    }
    if settings.memory.is_graph() {
        check_keys(game, option_name!(Uct, memory), "memory = \"tree\"")?;
    }
    settings.traced().map_or(Ok(()), |option| check_numbers(game, option))
}

/// Returns an error for an option that needs the numbers of moves, if the first legal move of a player has none.
pub(super) fn check_numbers<G: NamedGame>(game: &G, option: &'static str) -> Result<(), FitError> {
    let reason = "this keeps tables by move number, and this game does not number its moves";
    if numbers_its_moves(game) { Ok(()) } else { Err(FitError::option(option, reason)) }
}

/// Checks that a game has keys, which this option needs; else there is advice.
pub(super) fn check_keys<G: NamedGame>(game: &G, option: &'static str, advice: &str) -> Result<(), FitError> {
    let reason = || format!("this game has no keys for its positions; write {advice}");
    game.key(&game.start()).map(|_| ()).ok_or_else(|| FitError::option(option, reason()))
}

/// Whether the first legal move of a player has a number.
fn numbers_its_moves<G: NamedGame>(game: &G) -> bool {
    let mut position = game.start();
    while game.turn(&position) == Turn::Chance {
        let Some((outcome, _)) = game.outcomes(&position).next() else { return false };
        game.apply(&mut position, outcome);
    }
    let is_over = game.turn(&position) == Turn::Over;
    !is_over && game.moves(&position).next().is_some_and(|mv| game.move_number(mv).is_some())
}
