//! Trainings of dense layers: the same bytes however they are run, errors on games that were not learned, mistakes at their
//! places.

use std::fs;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{RunTimes, train};

use crate::resume::shikou;
use crate::support::{self, Trainings};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[training]]
name = "net"
game.othello = { size = 4, reward = "score" }
evaluation.network = { input = "one-hot", seen = "inversion" }
method.dense = { layers = [8, 4, 1], activation = "tanh", loss.huber.corner = 2.0, optimiser.amsbound.rate = 0.01, l1 = 1e-5, batch = 30, epochs = 12 }
samples = { between = ["random", "greedy"], games = 60, random-plies = 1 }
judge = { against = ["random"], pairs = 5, every = 5 }

[[training]]
name = "chance"
game.othello.size = 4
evaluation.network = { input = "bits", seen = "negation" }
method.dense = { layers = [6, 1], activations = "relu,linear", target = "points", loss = "logistic", optimiser.momentum.rate = 0.05, epochs = 5, validate = 0.0, test = 0.2, split = "sample", keep = "last" }
opponent = [{ name = "before", search.greedy = { epsilon = 0.3, evaluation.network = { evolved = "net" } } }]
samples = { between = "before", games = 40 }

[[experiment]]
name = "test"
game.othello.size = 4
trials = 5
player = [
    { name = "net", search.greedy.evaluation.network.evolved = "net" },
    { name = "chance", search.greedy.evaluation.network = { evolved = "chance", input = "bits", seen = "negation" } },
]
"#;

const TRAININGS: Trainings = Trainings {
    manifest: MANIFEST,
    group: "dense",
    names: &["net", "chance"],
    files: &["network.safetensors", "curve.csv", "errors.csv", "checkpoint", "games.txt"],
};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let alone = TRAININGS.assert_threads_change_nothing();
    let epochs = |file: &str| -> Vec<String> {
        let text = fs::read_to_string(alone.join("net").join(file)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(epochs("curve.csv"), ["5", "10", "12"]);
    assert_eq!(epochs("errors.csv"), (1..=12).map(|epoch| epoch.to_string()).collect::<Vec<_>>());
    // Both players had both seats, also against themselves.
    let games = fs::read_to_string(alone.join("net/games.txt")).unwrap();
    assert_eq!(games.lines().filter(|line| !line.starts_with('#')).count(), 60);
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    let stops = [("game", 0), ("game", 20), ("epoch", 0), ("epoch", 1), ("epoch", 5), ("epoch", 9)];
    TRAININGS.assert_stops_change_nothing(1, &stops);
}

/// The time of a sitting counts too if it ended while the games were played or their samples were taken.
#[test]
fn a_stop_before_the_first_epoch_loses_no_time() {
    let folder = TRAININGS.folder("times");
    let took = |stop| {
        let optimised = TRAININGS.until(&folder, 1, stop);
        let (training, trained) = &optimised.trainings()[0];
        assert_eq!(trained.done, 0);
        RunTimes::read(&folder.join("net")).whole(training.id()).unwrap().wall_ns
    };
    let playing = took(("game", 20));
    assert!(0 < playing && playing < took(("sampled game", 0)));
}

#[test]
fn experiments_play_the_network() {
    let folder = TRAININGS.assert_experiments_play("net");
    let network =
        shikou::learn::read_network(&fs::read(folder.join("net/network.safetensors")).unwrap(), None)
            .unwrap();
    assert_eq!((network.network.inputs(), network.metadata["input"].as_str()), (48, "one-hot"));
    assert_eq!(network.metadata["activations"], "tanh,tanh,linear");
}

/// The error in games that were not learned is clearly below that of their mean, also with seeds that nobody chose.
#[test]
fn learning_helps() {
    for seed in [3, 4, 5] {
        let text = format!(
            r#"
            schema = 1
            seed = {seed}

            [[training]]
            game.othello = {{ size = 4, reward = "score" }}
            evaluation.network.input = "one-hot"
            method.dense = {{ layers = [24, 1], epochs = 20, batch = 50, optimiser.adam.rate = 0.01 }}
            samples = {{ between = ["random"], games = 400 }}
        "#
        );
        let (_, trained) = TRAININGS.first_of(&text, &format!("helps-{seed}"));
        let kept = trained.kept.unwrap();
        let (found, mean) = (kept.test.unwrap(), kept.mean.unwrap());
        assert!(found.squared < 0.75 * mean.squared, "seed {seed}: {found:?} {mean:?}");
        assert_eq!((kept.games, kept.skipped, found.samples), (400, 0, mean.samples));
        let least =
            trained.epochs.iter().map(|epoch| epoch.validate.unwrap().loss).fold(f64::INFINITY, f64::min);
        assert_eq!(kept.validate.unwrap().loss, least, "the best epoch is kept");
    }
}

#[test]
fn recorded_games_are_learned() {
    let path = support::sample_data("WTH_1978.wtb");
    let text = format!(
        r#"
        schema = 1

        [[training]]
        game.othello.reward = "score"
        evaluation.network.input = "bits"
        method.dense = {{ layers = [4, 1], epochs = 2, validate = 0.25, test = 0.25 }}
        samples = {{ files = [{path:?}] }}
    "#
    );
    let (training, trained) = TRAININGS.first_of(&text, "recorded");
    let kept = trained.kept.unwrap();
    // As `shikou samples` says of this file.
    let samples = [Some(kept.train), kept.validate, kept.test].map(|set| set.unwrap().samples);
    assert_eq!((kept.games, samples.iter().sum::<usize>()), (8, 479));
    assert!(trained.is_whole(&training));
    let error = support::refusal(&text.replace("1978", "1877"));
    assert!(error.contains("m.toml:8:30") && error.contains("WTH_1877"), "{error}");
}

/// Kills at any moment lose nothing; a report and the state can be read from the folder.
#[test]
fn a_killed_run_goes_on() {
    let words = [
        "net · othello(reward=\"score\",size=4) · training",
        "epochs over 60 games of random, greedy",
        "held out, by the mean",
        "tuning",
        "points a game against the judge",
        "Warning: the samples were split one by one",
    ];
    let delays = [10, 20, 30, 45, 60, 80, 110, 140, 200, 300];
    let folder = TRAININGS.assert_killed_run_goes_on(&delays, "net", &words);
    // The games are recorded games to other commands.
    let samples = ["samples", "othello", "--option", "size=4", "killed/net/games.txt", "--out", "s.csv"];
    let (code, shown, error) = shikou(&folder, &samples);
    assert!(code == 0 && shown.contains("from 60 games"), "{shown}{error}");
    // Another training does not go on from these files, and nothing is lost when it starts again.
    fs::write(folder.join("m.toml"), MANIFEST.replace("epochs = 12", "epochs = 13")).unwrap();
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "killed"]);
    assert!(code == 2 && error.contains("is of another training") && error.contains("--restart"), "{error}");
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "killed", "--restart"]);
    assert!(code == 0 && folder.join("killed/before-1/net/games.txt").is_file(), "{error}");
}

