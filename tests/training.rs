//! Trainings in a manifest: the same bytes however they are played, results that players name, and errors at their places.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{RunTimes, Took, Trained, TrainingProgress, train};
use shikou::game::tuples::{Board, Seen, tables_of_shapes};
use shikou::game::{Game, GameExt, NamedGame, PlainBoard, Player, Symmetry};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::learn::{Actor, GameEnvironment, Input, Learner, Squares, Target, TdSettings, TupleSum};
use shikou::rng::Stream;

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
    assert_eq!(games, ["0", "0", "100", "100", "200", "200", "203", "203"]);
}

#[test]
fn a_stopped_training_goes_on_as_if_it_had_not_stopped() {
    let stops =
        [("game", 0), ("game", 5), ("game", 40), ("game", 100), ("game", 101), ("game", 150), ("game", 203)];
    TRAININGS.assert_stops_change_nothing(2, &stops);
}

/// The times of all sittings are added, and count once what was learned.
#[test]
fn times_of_sittings_add_up() {
    let (folder, mut before) = (TRAININGS.folder("times"), Took::default());
    for stop in [40, 150, 203] {
        let optimised = TRAININGS.until(&folder, 2, ("game", stop));
        let (training, trained) = &optimised.trainings()[0];
        let took = RunTimes::read(&folder.join("alone")).whole(training.id()).unwrap();
        assert_eq!(took.count, trained.done);
        assert!(took.count > before.count && took.wall_ns > before.wall_ns && took.cpu_ns > before.cpu_ns);
        before = took;
    }
}

const RACED: Trainings = Trainings {
    manifest: r#"
schema = 1
seed = 3

[[training]]
name = "raced"
game.othello = { size = 4 }
evaluation = "tuples"
method.td.batch = 5
against = "itself"
games = 203
judge = { against = ["random"], pairs = 6, every = 100 }

[[experiment]]
name = "test"
game.othello = { size = 4 }
trials = 5
player = [{ name = "raced", search.greedy = { evaluation.tuples.evolved = "raced" } }, "random"]
"#,
    group: "race",
    names: &["raced"],
    files: &["race", "weights.txt", "curve.csv", "checkpoint"],
};

/// Shapes, how squares are seen and the step are left out.
#[test]
fn a_race_gives_the_same_bytes_however_it_is_played() {
    let folder = RACED.assert_threads_change_nothing();
    let race = fs::read_to_string(folder.join("raced/race")).unwrap();
    assert_eq!(race.lines().count(), 1 + 12, "{race}");
    let stops = [("raced game", 0), ("raced game", 1000), ("game", 40), ("game", 203)];
    RACED.assert_stops_change_nothing(2, &stops);
    // The time of a training is without its race.
    let folder = RACED.folder("race-time");
    let optimised = RACED.until(&folder, 2, ("raced game", 1000));
    let times = RunTimes::read(&folder.join("raced"));
    assert_eq!(times.whole(optimised.trainings()[0].0.id()).map(|took| took.count), None);
}

