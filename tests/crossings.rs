//! Where curves of success against budget cross: in the summary, in sentences, on the page and in figures.

use std::fs;
use std::path::PathBuf;

use shikou::experiment::Summary;
use shikou::stats::{Estimate, Method};

use crate::resume::{ok, shikou};
use crate::support::with_results;

const MANIFEST: &str = r#"
schema = 1
question = "Which of these searches is better, by playouts?"
seed = 11

[[experiment]]
name = "deals"
game.calculation = { suits = 3, ranks = 7 }
trials = 300
player = [
  { name = "uct", search.uct = { policy = "foundation-first" }, budget.playouts = { each = [4, 8, 16, 32] } },
  { name = "king", search.uct = { policy = "king-rules", expansion = { all = { threshold = 1 } } }, budget.playouts = { each = [4, 8, 16, 32] } },
  { name = "rave", search.uct = { policy = "foundation-first", selection = "rave" }, budget.playouts = { each = [4, 32] } },
]

[[experiment]]
name = "pairs"
game = "tic-tac-toe"
trials = 60
openings.random-plies = 1
design.gauntlet = { against = ["flat 30"] }
player = [
  { name = "flat 30", search.flat = { playouts-per-move = 30 } },
  { name = "wide", search.uct = { exploration = 8.0 }, budget.playouts = { each = [10, 40, 160] } },
  { name = "uct", search.uct = {}, budget.playouts = { each = [10, 40, 160] } },
]

[[experiment]]
name = "no curves"
game = "tic-tac-toe"
trials = 4
openings.random-plies = 1
player = ["random", { name = "flat", search.flat = { playouts = { each = [2, 4] } } }]
"#;

/// The folder of a run and the text of its summary.
fn results(name: &str, manifest: &str, threads: &str) -> (PathBuf, String) {
    let folder = with_results(&format!("crossings/{name}"), manifest, &["--threads", threads]);
    let text = fs::read_to_string(folder.join("results/m/summary.json")).unwrap();
    (folder, text)
}

#[test]
fn crossings_are_in_the_summary_and_said() {
    let (folder, text) = results("run", MANIFEST, "2");
    let summary = Summary::from_json(&text).unwrap();
    let [deals, pairs, none] = &summary.experiments[..] else { panic!("three experiments") };
    assert!(none.curve_crossings.is_empty());
    assert_eq!((deals.curve_crossings.len(), pairs.curve_crossings.len()), (3, 1));
    for (experiment, instances, budgets) in
        [(deals, 300, &[4.0, 8.0, 16.0, 32.0][..]), (pairs, 60, &[10.0, 40.0, 160.0])]
    {
        for found in &experiment.curve_crossings {
            assert_eq!((found.budget.as_str(), found.instances), ("playouts", instances));
            for (end, budget) in found.range.iter().zip([budgets[0], budgets[budgets.len() - 1]]) {
                assert!((end / budget - 1.0).abs() < 1e-9);
            }
            for crossing in &found.crossings {
                let Estimate { value, low, high, method } = crossing.budget;
                assert!(matches!(method, Method::BootstrapPercentile | Method::None), "{method}");
                assert!(low <= value && value <= high && low < high, "{crossing:?}");
            }
            // The estimates themselves: straight lines over the logarithm of the budget.
            let result = |curve: &str, playouts: f64| {
                let name = format!("{curve} playouts={playouts}");
                let player = experiment.players.iter().find(|player| player.name == name);
                Some(player?.result().value)
            };
            let lead =
                |&budget: &f64| Some(result(&found.curves[1], budget)? - result(&found.curves[0], budget)?);
            // The curve of rave has two budgets only.
            let Some(leads) = budgets.iter().map(lead).collect::<Option<Vec<f64>>>() else { continue };
            let ahead = leads.iter().find(|lead| lead.abs() > 1e-9).map(|&lead| usize::from(lead > 0.0));
            assert_eq!(found.ahead, ahead);
            let changes: Vec<usize> =
                (0..leads.len() - 1).filter(|&at| leads[at] * leads[at + 1] < 0.0).collect();
            assert_eq!(found.crossings.len(), changes.len(), "{leads:?}");
            for (crossing, at) in found.crossings.iter().zip(changes) {
                let share = leads[at] / (leads[at] - leads[at + 1]);
                let expected = budgets[at] * (budgets[at + 1] / budgets[at]).powf(share);
                assert!((crossing.budget.value / expected - 1.0).abs() < 1e-9, "{crossing:?} {expected}");
            }
        }
    }
    // Playouts by the king's rules, in a tree that adds all children at once, are better than others with few of them, and worse with
    // many: .93 against .83 of 300 deals with 16, .82 against .94 with 32.
    let king = &deals.curve_crossings[0];
    assert_eq!((king.curves.each_ref().map(String::as_str), king.ahead), (["uct", "king"], Some(1)));
    let [Estimate { low, high, .. }] = king.crossings.iter().map(|at| at.budget).collect::<Vec<_>>()[..]
    else {
        panic!("{king:?}")
    };
    assert!(low > 4.0 && high < 32.0, "{king:?}");
    let (code, report, _) = shikou(&folder, &["report", "results/m", "--full", "--width", "400"]);
    assert_eq!(code, 0);
    let lines = report.lines().filter(|line| {
        ["overtakes", "do not cross", "is not settled", "equal results"]
            .iter()
            .any(|words| line.contains(words))
    });
    let lines: Vec<&str> = lines.collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert!(report.contains("Crossings: straight lines between the measured budgets"), "{report}");
    // The same bytes from another number of threads, and from the log again.
    assert_eq!(results("again", MANIFEST, "1").1, text);
    // The page says the same, and the figure has a mark where the lines cross.
    ok(&folder, &["report", "results/m", "--html", "--svg", "figures"]);
    let page = fs::read_to_string(folder.join("results/m/report.html")).unwrap();
    for line in &lines {
        let begin = line.split(" [").next().unwrap();
        assert!(page.contains(begin), "{begin}");
    }
    let drawing = fs::read_to_string(folder.join("figures/deals-sweep.svg")).unwrap();
    let all: usize = deals.curve_crossings.iter().map(|found| found.crossings.len()).sum();
    assert!(all > 0, "the example has a crossing");
    assert!(drawing.contains(">crossing</text>") && drawing.contains("playouts, logarithmic"));
    assert_eq!(drawing.matches(" overtakes ").count(), 3 * all, "twice in the description, and at the mark");
    let (_, table, _) = shikou(&folder, &["report", "results/m", "--format", "csv"]);
    assert_eq!(
        table.matches(",\"crossing, playouts\",").count(),
        all + pairs.curve_crossings[0].crossings.len()
    );
}

