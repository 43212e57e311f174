//! UCT: `uct`.

use std::sync::Arc;

use super::uct_parts::{
    BackupPart, ExpansionPart, MemoryPart, ParallelPart, PlayoutPart, PriorPart, Sight, SolverPart,
    UctOptions,
};
use crate::game::options::option_name;
use crate::game::{Evaluation, NamedGame, Policy, Turn, View};
use crate::players::catalogue::Catalogue;
use crate::players::choices::EvaluationChoice;
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Recipe};
use crate::search::{
    Cutoff, Decisive, Ensemble, Evaluated, Expansion, FinalChoice, Implicit, Leaf, Learning, Limit, Prior,
    Rule, SharedTree, Uct as Searcher, UctSettings, Unshared, Widening,
};

pub(crate) struct Uct;

impl NamedSearcher for Uct {
    const NAME: &'static str = "uct";
    const ABOUT: &'static str =
        "Monte Carlo tree search: a tree grows where upper confidence bounds are large";
    const PAPER: &'static str = "Kocsis, Szepesvári 2006";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;
    const CASES: &'static [&'static str] = &[
        "",
        "selection=grave",
        "selection=rave",
        "selection=bayes,parallel=root",
        "selection=tuned,playouts=nst",
        "selection=puct,prior=evaluation,playouts=mast",
        "selection=biased,prior=policy,playouts=last-good-reply",
        "backup=mixed(max-share=0.5),expansion=all,final-choice=secure",
        "backup=implicit,first-play=reduction,expansion=single(threshold=2,widening=1)",
        "playouts=cut(plies=2,decisive=both),first-play=urgency,sparse=2",
        "solver=bounds(probe=1),memory=graph(keep=true),final-choice=max",
        "parallel=tree",
        "parallel=tree(threads=2)",
    ];
    type Settings = UctOptions;

    fn repeats(options: &UctOptions) -> bool {
        !matches!(options.parallel, ParallelPart::Tree { threads: 2.., .. })
    }

    fn recipe<G: NamedGame>(
        catalogue: &Catalogue<'_, G>,
        options: UctOptions,
    ) -> Result<Recipe<G>, FitError> {
        let parallel = options.parallel;
        let settings = settings(catalogue, options)?;
        check(catalogue.game(), parallel, &settings)?;
        let ties = settings.ties;
        Ok(match parallel {
            ParallelPart::Root { trees, threads, .. } => {
                Recipe::new(Ensemble::new(Searcher::new(settings), trees, ties).with_threads(threads))
            }
            ParallelPart::Tree { threads: threads @ 2.., .. } => {
                Recipe::new(SharedTree::new(settings, threads))
            }
            ParallelPart::None {} | ParallelPart::Tree { .. } => Recipe::new(Searcher::new(settings)),
        })
    }
}

/// The settings of the search, from its options.
fn settings<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    options: UctOptions,
) -> Result<UctSettings<G>, FitError> {
    let policy = catalogue.policy(&options.policy)?;
    let (expansion, widening) = expansion(&options.expansion);
    let (max_share, implicit) = match options.backup {
        BackupPart::Mean {} => (0.0, None),
        BackupPart::Mixed { max_share } => (max_share, None),
        BackupPart::Implicit { share, evaluation, scale } => {
            let option = option_name!(UctOptions, backup);
            let evaluated = evaluated(catalogue, &evaluation, scale, option, "implicit")?;
            (0.0, Some(Implicit { share, evaluated }))
        }
    };
    let (keep_tree, transpositions) = match options.memory {
        MemoryPart::Tree { keep } => (keep, false),
        MemoryPart::Graph { keep } => (keep, true),
    };
    let (leaf, batch, learning) = playouts(catalogue, policy, options.playouts)?;
    let at_prior = |reason: String| FitError::option(option_name!(UctOptions, prior), reason);
    let leaves = match options.parallel {
        ParallelPart::Tree { leaves, .. } | ParallelPart::Root { leaves, .. } => leaves,
        ParallelPart::None {} => 1,
    };
    Ok(UctSettings {
        selection: options.selection,
        first_play: options.first_play,
        expansion,
        max_share,
        batch,
        final_choice: options.final_choice,
        solver: matches!(options.solver, SolverPart::Bounds { .. }),
        probe: match options.solver {
            SolverPart::None {} => 0,
            SolverPart::Bounds { probe } => probe,
        },
        prior: match options.prior {
            PriorPart::None {} => Prior::Unknown,
            PriorPart::Policy { policy: None } => Prior::Policy(Arc::clone(&leaf.policy)),
            PriorPart::Policy { policy: Some(choice) } => {
                Prior::Policy(catalogue.policy(&choice).map_err(|misfit| at_prior(misfit.reason))?)
            }
            PriorPart::Head { evaluation } => {
                let found = catalogue.evaluation(&evaluation).map_err(|misfit| at_prior(misfit.reason))?;
                let with_prior = found.filter(|evaluation| evaluation.has_prior());
                let reason = "this evaluation gives no prior; write prior = \"policy\" or name one that does";
                let evaluation = with_prior.ok_or_else(|| at_prior(reason.into()))?;
                refuse_view(&*evaluation)?;
                Prior::Head(evaluation)
            }
            PriorPart::Evaluation { evaluation, scale } => {
                let option = option_name!(UctOptions, prior);
                let evaluated = evaluated(catalogue, &evaluation, scale, option, "evaluation")?;
                refuse_view(&*evaluated.evaluation)?;
                Prior::Evaluation(evaluated)
            }
        },
        leaf,
        widening,
        sparse: (options.sparse > 0).then_some(options.sparse),
        implicit,
        learning,
        ties: options.ties,
        keep_tree,
        transpositions,
        leaves,
    })
}

