//! Output for programs: JSON and CSV without traps.

use serde_json::Value;

use crate::cli::shikou;

#[track_caller]
fn out(test: &str, arguments: &[&str]) -> String {
    let (code, out, err) = shikou(test, &[], arguments, "");
    assert_eq!(code, 0, "{err}");
    out
}

#[track_caller]
fn json(test: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(&out(test, &[arguments, &["--json"]].concat())).unwrap()
}

/// Three playouts leave a move untried: nothing is known of it. The worst payoff is no value.
#[test]
fn a_move_without_a_visit_has_no_value() {
    let found =
        json("json_visits", &["analyze", "othello", "", "--option", "reward=score", "--search", "uct@3"]);
    let moves = found["decisions"].as_array().unwrap().iter().flat_map(|at| at["moves"].as_array().unwrap());
    let (mut tried, mut untried) = (0, 0);
    for of in moves {
        let is_tried = of["visits"].as_u64() > Some(0);
        assert_eq!((of["value"].is_number(), of["standard_error"].is_number()), (is_tried, is_tried), "{of}");
        *(if is_tried { &mut tried } else { &mut untried }) += 1;
    }
    assert!(tried > 0 && untried > 0, "{found}");
}

/// JavaScript and jq read 9007199254740993 as 9007199254740992.
#[test]
fn a_seed_that_is_no_double_is_text() {
    let of =
        |seed: &str| json("json_seed", &["analyze", "tic-tac-toe", "", "--search", "flat", "--seed", seed]);
    assert_eq!(of("9007199254740993")["seed"], "9007199254740993");
    assert_eq!(of("9007199254740992")["seed"], 9_007_199_254_740_992_u64);
}

/// A finished position is worth what the side to move has of it, as every other one.
#[test]
fn a_finished_position_has_the_value_of_the_side_to_move() {
    let board = "X".repeat(64);
    let solved = |game: &str, position: &str| json("json_over", &["solve", game, position]);
    for (side, value) in [("X", 64), ("O", -64)] {
        let found = solved("othello", &format!("{board} {side}"));
        assert_eq!((&found["value"], &found["value_of"]), (&value.into(), &"side-to-move".into()), "{side}");
        let line = format!("{board} {side}; pass:{value}\n");
        let (code, out, _) = shikou("json_over_file", &[], &["solve", "othello", "--file", "-"], &line);
        assert_eq!(code, 0, "{out}");
    }
    assert_eq!(solved("tic-tac-toe", "xxxoo---- o")["value"], -1);
    let (_, text, _) = shikou("json_over_text", &[], &["solve", "tic-tac-toe", "xxxoo---- o"], "");
    assert!(text.contains("-1 for the side to move"), "{text}");
}

/// Two perfect players have a margin of 0, from either side, and a ratio that rounds to 0 has no sign.
#[test]
fn zero_has_no_sign() {
    let two = ["minimax(depth=full)", "alpha-beta(depth=full)"];
    let found = out("json_zero", &["match", "tic-tac-toe", two[0], two[1], "--games", "2", "--json"]);
    assert!(!found.contains("-0.0"), "{found}");
    let found = out("json_zero_ratio", &["stats", "sprt", "--elo0=-5", "--elo1", "5", "1", "2", "1"]);
    assert!(!found.contains("-0.000000"), "{found}");
}

/// Counts of a match go from the worst result to the best, under their names.
#[test]
fn counts_of_a_match_are_named() {
    let counts = |arguments: &[&str]| {
        let found = json("json_counts", &[&["stats"], arguments].concat());
        found["counts"].to_string()
    };
    let games = r#"{"drawn":2,"lost":1,"unit":"games","won":3}"#;
    assert_eq!(counts(&["elo", "1", "2", "3"]), games);
    assert_eq!(counts(&["sprt", "--elo0", "0", "--elo1", "5", "1", "2", "3"]), games);
    let pairs = r#"{"DD+WL":3,"LD":2,"LL":1,"WD":4,"WW":5,"unit":"pairs"}"#;
    assert_eq!(counts(&["pairs", "1", "2", "3", "4", "5"]), pairs);
    let found = json("json_elo", &["stats", "elo", "1", "2", "3"]);
    assert_eq!(found["points"]["value"], 2.0 / 3.0);
}

/// An estimate after a test is one of counts at which a test can stop. 3300 games won are 55 more than those of its bound.
#[test]
fn an_estimate_needs_counts_at_which_a_test_can_stop() {
    let test =
        ["stats", "sprt", "--elo0", "0", "--elo1", "10", "--alpha", "0.01", "--beta", "0.01", "3000", "4000"];
    let found = |won: &str| json("json_sprt", &[&test[..], &[won]].concat());
    for (won, verdict, can) in
        [("3244", "inconclusive", false), ("3245", "accept-h1", true), ("3300", "accept-h1", false)]
    {
        let found = found(won);
        assert_eq!((&found["verdict"], &found["can_have_stopped"]), (&verdict.into(), &can.into()), "{won}");
        assert_eq!(found["median_unbiased_elo"].is_null(), !can, "{won}");
    }
    let (_, text, _) = shikou("json_sprt_text", &[], &[&test[..], &["3300"]].concat(), "");
    assert!(text.contains("stops before these counts"), "{text}");
}

/// 400·log₁₀(60/40) and 400·log₁₀(55/45), and nothing between those that never met.
#[test]
fn ratings_of_groups_that_never_met_are_apart() {
    let table = ",a,b,c,d\na,0,60,0,0\nb,40,0,0,0\nc,0,0,0,55\nd,0,0,45,0\n";
    let (_, out, _) = shikou("json_groups", &[], &["stats", "bradley-terry", "-", "--json"], table);
    let found: Value = serde_json::from_str(&out).unwrap();
    let differences = found["differences"].as_array().unwrap();
    let of = |at: usize| {
        let of = &differences[at];
        (of["first"].as_str().unwrap(), of["second"].as_str().unwrap(), of["value"].as_f64().unwrap())
    };
    let (first, second) = (of(0), of(1));
    assert!(differences.len() == 2 && found["prior"] == false, "{found}");
    assert!((first.0, first.1) == ("a", "b") && (first.2 - 70.436504).abs() < 1e-6, "{first:?}");
    assert!((second.0, second.1) == ("c", "d") && (second.2 - 34.860070).abs() < 1e-6, "{second:?}");
}

/// An answer of several tables is one table in CSV: every row has all columns, so that a reader needs no option.
#[test]
fn the_tables_of_an_answer_are_one_in_csv() {
    for arguments in [
        &["pairs", "75", "64", "63", "54", "34"] as &[&str],
        &["elo", "1", "2", "3"],
        &["rate", "3", "7"],
        &["two", "56", "70", "48", "80"],
        &["paired", "20", "12", "2", "16"],
        &["sprt", "--elo0", "0", "--elo1", "5", "1", "2", "3"],
        &["holm", "0.1", "0.2"],
    ] {
        let text = out("csv_stats", &[&["stats"], arguments, &["--format", "csv"]].concat());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        assert!(!rows.is_empty() && !text.contains("\n\n"), "{arguments:?}\n{text}");
        if arguments[0] == "sprt" {
            assert_eq!(&columns[0], "table");
            let tables: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
            assert!(tables.first() == Some(&"test") && tables.last() == Some(&"estimate"), "{text}");
        }
    }
}
