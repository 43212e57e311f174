//! Runs on many machines: shards by the variables of schedulers, owners of folders, signals, merges.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::resume::finish;
use crate::support::with_manifest;

/// Eight shards of two instances each.
const MANIFEST: &str = r#"
schema = 1
seed = 11
[[experiment]]
game = "tic-tac-toe"
trials = 16
player = [{ search = "random" }, { search.flat = { playouts-per-move = 3 } }]
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
    with_manifest(&format!("cluster/{name}"), MANIFEST)
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

/// Far more trials than any test plays to the end.
const LONG: &str = r#"
schema = 1
[[experiment]]
game = "othello"
trials = 3000
player = [{ search = "random" }, { search.flat = { playouts-per-move = 150 } }]
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
        // The folder is free at once, also for another machine.
        let owner = fs::read_to_string(folder.join("here/owner.toml")).unwrap();
        assert!(owner.contains("state = \"stopped\""), "{owner}");
    }
    let folder = folder("grace");
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--grace", "long"], &[]);
    assert!(code == 2 && err.contains("expected a whole number with its unit"), "{err}");
}

/// The end of the job is a time limit, less the grace and a margin.
#[test]
fn the_end_of_the_job_is_a_time_limit() {
    let folder = with_manifest("cluster/end", LONG);
    // The time of the file that was just written.
    let now = fs::metadata(folder.join("m.toml")).unwrap().modified().unwrap();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let arguments = ["run", "m.toml", "--time-limit", "auto", "--quiet", "--threads", "1"];
    let end = (now + 10).to_string();
    let (code, _, err) = shikou(&folder, &arguments, &[("SLURM_JOB_END_TIME", &end)]);
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("the time limit of ") && err.contains("Resume with the same command"), "{err}");
    let (code, _, err) = shikou(&folder, &arguments, &[("SLURM_JOB_END_TIME", "soon")]);
    assert!(code == 2 && err.contains("SLURM_JOB_END_TIME=soon is no number of seconds"), "{err}");
    let (code, _, err) = shikou(&folder, &arguments, &[("COBALT_ENDTIME", &end)]);
    assert!(code == 4 && err.contains("the time limit of "), "{err}");
    // The start and the longest time, in files of a folder.
    fs::write(folder.join("jobstart_secs"), format!("{}\n", now - 100)).unwrap();
    fs::write(folder.join("wall_limit_secs"), "110\n").unwrap();
    let features = folder.to_string_lossy();
    let (code, _, err) = shikou(&folder, &arguments, &[("JOBFEATURES", &features)]);
    assert!(code == 4 && err.contains("the time limit of "), "{err}");
    fs::write(folder.join("m.toml"), MANIFEST).unwrap();
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--time-limit", "auto", "--out", "short"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("the end of the job is not known"), "{err}");
}

/// A library that answers every lock: with an error of this number, or with success for 0. `None` without a compiler.
#[cfg(target_os = "linux")]
fn locks_that_answer(folder: &Path, error: i32) -> Option<String> {
    let (source, library) = (folder.join("lock.c"), folder.join("lock.so"));
    let text = format!(
        "#include <errno.h>\nint flock(int fd, int op) {{ (void)fd; (void)op; errno = {error}; return {error} ? -1 : 0; }}\n"
    );
    fs::write(&source, text).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("skipped: a test of locks needs a C compiler");
        return None;
    }
    Some(library.display().to_string())
}

/// ENOSYS, ENOLCK and ENOTSUP say nothing about other runs: they are no error.
#[cfg(target_os = "linux")]
#[test]
fn a_lock_that_fails_is_no_error() {
    for error in [38, 37, 95] {
        let folder = folder(&format!("no-lock-{error}"));
        let Some(library) = locks_that_answer(&folder, error) else { return };
        let preload = [("LD_PRELOAD", library.as_str())];
        let whole = single(&folder);
        let (code, _, err) = shikou(&folder, &["run", "m.toml", "--quiet"], &preload);
        assert_eq!(code, 0, "{err}");
        assert_eq!(err.matches("cannot be locked on this file system").count(), 1, "{err}");
        assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), whole);
        let (code, _, err) = shikou(&folder, &["merge", "joined", "results/m"], &preload);
        assert_eq!(code, 0, "{err}");
    }
}

