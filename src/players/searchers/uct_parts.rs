//! The parts of UCT as manifests name them: each with the options that mean something to it, and no others.

use std::sync::Arc;

use super::Misfit;
use super::parts::{evaluation, evaluation_option, policy, policy_option, ties_option};
use crate::game::options::{OptionDecl, Options, PartDecl};
use crate::game::{Game, Policy};
use crate::search::{
    Cutoff, Decisive, Evaluated, Expansion, FirstPlay, Implicit, Leaf, Learning, Prior, Rule, Selection,
    Widening,
};

/// All options of `uct`.
pub(super) fn options() -> Vec<OptionDecl> {
    vec![
        OptionDecl::part("selection", selections(), "which move is visited next"),
        OptionDecl::part("prior", priors(), "what is known of a move before it is visited"),
        OptionDecl::part("first-play", first_plays(), "what an unvisited move is worth"),
        OptionDecl::part("expansion", expansions(), "how a node that gets children goes on"),
        OptionDecl::integer(
            "sparse",
            0,
            1_000_000,
            0,
            "samples of chance's outcomes behind each of its turns; 0: all outcomes",
        ),
        OptionDecl::part("backup", backups(), "what a node is worth"),
        OptionDecl::part("solver", solvers(), "whether values are proved on the way"),
        policy_option(),
        OptionDecl::part("playouts", playouts(), "how the edge of the tree is valued"),
        OptionDecl::choice(
            "final-choice",
            &[
                ("robust", "the most visits"),
                ("max", "the largest value"),
                ("secure", "the largest value − 1/√visits"),
            ],
            "which move is played",
        ),
        OptionDecl::part("parallel", parallels(), "how many searches there are, and who searches"),
        OptionDecl::part("memory", memories(), "what is remembered, and for how long"),
        ties_option("random"),
    ]
}

fn selections() -> Vec<PartDecl> {
    let with = |more: Vec<OptionDecl>| {
        let about = "factor of the exploration term; 1: as published";
        [vec![OptionDecl::real("exploration", 0.0, 1000.0, 1.0, about)], more].concat()
    };
    let bias = OptionDecl::real("bias", 0.0, 1e6, 1.0, "factor of the bias");
    let equivalence =
        OptionDecl::real("equivalence", 0.0, 1e9, 1000.0, "visits at which the two means weigh the same");
    let grave = vec![
        OptionDecl::integer(
            "reference",
            0,
            1_000_000_000,
            50,
            "the nearest ancestor with more visits is asked; 0: the node",
        ),
        OptionDecl::real("bias", 0.0, 1.0, 1e-5, "how fast a move's own playouts count more"),
        OptionDecl::real("exploration", 0.0, 1000.0, 0.0, "factor of ucb1's exploration; 0: as published"),
    ];
    vec![
        PartDecl::new("ucb1", "value + √(2 ln N / n): Auer, Cesa-Bianchi, Fischer 2002", with(vec![])),
        PartDecl::new("tuned", "the same with the variance of the payoffs: UCB1-Tuned", with(vec![])),
        PartDecl::new(
            "bayes",
            "mean + √(2 ln N) · σ of a beta distribution: Tesauro, Rajan, Segal 2010",
            with(vec![]),
        ),
        PartDecl::new("puct", "value + prior · √N / (1 + n): Silver et al. 2016", with(vec![])),
        PartDecl::new("biased", "ucb1 + bias · prior / (1 + n): Chaslot et al. 2008", with(vec![bias])),
        PartDecl::new(
            "rave",
            "ucb1, where a move's playouts elsewhere count at first: Gelly, Silver 2007",
            with(vec![equivalence]),
        ),
        PartDecl::new("grave", "a move's playouts elsewhere, asked of an ancestor: Cazenave 2015", grave),
    ]
}

/// The selection that the options name.
pub(super) fn selection(options: &Options) -> Selection {
    let part = options.part("selection");
    let given = &part.options;
    let (rule, parameter) = match part.name.as_str() {
        "tuned" => (Rule::Tuned, 0.0),
        "bayes" => (Rule::Bayes, 0.0),
        "puct" => (Rule::Puct, 0.0),
        "biased" => (Rule::Biased, given.real("bias")),
        "rave" => (Rule::Rave, given.real("equivalence")),
        "grave" => {
            let rule = Rule::Grave { reference: given.integer("reference") as u32 };
            (rule, given.real("bias"))
        }
        _ => (Rule::Ucb1, 0.0),
    };
    Selection { rule, exploration: given.real("exploration"), parameter }
}