/// Refuses an evaluation whose values for the two players are not opposite: the moves of both have priors in one tree.
fn refuse_view<G: NamedGame>(evaluation: &dyn Evaluation<G>) -> Result<(), FitError> {
    let reason = "this evaluation sees the board as one player does, and a prior values moves of both; write prior = \
                  \"none\" or name an evaluation with opposite values";
    if evaluation.view() == View::Antisymmetric {
        Ok(())
    } else {
        Err(FitError::option(option_name!(UctOptions, prior), reason))
    }
}

/// When nodes get children, and how many of the children are visited.
fn expansion(part: &ExpansionPart) -> (Expansion, Option<Widening>) {
    let (threshold, factor, all_at_once) = match *part {
        ExpansionPart::Single { threshold, widening } => (threshold, widening, false),
        ExpansionPart::All { threshold, widening } => (threshold, widening, true),
    };
    (Expansion { threshold, all_at_once }, (factor > 0.0).then_some(Widening { factor }))
}

/// How leaves are valued, the number of playouts at each, and how playouts learn.
fn playouts<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    policy: Arc<dyn Policy<G>>,
    part: PlayoutPart,
) -> Result<(Leaf<G>, u32, Learning), FitError> {
    let mut cutoff = None;
    let (decisive, batch, learning) = match part {
        PlayoutPart::Full { batch, decisive } => (decisive, batch, Learning::Nothing),
        PlayoutPart::Cut { plies, evaluation, scale, batch, decisive } => {
            let option = option_name!(UctOptions, playouts);
            let evaluated = evaluated(catalogue, &evaluation, scale, option, "cut")?;
            cutoff = Some(Cutoff { plies, evaluated });
            (decisive, batch, Learning::Nothing)
        }
        PlayoutPart::Mast { random, decisive } => (decisive, 1, Learning::Mast { random }),
        PlayoutPart::Nst { random, decisive } => (decisive, 1, Learning::Nst { random }),
        PlayoutPart::LastGoodReply { decisive } => (decisive, 1, Learning::LastGoodReply),
    };
    let policy: Arc<dyn Policy<G>> = match decisive {
        Sight::Never => policy,
        Sight::Own => Arc::new(Decisive { policy, anti: false }),
        Sight::Both => Arc::new(Decisive { policy, anti: true }),
    };
    Ok((Leaf { policy, cutoff }, batch, learning))
}

/// The evaluation that a part names, scaled to payoffs.
fn evaluated<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    choice: &EvaluationChoice,
    scale: f64,
    option: &'static str,
    part: &str,
) -> Result<Evaluated<G>, FitError> {
    let found = catalogue.evaluation(choice).map_err(|misfit| FitError::option(option, misfit.reason))?;
    let reason = || format!("this game has no evaluation, which `{part}` needs");
    let evaluation = found.ok_or_else(|| FitError::option(option, reason()))?;
    let scale = scale / evaluation.unit();
    Ok(Evaluated { evaluation, scale })
}

