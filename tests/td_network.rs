//! Networks that learn by temporal differences: the same bytes however they are trained, results that players name, and
//! errors at their places.

use std::fs;
use std::sync::atomic::AtomicBool;

use shikou::experiment::train;

use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[training]]
name = "alone"
game.othello = { size = 4 }
evaluation.network = { input = "one-hot", seen = "inversion" }
method.td = { layers = [8, 1], lambda = 0.7, batch = 5, target = "best", optimiser.adam.rate = 0.01 }
against = "itself"
games = 203
judge = { against = ["random"], pairs = 6, every = 100, random = 0.1 }

[[training]]
name = "met"
game.othello = { size = 4 }
evaluation.network = { input = "bits", seen = "negation" }
method.td = { layers = [6, 4, 1], activations = "relu,tanh,linear", batch = 7, optimiser.momentum.rate = 0.05 }
opponent = [{ name = "before", search.greedy.evaluation.network.evolved = "alone" }]
against = ["before", "random"]
games = 100

[[training]]
name = "features"
game.othello = { size = 4 }
evaluation.network = { input = "features", features = "general", seen = "inversion" }
method.td = { layers = [1], batch = 4, optimiser.sgd.rate = 0.1, last-step = 1.0 }
against = ["random"]
games = 20

[[experiment]]
name = "test"
game.othello = { size = 4 }
trials = 5
player = [
    { name = "met", search.greedy = { evaluation.network = { evolved = "met", input = "bits", seen = "negation" }, finished = "evaluation" } },
    "random",
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "td-network",
    names: &["alone", "met", "features"],
    files: &["network.safetensors", "curve.csv", "checkpoint"],
};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let alone = TRAININGS.assert_threads_change_nothing();
    let curve = fs::read_to_string(alone.join("alone/curve.csv")).unwrap();
    let head = "games,against,wins,draws,losses,points,low,high";
    assert_eq!(curve.lines().next(), Some(head));
    let games: Vec<&str> = curve.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(games, ["0", "100", "200", "203"]);
    assert!(!alone.join("alone/errors.csv").exists(), "there are no epochs");
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    let stops =
        [("game", 0), ("game", 5), ("game", 40), ("game", 100), ("game", 101), ("game", 150), ("game", 203)];
    TRAININGS.assert_stops_change_nothing(1, &stops);
}

#[test]
fn experiments_play_the_network() {
    TRAININGS.assert_experiments_play("met");
}

/// A network that learns long enough beats random play, also with a seed that nobody chose.
#[test]
fn learning_helps() {
    TRAININGS.assert_learning_helps(
        r#"
        schema = 1

        [[training]]
        game.othello = { size = 4 }
        evaluation.network = { input = "one-hot", seen = "inversion" }
        method.td = { layers = [16, 1], lambda = 0.5, optimiser.adam.rate = 0.02 }
        against = "itself"
        games = 4000
        judge = { against = ["random"], pairs = 200 }
    "#,
    );
}

/// Kills at any moment lose nothing; a report, the plan and a quick test work.
#[test]
fn a_killed_run_goes_on() {
    let words = ["alone · othello(size=4) · training", "one-hot/inversion 48–8–1", "met · othello(size=4)"];
    TRAININGS.assert_killed_run_goes_on(&[10, 20, 40, 80, 160], "met", &words);
}

#[test]
fn steps_that_are_too_large_are_an_error() {
    let text = MANIFEST.replace(
        "layers = [1], batch = 4, optimiser.sgd.rate = 0.1, last-step = 1.0",
        "layers = [4, 4, 1], activation = \"linear\", lambda = 1.0, step = 1000, batch = 1, optimiser.sgd.rate = 1000",
    );
    let (manifest, never) = (support::manifest(&text), AtomicBool::new(false));
    let training = manifest.trainings().last().unwrap();
    let error = train(training, &TRAININGS.folder("large"), 1, &never, &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("features") && error.contains("write smaller steps"), "{error}");
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("layers = [8, 1], ", "", 9, "a network needs layers; write for example layers = [32, 1]"),
        ("layers = [8, 1]", "layers = [8, 2]", 9, "the last has width 2"),
        ("layers = [8, 1]", "layers = [8, 0, 1]", 9, "from 1"),
        ("lambda = 0.7", "lambda = 0.7, coherence = true", 9, "unknown option `coherence`; known: lambda"),
        ("lambda = 0.7", "lambda = 0.7, epochs = 3", 9, "epochs"),
        ("\"relu,tanh,linear\"", "\"relu,tanh\"", 18, "3 layers and 2 activations"),
        ("\"relu,tanh,linear\"", "\"relu,tanh,tanh\"", 18, "write `linear` for it"),
        (
            "evaluation.network = { input = \"one-hot\", seen = \"inversion\" }",
            "evaluation.tuples = { shapes = \"all-1\", seen = \"inversion\" }",
            9,
            "`layers`",
        ),
        (
            "evaluation.network = { input = \"one-hot\", seen = \"inversion\" }",
            "evaluation.network = { input = \"one-hot\" }\nevaluation.tuples.shapes = \"all-1\"",
            8,
            "must name one thing, and here are 2: `network`, `tuples`",
        ),
        (
            "evaluation.network = { input = \"one-hot\", seen = \"inversion\" }",
            "evaluation.network = { input = \"one-hot\", file = \"x\" }",
            8,
            "omit `file`",
        ),
        ("against = [\"before\", \"random\"]", "against = [\"before\", \"uct@1s\"]", 20, "budget of time"),
        ("against = \"itself\"", "samples = { between = \"random\", games = 3 }", 5, "against"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}
