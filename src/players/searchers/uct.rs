//! UCT: `uct`.

use std::sync::Arc;

use super::parts::{evaluation, evaluation_option, policy, policy_option, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::options::{OptionDecl, OptionKind, Options};
use crate::game::{Game, Policy, Turn};
use crate::search::{
    Cutoff, Decisive, Ensemble, Evaluated, Expansion, FinalChoice, FirstPlay, Implicit, Leaf, Learning,
    Limit, Prior, Rule, Selection, Uct as Searcher, UctSettings, Widening,
};

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
        [tree_options(), leaf_options(), heuristic_options(), decision_options()].concat()
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let policy = playout_policy(game, options)?;
        let word = |name, of| options.word(name) == of;
        let (random, urgency) = (options.real("random"), options.real("urgency"));
        let rule = match options.word("selection") {
            "tuned" => Rule::Tuned,
            "bayes" => Rule::Bayes,
            "puct" => Rule::Puct,
            "biased" => Rule::Biased,
            "rave" => Rule::Rave,
            _ => Rule::Ucb1,
        };
        let parameter = options.real(if rule == Rule::Rave { "equivalence" } else { "bias" });
        let learning = match options.word("learning") {
            "mast" => Learning::Mast { random },
            "nst" => Learning::Nst { random },
            "last-good-reply" => Learning::LastGoodReply,
            _ => Learning::Nothing,
        };
        let prior = match options.word("prior") {
            "policy" => Prior::Policy,
            "evaluation" => Prior::Evaluation(evaluated(game, options, "prior")?),
            _ => Prior::Unknown,
        };
        let cutoff = match options.integer_or_word("cutoff") {
            None => None,
            Some(plies) => {
                Some(Cutoff { plies: plies as u32, evaluated: evaluated(game, options, "cutoff")? })
            }
        };
        let implicit = match options.real("implicit") {
            0.0 => None,
            share => Some(Implicit { share, evaluated: evaluated(game, options, "implicit")? }),
        };
        let factor = options.real("widening");
        let settings = UctSettings {
            selection: Selection { rule, exploration: options.real("exploration"), parameter },
            first_play: match options.word("first-play") {
                "urgency" => FirstPlay::Urgency(urgency),
                "reduction" => FirstPlay::Reduction(urgency),
                _ => FirstPlay::Published,
            },
            expansion: Expansion {
                threshold: options.integer("threshold") as u32,
                all_at_once: word("children", "all"),
            },
            max_share: options.real("max-share"),
            leaf: Leaf { policy, cutoff },
            batch: options.integer("batch") as u32,
            final_choice: match options.word("final-choice") {
                "max" => FinalChoice::Max,
                "secure" => FinalChoice::Secure,
                _ => FinalChoice::Robust,
            },
            solver: options.flag("solver"),
            probe: options.integer("probe") as u32,
            prior,
            widening: (factor > 0.0).then_some(Widening { factor }),
            sparse: match options.integer("sparse") {
                0 => None,
                samples => Some(samples as u32),
            },
            implicit,
            learning,
            ties: ties(options),
            keep_tree: options.flag("keep-tree"),
        };
        check(game, options, &settings)?;
        let ties = settings.ties;
        let searcher = Searcher::new(settings);
        match options.integer("trees") {
            1 => Ok(Recipe::new(searcher)),
            trees => Ok(Recipe::new(Ensemble::new(searcher, trees as u32, ties))),
        }
    }
}

/// How the tree grows.
fn tree_options() -> Vec<OptionDecl> {
    vec![
        OptionDecl::choice(
            "selection",
            &[
                ("ucb1", "value + √(2 ln N / n): Auer, Cesa-Bianchi, Fischer 2002"),
                ("tuned", "the same with the variance of the payoffs: UCB1-Tuned"),
                ("bayes", "mean + √(2 ln N) · σ of a beta distribution: Tesauro, Rajan, Segal 2010"),
                ("puct", "value + prior · √N / (1 + n): Silver et al. 2016"),
                ("biased", "ucb1 + bias · prior / (1 + n): Chaslot et al. 2008"),
                ("rave", "ucb1, where a move's playouts elsewhere count at first: Gelly, Silver 2007"),
            ],
            "which move is visited next",
        ),
        OptionDecl::real("exploration", 0.0, 1000.0, 1.0, "factor of the exploration term; 1: as published"),
        OptionDecl::real("bias", 0.0, 1e6, 1.0, "see selection = \"biased\""),
        OptionDecl::real("equivalence", 0.0, 1e9, 1000.0, "visits at which rave's two means weigh the same"),
        OptionDecl::choice(
            "first-play",
            &[
                ("published", "every move once before any twice; for puct half of the best payoff"),
                ("urgency", "`urgency`, a share of the best payoff: Gelly, Wang 2006"),
                ("reduction", "the parent's value less `urgency`"),
            ],
            "what an unvisited move is worth",
        ),
        OptionDecl::real("urgency", -1000.0, 1000.0, 1.0, "see first-play"),
        OptionDecl::integer("threshold", 1, 1_000_000, 1, "visits of a node before it gets children"),
        OptionDecl::choice(
            "children",
            &[("single", "one child a visit"), ("all", "a node's children are played out all at once")],
            "how a node that gets children goes on",
        ),
        OptionDecl::real("widening", 0.0, 1e6, 0.0, "children of a node per √visits; 0: all of them"),
        OptionDecl::integer(
            "sparse",
            0,
            1_000_000,
            0,
            "samples of chance's outcomes behind each of its turns; 0: all outcomes",
        ),
        OptionDecl::real(
            "max-share",
            0.0,
            1.0,
            0.0,
            "share of the best child in a node's value, beside the mean",
        ),
        OptionDecl::flag("solver", false, "prove values on the way: Cazenave, Saffidine 2010"),
        OptionDecl::integer("probe", 0, 8, 0, "plies of minimax before a node gets children, for the solver"),
    ]
}

