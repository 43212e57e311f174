//! The fingerprint of a build: two numbers for how it plays.

use std::sync::OnceLock;

use super::{Manifest, Plan, Record, canonical_log, play};
use crate::players::Registry;

/// The first cases, of simple searchers on every game.
const SIMPLE: &str = r#"
schema = 1
seed = 1
[[experiment]]
game = "tic-tac-toe"
trials = 2
player = [
  { search = "random" },
  { search.flat = { playouts = 5 } },
  { search.minimax = { depth = "full" } },
  { search.simple-tree = { level = 2, playouts = 2 } },
]
[[experiment]]
game = "othello"
trials = 1
openings = { random-plies = 4 }
player = [
  { search = "random" },
  { search.flat = { playouts = 2 } },
  { search.minimax = { depth = 2, evaluation = "weights" } },
  { search.minimax = { depth = 2, evaluation = "mobility" } },
  { search.simple-tree = { level = 1, playouts = 2 } },
]
[[experiment]]
game = "calculation"
trials = 2
player = [
  { search = "random" },
  { search.policy = { policy = "foundation-first" } },
  { search.policy = { policy = "waste-first" } },
  { search.flat = { playouts = 5, policy = "waste-first" } },
  { search.simple-tree = { level = 2, playouts = 1, policy = "foundation-first" } },
]
[[experiment]]
game.random-tree = { branching = 3, depth = 6, chance-every = 3 }
trials = 4
player = [{ search = "random" }, { search.simple-tree = { level = 3, playouts = 2 } }]
"#;

/// All other searchers, and the parts of UCT that keep something of their own.
const OTHERS: &str = r#"
schema = 1
seed = 1
[[experiment]]
game = "tic-tac-toe"
trials = 2
design.gauntlet = { against = ["random"] }
player = [
  { name = "random", search = "random" },
  { search.rules = { list = "ai12s" } },
  { search.alpha-beta = { depth = "full" } },
  { search.unbounded-minimax = {}, budget.nodes = 60 },
]
[[experiment]]
game.othello = { size = 6 }
trials = 1
design.gauntlet = { against = ["uct"] }
openings = { random-plies = 8 }
player = [
  { name = "uct", search.uct = {}, budget.playouts = 30 },
  { search.uct = { selection = "grave" }, budget.playouts = 30 },
  { search.uct = { selection = "tuned", playouts = "nst" }, budget.playouts = 30 },
  { search.greedy = {} },
  { search.alpha-beta = { depth = 3 } },
  { search.uct = { playouts = "mast", selection = "puct", prior = "evaluation" }, budget.playouts = 30 },
]
[[experiment]]
game.calculation = { ranks = 5 }
trials = 1
player = [
  { search.policy = { policy = "king-rules" } },
  { search.expectimax = { depth = 3, evaluation = "order" } },
  { search.greedy = { epsilon = 0.5 } },
  { search.hindsight = { futures = 5 } },
  { search.nested-rollout = { level = 1 } },
  { search.flat-ucb = {}, budget.playouts = 40 },
  { search.thompson = {}, budget.playouts = 40 },
  { search.sequential-halving = {}, budget.playouts = 40 },
  { search.anytime-halving = {}, budget.playouts = 40 },
  { search.gumbel = {}, budget.playouts = 40 },
  { search.uct = { backup = { mixed = { max-share = 0.5 } } }, budget.playouts = 40 },
  { search.open-loop-uct = {}, budget.playouts = 40 },
  { search.bts = {}, budget.playouts = 40 },
  { search.dents = {}, budget.playouts = 40 },
]
[[experiment]]
game.random-tree = { branching = 3, depth = 6, players = 1, reward = "score" }
trials = 2
player = [
  { search.nested = { level = 2 } },
  { search.nrpa = { level = 2, iterations = 5 } },
  { search.sp-mcts = {}, budget.playouts = 40 },
]
"#;

/// The fingerprint of this build: the beginnings of the digests of fixed small trials. Builds with equal fingerprints
/// play alike, as far as one can see; a log that one began may be continued by the other.
///
/// # Cost
/// Some tens of milliseconds, once in a process.
pub fn fingerprint() -> String {
    static FINGERPRINT: OnceLock<String> = OnceLock::new();
    FINGERPRINT.get_or_init(|| [SIMPLE, OTHERS].map(number).join("-")).clone()
}

/// Whether builds with these fingerprints play alike, as far as one can see. Early builds had the first number only.
pub(crate) fn plays_alike(theirs: &str, ours: &str) -> bool {
    theirs == ours || ours.split_once('-').is_some_and(|(first, _)| theirs == first)
}

/// The beginning of the digest of some trials.
fn number(cases: &str) -> String {
    let manifest = Manifest::parse("fingerprint".as_ref(), cases, &Registry::standard());
    let manifest = manifest.expect("the cases are well formed");
    let plan = Plan::new(&manifest);
    let records: Vec<Record> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    canonical_log(&plan, &records).1.digest()[..16].into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::SearcherKind;

    #[test]
    fn every_searcher_is_in_it() {
        for kind in SearcherKind::ALL {
            let written = [format!("search.{} =", kind.name()), format!("search = {:?}", kind.name())];
            let is_there = |cases: &str| written.iter().any(|player| cases.contains(player.as_str()));
            assert!([SIMPLE, OTHERS].into_iter().any(is_there), "{}", kind.name());
        }
    }

    #[test]
    fn an_early_log_is_continued_and_that_of_another_build_is_not() {
        let ours = "0123456789abcdef-fedcba9876543210";
        assert!(plays_alike(ours, ours) && plays_alike("0123456789abcdef", ours));
        let others = ["fedcba9876543210", "", "0123456789abcdef-0000000000000000"];
        assert!(others.iter().all(|theirs| !plays_alike(theirs, ours)));
    }
}
