//! Openings that a searcher finds balanced; positions, games and drawn boards as openings; totals over boards.

use std::fs;

use shikou::experiment::{
    ExperimentSummary, Manifest, Openings, Plan, Record, Summary, Trial, TrialId, Warning, WatchedTrial, play,
};
use shikou::games::clobber::Clobber;
use shikou::players::OpenRegistry;
use shikou::rng::Stream;
use shikou::stats::Method;

use crate::experiment::{canonical, parse};
use crate::log::{read, write_log};
use crate::readme::ocba::Ocba;
use crate::resume::{assert_kills_change_nothing, ok};
use crate::support::{folder, manifest, with_manifest};

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

/// One and two players, at positions, in other games and at drawn ones.
const BOARDS: &str = r#"
schema = 1
seed = 5
[[experiment]]
name = "games"
game.random-tree = { players = 1, branching = 3, depth = 6, reward = "score" }
openings = { options = { tree = [3, 1, 2] } }
trials = 7
player = ["random", "flat(playouts-per-move=5)"]
[[experiment]]
name = "one of them"
game.random-tree = { players = 1, branching = 3, depth = 6, reward = "score", tree = 1 }
trials = 2
player = ["random", "flat(playouts-per-move=5)"]
[[experiment]]
name = "positions"
game.left-moves = { steps = 9 }
openings = { positions = ["left right", "left left", "right"] }
trials = 6
player = ["random", "flat(playouts-per-move=1)"]
[[experiment]]
name = "pairs"
game = "tic-tac-toe"
openings = { positions = ["x---o---- x", "xo-x----- o", "a1 b1"] }
trials = 3
player = ["random", "flat(playouts-per-move=5)"]
[[experiment]]
name = "drawn"
game = "takeaway"
openings = { random-positions = true }
trials = 20
player = ["random", "flat(playouts-per-move=5)"]
"#;

fn planned(text: &str) -> (Plan, Vec<Record>) {
    let plan = Plan::new(&parse(text).unwrap()).unwrap();
    let records = plan.canonical().map(|trial| play(&plan, trial)).collect();
    (plan, records)
}

fn ids(plan: &Plan, experiment: usize) -> Vec<TrialId> {
    plan.canonical().filter(|trial| trial.experiment == experiment).map(|trial| plan.id(&trial)).collect()
}

#[test]
fn boards_give_the_same_bytes_for_any_number_of_threads() {
    assert_eq!(canonical(BOARDS, 1), canonical(BOARDS, 2));
}

#[test]
fn killed_and_divided_runs_on_boards_give_the_same_bytes() {
    // Without the game of the tests, which the program does not know.
    let (known, _) = BOARDS.split_once("[[experiment]]\nname = \"drawn\"").unwrap();
    let text = known.replace("trials = 7", "trials = 2000").replace("trials = 6", "trials = 2000");
    let folder = with_manifest("openings/parts", &text);
    assert_kills_change_nothing(&folder, &text, &[40, 120]);
    let share = |index: u32| format!("results/m.shard-{index}-of-2");
    for index in 1..=2 {
        ok(&folder, &["run", "m.toml", "--quiet", "--shard", &format!("{index}/2")]);
    }
    ok(&folder, &["merge", "results/m", &share(1), &share(2)]);
    let canonical = |of: &str| fs::read(folder.join(of).join("canonical.csv")).unwrap();
    assert_eq!(canonical("results/m"), canonical("whole"));
}

/// Round r on board b is trial r of an experiment on that board alone, with the same games.
#[test]
fn a_trial_on_one_of_several_games_is_that_on_the_game_alone() {
    let (plan, records) = planned(BOARDS);
    let of = |experiment, instance, cell| {
        let found = records.iter().find(|record| record.trial == Trial { experiment, instance, cell });
        let game = &found.unwrap().games[0];
        (plan.id(&Trial { experiment, instance, cell }), game.result.clone(), game.game_hash)
    };
    for (round, cell) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(of(0, 3 * round + 1, cell), of(1, round, cell));
    }
    let mut all = ids(&plan, 0);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 14);
}

/// A list of positions may be turned round and grow: what it lists is the identity, and a log goes on.
#[test]
fn moved_and_added_positions_rename_no_trial() {
    let (plan, _) = planned(BOARDS);
    let other = BOARDS.replace(
        r#"["left right", "left left", "right"] }
trials = 6"#,
        r#"["right right", "right", "left left", "left right"] }
trials = 8"#,
    );
    let (other, _) = planned(&other);
    let (before, more) = (ids(&plan, 2), ids(&other, 2));
    assert!(before.iter().all(|id| more.contains(id)) && more.len() == 16);
    let path = folder("openings/log").join("trials.csv");
    write_log(&plan, &path);
    let known: Vec<TrialId> = read(&path, &other).iter().map(|record| other.id(&record.trial)).collect();
    assert!(before.iter().all(|id| known.contains(id)));
}

