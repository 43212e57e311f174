//! Interrupted, sharded and concurrent runs: the result is that of one uninterrupted run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use shikou::rng::Stream;

use crate::support::with_manifest;

/// Some seconds of work in many small trials and a few longer ones.
const MANIFEST: &str = r#"
schema = 1
seed = 3
[[experiment]]
game = "calculation"
trials = 120
player = [
  { search = "random" },
  { search.flat = { playouts-per-move = 60, policy = "waste-first" } },
  { search.simple-tree = { level = 3, playouts = 1, policy = "foundation-first" } },
]
[[experiment]]
game.othello = { size = 6 }
trials = 60
openings = { random-plies = 2 }
player = [{ search = "random" }, { search.flat = { playouts-per-move = 20 } }, { search.minimax = { depth = 2 } }]
"#;

/// A new folder for this test that contains only the manifest.
fn folder(name: &str) -> PathBuf {
    with_manifest(&format!("resume/{name}"), MANIFEST)
}

pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shikou"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub(crate) fn finish(child: Child) -> (i32, String, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Runs a manifest to `whole`, and to `killed` with a kill after each number of milliseconds. Both end with the same digest.
#[track_caller]
pub(crate) fn assert_kills_change_nothing(folder: &Path, manifest: &str, delays: &[u64]) {
    fs::write(folder.join("m.toml"), manifest).unwrap();
    let (code, whole, error) = shikou(folder, &["run", "m.toml", "--quiet", "--out", "whole"]);
    assert_eq!(code, 0, "{error}");
    for &delay in delays {
        let mut child = start(folder, &["run", "m.toml", "--quiet", "--out", "killed", "--threads", "2"]);
        std::thread::sleep(Duration::from_millis(delay));
        let _ = child.kill();
        finish(child);
    }
    let (code, killed, error) = shikou(folder, &["run", "m.toml", "--quiet", "--out", "killed"]);
    assert_eq!((code, &killed), (0, &whole), "{error}");
}

pub(crate) fn shikou(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    finish(start(folder, arguments))
}

/// What a command prints that ends without an error.
#[track_caller]
pub(crate) fn ok(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = shikou(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {out}{error}");
    out
}

/// The canonical log of one uninterrupted run.
fn undisturbed(folder: &Path) -> Vec<u8> {
    let (code, ..) = shikou(folder, &["run", "m.toml", "--quiet", "--out", "whole"]);
    assert_eq!(code, 0);
    fs::read(folder.join("whole/canonical.csv")).unwrap()
}

#[test]
fn a_run_that_is_killed_twenty_times_gives_the_same_bytes() {
    let folder = folder("killed");
    let whole = undisturbed(&folder);
    let mut rng = (Stream::new(1) / "moments").rng();
    let mut killed = 0;
    for round in 0..1000 {
        assert!(round < 999, "it never ends");
        let threads = ["1", "2", "3"][round % 3];
        let mut child = start(&folder, &["run", "m.toml", "--threads", threads]);
        std::thread::sleep(Duration::from_millis(30 + rng.below(80)));
        if killed < 20 {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        } else {
            assert_eq!(finish(child).0, 0);
            break;
        }
    }
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), whole);
    // The report is the same too, except for the part after the line.
    let cut = |path: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        text.lines()
            .filter(|line| !line.starts_with('│'))
            .map(|line| line.split('│').next().unwrap().trim_end_matches(['─', ' ']).to_owned())
            .collect()
    };
    assert_eq!(cut("results/m/report.txt"), cut("whole/report.txt"));
}

/// A run stopped by a signal explains how to resume, and exits with code 4.
#[cfg(unix)]
#[test]
fn a_stopped_run_explains_how_to_resume() {
    for signal in ["-TERM", "-INT"] {
        let folder = folder(signal);
        let child = start(&folder, &["run", "m.toml", "--threads", "1", "--out", "here"]);
        while fs::metadata(folder.join("here/trials.csv")).map_or(0, |log| log.len()) < 4096 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let (code, out, err) = finish(child);
        assert_eq!((code, out.as_str()), (4, ""), "{err}");
        assert!(
            err.contains("Resume with the same command: `shikou run m.toml --threads 1 --out here`"),
            "{err}"
        );
        let (code, status, _) = shikou(&folder, &["status", "here"]);
        assert!(code == 0 && status.contains(" left"), "{status}");
        let (code, report, _) = shikou(&folder, &["report", "here"]);
        assert!(code == 0 && report.contains("Some trials are missing"), "{report}");
    }
}

