//! Solitaires that are judged by their score: every figure, test and rule is of the mean score, in its unit.

use std::fs;
use std::process::Command;

use serde_json::Value;
use shikou::experiment::{Front, Summary, TestSummary};
use shikou::game::{Counts, Facts, Game};
use shikou::games::left_moves::{LeftMoves, Score};
use shikou::stats::{Confidence, Method, difference_of, instances_for_mean_difference};

use crate::resume::{ok, shikou};
use crate::stopping::stopping;
use crate::support::{refusal, with_manifest, with_results};

const LEFT: &str = r#"
schema = 1
question = "Does a nested search make more left moves?"
seed = 1
[[experiment]]
name = "left"
game.left-moves = { steps = 20 }
trials = 40
primary = [["nested", "flat"]]
published = [{ player = "random", value = 10, low = 9.5, high = 10.5 }]
player = [
  { name = "nested", search.nested = { level = 1 } },
  { name = "flat", search.flat = { playouts-per-move = 10 } },
  { name = "random", search = "random" },
]
"#;

fn summary_in(folder: &std::path::Path, name: &str) -> Summary {
    Summary::from_json(&fs::read_to_string(folder.join("results").join(name).join("summary.json")).unwrap())
        .unwrap()
}

/// The output of the program.
fn printed(folder: &std::path::Path, arguments: &[&str]) -> String {
    let command =
        Command::new(env!("CARGO_BIN_EXE_shikou")).args(arguments).current_dir(folder).output().unwrap();
    assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
    String::from_utf8(command.stdout).unwrap()
}

/// The report of a run in 80 columns, without what depends on the machine.
#[test]
fn a_run_is_answered_and_reported_by_its_score() {
    let folder = with_results("score/run", LEFT, &[]);
    let full = printed(&folder, &["report", "results/m", "--full", "--width", "80"]);
    let full: Vec<&str> = full.lines().filter(|line| !line.starts_with('│')).collect();
    insta::assert_snapshot!(full.join("\n"));
    let answer = printed(&folder, &["report", "results/m", "--width", "80"]);
    assert!(answer.contains("flat is ahead of nested by 3.10 [2.48, 3.72] left moves"), "{answer}");
    assert!(answer.contains("score, left") && !answer.contains("success"), "{answer}");
}

/// The candidates of a tuning are judged by their mean score too: in the report, on the page and in the files.
#[test]
fn a_tuning_is_reported_by_its_score() {
    const TUNED: &str = r#"
schema = 1
seed = 1
[[optimisation]]
name = "tuned"
game.left-moves = { steps = 20 }
generations = 2
genes.c = { within = [0.0, 3.0], start = 1.0 }
player = { search.uct.selection.ucb1.exploration = { gene = "c" }, budget = { playouts = 20 } }
method.cma-es.population = 4
fitness = { deals = 4 }
judge = { deals = 10 }
"#;
    let folder = with_results("score/tuned", TUNED, &[]);
    let answer = printed(&folder, &["report", "results/m", "--width", "200"]);
    assert!(
        answer.contains("left moves a game against the judge") && !answer.contains("success"),
        "{answer}"
    );
    let page = printed(&folder, &["report", "results/m", "--format", "html"]);
    assert!(page.contains("left moves a game") && !page.contains("success"), "the page");
    let runs = fs::read_to_string(folder.join("results/m/tuned/runs.csv")).unwrap();
    let judge = |column: &str| {
        let place = runs.lines().next()?.split(',').position(|name| name == column)?;
        runs.lines().nth(1)?.split(',').nth(place)?.parse::<f64>().ok()
    };
    let [mean, low, high] = ["judge_score", "judge_low", "judge_high"].map(|column| judge(column).unwrap());
    assert!(low < mean && mean < high && mean > 10.0, "{mean} [{low}, {high}]");
}

#[test]
fn the_summary_and_its_exports_have_the_score_and_no_success() {
    let folder = with_results("score/exports", LEFT, &[]);
    let summary = summary_in(&folder, "m");
    let experiment = &summary.experiments[0];
    assert!(experiment.counts() == Counts::Score && experiment.family == 2);
    let [nested, flat, random] = &experiment.players[..] else { panic!("three players") };
    assert!(flat.result().value > nested.result().value && nested.result().value > random.result().value);
    assert_eq!((nested.success, nested.points, nested.score), (None, None, Some(nested.margin)));
    // The front follows the score: each costs more than the one it beats.
    assert!([nested, flat, random].iter().all(|player| player.front == Front::Optimal));
    for difference in &experiment.differences {
        assert!(difference.counts.is_none() && difference.success.is_none(), "{difference:?}");
        let (of, tested) = (difference.result(), difference.tested.unwrap());
        assert_eq!(difference.higher_equal_lower.unwrap().iter().sum::<u64>(), 40);
        assert_eq!(of.method, Method::StudentT);
        assert_eq!(of.low > 0.0 || of.high < 0.0, tested.p <= 0.05);
    }
    for format in ["csv", "figure", "markdown", "json", "html", "svg"] {
        let text = printed(&folder, &["report", "results/m", "--full", "--format", format]);
        // The legend of published figures has the word.
        let text = text.replace("successes of trials", "");
        assert!(
            text.contains("score, left moves") || format == "json" && text.contains("\"score\":"),
            "{format}:\n{text}"
        );
        let named: Vec<&str> =
            text.lines().filter(|line| line.contains("uccess") && !line.contains("null,")).collect();
        assert!(named.is_empty(), "{format}: {named:?}");
    }
}

