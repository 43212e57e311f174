//! Runs that differ only in their seed: one row of a report.

use std::fs;

use shikou::experiment::Summary;

use crate::resume::shikou;
use crate::support::with_results;

const MANIFEST: &str = r#"
schema = 1

[[optimisation]]
name = "found"
game.othello.size = 4
generations = 2
seed = { each = [1, 2, 3] }
genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }
player.search.greedy.evaluation.linear = { features = "square-kinds", weights = { gene = "w" } }
method.genetic = { population = 4, parents = 2, selection = { each = ["best", "tournament"] } }
fitness = { against = "random", pairs = 2 }
judge = { against = "greedy(evaluation=discs)", pairs = 3 }
"#;

/// The table has a row for each setting: means over the seeds, as a hand computes them from the runs.
#[test]
fn seeds_are_one_row() {
    let folder = with_results("optimisation/seeds", MANIFEST, &["--out", "r"]);
    let (code, text, error) = shikou(&folder, &["report", "r"]);
    assert!(code == 0 && text.contains("setting") && !text.contains("seed=1"), "{text}{error}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("selection=")).collect();
    assert!(rows.len() == 2 && rows[1].starts_with("selection=tournament  "), "{text}");
    let words: Vec<&str> = rows[1].split_whitespace().collect();
    let summary: Summary =
        serde_json::from_str(&fs::read_to_string(folder.join("r/summary.json")).unwrap()).unwrap();
    let of = &summary.optimisations[0];
    let is_tournament = |name: &&str| name.contains("tournament");
    let judges: Vec<f64> = of
        .runs
        .iter()
        .filter(|run| is_tournament(&run.name.as_str()))
        .map(|run| run.judge.unwrap().value)
        .collect();
    let mean = judges.iter().sum::<f64>() / 3.0;
    assert!(
        judges.len() == 3 && words[1] == "3" && words.contains(&format!("{mean:.3}").as_str()),
        "{rows:?} {mean}"
    );
    let setting = &of.settings()[1];
    let variance = judges.iter().map(|judge| (judge - mean).powi(2)).sum::<f64>() / 2.0;
    // Student's t with two degrees of freedom.
    let half = 4.302_652_73 * (variance / 3.0).sqrt();
    assert!((setting.judge.unwrap().high - mean - half).abs() < 1e-6, "{setting:?} {half}");
    let (code, full, _) = shikou(&folder, &["report", "r", "--full"]);
    assert!(code == 0 && full.contains("seed=2 selection=best"), "{full}");
}

/// One seed for each setting is no repetition.
#[test]
fn runs_without_seeds_are_rows() {
    let folder = with_results(
        "optimisation/no-seeds",
        &MANIFEST.replace("{ each = [1, 2, 3] }", "1"),
        &["--out", "r"],
    );
    let (code, text, error) = shikou(&folder, &["report", "r"]);
    assert!(code == 0 && text.contains("found selection=best") && !text.contains("setting"), "{text}{error}");
}