/// `nohup` tells a run to ignore SIGHUP, and a shell tells a job in the background to ignore SIGINT: the run goes on.
#[cfg(unix)]
#[test]
fn a_run_keeps_ignoring_what_its_parent_ignored() {
    for signal in ["HUP", "INT"] {
        let folder = folder(&format!("ignored-{signal}"));
        let whole = undisturbed(&folder);
        let command = format!(
            "trap '' {signal}; exec '{}' run m.toml --threads 1 --out here --quiet",
            env!("CARGO_BIN_EXE_shikou")
        );
        let mut child = Command::new("sh").args(["-c", &command]).current_dir(&folder).spawn().unwrap();
        while fs::metadata(folder.join("here/trials.csv")).map_or(0, |log| log.len()) < 4096 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(fs::read(folder.join("here/canonical.csv")).unwrap(), whole);
    }
}

/// A match that is interrupted shows what was played, and exits with the same code.
#[cfg(unix)]
#[test]
fn a_match_that_is_interrupted_shows_what_was_played() {
    let folder = folder("match");
    let slow = "flat(playouts-per-move=1000)";
    let games =
        ["match", "tic-tac-toe", slow, slow, "--games", "10000000", "--threads", "1", "--progress", "json"];
    let mut child = start(&folder, &games);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    // The first object may come before the first game.
    said.by_ref().take(2).for_each(|line| assert!(line.unwrap().starts_with('{')));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (code, out, _) = finish(child);
    assert_eq!(code, 4, "{out}");
    let last = said.last().unwrap().unwrap();
    let played =
        last.strip_prefix("stopped after ").and_then(|rest| rest.strip_suffix(" of 5 000 000 pairs"));
    // The user may have looked before stopping, so there is no test.
    let words = "so its intervals hold at any time, and there is no test.";
    assert!(out.replace('\n', " ").contains(words) && !out.contains("(p "), "{out}");
    let title = out.lines().find_map(|line| line.strip_prefix("tic-tac-toe · match · "));
    let pairs = title.and_then(|title| title.strip_suffix(" pairs"));
    assert!(pairs.is_some() && pairs == played, "{last}\n{out}");
}

#[test]
fn shards_merge_in_any_order_and_any_number_of_times() {
    let folder = folder("shares");
    let whole = undisturbed(&folder);
    for share in ["1/5", "2/5", "3/5", "4/5", "5/5"] {
        let (code, out, err) = shikou(&folder, &["run", "m.toml", "--shard", share]);
        assert_eq!(code, 0, "{err}");
        assert!(out.ends_with(&format!(" shard {share}; `shikou merge` merges the shards\n")), "{out}");
    }
    let part = |index: u32| format!("results/m.shard-{index}-of-5");
    let join = |parts: &[u32]| {
        let parts: Vec<String> = parts.iter().map(|&index| part(index)).collect();
        let mut arguments = vec!["merge", "results/m"];
        arguments.extend(parts.iter().map(String::as_str));
        shikou(&folder, &arguments)
    };
    let (code, out, err) = join(&[4, 2]);
    assert_eq!(code, 4);
    assert!(out.ends_with(" trials are missing\n"), "{out}");
    let advice = "324 trials missing, of the shards 1/5, 3/5, 5/5: play each, such as with `shikou run m.toml --shard 1/5 --out results/m.shard-1-of-5`";
    assert!(err.contains(advice), "{err}");
    join(&[2, 5, 1]);
    let (code, out, _) = join(&[3, 4]);
    assert_eq!(code, 0);
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), whole, "{out}");
    let (code, out, _) = shikou(&folder, &["verify", "results/m", "--sample", "40", "--seed", "7"]);
    // 1 − 500/540; six are a hundredth of 540.
    let sample =
        "a sample (seed 7) finds a wrong trial with probability 0.074 if one is wrong, 0.371 if 1 % are";
    assert_eq!((code, out), (0, format!("40 of 540 trials replayed, 0 differ\n{sample}\n")));
    // A log of a build with another fingerprint cannot be merged.
    let facts = folder.join(part(1)).join("log.toml");
    let before = fs::read_to_string(&facts).unwrap();
    let (name, number) = before.lines().last().unwrap().split_once(" = ").unwrap();
    change_facts(&facts, number, "\"deadbeefdeadbeef\"");
    let (code, _, err) = join(&[1]);
    assert_eq!(code, 2);
    let name = name.trim_matches('"');
    assert!(err.contains(&format!("{name} behaves otherwise")) && err.contains("deadbeefdeadbeef"), "{err}");
    fs::write(&facts, before).unwrap();
    // A log of another manifest cannot be merged.
    fs::write(folder.join("m.toml"), MANIFEST.replace("seed = 3", "seed = 4")).unwrap();
    shikou(&folder, &["run", "m.toml", "--shard", "1/5", "--out", "other"]);
    let (code, _, err) = shikou(&folder, &["merge", "results/m", &part(1), "other"]);
    assert_eq!(code, 2);
    assert!(err.contains("other has another manifest than results/m.shard-1-of-5"), "{err}");
}

