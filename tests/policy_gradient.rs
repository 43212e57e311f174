//! Trainings by a policy gradient: the same bytes however they are played, and policies that use what was learned.

use std::fs;

use shikou::experiment::Plan;

use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 1003

[[training]]
name = "small"
game.calculation = { ranks = 5, suits = 2, piles = 2, foundation = "first" }
evaluation.linear.features = "waste"
method.policy-gradient = { group = 4, batch = 5, rate = 0.05, shaping = 0.1 }
games = 203

[[experiment]]
name = "test"
game.calculation = { ranks = 5, suits = 2, piles = 2, foundation = "first" }
trials = 400
player = [
    { name = "learned", search.policy.policy.softmax = { evaluation.linear.evolved = "small", finished = "evaluation" } },
    { name = "uniform", search.policy = {} },
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "policy-gradient",
    names: &["small"],
    files: &["weights.txt", "checkpoint"],
};

#[test]
fn any_number_of_threads_and_any_stops_give_the_same_bytes() {
    let alone = TRAININGS.assert_threads_change_nothing();
    let stops = [("deal", 0), ("deal", 5), ("deal", 40), ("deal", 101), ("deal", 200), ("deal", 203)];
    TRAININGS.assert_stops_change_nothing(2, &stops);
    let text = fs::read_to_string(alone.join("small/weights.txt")).unwrap();
    assert!(text.starts_with("# shikou-weights=1 game=calculation of=waste unit=1e-6 weights="), "{text}");
}

/// The learned policy solves more of the same deals than the uniform one, of its training's manifest and from a file.
#[test]
fn policies_play_the_weights() {
    let text: &str = MANIFEST.replace("games = 203", "games = 2000").leak();
    let (trainings, folder) = (Trainings { manifest: text, ..TRAININGS }, TRAININGS.folder("play"));
    let manifest = trainings.all(&folder).finish(support::manifest(text));
    let plan = Plan::new(&manifest).unwrap();
    let mut won = [0, 0];
    for trial in plan.canonical() {
        for game in shikou::experiment::play(&plan, trial).games {
            let seat = game.seats[0].player;
            won[seat] += u32::from(game.result.unwrap().0 == shikou::game::Outcome::Win);
        }
    }
    // Uniform play under this rule solves about two in five.
    assert!(won[0] > won[1] + 60, "{won:?}");
    let file = folder.join("small/weights.txt");
    let policy = format!("policy(policy=softmax(evaluation=linear(file={:?})))", file.display().to_string());
    assert!(shikou::registry().read_searcher(&policy).is_ok());
}

#[test]
fn a_killed_run_goes_on() {
    let words = ["weights of waste from 203 deals."];
    TRAININGS.assert_killed_run_goes_on(&[10, 40, 160], "small", &words);
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("games = 203\n", "", 5, "games = 300_000"),
        ("games = 203", "games = 203\nagainst = \"itself\"", 11, "has no `against`"),
        ("games = 203", "games = 203\njudge = { against = [\"random\"], pairs = 5 }", 11, "has no `judge`"),
        ("\"waste\"", "\"wast\"", 8, "waste"),
        (
            "evaluation.linear.features = \"waste\"",
            "evaluation = \"order\"",
            8,
            "\"order\" has no weights to learn",
        ),
        ("= \"waste\"", "= \"waste\"\nevaluation.linear.weights = [1]", 8, "omit `weights`"),
        ("group = 4", "group = 1", 9, "2"),
        ("rate = 0.05", "rate = 0", 9, "rate"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}
