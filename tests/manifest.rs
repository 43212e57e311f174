//! The manifest: what may be written, what it means, and that what it meant yesterday it means today.

use shikou::experiment::{Manifest, ManifestError, Plan};
use shikou::players::Registry;

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::parse("test.toml".as_ref(), text, &Registry::standard())
}

fn manifest(text: &str) -> Manifest {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The names of all trials in the order of the plan.
fn ids(text: &str) -> Vec<String> {
    let manifest = manifest(text);
    let plan = Plan::new(&manifest);
    plan.canonical().map(|trial| plan.id(&trial).to_string()).collect()
}

/// The names of trials are for ever: a log of another day is continued, and a reference compared, by them.
#[test]
fn trials_keep_their_names() {
    let text = r#"
        schema = 1
        seed = 11
        [[experiment]]
        name = "noughts"
        game = "tic-tac-toe"
        trials = 2
        openings = { random-plies = 1 }
        player = [
          { name = "a", search = "random" },
          { name = "b", search.flat = { playouts = 10 } },
          { name = "c", search.minimax = { depth = "full" }, stream = "s" },
        ]
        [[experiment]]
        game.othello = { size = 6 }
        design.gauntlet = { against = ["random"] }
        trials = 1
        memory-mib = 64
        seed = 5
        player = [{ search = "random" }, { search = "flat" }]
        [[experiment]]
        game = "calculation"
        trials = 2
        player = [{ search.simple-tree = { level = 2, playouts = 2, policy = "waste-first" } }]
    "#;
    let frozen = [
        "99c6b8528762b967",
        "67e35ef5ced28496",
        "8b92d0813d89b311",
        "22979984d4be0074",
        "93ec5a52ca86479a",
        "3f5ea75db875820c",
        "e33ded2d00b1a37b",
        "67bfa673845016ce",
        "151cb0a370599b6e",
    ];
    assert_eq!(ids(text), frozen);
}
