//! Work that is too large is refused before it begins, and a command never waits for input without an end.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shikou::game::Path as Playouts;
use shikou::search::Clock;

use crate::resume::{finish, ok, shikou, start};
use crate::support::with_manifest;

fn players(count: usize) -> String {
    let player = |index| format!("{{ name = \"p{index}\", search = \"random\", stream = \"{index}\" }}");
    (0..count).map(player).collect::<Vec<_>>().join(",\n")
}

/// A manifest that is refused at once, with exit code 2 and these words.
#[track_caller]
fn is_refused(folder: &Path, words: &str) {
    let begun = Clock::start();
    let (code, _, err) = shikou(folder, &["plan", "m.toml"]);
    assert!(code == 2 && err.contains(words) && err.contains("m.toml:"), "{err}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_is_too_large_is_counted_before_it_is_made() {
    let head = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 2\n";
    let many = with_manifest("limits/players", &format!("{head}player = [{}]\n", players(3000)));
    is_refused(&many, "here 4498500 pairs of players meet or are compared, and a manifest may have 500000");
    // A gauntlet of as many has few pairs.
    let gauntlet =
        format!("{head}design.gauntlet = {{ against = [\"p0\"] }}\nplayer = [{}]\n", players(3000));
    let gauntlet = with_manifest("limits/gauntlet", &gauntlet);
    let (code, out, err) = shikou(&gauntlet, &["plan", "m.toml"]);
    assert!(code == 0 && out.contains("In all: 2 999 cells"), "{err}");
    // Games and players multiply.
    let seeds: Vec<String> = (0..500).map(|seed| seed.to_string()).collect();
    let swept = format!("{head}seed = {{ each = [{}] }}\nplayer = [{}]\n", seeds.join(", "), players(30));
    is_refused(
        &with_manifest("limits/swept", &swept),
        "players or more in all experiments, and a manifest may have 10000",
    );
    let more = with_manifest("limits/more", &format!("{head}player = [{}]\n", players(10_001)));
    is_refused(&more, "an experiment may have 10000 players");
    let mut text = "schema = 1\n".to_owned();
    for number in 0..1001 {
        let experiment = "game = \"tic-tac-toe\"\ntrials = 2\nplayer = [\"random\", \"flat(playouts=2)\"]";
        writeln!(text, "[[experiment]]\nname = \"e{number}\"\n{experiment}").unwrap();
    }
    is_refused(&with_manifest("limits/experiments", &text), "a manifest may have 1000 experiments");
    let each: Vec<String> = (1..=1001).map(|number| number.to_string()).collect();
    let swept = format!("{{ search.flat = {{ playouts = {{ each = [{}] }} }} }}", each.join(", "));
    is_refused(
        &with_manifest("limits/sweep", &format!("{head}player = [\"random\", {swept}]\n")),
        "a sweep may have 1000",
    );
    let book = head.replace("trials = 2", "trials = 2\nopenings = { transcripts = \"book\" }");
    let book = with_manifest("limits/book", &format!("{book}player = [\"random\", \"flat(playouts=2)\"]\n"));
    fs::write(book.join("book"), "a1\n".repeat(1_000_001)).unwrap();
    is_refused(&book, "book: here are 1000001 openings, and an experiment may have 1000000");
}

/// The estimate of the tree refuses a depth as it refuses the end of the game.
#[test]
fn a_search_that_would_never_end_is_refused() {
    let with = |name: &str, player: &str| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 2\nplayer = [\"random\", {player}]\n"
        );
        with_manifest(&format!("limits/{name}"), &text)
    };
    is_refused(&with("depth", "\"minimax(depth=60)\""), "would look at every line to depth 60 of othello");
    is_refused(
        &with("level", "\"simple-tree(level=100)\""),
        "would look at every line to depth 100 of othello",
    );
    for (name, player) in [
        ("shallow", "\"minimax(depth=8)\""),
        ("budget", "\"minimax(depth=60)@nodes=1000\""),
        ("cut", "\"alpha-beta(depth=60)\""),
        ("low", "\"simple-tree(level=8)\""),
    ] {
        let (code, _, err) = shikou(&with(name, player), &["plan", "m.toml"]);
        assert_eq!(code, 0, "{player}: {err}");
    }
}