#[test]
fn both_games_of_a_pair_begin_at_the_position() {
    let (plan, records) = planned(BOARDS);
    for (instance, text) in [(0, "x---o---- x"), (1, "xo-x----- o"), (2, "xo------- x")] {
        let watched = WatchedTrial::play(&plan, Trial { experiment: 3, instance, cell: 0 });
        for game in &watched.games {
            assert_eq!(game.plies[0].position.text.as_deref(), Some(text));
            assert_eq!(game.plies[0].ply, 1);
        }
    }
    // Drawn ones are the same for both games, and differ from instance to instance.
    let begins = |instance| {
        let watched = WatchedTrial::play(&plan, Trial { experiment: 4, instance, cell: 0 });
        let [first, second] = [0, 1].map(|game| watched.games[game].plies[0].position.drawing.clone());
        assert_eq!(first, second);
        first
    };
    assert!((1..20).any(|instance| begins(instance) != begins(0)));
    assert!(records.iter().flat_map(|record| &record.games).all(|game| game.result.is_ok()));
}

fn summary(text: &str, experiment: usize) -> ExperimentSummary {
    let (plan, records) = planned(text);
    Summary::new(&plan, &records).experiments.swap_remove(experiment)
}

#[test]
fn a_list_of_boards_has_a_total() {
    let (plan, records) = planned(BOARDS);
    let score = |instance| {
        let trial = Trial { experiment: 2, instance, cell: 0 };
        records.iter().find(|record| record.trial == trial).unwrap().games[0].result.clone().unwrap().1
    };
    let expected = f64::from((0..6).map(score).sum::<i32>()) / 2.0;
    let found = Summary::new(&plan, &records);
    let total = found.experiments[2].players[0].total.unwrap();
    assert_eq!((total.boards, total.rounds, total.score.value), (3, 2, expected));
    assert_eq!(total.score.method, Method::StudentT);
    assert!(total.score.low < expected && expected < total.score.high);
    let answer = shikou::report::answer_report(&found, None).to_string();
    assert!(answer.contains("total over 3 boards"), "{answer}");
    // The sum over boards with other ranges; no total for pairs, or without a list.
    assert_eq!(found.experiments[0].players[1].total.unwrap().boards, 3);
    assert!([1, 3, 4].into_iter().all(|other| found.experiments[other].players[0].total.is_none()));
    let once = summary(&BOARDS.replace("trials = 6", "trials = 3"), 2).players[0].total.unwrap();
    assert_eq!((once.rounds, once.score.method), (1, Method::None));
    assert!(summary(&BOARDS.replace("trials = 6", "trials = 2"), 2).players[0].total.is_none());
}

/// Perfect play is the same in each round; one game on each board is no repetition, whatever the moves are called.
#[test]
fn rounds_that_repeat_are_said() {
    let perfect =
        BOARDS.replace("flat(playouts-per-move=1)", "minimax(depth=full)").replace("steps = 9", "steps = 6");
    let found = summary(&perfect, 2);
    let players = vec!["minimax(depth=full)".to_string()];
    assert!(
        found.warnings.contains(&Warning::OneGame { players, deals: 6, boards: 3 }),
        "{:?}",
        found.warnings
    );
    assert_eq!(found.players[1].total.unwrap().score.method, Method::None);
    let once = summary(&perfect.replace("trials = 6", "trials = 3"), 2);
    assert!(!once.warnings.iter().any(|warning| matches!(warning, Warning::OneGame { .. })));
}

#[test]
fn several_trials_on_one_board_are_advised_against() {
    let text = "schema = 1\n[[experiment]]\ngame = \"left-moves\"\ntrials = 5\nplayer = [\"random\"]\n";
    let advice = manifest(text).advice();
    assert!(advice.len() == 1 && advice[0].contains("all 5 trials begin alike"), "{advice:?}");
    let boards = format!("{text}openings = {{ positions = [\"left\", \"right\"] }}\n");
    for other in [&boards, &text.replace("= 5", "= 1"), &text.replace("left-moves", "calculation")] {
        assert_eq!(manifest(other).advice(), [""; 0]);
    }
}

