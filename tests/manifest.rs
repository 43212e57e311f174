//! The manifest: its syntax, its meaning, and the stability of its meaning between versions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use shikou::experiment::{Design, Manifest, ManifestError, Openings, Plan, Trial, play};
use shikou::game::GameExt;
use shikou::games::othello::Othello;

use crate::support::{self, sample_data};

mod notation;
mod parts;
mod schema;

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let manifest = Manifest::parse("test.toml".as_ref(), text, &shikou::registry())?;
    Plan::new(&manifest).map(|_| manifest)
}

fn manifest(text: &str) -> Manifest {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The identities of all trials, in plan order.
fn ids(text: &str) -> Vec<String> {
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    plan.canonical().map(|trial| plan.id(&trial).to_string()).collect()
}

/// Trial identities must never change: logs are continued and references compared by them.
#[test]
fn trials_keep_their_names() {
    let text = r#"
        schema = 1
        seed = 11
        [[experiment]]
        name = "noughts"
        game = "tic-tac-toe"
        trials = 2
        openings = { random-plies = 1 }
        player = [
          { name = "a", search = "random" },
          { name = "b", search.flat = { playouts-per-move = 10 } },
          { name = "c", search.minimax = { depth = "full" }, stream = "s" },
        ]
        [[experiment]]
        game.othello = { size = 6 }
        design.gauntlet = { against = ["random"] }
        trials = 1
        memory-mib = 64
        seed = 5
        player = [{ search = "random" }, { search = "flat" }]
        [[experiment]]
        game = "calculation"
        trials = 2
        player = [{ search.simple-tree = { level = 2, playouts = 2, policy = "waste-first" } }]
    "#;
    let frozen = [
        "99c6b8528762b967",
        "67e35ef5ced28496",
        "8b92d0813d89b311",
        "22979984d4be0074",
        "93ec5a52ca86479a",
        "3f5ea75db875820c",
        "e33ded2d00b1a37b",
        "67bfa673845016ce",
        "151cb0a370599b6e",
    ];
    assert_eq!(ids(text), frozen);
}

/// The names of the players of the first experiment.
fn names(players: &str) -> Vec<String> {
    let text =
        format!("schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{players}]\n");
    manifest(&text).experiments()[0].players.iter().map(|player| player.name.clone()).collect()
}

#[test]
fn a_sweep_is_every_combination_named_by_what_differs() {
    let grid = "{ name = \"tree\", search.simple-tree = { level = { each = [4, 5, 6, 7] }, playouts = { each = [20, 50] } } }";
    let expected = ["level=4", "level=5", "level=6", "level=7"]
        .iter()
        .flat_map(|level| ["20", "50"].map(|playouts| format!("tree {level} playouts={playouts}")));
    assert_eq!(names(grid), expected.collect::<Vec<_>>());
    // Without a name, the searcher is the name, and the swept values follow, defaults too.
    assert_eq!(
        names("{ search.simple-tree = { playouts = { each = [20, 50] }, level = 3 } }"),
        ["simple-tree(level=3) playouts=20", "simple-tree(level=3) playouts=50"]
    );
    // Searchers, words and streams are swept in the same way; an axis of one value makes no difference.
    assert_eq!(
        names(
            "{ name = \"a\", search = { each = [\"random\", { flat = { playouts = { each = [1, 2] } } }] } }"
        ),
        ["a search=random", "a search=flat(playouts=1)", "a search=flat(playouts=2)"]
    );
    assert_eq!(
        names("{ search = \"random\", stream = { each = [\"x\", \"y\"] } }"),
        ["random stream=x", "random stream=y"]
    );
    assert_eq!(names("{ name = \"a\", search.flat = { playouts = { each = [3] } } }"), ["a"]);
    // Options of a part, and limits of the budget.
    assert_eq!(
        names("{ search.uct.selection.ucb1 = { exploration = { each = [0.5, 1] } }, budget.playouts = 100 }"),
        ["uct@playouts=100 exploration=0.5", "uct@playouts=100 exploration=1"]
    );
    // A value in another spelling than the searcher's text, which has 1.0, 2.0 and 1e-7.
    assert_eq!(
        names("{ search.uct = { exploration = { each = [1.0, 2.0, 0.0000001] } }, budget.playouts = 100 }"),
        ["1", "2", "0.0000001"].map(|value| format!("uct@playouts=100 exploration={value}"))
    );
    assert_eq!(
        names("{ search = \"uct\", budget.playouts = { each = [10, 20] } }"),
        ["uct playouts=10", "uct playouts=20"]
    );
    // Tables in a list.
    assert_eq!(
        names(
            "{ name = \"a\", search.greedy.evaluation.sum = [{ times = { each = [1, 2] }, evaluation = \"order\" }, \
             { times = { each = [0.5, 3] }, evaluation = { each = [\"order\", \"cards\"] } }] }"
        )
        .len(),
        8
    );
    assert_eq!(
        names(
            "{ name = \"a\", search.greedy.evaluation.sum = [{ times = 2 }, { times = { each = [1, 2] } }] }"
        ),
        ["a times=1", "a times=2"]
    );
}

#[test]
fn incomplete_grids_are_rows_or_have_exclusions() {
    let list = "{ name = \"t\", search.simple-tree = { policy = \"waste-first\", each-of = [{ level = 4, playouts = 20 }, { level = 9, playouts = 3 }] } }";
    assert_eq!(names(list), ["t level=4 playouts=20", "t level=9 playouts=3"]);
    let holes = "{ search.simple-tree = { level = { each = [1, 2] }, playouts = { each = [1, 2] } }, exclude = [{ level = 2, playouts = 2 }, { level = 1, playouts = 0x1 }] }";
    assert_eq!(names(holes), ["simple-tree level=1 playouts=2", "simple-tree level=2 playouts=1"]);
}

#[test]
fn a_sweep_equals_its_expansion() {
    let head =
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 3\nplayer = [{ search = \"random\" }, ";
    let swept = "{ name = \"m\", search.minimax = { depth = { each = [1, 2] } } }]";
    let listed =
        "{ name = \"x\", search.minimax = { depth = 2 } }, { name = \"y\", search.minimax.depth = 1 }]";
    let sorted = |tail: &str| {
        let mut ids = ids(&format!("{head}{tail}"));
        ids.sort();
        ids
    };
    assert_eq!(sorted(swept), sorted(listed));
}

#[test]
fn games_and_openings_are_swept_into_experiments() {
    let text = r#"
        schema = 1
        [[experiment]]
        name = "board"
        game.othello.size = { each = [4, 6] }
        openings.random-plies = { each = [1, 2] }
        exclude = [{ size = 4, random-plies = 1 }]
        trials = 2
        player = [{ search = "random" }, { search = "flat" }]
    "#;
    let manifest = manifest(text);
    let found: Vec<_> = manifest
        .experiments()
        .iter()
        .map(|experiment| {
            (experiment.name.as_str(), experiment.game.spec().to_string(), experiment.openings.random_plies())
        })
        .collect();
    let expected = [
        ("board size=4 random-plies=2", "othello(size=4)".into(), 2),
        ("board size=6 random-plies=1", "othello(size=6)".into(), 1),
        ("board size=6 random-plies=2", "othello(size=6)".into(), 2),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_match_is_one_cell_and_primary_comparisons_are_kept() {
    let text = r#"
        schema = 1
        [[experiment]]
        game = "tic-tac-toe"
        design = "match"
        trials = 2
        primary = [["b", "a"]]
        player = [{ name = "a", search = "random" }, { name = "b", search = "flat" }]
    "#;
    let manifest = manifest(text);
    assert_eq!(manifest.experiments()[0].design, Design::Match);
    assert_eq!(manifest.experiments()[0].primary, [[1, 0]]);
    assert_eq!(Plan::new(&manifest).unwrap().len(), 2);
    // The design is not part of a trial.
    assert_eq!(ids(text), ids(&text.replace("match", "round-robin")));
}

/// A folder for this test, with these files.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = support::folder(&format!("manifest/{name}"));
    for (name, content) in files {
        support::write(&folder, name, content);
    }
    folder
}

/// An experiment of Othello with these openings, read as from a file in a folder.
fn with_openings(folder: &Path, openings: &str, trials: u64) -> Result<Manifest, ManifestError> {
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = {trials}\nopenings = {openings}\nplayer = [{{ search = \"random\" }}, {{ search.flat = {{ playouts = 1 }} }}]\n"
    );
    Manifest::parse(&folder.join("m.toml"), &text, &shikou::registry())
}

fn lines(manifest: &Manifest) -> Vec<String> {
    let Openings::Listed { lines, .. } = &manifest.experiments()[0].openings else { panic!("no list") };
    lines.iter().map(|moves| moves.join(" ")).collect()
}

#[test]
fn transcripts_are_openings_line_by_line() {
    let book = b"# a book\nf5d6c3d3c4\n\nF5 f6 E6\nd3\n";
    let folder = folder("transcripts", &[("book.txt", book), ("copy.txt", b"f5 D6 c3d3c4\nf5 f6 e6 f4\n")]);
    let manifest = with_openings(&folder, "{ transcripts = \"book.txt\" }", 3).unwrap();
    assert_eq!(lines(&manifest), ["f5 d6 c3 d3 c4", "f5 f6 e6", "d3"]);
    // Both games of a pair begin with the opening, and the record counts its plies.
    let plan = Plan::new(&manifest).unwrap();
    for trial in plan.canonical() {
        let record = play(&plan, trial);
        let opening = [5, 3, 1][trial.instance as usize];
        for game in &record.games {
            let moves: u32 = game.seats.iter().map(|seat| seat.moves).sum();
            assert_eq!(game.plies - moves, opening, "{game:?}");
        }
    }
    // A trial is identified by the moves, not by the file or their notation.
    let copy = with_openings(&folder, "{ transcripts = \"copy.txt\" }", 2).unwrap();
    let id = |manifest: &Manifest, instance| {
        Plan::new(manifest).unwrap().id(&Trial { experiment: 0, instance, cell: 0 }).to_string()
    };
    assert_eq!(id(&copy, 0), id(&manifest, 0));
    assert_ne!(id(&copy, 1), id(&manifest, 1));
    let random = with_openings(&folder, "{ random-plies = 5 }", 3).unwrap();
    assert_ne!(id(&random, 0), id(&manifest, 0));
}

/// Four orders of the same five moves lead to one position: that is one opening.
#[test]
fn wthor_openings_are_distinct_positions() {
    let games = ["d3c3f5f6c4", "c4c3f5f6d3", "f5d6c3d3c4", "f5f6d3c3c4", "f5f6c4c3d3"];
    let mut file = vec![0; 16];
    file[4] = games.len() as u8;
    for game in games {
        let squares = game.as_bytes().chunks(2).map(|square| 10 * (square[1] - b'0') + square[0] - b'a' + 1);
        let record: Vec<u8> = [0; 8].into_iter().chain(squares).collect();
        file.extend(record.into_iter().chain([0; 68]).take(68));
    }
    let folder = folder("wthor-positions", &[("games.wtb", &file)]);
    let openings = |plies: u32| {
        lines(&with_openings(&folder, &format!("{{ wthor = \"games.wtb\", plies = {plies} }}"), 1).unwrap())
    };
    assert_eq!(openings(5), ["d3 c3 f5 f6 c4", "f5 d6 c3 d3 c4"]);
    assert_eq!(openings(4), ["d3 c3 f5 f6", "c4 c3 f5 f6", "f5 d6 c3 d3"]);
}

#[test]
fn wthor_openings_are_distinct_and_in_the_order_of_the_file() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let folder = folder("wthor", &[("games.wtb", &sample)]);
    let short = with_openings(&folder, "{ wthor = \"games.wtb\", plies = 2 }", 1).unwrap();
    let long = with_openings(&folder, "{ wthor = \"games.wtb\", plies = 8 }", 1).unwrap();
    for (manifest, plies) in [(&short, 2), (&long, 8)] {
        let lines = lines(manifest);
        assert!(lines.iter().all(|line| line.split(' ').count() == plies), "{lines:?}");
        let distinct: BTreeSet<_> = lines.iter().collect();
        assert_eq!(distinct.len(), lines.len());
    }
    // Each short opening is a prefix of a long one, in the order of their first games.
    let mut beginnings: Vec<String> = Vec::new();
    for line in lines(&long) {
        let beginning = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        if !beginnings.contains(&beginning) {
            beginnings.push(beginning);
        }
    }
    assert_eq!(lines(&short), beginnings);
    // The game of the file is an Othello of 64 squares.
    let first = Othello::default().follow(&lines(&long)[0]);
    assert!(first.is_ok());
}

/// The place, the text there, and the message.
fn shown(error: &ManifestError) -> String {
    let name = error.path.file_name().unwrap().display();
    let (line, column) = error.line_and_column().unwrap();
    let (text, span) = error.place.as_ref().unwrap();
    format!("{name}:{line}:{column}: {}\n    {}\n", error.message, &text[span.clone()])
}

/// The errors of these, one after the other.
fn refusals<T: AsRef<str>>(cases: &[T], read: impl Fn(&str) -> Result<Manifest, ManifestError>) -> String {
    let refusal = |case: &T| match read(case.as_ref()) {
        Ok(_) => panic!("this was not refused: {}", case.as_ref()),
        Err(error) => shown(&error),
    };
    cases.iter().map(refusal).collect::<Vec<_>>().join("\n")
}

#[test]
fn sweeps_that_make_no_sense_are_refused() {
    let tree = |options: &str| format!("{{ search.simple-tree = {{ {options} }} }}");
    let excluding = |rows: &str| {
        format!("{{ search.simple-tree = {{ level = {{ each = [4, 5] }} }}, exclude = [{rows}] }}")
    };
    let cases = [
        tree("level = { each = [] }"),
        tree("level = { each = 4 }"),
        tree("level = { each = [4, 4] }"),
        tree("level = { each = [4, 500] }"),
        tree("level = { each = [4, \"five\"] }"),
        tree("level = { each = [4, 5], playouts = 3 }"),
        tree("level = { eahc = [4, 5] }"),
        tree("level = [4, 5]"),
        tree("levle = { each = [4, 5] }"),
        tree("policy = { each = [\"uniform\", \"wastefirst\"] }"),
        tree("each-of = [{ level = 4 }, { level = 4 }]"),
        tree("each-of = [4, 5]"),
        tree("each-of = []"),
        tree("level = 3, each-of = [{ level = 4 }]"),
        tree(
            "level = { each = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, playouts = { each = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, each-of = [{ ties = \"first\" }, { ties = \"random\" }, { policy = \"uniform\" }, { policy = \"waste-first\" }, { policy = \"foundation-first\" }, { policy = \"uniform\", ties = \"first\" }, { policy = \"uniform\", ties = \"random\" }, { policy = \"waste-first\", ties = \"first\" }, { policy = \"waste-first\", ties = \"random\" }, {}]",
        ),
        excluding("{ level = 6 }"),
        excluding("{ level = 4 }, { level = 4 }"),
        excluding("{ level = 4 }, { level = 5 }"),
        excluding("{ levle = 4 }"),
        excluding("{ playouts = 4 }"),
        excluding("4"),
        excluding("{}"),
        "{ search = \"random\", exclude = [{ level = 4 }] }".into(),
        "{ search = \"random\", exlude = [{ level = 4 }] }".into(),
        "{ search = \"random\", name = { each = [\"a\", \"b\"] } }".into(),
        // Two values that mean the same: the default, and the default written.
        "{ search = { each = [\"flat\", { flat = { playouts-per-move = 100 } }] }, name = \"a\" }".into(),
        "{ search = { each = [\"random\", \"minimax\"] } }".into(),
    ];
    let read = |player: &str| {
        parse(&format!(
            "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [\n{player}\n]\n"
        ))
    };
    insta::assert_snapshot!(refusals(&cases, read));
}

#[test]
fn designs_and_comparisons_that_do_not_fit_are_refused() {
    let cases = [
        "design = \"match\"",
        "design = \"mach\"",
        "design.gauntlet = { against = [\"a\", \"b\", \"c\"] }",
        "design.gauntlet = { against = [\"a\", \"a\"] }",
        "primary = [\"a\", \"b\"]",
        "primary = [[\"a\"]]",
        "primary = [[\"a\", \"aa\"]]",
        "primary = [[\"a\", \"a\"]]",
        "primary = [[\"a\", \"b\"], [\"b\", \"a\"]]",
        "design.gauntlet = { against = [\"a\"] }\nprimary = [[\"b\", \"c\"]]",
        "trials = { each = [1, 0] }",
        "game.othello = { size = { each = [4, 5] } }",
        "exclude = [{ size = 4 }]",
    ];
    let read = |keys: &str| {
        let given = |key: &str| keys.starts_with(key);
        let game = if given("game") { "" } else { "game = \"othello\"\n" };
        let trials = if given("trials") { "" } else { "trials = 1\n" };
        let players = "player = [{ name = \"a\", search = \"random\" }, { name = \"b\", search = \"flat\" }, { name = \"c\", search = \"minimax\" }]";
        parse(&format!("schema = 1\n[[experiment]]\n{game}{trials}{keys}\n{players}\n"))
    };
    insta::assert_snapshot!(refusals(&cases, read));
}

#[test]
fn openings_that_cannot_be_played_are_refused() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let mut illegal = sample.clone();
    illegal[16 + 68 + 8] = 11;
    let over = b"e6 f4 e3 f6 g5 d6 e7 f5 c5\n"; // Black takes every white disc.
    let files: &[(&str, &[u8])] = &[
        ("book.txt", b"f5d6\nd3\n"),
        ("illegal.txt", b"f5d6\n# a comment\nf5f5\n"),
        ("over.txt", over),
        ("empty.txt", b"# nothing\n"),
        ("bytes.txt", b"f5\n\xff\n"),
        ("games.wtb", &sample),
        ("illegal.wtb", &illegal),
        ("cut.wtb", &sample[..100]),
    ];
    let folder = folder("refused", files);
    let cases = [
        "{ transcripts = \"book.txt\" }",
        "{ transcripts = \"nowhere.txt\" }",
        "{ transcripts = \"illegal.txt\" }",
        "{ transcripts = \"over.txt\" }",
        "{ transcripts = \"empty.txt\" }",
        "{ transcripts = \"bytes.txt\" }",
        "{ transcripts = 3 }",
        "{ transcript = \"book.txt\" }",
        "{ transcripts = \"book.txt\", random-plies = 3 }",
        "{ wthor = \"games.wtb\" }",
        "{ wthor = \"games.wtb\", plies = 1 }",
        "{ wthor = \"illegal.wtb\", plies = 4 }",
        "{ wthor = \"cut.wtb\", plies = 4 }",
        "{ random-plies = 2, plies = 3 }",
        "{}",
    ];
    insta::assert_snapshot!(refusals(&cases, |openings| with_openings(&folder, openings, 3)));
    let small = "schema = 1\n[[experiment]]\ngame.othello = { size = 6 }\ntrials = 1\nopenings = { wthor = \"games.wtb\", plies = 4 }\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n";
    let error = Manifest::parse(&folder.join("m.toml"), small, &shikou::registry()).err().unwrap();
    assert_eq!(
        error.message,
        "unknown key `wthor`; known: random-plies, balanced, random-positions, transcripts, positions, options, plies"
    );
}

/// A key that people try is answered with the key that is meant, or with its right place.
#[test]
fn keys_that_people_try_are_answered() {
    for (keys, advice) in [
        ("games = 100", "`games` is called `trials` here"),
        ("pairs = 100", "`pairs` is called `trials` here"),
        ("trials = 1\nsize = 6", "`size` is an option of the game; write game.othello = { size = 6 }"),
        (
            "trials = 1\ntime-limit = \"1h\"",
            "belongs to the whole manifest; write it above the first `[[experiment]]`",
        ),
        ("trials = 1\nboards = 20", "write openings = { positions = \"boards.txt\" }"),
        ("trials = 1\ninstances = [1]", "or { options = { board = [1, 2, 3] } }"),
        ("trials = 1\nopenings = { plies = 2 }", "random openings have `random-plies`"),
        ("trials = 1\nopenings = 2", "write for example `openings = { random-plies = 4 }`"),
        (
            "trials = 1\n[[player]]\nsearch = \"random\"",
            "belongs to an experiment; write `[[experiment.player]]`",
        ),
    ] {
        let text = format!(
            "schema = 1\n[[experiment]]\nplayer = [\"random\", \"flat\"]\ngame = \"othello\"\n{keys}\n"
        );
        let message = parse(&text).unwrap_err().to_string();
        assert!(message.contains(advice) && !message.contains("is missing"), "{keys}: {message}");
    }
}

#[test]
fn a_text_for_the_schema_hides_no_other_mistake() {
    let error = parse("schema = \"1\"\nsede = 3\n[[experiment]]\n").unwrap_err().to_string();
    let schema = "test.toml:1:10: `schema` must be a whole number, not a text; write schema = 1\n";
    assert!(error.starts_with(schema) && error.contains("did you mean `seed`?"), "{error}");
}

/// Editors on Windows end lines with two characters.
#[test]
fn a_carriage_return_is_no_part_of_a_line() {
    let text = "schema = 1\n\n[[experiment]]\ngame = \"othelo\"\ntrials = 4\nplayer = [\n  \"randm\",\n]\n";
    for text in [text.to_owned(), text.replace("othelo", "othello"), text.replace("\"randm\"", "tree")] {
        let [plain, windows] =
            [text.clone(), text.replace('\n', "\r\n")].map(|text| parse(&text).unwrap_err());
        assert_eq!(plain, windows);
    }
}

#[test]
fn if_nothing_is_left_to_play_the_error_is_at_the_first_player_that_was_left_out() {
    let text = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 4\nplayer = [\n\"random\",\n\
                \"engine(gtp=no-such-program)\",\n]\n";
    let path = folder("left-out", &[("m.toml", text.as_bytes())]).join("m.toml");
    let error = Manifest::read_what_is_here(&path, &shikou::registry(), true).unwrap_err();
    assert_eq!(error.line_and_column(), Some((7, 2)), "{error}");
    assert!(error.message.contains("no-such-program"), "{error}");
}

#[test]
fn a_solitaire_has_openings_too() {
    let text = |game: &str| {
        format!(
            "schema = 1\n[[experiment]]\ngame = {game:?}\ntrials = 4\nplayer = [\"random\"]\nopenings = {{ random-plies = 3 }}\n"
        )
    };
    for game in ["left-moves", "calculation"] {
        let manifest = parse(&text(game)).unwrap();
        let plan = Plan::new(&manifest).unwrap();
        let record = play(&plan, plan.canonical().next().unwrap());
        let game = &record.games[0];
        assert!(game.plies >= game.seats[0].moves + 3, "{game:?}");
    }
    let balanced = text("left-moves")
        .replace("plies = 3", "plies = 3, balanced = { search = \"random\", within = 0.5 }");
    let refused = parse(&balanced).unwrap_err().message;
    assert_eq!(refused, "only a game for two is balanced, and left-moves is a solitaire");
}
