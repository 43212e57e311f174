//! Runs on many machines: shards by the variables of schedulers, owners of folders, signals, merges.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::resume::finish;

/// Eight shards of two instances each.
const MANIFEST: &str = r#"
schema = 1
seed = 11
[[experiment]]
game = "tic-tac-toe"
trials = 16
player = [{ search = "random" }, { search.flat = { playouts = 3 } }]
"#;

/// Every variable that a scheduler may have set where the tests run.
const VARIABLES: [&str; 6] = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_PROCID",
    "PARALLEL_SEQ",
    "JOB_COMPLETION_INDEX",
    "PMI_RANK",
    "OMP_NUM_THREADS",
];

fn folder(name: &str) -> PathBuf {
    let path = crate::support::folder("cluster", name);
    fs::write(path.join("m.toml"), MANIFEST).unwrap();
    path
}

fn command(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shikou"));
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.args(arguments).envs(variables.iter().copied()).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command with the variables of a scheduler.
fn shikou(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    finish(command(folder, arguments, variables).spawn().unwrap())
}

/// The canonical log of a single run.
fn single(folder: &Path) -> Vec<u8> {
    let (code, _, err) = shikou(folder, &["run", "m.toml", "--quiet", "--out", "single"], &[]);
    assert_eq!(code, 0, "{err}");
    fs::read(folder.join("single/canonical.csv")).unwrap()
}

/// Merges the shards of `results/m`, and holds the result to a single run.
#[track_caller]
fn assert_merges(folder: &Path, to: &str) {
    let shards: Vec<String> = (1..=8).map(|index| format!("results/m.shard-{index}-of-8")).collect();
    let mut arguments = vec!["merge", to];
    arguments.extend(shards.iter().map(String::as_str));
    let (code, out, err) = shikou(folder, &arguments, &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(fs::read(folder.join(to).join("canonical.csv")).unwrap(), single(folder));
}

/// The same command in every task of an array gives the shards of a single run, with each scheduler.
#[test]
fn the_tasks_of_an_array_are_the_shards() {
    for (scheduler, index, begins, size) in [
        ("slurm", "SLURM_ARRAY_TASK_ID", 1, "SLURM_ARRAY_TASK_COUNT"),
        ("kubernetes", "JOB_COMPLETION_INDEX", 0, ""),
        ("aws", "AWS_BATCH_JOB_ARRAY_INDEX", 0, "AWS_BATCH_JOB_ARRAY_SIZE"),
        ("parallel", "PARALLEL_SEQ", 1, ""),
    ] {
        let folder = folder(scheduler);
        for task in begins..begins + 8 {
            let task = task.to_string();
            let mut variables = vec![(index, task.as_str())];
            if !size.is_empty() {
                variables.push((size, "8"));
            }
            if scheduler == "slurm" {
                variables.extend([("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_MAX", "8")]);
            }
            let (code, out, err) = shikou(&folder, &["run", "m.toml", "--shard", "auto/8"], &variables);
            assert_eq!(code, 0, "{err}");
            let from = format!("/8 by {index}={task}; `shikou merge` merges the shards\n");
            assert!(out.ends_with(&from), "{out}");
        }
        assert_merges(&folder, "joined");
    }
}

/// A part of an array that is submitted again plays the same shards, if the first submission was whole.
#[test]
fn a_task_that_is_submitted_again_plays_its_shard() {
    let folder = folder("again");
    let array = |id, first, last, count| {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", first),
            ("SLURM_ARRAY_TASK_MAX", last),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    };
    let run = |shard, variables: &[_]| shikou(&folder, &["run", "m.toml", "--shard", shard], variables);
    for bare in ["auto", "auto/8"] {
        let (code, _, err) = run(bare, &array("3", "3", "3", "1"));
        assert_eq!(code, 2);
        assert!(
            err.contains("may be a part of another one") && err.contains("write --shard \"$SLURM_"),
            "{err}"
        );
    }
    assert!(!folder.join("results").exists(), "a refused task writes nothing");
    assert_eq!(run("auto", &array("0", "0", "7", "8")).0, 0);
    let text = fs::read_to_string(folder.join("results/m.shards.toml")).unwrap();
    assert!(text.contains("shards = 8") && text.contains("first = 0"), "{text}");
    let (code, out, err) = run("auto/8", &array("3", "3", "5", "2"));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("shard 4/8 by SLURM_ARRAY_TASK_ID=3"), "{out}");
    // Another number of shards, or another manifest, cannot be beside them.
    let (code, _, err) = run("auto", &array("1", "1", "5", "5"));
    assert!(code == 2 && err.contains("m.shards.toml says that the run has 8 shards, not 5"), "{err}");
    let (code, _, err) = run("2/5", &[]);
    assert!(code == 2 && err.contains("write --shard …/8"), "{err}");
    fs::write(folder.join("m.toml"), MANIFEST.replace("trials = 16", "trials = 17")).unwrap();
    let (code, _, err) = run("5/8", &[]);
    assert!(code == 2 && err.contains("are the shards of m.toml as it was before a change"), "{err}");
    fs::write(folder.join("m.toml"), MANIFEST).unwrap();
    fs::write(folder.join("results/m.shards.toml"), "shards = ").unwrap();
    let (code, _, err) = run("5/8", &[]);
    assert!(code == 2 && err.contains("this file is damaged"), "{err}");
}

/// With `auto` all tasks have the same `--out`, and still a folder each.
#[test]
fn tasks_with_one_out_have_a_folder_each() {
    let folder = folder("out");
    for task in ["0", "7"] {
        let arguments = ["run", "m.toml", "--shard", "auto/8", "--out", "parts/x", "--quiet"];
        let (code, _, err) = shikou(&folder, &arguments, &[("JOB_COMPLETION_INDEX", task)]);
        assert_eq!(code, 0, "{err}");
    }
    let mut names: Vec<String> = fs::read_dir(folder.join("parts"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["x.shard-1-of-8", "x.shard-8-of-8", "x.shards.toml"]);
}

/// Tasks that start at once write the file beside the shards once.
#[test]
fn many_tasks_start_at_once() {
    let folder = folder("at-once");
    let start = |task: u64| {
        let task = task.to_string();
        let variables = [("PARALLEL_SEQ", task.as_str())];
        command(&folder, &["run", "m.toml", "--shard", "auto/8", "--quiet"], &variables).spawn().unwrap()
    };
    let children: Vec<_> = (1..=8).map(start).collect();
    for child in children {
        let (code, _, err) = finish(child);
        assert_eq!(code, 0, "{err}");
    }
    assert_merges(&folder, "joined");
}

/// A grant of fewer processors than are seen counts in every command with `--threads`.
#[test]
fn threads_are_those_that_a_scheduler_granted() {
    let folder = folder("threads");
    let grant = [("SLURM_CPUS_PER_TASK", "1")];
    if std::thread::available_parallelism().unwrap().get() == 1 {
        eprintln!("skipped: threads_are_those_that_a_scheduler_granted needs two processors");
        return;
    }
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--quiet"], &grant);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("1 thread by SLURM_CPUS_PER_TASK; ") && err.contains(" processors are seen\n"),
        "{err}"
    );
    let threads = || fs::read_to_string(folder.join("results/m/host.toml")).unwrap();
    assert!(threads().contains("threads = 1\n"), "{}", threads());
    let (_, _, err) = shikou(&folder, &["perft", "tic-tac-toe", "3"], &grant);
    assert!(err.contains("1 thread by SLURM_CPUS_PER_TASK"), "{err}");
    let (_, _, err) = shikou(&folder, &["run", "m.toml", "--quiet", "--threads", "2"], &grant);
    assert!(threads().contains("threads = 2\n") && !err.contains("by SLURM"), "{err}");
}

/// Trials of some tenths of a second.
const LONG: &str = r#"
schema = 1
[[experiment]]
game = "othello"
trials = 300
player = [{ search = "random" }, { search.flat = { playouts = 150 } }]
"#;

/// Starts a run of long trials, and waits until its first trials are in the log.
#[cfg(unix)]
fn start_long(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> std::process::Child {
    fs::write(folder.join("m.toml"), LONG).unwrap();
    let mut all = vec!["run", "m.toml", "--threads", "1", "--out", "here", "--quiet"];
    all.extend(arguments);
    let mut child = command(folder, &all, variables).spawn().unwrap();
    while fs::metadata(folder.join("here/trials.csv")).map_or(0, |log| log.len()) < 700 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before its first trials");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
fn signal(signal: &str, child: &std::process::Child) {
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// Each signal that a scheduler sends before the end saves what there is, with the exit code that means: go on.
#[cfg(unix)]
#[test]
fn every_signal_of_a_scheduler_saves() {
    for name in ["-TERM", "-HUP", "-USR1", "-USR2"] {
        let folder = folder(&format!("signal{name}"));
        let child = start_long(&folder, &["--grace", "60s"], &[]);
        signal(name, &child);
        let (code, _, err) = finish(child);
        assert_eq!(code, 4, "{name}: {err}");
        assert!(err.contains("Resume with the same command"), "{err}");
        let (code, out, err) = shikou(&folder, &["report", "here"], &[]);
        assert_eq!(code, 0, "{out}{err}");
    }
}

/// A second signal ends a run within any grace.
#[cfg(unix)]
#[test]
fn the_grace_is_as_long_as_it_is_told() {
    for (grace, signals) in [("1000s", 2), ("1ms", 1)] {
        let folder = folder(&format!("grace-{grace}"));
        let child = start_long(&folder, &["--grace", grace], &[]);
        let clock = shikou::search::Clock::start();
        for _ in 0..signals {
            signal("-USR1", &child);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert_eq!(finish(child).0, 4);
        assert!(clock.elapsed().as_secs() < 100, "{grace}");
    }
    let folder = folder("grace");
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--grace", "long"], &[]);
    assert!(code == 2 && err.contains("expected a whole number with its unit"), "{err}");
}

/// The end of the job is a time limit, less the grace and a margin.
#[test]
fn the_end_of_the_job_is_a_time_limit() {
    let folder = folder("end");
    fs::write(folder.join("m.toml"), LONG).unwrap();
    // The time of the file that was just written.
    let now = fs::metadata(folder.join("m.toml")).unwrap().modified().unwrap();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let arguments = ["run", "m.toml", "--time-limit", "auto", "--quiet", "--threads", "1"];
    let end = (now + 10).to_string();
    let (code, _, err) = shikou(&folder, &arguments, &[("SLURM_JOB_END_TIME", &end)]);
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("the time limit of ") && err.contains("Resume with the same command"), "{err}");
    let (code, _, err) = shikou(&folder, &arguments, &[("SLURM_JOB_END_TIME", "soon")]);
    assert!(code == 2 && err.contains("SLURM_JOB_END_TIME=soon is no time in seconds"), "{err}");
    fs::write(folder.join("m.toml"), MANIFEST).unwrap();
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--time-limit", "auto", "--out", "short"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("the end of the job is not known"), "{err}");
}
