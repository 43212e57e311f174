//! Trainings by a policy gradient: the same bytes however they are played, and policies that use what was learned.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{Optimised, Plan, TrainingProgress, train};
use shikou::players::Registry;

use crate::resume::{assert_kills_change_nothing, shikou};
use crate::support;

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

fn folder(name: &str) -> PathBuf {
    support::folder("policy-gradient", name)
}

/// Trains all that is missing in a folder, until `stop` deals are learned.
fn train_in(folder: &Path, text: &str, threads: usize, stop_at: u64) -> Optimised {
    let (manifest, mut optimised) = (support::manifest(text), Optimised::default());
    for training in manifest.trainings() {
        let stop = AtomicBool::new(false);
        let mut watch = |at: TrainingProgress| stop.store(at.done >= stop_at, Ordering::Relaxed);
        let trained = train(training, &folder.join(&training.name), threads, &stop, &mut watch).unwrap();
        optimised.take_training(training, trained);
    }
    optimised
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    ["weights.txt", "checkpoint"].map(|file| fs::read(folder.join("small").join(file)).unwrap()).into()
}

#[test]
fn any_number_of_threads_and_any_stops_give_the_same_bytes() {
    let alone = folder("one");
    train_in(&alone, MANIFEST, 1, u64::MAX);
    for threads in [2, 8] {
        let other = folder(&format!("threads-{threads}"));
        train_in(&other, MANIFEST, threads, u64::MAX);
        assert!(files(&other) == files(&alone), "{threads} threads");
    }
    let parts = folder("parts");
    for stop in [0, 5, 40, 101, 200] {
        train_in(&parts, MANIFEST, 2, stop);
        assert!(!parts.join("small/weights.txt").exists(), "it was not stopped at {stop}");
    }
    train_in(&parts, MANIFEST, 2, u64::MAX);
    assert!(files(&parts) == files(&alone));
    let text = fs::read_to_string(alone.join("small/weights.txt")).unwrap();
    assert!(text.starts_with("# shikou-weights=1 game=calculation of=waste unit=1e-6 weights="), "{text}");
}

/// The learned policy solves more of the same deals than the uniform one, of its training's manifest and from a file.
#[test]
fn policies_play_the_weights() {
    let folder = folder("play");
    let text = MANIFEST.replace("games = 203", "games = 2000");
    let manifest = train_in(&folder, &text, 2, u64::MAX).finish(support::manifest(&text));
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
    assert!(Registry::standard().read_searcher(&policy).is_ok());
}

#[test]
fn a_killed_run_goes_on() {
    let folder = folder("killed");
    assert_kills_change_nothing(&folder, MANIFEST, &[10, 40, 160]);
    assert!(files(&folder.join("killed")) == files(&folder.join("whole")));
    let (code, report, _) = shikou(&folder, &["report", "killed"]);
    assert!(code == 0 && report.contains("weights of waste from 203 deals."), "{report}");
    let (code, smoke, error) = shikou(&folder, &["run", "m.toml", "--smoke"]);
    assert!(code == 0, "{smoke}{error}");
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("games = 203\n", "", 5, "games = 300_000"),
        ("games = 203", "games = 203\nagainst = \"itself\"", 11, "has no `against`"),
        ("games = 203", "games = 203\njudge = { against = [\"random\"], pairs = 5 }", 11, "has no `judge`"),
        ("\"waste\"", "\"wast\"", 8, "waste"),
        ("evaluation.linear.features = \"waste\"", "evaluation = \"order\"", 8, "weights of features"),
        ("= \"waste\"", "= \"waste\"\nevaluation.linear.weights = [1]", 8, "omit `weights`"),
        ("group = 4", "group = 1", 9, "2"),
        ("rate = 0.05", "rate = 0", 9, "rate"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}