#[test]
fn a_file_has_a_position_a_line_or_a_block() {
    let text = "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nopenings = { positions = \"p.txt\" }\n\
                player = [\"random\"]\n";
    let game = shikou::registry().game("calculation", &[]).unwrap();
    let mut table = game.table(&[None]).unwrap();
    let first = table.position_text().unwrap();
    table.let_chance_choose(&mut (Stream::new(1) / "positions").rng());
    let second = table.position_text().unwrap();
    let read = |content: &str| {
        let folder = folder("openings/positions");
        fs::write(folder.join("p.txt"), content).unwrap();
        let manifest = Manifest::parse(&folder.join("m.toml"), text, &shikou::registry());
        manifest.map(|manifest| match &manifest.experiments()[0].openings {
            Openings::Positions { source, texts } => {
                assert_eq!(source, "p.txt");
                texts.iter().map(ToString::to_string).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        })
    };
    let both = [first.clone(), second.clone()];
    assert_eq!(read(&format!("# two\n{first}\n\n{second}\n")).unwrap(), both);
    let blocks = [first.replace("| stock", "|\n stock"), second.replace("| hand", "|\n hand")];
    assert_eq!(read(&format!("# one\n{}\n# two\n{}\n", blocks[0], blocks[1])).unwrap(), both);
    let message = |content: &str| read(content).unwrap_err().message;
    let twice = message(&format!("{first}\n\n{first}\n"));
    assert_eq!(twice, "p.txt:3: this position is listed already, as line 1; leave one of them out");
    assert_eq!(message("# a secret\nsecret\n"), "p.txt:2: this is no position of calculation");
    assert!(message(&format!("{first}\n{second} more")).starts_with("p.txt:2: "));
    assert_eq!(message("# nothing\n"), "p.txt: there is no position in it; write one a line");
}

/// Boards row by row as a file of them has them, and boards that the game draws.
#[test]
fn boards_of_clobber_begin_trials() {
    let registry = OpenRegistry::empty().with_game::<Clobber>().with_searcher::<Ocba>();
    let folder = folder("openings/clobber");
    fs::write(folder.join("p.txt"), "# one\nxox\noxo x\n# two\nx.x\noxo o\n").unwrap();
    for (openings, texts) in
        [("positions = \"p.txt\"", Some(["xox/oxo x", "x.x/oxo o"])), ("random-positions = true", None)]
    {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame.clobber = {{ rows = 2, columns = 3 }}\ntrials = 2\n\
             openings = {{ {openings} }}\nplayer = [\"ocba@40\", {{ name = \"b\", search = \"ocba@40\", stream = \"b\" }}]\n"
        );
        let plan = Plan::new(&Manifest::parse(&folder.join("m.toml"), &text, &registry).unwrap()).unwrap();
        let watched: Vec<_> = plan.canonical().map(|trial| WatchedTrial::play(&plan, trial)).collect();
        let begins =
            |trial: usize, game: usize| watched[trial].games[game].plies[0].position.text.clone().unwrap();
        for trial in 0..2 {
            assert_eq!(begins(trial, 0), begins(trial, 1));
            assert!(texts.is_none_or(|texts| texts[trial] == begins(trial, 0)));
        }
        assert_ne!(begins(0, 0), begins(1, 0));
    }
}

#[test]
fn boards_that_cannot_be_played_are_refused() {
    let of = |game: &str, openings: &str| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame.{game}\ntrials = 3\nopenings = {{ {openings} }}\nplayer = [\"random\", \
             \"minimax(depth=1,evaluation=planted)\"]\n"
        );
        parse(&text).unwrap_err().to_string()
    };
    let tree = "random-tree = { leaves = \"planted\" }";
    for (game, openings, reason) in [
        ("left-moves = {}", "random-positions = true", "left-moves draws no positions"),
        ("left-moves = {}", "positions = []", "there is no position here"),
        (
            "left-moves = {}",
            "positions = [\"left\", \" left\"]",
            "this position is listed already, as position 1",
        ),
        ("left-moves = {}", "positions = [\"up\"]", "`up` is not a legal move here"),
        ("left-moves = { steps = 1 }", "positions = [\"left\"]", "the game is over there"),
        ("left-moves = {}", "options = 3", "`options` lists values of options"),
        ("left-moves = {}", "options = { steps = 3 }", "`options` lists values of options"),
        ("left-moves = {}", "options = { steps = [3, 3] }", "`options` names 3 twice"),
        ("left-moves = {}", "options = { stebs = [3] }", "did you mean `steps`?"),
        ("left-moves = { steps = 4 }", "options = { steps = [3] }", "`steps` is set by `openings` too"),
        (tree, "options = { players = [1, 2] }", "list games of one kind"),
        (tree, "options = { players = [1] }", "list games of one kind"),
        (tree, "options = { tree = [1, 2] }", "3 pairs need as many, and there are 2; write trials = 2"),
        (tree, "options = { tree = [1, 2, 3] }, random-plies = 2", "openings are of one kind"),
        (
            "random-tree = {}",
            "options = [{ leaves = \"planted\" }, { tree = 1 }, { tree = 2 }]",
            "does not fit random-tree(tree=1)",
        ),
    ] {
        let message = of(game, openings);
        assert!(message.contains(reason), "{openings}: {message}");
    }
}
