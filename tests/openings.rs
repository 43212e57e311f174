//! Openings that a searcher finds balanced.

use shikou::experiment::{Manifest, Plan, Record, play};

use crate::support::manifest;

const TEXT: &str = r#"
schema = 1
seed = 3
[[experiment]]
game = "tic-tac-toe"
trials = 60
openings = { random-plies = 3, balanced = { search.minimax = { depth = "full" }, within = 0.5 } }
player = [
  { name = "a", search.minimax = { depth = "full" } },
  { name = "b", search.minimax = { depth = "full" }, stream = "b" },
  { name = "c", search = "random" },
]
"#;

fn records(text: &str) -> Vec<Record> {
    let plan = Plan::new(&manifest(text)).unwrap();
    plan.canonical().map(|trial| play(&plan, trial)).collect()
}

/// The number of drawn games between the perfect players, and of all their games.
fn drawn(records: &[Record]) -> (usize, usize) {
    let perfect = records.iter().flat_map(|record| &record.games);
    let perfect: Vec<_> = perfect.filter(|game| game.seats.iter().all(|seat| seat.player < 2)).collect();
    (perfect.iter().filter(|game| game.result == Ok((shikou::game::Outcome::Draw, 0))).count(), perfect.len())
}

/// After a balanced opening two perfect players draw; after others often not.
#[test]
fn balanced_openings_are_those_that_the_judge_calls_even() {
    let balanced = records(TEXT);
    assert_eq!(drawn(&balanced), (120, 120));
    let random = TEXT.replace(r#", balanced = { search.minimax = { depth = "full" }, within = 0.5 }"#, "");
    let (even, games) = drawn(&records(&random));
    assert!(games == 120 && even < 90, "{even}");
    // Independent of the order: another order of the trials gives the same games.
    let plan = Plan::new(&manifest(TEXT)).unwrap();
    let trials: Vec<_> = plan.canonical().collect();
    for (trial, record) in trials.iter().zip(&balanced).rev() {
        assert!(play(&plan, *trial).went_as(record));
    }
}

#[test]
fn games_without_a_balanced_opening_fail_with_the_reason() {
    let never =
        TEXT.replace("within = 0.5", "within = 0.5e-300").replace("random-plies = 3", "random-plies = 1");
    // Perfect play draws from every first move, so even the narrowest bound holds …
    assert!(records(&never).iter().flat_map(|record| &record.games).all(|game| game.result.is_ok()));
    // … but a searcher without values accepts none as balanced.
    let one = never.replace(r#"search.minimax = { depth = "full" }, within"#, r#"search = "random", within"#);
    let records = records(&one);
    let failure = records[0].games[0].result.as_ref().unwrap_err();
    assert_eq!(failure, "no opening is balanced among 1000 that were drawn; allow more than `within`");
}

#[test]
fn a_judge_must_fit_and_be_repeatable() {
    let cases = [
        ("within = 0.5", "within = 0", "takes a number above 0"),
        (
            r#"search.minimax = { depth = "full" }, within"#,
            "search.minimax = { depth = 3 }, within",
            "has no evaluation",
        ),
        ("within = 0.5", r#"within = 0.5, budget = { time = "1s" }"#, "another budget"),
        ("random-plies = 3, ", "", "`random-plies`"),
    ];
    for (from, to, reason) in cases {
        let error = Manifest::parse("m.toml".as_ref(), &TEXT.replacen(from, to, 1), &shikou::registry());
        let error = error.and_then(|manifest| Plan::new(&manifest)).expect_err(to).to_string();
        assert!(error.contains(reason) && error.contains("m.toml:7:"), "{error}");
    }
}
