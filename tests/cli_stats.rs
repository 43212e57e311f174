//! The command `shikou stats`: help, tables, JSON and errors, as snapshots.

use shikou::experiment::StoppingRule;

use crate::cli::{shikou, shikou_there, snapshot};

snapshot!(help_of_stats_rate, ["stats", "rate", "--help"]);
snapshot!(help_of_stats_two, ["stats", "two", "--help"]);
snapshot!(help_of_stats_paired, ["stats", "paired", "--help"]);
snapshot!(help_of_stats_pairs, ["stats", "pairs", "--help"]);
snapshot!(help_of_stats_elo, ["stats", "elo", "--help"]);
snapshot!(help_of_stats_sprt, ["stats", "sprt", "--help"]);
snapshot!(help_of_stats_bradley_terry, ["stats", "bradley-terry", "--help"]);
snapshot!(help_of_stats_holm, ["stats", "holm", "--help"]);
snapshot!(help_of_stats_plan, ["stats", "plan", "--help"]);
snapshot!(help_of_stats_plan_paired, ["stats", "plan", "paired", "--help"]);
snapshot!(help_of_stats_plan_sprt, ["stats", "plan", "sprt", "--help"]);

snapshot!(stats_rate, ["stats", "rate", "37", "100"]);
snapshot!(stats_rate_at_another_level, ["stats", "rate", "999", "1000", "--level", "0.999"]);
snapshot!(stats_rate_of_nothing, ["stats", "rate", "0", "0"]);
snapshot!(stats_rate_json, ["stats", "rate", "0", "10", "--json"]);
snapshot!(stats_sequence, ["stats", "sequence", "0", "20"]);
snapshot!(help_of_stats_slope, ["stats", "slope", "--help"]);
/// The published wins of the seven searches of source N.
const WINS: &[(&str, &[u8])] = &[("wins.csv", include_bytes!("data/source-n-wins.csv"))];

snapshot!(stats_slope, WINS, ["stats", "slope", "wins.csv"], "");
snapshot!(
    stats_slope_of_a_part_json,
    WINS,
    ["stats", "slope", "wins.csv", "--from", "35", "--to", "49", "--level", "0.9", "--json"],
    ""
);
snapshot!(stats_slope_of_nothing, WINS, ["stats", "slope", "wins.csv", "--from", "100"], "");
snapshot!(stats_slope_of_two_points, WINS, ["stats", "slope", "wins.csv", "--from", "98"], "");
snapshot!(
    stats_slope_of_words,
    &[("series.csv", b"x,y\n1,2\n2,two\n" as &[u8])],
    ["stats", "slope", "series.csv"],
    ""
);
snapshot!(stats_two, ["stats", "two", "56", "70", "48", "80"]);
snapshot!(stats_two_json, ["stats", "two", "56", "70", "48", "80", "--json"]);
snapshot!(stats_paired, ["stats", "paired", "20", "12", "2", "16"]);
snapshot!(stats_paired_json, ["stats", "paired", "40", "0", "0", "60", "--json"]);

snapshot!(stats_pairs, ["stats", "pairs", "75", "64", "63", "54", "34"]);
snapshot!(stats_pairs_all_won, ["stats", "pairs", "0", "0", "0", "0", "9"]);
snapshot!(stats_pairs_json, ["stats", "pentanomial", "0", "0", "0", "0", "9", "--json"]);
snapshot!(stats_elo, ["stats", "elo", "36027", "68692", "36433"]);

const SPRT: [&str; 8] = ["stats", "sprt", "--elo0", "0", "--elo1", "2", "--model", "normalized"];

fn with<'a>(first: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [first, rest].concat()
}

snapshot!(stats_sprt, with(&SPRT, &["365", "16618", "36229", "16974", "390"]));
snapshot!(stats_sprt_of_games, with(&SPRT, &["36027", "68692", "36433"]));
snapshot!(
    stats_sprt_decided,
    [
        "stats",
        "sprt",
        "--elo0",
        "-1.75",
        "--elo1=0.25",
        "--model=normalized",
        "127",
        "4883",
        "10712",
        "5150",
        "104"
    ]
);
snapshot!(
    stats_sprt_json,
    ["stats", "sprt", "--elo0", "0.5", "--elo1", "2.5", "223", "9863", "21279", "10037", "246", "--json"]
);

snapshot!(
    stats_bradley_terry,
    &[],
    ["stats", "bradley-terry", "-"],
    ",tree,flat,random\ntree,0,60,75\nflat,40,0,58\nrandom,25,42,0\n"
);
snapshot!(
    stats_bradley_terry_with_the_prior,
    &[("points.csv", b"0,10,10\n0,0,5.5\n0,4.5,0\n" as &[u8])],
    ["stats", "bradley-terry", "points.csv"],
    ""
);
snapshot!(stats_bradley_terry_json, &[], ["stats", "bradley-terry", "-", "--json"], "0,3\n1,0\n");