/// The options of a part that evaluates.
fn evaluating() -> Vec<OptionDecl> {
    vec![
        evaluation_option("the game's evaluation; \"default\" is its first"),
        OptionDecl::real("scale", 0.001, 1e9, 10.0, "the evaluation that is worth ¾ of the best payoff"),
    ]
}

/// The evaluation of the part that an option names.
fn evaluated<G: Game>(game: &G, options: &Options, option: &'static str) -> Result<Evaluated<G>, Misfit> {
    let part = options.part(option);
    let refused = |misfit: Misfit| Misfit::option(option, misfit.reason);
    let Some(evaluation) = evaluation(game, &part.options).map_err(refused)? else {
        let reason = format!("this game has no evaluation, which `{}` needs", part.name);
        return Err(Misfit::option(option, reason));
    };
    Ok(Evaluated { evaluation, scale: part.options.real("scale") })
}

fn priors() -> Vec<PartDecl> {
    vec![
        PartDecl::new("none", "nothing", vec![]),
        PartDecl::new("policy", "the chance with which the policy plays it", vec![]),
        PartDecl::new("evaluation", "the evaluation of the position behind it", evaluating()),
    ]
}

/// The prior that the options name.
pub(super) fn prior<G: Game>(game: &G, options: &Options) -> Result<Prior<G>, Misfit> {
    Ok(match options.part("prior").name.as_str() {
        "policy" => Prior::Policy,
        "evaluation" => Prior::Evaluation(evaluated(game, options, "prior")?),
        _ => Prior::Unknown,
    })
}

fn first_plays() -> Vec<PartDecl> {
    let worth = OptionDecl::real("worth", -1000.0, 1000.0, 1.0, "a share of the best payoff");
    let by = OptionDecl::real("by", -1000.0, 1000.0, 0.2, "a share of the best payoff");
    let published = "every move once before any twice; for puct half of the best payoff";
    vec![
        PartDecl::new("published", published, vec![]),
        PartDecl::new("urgency", "so much: Gelly, Wang 2006", vec![worth]),
        PartDecl::new("reduction", "the parent's value, reduced", vec![by]),
    ]
}

/// What the options say of unvisited moves.
pub(super) fn first_play(options: &Options) -> FirstPlay {
    let part = options.part("first-play");
    match part.name.as_str() {
        "urgency" => FirstPlay::Urgency(part.options.real("worth")),
        "reduction" => FirstPlay::Reduction(part.options.real("by")),
        _ => FirstPlay::Published,
    }
}

fn expansions() -> Vec<PartDecl> {
    let options = vec![
        OptionDecl::integer("threshold", 1, 1_000_000, 1, "visits of a node before it gets children"),
        OptionDecl::real("widening", 0.0, 1e6, 0.0, "children of a node per √visits; 0: all of them"),
    ];
    vec![
        PartDecl::new("single", "one child a visit", options.clone()),
        PartDecl::new("all", "a node's children are played out all at once", options),
    ]
}

/// When nodes get children, and how many are visited.
pub(super) fn expansion(options: &Options) -> (Expansion, Option<Widening>) {
    let part = options.part("expansion");
    let threshold = part.options.integer("threshold") as u32;
    let factor = part.options.real("widening");
    let expansion = Expansion { threshold, all_at_once: part.name == "all" };
    (expansion, (factor > 0.0).then_some(Widening { factor }))
}

fn backups() -> Vec<PartDecl> {
    let max_share =
        OptionDecl::real("max-share", 0.0, 1.0, 0.5, "share of the best child; 1: the best child alone");
    let share = OptionDecl::real("share", 0.0, 1.0, 0.4, "share of the evaluation");
    vec![
        PartDecl::new("mean", "the mean of its playouts", vec![]),
        PartDecl::new("mixed", "mean and best child: Coulom 2006", vec![max_share]),
        PartDecl::new(
            "implicit",
            "mean and evaluation, backed up by minimax: Lanctot et al. 2014",
            [vec![share], evaluating()].concat(),
        ),
    ]
}

/// The share of the best child, and what is mixed in besides.
pub(super) fn backup<G: Game>(game: &G, options: &Options) -> Result<(f64, Option<Implicit<G>>), Misfit> {
    let part = options.part("backup");
    Ok(match part.name.as_str() {
        "mixed" => (part.options.real("max-share"), None),
        "implicit" => {
            let share = part.options.real("share");
            (0.0, Some(Implicit { share, evaluated: evaluated(game, options, "backup")? }))
        }
        _ => (0.0, None),
    })
}