/// Locks that two processes get, and locks that fail: a second run is refused by the owner file, until the first is gone.
#[cfg(target_os = "linux")]
#[test]
fn a_second_run_is_refused_without_a_lock() {
    for error in [0, 38] {
        let folder = folder(&format!("owner-{error}"));
        let Some(library) = locks_that_answer(&folder, error) else { return };
        let preload = [("LD_PRELOAD", library.as_str())];
        let mut first = start_long(&folder, &[], &preload);
        let again = ["run", "m.toml", "--out", "here", "--quiet", "--threads", "1"];
        let (code, _, err) = shikou(&folder, &again, &preload);
        assert_eq!(code, 2, "{err}");
        let process = format!("(process {} on ", first.id());
        assert!(
            err.contains("another run is writing this log; wait for it") && err.contains(&process),
            "{err}"
        );
        let (code, _, err) = shikou(&folder, &["recover", "here"], &preload);
        assert!(code == 2 && err.contains(&process), "{err}");
        first.kill().unwrap();
        first.wait().unwrap();
        assert_eq!(shikou(&folder, &["recover", "here"], &preload).0, 0);
        let limited = [again.as_slice(), &["--time-limit", "1s"]].concat();
        let (code, _, err) = shikou(&folder, &limited, &preload);
        assert_eq!(code, 4, "{err}");
        assert!(!folder.join("here/taken-1.csv").exists(), "a process that is gone writes no more");
    }
}

/// Makes the owner of a folder one of another machine that was silent for this number of minutes.
fn send_elsewhere(owner: &Path, minutes: u64) {
    let text = fs::read_to_string(owner).unwrap();
    let host = text.lines().find(|line| line.starts_with("host = ")).unwrap();
    fs::write(owner, text.replace(host, "host = \"elsewhere\"")).unwrap();
    let now = fs::metadata(owner).unwrap().modified().unwrap();
    let then = now - std::time::Duration::from_secs(60 * minutes);
    fs::File::options().write(true).open(owner).unwrap().set_modified(then).unwrap();
}

/// A shard that two processes play at once: the second takes the folder over, and the logs of both are merged.
#[cfg(unix)]
#[test]
fn a_shard_that_is_played_twice_at_once_loses_nothing() {
    let folder = with_manifest("cluster/twice", &LONG.replace("3000", "120"));
    let whole = {
        let (code, _, err) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "single"], &[]);
        assert_eq!(code, 0, "{err}");
        fs::read(folder.join("single/canonical.csv")).unwrap()
    };
    let arguments = ["run", "m.toml", "--threads", "1", "--out", "here", "--quiet"];
    let mut first = command(&folder, &arguments, &[]).spawn().unwrap();
    while fs::metadata(folder.join("here/trials.csv")).map_or(0, |log| log.len()) < 700 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    send_elsewhere(&folder.join("here/owner.toml"), 1);
    let (code, _, err) = shikou(&folder, &arguments, &[]);
    assert!(code == 2 && err.contains(" on elsewhere, seen "), "{err}");
    send_elsewhere(&folder.join("here/owner.toml"), 10);
    let mut second = command(&folder, &arguments, &[]).spawn().unwrap();
    while !folder.join("here/taken-1.csv").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    second.kill().unwrap();
    second.wait().unwrap();
    // The first writes on, into the log that was put aside.
    let rows = |path: &str| fs::read_to_string(folder.join(path)).unwrap().lines().count();
    while rows("here/taken-1.csv") < 241 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(rows("here/trials.csv") < 241);
    let (code, out, err) = shikou(&folder, &["merge", "joined", "here"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("1 log of runs that were taken over merged too"), "{err}");
    assert_eq!(fs::read(folder.join("joined/canonical.csv")).unwrap(), whole);
    // A restart puts the logs of all owners aside.
    assert_eq!(shikou(&folder, &[arguments.as_slice(), &["--restart"]].concat(), &[]).0, 0);
    assert!(!folder.join("here/taken-1.csv").exists() && folder.join("here/before-1/taken-1.csv").exists());
}

