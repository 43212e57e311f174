//! `shikou status`: what is done and what is left.

use std::fs;

use crate::resume::{ok, shikou};
use crate::support::{with_manifest, with_results};

/// A trial that two experiments share is one trial.
#[test]
fn shared_trials_count_once() {
    let text = "schema = 1\n[[experiment]]\nname = \"a\"\ngame = \"tic-tac-toe\"\ntrials = 10\nplayer = [\"random\", \"flat(playouts=2)\"]\n\
                [[experiment]]\nname = \"b\"\ngame = \"tic-tac-toe\"\ntrials = 15\nplayer = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = with_results("status/shared", text, &[]);
    assert!(ok(&folder, &["status", "results/m"]).contains("15 of 15 trials, complete"));
    let log = folder.join("results/m/trials.csv");
    let rows = fs::read_to_string(&log).unwrap();
    let half: Vec<&str> = rows.lines().take(1 + 2 * 6).collect();
    fs::write(&log, half.join("\n") + "\n").unwrap();
    let shown = ok(&folder, &["status", "results/m"]);
    assert!(shown.contains("6 of 15 trials, 9 left"), "{shown}");
    fs::remove_dir_all(folder.join("results")).unwrap();
    for shard in ["1/2", "2/2"] {
        ok(&folder, &["run", "m.toml", "--shard", shard, "--quiet"]);
    }
    let shown = ok(&folder, &["status", "results/m"]);
    assert!(shown.contains("2 shards: 2 complete") && shown.contains("15 of 15 trials, 0 left"), "{shown}");
}

/// An experiment that all shards together have decided is not left to any of them.
#[test]
fn decided_shards_are_complete() {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 4000\nplayer = [\"random\", \"flat(playouts=2)\"]\n\
                stopping.half-width = { at-most = 0.05 }\n";
    let folder = with_manifest("status/decided", text);
    for shard in ["1/2", "2/2"] {
        let run = ["run", "m.toml", "--shard", shard, "--quiet"];
        let (code, _, error) = shikou(&folder, &[&run[..], &["--time-limit", "20s"]].concat());
        assert_eq!(code, 0, "{error}");
    }
    // A shard sees its own pairs only and plays all; together they were decided long before.
    let log = folder.join("results/m.shard-2-of-2/trials.csv");
    let rows = fs::read_to_string(&log).unwrap();
    let fewer: Vec<&str> = rows.lines().take(rows.lines().count() / 2 * 2 - 5).collect();
    fs::write(&log, fewer.join("\n") + "\n").unwrap();
    let shown = ok(&folder, &["status", "results/m"]);
    assert!(shown.contains("2 shards: 2 complete") && shown.contains(" 0 left"), "{shown}");
}
