//! The fingerprint of a build: one number for how it plays.

use super::{Manifest, Plan, Record, canonical_log, play};
use crate::players::Registry;

/// Every searcher on every game that it fits, small.
const CASES: &str = r#"
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

/// The fingerprint of this build: the beginning of the digest of fixed small trials. Builds with equal fingerprints
/// play alike, as far as one can see; a log that one began may be continued by the other.
///
/// # Cost
/// Some ten milliseconds.
pub fn fingerprint() -> String {
    let manifest = Manifest::parse("fingerprint".as_ref(), CASES, &Registry::standard());
    let manifest = manifest.expect("the cases are well formed");
    let plan = Plan::new(&manifest);
    let records: Vec<Record> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    canonical_log(&plan, &records).1.digest()[..16].into()
}