/// A pilot ends by its own time, even if no trial does.
#[test]
fn a_pilot_abandons_a_trial_that_takes_too_long() {
    let text = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1000\n\
                player = [\"random\", \"flat(playouts=1000000000)\", \"flat(playouts=1)\"]\n";
    let folder = with_manifest("limits/pilot", text);
    let begun = Clock::start();
    let out = ok(&folder, &["plan", "m.toml", "--pilot=1", "--threads", "2"]);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert!(out.contains("estimated total run time more than ") && out.contains("> "), "{out}");
    let (_, json, _) = shikou(&folder, &["plan", "m.toml", "--pilot=1", "--threads", "2", "--json"]);
    assert!(json.contains("\"at_least\": true") && json.contains("\"abandoned_cells\": 2"), "{json}");
}

/// Devices without an end in the place of files.
#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_refused() {
    use std::os::unix::fs::symlink;
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 2\nplayer = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = crate::support::with_results("limits/endless", text, &[]);
    for name in ["trials.csv", "log.toml", "times.hlog", "digests.csv"] {
        let file = folder.join("results/m").join(name);
        let before = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        symlink("/dev/zero", &file).unwrap();
        for command in [["run", "m.toml"], ["report", "results/m"], ["recover", "results/m"]] {
            let (code, _, err) = shikou(&folder, &command);
            assert!(code == 2 && err.contains(&format!("results/m/{name} is not a file")), "{err}");
        }
        fs::remove_file(&file).unwrap();
        fs::write(&file, before).unwrap();
    }
    assert_eq!(shikou(&folder, &["run", "m.toml", "--quiet"]).0, 0);
    // A line without an end.
    let log = fs::OpenOptions::new().write(true).open(folder.join("results/m/trials.csv")).unwrap();
    log.set_len(1 << 28).unwrap();
    let (code, _, err) = shikou(&folder, &["report", "results/m"]);
    assert!(code == 2 && err.contains("this line is damaged"), "{err}");
    for command in [
        ["run", "/dev/zero"].as_slice(),
        &["replay", "othello", "/dev/zero"],
        &["solve", "othello", "--file", "/dev/zero"],
        &["profile", "othello", "--compare", "/dev/zero"],
    ] {
        let (code, _, err) = shikou(&folder, command);
        assert!(code == 2 && err.contains("it is a pipe or a device"), "{command:?}: {err}");
    }
}

/// The copy of a file beside the kept manifest must not be the manifest.
#[test]
fn a_file_whose_copy_would_be_the_manifest_is_refused() {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nopenings.transcripts = \"toml\"\n\
                player = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = with_manifest("limits/toml", text);
    fs::write(folder.join("toml"), "a1 b2\n").unwrap();
    is_refused(&folder, "would take the place of the manifest in the results; rename it");
}

/// A smoke run has a folder of its own that only its user can read, and a signal does not leave it behind.
#[cfg(unix)]
#[test]
fn a_smoke_run_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    // Many meetings take seconds, however few trials a smoke run plays of each.
    let player = |number| format!("{{ name = \"{number}\", search = \"random\", stream = \"{number}\" }}");
    let players: Vec<String> = (0..400).map(player).collect();
    let head = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1000\n";
    let folder = with_manifest("limits/smoke", &format!("{head}player = [{}]\n", players.join(", ")));
    let temporary = folder.join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_shikou"));
    command.args(["run", "m.toml", "--smoke"]).current_dir(&folder).env("TMPDIR", &temporary);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let entries =
        || -> Vec<PathBuf> { fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path()).collect() };
    let begun = Clock::start();
    while !entries().iter().any(|path| path.join("trials.csv").exists()) {
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(5));
    }
    let [path] = &entries()[..] else { panic!("one folder") };
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o700);
    for _ in 0..2 {
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let (code, _, err) = finish(child);
    assert!(code == 4 && err.contains("a smoke run keeps nothing"), "{code} {err}");
    assert_eq!(entries(), Vec::<PathBuf>::new());
}

