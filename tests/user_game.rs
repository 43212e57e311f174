//! A user's game, used like the built-in games: a registry, a manifest, trials.

use std::path::Path;

use shikou::experiment::{Manifest, Plan, Record, Summary, play};
use shikou::players::Registry;

use crate::connect_four::game::ConnectFour;

/// The example's manifest with a given number of trials per cell.
fn manifest(trials: u64) -> Manifest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/connect-four/connect-four.toml");
    let registry = Registry::standard().with_game::<ConnectFour>();
    let mut manifest = Manifest::read(&path, &registry).unwrap();
    manifest.experiments_mut().for_each(|experiment| experiment.trials = trials);
    manifest
}

fn played(plan: &Plan) -> Vec<Record> {
    plan.canonical().map(|trial| play(plan, trial)).collect()
}

#[test]
fn a_manifest_plays_a_game_that_the_crate_does_not_know() {
    let manifest = manifest(20);
    let plan = Plan::new(&manifest).unwrap();
    let records = played(&plan);
    // Three players meet in three cells.
    assert_eq!(records.len(), 3 * 20);
    for game in records.iter().flat_map(|record| &record.games) {
        assert!(game.result.is_ok(), "{:?}", game.result);
        assert!((7..=42).contains(&game.plies), "{} plies", game.plies);
    }
    let summary = Summary::new(&plan, &records);
    let players = &summary.experiments[0].players;
    let [random, flat_20, flat_100] = &players[..] else { panic!("three players, not {}", players.len()) };
    // The seed is fixed, so this is deterministic.
    assert!(random.result().high < flat_20.result().low, "{random:?} {flat_20:?}");
    assert!(random.result().high < flat_100.result().low, "{random:?} {flat_100:?}");
}

#[test]
fn its_trials_are_functions_of_the_manifest() {
    let manifest = manifest(2);
    let plan = Plan::new(&manifest).unwrap();
    let hashes = || -> Vec<u64> {
        let records = played(&plan);
        records.iter().flat_map(|record| &record.games).map(|game| game.game_hash).collect()
    };
    assert_eq!(hashes(), hashes());
}

#[test]
fn a_manifest_with_an_unregistered_game_is_an_error() {
    let text = manifest(1).text;
    let error = Manifest::parse("connect-four.toml".as_ref(), &text, &Registry::standard()).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("unknown game `connect-four`"), "{message}");
}
