//! Runs that stop within a decision, at a time limit, and errors of the system: neither is a result of a trial.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use shikou::search::Clock;

use crate::resume::{finish, ok, shikou};
use crate::support::with_manifest;

/// Runs a manifest that a second does not suffice for, and checks that the limit ends it in the middle.
#[track_caller]
fn is_cut(name: &str, text: &str, more: &[&str]) -> PathBuf {
    let folder = with_manifest(&format!("stops/{name}"), text);
    let limited = ["run", "m.toml", "--time-limit", "1s", "--grace", "100ms", "--threads", "2"];
    let begun = Clock::start();
    let (code, _, err) = shikou(&folder, &[&limited, more].concat());
    assert!(code == 4 && err.contains("the time limit of 1s is reached"), "{name}: {err}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {:?}", begun.elapsed());
    folder
}

fn against_random(game: &str, player: &str) -> String {
    format!("schema = 1\n[[experiment]]\n{game}\ntrials = 2\nplayer = ['{player}', \"random\"]\n")
}

/// Decisions of minutes to years. The report is written, so the run itself came to its end.
#[test]
fn a_time_limit_is_kept_within_a_decision() {
    for (number, player) in [
        "minimax(depth=8)",
        "alpha-beta(depth=40)",
        "expectimax(depth=8)",
        "uct@2000000000",
        "uct(parallel.tree.threads=2)@2000000000",
        "uct(parallel.root.trees=3,parallel.root.threads=2)@2000000000",
        "flat-ucb@2000000000",
    ]
    .into_iter()
    .enumerate()
    {
        let text = against_random("game = \"othello\"", player);
        let folder = is_cut(&number.to_string(), &text, &["--quiet"]);
        assert!(folder.join("results/m/report.txt").exists(), "{player}");
        assert_eq!(fs::read_to_string(folder.join("results/m/trials.csv")).unwrap().lines().count(), 1);
    }
    let text = against_random("game = \"othello\"", "uct@2000000000");
    is_cut("lock-step", &text, &["--quiet", "--lock-step=2"]);
}

#[test]
fn a_time_limit_is_kept_within_the_games_of_optimisations_and_trainings() {
    let optimisation = "schema = 1\n[[optimisation]]\ngame = \"othello\"\ngenerations = 3\ngenes.d = { whole = [7, 12] }\n\
                        player.search.minimax = { depth = { gene = \"d\" } }\nmethod = \"ntbea\"\n\
                        fitness = { against = [\"random\"], pairs = 2 }\n";
    is_cut("optimisation", optimisation, &[]);
    let training = "schema = 1\n[[training]]\ngame = \"othello\"\ngames = 1000\nevaluation.tuples.shapes = \"lines\"\n\
                    method.td = { batch = 5 }\nagainst = [\"minimax(depth=8)\"]\n";
    is_cut("training", training, &[]);
    let judged = "schema = 1\n[[training]]\ngame = \"othello\"\ngames = 4\nevaluation.tuples.shapes = \"lines\"\n\
                  method = \"td\"\nagainst = \"itself\"\njudge = { against = [\"minimax(depth=8)\"], pairs = 2 }\n";
    is_cut("judged", judged, &[]);
}

/// A run that is cut many times ends with the bytes of one that never was: trials that resume and trials that do not,
/// optimisations, and a training whose batch is cut in the middle.
#[test]
fn what_a_time_limit_cuts_is_played_again_with_the_same_bytes() {
    let text = "schema = 1\n[[training]]\nname = \"t\"\ngame.othello.size = 6\ngames = 60\nevaluation.tuples.shapes = \"all-2\"\n\
                method.td = { batch = 20 }\nagainst = [\"uct@60\"]\n\
                [[optimisation]]\nname = \"o\"\ngame.othello.size = 4\ngenerations = 2\ngenes.d = { whole = [1, 3] }\n\
                player.search.minimax = { depth = { gene = \"d\" } }\nmethod = \"ntbea\"\n\
                fitness = { against = [\"uct@60\"], pairs = 2 }\n\
                [[experiment]]\ngame.othello.size = 6\ntrials = 3\n\
                player = [\"uct@400\", { search.greedy.evaluation.tuples = { evolved = \"t\" } }, \"alpha-beta(depth=4)\"]\n";
    let folder = with_manifest("stops/bytes", text);
    ok(&folder, &["run", "m.toml", "--quiet", "--out", "whole"]);
    let cut = ["run", "m.toml", "--quiet", "--out", "cut", "--threads", "2", "--time-limit"];
    let (mut cuts, mut milliseconds) = (0, 12);
    loop {
        // A limit that grows, so that every part fits at last.
        milliseconds += milliseconds / 3;
        let limit = format!("{milliseconds}ms");
        let (code, _, err) = shikou(&folder, &[&cut[..], &[&limit, "--grace", "1ms"]].concat());
        assert!(code == 0 || code == 4, "{err}");
        if code == 0 {
            break;
        }
        cuts += 1;
        assert!(cuts < 40, "{err}");
    }
    assert!(cuts > 2, "{cuts}");
    for file in ["canonical.csv", "digests.csv", "t/weights.txt", "o/canonical.csv"] {
        let read = |run: &str| fs::read(folder.join(run).join(file)).unwrap();
        assert_eq!(read("cut"), read("whole"), "{file}");
    }
}

