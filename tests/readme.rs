//! Checks of the documents: console blocks show the real output of commands, manifests can be
//! read, and quoted code occurs in the file that it is quoted from.
//!
//! `SHIKOU_UPDATE_DOCS=1 cargo test --test tests readme::` writes the current output of the commands into the blocks.
//! A line `…` keeps the number of lines before and after it. With `SHIKOU_PROGRAM=target/release/shikou` the commands
//! of a release build are run, which takes seconds instead of minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use shikou::experiment::{Manifest, Optimised, Plan, Reference};
use shikou::report::{answer_report, figure_svg};
use shikou::stats::Estimate;
use shikou::validate::Suite;

use self::ocba::Ocba;
use crate::connect_four::game::ConnectFour;

#[path = "../examples/ocba/src/lib.rs"]
pub(crate) mod ocba;

/// The one command that takes too long for a test; its block is compared with the committed reference.
const TOUR: &str = "shikou run experiments/tour.toml";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents that are checked, with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md"), root().join("results/README.md")];
    for folder in ["docs", "results/notebook"] {
        let files = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension() == Some("md".as_ref())));
    }
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The fenced blocks of a language: the information string after the fence, and the text.
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

/// The commands of a console block, each with its expected output.
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

/// Whether a command is `shikou`; others, such as `cargo`, are not run.
fn is_ours(command: &str) -> bool {
    command.split(['|', ' ']).any(|word| ["shikou", "connect-four", "ocba"].contains(&word))
        && !command.contains("cargo ")
}

/// The standard output of a command, run in the repository's folder.
fn printed(command: &str) -> Option<String> {
    let program = std::env::var_os("SHIKOU_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_shikou").into());
    let program = fs::canonicalize(program).unwrap();
    let binaries = program.parent().unwrap();
    let is_missing =
        |program: &str| command.starts_with(&format!("{program} ")) && !binaries.join(program).exists();
    if is_missing("connect-four") || is_missing("ocba") {
        eprintln!("skipped: the example is not built: {command}");
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [binaries.to_path_buf()].into_iter().chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    // A failing command has output too.
    assert!(output.status.success() || !printed.is_empty(), "`{command}`: {error}");
    Some(if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" })
}

/// The lines of an output without the parts that differ between runs: everything after `│`, the lengths of rules, and the
/// gaps around lines that are left out.
fn comparable<'l>(lines: impl IntoIterator<Item = &'l str>) -> Vec<&'l str> {
    let line = |line: &'l str| match line.split_once('│') {
        Some((left, _)) => left.trim_end(),
        None if line.starts_with('─') => "─",
        None => line.trim_end(),
    };
    let mut lines: Vec<_> = lines.into_iter().filter(|line| !line.starts_with('│')).map(line).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    while lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// Whether lines are as expected; an expected line `…` matches any lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["…", rest @ ..] => (0..=found.len()).any(|skipped| agree(rest, &found[skipped..])),
        [first, rest @ ..] => found.first() == Some(first) && agree(rest, &found[1..]),
    }
}