/// Players take the settings that the race found from the weights.
#[test]
fn a_race_is_reported_and_its_weights_are_played() {
    let folder = RACED.assert_experiments_play("raced");
    let header = fs::read_to_string(folder.join("raced/weights.txt")).unwrap();
    let found = header.split(" of=").nth(1).unwrap().split(' ').next().unwrap();
    fs::write(folder.join("m.toml"), RACED.manifest).unwrap();
    let report = ok(&folder, &["run", "m.toml", "--out", "r", "--full"]);
    for words in
        ["12 candidates learned 203 games each", &format!("{found}, step "), "against the judge random"]
    {
        assert!(report.contains(words), "{words}\n{report}");
    }
    assert!(ok(&folder, &["plan", "m.toml"]).contains("the best of 12 candidates"));
    // A written value is not raced.
    let written = RACED.manifest.replace("\"tuples\"", "{ tuples.seen = \"negation\" }");
    let manifest = support::manifest(&written.replace("td.batch = 5", "td = { step = 1.0 }"));
    assert_eq!(manifest.trainings().next().unwrap().candidates.len(), 3);
    // One candidate alone fits a board of four squares, and has no race.
    let small = r#"
        schema = 1
        [[training]]
        name = "small"
        game.k-in-a-row = { rows = 2, columns = 2, k = 2 }
        evaluation.tuples.seen = "inversion"
        method.td.step = 0.5
        against = "itself"
        games = 20
    "#;
    fs::write(folder.join("small.toml"), small).unwrap();
    for _ in 0..2 {
        let report = ok(&folder, &["run", "small.toml", "--out", "small"]);
        assert!(report.contains("weights of all-2+2x2/inversion from 20 games"), "{report}");
    }
    // A player that states how squares are seen may be wrong.
    let error = support::refusal(
        &RACED.manifest.replace("tuples.evolved", "tuples.seen = \"inversion\", evaluation.tuples.evolved"),
    );
    assert!(error.contains("/negation`, not of"), "{error}");
}

/// A training whose result is not shown to be better than its start, or worse than earlier, says so.
#[test]
fn a_training_that_went_wrong_says_so() {
    let folder = RACED.folder("wrong");
    let text = r#"
        schema = 1
        [[training]]
        name = "t"
        game.othello.size = 4
        evaluation.tuples = { shapes = "all-1", seen = "inversion" }
        method.td = { step = 1e-9, last-step = 0 }
        against = "itself"
        games = 32
        judge = { against = ["random"], pairs = 50, every = 16 }
    "#;
    fs::write(folder.join("m.toml"), text).unwrap();
    let report = ok(&folder, &["run", "m.toml", "--out", "r"]);
    assert!(report.contains("Warning: it is not shown to be better than the start"), "{report}");
    let text = text
        .replace("1e-9", "1.0")
        .replace("games = 32", "games = 2000")
        .replace("every = 16", "every = 1000");
    fs::write(folder.join("m.toml"), text).unwrap();
    let report = ok(&folder, &["run", "m.toml", "--out", "s"]);
    assert!(!report.contains("Warning"), "{report}");
}

/// A learner after games against itself, and the board that it sees.
type Learned = (Learner, Arc<dyn Board<Breakthrough>>);

fn learned_on(game: &Breakthrough, board: impl Board<Breakthrough> + 'static) -> Learned {
    const GAMES: u64 = 2000;
    let tables = tables_of_shapes(game, &board, "all-2").unwrap();
    let board: Arc<dyn Board<Breakthrough>> = Arc::new(board);
    let input = Input::squares(game, Arc::clone(&board), Squares::Bits);
    let settings = TdSettings { lambda: 0.0, step: [1.0, 0.01], random: 0.1, target: Target::Played };
    let mut learner = Learner::new(TupleSum::new(20, &tables), Seen::Inversion, settings, false);
    for number in 0..GAMES {
        let mut environment = GameEnvironment::<_, ()>::new(game, Some(&input));
        let luck = Stream::new(1) / "learned" / number;
        let episode = Actor::of_tuples(&learner, 100).play(&mut environment, None, luck).unwrap();
        learner.learn(&episode, number as f64 / GAMES as f64);
    }
    (learner, board)
}

/// The points of one learner, with one move in ten at random, against another without.
fn points(game: &Breakthrough, (one, board): &Learned, (other, their_board): &Learned) -> f64 {
    const GAMES: u64 = 400;
    let input = Input::squares(game, Arc::clone(board), Squares::Bits);
    let points = (0..GAMES).map(|number| {
        let seat = Player::new((number % 2) as u8);
        let value = |position: &_, mv| {
            let mut owners = [1; 20];
            their_board.owners(game, &game.after(position, mv), seat.other(), &mut owners);
            TupleSum::sum(other.weights(), &other.sum().indices(&owners))
        };
        let best = Box::new(move |position: &_| {
            let by_value = |&one: &_, &other: &_| value(position, one).total_cmp(&value(position, other));
            game.moves(position).max_by(by_value).ok_or(())
        });
        let mut environment = GameEnvironment::new(game, Some(&input)).with_other(best);
        let luck = Stream::new(1) / "met" / number;
        let points = Actor::of_tuples(one, 100).play(&mut environment, Some(seat), luck).unwrap().points;
        if seat == Player::FIRST { points } else { 1.0 - points }
    });
    1.0 - points.sum::<f64>() / GAMES as f64
}

