//! Published results of players, beside their own.

use std::fs;

use shikou::experiment::Summary;
use shikou::stats::{Claim, Confidence, Estimate, Method, clopper_pearson};

use crate::resume::{ok, shikou};
use crate::support::{folder, with_manifest};

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[experiment]]
name = "deals"
game.calculation = { suits = 3, ranks = 7 }
trials = 40
published = [
  { player = "flat", successes = 72, trials = 100 },
  { player = "chance", value = 0.125 },
]
player = [{ name = "flat", search.flat = { playouts-per-move = 3 } }, { name = "chance", search.flat = { playouts-per-move = 1 } }]

[[experiment]]
name = "pairs"
game = "tic-tac-toe"
trials = 20
openings.random-plies = 1
published = [{ player = "flat", value = 0.7, low = 0.6, high = 0.75 }]
player = [{ name = "flat", search.flat = { playouts-per-move = 3 } }, { name = "chance", search = "random" }]
"#;

#[test]
fn published_results_are_in_the_summary_the_tables_and_the_figures() {
    let folder = with_manifest("published/run", MANIFEST);
    let digest = ok(&folder, &["run", "m.toml", "--quiet"]);
    // Published figures are no part of a trial: the digest is that of the manifest without them.
    let without: String = MANIFEST
        .lines()
        .filter(|line| !line.contains("published = [{"))
        .fold(String::new(), |text, line| text + line + "\n");
    let begin = without.find("published = [").unwrap();
    let end = begin + without[begin..].find("\n]\n").unwrap() + 3;
    let without = format!("{}{}", &without[..begin], &without[end..]);
    fs::write(folder.join("n.toml"), without).unwrap();
    assert_eq!(shikou(&folder, &["run", "n.toml", "--quiet"]).1, digest);

    let text = fs::read_to_string(folder.join("results/m/summary.json")).unwrap();
    let summary = Summary::from_json(&text).unwrap();
    let [deals, pairs] = &summary.experiments[..] else { panic!("two experiments") };
    let expected = Claim {
        figure: Some(clopper_pearson(72, 100, Confidence::new(0.95))),
        counts: Some([72, 100]),
        sign: None,
    };
    assert_eq!(deals.published[0], ("flat".into(), expected));
    let figure = |published: &(String, Claim)| published.1.figure.unwrap();
    assert_eq!(figure(&deals.published[1]), Estimate::of(0.125));
    let of_source = figure(&pairs.published[0]);
    assert_eq!((of_source.low, of_source.method), (0.6, Method::Published));

    let (_, report, _) = shikou(&folder, &["report", "results/m", "--full"]);
    let find = |words: &str| {
        report.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(words))
    };
    assert!(find("flat 0.720 [0.621, 0.805] "), "{report}");
    assert!(find("chance 0.125 – "), "{report}");
    assert!(find("flat 0.700 [0.600, 0.750] "), "{report}");
    assert!(report.contains("Published: the source's result"), "{report}");
    ok(&folder, &["report", "results/m", "--svg", "figures"]);
    let drawing = |name: &str| fs::read_to_string(folder.join("figures").join(name)).unwrap();
    for name in ["deals-players.svg", "deals-cost-positions.svg"] {
        assert!(drawing(name).contains("<title>published of flat: 0.720 [0.621, 0.805]</title>"), "{name}");
    }
    assert!(drawing("pairs-players.svg").contains("<title>published of flat: 0.700 [0.600, 0.750]</title>"));
    let (_, csv, _) = shikou(&folder, &["report", "results/m", "--format", "csv"]);
    assert!(csv.contains("published,pairs,flat,,points,0.7,0.6,0.75,as published"), "{csv}");
}

#[test]
fn a_wrong_published_result_is_refused_with_its_place() {
    let folder = folder("published/wrong");
    let right = "{ player = \"chance\", value = 0.125 }";
    for (wrong, words) in [
        ("{ player = \"chanse\", value = 0.1 }", "chanse"),
        ("{ value = 0.1 }", "player"),
        ("{ player = \"chance\" }", "a published result is `successes` and `trials`"),
        ("{ player = \"chance\", value = 1.5 }", "value"),
        ("{ player = \"chance\", value = 0.5, low = 0.6, high = 0.7 }", "between `low` and `high`"),
        ("{ player = \"chance\", successes = 7 }", "a published result is"),
        ("{ player = \"chance\", successes = 7, trials = 5 }", "successes"),
        ("{ player = \"flat\", value = 0.5 }", "two published results"),
        ("{ player = \"chance\", value = 0.5, of = 3 }", "of"),
        ("{ player = \"chance\", sign = \"gains\" }", "gain"),
        ("{ player = \"chance\", sign = \"gain\" }", "only the points of a game for two have a sign"),
    ] {
        fs::write(folder.join("m.toml"), MANIFEST.replace(right, wrong)).unwrap();
        let (code, _, err) = shikou(&folder, &["plan", "m.toml"]);
        assert!(code == 2 && err.contains("m.toml:11:") && err.contains(words), "{wrong}: {err}");
    }
    fs::write(folder.join("m.toml"), MANIFEST.replace("high = 0.75", "high = 0.75, sign = \"loss\""))
        .unwrap();
    let (code, _, err) = shikou(&folder, &["plan", "m.toml"]);
    assert!(code == 2 && err.contains("the figure is no loss"), "{err}");
}
