//! `shikou verify` and `shikou compare` of optimisations.

use std::fs;
use std::path::Path;

use crate::optimisations::folder;
use crate::resume::{ok, shikou};
use crate::support::with_results;

const MANIFEST: &str = r#"
schema = 1
seed = 8

[[optimisation]]
name = "tune"
game = "tic-tac-toe"
generations = 4
genes.c = { within = [0.0, 3.0] }
player = { search.uct.exploration = { gene = "c" }, budget.playouts = 10 }
method.genetic = { population = 4, parents = 2 }
fitness = { against = "random", pairs = 6 }
judge = { against = "flat(playouts=4)", pairs = 5 }

[[optimisation]]
name = "knockout"
game.othello.size = 4
generations = 2
genes.w = { count = 3, within = [-1.0, 1.0] }
player.search.greedy.evaluation.linear = { features = "square-kinds", weights = { gene = "w" } }
method.genetic = { population = 8, parents = 2, elites = 2, selection = "knockout" }

[[experiment]]
game = "tic-tac-toe"
trials = 3
player = [{ evolved = "tune" }, "random"]
"#;

/// The results of a run in a new folder.
fn finished(name: &str) -> std::path::PathBuf {
    with_results(&format!("optimisation/{name}"), MANIFEST, &["--out", "r"])
}

/// Turns the results of the row that begins like this after its run around, and makes its check right.
fn change(folder: &Path, optimisation: &str, begin: &str) {
    let log = folder.join("r").join(optimisation).join("evaluations.csv");
    let whole = fs::read_to_string(&log).unwrap();
    let is_it = |line: &&str| {
        let fields: Vec<&str> = line.split(',').collect();
        line.split_once(',').is_some_and(|(_, row)| row.starts_with(begin)) && fields[5] != fields[7]
    };
    let line = whole.lines().find(is_it).unwrap();
    let mut fields: Vec<&str> = line.split(',').collect();
    fields.pop();
    fields[5..8].reverse();
    // Units by their half points: up to 4 of a pair, up to 2 of a game.
    let sum = |fields: &[&str]| fields.iter().map(|field| field.parse::<u64>().unwrap()).sum::<u64>();
    let is_pairs = sum(&fields[5..8]) == 2 * sum(&fields[8..13]);
    fields[8..if is_pairs { 13 } else { 11 }].reverse();
    let row = fields.join(",");
    assert!(!line.starts_with(&row), "wins and losses differ: {line}");
    let changed = format!("{row},{:08x}", crc32fast::hash(row.as_bytes()));
    fs::write(&log, whole.replace(line, &changed)).unwrap();
}

#[test]
fn evaluations_are_played_again() {
    let folder = finished("verify-sound");
    // Four candidates a generation, the judge and the games again; four and two and one meetings less the last.
    let out = ok(&folder, &["verify", "r", "--all"]);
    assert!(
        out.contains("30 of 30 evaluations replayed, 0 differ\n3 of 3 trials replayed, 0 differ"),
        "{out}"
    );
    let sample = |seed: &str| shikou(&folder, &["verify", "r", "--sample", "5", "--seed", seed, "--json"]).1;
    assert_eq!(sample("1"), sample("1"));
    let found: serde_json::Value = serde_json::from_str(&sample("1")).unwrap();
    let of = &found["optimisations"];
    assert_eq!((&of["evaluations"], &of["replayed"]), (&30.into(), &5.into()));
    assert!((of["detects_one"].as_f64().unwrap() - 5.0 / 30.0).abs() < 1e-12, "{of}");
    let (_, text, _) = shikou(&folder, &["verify", "r", "--sample", "5", "--seed", "1"]);
    assert!(
        text.contains("(seed 1) finds a wrong evaluation with probability 0.167 if one is wrong"),
        "{text}"
    );
}

/// A row that was changed together with its check reads well. Played again, it differs.
#[test]
fn an_edited_evaluation_is_found() {
    let folder = finished("verify-edited");
    change(&folder, "tune", "3,again,0,");
    let (code, out, _) = shikou(&folder, &["verify", "r", "--all"]);
    assert!(code == 1 && out.contains("evaluation tune, generation 3, again 0: other results"), "{out}");
    assert!(out.ends_with("30 of 30 evaluations replayed, 1 differs\n"), "{out}");
}

/// A selection by an edited row does not follow from the games, which is seen without playing.
#[test]
fn genes_that_do_not_follow_are_found() {
    let folder = finished("verify-genes");
    change(&folder, "knockout", "0,round-1,");
    let (code, out, _) = shikou(&folder, &["verify", "r", "--sample", "1", "--seed", "3"]);
    let words = "evaluation knockout, generation 0: other genes follow from the rows before it";
    assert!(code == 1 && out.contains(words), "{out}");
}

/// Two folders with other seeds: their judges are compared run by run, and a folder with itself has no difference.
#[test]
fn judges_of_two_folders_are_compared() {
    let folder = folder("compare");
    let swept =
        MANIFEST.replace("population = 4, parents = 2 }", "population = 4, parents = { each = [2, 3, 4] } }");
    let swept = swept.replace("evolved = \"tune\"", "evolved = \"tune parents=2\"");
    for (name, text) in [("a", swept.clone()), ("b", swept.replace("seed = 8", "seed = 9"))] {
        fs::write(folder.join("m.toml"), text).unwrap();
        ok(&folder, &["run", "m.toml", "--quiet", "--out", name]);
    }
    let json = |pair: [&str; 2]| -> serde_json::Value {
        let out = ok(&folder, &["compare", pair[0], pair[1], "--json"]);
        serde_json::from_str(&out).unwrap()
    };
    let found = json(["a", "b"]);
    let runs = found["optimisations"][0]["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["of"]), (3, &"judge".into()));
    let mut sum = 0.0;
    for run in runs {
        let [a, b] = [0, 1].map(|side| run["points"][side].as_f64().unwrap());
        let difference = run["difference"]["value"].as_f64().unwrap();
        assert!((difference - (b - a)).abs() < 1e-12);
        sum += difference;
    }
    assert!((found["optimisations"][0]["mean"]["value"].as_f64().unwrap() - sum / 3.0).abs() < 1e-12);
    // Candidates that met each other only have no games that could be compared.
    assert_eq!(found["optimisations"][1]["runs"], serde_json::json!([]));
    let same = json(["a", "a"]);
    assert_eq!(same["optimisations"][0]["mean"]["value"], 0.0);
    let (_, text, _) = shikou(&folder, &["compare", "a", "b"]);
    for words in ["tune · optimisation", "Mean difference of the 3 runs", "Runs: 0 compared, 0 in A only"] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

/// The logs of two optimisations that were exchanged are not an empty sample.
#[test]
fn exchanged_optimisations_are_noticed() {
    let text = MANIFEST.replace("{ evolved = \"tune\" }", "\"flat(playouts=2)\"");
    let folder = with_results("optimisation/verify-exchanged", &text, &["--out", "r"]);
    let rename =
        |from: &str, to: &str| fs::rename(folder.join("r").join(from), folder.join("r").join(to)).unwrap();
    rename("tune", "aside");
    rename("knockout", "tune");
    rename("aside", "knockout");
    let (code, out, _) = shikou(&folder, &["verify", "r", "--all"]);
    assert!(code == 1 && out.contains("tune: its log has no row of its runs"), "{out}");
}
