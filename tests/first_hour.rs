//! The first hour of a newcomer: thirty commands one after the other, ten of them wrong, as one text at 80 columns.
//!
//! The test reads from top to bottom: a newcomer types, and the program answers.

use std::fmt::Write as _;

use crate::cli::{shikou, shikou_there, without_times};

/// The commands, without the name of the program.
const SCRIPT: &str = "
games
games othelo
searchers flat
match chess random uct
match tic-tac-toe random
match tic-tac-toe random uct
match tic-tac-toe random flat(playout=20)
match tic-tac-toe random flat(playouts-per-move=20) --games 41
match tic-tac-toe random flat(playouts-per-move=20) --games 100
match tic-tac-toe random flat@20
match tic-tac-toe mcts(iterations=100) flat(playouts-per-move=20) --games 100
match tic-tac-toe minimax(depth=full) random --games 100
match tic-tac-toe random flat(playouts-per-move=20) --sprt 0,50
match othello flat(playouts-per-move=2) greedy --option size=6 --openings 4 --games 40
match calculation random flat(playouts-per-move=3) --games 30
analyze tic-tac-toe uct@1000 b2
analyze tic-tac-toe uct@1000 b9
explain tic-tac-toe uct@1000 b2
analyze tic-tac-toe uct@1000 b2 --tree 2
play tic-tac-toe flat(playouts-per-move=50)
init tic-tac-toe
run tic-tac-toe
plan tic-tac-toe.toml
run tic-tac-toe.toml
run tic-tac-toe.toml
status results/tic-tac-toe
report results
trial results/tic-tac-toe --player random --result loss --most 3
verify results/tic-tac-toe
stats rate 17 40
";

/// The lines that are typed into `play`.
const TYPED: &str = "b2\nz9\nhint\nquit\n";

#[test]
fn the_first_hour_of_a_newcomer() {
    let (mut text, mut wrong) = (String::new(), 0);
    shikou("first_hour", &[], &["--version"], "");
    for command in SCRIPT.trim().lines() {
        let arguments: Vec<&str> = command.split(' ').collect();
        let run = |arguments: &[&str]| match arguments[0] {
            "play" => shikou("first_hour_play", &[], arguments, TYPED),
            _ => shikou_there("first_hour", arguments),
        };
        let mut result = run(&[&arguments[..], &["--width", "80"]].concat());
        if result.2.contains("'--width'") {
            result = run(&arguments);
        }
        let (code, out, err) = result;
        assert!([0, 2].contains(&code), "{command}: {code} {err}");
        wrong += u32::from(code == 2);
        let typed: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "$ shikou {}\n{}{err}", typed.join(" "), without_times(&out));
    }
    assert_eq!((SCRIPT.trim().lines().count(), wrong), (30, 10));
    insta::assert_snapshot!(with_narrow_gaps(&text));
}

/// The text with at most two spaces in a row within a line: the widths of columns depend on the times beside them.
fn with_narrow_gaps(text: &str) -> String {
    let narrow = |line: &str| {
        let words = line.trim_start_matches(' ');
        let gaps = words.split("  ").map(|word| word.trim_start_matches(' ')).filter(|word| !word.is_empty());
        let indent = line.len().abs_diff(words.len()).min(2);
        format!("{}{}", " ".repeat(indent), gaps.collect::<Vec<_>>().join("  "))
    };
    text.lines().map(narrow).collect::<Vec<_>>().join("\n")
}

/// A word as a shell needs it.
fn quoted(word: &str) -> String {
    if word.contains('(') { format!("'{word}'") } else { word.into() }
}

