//! Results of optimisations inside of players: weights of evaluations, and opponents of other optimisations.

use std::fs;

use shikou::experiment::{Manifest, Optimised, Plan};
use shikou::game::options::Wording;

use crate::optimisations::{assert_mistake, folder, play_all};
use crate::resume::{ok, shikou};
use crate::support::{self, with_manifest};

const OPTIMISATIONS: &str = r#"
schema = 1
seed = 3

[[optimisation]]
name = "grid"
game.othello.size = 4
generations = 2
genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }
player.search.greedy.evaluation.linear = { features = "square-kinds", weights = { gene = "w" } }
method.genetic = { population = 4, parents = 2 }
fitness = { against = "random", pairs = 2 }

[[optimisation]]
name = "lines"
game.othello.size = 4
generations = 2
genes.t = { count = 9, whole = [-9, 9] }
genes.k = { count = 3, within = [-1.0, 1.0] }
player.search.greedy.evaluation.sum = [
  { evaluation.tuples = { shapes = "all-1", weights = { gene = "t" } } },
  { evaluation.linear = { features = "square-kinds", weights = { gene = "k" } } },
  { times = 0.5, evaluation.linear = { features = "square-kinds", evolved = "grid" } },
]
method.genetic = { population = 4, parents = 2 }
opponent = [{ name = "old", evolved = "grid" }]
fitness = { against = "old", pairs = 2 }

"#;

const EXPERIMENT: &str = r#"
[[experiment]]
game.othello.size = 4
trials = 4
player = [
  { name = "filled", search.greedy = { depth = 2, ties = "first", evaluation.linear = { features = "square-kinds", evolved = "grid" } } },
  { search.greedy = { ties = "first", evaluation.tuples = { shapes = "all-1", evolved = "lines:t" } } },
  { evolved = "lines" },
]
"#;

/// The optimisations and the experiment that plays what they find.
fn manifest() -> String {
    [OPTIMISATIONS, EXPERIMENT].concat()
}

fn played(manifest: &str, name: &str) -> (Manifest, Optimised) {
    let manifest = support::manifest(manifest);
    let optimised = play_all(&manifest, &folder(name));
    (optimised.finish(manifest), optimised)
}

/// The weights that were found are the weights that play, and the identity of the trials.
#[test]
fn an_evaluation_plays_the_weights_that_were_found() {
    let error = Plan::new(&support::manifest(&manifest())).unwrap_err().to_string();
    assert!(error.contains("it waits for the optimisation `grid`"), "{error}");
    let (manifest, optimised) = played(&manifest(), "evaluations");
    let players = &manifest.experiments()[0].players;
    let name = "greedy(evaluation=tuples(evolved=\"lines:t\",shapes=\"all-1\"),ties=\"first\")";
    assert_eq!(players[1].name, name);
    assert!(players[1].searcher.text(Wording::Identity).contains("evolved=sha256:"));
    let plan = Plan::new(&manifest).unwrap();

    // The same players with their weights written out play the same games, and with others they do not.
    let best = |index: usize| {
        let (of, runs) = &optimised.results()[index];
        of.runs[0].genes.rounded(&runs[0].outcome.best)
    };
    let (squares, lines) = (best(0), best(1));
    let tuples: Vec<i64> = lines[..9].iter().map(|&weight| weight as i64).collect();
    let written = |sign: i64| {
        let squares: Vec<f64> = squares.iter().map(|weight| weight * sign as f64).collect();
        let tuples: Vec<i64> = tuples.iter().map(|weight| weight * sign).collect();
        let text = EXPERIMENT.replace("evolved = \"grid\"", &format!("weights = {squares:?}"));
        let text = text.replace("evolved = \"lines:t\"", &format!("weights = {tuples:?}"));
        let text = text.replace("evolved = \"lines\"", "search.greedy.ties = \"first\"");
        games(&Plan::new(&support::manifest(&format!("schema = 1\n{text}"))).unwrap())
    };
    let found = games(&plan);
    assert_eq!(found, written(1));
    assert_ne!(found, written(-1));
}

/// The games between the first two players. They have no luck.
fn games(plan: &Plan) -> Vec<String> {
    let games = plan.canonical().flat_map(|trial| shikou::experiment::play(plan, trial).games);
    let games = games.filter(|game| game.seats.iter().all(|seat| seat.player < 2));
    games.map(|game| format!("{:?} {:x}", game.result, game.game_hash)).collect()
}

/// A result is identified by its content, not by the name or the place of the optimisation.
#[test]
fn the_identity_is_the_content() {
    let ids = |text: &str, name: &str| {
        let (manifest, optimised) = played(text, name);
        let plan = Plan::new(&manifest).unwrap();
        let trials: Vec<String> = plan.canonical().map(|trial| plan.id(&trial).to_string()).collect();
        (trials, optimised.results()[1].0.runs[0].id())
    };
    let (trials, run) = ids(&manifest(), "content");
    let (renamed, renamed_run) = ids(&manifest().replace("\"grid\"", "\"net\""), "renamed");
    assert_eq!((&renamed, renamed_run), (&trials, run));
    let (other, other_run) = ids(&manifest().replace("seed = 3", "seed = 4"), "other-seed");
    assert!(other.iter().all(|id| !trials.contains(id)) && other_run != run);
}

