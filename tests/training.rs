//! Trainings in a manifest: the same bytes however they are played, results that players name, and errors at their places.

use std::fs;

use shikou::experiment::Trained;

use crate::resume::{ok, shikou};
use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[training]]
name = "alone"
game.othello = { size = 4 }
evaluation.tuples = { shapes = "all-2 + 2x2", seen = "inversion" }
method.td = { lambda = 0.5, step = 0.5, coherence = true, batch = 5, target = "best" }
against = "itself"
games = 203
judge = { against = ["random", "greedy(evaluation=mobility)"], pairs = 6, every = 100, random = 0.1 }

[[training]]
name = "met"
game.othello = { size = 4 }
evaluation.tuples = { shapes = "lines+a1:11|11", seen = "negation" }
method.td = { batch = 7 }
opponent = [{ name = "before", search.greedy = { evaluation.tuples = { seen = "inversion", evolved = "alone" } } }]
against = ["before", "random"]
games = 100

[[experiment]]
name = "test"
game.othello = { size = 4 }
trials = 5
player = [
    { name = "met", search.greedy = { evaluation.tuples.evolved = "met", finished = "evaluation" } },
    "random",
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "training",
    names: &["alone", "met"],
    files: &["weights.txt", "curve.csv", "checkpoint"],
};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let alone = TRAININGS.assert_threads_change_nothing();
    let curve = fs::read_to_string(alone.join("alone/curve.csv")).unwrap();
    let games: Vec<&str> = curve.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(games, ["100", "100", "200", "200", "203", "203"]);
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    let stops =
        [("game", 0), ("game", 5), ("game", 40), ("game", 100), ("game", 101), ("game", 150), ("game", 203)];
    TRAININGS.assert_stops_change_nothing(2, &stops);
}

#[test]
fn experiments_play_the_weights() {
    let folder = TRAININGS.assert_experiments_play("met");
    // The file of weights says what it is for.
    let text = fs::read_to_string(folder.join("met/weights.txt")).unwrap();
    assert!(
        text.starts_with("# shikou-weights=1 game=othello of=lines+a1:11|11/negation unit=1e-6 weights="),
        "{text}"
    );
}

/// A training that goes on long enough beats random play, also with a seed that nobody chose.
#[test]
fn learning_helps() {
    TRAININGS.assert_learning_helps(
        r#"
        schema = 1

        [[training]]
        game.othello = { size = 4 }
        evaluation.tuples = { shapes = "all-2 + 2x2", seen = "inversion" }
        method = "td"
        against = "itself"
        games = 2000
        judge = { against = ["random"], pairs = 200 }
    "#,
    );
}