/// One table for both players needs a board that is exchanged with them where they go in opposite directions.
#[test]
fn players_in_opposite_directions_learn_on_an_exchanged_board() {
    let game = Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap();
    let squares = || {
        let board = game.entries().board.unwrap();
        let owner = move |position: &_, square: usize| {
            let mut owners = [1; 20];
            board.owners(&game, position, Player::FIRST, &mut owners);
            [Some(Player::SECOND), None, Some(Player::FIRST)][usize::from(owners[square])]
        };
        PlainBoard::new(5, 4, owner).alike_by(&[Symmetry::Mirror])
    };
    let plain = learned_on(&game, squares());
    let exchanged = learned_on(&game, squares().exchanged_by(Symmetry::Flip));
    let points = points(&game, &exchanged, &plain);
    assert!(points > 0.8, "{points}");
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

/// A damaged checkpoint costs what was learned since the one before it, and nothing of the other files.
#[test]
fn a_damaged_checkpoint_is_recovered() {
    let folder = TRAININGS.folder("recovered");
    fs::write(folder.join("m.toml"), MANIFEST).unwrap();
    let whole = ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    let bytes = TRAININGS.bytes(&folder.join("r"));
    let damage = |file: &str| {
        let path = folder.join("r").join(file);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, bytes).unwrap();
    };
    for (files, recovered) in [
        (&["alone/checkpoint"][..], "r"),
        (&["met/checkpoint", "met/checkpoint.before"], "r"),
        (&["alone/checkpoint"], "r/alone"),
    ] {
        for file in files {
            damage(file);
        }
        for command in [&["run", "m.toml", "--quiet", "--out", "r"][..], &["report", "r"]] {
            let (code, _, error) = shikou(&folder, command);
            let says = error.contains("is damaged") && error.contains("`shikou recover r/");
            assert!(code == 2 && says && !error.contains("--restart"), "{error}");
        }
        let shown = ok(&folder, &["recover", recovered]);
        assert!(
            shown.contains(&format!("{} damaged file", files.len())) && !shown.contains("nothing"),
            "{shown}"
        );
        assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]), whole);
        assert!(TRAININGS.bytes(&folder.join("r")) == bytes);
        assert!(ok(&folder, &["recover", recovered]).contains("nothing is damaged"));
    }
    assert!(folder.join("r/alone/before-1/checkpoint").is_file() && !folder.join("r/before-1").exists());
    // A run that was killed between the two generations goes on from the earlier one.
    fs::remove_file(folder.join("r/alone/checkpoint")).unwrap();
    assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]), whole);
}