#[test]
fn mistakes_in_evolved_are_named_at_their_places() {
    let text = manifest();
    let linear = "evaluation.linear = { features = \"square-kinds\", evolved = \"grid\" } } },\n  { search";
    assert!(text.contains(linear));
    let with = |name: &str| text.replacen(linear, &linear.replace("\"grid\"", &format!("{name:?}")), 1);
    let cases = [
        (with("gird"), "unknown optimisation `gird`; did you mean `grid`?", "\"gird\""),
        (
            with("lines"),
            "weights are one vector of `lines`; write evolved = \"lines:t\" or \"lines:k\"",
            "\"lines\"",
        ),
        (
            with("grid:v"),
            "weights are one vector of `grid`; write evolved = \"grid:w\" or \"grid\"",
            "\"grid:v\"",
        ),
        (
            with("lines:t"),
            "`square-kinds` has 3 weights, but the optimisation `lines:t` finds 9; write `count = 3` in its gene",
            "\"lines:t\"",
        ),
        (
            text.replace("genes.w = { count = 3, ", "genes.w = { ")
                .replace("weights = { gene = \"w\" }", "weights = [1, 2, 3], unit = { gene = \"w\" }")
                .replace("within = [-1.0, 1.0], unit = 0.001", "within = [0.1, 1.0]"),
            "`grid` finds no vector, so no weights of an evaluation",
            "\"grid\"",
        ),
        (
            text.replace("kinds\", evolved = \"grid\" },\n]", "kinds\", evolved = \"nobody\" } },\n]")
                .replace("evolved = \"grid\" } },\n]\nmethod", "evolved = \"nobody\" } },\n]\nmethod"),
            "unknown optimisation `nobody`",
            "\"nobody\"",
        ),
        (
            with("lines").replace(
                "evolved = \"lines\" } } },\n  { search",
                "evolved = \"grid\", weights = [1] } } },\n  { search",
            ),
            "write one of `weights`, `file` and `evolved`",
            "[1]",
        ),
    ];
    for (text, words, place) in cases {
        assert_mistake(&text, words, place);
    }
}

