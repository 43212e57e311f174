//! The commands `shikou exact`, `prove`, `diverge` and `explain`.

use crate::cli::{shikou, snapshot};

const MANIFEST: &str = "schema = 1
[[experiment]]
game = \"tic-tac-toe\"
trials = 1
player = [
  { name = \"corners first\", search.rules = { list = \"3-0-0: 3; 0-2-1: -9; corner: 1\" } },
  { name = \"anything\", search = \"random\" },
]
";

snapshot!(help_of_exact, ["exact", "--help"]);
snapshot!(help_of_prove, ["prove", "--help"]);
snapshot!(help_of_diverge, ["diverge", "--help"]);
snapshot!(help_of_explain, ["explain", "--help"]);
snapshot!(exact_two, ["exact", "tic-tac-toe", "ai12s", "random"]);
snapshot!(
    exact_against_with_best,
    ["exact", "tic-tac-toe", "ai12s", "ai12s-v3", "--against", "ai2", "--best"]
);
snapshot!(
    exact_missed,
    ["exact", "tic-tac-toe", "ai12s", "ai14s", "--against", "random", "--best", "--missed", "3"]
);
snapshot!(
    exact_missed_json,
    ["exact", "tic-tac-toe", "ai12s", "--against", "random", "--best", "--missed", "1", "--json"]
);
snapshot!(exact_same, ["exact", "tic-tac-toe", "ai12s-v1", "ai12s", "--same"]);
snapshot!(exact_different, ["exact", "tic-tac-toe", "ai12s", "ai12s-v3", "--same"]);
snapshot!(exact_different_json, ["exact", "tic-tac-toe", "ai2", "ai3", "--same", "--json"]);
snapshot!(exact_same_of_three, ["exact", "tic-tac-toe", "ai1", "ai8s", "ai12s", "--same"]);
snapshot!(
    exact_same_with_chance,
    ["exact", "random-tree", "--option", "chance-every=2", "expectimax(depth=full)", "random", "--same"]
);
snapshot!(
    exact_same_solitaire,
    [
        "exact",
        "calculation",
        "--option",
        "ranks=3",
        "--option",
        "suits=1",
        "random",
        "foundation-first",
        "--same"
    ]
);
snapshot!(
    exact_same_of_one,
    ["exact", "calculation", "--option", "ranks=3", "--option", "suits=1", "random", "--same"]
);
snapshot!(exact_same_of_a_search, ["exact", "tic-tac-toe", "ai12s", "uct@playouts=10", "--same"]);
snapshot!(
    exact_named_numbers,
    ["exact", "tic-tac-toe", "rules(list=ai12s,numbers=(win=200))", "ai12s-v3", "--same"]
);
snapshot!(exact_unknown_number, ["exact", "tic-tac-toe", "rules(list=ai12s,numbers.wins=200)", "ai2"]);
snapshot!(exact_soonest, ["exact", "tic-tac-toe", "minimax(depth=full,ties=soonest)", "random"]);
snapshot!(exact_soonest_to_a_depth, ["exact", "othello", "minimax(depth=2,ties=soonest)", "random"]);
snapshot!(exact_soonest_with_cuts, ["exact", "tic-tac-toe", "alpha-beta(depth=full,ties=soonest)", "random"]);
snapshot!(
    solve_soonest_with_chance,
    ["solve", "calculation", "--option", "ranks=5", "--option", "suits=1", "--soonest"]
);
snapshot!(exact_all_pairs, ["exact", "tic-tac-toe", "ai1", "ai8s", "ai12s"]);
snapshot!(exact_json, ["exact", "tic-tac-toe", "ai12s", "random", "--json"]);
snapshot!(
    exact_solitaire,
    ["exact", "calculation", "--option", "ranks=5", "--option", "suits=1", "foundation-first", "random"]
);
snapshot!(
    exact_in_a_manifest,
    &[("players.toml", MANIFEST.as_bytes())],
    ["exact", "players.toml", "corners first", "anything"],
    ""
);
snapshot!(exact_too_large, ["exact", "othello", "random", "random", "--most", "1000"]);
snapshot!(exact_of_a_search, ["exact", "tic-tac-toe", "uct@playouts=10", "random"]);
snapshot!(exact_of_nobody, ["exact", "tic-tac-toe"]);
snapshot!(
    exact_ladder_of_a_game_without_lists,
    ["exact", "calculation", "--ladder", "--option", "ranks=3", "--option", "suits=2"]
);
snapshot!(exact_unknown_player, ["exact", "tic-tac-toe", "ai12z", "random"]);
snapshot!(proof, ["prove", "tic-tac-toe", "ai12s"]);
snapshot!(refutation, ["prove", "tic-tac-toe", "ai11s-v3"]);
snapshot!(refutation_of_a_position, ["prove", "tic-tac-toe", "ai12s-v3", "--every-position"]);
snapshot!(refutation_json, ["prove", "tic-tac-toe", "ai11s-v3", "--json"]);
snapshot!(proof_with_chance, ["prove", "calculation", "random"]);
snapshot!(divergence, ["diverge", "tic-tac-toe", "ai12s", "ai12s-v3", "--against", "random"]);
snapshot!(
    divergence_counted,
    [
        "diverge",
        "tic-tac-toe",
        "ai12s",
        "ai12s-v3",
        "--from",
        "31",
        "--seeds",
        "20",
        "--all",
        "--seat",
        "first"
    ]
);
snapshot!(divergence_json, ["diverge", "tic-tac-toe", "ai12s", "ai12s-v3", "--from", "31", "--json"]);
snapshot!(no_divergence, ["diverge", "tic-tac-toe", "ai12s", "ai12s", "--seeds", "10"]);
snapshot!(divergence_too_large, ["diverge", "othello", "random", "greedy", "--most", "1000"]);
snapshot!(divergence_of_a_search, ["diverge", "tic-tac-toe", "uct@playouts=10", "random"]);
snapshot!(
    divergence_judged,
    [
        "diverge",
        "othello",
        "minimax(depth=3)",
        "greedy",
        "--option",
        "size=6",
        "--judge",
        "minimax(depth=4)",
        "--seat",
        "first"
    ]
);
snapshot!(
    divergence_of_a_solitaire,
    [
        "diverge",
        "calculation",
        "king-rules",
        "foundation-first",
        "--judge",
        "flat(playouts-per-move=100,policy=foundation-first)",
        "--json"
    ]
);
snapshot!(
    divergence_judged_by_bounds,
    ["diverge", "tic-tac-toe", "ai2", "ai3", "--judge", "alpha-beta(depth=full)"]
);
snapshot!(divergence_judged_by_a_policy, ["diverge", "tic-tac-toe", "ai2", "ai3", "--judge", "random"]);
snapshot!(
    divergence_of_a_solitaire_against,
    ["diverge", "calculation", "random", "random", "--against", "random"]
);

#[test]
fn seeds_that_do_not_exist_are_refused() {
    let game = ["diverge", "tic-tac-toe", "ai12s", "ai12s"];
    let refused = |test: &str, seeds: &[&str]| {
        let (code, out, err) = shikou(test, &[], &[&game, seeds].concat(), "");
        assert_eq!((code, out.as_str()), (2, ""));
        err
    };
    assert!(refused("no-seeds", &["--seeds", "0"]).contains("--seeds"));
    let last = u64::MAX.to_string();
    assert!(
        refused("seeds-beyond", &["--from", &last, "--seeds", "2"]).contains("a smaller --from or --seeds")
    );
    let (code, _, err) =
        shikou("last-seed", &[], &[&game[..], &["--from", &last, "--seeds", "1"]].concat(), "");
    assert_eq!((code, err.as_str()), (0, ""));
}

/// On a command line the advice is in command-line syntax, in a manifest in TOML.
#[test]
fn a_missing_budget_is_advised_where_it_is_read() {
    let (code, _, err) = shikou("no-budget", &[], &["exact", "tic-tac-toe", "uct", "random"], "");
    assert_eq!(code, 2);
    assert!(err.contains("write for example uct@playouts=1000") && !err.contains('{'), "{err}");
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [{ search = \"uct\" }, { search = \"random\" }]\n";
    let plan = shikou::experiment::Plan::new(&crate::support::manifest(text));
    let message = plan.err().unwrap().to_string();
    assert!(message.contains("write for example budget = { playouts = 1000 }"), "{message}");
}

/// A manifest selects the game of its first experiment, and a name one of its players.
#[test]
fn a_name_of_another_game_and_a_name_of_two_players_are_refused() {
    let manifest = "schema = 1
[[experiment]]
name = \"one\"
game = \"tic-tac-toe\"
trials = 1
player = [{ name = \"lines\", search.rules = { list = \"ai2\" } }, { name = \"anything\", search = \"random\" }]
[[experiment]]
name = \"two\"
game = \"calculation\"
trials = 1
player = [{ name = \"builds\", search.policy = { policy = \"foundation-first\" } }]
[[experiment]]
name = \"three\"
game = \"tic-tac-toe\"
trials = 1
player = [{ name = \"lines\", search.rules = { list = \"ai3\" } }, { name = \"anything\", search = \"random\" }]
";
    let files = [("three.toml", manifest.as_bytes())];
    let refused = |test: &str, players: &[&str]| {
        let (code, _, err) = shikou(test, &files, &[&["exact", "three.toml"], players].concat(), "");
        assert_eq!(code, 2);
        err
    };
    let err = refused("name-elsewhere", &["builds", "anything"]);
    assert!(err.contains("`builds` plays calculation in the manifest"), "{err}");
    for (test, players) in
        [("name-of-two", ["lines", "anything"]), ("ladder-of-two", ["anything", "--ladder"])]
    {
        let err = refused(test, &players);
        assert!(
            err.contains("different players `lines`") && err.contains("ai2") && err.contains("ai3"),
            "{err}"
        );
    }
    let (code, _, err) =
        shikou("name-of-one", &files, &["exact", "three.toml", "anything", "rules(list=ai2)"], "");
    assert_eq!((code, err.as_str()), (0, ""));
}

/// A judge that searches to the end finds what the enumeration finds.
#[test]
fn a_full_search_judges_as_exact_values_do() {
    let game = ["diverge", "tic-tac-toe", "ai12s", "ai12s-v3", "--seat", "first", "--json"];
    let find = |test: &str, more: &[&str]| -> serde_json::Value {
        let (code, out, err) = shikou(test, &[], &[&game, more].concat(), "");
        assert_eq!((code, err.as_str()), (0, ""));
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["divergence"].take()
    };
    let (exact, judged) = (find("exact-judge", &[]), find("full-judge", &["--judge", "minimax(depth=full)"]));
    assert_eq!((&exact["seed"], &exact["games"]), (&judged["seed"], &judged["games"]));
    // Every position that both show has the same values.
    let mut compared = 0;
    for position in judged["positions"].as_array().unwrap() {
        let same = |other: &&serde_json::Value| other["position"] == position["position"];
        let Some(known) = exact["positions"].as_array().unwrap().iter().find(same) else { continue };
        for mv in position["moves"].as_array().unwrap() {
            let same = |other: &&serde_json::Value| other["move"] == mv["move"];
            let known = known["moves"].as_array().unwrap().iter().find(same).unwrap();
            assert_eq!(
                known["value"].as_str().unwrap().parse::<f64>().unwrap(),
                mv["judged"].as_f64().unwrap()
            );
            compared += 1;
        }
    }
    // The position where they diverge, and the one where the third version gives the win away.
    assert_eq!(compared, 5 + 3);
    assert_eq!(judged["gives_away"][1][6], 1.0);
    assert_eq!(judged["gives_away"][0], serde_json::json!([0.0, null, 0.0, null, 0.0]));
}

/// A move from a pile keeps the turn, so it may be a chance turn in one game and a player's in the other.
#[test]
fn each_game_lists_its_players() {
    let arguments =
        ["diverge", "calculation", "king-rules", "foundation-first", "--judge", "flat(playouts-per-move=50)"];
    let (code, out, _) = shikou("which-players", &[], &arguments, "");
    assert_eq!(code, 0);
    let rows: Vec<&str> = out.lines().filter(|line| line.contains("  the two / chance  ")).collect();
    assert!(!rows.is_empty() && out.contains("  chance / the two  "), "{out}");
}

/// A single playout tries one move.
#[test]
fn a_move_that_the_judge_never_tried_has_no_value() {
    let arguments = ["diverge", "tic-tac-toe", "ai12s", "random", "--judge", "uct@playouts=1"];
    let (code, out, _) = shikou("untried-json", &[], &[&arguments[..], &["--json"]].concat(), "");
    assert_eq!(code, 0);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let positions = found["divergence"]["positions"].as_array().unwrap();
    let judged: Vec<_> = positions[0]["moves"].as_array().unwrap().iter().map(|mv| &mv["judged"]).collect();
    assert!(judged[0].is_number() && judged[1..].iter().all(|value| value.is_null()), "{judged:?}");
    for position in positions {
        for (player, plays) in position["plays"].as_array().unwrap().iter().enumerate() {
            let same = |mv: &&serde_json::Value| mv["move"] == *plays;
            let mv = position["moves"].as_array().unwrap().iter().find(same).unwrap();
            assert_eq!(mv["judged"].is_null(), position["gives_away"][player].is_null());
        }
    }
    let (_, out, _) = shikou("untried", &[], &arguments, "");
    assert!(out.contains(", which the judge never tried"), "{out}");
}

snapshot!(explanation, ["explain", "tic-tac-toe", "ai12s", "b2 c3 b3"]);
snapshot!(explanation_json, ["explain", "tic-tac-toe", "ai6", "xo------- x", "--json"]);
snapshot!(explanation_of_a_policy_at_a_turn_of_chance, ["explain", "calculation", "king-rules"]);
snapshot!(explanation_of_a_search, ["explain", "tic-tac-toe", "flat(playouts-per-move=10)"]);
snapshot!(explanation_of_a_tree, ["explain", "tic-tac-toe", "uct@1000", "b2 a1"]);
snapshot!(explanation_of_exact_values, ["explain", "tic-tac-toe", "minimax(depth=full)", "xo------- x"]);
snapshot!(explanation_of_no_search, ["explain", "tic-tac-toe", "random", "xo------- x"]);
snapshot!(rules_that_cannot_be_read, ["exact", "tic-tac-toe", "rules(list=\"2-0-2: 1\")", "random"]);
snapshot!(rules_of_a_game_without_patterns, ["exact", "calculation", "rules(list=\"up: 1\")"]);

/// Three moves win, one of them at once.
#[test]
fn of_the_best_moves_the_soonest_can_be_asked_for() {
    let best = |more: &[&str]| {
        let game = ["solve", "tic-tac-toe", "b2 b1 a1 a2", "--json"];
        let (code, out, err) = shikou("soonest", &[], &[&game, more].concat(), "");
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["best"].to_string()
    };
    assert_eq!(best(&[]), r#"["c1","a3","c3"]"#);
    assert_eq!(best(&["--soonest"]), r#"["c3"]"#);
}