/// Two processes never write the same log of an optimisation.
#[test]
fn the_log_of_an_optimisation_is_put_aside_too() {
    let text = "schema = 1\n[[optimisation]]\nname = \"o\"\ngame = \"tic-tac-toe\"\ngenerations = 2\ngenes.c = { within = [0.0, 3.0] }\n\
                player = { search.uct.exploration = { gene = \"c\" }, budget.playouts = 5 }\n\
                method.genetic = { population = 4, parents = 2 }\nfitness = { against = \"random\", pairs = 2 }\n";
    let folder = with_manifest("cluster/optimisation", text);
    let arguments = ["run", "m.toml", "--out", "here", "--quiet"];
    let (code, whole, err) = shikou(&folder, &arguments, &[]);
    assert_eq!(code, 0, "{err}");
    let owner = folder.join("here/owner.toml");
    let log = folder.join("here/o/evaluations.csv");
    let of_first = fs::File::options().append(true).open(&log).unwrap();
    let playing = fs::read_to_string(&owner).unwrap().replace("stopped", "playing");
    fs::write(&owner, playing).unwrap();
    send_elsewhere(&owner, 10);
    let (code, again, err) = shikou(&folder, &arguments, &[]);
    assert_eq!((code, &again), (0, &whole), "{err}");
    // Later rows of the first process are not in the new log.
    std::io::Write::write_all(&mut &of_first, b"late\n").unwrap();
    assert!(fs::read_to_string(folder.join("here/o/taken-1.csv")).unwrap().ends_with("late\n"));
    assert_eq!(shikou(&folder, &arguments, &[]).1, whole);
}

/// A job that the scheduler starts again takes over from its earlier start on another machine, and not the other way round.
#[test]
fn a_job_that_is_requeued_takes_over() {
    let folder = folder("requeued");
    let run = |restarts: &'static str| {
        let job = [("SLURM_JOB_ID", "12"), ("SLURM_RESTART_COUNT", restarts)];
        shikou(&folder, &["run", "m.toml", "--out", "here", "--quiet"], &job)
    };
    assert_eq!(run("1").0, 0);
    let owner = folder.join("here/owner.toml");
    let playing = fs::read_to_string(&owner).unwrap().replace("stopped", "playing");
    fs::write(&owner, playing).unwrap();
    send_elsewhere(&owner, 0);
    let (code, _, err) = run("1");
    assert!(code == 2 && err.contains("another run is writing this log"), "{err}");
    let (code, _, err) = run("2");
    assert!(code == 0 && err.contains("on elsewhere"), "{err}");
}

/// Of trials that no run repeats, the rows of one owner are kept, in whatever order folders are merged.
#[test]
fn of_trials_that_cannot_be_repeated_one_is_kept() {
    let folder = folder("unrepeatable");
    let timed = r#"
schema = 1
[[experiment]]
game = "othello"
trials = 6
player = [{ search = "random" }, { search = "uct", budget = { time = "200us" } }]
"#;
    fs::write(folder.join("m.toml"), timed).unwrap();
    for out in ["a", "b"] {
        let (code, _, err) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", out], &[]);
        assert_eq!(code, 0, "{err}");
    }
    let merged = |into: &str, parts: [&str; 2]| {
        let (code, _, err) = shikou(&folder, &["merge", into, parts[0], parts[1]], &[]);
        assert_eq!(code, 0, "{err}");
        assert!(
            err.contains(" trials played twice with another result")
                && err.contains("fewest restarts is kept"),
            "{err}"
        );
        fs::read(folder.join(into).join("canonical.csv")).unwrap()
    };
    let first = merged("ab", ["a", "b"]);
    assert_eq!(first, merged("ba", ["b", "a"]));
    assert_eq!(first, fs::read(folder.join("a/canonical.csv")).unwrap());
}