snapshot!(stats_holm, ["stats", "holm", "0.001", "0.008", "0.039", "0.041", "0.042", "0.00001"]);
snapshot!(stats_bh, ["stats", "bh", "0.001", "0.008", "0.039", "0.041", "0.042", "0.06"]);
snapshot!(stats_holm_json, ["stats", "holm", "0.25", "0.125", "1", "--json"]);

snapshot!(stats_plan_half_width, ["stats", "plan", "half-width", "0.03"]);
snapshot!(stats_plan_arms, ["stats", "plan", "arms", "0.50", "0.55"]);
snapshot!(help_of_stats_plan_match, ["stats", "plan", "match", "--help"]);
snapshot!(stats_plan_match, ["stats", "plan", "match", "0.50", "0.52"]);
snapshot!(stats_plan_match_json, ["stats", "plan", "match", "0.6", "0.55", "--draws", "0.3", "--json"]);
snapshot!(stats_plan_match_of_too_many_draws, ["stats", "plan", "match", "0.5", "0.8", "--draws", "0.6"]);
snapshot!(stats_plan_match_of_no_pilot, ["stats", "plan", "match", "--pilot", "nowhere"]);

/// The test that a plan names has the errors of the one that `match --sprt` plays, whatever its own level and power.
#[test]
fn a_plan_of_a_match_has_the_errors_of_its_test() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        let (code, out, err) = shikou("stats_plan_errors", &[], &with(arguments, &["--json"]), "");
        assert_eq!(code, 0, "{err}");
        serde_json::from_str(&out).unwrap()
    };
    let tested = json(&["stats", "plan", "sprt", "--elo0", "0", "--elo1", "13.9"]);
    let expected = [0, 2].map(|truth| tested["truths"][truth]["expected"].as_f64().unwrap().ceil() as u64);
    for power in ["0.8", "0.9"] {
        let planned = json(&["stats", "plan", "match", "0.50", "0.52", "--power", power, "--level", "0.9"]);
        assert_eq!(planned["sprt"]["expected_pairs"], serde_json::json!(expected));
    }
    let manifest = crate::support::manifest(
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 9\nopenings.random-plies = 1\n\
         stopping.sprt = { between = [\"random\", \"uct@9\"], elo0 = 0, elo1 = 13.9 }\nplayer = [\"random\", \"uct@9\"]\n",
    );
    let Some(StoppingRule::Sprt { bounds, .. }) = &manifest.experiments()[0].stopping else {
        panic!("it has a test")
    };
    assert_eq!(tested["bounds"], serde_json::to_value(bounds).unwrap());
}

/// A pilot that shows no difference plans nothing without the points to be found.
#[test]
fn a_pilot_without_a_difference_asks_for_points() {
    let game = ["match", "tic-tac-toe", "random", "random", "--games", "4", "--seed", "6", "--save", "p"];
    let (code, _, err) = shikou("stats_pilot", &[], &game, "");
    assert_eq!(code, 0, "{err}");
    let of = |points: &[&str]| {
        let plan = ["stats", "plan", "match"];
        shikou_there("stats_pilot", &[&plan[..], points, &["--pilot", "p"]].concat())
    };
    let (code, _, err) = of(&[]);
    let words = "error: the pilot shows 0.5 points a game, no difference from 0.5; give the points to be found: shikou stats \
                 plan match 0.50 0.53 --pilot p";
    assert!(code == 2 && err.contains(words), "{err}");
    assert_eq!(of(&["0.50", "0.53"]).0, 0);
}

/// The words that are tried first lead to the plan of a match.
#[test]
fn first_guesses_plan_a_match() {
    let of = |words: &[&str]| shikou("stats_power", &[], &with(words, &["0.50", "0.52"]), "");
    let expected = of(&["stats", "plan", "match"]);
    assert_eq!(expected.0, 0);
    for word in ["plan", "power", "samplesize", "sample-size"] {
        assert_eq!(of(&["stats", word]), expected, "{word}");
    }
}

snapshot!(stats_plan_paired, ["stats", "plan", "paired", "0.15", "0.05"]);
snapshot!(stats_plan_paired_json, ["stats", "plan", "paired", "0.15", "0.05", "--power", "0.9", "--json"]);
snapshot!(
    stats_plan_sprt,
    [
        "stats", "plan", "sprt", "--elo0", "0", "--elo1", "5", "--unit", "games", "--elo", "0", "--elo",
        "2.5", "--elo", "10"
    ]
);
snapshot!(
    stats_plan_sprt_normalized,
    ["stats", "plan", "sprt", "--elo0", "0", "--elo1", "5", "--model", "normalized", "--alpha", "0.01"]
);
snapshot!(
    stats_plan_sprt_json,
    ["stats", "plan", "sprt", "--elo0", "0", "--elo1", "5", "--elo", "-3", "--json"]
);

snapshot!(stats_of_nothing, ["stats"]);
snapshot!(stats_unknown, ["stats", "wald", "1", "2"]);
snapshot!(stats_more_successes_than_trials, ["stats", "rate", "11", "10"]);
snapshot!(stats_second_of_two_impossible, ["stats", "two", "1", "2", "4", "3"]);
snapshot!(stats_negative_count, ["stats", "paired", "20", "12", "-2", "16"]);
snapshot!(stats_fractional_count, ["stats", "rate", "1.5", "10"]);
snapshot!(stats_enormous_count, ["stats", "rate", "1", "99999999999999999999"]);
snapshot!(stats_no_number, ["stats", "elo", "ten", "3", "4"]);
snapshot!(stats_level_of_one, ["stats", "rate", "1", "2", "--level", "1"]);
snapshot!(stats_level_in_percent, ["stats", "rate", "1", "2", "--level", "95"]);
snapshot!(stats_four_pairs, ["stats", "pairs", "1", "2", "3", "4"]);
snapshot!(stats_two_of_nothing, ["stats", "two", "0", "0", "1", "2"]);
snapshot!(stats_paired_of_nothing, ["stats", "paired", "0", "0", "0", "0"]);
snapshot!(stats_nothing_played, ["stats", "pairs", "0", "0", "0", "0", "0"]);
snapshot!(stats_sprt_of_four, with(&SPRT, &["1", "2", "3", "4"]));
snapshot!(stats_sprt_turned_round, ["stats", "sprt", "--elo0", "5", "--elo1", "0", "1", "2", "3"]);
snapshot!(stats_sprt_alpha, ["stats", "sprt", "--elo0", "0", "--elo1", "5", "--alpha", "0.7", "1", "2", "3"]);
snapshot!(stats_sprt_too_far, ["stats", "sprt", "--elo0", "0", "--elo1", "5000", "1", "2", "3"]);
snapshot!(stats_sprt_not_finite, ["stats", "sprt", "--elo0", "0", "--elo1", "inf", "1", "2", "3"]);
snapshot!(
    stats_sprt_model,
    ["stats", "sprt", "--elo0", "0", "--elo1", "5", "--model", "bayes", "1", "2", "3"]
);
snapshot!(stats_p_above_one, ["stats", "holm", "0.5", "1.5"]);
snapshot!(stats_no_p, ["stats", "bh"]);
snapshot!(stats_plan_equal_rates, ["stats", "plan", "arms", "0.5", "0.5"]);
snapshot!(stats_plan_shares_above_one, ["stats", "plan", "paired", "0.7", "0.6"]);
snapshot!(stats_plan_no_width, ["stats", "plan", "half-width", "0"]);
snapshot!(stats_plan_variance, ["stats", "plan", "sprt", "--elo0", "0", "--elo1", "5", "--variance", "-1"]);
snapshot!(stats_bradley_terry_no_file, ["stats", "bradley-terry", "nowhere.csv"]);

/// A snapshot of the error of an invalid table of points.
macro_rules! table {
    ($name:ident, $text:expr) => {
        snapshot!($name, &[], ["stats", "bradley-terry", "-"], $text);
    };
}

table!(stats_table_empty, "");
table!(stats_table_of_one, "0\n");
table!(stats_table_not_square, "0,1,2\n3,0,4\n");
table!(stats_table_short_row, "0,1,2\n3,0\n1,2,0\n");
table!(stats_table_negative, "0,1\n-1,0\n");
table!(stats_table_no_number, ",a,b\na,0,x\nb,1,0\n");
table!(stats_table_of_nothing, "0,0\n0,0\n");
table!(stats_table_of_one_name_twice, ",a,a\na,0,60\na,40,0\n");
table!(stats_table_of_groups, ",a,b,c,d\na,0,60,0,0\nb,40,0,0,0\nc,0,0,0,55\nd,0,0,45,0\n");
table!(stats_table_names_in_another_order, ",a,b\nb,0,2\na,1,0\n");

/// Every JSON output can be parsed and names its command and schema.
#[test]
fn stats_json_has_a_command_and_a_schema() {
    for arguments in [
        &["rate", "3", "7"] as &[&str],
        &["sequence", "3", "7"],
        &["two", "0", "1", "1", "1"],
        &["paired", "0", "0", "0", "1"],
        &["elo", "0", "0", "1"],
        &["holm", "0"],
        &["plan", "arms", "0.1", "0.2"],
    ] {
        let arguments = [&["stats"], arguments, &["--json"]].concat();
        let (code, out, err) = shikou("stats_json", &[], &arguments, "");
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["schema"], 3);
        let command = json["command"].as_str().unwrap();
        assert!(arguments.join(" ").starts_with(command), "{command}");
    }
}