/// An option that other programs have, or that has another name here, is answered with what to write; so is a missing argument.
#[test]
fn guessed_options_are_answered() {
    for (command, tip) in [
        ("match tic-tac-toe random uct@9 --pairs 5", "tip: --games 100 plays 50 pairs"),
        (
            "match tic-tac-toe random uct --playouts 9",
            "tip: a budget is a part of the player, such as uct@1000",
        ),
        // Options with another name elsewhere have that name too.
        ("run a.toml --jobs 2", "a.toml: there is no such file"),
        ("run a.toml --trials 5", "tip: the manifest has `trials`"),
        ("analyze othello --player nobody", "no player is called `nobody`"),
        ("match othello", "tip: a player follows the game, such as uct@1000"),
        ("solve", "tip: the first argument is a game, such as tic-tac-toe"),
        ("run", "tip: begin with experiments/tour.toml"),
        ("run a.toml --rerun", "a.toml: there is no such file"),
        ("check othello --size 6", "tip: --option size=6 sets an option of the game"),
        ("play othello --black", "tip: --second takes the second seat"),
        ("report a --html b.html", "tip: a value of --html follows an equals sign: --html=b.html"),
        ("plan a.toml --pilot 5", "tip: a value of --pilot follows an equals sign: --pilot=5"),
        // Where nobody has guessed, the suggestion is the parser's.
        ("run a.toml --thread 2", "tip: a similar argument exists: '--threads'"),
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let (code, _, error) = shikou("guessed_options", &[], &arguments, "");
        assert_eq!(code, 2, "{command}");
        assert!(error.contains(tip), "{command}: {error}");
        assert!(!error.contains("as a value"), "{command}: {error}");
        assert!(!error.contains("Usage: shikou run --"), "{command}: {error}");
    }
    // A command that is no text is an error too.
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let command = std::ffi::OsStr::from_bytes(b"\xff");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_shikou")).arg(command).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A player in the place of a position is answered with where it goes, and a number or options in another form with how to write
/// them.
#[test]
fn what_is_misplaced_or_miswritten_is_answered() {
    for (command, advice) in [
        ("analyze othello d3 uct@1000", "the player comes before the position: uct@1000 d3"),
        ("analyze othello ucct@1000", "unknown searcher `ucct`; did you mean `uct`?"),
        // The word before a bracket or an @ names no player.
        ("analyze othello d3(x)", "no position: "),
        ("analyze othello d3@x", "and no player: "),
        (
            "play othello uct",
            "uct needs a budget of playouts, nodes, plies, time or cpu-time; write for example uct@playouts=1000",
        ),
        ("explain tic-tac-toe b2 ai12s", "the player comes before the position: ai12s b2"),
        ("match othello MCTS@10 negamx", "no player is called `negamx`; did you mean `alpha-beta`?"),
        (
            "match othello uct@1,000 flat",
            "a comma divides the limits of a budget; for one number write uct@1000",
        ),
        ("match othello uct(1000) flat", "write name=value; a budget is written uct@1000"),
        ("match othello minimax(3) flat", "`3` is not an option; write name=value, such as depth=3"),
        ("match othello uct@10000nodes flat", "`10000nodes` is no limit; write uct@nodes=10000"),
        ("match othello uct@9 flat --games 1e3", "for '--games <N>': expected a whole number in digits"),
        ("perft othello three", "for '<DEPTH>': expected a whole number in digits"),
        ("perft othello(size=6 3", "`othello(size=6` has no closing bracket"),
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let (code, _, error) = shikou("misplaced", &[], &arguments, "");
        assert!(code == 2 && error.contains(advice), "{command}: {error}");
    }
}

/// A name in place of a path, a file in place of its folder, and a reference in place of a run are answered with what to name.
#[test]
fn wrong_paths_are_answered() {
    let manifest = shikou("wrong_paths", &[], &["init"], "");
    assert_eq!(manifest.0, 0, "{}", manifest.2);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/wrong_paths");
    std::fs::create_dir(folder.join("experiments")).unwrap();
    std::fs::rename(folder.join("tic-tac-toe.toml"), folder.join("experiments/tic-tac-toe.toml")).unwrap();
    let check = |command: &str, advice: &str| {
        let (code, _, error) = shikou_there("wrong_paths", &command.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 2, "{command}");
        assert!(error.contains(advice), "{command}: {error}");
    };
    for command in ["run tic-tac-toe", "run tic-tac-toe.toml", "plan tic-tac-toe"] {
        check(command, "did you mean experiments/tic-tac-toe.toml?");
    }
    for command in ["report tic-tac-toe", "report results/tic-tac-toe", "report experiments/tic-tac-toe.toml"]
    {
        check(command, "`shikou run experiments/tic-tac-toe.toml` makes results/tic-tac-toe");
    }
    let (code, _, error) = shikou_there("wrong_paths", &["run", "experiments/tic-tac-toe.toml", "-q"]);
    assert_eq!(code, 0, "{error}");
    for command in
        ["report tic-tac-toe", "verify experiments/tic-tac-toe.toml", "report results/tic-tac-toe/trials.csv"]
    {
        check(command, "did you mean results/tic-tac-toe?");
    }
    check(
        "match tic-tac-toe random ai12s --games 2 --save results/tic-tac-toe/trials.csv",
        "trials.csv is a file; name another folder",
    );
    std::fs::remove_file(folder.join("results/tic-tac-toe/manifest.toml")).unwrap();
    check("status results/tic-tac-toe", "a run writes it beside its results; run the manifest again");
    for file in ["trials.csv", "log.toml"] {
        std::fs::remove_file(folder.join("results/tic-tac-toe").join(file)).unwrap();
    }
    let commands = ["verify", "status", "recover", "merge into", "report --format trials"];
    for command in commands {
        check(
            &format!("{command} results/tic-tac-toe"),
            "is a committed reference, which has no list of trials",
        );
    }
}