/// Checks that the parts go together and fit the game.
fn check<G: NamedGame>(game: &G, parallel: ParallelPart, settings: &UctSettings<G>) -> Result<(), FitError> {
    let refuse = |option, reason: &str| Err(FitError::option(option, reason));
    let parallel_option = option_name!(UctOptions, parallel);
    let rule = settings.selection.rule;
    if matches!(rule, Rule::Puct | Rule::Biased) && matches!(settings.prior, Prior::Unknown) {
        let reason = "this selection needs a prior; write prior = \"policy\", \"evaluation\" or \"head\"";
        return refuse(option_name!(UctOptions, selection), reason);
    }
    if let ParallelPart::Root { trees, threads, .. } = parallel {
        if threads > trees as usize {
            let reason = format!("a tree grows on one thread; write threads = {trees}, or more trees");
            return refuse(parallel_option, &reason);
        }
        if settings.keep_tree {
            return refuse(parallel_option, "several trees cannot be kept between moves; write keep = false");
        }
        if settings.solver {
            let reason = "several trees are merged by visits, not by proofs; write solver = \"none\"";
            return refuse(parallel_option, reason);
        }
        if settings.final_choice != FinalChoice::Robust {
            let reason = "several trees are merged by visits; write final-choice = \"robust\"";
            return refuse(parallel_option, reason);
        }
    }
    if settings.sparse.is_some() && settings.solver {
        let reason = "sampled outcomes prove nothing about the others; write solver = \"none\"";
        return refuse(option_name!(UctOptions, sparse), reason);
    }
    if settings.transpositions && game.key(&game.start()).is_none() {
        let reason = "this game has no keys for its positions; write memory = \"tree\"";
        return refuse(option_name!(UctOptions, memory), reason);
    }
    let traced = match rule {
        Rule::Rave | Rule::Grave { .. } => Some(option_name!(UctOptions, selection)),
        _ if settings.learning != Learning::Nothing => Some(option_name!(UctOptions, playouts)),
        _ => None,
    };
    let overlaps = settings.leaves > 1;
    if let Some(option) = traced {
        if settings.batch > 1 {
            return refuse(option, "this uses the moves of each playout; write batch = 1");
        }
        if overlaps {
            let reason = "this learns from each playout before the next; write parallel = \"none\"";
            return refuse(parallel_option, reason);
        }
        if !numbers_its_moves(game) {
            return refuse(
                option,
                "this keeps tables by move number, and this game does not number its moves",
            );
        }
    }
    if overlaps && settings.expansion.all_at_once {
        let reason = "the children of a node are played out in order; write expansion = \"single\"";
        return refuse(parallel_option, reason);
    }
    if let ParallelPart::Tree { threads: threads @ 2.., .. } = parallel {
        return settings.unshared(threads).map_or(Ok(()), |part| Err(unshared(part)));
    }
    Ok(())
}

/// The error for a part that several threads in one tree do not support.
fn unshared(part: Unshared) -> FitError {
    let (option, advice) = match part {
        Unshared::Selection => (option_name!(UctOptions, selection), "selection = \"ucb1\""),
        Unshared::Prior => (option_name!(UctOptions, prior), "prior = \"none\""),
        Unshared::Expansion => {
            (option_name!(UctOptions, expansion), "expansion = \"single\" without widening")
        }
        Unshared::Sparse => (option_name!(UctOptions, sparse), "sparse = 0"),
        Unshared::Backup => (option_name!(UctOptions, backup), "backup = \"mean\""),
        Unshared::Solver => (option_name!(UctOptions, solver), "solver = \"none\""),
        Unshared::Playouts => (option_name!(UctOptions, playouts), "playouts = \"full\""),
        Unshared::Memory => (option_name!(UctOptions, memory), "memory = \"tree\" without keep"),
        Unshared::Size => (
            option_name!(UctOptions, parallel),
            "smaller numbers: at most 1 000 000 threads × leaves × batch",
        ),
    };
    let reason = format!("several threads in one tree do not support this; write {advice}, or threads = 1");
    FitError::option(option, reason)
}

/// Whether the first legal move of a player has a number.
fn numbers_its_moves<G: NamedGame>(game: &G) -> bool {
    let mut position = game.start();
    loop {
        match game.turn(&position) {
            Turn::Over => return false,
            Turn::Player(_) => {
                return game.moves(&position).next().is_some_and(|mv| game.move_number(mv).is_some());
            }
            Turn::Chance => {
                let Some((outcome, _)) = game.outcomes(&position).next() else { return false };
                game.apply(&mut position, outcome);
            }
        }
    }
}
