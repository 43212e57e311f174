//! What several searchers take: a playout policy, a depth with its evaluation, a rule for ties.

use std::sync::Arc;

use crate::game::options::{Invalid, OptionDecl, OptionKind, OptionValue, Options, Part, PartDecl};
use crate::game::{
    EpsilonGreedy, Evaluation, Game, Linear, NamedEvaluation, NamedFeatures, NamedPolicy, Policy, RuleList,
    Softmax,
};
use crate::players::recipe::Misfit;
use crate::search::Ties;

/// The option `policy`.
pub(in crate::players) fn policy_option() -> OptionDecl {
    named_policy_option("policy", "how playouts choose their moves")
}

/// An option whose value is a policy.
pub(super) fn named_policy_option(name: &'static str, about: &'static str) -> OptionDecl {
    OptionDecl::name_or_part(name, "policies", generic_policies(), "uniform", about)
}

/// The policies that every game has beside its own, each with options.
pub(super) fn generic_policies() -> Vec<PartDecl> {
    let by = || evaluation_option("by which moves are judged; \"default\" is the game's first");
    let epsilon = OptionDecl::real("epsilon", 0.0, 1.0, 0.1, "how often any move is played");
    let temperature =
        OptionDecl::real("temperature", 1e-6, 1e9, 1.0, "the evaluation that makes e times as likely");
    vec![
        PartDecl::new(
            "epsilon-greedy",
            "the best move by an evaluation, and sometimes any",
            vec![by(), epsilon],
        ),
        PartDecl::new("softmax", "each move by the exponential of its evaluation", vec![by(), temperature]),
        PartDecl::new("rules", "a best move by a list of rules", vec![rules_option()]),
    ]
}

/// The policy that the option `policy` names.
pub(in crate::players) fn policy<G: Game>(game: &G, options: &Options) -> Result<Arc<dyn Policy<G>>, Misfit> {
    named_policy(game, options, "policy")
}

/// The policy that an option names.
pub(super) fn named_policy<G: Game>(
    game: &G,
    options: &Options,
    option: &'static str,
) -> Result<Arc<dyn Policy<G>>, Misfit> {
    let Part { name, options } = options.part(option);
    if name == "rules" {
        return Ok(Arc::new(rule_list(game, options)?));
    }
    if generic_policies().iter().any(|part| part.name == name) {
        let Some(evaluation) = evaluation(game, options)? else {
            let reason = format!("this game has no evaluation, which {name} needs");
            return Err(Misfit::option(option, reason));
        };
        return Ok(match name.as_str() {
            "softmax" => Arc::new(Softmax::new(evaluation, options.real("temperature"))),
            _ => Arc::new(EpsilonGreedy::new(evaluation, options.real("epsilon"))),
        });
    }
    let policies = game.policies();
    let found = policies.iter().find(|policy| policy.name == name);
    found.map(|found| found.policy.clone()).ok_or_else(|| {
        let names = policies.iter().map(|policy: &NamedPolicy<G>| policy.name);
        Misfit::unknown(option, &Invalid::unknown("policy", name, names))
    })
}

/// The option `list`.
pub(super) fn rules_option() -> OptionDecl {
    OptionDecl {
        name: "list",
        kind: OptionKind::Rules,
        default: "0".into(),
        about: "the rules; \"0\", a score for all, plays at random",
    }
}

/// The rules that the option `list` names or states.
pub(super) fn rule_list<G: Game>(game: &G, options: &Options) -> Result<RuleList<G>, Misfit> {
    let given = options.word("list");
    let lists = game.rule_lists();
    let text = lists.iter().find(|list| list.name == given).map_or(given, |list| list.text);
    let read = RuleList::parse(game, text);
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '-';
    read.map_err(|error| {
        // A single word that is nothing else is meant as a name.
        if !lists.is_empty() && given.chars().all(is_name) {
            let names = lists.iter().map(|list| list.name);
            return Misfit::unknown("list", &Invalid::unknown("list of rules", given, names));
        }
        if game.patterns().is_empty() {
            return Misfit::option(
                "list",
                format!("{error}; this game has no patterns that rules could count"),
            );
        }
        Misfit::option("list", format!("rules {text:?}, {error}"))
    })
}