#[test]
fn damaged_files_are_refused() {
    let folder = TRAININGS.folder("damaged");
    TRAININGS.until(&folder, 1, ("epoch", 7));
    let manifest = support::manifest(MANIFEST);
    let training = manifest.trainings().next().unwrap();
    for file in ["checkpoint", "games.txt"] {
        let again = || train(training, &folder.join("net"), 1, &AtomicBool::new(true), &mut |_| ());
        support::assert_damage_is_refused(&folder.join("net").join(file), 7, again);
    }
}

#[test]
fn a_training_that_diverges_says_so() {
    let text = MANIFEST.replace("optimiser.amsbound.rate = 0.01", "optimiser.sgd.rate = 1000.0");
    let text = text.replace("loss.huber.corner = 2.0", "loss = \"squared\"").replace("\"tanh\"", "\"relu\"");
    let manifest = support::manifest(&text);
    let training = manifest.trainings().next().unwrap();
    let error =
        train(training, &TRAININGS.folder("diverges"), 1, &AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("write a smaller rate"), "{error}");
}

/// A sweep gives a training for each combination, which players name; the report shows means over the seeds.
#[test]
fn a_sweep_is_several_trainings() {
    let text = r#"
        schema = 1

        [[training]]
        name = "net"
        seed = { each = [1, 2] }
        game.othello = { size = 4, reward = "score" }
        evaluation.network.input = "one-hot"
        method.dense = { layers = [4, 1], epochs = 3, split = { each = ["game", "sample"] } }
        samples = { between = "random", games = 20 }

        [[experiment]]
        game.othello.size = 4
        trials = 2
        player = [{ name = "learned", search.greedy.evaluation.network.evolved = "net seed=2 split=game" }, "random"]
    "#;
    let names: Vec<String> =
        support::manifest(text).trainings().map(|training| training.name.clone()).collect();
    assert_eq!(names[..2], ["net seed=1 split=game", "net seed=1 split=sample"]);
    assert_eq!(names.len(), 4);
    let folder = support::with_results("dense/sweep", text, &["--out", "r"]);
    let (code, report, error) = shikou(&folder, &["report", "r"]);
    assert!(
        code == 0 && report.contains("net · othello(reward=\"score\",size=4) · 4 trainings"),
        "{report}{error}"
    );
    assert!(report.contains("Trainings that have ended: 2 of 2, 2 of 2."), "{report}");
    assert!(!report.contains("net seed=1 split=sample"), "{report}");
    let (code, whole, _) = shikou(&folder, &["report", "r", "--full"]);
    assert!(code == 0 && whole.contains("net seed=1 split=sample"), "{whole}");
    for command in [&["plan", "m.toml"], &["status", "r"]] {
        let (code, shown, _) = shikou(&folder, command);
        assert!(code == 0 && shown.contains("trainings"), "{shown}");
    }
    let error = support::refusal(&text.replace("each = [1, 2]", "each = [1, 1]"));
    assert!(error.contains("m.toml:6:"), "{error}");
    let error = support::refusal(&text.replace("net seed=2 split=game", "net"));
    assert!(error.contains("net seed=1 split=game"), "{error}");
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("layers = [8, 4, 1]", "layers = [8, 4]", 9, "the last has width 4, and a value needs width 1"),
        ("layers = [8, 4, 1], ", "", 9, "a network ends with a layer of width 1"),
        ("layers = [8, 4, 1]", "layers = [8, 0, 1]", 9, "from 1 to 1000000"),
        ("layers = [8, 4, 1]", "layers = [1000000, 1000, 1]", 9, "write smaller widths"),
        ("activation = \"tanh\"", "activations = \"tanh,linear\"", 9, "there are 3 layers and 2 activations"),
        ("activation = \"tanh\"", "activations = \"tanh,elu,linear\"", 9, "there are linear, tanh"),
        ("activation = \"tanh\"", "activation = \"elu\"", 9, "tanh"),
        ("epochs = 12", "epochs = 12, test = 0.001", 9, "leaves nothing to test"),
        ("epochs = 12", "epochs = 12, validate = 0.5, test = 0.5", 9, "leaves nothing to train"),
        ("epochs = 12", "epochs = 12, validate = 0.0", 9, "keep = \"last\""),
        ("loss.huber.corner = 2.0", "loss = \"logistic\"", 9, "target = \"points\""),
        ("optimiser.amsbound.rate = 0.01", "optimiser.adam.momentum = 0.1", 9, "momentum"),
        (
            "evaluation.network = { input = \"one-hot\", seen = \"inversion\" }",
            "evaluation = \"weights\"",
            8,
            "\"weights\" has no weights to learn",
        ),
        ("input = \"one-hot\", seen", "evolved = \"x\", seen", 8, "omit `evolved`"),
        ("method.dense = { layers = [8, 4, 1]", "method.td = { layers = [8, 4, 1]", 9, "`dense` has it"),
        (", games = 60", "", 10, "games = 1000"),
        ("games = 60", "games = 2", 9, "leaves nothing to"),
        ("between = [\"random\", \"greedy\"]", "between = [\"random\", \"greedi\"]", 10, "greedi"),
        ("between = [\"random\", \"greedy\"]", "between = [\"uct@1s\"]", 10, "budget of time"),
        (
            "between = [\"random\", \"greedy\"], games = 60, random-plies = 1",
            "",
            10,
            "between = [\"greedy\"]",
        ),
        ("random-plies = 1 }", "random-plies = 1, files = \"a.wtb\" }", 10, "omit one"),
        (
            "{ between = [\"random\", \"greedy\"], games = 60, random-plies = 1 }",
            "{ files = \"data:wthor/none.wtb\" }",
            10,
            "none.wtb",
        ),
        (
            "samples = { between = [\"random\"",
            "games = 4\nsamples = { between = [\"random\"",
            10,
            "`games` is a key of the method `td`",
        ),
        ("network.evolved = \"net\" }", "network.evolved = \"nett\" }", 26, "did you mean `net`"),
        (
            "network.evolved = \"net\" }",
            "network = { evolved = \"net\", input = \"bits\" } }",
            26,
            "takes 48 inputs, and `bits` gives 32",
        ),
        ("seen = \"negation\" } },", "seen = \"inversion\" } },", 27, "has seen `negation`, not `inversion`"),
    ] {
        support::assert_refused(MANIFEST, (from, to), line, words);
    }
}