/// The scripts divide as they say, the second call divides as the first did, and what is missing is named.
#[test]
fn slurm_scripts_divide_and_name_what_is_missing() {
    let folder = folder("scripts");
    let slurm = |arguments: &[&str]| shikou(&folder, &[&["slurm", "m.toml"], arguments].concat(), &[]);
    let (code, _, err) = slurm(&["--missing"]);
    assert!(
        code == 2 && err.contains("nothing was submitted: `shikou slurm m.toml` writes the scripts"),
        "{err}"
    );
    let engine = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 9\nplayer = [\"random\", \"engine(gtp=sh)\"]\n";
    fs::write(folder.join("engine.toml"), engine).unwrap();
    let (code, _, err) = shikou(&folder, &["slurm", "engine.toml", "--shards", "2"], &[]);
    assert!(code == 2 && err.contains("only with --allow-engines"), "{err}");
    let (code, out, err) = slurm(&["--shards", "8", "--cpus", "2", "--time", "30min"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("m.toml in 8 shards, as you asked") && out.contains("results/m.merge.slurm"),
        "{out}"
    );
    let script = fs::read_to_string(folder.join("results/m.slurm")).unwrap();
    let program = env!("CARGO_BIN_EXE_shikou");
    insta::assert_snapshot!("slurm_script", script.replace(program, "shikou"));
    let merge = fs::read_to_string(folder.join("results/m.merge.slurm")).unwrap();
    insta::assert_snapshot!("slurm_script_that_merges", merge.replace(program, "shikou"));
    assert!(folder.join("results/m.logs").is_dir(), "Slurm needs the folder of the logs");
    let (code, out, _) = slurm(&[]);
    assert!(code == 0 && out.contains("m.toml in 8 shards, as before"), "{out}");
    let (code, _, err) = slurm(&["--shards", "9"]);
    assert!(code == 2 && err.contains("says that the run has 8 shards, not 9"), "{err}");
    // The script itself, as Slurm runs it.
    for task in ["1", "2", "4", "5", "7", "8"] {
        let mut child = Command::new("sh");
        child.arg("results/m.slurm").current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        child.envs([("SLURM_ARRAY_TASK_ID", task), ("SLURM_ARRAY_TASK_COUNT", "6")]);
        child.envs([("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_MAX", "8")]);
        let (code, _, err) = finish(child.spawn().unwrap());
        assert_eq!(code, 0, "{err}");
    }
    let (code, out, _) = slurm(&["--missing"]);
    assert!(code == 0 && out.starts_with("4 trials missing, of 2 of 8 shards"), "{out}");
    assert!(out.contains("--array=3,6 results/m.slurm"), "{out}");
    let (code, out, err) = shikou(&folder, &["status", "results/m"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("8 shards: 6 complete, 2 not begun") && out.contains("12 of 16 trials, 4 left"),
        "{out}"
    );
    let (_, json, _) = shikou(&folder, &["status", "results/m.shards.toml", "--json"], &[]);
    assert!(json.contains("\"state\": \"not begun\"") && json.contains("\"shard\": \"3/8\""), "{json}");
    for task in ["3", "6"] {
        assert_eq!(shikou(&folder, &["run", "m.toml", "--shard", &format!("{task}/8"), "--quiet"], &[]).0, 0);
    }
    assert!(slurm(&["--missing"]).1.contains("nothing is missing of 8 shards"));
    let merged = Command::new("sh").arg("results/m.merge.slurm").current_dir(&folder).output().unwrap();
    assert!(merged.status.success());
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), single(&folder));
    let (code, out, _) = shikou(&folder, &["status", "results/m"], &[]);
    assert!(code == 0 && out.contains("16 of 16 trials, complete"), "{out}");
    let (code, _, err) = slurm(&["--time", "1min"]);
    assert!(code == 2 && err.contains("a task needs 4min at least"), "{err}");
}

#[test]
fn kubernetes_gets_an_indexed_job() {
    let folder = folder("job");
    let arguments = ["kubernetes", "m.toml", "--image", "registry/shikou:1", "--shards", "8", "--cpus", "2"];
    let (code, out, err) = shikou(&folder, &arguments, &[]);
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!("kubernetes_job", out);
}

/// A rule that decides after some instances: shards that watch each other stop early, and the merge decides as a single run.
#[test]
fn shards_that_watch_each_other_stop() {
    let folder = folder("watch");
    let rule = "stopping.half-width = { at-most = 0.1 }\nplayer = [";
    let stopping = LONG.replace("3000", "4000").replace("150", "20").replace("player = [", rule);
    fs::write(folder.join("m.toml"), stopping).unwrap();
    let start = |task: u32| {
        let shard = format!("{task}/2");
        let arguments =
            ["run", "m.toml", "--shard", &shard, "--quiet", "--threads", "1", "--watch-shards=300ms"];
        command(&folder, &arguments, &[]).spawn().unwrap()
    };
    for child in [1, 2].map(start) {
        let (code, _, err) = finish(child);
        assert_eq!(code, 0, "{err}");
    }
    let parts = ["results/m.shard-1-of-2", "results/m.shard-2-of-2"];
    let rows =
        parts.map(|part| fs::read_to_string(folder.join(part).join("trials.csv")).unwrap().lines().count());
    assert!(rows.iter().sum::<usize>() < 8000, "{rows:?}");
    let (code, _, err) = shikou(&folder, &["merge", "joined", parts[0], parts[1]], &[]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(fs::read(folder.join("joined/canonical.csv")).unwrap(), single(&folder));
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--watch-shards"], &[]);
    assert!(code == 2 && err.contains("--shard"), "{err}");
}
