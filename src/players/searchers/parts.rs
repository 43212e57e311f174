//! What several searchers take: a playout policy, an evaluation, a rule for ties.

use std::sync::Arc;

use crate::game::options::{Invalid, OptionDecl, OptionKind, Options};
use crate::game::{Evaluation, Game, NamedEvaluation, NamedPolicy, Policy};
use crate::players::recipe::Misfit;
use crate::search::Ties;

/// The option `policy`.
pub(super) fn policy_option() -> OptionDecl {
    OptionDecl {
        name: "policy",
        kind: OptionKind::NameOf("policies"),
        default: "uniform".into(),
        about: "how playouts choose their moves",
    }
}

/// The policy that the option `policy` names.
pub(super) fn policy<G: Game>(game: &G, options: &Options) -> Result<Arc<dyn Policy<G>>, Misfit> {
    named_policy(game, options, "policy")
}

/// The policy that an option names.
pub(super) fn named_policy<G: Game>(
    game: &G,
    options: &Options,
    option: &'static str,
) -> Result<Arc<dyn Policy<G>>, Misfit> {
    let name = options.word(option);
    let policies = game.policies();
    let found = policies.iter().find(|policy| policy.name == name);
    found.map(|found| found.policy.clone()).ok_or_else(|| {
        let names = policies.iter().map(|policy: &NamedPolicy<G>| policy.name);
        Misfit::unknown(option, &Invalid::unknown("policy", name, names))
    })
}

/// The option `evaluation`, whose default is the game's first.
pub(super) fn evaluation_option(about: &'static str) -> OptionDecl {
    OptionDecl {
        name: "evaluation",
        kind: OptionKind::NameOf("evaluations"),
        default: "default".into(),
        about,
    }
}

/// The evaluation that the option `evaluation` names; `None` where the game has none at all.
pub(super) fn evaluation<G: Game>(
    game: &G,
    options: &Options,
) -> Result<Option<Arc<dyn Evaluation<G>>>, Misfit> {
    let name = options.word("evaluation");
    let evaluations = game.evaluations();
    let found = match name {
        "default" => evaluations.first(),
        _ => evaluations.iter().find(|evaluation| evaluation.name == name),
    };
    match found {
        Some(found) => Ok(Some(found.evaluation.clone())),
        None if evaluations.is_empty() => Ok(None),
        None => {
            let names = evaluations.iter().map(|evaluation: &NamedEvaluation<G>| evaluation.name);
            Err(Misfit::unknown("evaluation", &Invalid::unknown("evaluation", name, names)))
        }
    }
}

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
