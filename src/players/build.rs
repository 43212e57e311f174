//! Spec + game → machine. The only place that knows both.

use std::sync::Arc;

use super::{SearcherKind, SearcherSpec};
use crate::game::options::Invalid;
use crate::game::{Game, NamedEvaluation, NamedPolicy, Policy, Uniform};
use crate::search::{FlatMonteCarlo, Minimax, PolicyPlayer, Searcher, SimpleTree, Ties};

/// Why a searcher does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Misfit {
    /// The option to blame; none where the searcher as a whole does not fit.
    pub option: Option<&'static str>,
    /// The reason, in words, with what to do instead.
    pub reason: String,
}

impl Misfit {
    fn option(option: &'static str, invalid: &Invalid) -> Self {
        Self { option: Some(option), reason: invalid.to_string() }
    }
}

/// The machine that a spec means for a game.
///
/// # Errors
/// Where the searcher does not fit the game, or names a policy or an evaluation that the game does not have.
pub fn build<G: Game>(game: &G, spec: &SearcherSpec) -> Result<Box<dyn Searcher<G>>, Misfit> {
    let options = &spec.options;
    let ties = || if options.word("ties") == "first" { Ties::First } else { Ties::Random };
    Ok(match spec.kind {
        SearcherKind::Random => Box::new(PolicyPlayer::new(Arc::new(Uniform))),
        SearcherKind::Policy => Box::new(PolicyPlayer::new(policy(game, options.word("policy"))?)),
        SearcherKind::Flat => {
            let policy = policy(game, options.word("policy"))?;
            Box::new(FlatMonteCarlo::new(options.integer("playouts") as u64, policy, ties()))
        }
        SearcherKind::Minimax => Box::new(minimax(game, spec, ties())?),
        SearcherKind::SimpleTree => {
            let policy = policy(game, options.word("policy"))?;
            let level = options.integer("level") as u32;
            Box::new(SimpleTree::new(level, options.integer("playouts") as u64, policy, ties()))
        }
    })
}

fn policy<G: Game>(game: &G, name: &str) -> Result<Arc<dyn Policy<G>>, Misfit> {
    let policies = game.policies();
    let found = policies.iter().find(|policy| policy.name == name);
    found.map(|found| found.policy.clone()).ok_or_else(|| {
        let names = policies.iter().map(|policy: &NamedPolicy<G>| policy.name);
        Misfit::option("policy", &Invalid::unknown("policy", name, names))
    })
}

fn minimax<G: Game>(game: &G, spec: &SearcherSpec, ties: Ties) -> Result<Minimax<G>, Misfit> {
    if game.facts().chance {
        let reason = "minimax does not fit a game of chance; simple-tree and flat do".into();
        return Err(Misfit { option: None, reason });
    }
    let Some(depth) = spec.options.integer_or_word("depth") else {
        return Ok(Minimax::full(ties));
    };
    let evaluations = game.evaluations();
    let name = spec.options.word("evaluation");
    let found = match name {
        "default" => evaluations.first(),
        _ => evaluations.iter().find(|evaluation| evaluation.name == name),
    };
    match found {
        Some(found) => Ok(Minimax::to_depth(depth as u32, found.evaluation.clone(), ties)),
        None if evaluations.is_empty() => {
            let reason = "this game has no evaluation to stop at a depth; write depth = \"full\"".into();
            Err(Misfit { option: Some("depth"), reason })
        }
        None => {
            let names = evaluations.iter().map(|evaluation: &NamedEvaluation<G>| evaluation.name);
            Err(Misfit::option("evaluation", &Invalid::unknown("evaluation", name, names)))
        }
    }
}
