//! The documents, checked: what a console block shows is what the command prints, a manifest that is shown can be
//! read, and code that is quoted stands in the file that it is quoted from.
//!
//! `UPDATE_README=1 cargo test readme` writes what the commands print today into the blocks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use shikou::experiment::Manifest;
use shikou::players::Registry;
use shikou::validate::Suite;

use crate::connect_four::game::ConnectFour;

/// The one command that takes too long for a test; its block is held against the committed reference.
const TOUR: &str = "shikou run experiments/tour.toml";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents that are checked, with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md"), root().join("results/README.md")];
    let docs = fs::read_dir(root().join("docs")).unwrap();
    paths.extend(
        docs.map(|entry| entry.unwrap().path()).filter(|path| path.extension() == Some("md".as_ref())),
    );
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The fenced blocks of a language: the information string behind the fence, and the text.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<(&'t str, &'t str)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once("\n```") {
        let (information, behind) = behind.split_once('\n').expect("a fence opens a block");
        let (block, behind) = behind.split_once("\n```").expect("a block is closed");
        if information.split([' ', ',']).next() == Some(language) {
            blocks.push((information, block));
        }
        rest = behind;
    }
    blocks
}

/// The commands of a console block, each with the lines that it is said to print.
fn commands(block: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    commands
}

/// Whether a command is one of ours; others, such as `cargo`, are for the reader.
fn is_ours(command: &str) -> bool {
    command.split(['|', ' ']).any(|word| ["shikou", "connect-four"].contains(&word))
        && !command.contains("cargo ")
}

/// What a command prints on standard output, run in the repository's folder.
fn printed(command: &str) -> Option<String> {
    let binaries = Path::new(env!("CARGO_BIN_EXE_shikou")).parent().unwrap();
    let examples = binaries.join("examples");
    if command.contains("connect-four ") && !examples.join("connect-four").exists() {
        eprintln!("skipped: the example is not built: {command}");
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [binaries.to_path_buf(), examples].into_iter().chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    // One that fails has something to show.
    assert!(output.status.success() || !printed.is_empty(), "`{command}`: {error}");
    Some(if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" })
}

/// The lines of an output without what differs from run to run: what stands behind `│`, and how long rules are.
fn comparable<'l>(lines: impl IntoIterator<Item = &'l str>) -> Vec<&'l str> {
    let line = |line: &'l str| match line.split_once('│') {
        Some((left, _)) => left.trim_end(),
        None if line.starts_with('─') => "─",
        None => line.trim_end(),
    };
    let mut lines: Vec<_> = lines.into_iter().filter(|line| !line.starts_with('│')).map(line).collect();
    while lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// Whether lines are as expected, where a line `…` stands for any lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["…", rest @ ..] => (0..=found.len()).any(|skipped| agree(rest, &found[skipped..])),
        [first, rest @ ..] => found.first() == Some(first) && agree(rest, &found[1..]),
    }
}

#[test]
fn the_blocks_show_what_the_commands_print() {
    let update = std::env::var_os("UPDATE_README").is_some();
    let mut checked = 0;
    // A run that is there already would go on, with the times of another build.
    for run in ["target/connect-four", "target/first-look"] {
        let _ = fs::remove_dir_all(root().join(run));
    }
    for (path, text) in documents() {
        let mut updated = text.clone();
        for (_, block) in blocks(&text, "console") {
            for (command, shown) in commands(block) {
                if !is_ours(command) || command == TOUR {
                    continue;
                }
                let Some(printed) = printed(command) else { continue };
                checked += 1;
                let agree = agree(&comparable(shown.iter().copied()), &comparable(printed.lines()));
                if update && !agree && !shown.contains(&"…") {
                    let shown: String = shown.iter().flat_map(|line| [line, "\n"]).collect();
                    let (old, new) = (format!("$ {command}\n{shown}"), format!("$ {command}\n{printed}"));
                    updated = updated.replacen(&old, &new, 1);
                    continue;
                }
                let path = path.display();
                assert!(agree, "{path}: `{command}` prints\n{printed}\nand not\n{}", shown.join("\n"));
            }
        }
        if updated != text {
            fs::write(path, updated).unwrap();
        }
    }
    assert!(checked > 0, "the documents show no command");
}