/// A judgement is one of the judge that the manifest states: whatever of a judge changes, and whenever, all is as in a new
/// folder. Learning does not begin again while the weights that are to be judged are there.
#[test]
fn judgements_are_those_of_the_judge() {
    let text = r#"
        schema = 1
        [[training]]
        name = "t"
        game.othello.size = 4
        evaluation.tuples = { shapes = "all-2", seen = "inversion" }
        method.td.batch = 5
        against = "itself"
        games = 60
        judge = { against = ["random", "greedy"], pairs = 4, every = 20 }
    "#;
    let canonical = |trained: &Trained| (trained.curve.clone(), trained.weights());
    let play = |text: &str, folder: &Path, until: u64| {
        let manifest = support::manifest(text);
        let training = manifest.trainings().next().unwrap();
        let (stop, mut first) = (AtomicBool::new(false), None);
        let mut watch = |at: TrainingProgress| {
            first.get_or_insert(at.done);
            stop.store(at.done >= until, Ordering::Relaxed);
        };
        let trained = train(training, &folder.join("t"), 2, &stop, &mut watch).unwrap();
        // The time of weights that were moved aside is no part of it.
        let took = RunTimes::read(&folder.join("t")).whole(training.id());
        assert_eq!(took.map_or(0, |took| took.count), trained.done);
        (canonical(&trained), first, trained.aside.is_some())
    };
    for (number, (to, begins_at)) in [
        ("{ against = [\"greedy\", \"random\"], pairs = 4, every = 20 }", 0),
        ("{ against = [\"random\", \"alpha-beta(depth=2)\"], pairs = 4, every = 20 }", 0),
        ("{ against = [\"random\", \"greedy\"], pairs = 5, every = 20 }", 0),
        ("{ against = [\"random\", \"greedy\"], pairs = 4, every = 10 }", 0),
        ("{ against = [\"random\", \"greedy\"], pairs = 4, every = 20, random = 0.2 }", 0),
        ("{ against = [\"random\", \"greedy\"], pairs = 4, every = 20, openings.random-plies = 1 }", 0),
        ("{ against = [\"random\"], pairs = 4 }", 60),
    ]
    .into_iter()
    .enumerate()
    {
        let other = text.replace("{ against = [\"random\", \"greedy\"], pairs = 4, every = 20 }", to);
        assert_ne!(other, text);
        let fresh = play(&other, &TRAININGS.folder(&format!("judge-fresh-{number}")), u64::MAX).0;
        for until in [u64::MAX, 45] {
            let folder = TRAININGS.folder(&format!("judge-{number}-{until}"));
            play(text, &folder, until);
            let (found, first, is_aside) = play(&other, &folder, u64::MAX);
            assert_eq!(found, fresh, "{to}, {until}");
            assert_eq!((first, is_aside), (Some(begins_at.min(until)), begins_at == 0), "{to}, {until}");
            // And now nothing is judged again.
            assert_eq!(play(&other, &folder, u64::MAX), (fresh.clone(), None, false));
        }
    }
    // A checkpoint of before judges had names: what is not known to be of this judge is judged again.
    let folder = TRAININGS.folder("judge-unnamed");
    let last = text.replace(", every = 20", "");
    let fresh = play(&last, &folder, u64::MAX).0;
    let path = folder.join("t/checkpoint");
    let bytes = fs::read(&path).unwrap();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let (line, body) = (std::str::from_utf8(&bytes[..end]).unwrap(), &bytes[end + 1..]);
    let facts = line.split(" judge=").next().unwrap();
    let check = crc32fast::hash(&[facts.as_bytes(), body].concat());
    fs::write(&path, [format!("{facts} check={check:08x}\n").as_bytes(), body].concat()).unwrap();
    assert_eq!(play(&last, &folder, u64::MAX), (fresh, Some(60), false));
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for (from, to, line, words) in [
        ("games = 203\n", "", 5, "games = 300_000"),
        ("against = \"itself\"", "against = \"alone\"", 10, "nobody can meet its own result"),
        ("against = \"itself\"", "against = \"greedi\"", 10, "greedi"),
        ("shapes = \"all-2 + 2x2\"", "shapes = \"all-9\"", 8, "is no shape"),
        ("shapes = \"all-2 + 2x2\"", "shapes = \"a4:11|11\"", 8, "larger than the board"),
        (
            "evaluation.tuples = { shapes = \"all-2 + 2x2\", seen = \"inversion\" }",
            "evaluation = \"mobility\"",
            8,
            "\"mobility\" has no weights to learn",
        ),
        (
            "seen = \"inversion\" }\nmethod",
            "seen = \"inversion\", weights = [1] }\nmethod",
            8,
            "omit `weights`",
        ),
        ("lambda = 0.5", "lambda = 1.5", 9, "from 0 to 1"),
        ("lambda = 0.5", "lamda = 0.5", 9, "lambda"),
        ("random = 0.1 }", "random = 2 }", 12, "from 0 to 1"),
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