/// Two options are swept: each value of the one is a curve over the budget, which names it.
#[test]
fn curves_of_a_sweep_over_two_options_are_told_apart() {
    let manifest = r#"
schema = 1
[[experiment]]
name = "map"
game = "tic-tac-toe"
trials = 20
openings.random-plies = 1
design.gauntlet = { against = ["chance"] }
player = [
  { name = "chance", search = "random" },
  { name = "m", search.uct = { playouts.each = [4, 16], exploration.each = [0.25, 8.0] } },
]
"#;
    let (folder, text) = results("two", manifest, "2");
    let summary = Summary::from_json(&text).unwrap();
    let [found] = &summary.experiments[0].curve_crossings[..] else { panic!("one pair of curves") };
    assert_eq!(found.curves, ["m exploration=0.25", "m exploration=8"]);
    let (_, svg, _) = shikou(&folder, &["report", "results/m", "--format", "svg"]);
    assert!(svg.contains("m exploration=0.25") && svg.contains("m exploration=8"), "{svg}");
}

/// A curve through players with names of their own is named by its ends, and not by all of its options.
#[test]
fn curves_through_named_players_have_their_names() {
    let manifest = r#"
schema = 1
[[experiment]]
name = "names"
game.calculation = { suits = 2, ranks = 5 }
trials = 20
player = [
  { name = "few", search.uct = { policy = "king-rules" }, budget.playouts = 4 },
  { name = "many", search.uct = { policy = "king-rules" }, budget.playouts = 40 },
  { name = "plain 4", search.uct = {}, budget.playouts = 4 },
  { name = "plain 40", search.uct = {}, budget.playouts = 40 },
]
"#;
    let summary = Summary::from_json(&results("names", manifest, "2").1).unwrap();
    let [found] = &summary.experiments[0].curve_crossings[..] else { panic!("one pair of curves") };
    assert_eq!(found.curves, ["few … many", "plain 4 … plain 40"]);
}

/// A stopping rule leaves no fixed number of trials, and missing trials no comparison.
#[test]
fn there_are_no_crossings_without_a_fixed_number() {
    let text = MANIFEST.replace("trials = 300", "trials = 300\nstopping.half-width = { at-most = 0.2 }");
    let summary = Summary::from_json(&results("stopped", &text, "2").1).unwrap();
    assert!(summary.experiments[0].curve_crossings.is_empty());
    assert!(!summary.experiments[1].curve_crossings.is_empty());
}

/// The lengths of games are those of the log.
#[test]
fn lengths_are_those_of_the_log() {
    let (folder, text) = results("lengths", MANIFEST, "2");
    let summary = Summary::from_json(&text).unwrap();
    let mut log = csv::Reader::from_path(folder.join("results/m/trials.csv")).unwrap();
    let headers = log.headers().unwrap().clone();
    let [experiment, first, second, plies] = ["experiment", "first", "second", "plies"]
        .map(|name| headers.iter().position(|other| other == name).unwrap());
    let rows: Vec<csv::StringRecord> = log.records().map(Result::unwrap).collect();
    for of in &summary.experiments {
        for player in &of.players {
            let is_theirs = |row: &&csv::StringRecord| {
                row[experiment] == *of.name && [&row[first], &row[second]].contains(&player.name.as_str())
            };
            let mut all: Vec<u32> =
                rows.iter().filter(is_theirs).map(|row| row[plies].parse().unwrap()).collect();
            all.sort_unstable();
            let lengths = player.lengths.unwrap();
            assert_eq!(lengths.games as usize, all.len());
            assert_eq!([lengths.quantiles[0], lengths.quantiles[6]], [all[0], all[all.len() - 1]]);
            assert_eq!(lengths.quantiles[3], all[all.len().div_ceil(2) - 1]);
            let mean = all.iter().map(|&plies| f64::from(plies)).sum::<f64>() / all.len() as f64;
            assert!((lengths.mean - mean).abs() < 1e-9);
        }
    }
    ok(&folder, &["report", "results/m", "--svg", "figures"]);
    let drawing = fs::read_to_string(folder.join("figures/pairs-lengths.svg")).unwrap();
    let median = summary.experiments[1].players[0].lengths.unwrap().quantiles[3];
    assert!(
        drawing.contains(&format!("<title>flat 30: median {median} plies, half of the games ")),
        "{drawing}"
    );
}