#[test]
fn the_tour_is_shown_as_the_reference_has_it() {
    let reference = root().join("results/reference/tour");
    let report = fs::read_to_string(reference.join("report.txt")).unwrap();
    let digests = fs::read_to_string(reference.join("digests.csv")).unwrap();
    let digest = digests.lines().find_map(|line| line.strip_prefix("all,")).unwrap();
    let last = format!("digest {digest} reproduces the reference");
    let expected: Vec<&str> = report.lines().chain(["", "results in results/tour", &last]).collect();
    let mut shown = 0;
    for (path, text) in documents() {
        for (_, block) in blocks(&text, "console") {
            for (_, output) in commands(block).iter().filter(|(command, _)| *command == TOUR) {
                shown += 1;
                assert_eq!(
                    comparable(output.iter().copied()),
                    comparable(expected.clone()),
                    "{}",
                    path.display()
                );
            }
        }
    }
    assert!(shown > 0, "no document shows the tour");
}

#[test]
fn the_manifests_that_are_shown_can_be_read() {
    let registry = Registry::standard().with::<ConnectFour>();
    let mut read = 0;
    for (path, text) in documents() {
        for (_, block) in blocks(&text, "toml").into_iter().filter(|(_, block)| block.contains("schema")) {
            read += 1;
            let refused = if block.contains("[[case]]") {
                Suite::parse(&path, block, &registry).err()
            } else {
                Manifest::parse(&path, block, &registry).err()
            };
            if let Some(error) = refused {
                panic!("{error}");
            }
        }
    }
    assert!(read > 0, "the documents show no manifest");
}

/// A block `rust file=path` or `toml file=path` is a quotation: its lines stand in that file, one after the other.
#[test]
fn quotations_are_verbatim() {
    let mut quoted = 0;
    for (path, text) in documents() {
        for (information, block) in ["rust", "toml"].iter().flat_map(|language| blocks(&text, language)) {
            let Some((_, file)) = information.split_once("file=") else { continue };
            quoted += 1;
            let source = fs::read_to_string(root().join(file)).unwrap();
            assert!(
                unindented(&source).contains(&unindented(block)),
                "{}: not in {file}:\n{block}",
                path.display()
            );
        }
    }
    assert!(quoted > 0, "the documents quote no file");
}

fn unindented(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Every reference stands in the notebook with its digest.
#[test]
fn the_notebook_names_every_reference() {
    let notebook = fs::read_to_string(root().join("results/README.md")).unwrap();
    for reference in fs::read_dir(root().join("results/reference")).unwrap() {
        let digests = fs::read_to_string(reference.unwrap().path().join("digests.csv")).unwrap();
        let digest = digests.lines().find_map(|line| line.strip_prefix("all,")).unwrap();
        assert!(notebook.contains(digest), "no entry with the digest {digest}");
    }
}

#[test]
fn the_notebook_has_the_numbers_of_the_tour() {
    let notebook = fs::read_to_string(root().join("results/README.md")).unwrap();
    let summary = fs::read_to_string(root().join("results/reference/tour/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let list = |value: &serde_json::Value| value.as_array().unwrap().clone();
    for experiment in list(&summary["experiments"]) {
        for player in list(&experiment["players"]) {
            let estimate = |name: &str, digits: usize| {
                let number = |end: &str| format!("{:.digits$}", player[name][end].as_f64().unwrap());
                let text = format!("{} [{}, {}]", number("value"), number("low"), number("high"));
                // The notebook writes shares without the zero, and a true minus.
                if digits == 3 { text.replace("0.", ".") } else { text.replace('-', "−") }
            };
            let mut expected = vec![estimate("success", 3)];
            if experiment["score_unit"] != "points" {
                expected.push(estimate("score", 2));
            }
            let row = expected.join(" | ");
            assert!(notebook.contains(&format!("| {row} |")), "{}: {row}", player["name"]);
        }
    }
}
