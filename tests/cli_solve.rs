//! `shikou solve`: positions, files of positions with values, other games, and refusals.

use shikou::games::othello::Othello;
use shikou::search::{Limits, Meter, SolveSettings, solve};

use crate::cli::shikou;

/// The output of `shikou solve … --json`, and its exit code.
fn solve_json(test: &str, arguments: &[&str], input: &str) -> (i32, serde_json::Value) {
    let arguments = [&["solve"], arguments, &["--json"]].concat();
    let (code, out, err) = shikou(test, &[], &arguments, input);
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}")))
}

#[test]
fn the_command_solves_a_position_that_begins_with_a_dash() {
    let board = "-O-XXXXX--OXXOOXX-OXOOXXXOXOOOOXXOXOOOOXXXOOOOOXX-OOOXXX-OOOOOXX X";
    let game = Othello::default().with_reward_score().with_empties_to_winner();
    let (at, settings) = (game.parse_board(board).unwrap(), SolveSettings::new(16 << 20));
    let expected = solve(&game, &at, &settings, &mut Meter::new(Limits::default())).unwrap();
    for arguments in [&["othello", board][..], &["othello", &board[..64], "X", "--threads", "1"]] {
        let (code, json) = solve_json("solve_dash", arguments, "");
        assert_eq!((code, json["position"].as_str()), (0, Some(board)));
        assert_eq!(json["value"].as_i64(), Some(expected.value as i64));
        let moves = |name: &str| -> Vec<String> {
            json[name].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().into()).collect()
        };
        assert_eq!(moves("best"), expected.best.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(moves("line")[0], expected.line[0].to_string());
        assert!(json["nodes"].as_u64() > Some(0) && json["wall_ns"].as_u64() > Some(0));
    }
}

#[test]
fn the_command_solves_other_games_and_rejects_invalid_positions() {
    let (_, json) = solve_json("solve_ttt", &["tic-tac-toe", "xo-------"], "");
    assert_eq!((json["value"].as_i64(), json["position"].as_str()), (Some(1), Some("xo------- x")));
    let (_, json) = solve_json("solve_transcript", &["tic-tac-toe", "b2"], "");
    assert_eq!(json["value"].as_i64(), Some(0));
    // Solved by tournament rules, unless an option differs.
    let four = ["othello", "--option", "size=4", ""];
    let (_, json) = solve_json("solve_4x4", &four, "");
    assert_eq!(json["value"].as_i64(), Some(-10));
    for (option, value) in [("empties=nobody", -8), ("reward=success", -1)] {
        let (_, json) = solve_json("solve_4x4_option", &[&four[..], &["--option", option]].concat(), "");
        assert_eq!(json["value"].as_i64(), Some(value));
    }
    let (_, json) = solve_json("solve_chance", &["random-tree", "--option", "chance-every=3", "0"], "");
    assert!(json["value"].is_number() && json["line"].as_array().unwrap().len() == 1);
    for (text, reason) in [("xxxxx----", "as many marks"), ("--O", "is not a board")] {
        let (code, _, err) = shikou("solve_error", &[], &["solve", "tic-tac-toe", text], "");
        assert!(code == 2 && err.contains(reason), "{err}");
    }
    let (code, _, err) =
        shikou("solve_chance_turn", &[], &["solve", "random-tree", "--option", "chance-every=1", ""], "");
    assert!(code == 2 && err.contains("chance's turn"), "{err}");
}

#[test]
fn the_command_solves_a_file_and_compares_its_values() {
    let line = "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; G5:+0; G2:-2;";
    let (code, json) = solve_json("solve_file", &["othello", "--file", "-"], &format!("{line}\n\n"));
    assert_eq!((code, json["wrong"].as_u64(), json["positions"].as_array().unwrap().len()), (0, Some(0), 1));
    let wrong = line.replace("+0", "+4");
    let (code, json) = solve_json("solve_wrong", &["othello", "--file", "-"], &wrong);
    assert_eq!((code, json["wrong"].as_u64()), (1, Some(1)));
    let (code, out, _) = shikou("solve_text", &[], &["solve", "othello", "--file", "-"], &wrong);
    assert!(code == 1 && out.contains("1 of them differs from the value in the file"), "{out}");
    let (code, _, err) = shikou("solve_bad", &[], &["solve", "othello", "--file", "-"], "X;");
    assert!(code == 2 && err.contains("-:1: no position"), "{err}");
}