/// The lines to show of an output: all, or as many as now before and after a line `…`.
fn shown_lines<'l>(shown: &[&'l str], printed: &[&'l str]) -> Vec<&'l str> {
    let Some(gap) = shown.iter().position(|line| *line == "…") else { return printed.to_vec() };
    let (head, tail) = (gap.min(printed.len()), (shown.len() - gap - 1).min(printed.len()));
    [&printed[..head], &["…"], &printed[printed.len() - tail..]].concat()
}

/// Compares the console blocks that show these commands with `output`, which returns nothing for a command that cannot be
/// run here. Returns the number of commands that were compared.
fn compare_blocks(is_wanted: impl Fn(&str) -> bool, output: impl Fn(&str) -> Option<String>) -> u32 {
    // Two tests that update the same document would undo each other's work.
    static DOCUMENTS: Mutex<()> = Mutex::new(());
    let update = std::env::var_os("SHIKOU_UPDATE_DOCS").is_some();
    let _alone = update.then(|| DOCUMENTS.lock().unwrap());
    let mut compared = 0;
    for (path, text) in documents() {
        let mut updated = text.clone();
        for (_, block) in blocks(&text, "console") {
            for (command, shown) in commands(block).into_iter().filter(|(command, _)| is_wanted(command)) {
                let Some(printed) = output(command) else { continue };
                compared += 1;
                let agrees = agree(&comparable(shown.iter().copied()), &comparable(printed.lines()));
                assert!(
                    agrees || update,
                    "{}: `{command}` prints\n{printed}\nand not\n{}\n(SHIKOU_UPDATE_DOCS=1 updates the block)",
                    path.display(),
                    shown.join("\n")
                );
                if !agrees {
                    let lines = shown_lines(&shown, &printed.lines().collect::<Vec<_>>());
                    let block = |lines: &[&str]| {
                        let command = format!("$ {command}");
                        [&[&*command], lines].concat().join("\n") + "\n"
                    };
                    updated = updated.replacen(&block(&shown), &block(&lines), 1);
                }
            }
        }
        if updated != text {
            fs::write(path, updated).unwrap();
        }
    }
    compared
}

#[test]
fn the_blocks_show_what_the_commands_print() {
    // An existing run would be resumed, with the times of another build.
    for run in ["connect-four", "first-look", "fair", "pilot"].map(|run| format!("target/{run}")) {
        let _ = fs::remove_dir_all(root().join(run));
    }
    let compared = compare_blocks(|command| is_ours(command) && command != TOUR, printed);
    assert!(compared > 0, "the documents show no command");
}

/// The picture of the README is that of the committed reference, of the five players that it names, at four piles.
#[test]
fn the_picture_shows_the_reference() {
    let Reference { mut summary, facts, .. } =
        Reference::read(&root().join("results/reference/calculation-ladder")).unwrap().unwrap();
    summary.experiments.truncate(1);
    // The names are those of the players' places, which change.
    summary.experiments[0].differences.clear();
    let is_shown = |name: &str| {
        ["random", "flat ", "tree ", "wide tree ", "uct "].iter().any(|shown| name.starts_with(shown))
    };
    let players = &mut summary.experiments[0].players;
    players.retain(|player| is_shown(&player.name));
    assert_eq!(players.len(), 14);
    let picture = figure_svg(&summary, &facts);
    // Every point has the success of the reference, with its interval and its time.
    for player in &summary.experiments[0].players {
        let Estimate { value, low, high, .. } = player.success.unwrap();
        let point = format!("{}: {value:.3} [{low:.3}, {high:.3}], ", player.name);
        let (_, time) = picture.split_once(&point).unwrap_or_else(|| panic!("{point} is not in {picture}"));
        let (time, _) = time.split_once(" processor time a game").unwrap();
        let (number, unit) = time.split_once(' ').unwrap();
        let of_unit = ["ns", "µs", "ms", "s"].iter().position(|known| *known == unit).unwrap();
        let ratio =
            number.parse::<f64>().unwrap() * 1000_f64.powi(of_unit as i32) / player.cpu_ns_a_trial.value;
        assert!((ratio - 1.0).abs() < 0.06, "{point} {time}: {ratio}");
    }
    let path = root().join("docs/calculation.svg");
    if std::env::var_os("SHIKOU_UPDATE_DOCS").is_some() {
        fs::write(&path, &picture).unwrap();
    }
    let update = "run `SHIKOU_UPDATE_DOCS=1 cargo test --test tests readme::` to draw it again";
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == picture,
        "docs/calculation.svg differs; {update}"
    );
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains("](docs/calculation.svg)"), "the README shows no picture");
}

#[test]
fn the_tour_is_shown_as_the_reference_has_it() {
    let reference = root().join("results/reference/tour");
    let summary = Reference::read(&reference).unwrap().expect("the tour has no log").summary;
    let answer = answer_report(&summary, None);
    let digests = fs::read_to_string(reference.join("digests.csv")).unwrap();
    let digest = digests.lines().find_map(|line| line.strip_prefix("all,")).unwrap();
    let output = format!(
        "{answer}\n\neverything else: shikou report results/tour --full\nevery trial has the same result as in results/reference/tour\n\
         digest {digest} reproduces the reference\n"
    );
    let compared = compare_blocks(|command| command == TOUR, |_| Some(output.clone()));
    assert!(compared > 0, "no document shows the tour");
}