/// The option `evaluation`, whose default is the game's first.
pub(super) fn evaluation_option(about: &'static str) -> OptionDecl {
    let features = OptionDecl {
        name: "features",
        kind: OptionKind::NameOf("features"),
        default: "default".into(),
        about: "the features; \"default\" is the game's first",
    };
    let weights = OptionDecl {
        name: "weights",
        kind: OptionKind::Integers { min: -1_000_000, max: 1_000_000 },
        default: Vec::new().into(),
        about: "a weight for each feature, in their order",
    };
    let linear = PartDecl::new("linear", "the weighted sum of some features", vec![features, weights]);
    OptionDecl::name_or_part("evaluation", "evaluations", vec![linear], "default", about)
}

/// The evaluation that the option `evaluation` names; `None` where the game has none at all.
pub(super) fn evaluation<G: Game>(
    game: &G,
    options: &Options,
) -> Result<Option<Arc<dyn Evaluation<G>>>, Misfit> {
    let part = options.part("evaluation");
    let evaluations = game.evaluations();
    let found = match part.name.as_str() {
        "linear" => return linear(game, &part.options).map(Some),
        "default" => evaluations.first(),
        name => evaluations.iter().find(|evaluation| evaluation.name == name),
    };
    match found {
        Some(found) => Ok(Some(found.evaluation.clone())),
        None if evaluations.is_empty() => Ok(None),
        None => {
            let names = evaluations.iter().map(|evaluation: &NamedEvaluation<G>| evaluation.name);
            Err(Misfit::unknown("evaluation", &Invalid::unknown("evaluation", &part.name, names)))
        }
    }
}

/// The weighted sum of some of the game's features.
fn linear<G: Game>(game: &G, options: &Options) -> Result<Arc<dyn Evaluation<G>>, Misfit> {
    let all = game.features();
    let found = match options.word("features") {
        "default" => all.first(),
        name => all.iter().find(|features| features.name == name),
    };
    let Some(NamedFeatures { name, features, .. }) = found else {
        if all.is_empty() {
            return Err(Misfit::option("evaluation", "this game has no features to weigh"));
        }
        let names = all.iter().map(|features: &NamedFeatures<G>| features.name);
        return Err(Misfit::unknown(
            "features",
            &Invalid::unknown("features", options.word("features"), names),
        ));
    };
    let (names, weights) = (features.names(game), options.integers("weights"));
    if names.len() != weights.len() {
        let reason = format!(
            "`{name}` are {} numbers ({}), and here are {} weights; write one for each",
            names.len(),
            names.join(", "),
            weights.len()
        );
        return Err(Misfit::option("weights", reason));
    }
    Ok(Arc::new(Linear::new(features.clone(), weights.to_vec())))
}

/// What a searcher to a depth looks like when it is to be tried only: at most two plies deep. A search to the end of
/// the game stays one where the game has no evaluation.
pub(super) fn smaller_depth(option: &str, value: &OptionValue, has_evaluation: bool) -> OptionValue {
    match (option, value) {
        ("depth", &OptionValue::Integer(depth)) => depth.min(2).into(),
        ("depth", OptionValue::Word(_)) if has_evaluation => 2.into(),
        _ => value.clone(),
    }
}

/// The options `depth` and `evaluation` together: how deep, and what stands in there. `None` is the end of the game.
pub(super) fn horizon<G: Game>(game: &G, options: &Options) -> Result<Option<Horizon<G>>, Misfit> {
    let Some(depth) = options.integer_or_word("depth") else { return Ok(None) };
    let reason = "this game has no evaluation to stop at a depth; write depth = \"full\"";
    let evaluation = evaluation(game, options)?.ok_or_else(|| Misfit::option("depth", reason))?;
    Ok(Some((depth as u32, evaluation)))
}

/// A depth in plies, and what stands in there.
pub(super) type Horizon<G> = (u32, Arc<dyn Evaluation<G>>);

/// The option `ties`.
pub(super) fn ties_option(default: &str) -> OptionDecl {
    let words = &[("first", "the first in the game's order"), ("random", "each as likely")];
    OptionDecl {
        default: default.into(),
        ..OptionDecl::choice("ties", words, "which of several best moves is played")
    }
}

/// What the option `ties` says.
pub(super) fn ties(options: &Options) -> Ties {
    if options.word("ties") == "first" { Ties::First } else { Ties::Random }
}