/// Replaces a text in a `log.toml`, with the right check.
pub(crate) fn change_facts(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once('\n').unwrap();
    assert!(rest.contains(from), "{rest}");
    let rest = rest.replace(from, to);
    fs::write(path, format!("check = \"{:08x}\"\n{rest}", crc32fast::hash(rest.as_bytes()))).unwrap();
}

/// The times of a shard that was merged and then resumed are not counted twice.
#[test]
fn a_share_that_goes_on_is_joined_again() {
    let folder = folder("grown");
    for manifest in [MANIFEST.replace("trials = 120", "trials = 20"), MANIFEST.into()] {
        fs::write(folder.join("m.toml"), manifest).unwrap();
        assert_eq!(shikou(&folder, &["run", "m.toml", "--out", "part", "--quiet"]).0, 0);
        assert_eq!(shikou(&folder, &["merge", "joined", "part"]).0, 0);
    }
    let lines = |of: &str| -> Vec<String> {
        let mut lines: Vec<String> =
            fs::read_to_string(folder.join(of).join("times.hlog")).unwrap().lines().map(Into::into).collect();
        lines.sort();
        lines.dedup_by(|a, b| a == b && a.starts_with(['#', '"']));
        lines
    };
    assert_eq!(lines("joined"), lines("part"));
}

#[test]
fn a_second_run_on_the_same_folder_is_refused() {
    let folder = folder("second");
    let mut first = start(&folder, &["run", "m.toml", "--threads", "1"]);
    while fs::metadata(folder.join("results/m/trials.csv")).map_or(0, |log| log.len()) < 4096 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert_eq!(code, 2);
    assert!(err.contains("another run is writing this log; wait for it"), "{err}");
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--restart"]);
    assert_eq!(code, 2);
    assert!(err.contains("another run is writing this log; wait for it"), "{err}");
    assert!(!folder.join("results/m/before-1").exists());
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_player_that_comes_and_goes_changes_nothing() {
    let folder = folder("comes_and_goes");
    let whole = undisturbed(&folder);
    let more = MANIFEST.replace(
        r#"{ search = "random" },
"#,
        r#"{ search = "random" }, { name = "guest", search.flat = { playouts-per-move = 2 } },
"#,
    );
    assert_ne!(more, MANIFEST);
    fs::write(folder.join("m.toml"), more).unwrap();
    assert_eq!(shikou(&folder, &["run", "m.toml"]).0, 0);
    fs::write(folder.join("m.toml"), MANIFEST).unwrap();
    let (code, out, _) = shikou(&folder, &["run", "m.toml"]);
    assert_eq!(code, 0);
    assert!(out.contains("120 lines of the log are from other trials; they are kept"), "{out}");
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), whole);
}

/// One trial is replayed alone, with the estimates of every searcher.
#[test]
fn a_trial_is_shown_by_its_name() {
    let folder = folder("trial");
    shikou(&folder, &["run", "m.toml", "--quiet"]);
    let log = fs::read_to_string(folder.join("results/m/canonical.csv")).unwrap();
    let row: Vec<&str> = log.lines().last().unwrap().split(',').collect();
    let (code, out, _) = shikou(&folder, &["trial", "results/m", row[2]]);
    assert_eq!(code, 0);
    assert!(out.starts_with(&format!("trial {} of othello, instance 59\n", row[2])), "{out}");
    assert!(out.contains("± std. error") || out.contains("minimax"), "{out}");
    let last =
        format!("game 2: {} for the first player, margin {} (discs), {} plies\n", row[6], row[7], row[8]);
    assert!(out.ends_with(&last), "{out}");
    // Each game has its players before its first position, though it begins after an opening.
    for game in 1..=2 {
        assert_eq!(out.matches(&format!("\ngame {game}: ")).count(), 2, "{out}");
    }
    // A trial that two experiments share has one identity.
    let experiment =
        |name: &str| format!("[[experiment]]\nname = {name:?}\ngame = \"left-moves\"\ntrials = 1\n");
    let player = "player = [{ search = \"random\" }]\n";
    let twice = format!("schema = 1\n{}{player}{}{player}", experiment("a"), experiment("b"));
    fs::write(folder.join("twice.toml"), twice).unwrap();
    shikou(&folder, &["run", "twice.toml", "--quiet"]);
    let log = fs::read_to_string(folder.join("results/twice/canonical.csv")).unwrap();
    let id = log.lines().last().unwrap().split(',').nth(2).unwrap();
    let (code, out, err) = shikou(&folder, &["trial", "twice.toml", id]);
    assert!(code == 0 && out.starts_with(&format!("trial {id} of a, instance 0\n")), "{out}{err}");
    let (code, _, err) = shikou(&folder, &["trial", "m.toml", "zzzz"]);
    assert_eq!(code, 2);
    assert!(err.contains("no trial of m.toml has a name that begins with zzzz"), "{err}");
}
