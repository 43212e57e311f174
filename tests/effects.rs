//! The analysis of a full grid of optimisations, from the runs to the report.

use std::fs;

use crate::resume::ok;
use crate::support::with_manifest;

const MANIFEST: &str = r#"
schema = 1
seed = 5

[[optimisation]]
name = "grid"
game.othello = { size = 4 }
generations = 3
genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }
player.search.greedy = { evaluation.linear = { features = "square-kinds", weights = { gene = "w" } } }
method.genetic.population = 6
method.genetic.parents = 3
method.genetic.elites = 1
method.genetic.crossover = { each = ["one-point", "two-point"] }
method.genetic.selection = { each = ["best", "tournament"] }
method.genetic.mutation.redraw = { chance = { each = [0.0, 0.1, 0.2, 0.3] } }
fitness = { against = ["random"], pairs = 2 }
judge = { against = ["greedy(evaluation=mobility)"], pairs = 3 }
"#;

#[test]
fn a_grid_is_analysed_by_factors() {
    let folder = with_manifest("optimisation/effects", MANIFEST);
    let printed = |arguments: &[&str]| ok(&folder, arguments);
    printed(&["run", "m.toml", "--quiet", "--out", "r"]);
    let (answer, report) = (printed(&["report", "r"]), printed(&["report", "r", "--full"]));
    for words in ["factor", "chance", "mean seen", "±", "Judge: ", "Holm's correction over the 6 tests"] {
        assert!(answer.contains(words), "{words} is not in\n{answer}");
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
    assert!(answer.contains("The best 5 of 16 runs"), "{answer}");
    assert!(!answer.contains("Heredity") && !answer.contains("residual  "), "{answer}");
    for words in ["judge: selection × chance", "Heredity: the correlation", "kept and selected again"] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }

    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("r/summary.json")).unwrap()).unwrap();
    let found = &summary["optimisations"][0];
    let axes: Vec<_> =
        found["effects"]["axes"].as_array().unwrap().iter().map(|axis| &axis["name"]).collect();
    assert_eq!(axes, ["crossover", "selection", "chance"]);
    let runs = found["runs"].as_array().unwrap();
    for run in runs {
        assert!(run["heredity"].as_f64().unwrap().abs() <= 1.0, "{run}");
        assert!((0.0..=1.0).contains(&run["survivors"].as_f64().unwrap()), "{run}");
    }
    // The main effect of a level, from the runs.
    let judges = |level: Option<&str>| {
        let of_level = |run: &&serde_json::Value| level.is_none_or(|level| run["swept"][2][1] == level);
        let kept: Vec<f64> =
            runs.iter().filter(of_level).map(|run| run["judge"]["value"].as_f64().unwrap()).collect();
        kept.iter().sum::<f64>() / kept.len() as f64
    };
    let results = found["effects"]["results"].as_array().unwrap();
    let judge = results.iter().find(|result| result["of"] == "judge").unwrap();
    let level = &judge["analysis"]["factors"][2]["levels"][1];
    let near = |found: &serde_json::Value, expected: f64| {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-12, "{found} {expected}");
    };
    near(&level["mean"]["value"], judges(Some("0.1")));
    near(&level["effect"]["value"], judges(Some("0.1")) - judges(None));
    assert_eq!(results.len(), 4);
}
