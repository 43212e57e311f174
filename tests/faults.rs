//! A system that fails: whatever call returns an error, and whenever the program is killed, the folder of results can be read
//! or recovered, and the next run ends with the same digest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use shikou::rng::Stream;

use crate::resume::{finish, ok, shikou, start};
use crate::support::with_manifest;

const SMALL: &str = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 20
player = [{ search = "random" }, { search.flat = { playouts-per-move = 1 } }]
"#;

/// A folder with the manifest, a finished run in `whole`, two shards of it and a damaged copy.
fn prepared(name: &str) -> (PathBuf, Vec<u8>) {
    let folder = with_manifest(&format!("faults/{name}"), SMALL);
    for (out, shard) in [("whole", "1/1"), ("one", "1/2"), ("two", "2/2"), ("damaged", "1/1")] {
        ok(&folder, &["run", "m.toml", "--quiet", "--out", out, "--shard", shard]);
    }
    let log = folder.join("damaged/trials.csv");
    let mut bytes = fs::read(&log).unwrap();
    bytes[1500..1900].fill(0);
    fs::write(log, bytes).unwrap();
    let canonical = fs::read(folder.join("whole/canonical.csv")).unwrap();
    (folder, canonical)
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Whatever was left in the folder `here`, the next run ends with the canonical log.
fn is_made_good(folder: &Path, canonical: &[u8], what: &str) {
    let (code, _, report) = shikou(folder, &["report", "here"]);
    if code != 0 && folder.join("here/trials.csv").exists() {
        let (code, _, err) = shikou(folder, &["recover", "here"]);
        assert_eq!(code, 0, "{what}: {report}{err}");
    }
    let (code, _, err) = shikou(folder, &["run", "m.toml", "--quiet", "--out", "here"]);
    assert_eq!(code, 0, "{what}: {err}");
    assert_eq!(fs::read(folder.join("here/canonical.csv")).unwrap(), canonical, "{what}");
    let (code, out, err) = shikou(folder, &["verify", "here", "--all"]);
    assert_eq!(code, 0, "{what}: {out}{err}");
}

/// Each call of each kind fails once, with each fault, in `run`, `merge` and `recover`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: about 600 faults in two minutes; needs strace"]
fn every_system_call_may_fail() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: every_system_call_may_fail needs strace");
        return;
    }
    let (folder, canonical) = prepared("calls");
    let mut faults = 0;
    for command in [
        ["run", "m.toml", "--quiet", "--out", "here", "--threads", "1"].as_slice(),
        &["merge", "here", "one", "two", "--quiet"],
        &["recover", "here"],
    ] {
        for (call, fault) in [
            ("write", "error=ENOSPC"),
            ("write", "error=EIO"),
            ("write", "error=EINTR"),
            ("write", "signal=KILL"),
            ("fsync", "error=EIO"),
            ("fsync", "signal=KILL"),
            ("fdatasync", "error=EIO"),
            ("fdatasync", "signal=KILL"),
            ("openat", "error=EMFILE"),
            ("openat", "error=EIO"),
            ("openat", "signal=KILL"),
            ("rename", "error=EIO"),
            ("rename", "error=ENOSPC"),
            ("rename", "signal=KILL"),
            ("ftruncate", "error=EIO"),
            ("ftruncate", "signal=KILL"),
            ("mkdir", "error=ENOSPC"),
            ("unlink", "error=EIO"),
            ("unlink", "signal=KILL"),
        ] {
            for number in 1.. {
                let _ = fs::remove_dir_all(folder.join("here"));
                if command[0] == "recover" {
                    copy(&folder.join("damaged"), &folder.join("here"));
                }
                let (inject, trace) = (format!("inject={call}:{fault}:when={number}"), folder.join("trace"));
                let done = Command::new("strace")
                    .args(["-f", "-qq", "-e", &format!("trace={call}"), "-e", &inject, "-o"])
                    .arg(&trace)
                    .arg(env!("CARGO_BIN_EXE_shikou"))
                    .args(command)
                    .current_dir(&folder)
                    .output()
                    .unwrap();
                let trace = fs::read_to_string(&trace).unwrap();
                if !trace.contains("(INJECTED)") && !trace.contains("+++ killed by SIGKILL") {
                    break;
                }
                faults += 1;
                let what = format!("{} {inject}", command.join(" "));
                let err = String::from_utf8_lossy(&done.stderr).into_owned();
                // 127: the dynamic linker could not open a library.
                let code = done.status.code();
                assert!(matches!(code, None | Some(0 | 2 | 4 | 5 | 127)), "{what}: {code:?} {err}");
                assert!(!err.contains("panicked"), "{what}: {err}");
                is_made_good(&folder, &canonical, &what);
            }
        }
    }
    println!("{faults} faults");
    assert!(faults > 200, "{faults}");
}

/// Kills a child at a random moment. Returns whether it was still there.
fn kill_at(mut child: Child, after: Duration) -> bool {
    std::thread::sleep(after);
    let is_there = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    is_there
}

/// Kills of `run`, each in a run of some hundred milliseconds, and of `recover`.
#[test]
#[ignore = "long: 200 runs and 100 recoveries that are killed, a minute"]
fn two_hundred_kills_of_run_and_a_hundred_of_recover_change_no_byte() {
    let (folder, _) = prepared("kills");
    let text = SMALL.replace("trials = 20", "trials = 3000");
    fs::write(folder.join("m.toml"), text).unwrap();
    let _ = fs::remove_dir_all(folder.join("whole"));
    assert_eq!(shikou(&folder, &["run", "m.toml", "--quiet", "--out", "whole"]).0, 0);
    let canonical = fs::read(folder.join("whole/canonical.csv")).unwrap();
    let mut rng = (Stream::new(3) / "kills").rng();
    let (mut kills, mut runs) = (0, 0);
    while kills < 200 {
        let _ = fs::remove_dir_all(folder.join("here"));
        runs += 1;
        for _ in 0..10 {
            let threads = ["1", "2", "4"][rng.below(3) as usize];
            let child = start(&folder, &["run", "m.toml", "--quiet", "--out", "here", "--threads", threads]);
            kills += u64::from(kill_at(child, Duration::from_micros(rng.below(150_000))));
        }
        is_made_good(&folder, &canonical, "killed runs");
    }
    println!("{kills} kills of `run` in {runs} runs");
    let whole = fs::read(folder.join("whole/trials.csv")).unwrap();
    let mut kills = 0;
    while kills < 100 {
        copy(&folder.join("whole"), &folder.join("here"));
        let mut damaged = whole.clone();
        for _ in 0..20 {
            let at = rng.below(damaged.len() as u64 - 600) as usize;
            damaged[at..at + 400].fill(0);
        }
        fs::write(folder.join("here/trials.csv"), damaged).unwrap();
        for _ in 0..5 {
            kills += u64::from(kill_at(
                start(&folder, &["recover", "here"]),
                Duration::from_micros(rng.below(30_000)),
            ));
        }
        let (code, _, err) = finish(start(&folder, &["recover", "here"]));
        assert_eq!(code, 0, "{err}");
        is_made_good(&folder, &canonical, "killed recoveries");
    }
    println!("{kills} kills of `recover`");
}