/// Writes a program.
fn program(folder: &Path, name: &str, script: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn with_engine(name: &str, options: &str, trials: u32, script: &str) -> PathBuf {
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = {trials}\nopenings.random-plies = 4\n\
         player = [\"random\", {{ name = \"E\", search.engine = {{ gtp = [\"./engine\"]{options} }} }}]\n"
    );
    let folder = with_manifest(&format!("stops/{name}"), &text);
    program(&folder, "engine", script);
    folder
}

/// The beginning of a GTP engine in a shell: what it does for `genmove` follows.
const GTP: &str = "while read -r word rest; do case \"$word\" in\nlist_commands) printf '= play\\nclear_board\\ngenmove\\n\\n';;\n\
                   quit) printf '=\\n\\n'; exit;;\nplay|clear_board|name|version) printf '= x\\n\\n';;\ngenmove) ";

/// Whether the processes whose numbers an engine wrote into a file are gone.
#[track_caller]
fn are_gone(folder: &Path) {
    let numbers = fs::read_to_string(folder.join("numbers")).unwrap();
    assert!(!numbers.is_empty());
    for number in numbers.lines() {
        let state = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{number} lives: {state}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_with_all_that_it_started() {
    let run = |folder: &Path| {
        let begun = Clock::start();
        let out = ok(folder, &["run", "m.toml", "--allow-engines", "--full"]);
        assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
        are_gone(folder);
        out
    };
    // A shell that waits for a program at full load, which is too late.
    let spins = "sh -c 'echo $$ >>numbers; while :; do :; done'; echo";
    let spinning = with_engine("spins", ", time = \"1s\"", 1, &format!("{GTP}{spins};;\nesac; done"));
    assert!(run(&spinning).contains("2 × timeout: no move within"));
    // An orderly engine with a helper that holds its output.
    let served = format!("exec {} serve --gtp random", env!("CARGO_BIN_EXE_shikou"));
    let helped = with_engine("helped", "", 1, &format!("sleep 4321 &\necho $! >>numbers\n{served}"));
    assert!(!run(&helped).contains("by crash"), "it plays");
    // An engine that dies while a helper holds its output is not waited for.
    let dies =
        with_engine("dies", "", 1, &format!("sleep 4322 &\necho $! >>numbers\n{GTP}exit 7;;\nesac; done"));
    assert!(run(&dies).contains("2 × crash: the engine ended (exit status: 7)"));
    // An engine that never answers, when the time is over.
    let mute = with_engine("mute", "", 1, &format!("{GTP}echo $$ >>numbers; sleep 4323;;\nesac; done"));
    let limited = ["run", "m.toml", "--allow-engines", "--time-limit", "1s", "--grace", "100ms"];
    let begun = Clock::start();
    let (code, _, err) = shikou(&mute, &limited);
    assert!(code == 4 && begun.elapsed() < Duration::from_secs(20), "{err}");
    are_gone(&mute);
    assert_eq!(fs::read_to_string(mute.join("results/m/trials.csv")).unwrap().lines().count(), 1);
}

/// The command under a limit of the system.
fn limited(folder: &Path, limit: &str, command: &str) -> (i32, String, String) {
    let script = format!("{limit}; exec {} {command}", env!("CARGO_BIN_EXE_shikou"));
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).current_dir(folder).stdin(Stdio::null());
    finish(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Too few descriptors for eight engines at once: no game is lost by that, and a later run plays all.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_the_system_does_not_start_has_not_lost() {
    let served = format!("exec {} serve --gtp random", env!("CARGO_BIN_EXE_shikou"));
    let folder = with_engine("descriptors", "", 60, &served);
    let run = "run m.toml --allow-engines --threads 8";
    let (code, out, err) = limited(&folder, "ulimit -n 14", run);
    assert!(code == 5 && err.contains("Too many open files"), "{code} {out}{err}");
    let log = || fs::read_to_string(folder.join("results/m/trials.csv")).unwrap_or_default();
    assert!(!log().contains("crash") && log().lines().count() < 121, "{}", log());
    ok(&folder, &["run", "m.toml", "--allow-engines", "--quiet"]);
    assert!(log().lines().count() == 121 && !log().contains("system"), "{}", log());
}

/// SIGXFSZ would end the program without a word.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_grows_beyond_the_limit_of_the_system_is_its_error() {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 400\nplayer = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = with_manifest("stops/size", text);
    let (code, _, err) = limited(&folder, "ulimit -f 16", "run m.toml");
    assert!(code == 5 && err.contains("File too large"), "{code} {err}");
    ok(&folder, &["run", "m.toml", "--quiet"]);
}

/// Nobody writes into the pipe.
#[test]
fn a_pipe_in_the_place_of_a_file_is_refused() {
    let head = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\n";
    let text = format!(
        "{head}player = [\"random\", {{ search.greedy.evaluation.linear = {{ features = \"square-kinds\", file = \"pipe\" }} }}]\n"
    );
    let folder = with_manifest("stops/pipe", &text);
    let made = Command::new("mkfifo").arg("pipe").current_dir(&folder).status().unwrap();
    assert!(made.success());
    let book = format!("{head}openings.transcripts = \"pipe\"\nplayer = [\"random\", \"flat\"]\n");
    fs::write(folder.join("book.toml"), book).unwrap();
    let weights = "greedy(evaluation=linear(features=square-kinds,file=pipe))";
    for command in [
        &["run", "m.toml"][..],
        &["plan", "book.toml"],
        &["run", "pipe"],
        &["match", "othello", weights, "random", "--games", "2"],
        &["match", "othello", "random", "greedy", "--openings", "pipe"],
        &["replay", "othello", "pipe"],
        &["solve", "othello", "--file", "pipe"],
    ] {
        let (code, out, err) = shikou(&folder, command);
        assert!(
            code == 2 && err.contains("it is a pipe or a device, and no file"),
            "{command:?}: {out}{err}"
        );
    }
}