#[test]
fn the_manifests_that_are_shown_can_be_read() {
    let registry = shikou::registry().with_game::<ConnectFour>().with_searcher::<Ocba>();
    let mut read = 0;
    for (path, text) in documents() {
        for (_, block) in blocks(&text, "toml").into_iter().filter(|(_, block)| block.contains("schema")) {
            read += 1;
            let refused = if block.contains("[[case]]") {
                Suite::parse(&path, block, &registry).err()
            } else {
                let plan = |manifest| Plan::new(&Optimised::default().finish(manifest));
                Manifest::parse(&path, block, &registry).and_then(plan).err()
            };
            match refused.map(|error| error.to_string()) {
                Some(error) if error.contains("the large data") => eprintln!("skipped: {error}"),
                Some(error) => panic!("{error}"),
                None => {}
            }
        }
    }
    assert!(read > 0, "the documents show no manifest");
}

/// A block `rust file=path` or `toml file=path` is a quotation: its lines occur in that file, in sequence.
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

/// The pages of the notebook: the name of each, and its text.
fn notebook() -> Vec<(String, String)> {
    let pages = fs::read_dir(root().join("results/notebook")).unwrap().map(|entry| entry.unwrap());
    pages
        .map(|page| (page.file_name().into_string().unwrap(), fs::read_to_string(page.path()).unwrap()))
        .collect()
}

/// Every question of a page has a line with its answer in the index, and every line leads to one.
#[test]
fn the_index_of_the_notebook_is_whole() {
    let index = fs::read_to_string(root().join("results/README.md")).unwrap();
    let lines: Vec<&str> = index.lines().filter(|line| line.starts_with("| [")).collect();
    let mut questions = 0;
    for (page, text) in notebook() {
        for question in text.lines().filter_map(|line| line.strip_prefix("## ")) {
            questions += 1;
            let anchor: String = question
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect();
            let begin = format!("| [{question}](notebook/{page}#{anchor}) | ");
            assert!(lines.iter().any(|line| line.starts_with(&begin)), "no line of the index begins {begin}");
        }
    }
    assert_eq!(lines.len(), questions);
}

/// Every reference is in the notebook with its digest.
#[test]
fn the_notebook_names_every_reference() {
    let notebook: String = notebook().into_iter().map(|(_, text)| text).collect();
    for reference in fs::read_dir(root().join("results/reference")).unwrap() {
        let digests = fs::read_to_string(reference.unwrap().path().join("digests.csv")).unwrap();
        let digest = digests.lines().find_map(|line| line.strip_prefix("all,")).unwrap();
        assert!(notebook.contains(digest), "no entry with the digest {digest}");
    }
}

#[test]
fn the_notebook_has_the_numbers_of_the_tour() {
    let notebook = fs::read_to_string(root().join("results/notebook/games.md")).unwrap();
    let summary = fs::read_to_string(root().join("results/reference/tour/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let list = |value: &serde_json::Value| value.as_array().unwrap().clone();
    for experiment in list(&summary["experiments"]) {
        for player in list(&experiment["players"]) {
            let estimate = |name: &str, digits: usize| {
                let number = |end: &str| format!("{:.digits$}", player[name][end].as_f64().unwrap());
                let text = format!("{} [{}, {}]", number("value"), number("low"), number("high"));
                // The notebook writes fractions without the zero, and with a typographic minus.
                if digits == 3 { text.replace("0.", ".") } else { text.replace('-', "−") }
            };
            let result = if experiment["paired"] == true { "points" } else { "success" };
            let mut expected = vec![estimate(result, 3)];
            if experiment["has_margin"] != false {
                expected.push(estimate("margin", 2));
            }
            let row = expected.join(" | ");
            assert!(notebook.contains(&format!("| {row} |")), "{}: {row}", player["name"]);
        }
    }
}

/// The manifest that the author of each source would write today: about ten lines, and it plays.
#[test]
fn the_manifests_of_the_sources_play() {
    let text = fs::read_to_string(root().join("docs/sources.md")).unwrap();
    let manifests = blocks(&text, "toml");
    assert_eq!(manifests.len(), 5);
    for (number, (_, manifest)) in manifests.into_iter().enumerate() {
        assert!(manifest.lines().count() <= 12, "{manifest}");
        if manifest.contains("data:") && std::env::var_os("SHIKOU_DATA").is_none() {
            eprintln!("skipped: SHIKOU_DATA is not set, and this manifest needs a file of it: {manifest}");
            continue;
        }
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("source-{number}.toml"));
        fs::write(&path, manifest).unwrap();
        let printed = printed(&format!("shikou run {} --smoke --quiet", path.display())).unwrap();
        assert!(printed.contains("of a smoke run"), "{printed}");
    }
}