/// How the edge of the tree is valued.
fn leaf_options() -> Vec<OptionDecl> {
    vec![
        policy_option(),
        OptionDecl::choice(
            "decisive",
            &[
                ("never", "the policy chooses"),
                ("own", "a move that wins at once is played: Teytaud, Teytaud 2010"),
                ("both", "and none after which the opponent wins at once"),
            ],
            "whether playouts see wins",
        ),
        OptionDecl::choice(
            "learning",
            &[
                ("nothing", "every playout is as the first"),
                ("mast", "moves that paid: Finnsson, Björnsson 2008"),
                ("nst", "pairs of moves that paid: Tak, Winands, Björnsson 2012"),
                ("last-good-reply", "answers that won: Drake 2009; Baier, Drake 2010"),
            ],
            "how playouts learn from those before",
        ),
        OptionDecl::real("random", 0.0, 1.0, 0.2, "with mast and nst, how often the policy chooses"),
        OptionDecl {
            name: "cutoff",
            kind: OptionKind::IntegerOr { min: 0, max: 1000, word: "end" },
            default: "end".into(),
            about: "plies after which playouts are evaluated",
        },
        OptionDecl::integer("batch", 1, 1_000_000, 1, "playouts at each leaf"),
    ]
}

/// What is known beforehand.
fn heuristic_options() -> Vec<OptionDecl> {
    vec![
        OptionDecl::choice(
            "prior",
            &[
                ("none", "nothing"),
                ("policy", "the chance with which the policy plays it"),
                ("evaluation", "the evaluation of the position behind it"),
            ],
            "what is known of a move beforehand",
        ),
        OptionDecl::real("implicit", 0.0, 1.0, 0.0, "share of the backed-up evaluation: Lanctot et al. 2014"),
        evaluation_option("the evaluation for all that wants one; \"default\" is the game's first"),
        OptionDecl::real(
            "evaluation-scale",
            0.001,
            1e9,
            10.0,
            "the evaluation that is worth ¾ of the best payoff",
        ),
    ]
}

/// How it comes to its move.
fn decision_options() -> Vec<OptionDecl> {
    vec![
        OptionDecl::choice(
            "final-choice",
            &[
                ("robust", "the most visits"),
                ("max", "the largest value"),
                ("secure", "the largest value − 1/√visits"),
            ],
            "which move is played",
        ),
        OptionDecl::integer("trees", 1, 1000, 1, "searches that share the budget, joined at the root"),
        OptionDecl::flag("keep-tree", false, "keep what was found below the moves that were played"),
        ties_option("random"),
    ]
}

fn playout_policy<G: Game>(game: &G, options: &Options) -> Result<Arc<dyn Policy<G>>, Misfit> {
    let policy = policy(game, options)?;
    Ok(match options.word("decisive") {
        "own" => Arc::new(Decisive { policy, anti: false }),
        "both" => Arc::new(Decisive { policy, anti: true }),
        _ => policy,
    })
}

/// The evaluation, for the option that wants one.
fn evaluated<G: Game>(game: &G, options: &Options, wanted_by: &'static str) -> Result<Evaluated<G>, Misfit> {
    let Some(evaluation) = evaluation(game, options)? else {
        return Err(Misfit::option(
            wanted_by,
            format!("this game has no evaluation, which `{wanted_by}` needs"),
        ));
    };
    Ok(Evaluated { evaluation, scale: options.real("evaluation-scale") })
}

/// Whether the parts go together, and fit the game.
fn check<G: Game>(game: &G, options: &Options, settings: &UctSettings<G>) -> Result<(), Misfit> {
    let rule = settings.selection.rule;
    if matches!(rule, Rule::Puct | Rule::Biased) && matches!(settings.prior, Prior::Unknown) {
        let reason = "this selection needs a prior; write prior = \"policy\" or prior = \"evaluation\"";
        return Err(Misfit::option("selection", reason));
    }
    if options.integer("trees") > 1 && settings.keep_tree {
        return Err(Misfit::option("trees", "several trees are not kept; write keep-tree = false"));
    }
    if options.integer("trees") > 1 && settings.solver {
        return Err(Misfit::option(
            "trees",
            "several trees are joined by visits, not by proofs; write solver = false",
        ));
    }
    if options.integer("trees") > 1 && settings.final_choice != FinalChoice::Robust {
        return Err(Misfit::option(
            "trees",
            "several trees are joined by visits; write final-choice = \"robust\"",
        ));
    }
    if settings.sparse.is_some() && settings.solver {
        let reason = "samples prove nothing of the outcomes that are left out; write solver = false";
        return Err(Misfit::option("sparse", reason));
    }
    if settings.probe > 0 && !settings.solver {
        return Err(Misfit::option("probe", "this proves something for the solver; write solver = true"));
    }
    let traced = if rule == Rule::Rave { Some("selection") } else { None };
    let traced = if settings.learning == Learning::Nothing { traced } else { Some("learning") };
    if let Some(option) = traced {
        if options.integer("batch") > 1 {
            return Err(Misfit::option(
                "batch",
                format!("`{option}` looks at playouts one by one; write batch = 1"),
            ));
        }
        if !numbers_its_moves(game) {
            return Err(Misfit::option(
                option,
                "this game does not number its moves, of which tables are kept here",
            ));
        }
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