/// Every path gives the same bytes; one that the processor lacks is refused.
#[test]
fn a_run_on_any_path_gives_the_same_bytes() {
    let text = r#"
schema = 1
[[training]]
name = "learn"
game.othello.size = 6
evaluation.tuples.shapes = "all-2"
method.td = { lambda = 0.5, random = 0.1 }
against = ["flat(playouts=4)"]
games = 20
[[optimisation]]
name = "tune"
game.othello.size = 6
generations = 2
genes.c = { within = [0.0, 3.0] }
player = { search.uct = { exploration = { gene = "c" }, playouts.cut = { plies = 2, evaluation.tuples.evolved = "learn" } }, budget.playouts = 20 }
method.cma-es = { population = 4 }
fitness = { against = "flat(playouts=4)", pairs = 2 }
[[experiment]]
name = "tuned"
game.othello.size = 6
trials = 3
player = [{ evolved = "tune" }, "flat(playouts=4)"]
[[experiment]]
game = "othello"
trials = 3
player = ["flat(playouts=20)", "uct@30"]
[[experiment]]
game = "calculation"
trials = 3
player = ["flat(playouts=20)", "simple-tree(level=2, playouts=9, policy=foundation-first)"]
[[experiment]]
game = "tic-tac-toe"
trials = 3
player = ["flat(playouts=20)", "minimax(depth=full)"]
"#;
    let folder = with_manifest("limits/paths", text);
    let mut seen = Vec::new();
    for path in Playouts::ALL.map(Playouts::name) {
        let (code, digest, err) =
            shikou(&folder, &["run", "m.toml", "--quiet", "--path", path, "--out", path]);
        if Playouts::named(path).unwrap().is_available() {
            assert_eq!(code, 0, "{err}");
            seen.push((digest, fs::read(folder.join(path).join("canonical.csv")).unwrap()));
        } else {
            let lack = Playouts::named(path).unwrap().lack().unwrap();
            assert!(code == 2 && err.contains(&format!("{lack}; expected one of portable")), "{err}");
            eprintln!("skipped: {lack}");
        }
    }
    assert!(seen.iter().all(|digest_and_log| *digest_and_log == seen[0]));
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--path", "avx3"]);
    assert!(code == 2 && err.contains("avx2"), "{err}");
}

/// Where no thread can be started, every command ends with a reason, and none panics or waits for ever.
#[cfg(target_os = "linux")]
#[test]
fn without_threads_every_command_says_so() {
    use std::process::Command;
    // The limit is of a user; the superuser has none.
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let user: &[&str] =
        if is_root { &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] } else { &["env"] };
    if Command::new(user[0]).args(&user[1..]).arg("true").status().map_or(true, |status| !status.success()) {
        eprintln!("skipped: without_threads_every_command_says_so needs setpriv");
        return;
    }
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 2\nplayer = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = crate::support::with_results("limits/threads", text, &[]);
    let temporary = std::env::temp_dir().join(format!("shikou-threads-{}", std::process::id()));
    let _ = fs::remove_dir_all(&temporary);
    fs::create_dir(&temporary).unwrap();
    let program = temporary.join("shikou");
    fs::copy(env!("CARGO_BIN_EXE_shikou"), &program).unwrap();
    fs::copy(folder.join("m.toml"), temporary.join("m.toml")).unwrap();
    let copied = Command::new("cp").arg("-r").arg(folder.join("results")).arg(&temporary).status().unwrap();
    let opened = Command::new("chmod").args(["-R", "a+rwX"]).arg(&temporary).status().unwrap();
    assert!(copied.success() && opened.success());
    for command in [
        "run m.toml --out out",
        "run m.toml --out out --time-limit 1h",
        "run m.toml --smoke",
        "plan m.toml --pilot=1",
        "match tic-tac-toe random 'flat(playouts=2)' --games 2",
        "perft othello 5",
        "solve tic-tac-toe ''",
        "analyze othello --search 'flat(playouts=10)'",
        "analyze othello --search 'uct(parallel.root.trees=2)@10'",
        "profile othello --seconds 0.01 --repeats 1",
        "clairvoyant calculation --deals 2",
        "validate tic-tac-toe-value",
        "verify results/m",
        "report results/m",
        "status results/m",
        "compare results/m results/m",
        "merge merged results/m",
        "recover results/m",
        "check tic-tac-toe",
        "exact tic-tac-toe random ai2",
        "prove tic-tac-toe ai12s",
        "games",
        "trial results/m 0",
    ] {
        let script = format!("ulimit -u 1; exec {} {command}", program.display());
        let mut limited = Command::new("timeout");
        limited.arg("60").args(user).args(["bash", "-c", &script]).current_dir(&temporary);
        let done = limited.output().unwrap();
        let err = String::from_utf8_lossy(&done.stderr).into_owned();
        let code = done.status.code();
        assert!(matches!(code, Some(0..=5)), "{command}: {code:?} {err}");
        assert!(!err.contains("panicked"), "{command}: {err}");
    }
    fs::remove_dir_all(&temporary).unwrap();
}

/// With a time limit that is shorter than a trial, each run makes progress, in lock-step too.
#[test]
fn a_time_limit_shorter_than_a_trial_makes_progress() {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 2\n\
                player = [\"flat(playouts=200000)\", \"random\"]\n";
    for lock_step in ["--lock-step=1", "--lock-step=4"] {
        let folder = with_manifest(&format!("limits/time{lock_step}"), text);
        let command = ["run", "m.toml", "--quiet", "--time-limit", "10ms", "--threads", "1", lock_step];
        let runs = (1..=1000).find(|_| {
            let (code, _, err) = finish(start(&folder, &command));
            assert!(code == 0 || code == 4, "{err}");
            code == 0
        });
        assert!(runs.is_some());
    }
}
