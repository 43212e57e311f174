//! UCT: `uct`.

use super::uct_parts::{self, backup, expansion, first_play, leaf, learning, prior, selection};
use super::{Declared, Misfit, Recipe, parts};
use crate::game::options::{OptionDecl, Options};
use crate::game::{Game, Turn};
use crate::search::{Ensemble, FinalChoice, Learning, Limit, Prior, Rule, Uct as Searcher, UctSettings};

pub(super) struct Uct;

impl Declared for Uct {
    const NAME: &'static str = "uct";
    const ABOUT: &'static str =
        "Monte Carlo tree search: a tree grows where upper confidence bounds are large";
    const PAPER: &'static str = "Kocsis, Szepesvári 2006";
    const FITS: &'static str = "every game";
    const KEEPS: &'static [Limit] = &Limit::ALL;
    const NEEDS_BUDGET: bool = true;

    fn options() -> Vec<OptionDecl> {
        uct_parts::options()
    }

    fn repeats(options: &Options) -> bool {
        options.part("parallel").name != "tree"
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let (max_share, implicit) = backup(game, options)?;
        let solver = options.part("solver");
        let memory = options.part("memory");
        let parallel = options.part("parallel");
        let threads = if parallel.name == "tree" { parallel.options.integer("threads") } else { 1 };
        let (expansion, widening) = expansion(options);
        let settings = UctSettings {
            selection: selection(options),
            first_play: first_play(options),
            expansion,
            max_share,
            leaf: leaf(game, options)?,
            batch: uct_parts::batch(options),
            final_choice: match options.word("final-choice") {
                "max" => FinalChoice::Max,
                "secure" => FinalChoice::Secure,
                _ => FinalChoice::Robust,
            },
            solver: solver.name == "bounds",
            probe: if solver.name == "bounds" { solver.options.integer("probe") as u32 } else { 0 },
            prior: prior(game, options)?,
            widening,
            sparse: match options.integer("sparse") {
                0 => None,
                samples => Some(samples as u32),
            },
            implicit,
            learning: learning(options),
            ties: parts::ties(options),
            keep_tree: memory.options.flag("keep"),
            transpositions: memory.name == "graph",
            threads: threads as u32,
        };
        check(game, options, &settings)?;
        let ties = settings.ties;
        let searcher = Searcher::new(settings);
        if parallel.name == "root" {
            let trees = parallel.options.integer("trees") as u32;
            return Ok(Recipe::new(Ensemble::new(searcher, trees, ties)));
        }
        Ok(Recipe::new(searcher))
    }
}

/// Whether the parts go together, and fit the game.
fn check<G: Game>(game: &G, options: &Options, settings: &UctSettings<G>) -> Result<(), Misfit> {
    let refuse = |option, reason: &str| Err(Misfit::option(option, reason));
    let rule = settings.selection.rule;
    if matches!(rule, Rule::Puct | Rule::Biased) && matches!(settings.prior, Prior::Unknown) {
        let reason = "this selection needs a prior; write prior = \"policy\" or prior = \"evaluation\"";
        return refuse("selection", reason);
    }
    if options.part("parallel").name == "root" {
        if settings.keep_tree {
            return refuse("parallel", "several trees are not kept; write keep = false");
        }
        if settings.solver {
            let reason = "several trees are joined by visits, not by proofs; write solver = \"none\"";
            return refuse("parallel", reason);
        }
        if settings.final_choice != FinalChoice::Robust {
            return refuse("parallel", "several trees are joined by visits; write final-choice = \"robust\"");
        }
    }
    if settings.sparse.is_some() && settings.solver {
        let reason = "samples prove nothing of the outcomes that are left out; write solver = \"none\"";
        return refuse("sparse", reason);
    }
    if settings.transpositions && game.key(&game.start()).is_none() {
        return refuse("memory", "this game has no keys to know a position by; write memory = \"tree\"");
    }
    let traced = match rule {
        Rule::Rave | Rule::Grave { .. } => Some("selection"),
        _ if settings.learning != Learning::Nothing => Some("playouts"),
        _ => None,
    };
    if let Some(option) = traced {
        if settings.batch > 1 {
            return refuse(option, "this looks at playouts one by one; write batch = 1");
        }
        if settings.threads > 1 {
            let reason = "this learns from one playout after the other; write parallel = \"none\"";
            return refuse("parallel", reason);
        }
        if !numbers_its_moves(game) {
            return refuse(option, "this game does not number its moves, of which tables are kept here");
        }
    }
    if settings.threads > 1 && settings.expansion.all_at_once {
        return refuse(
            "parallel",
            "the children of a node are played out in order; write expansion = \"single\"",
        );
    }
    Ok(())
}

/// Whether the first move that a player can make has a number.
fn numbers_its_moves<G: Game>(game: &G) -> bool {
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