fn solvers() -> Vec<PartDecl> {
    let about = "plies of minimax before a node gets children: Baier, Winands 2013";
    let probe = OptionDecl::integer("probe", 0, 8, 0, about);
    vec![
        PartDecl::new("none", "nothing is proved", vec![]),
        PartDecl::new("bounds", "bounds of the payoff are: Cazenave, Saffidine 2010", vec![probe]),
    ]
}

fn playouts() -> Vec<PartDecl> {
    let with = |more: Vec<OptionDecl>| {
        let decisive = OptionDecl::choice(
            "decisive",
            &[
                ("never", "the policy chooses"),
                ("own", "a move that wins at once is played: Teytaud, Teytaud 2010"),
                ("both", "and none after which the opponent wins at once"),
            ],
            "whether playouts see wins",
        );
        [more, vec![decisive]].concat()
    };
    let batch = OptionDecl::integer("batch", 1, 1_000_000, 1, "playouts at each leaf");
    let plies = OptionDecl::integer("plies", 0, 1000, 0, "plies before the evaluation; 0: nothing is played");
    let random = OptionDecl::real("random", 0.0, 1.0, 0.2, "how often the policy chooses");
    let cut = [vec![plies], evaluating(), vec![batch.clone()]].concat();
    vec![
        PartDecl::new("full", "to the end of the game", with(vec![batch])),
        PartDecl::new("cut", "to some depth, and evaluated there: Lorentz 2008", with(cut)),
        PartDecl::new("mast", "moves that paid: Finnsson, Björnsson 2008", with(vec![random.clone()])),
        PartDecl::new("nst", "pairs of moves that paid: Tak, Winands, Björnsson 2012", with(vec![random])),
        PartDecl::new("last-good-reply", "answers that won: Drake 2009; Baier, Drake 2010", with(vec![])),
    ]
}

/// How the edge of the tree is valued.
pub(super) fn leaf<G: Game>(game: &G, options: &Options) -> Result<Leaf<G>, Misfit> {
    let policy = policy(game, options)?;
    let part = options.part("playouts");
    let policy: Arc<dyn Policy<G>> = match part.options.word("decisive") {
        "own" => Arc::new(Decisive { policy, anti: false }),
        "both" => Arc::new(Decisive { policy, anti: true }),
        _ => policy,
    };
    let cutoff = if part.name == "cut" {
        let plies = part.options.integer("plies") as u32;
        Some(Cutoff { plies, evaluated: evaluated(game, options, "playouts")? })
    } else {
        None
    };
    Ok(Leaf { policy, cutoff })
}

/// How playouts learn.
pub(super) fn learning(options: &Options) -> Learning {
    let part = options.part("playouts");
    match part.name.as_str() {
        "mast" => Learning::Mast { random: part.options.real("random") },
        "nst" => Learning::Nst { random: part.options.real("random") },
        "last-good-reply" => Learning::LastGoodReply,
        _ => Learning::Nothing,
    }
}

/// How many playouts are made at a leaf.
pub(super) fn batch(options: &Options) -> u32 {
    let part = options.part("playouts");
    if matches!(part.name.as_str(), "full" | "cut") { part.options.integer("batch") as u32 } else { 1 }
}

fn parallels() -> Vec<PartDecl> {
    let trees = OptionDecl::integer("trees", 1, 1000, 4, "searches that share the budget");
    let about = "threads; from 2, no two runs are the same";
    let threads = OptionDecl::integer("threads", 1, 256, 2, about);
    vec![
        PartDecl::new("none", "one search", vec![]),
        PartDecl::new("root", "several, joined at the root: Cazenave, Jouandeau 2007", vec![trees]),
        PartDecl::new(
            "tree",
            "several threads in one tree, with virtual loss: Chaslot, Winands, van den Herik 2008",
            vec![threads],
        ),
    ]
}

fn memories() -> Vec<PartDecl> {
    let keep = OptionDecl::flag("keep", false, "keep what was found below the moves that were played");
    vec![
        PartDecl::new("tree", "a position for each way to it", vec![keep.clone()]),
        PartDecl::new("graph", "each position once: Childs, Brodeur, Kocsis 2008", vec![keep]),
    ]
}