/// The whole way: run, state, report, and the kept manifest.
#[test]
fn a_folder_with_results_inside_of_players_is_read() {
    let folder = with_manifest("optimisation/cli-evolved", &manifest());
    let (code, plan, error) = shikou(&folder, &["plan", "m.toml"]);
    assert!(code == 0 && plan.contains("waiting for grid"), "{plan}{error}");
    let whole = ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    let (code, report, _) = shikou(&folder, &["report", "r"]);
    assert!(code == 0 && report.contains("lines:t"), "{report}");
    ok(&folder, &["verify", "r", "--all"]);
    // Without its log an optimisation has not ended, and what needs it waits.
    fs::remove_dir_all(folder.join("r/grid")).unwrap();
    let (code, status, error) = shikou(&folder, &["status", "r"]);
    assert!(code == 0 && status.contains("0 of 1") && status.contains("waiting for grid"), "{status}{error}");
    let (code, again, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    assert_eq!((code, again), (0, whole), "{error}");
    let (code, smoke, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--smoke"]);
    assert_eq!(code, 0, "{smoke}{error}");
}

/// Without large data, a question that needs it is left out, and so is what names its result; the rest is played.
#[test]
fn a_question_whose_data_are_not_here_is_left_out() {
    let folder = folder("left-out");
    let text = r#"
schema = 1
[[optimisation]]
name = "tune"
game = "othello"
generations = 1
genes.a = { within = [0.0, 1.0] }
player.search.greedy.evaluation.sum.parts = [
  { times = { gene = "a" }, evaluation.network.file = "data:no/such.safetensors" },
  { times = 1, evaluation = "discs" },
]
method.climb = {}
fitness = { against = "random", pairs = 1 }
[[experiment]]
name = "of the result"
game = "othello"
trials = 1
player = [{ evolved = "tune" }, "random"]
[[experiment]]
name = "of others"
game = "othello"
trials = 1
player = ["greedy", "random"]
"#;
    let path = folder.join("m.toml");
    fs::write(&path, text).unwrap();
    let (manifest, skipped) = Manifest::read_what_is_here(&path, &shikou::registry(), false).unwrap();
    assert_eq!(manifest.optimisations().count(), 0);
    assert_eq!(manifest.experiments().iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), ["of others"]);
    assert_eq!(
        skipped,
        [
            "\"data:no/such.safetensors\" is not on this machine",
            "so its optimisation is left out",
            "so its experiment is left out"
        ]
    );
    let error = Manifest::read(&path, &shikou::registry()).unwrap_err().to_string();
    assert!(error.contains("the large data \"data:no/such.safetensors\" is not "), "{error}");
}

/// A folder goes on with an edited manifest, also if nothing but optimisations and trainings changed, and back again: the digest
/// is that of a new folder each time.
#[test]
fn an_edited_manifest_goes_on() {
    let folder = folder("edited");
    let run = |text: &str, out: &str| {
        fs::write(folder.join("m.toml"), text).unwrap();
        ok(&folder, &["run", "m.toml", "--quiet", "--out", out])
    };
    for (name, text) in [("alone", OPTIMISATIONS.to_owned()), ("with", manifest())] {
        let edited = text.replace("generations = 2", "generations = 3");
        let first = run(&text, name);
        let second = run(&edited, name);
        assert_eq!(second, run(&edited, &format!("{name}-new")));
        assert_ne!(second, first);
        ok(&folder, &["report", name]);
        assert_eq!(run(&text, name), first);
    }
}

/// The same text by another path is the same manifest, also if all players wait for a result, and after the facts were lost.
#[test]
fn the_same_manifest_by_another_path_goes_on() {
    let text = [
        OPTIMISATIONS,
        "[[experiment]]\ngame.othello.size = 4\ntrials = 4\nplayer = [{ evolved = \"lines\" }, ",
        "{ evolved = \"lines\", name = \"b\", stream = \"b\" }]\n",
    ]
    .concat();
    let folder = with_manifest("optimisation/other-path", &text);
    let first = ok(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    fs::rename(folder.join("m.toml"), folder.join("n.toml")).unwrap();
    assert_eq!(ok(&folder, &["run", "n.toml", "--quiet", "--out", "r"]), first);
    fs::write(folder.join("r/log.toml"), "damaged").unwrap();
    ok(&folder, &["recover", "r"]);
    assert_eq!(ok(&folder, &["run", "n.toml", "--quiet", "--out", "r"]), first);
}

/// What decides a row is part of its name: all lines of a book, not the first alone, and the weights of the searcher that
/// balances openings.
#[test]
fn openings_are_named_by_their_content() {
    let folder = folder("openings");
    let path = folder.join("m.toml");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        Manifest::read(&path, &shikou::registry()).unwrap()
    };
    let run = OPTIMISATIONS.replace(
        "fitness = { against = \"random\"",
        "openings.transcripts = \"book.txt\"\nfitness = { against = \"random\"",
    );
    let id = |book: &str| {
        fs::write(folder.join("book.txt"), book).unwrap();
        read(&run).optimisations().next().unwrap().runs[0].id()
    };
    assert_eq!(id("b1a1\nb1c1\n"), id("# the same\nb1a1\nb1c1\n"));
    assert_ne!(id("b1a1\nb1c1\n"), id("b1a1\nb1a3\n"));
    let balanced = "schema = 1\n[[experiment]]\ngame.othello.size = 4\ntrials = 2\nopenings.random-plies = 2\n\
                    openings.balanced = { search.greedy.evaluation.linear = { features = \"square-kinds\", file = \"w.txt#r\" }, within = 9.0 }\n\
                    player = [\"random\", \"greedy\"]\n";
    let trials = |weights: &str| {
        fs::write(folder.join("w.txt"), weights).unwrap();
        let plan = Plan::new(&read(balanced)).unwrap();
        plan.canonical().map(|trial| plan.id(&trial).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(trials("n,a1,b1,b2\nr,1,2,3\n"), trials("n,a1,b1,b2\nr,1,2,3\n"));
    assert!(trials("n,a1,b1,b2\nr,1,2,3\n").iter().all(|id| !trials("n,a1,b1,b2\nr,1,2,4\n").contains(id)));
}

/// If the genes change nothing, the report names no best candidate.
#[test]
fn candidates_that_all_do_the_same_have_no_best_one() {
    let text = "schema = 1\n[[optimisation]]\ngame = \"tic-tac-toe\"\ngenerations = 2\ngenes.c = { within = [0.0, 3.0] }\n\
                player = { search.uct.exploration = { gene = \"c\" }, budget.playouts = 1 }\n\
                method.genetic = { population = 4, parents = 2 }\nfitness = { against = \"random\", pairs = 5, luck = \"common\" }\n";
    let folder = with_manifest("optimisation/alike", text);
    let shown = ok(&folder, &["run", "m.toml", "--out", "r", "--full"]);
    assert!(shown.contains("All candidates of each generation did equally well"), "{shown}");
    assert!(!shown.contains("The best candidate has") && !shown.contains("overestimates"), "{shown}");
    fs::write(folder.join("m.toml"), text.replace("budget.playouts = 1", "budget.playouts = 30")).unwrap();
    let shown = ok(&folder, &["run", "m.toml", "--out", "s", "--full"]);
    assert!(shown.contains("The best candidate has"), "{shown}");
}