#[test]
fn what_does_not_vary_has_no_test() {
    let text = LEFT
        .replace("{ steps = 20 }", "{ steps = 1 }")
        .replace("published", "# published")
        .replace("primary", "# primary");
    let text = text.replace("playouts-per-move = 10", "playouts-per-move = 400");
    let folder = with_results("score/equal", &text, &[]);
    let summary = summary_in(&folder, "m");
    let of = |first: &str, second: &str| {
        let found =
            summary.experiments[0].differences.iter().find(|of| of.first == first && of.second == second);
        found.unwrap().clone()
    };
    let equal = of("nested", "flat");
    assert_eq!((equal.result().value, equal.result().method, equal.tested), (0.0, Method::None, None));
    assert!(of("flat", "random").tested.is_some_and(|tested| tested.p < 0.05));
}

#[test]
fn stopping_rules_are_in_the_unit_of_the_score() {
    let with = |rule: &str| {
        LEFT.replace("trials = 40", &format!("trials = 3000\nstopping.{rule}"))
            .replace("published", "# published")
    };
    let [width] = &stopping("score-width", &with("half-width = { at-most = 1 }"))[..] else { panic!("one") };
    assert_eq!(width.rule, "until every anytime 95 % interval has a half-width of at most 1 left moves");
    assert!(
        width.decision.as_deref().unwrap().ends_with("left moves") && width.instances < 3000,
        "{width:?}"
    );
    let of_difference = with("half-width = { at-most = 1, of = \"difference\" }");
    let [difference] = &stopping("score-difference", &of_difference)[..] else { panic!("one") };
    assert!(difference.decision.is_some() && difference.instances > 20, "{difference:?}");
    let apart = with("difference = { between = [\"random\", \"nested\"], alpha = 0.01 }");
    let [apart] = &stopping("score-apart", &apart)[..] else { panic!("one") };
    assert_eq!(apart.decision.as_deref(), Some("nested has a higher mean score than random"));
    let Some(TestSummary::Difference { ln_e, p }) = apart.test else { panic!("{apart:?}") };
    assert!(ln_e >= 100.0_f64.ln() && p <= 0.01);
    for (rule, words) in [
        (
            "half-width = { at-most = 10 }",
            "`at-most` must be a number between 0 and 10 left moves, both excluded, not 10",
        ),
        ("sprt = { between = [\"nested\", \"flat\"], elo0 = 0, elo1 = 5 }", "stopping.difference"),
    ] {
        assert!(refusal(&with(rule)).contains(words), "{}", refusal(&with(rule)));
    }
    let published = LEFT.replace("value = 10", "value = 25");
    assert!(
        refusal(&published).contains("must be a number between 0 and 20 left moves"),
        "{}",
        refusal(&published)
    );
}

#[test]
fn two_runs_are_compared_by_their_scores() {
    let folder = with_results("score/compared", LEFT, &[]);
    fs::write(folder.join("n.toml"), LEFT.replace("level = 1", "level = 2").replace("seed = 1", "seed = 2"))
        .unwrap();
    fs::write(folder.join("o.toml"), LEFT.replace("level = 1", "level = 2")).unwrap();
    ok(&folder, &["run", "n.toml", "--quiet"]);
    ok(&folder, &["run", "o.toml", "--quiet"]);
    let compared = |other: &str| -> Value {
        let (_, json, _) = shikou(&folder, &["compare", "results/m", other, "--json"]);
        serde_json::from_str(&json).unwrap()
    };
    let of = |summary: &Summary, player: usize| summary.experiments[0].players[player].result();
    let [first, second] = ["m", "n"].map(|name| summary_in(&folder, name));
    // Other deals: two independent samples.
    let apart = &compared("results/n")["players"][0];
    let expected = difference_of(&of(&second, 0), &of(&first, 0));
    assert!((apart["difference"]["low"].as_f64().unwrap() - expected.low).abs() < 1e-9, "{apart}");
    assert_eq!(
        (&apart["unit"], &apart["shared_instances"], &apart["success"]),
        (&"left moves".into(), &0.into(), &Value::Null)
    );
    // The same deals: pairs.
    let paired = &compared("results/o")["players"][0];
    assert_eq!(
        (&paired["shared_instances"], &paired["difference"]["method"]),
        (&40.into(), &"student-t".into())
    );
    let text = printed(&folder, &["compare", "results/m", "results/o"]);
    assert!(text.contains("score, left moves A") && !text.contains("success"), "{text}");
}

#[test]
fn a_plan_says_which_difference_of_scores_it_finds() {
    let folder = with_manifest("score/plan", LEFT);
    let plan = ok(&folder, &["plan", "m.toml"]);
    assert!(plan.contains("0.453 standard deviations of the difference on a deal"), "{plan}");
    let piloted = ok(&folder, &["plan", "m.toml", "--pilot=1", "--json"]);
    let found = &serde_json::from_str::<Value>(&piloted).unwrap()["experiments"][0]["detectable_score"];
    let [deviations, difference] = ["deviations", "difference"].map(|name| found[name].as_f64().unwrap());
    // The pilot played all 40 deals, of which random play varies most.
    assert!((difference / deviations - 2.97).abs() < 0.01 && found["unit"] == "left moves", "{found}");
    assert_eq!(instances_for_mean_difference(deviations, 0.8, Confidence::default_level()), Some(40));
    assert!(ok(&folder, &["stats", "plan", "mean", "30", "110"]).contains("108 instances"));
}

#[test]
fn the_facts_say_what_counts() {
    let facts = LeftMoves::new(20, Score::LeftMoves).facts();
    assert_eq!(
        (facts.counts, facts.results(), facts.unit()),
        (Counts::Score, Some([0.0, 20.0]), " left moves".into())
    );
    let unknown = Facts { score_range: None, ..facts };
    assert_eq!((unknown.results(), unknown.result((1.0, 7.5))), (None, 7.5));
    assert_eq!(Facts::solitaire().result((0.5, 7.5)), 0.0);
}