/// Kills at any moment lose nothing; a report and the state can be read from the folder.
#[test]
fn a_killed_run_goes_on() {
    let words = ["alone · othello(size=4) · training", "points a game against the judge", "name a `judge`"];
    let folder = TRAININGS.assert_killed_run_goes_on(&[10, 20, 40, 80, 160], "met", &words);
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--shard", "1/2"]);
    assert!(code == 2 && error.contains("a shard cannot play a training"), "{error}");
    // Another training does not go on from this checkpoint, and nothing is lost when it starts again.
    fs::write(folder.join("m.toml"), MANIFEST.replace("games = 203", "games = 204")).unwrap();
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "killed"]);
    assert!(code == 2 && error.contains("is of another training") && error.contains("--restart"), "{error}");
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "killed", "--restart"]);
    assert!(code == 0 && folder.join("killed/before-1/alone/checkpoint").is_file(), "{error}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = TRAININGS.folder("damaged");
    TRAININGS.all(&folder);
    let manifest = support::manifest(MANIFEST);
    let training = manifest.trainings().next().unwrap();
    let read = || Trained::read(training, &folder.join("alone"));
    support::assert_damage_is_refused(&folder.join("alone/checkpoint"), 203, read);
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("games = 203\n", "", 5, "games = 300_000"),
        ("against = \"itself\"", "against = \"alone\"", 10, "nobody can meet its own result"),
        ("against = \"itself\"", "against = \"greedi\"", 10, "greedi"),
        ("shapes = \"all-2 + 2x2\"", "shapes = \"all-9\"", 8, "is no shape"),
        ("shapes = \"all-2 + 2x2\"", "shapes = \"a4:11|11\"", 8, "larger than the board"),
        ("shapes = \"all-2 + 2x2\", ", "", 8, "need shapes"),
        (
            "evaluation.tuples = { shapes = \"all-2 + 2x2\", seen = \"inversion\" }",
            "evaluation = \"mobility\"",
            8,
            "weights of tuples are learned",
        ),
        (
            "seen = \"inversion\" }\nmethod",
            "seen = \"inversion\", weights = [1] }\nmethod",
            8,
            "omit `weights`",
        ),
        ("lambda = 0.5", "lambda = 1.5", 9, "from 0 to 1"),
        ("lambda = 0.5", "lamda = 0.5", 9, "lambda"),
        ("random = 0.1 }", "random = 2 }", 12, "a chance from 0 to 1"),
        ("pairs = 6, ", "", 12, "pairs = 1000"),
        ("against = [\"before\", \"random\"]", "against = [\"before\", \"uct@1s\"]", 20, "budget of time"),
        ("evolved = \"alone\"", "evolved = \"alon\"", 19, "did you mean `alone`"),
        ("name = \"alone\"", "name = \"a/b\"", 6, "cannot have `/`"),
        (
            "name = \"met\"\ngame.othello = { size = 4 }",
            "name = \"met\"\ngame = \"calculation\"",
            19,
            "`alone` plays othello(size=4), not calculation",
        ),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}

/// Weights of a training and genes of an optimisation in one manifest: an optimisation takes what was learned, and an
/// experiment takes both.
#[test]
fn optimisations_and_experiments_take_what_was_learned() {
    let text = r#"
        schema = 1

        [[training]]
        name = "learned"
        game.othello.size = 4
        evaluation.tuples = { shapes = "all-1", seen = "inversion" }
        method.td.batch = 4
        against = "itself"
        games = 20

        [[optimisation]]
        name = "grid"
        game.othello.size = 4
        generations = 2
        genes.w = { count = 3, within = [-1.0, 1.0] }
        player.search.greedy.evaluation.sum = [
            { evaluation.tuples = { seen = "inversion", evolved = "learned" } },
            { evaluation.linear = { features = "square-kinds", weights = { gene = "w" } } },
        ]
        method.genetic = { population = 4, parents = 2 }
        fitness = { against = "random", pairs = 2 }

        [[experiment]]
        game.othello.size = 4
        trials = 2
        player = [
            { name = "both", search.greedy.evaluation.sum = [
                { evaluation.tuples = { seen = "inversion", evolved = "learned" } },
                { evaluation.linear = { features = "square-kinds", evolved = "grid" } },
            ] },
            { evolved = "grid" },
        ]
    "#;
    let folder = TRAININGS.folder("both");
    fs::write(folder.join("m.toml"), text).unwrap();
    let report = ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    for arguments in
        [&["verify", "r", "--all"][..], &["compare", "r", "r"], &["report", "r"], &["status", "r"]]
    {
        ok(&folder, arguments);
    }
    // Without what was learned the optimisation has nothing to add its genes to.
    fs::remove_dir_all(folder.join("r/learned")).unwrap();
    let (code, again, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    assert_eq!((code, &again), (0, &report), "{error}");
    for (from, to, words) in [
        ("seen = \"inversion\", evolved", "seen = \"negation\", evolved", "not of `all-1/negation`"),
        ("evolved = \"learned\"", "evolved = \"leaned\"", "did you mean `learned`"),
        ("evolved = \"grid\" } },", "evolved = \"gird\" } },", "did you mean `grid`"),
    ] {
        let error = support::refusal(&text.replace(from, to));
        assert!(error.contains(words), "{to}: {error}");
    }
}
