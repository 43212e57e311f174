//! First guesses: what people type who know other programs either works or is answered with what to write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::{shikou, shikou_there};
use crate::support;

/// The guesses, each with `works` or a part of the answer.
fn guesses() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("guesses.txt").lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| row.split_once(" | ").expect("a row has two cells"))
}

/// The text that an error says to write, up to the next sentence.
fn advised(error: &str) -> Option<&str> {
    let (_, advice) = error.split_once("; write ")?;
    let end = advice.find([' ', ';', '\n']).unwrap_or(advice.len());
    Some(advice[..end].trim_end_matches([',', '.']))
}

#[test]
fn guesses_work_or_are_answered() {
    support::folder("cli/guesses");
    let registry = shikou::registry();
    let mut wrong = Vec::new();
    for (typed, answer) in guesses() {
        let (code, _, error) = shikou_there("guesses", &typed.split(' ').collect::<Vec<_>>());
        if answer == "works" {
            if code != 0 {
                wrong.push(format!("{typed}: {error}"));
            }
            continue;
        }
        if code != 2 || !error.contains(answer) {
            wrong.push(format!("{typed}: {code}, not `{answer}`: {error}"));
        }
        // The text that an error says to write can be read.
        let Some(text) = advised(&error).filter(|text| !text.contains(['…', '`'])) else { continue };
        let read = if error.contains("unknown game") {
            registry.game(text.trim_matches('"'), &[]).map(drop)
        } else if error.contains("unknown searcher") {
            registry.read_searcher(text).map(drop)
        } else if error.contains("unknown option") {
            registry.read_searcher(&format!("uct({text})@9")).map(drop)
        } else {
            Ok(())
        };
        wrong.extend(read.err().map(|reason| format!("{typed}: advised {text}: {reason}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every format that the help of a command lists is printed, and no other.
#[test]
fn help_lists_the_formats_that_work() {
    let manifest =
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 2\nplayer = [\"random\", \"ai12s\"]\n";
    let ran = shikou("formats", &[("m.toml", manifest.as_bytes())], &["run", "m.toml", "-q"], "");
    assert_eq!(ran.0, 0, "{}", ran.2);
    for command in [
        "games othello",
        "searchers uct",
        "perft tic-tac-toe 2",
        "check tic-tac-toe --games 3",
        "solve tic-tac-toe",
        "exact tic-tac-toe ai12s random",
        "prove tic-tac-toe ai12s",
        "diverge tic-tac-toe random ai12s",
        "explain tic-tac-toe ai12s",
        "explain tic-tac-toe uct@50",
        "analyze tic-tac-toe uct@50",
        "samples othello random --games 2 --out samples.csv",
        "clairvoyant calculation --deals 1",
        "plan m.toml",
        "run m.toml",
        "report results/m",
        "compare results/m results/m",
        "status results/m",
        "recover results/m",
        "trial results/m",
        "verify results/m",
        "match tic-tac-toe random ai12s --games 4",
        "stats rate 37 100",
        "stats two 10 20 12 20",
        "stats elo 36 68 40",
        "stats sprt --elo0 0 --elo1 10 3000 4000 3245",
        "stats plan arms 0.50 0.55",
        "stats holm 0.01 0.04",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let names = match words[..] {
            ["stats", "plan", ..] => 3,
            ["stats", ..] => 2,
            _ => 1,
        };
        let names = words.iter().take(names);
        let help = shikou_there("formats", &names.copied().chain(["-h"]).collect::<Vec<_>>()).1;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, listed) = help.split_once("The format of the output: ").expect(command);
        let listed: Vec<&str> = listed.split(" [default").next().unwrap().split(", ").collect();
        for format in shikou::report::EXPORTERS.map(|format| format.name) {
            let (code, _, error) = shikou_there("formats", &[&words[..], &["--format", format]].concat());
            if format != "parquet" || cfg!(feature = "parquet") {
                assert_eq!(code == 0, listed.contains(&format), "{command} --format {format}: {error}");
            }
        }
    }
}

/// `init --game` writes the example of `docs/adding-a-game.md` under another name, over nothing, and only under a name that is free.
#[test]
fn a_crate_of_ones_own_is_the_example() {
    let (code, out, error) = shikou("own_game", &[], &["init", "--game", "torus-hex"], "");
    assert!(code == 0 && out.contains("cargo run --release -- play torus-hex"), "{out}{error}");
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/own_game/torus-hex");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/connect-four");
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    for (path, original) in
        [("src/game.rs", "game.rs"), ("src/main.rs", "main.rs"), ("tests/rules.rs", "tests/connect_four.rs")]
    {
        let text =
            read(own.join(path)).replace("TorusHex", "ConnectFour").replace("torus-hex", "connect-four");
        let original = read(example.join(original)).replace(" -p connect-four", "");
        assert_eq!(text.replace("../src/game.rs", "../game.rs"), original, "{path}");
    }
    let cargo: toml::Table = read(own.join("Cargo.toml")).parse().unwrap();
    assert_eq!(cargo["package"]["name"].as_str(), Some("torus-hex"));
    assert_eq!(cargo["dependencies"]["shikou"]["path"].as_str(), Some(env!("CARGO_MANIFEST_DIR")));
    let release = &cargo["profile"]["release"]["package"];
    assert_eq!(release["shikou"]["opt-level"].as_integer(), Some(0));
    assert!(read(own.join("torus-hex.toml")).contains("game = \"torus-hex\""));
    for (arguments, reason) in [
        (&["init", "--game", "torus-hex"][..], "torus-hex exists already"),
        (&["init", "--game", "othello"], "`othello` is taken"),
        (&["init", "--game", "My Game"], "write small letters, digits and hyphens"),
        (&["init", "--game", "other", "--source", "."], "name its folder with --source"),
    ] {
        let (code, _, error) = shikou_there("own_game", arguments);
        assert!(code == 2 && error.contains(reason), "{arguments:?}: {error}");
    }
}

/// The compiler accepts it, even under a name that is a type of the example too.
#[test]
#[ignore = "the compiler checks the whole program, minutes"]
fn a_crate_of_ones_own_compiles() {
    let (code, _, error) = shikou("own_build", &[], &["init", "--game", "board"], "");
    assert_eq!(code, 0, "{error}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/own_build/board");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["check", "--tests", "--offline"])
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    let checked = cargo.env_remove("CARGO_TARGET_DIR").current_dir(&folder).status().unwrap();
    std::fs::remove_dir_all(folder.join("target")).unwrap();
    assert!(checked.success());
}
