//! Least squares in a manifest: weights of tuples by stage, the same bytes however they are fitted, errors on games that
//! were not fitted, mistakes at their places.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{Manifest, train};

use crate::connect_four::game::ConnectFour;
use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[training]]
name = "fitted"
game.othello = { size = 4, reward = "score" }
evaluation.tuples = { shapes = "all-2", seen = "inversion", stages = 3 }
method.least-squares = { l2 = 0.01, epochs = 12 }
samples = { between = ["random", "greedy"], games = 80, random-plies = 1 }
judge = { against = ["random"], pairs = 5, every = 5 }

[[training]]
name = "plain"
game.othello.size = 4
evaluation.tuples = { shapes = "all-1", seen = "negation" }
method.least-squares = { target = "points", epochs = 5, validate = 0.0, test = 0.2, split = "sample", keep = "last" }
opponent = [{ name = "before", search.greedy = { epsilon = 0.3, evaluation.tuples = { seen = "inversion", evolved = "fitted" } } }]
samples = { between = "before", games = 40 }

[[experiment]]
name = "test"
game.othello.size = 4
trials = 5
player = [
    { name = "fitted", search.greedy.evaluation.tuples = { seen = "inversion", evolved = "fitted" } },
    { name = "plain", search.minimax = { depth = 2, evaluation.tuples = { seen = "negation", evolved = "plain" } } },
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "least-squares",
    names: &["fitted", "plain"],
    files: &["weights.txt", "curve.csv", "errors.csv", "checkpoint", "games.txt"],
};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let alone = TRAININGS.assert_threads_change_nothing();
    let weights = fs::read_to_string(alone.join("fitted/weights.txt")).unwrap();
    assert!(weights.contains(" of=all-2/inversion/3 ") && weights.contains("\n3/1:00,"), "{weights}");
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    let stops = [("game", 0), ("game", 20), ("epoch", 0), ("epoch", 1), ("epoch", 5), ("epoch", 9)];
    TRAININGS.assert_stops_change_nothing(1, &stops);
}

#[test]
fn games_that_were_not_fitted_are_predicted_better_than_by_the_mean() {
    let text = MANIFEST.replace("games = 80", "games = 800");
    let kept = TRAININGS.first_of(&text, "held-out").1.kept.unwrap();
    let (test, mean) = (kept.test.unwrap(), kept.mean.unwrap());
    assert!(test.squared < 0.9 * mean.squared, "{test:?} {mean:?}");
    assert_eq!(test.samples, mean.samples);
}

/// Exact values of positions near the end, one of each game, are predicted better than by their mean, and threads change nothing.
#[test]
fn solved_positions_are_fitted_the_same_by_any_number_of_threads() {
    let text = MANIFEST
        .replace("epochs = 12", "epochs = 12, solved = 6, detour = 2")
        .replace("games = 80", "games = 300");
    let (manifest, never) = (support::manifest(&text), AtomicBool::new(false));
    let training = manifest.trainings().next().unwrap();
    let fitted = |name: &str, threads| {
        let folder = TRAININGS.folder(name);
        let kept = train(training, &folder, threads, &never, &mut |_| ()).unwrap().kept.unwrap();
        (kept.test.unwrap(), kept.mean.unwrap(), fs::read_to_string(folder.join("weights.txt")).unwrap())
    };
    let (test, mean, weights) = fitted("solved-1", 1);
    assert!(test.squared < mean.squared, "{test:?} {mean:?}");
    // One sample of each game, a tenth of which tests.
    assert!((20..=30).contains(&test.samples), "{test:?}");
    assert!(fitted("solved-3", 3).2 == weights);
}

#[test]
fn experiments_play_the_weights() {
    TRAININGS.assert_experiments_play("fitted");
}

/// Kills at any moment lose nothing; a report, the plan and a quick test work.
#[test]
fn a_killed_run_goes_on() {
    let words = ["all-2/inversion/3", "held out, by the mean", "The result is that of epoch"];
    TRAININGS.assert_killed_run_goes_on(&[10, 20, 40, 80, 160], "fitted", &words);
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("stages = 3", "stages = 0", 8, "from 1 to 64"),
        ("stages = 3", "stages = 3, weights = [1]", 8, "omit `weights`"),
        ("method.least-squares = { l2 = 0.01, epochs = 12 }", "method.td = {}", 5, "against"),
        ("l2 = 0.01", "l2 = -1.0", 9, "from 0"),
        ("l2 = 0.01", "solved = 25", 9, "from 0 to 24"),
        ("l2 = 0.01", "layers = [1]", 9, "layers"),
        ("epochs = 12", "epochs = 12, validate = 0.0", 9, "keep = \"last\""),
        ("epochs = 12", "epochs = 12, test = 0.001", 9, "leaves nothing to test"),
        (
            "evaluation.tuples = { shapes = \"all-2\", seen = \"inversion\", stages = 3 }",
            "evaluation.network.input = \"bits\"",
            9,
            "but takes \"td\" or \"dense\" with options",
        ),
        ("judge = {", "against = \"itself\"\njudge = {", 11, "is a key of the method `td`"),
        ("evolved = \"fitted\" } } }]", "evolved = \"fited\" } } }]", 18, "did you mean `fitted`"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
    // Temporal differences have no stages.
    let td = MANIFEST.replace(
        "method.least-squares = { l2 = 0.01, epochs = 12 }\nsamples = { between = [\"random\", \"greedy\"], games = 80, random-plies = 1 }",
        "method.td.batch = 4\nagainst = \"itself\"\ngames = 10",
    );
    support::assert_refused(&td, ("stages = 3", "stages = 2"), 8, "omit `stages`");
}

/// Connect Four does not know how many plies are left, so no position near the end can be drawn.
#[test]
fn a_game_without_a_known_end_has_no_solved_samples() {
    let manifest = |solved: u32| {
        format!(
            "schema = 1\nseed = 3\n[[training]]\nname = \"fitted\"\ngame.connect-four = {{}}\n\
             evaluation.tuples = {{ shapes = \"all-2\", seen = \"inversion\" }}\n\
             method.least-squares = {{ solved = {solved} }}\nsamples = {{ between = \"random\", games = 80 }}\n"
        )
    };
    let registry = shikou::registry().with_game::<ConnectFour>();
    let read = |solved: u32| Manifest::parse(Path::new("m.toml"), &manifest(solved), &registry);
    assert!(read(0).is_ok());
    let error = read(4).unwrap_err().to_string();
    assert!(error.contains("m.toml:7:") && error.contains("plies are left; write solved = 0"), "{error}");
}
