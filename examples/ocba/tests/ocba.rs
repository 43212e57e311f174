//! The example searcher: the laws of searchers, and its manifest.

use std::path::Path;

use ocba::Ocba;
use shikou::experiment::{Manifest, Plan, Summary, play};
use shikou::players::conformance::assert_conforms;

#[test]
fn conforms() {
    assert_conforms::<Ocba>();
}

#[test]
fn a_manifest_plays_a_searcher_that_the_crate_does_not_know() {
    let registry = shikou::registry().with_searcher::<Ocba>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ocba.toml");
    let mut manifest = Manifest::read(&path, &registry).unwrap();
    manifest.reduce_to_smoke();
    let plan = Plan::new(&manifest).unwrap();
    let records: Vec<_> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    assert!(records.iter().flat_map(|record| &record.games).all(|game| game.result.is_ok()));
    let summary = Summary::new(&plan, &records);
    assert_eq!(summary.experiments[0].players[0].name, "ocba");
    // A registry without the searcher returns an error.
    let error = Manifest::read(&path, &shikou::registry()).err().unwrap().to_string();
    assert!(error.contains("unknown searcher `ocba`"), "{error}");
}

/// The JSON Schema, which editors read, knows the searcher and its options.
#[test]
fn the_schema_knows_it() {
    let registry = shikou::registry().with_searcher::<Ocba>();
    let schema = Manifest::json_schema(&registry).unwrap().to_string();
    assert!(
        schema.contains("\"ocba\"") && schema.contains("playouts of each move before the first allocation")
    );
}
