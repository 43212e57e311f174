//! `shikou match`: a match without a manifest, against exact values, mirrored, on any number of threads.

use serde_json::Value;
use shikou::experiment::{Plan, Record, Summary};
use shikou::stats::{Confidence, wilson};

use crate::cli::{shikou, show, without_times};

macro_rules! snapshot {
    ($name:ident, $arguments:expr) => {
        #[test]
        fn $name() {
            let (code, out, err) = shikou(stringify!($name), &[], &$arguments, "");
            insta::assert_snapshot!(show((code, without_times(&out), err)));
        }
    };
}

snapshot!(help_of_match, ["match", "--help"]);
snapshot!(match_of_two, ["match", "tic-tac-toe", "random", "flat(playouts-per-move=5)", "--games", "400"]);
snapshot!(match_without_names_of_seats, ["match", "random-tree", "random", "minimax", "--games", "100"]);
snapshot!(match_with_itself, ["match", "othello", "random", "random", "--option", "size=4", "--games", "40"]);
snapshot!(
    match_at_a_solitaire,
    [
        "match",
        "calculation",
        "flat(playouts-per-move=5,policy=foundation-first)",
        "--games",
        "20",
        "--option",
        "piles=5"
    ]
);
snapshot!(match_with_one_player, ["match", "othello", "flat"]);
snapshot!(match_of_an_odd_number, ["match", "othello", "random", "flat", "--games", "7"]);
snapshot!(match_sprt_at_a_solitaire, ["match", "calculation", "random", "--sprt", "0,20"]);
snapshot!(match_sprt_of_one_number, ["match", "othello", "random", "flat", "--sprt", "20"]);
snapshot!(match_sprt_without_numbers, ["match", "othello", "random", "flat", "--sprt"]);
snapshot!(match_with_too_many_plies, ["match", "tic-tac-toe", "random", "flat", "--openings", "9"]);
snapshot!(match_with_no_such_book, ["match", "tic-tac-toe", "random", "flat", "--openings", "book.txt"]);
snapshot!(match_with_a_misfit, ["match", "calculation", "minimax"]);
snapshot!(match_with_an_unknown_player, ["match", "othello", "random", "flatt"]);

/// While a sequential test runs, progress has the pairs that it still expects.
#[test]
fn progress_says_what_a_test_still_expects() {
    let arguments = ["match", "tic-tac-toe", "random", "random", "--games", "100", "--sprt", "-5,5"];
    let (_, _, err) = shikou("expected", &[], &[&arguments[..], &["--progress", "json"]].concat(), "");
    let last: Value = serde_json::from_str(err.lines().rfind(|line| line.starts_with('{')).unwrap()).unwrap();
    let expected = last["experiments"][0]["expected_left"].as_u64();
    assert!(expected.is_some_and(|pairs| pairs > 50), "{last}");
}

/// A script sees a warning in the exit code and by its name; a plan without one is not refused.
#[test]
fn warnings_are_denied_by_name() {
    let of = |arguments: &[&str]| shikou("denied", &[], arguments, "");
    let shallow = ["match", "othello", "alpha-beta(depth=1)@nodes=10000", "random", "--games", "2"];
    assert_eq!(of(&shallow).0, 0);
    let (code, _, err) = of(&[&shallow[..], &["--deny-warnings"]].concat());
    let named = "error: warning unspent-budget: a player spends much less than its budget\n";
    assert!(code == 1 && err.contains(named), "{code}: {err}");
    let manifest = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [\"random\", \"minimax(depth=full)\"]\n";
    let plan = |name: &str| {
        let manifest =
            manifest.replace("\"random\"", &format!("{{ name = \"{name}\", search = \"random\" }}"));
        shikou("denied", &[("m.toml", manifest.as_bytes())], &["plan", "m.toml", "--deny-warnings"], "")
    };
    assert_eq!((plan("chance").0, plan("NA").0), (0, 1));
    // The whole report of a reference warns of its machine, and the answer does not.
    let reference = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/tour");
    let read = |name: &str| std::fs::read_to_string(reference.join(name)).unwrap();
    let (summary, digests) = (read("summary.json"), read("digests.csv"));
    let host = read("host.toml").replace("build = \"release\"", "build = \"debug\"");
    let files = [("summary.json", &summary), ("digests.csv", &digests), ("host.toml", &host)];
    let files = files.map(|(name, text)| (name, text.as_bytes()));
    let report = |more: &[&str]| {
        shikou("denied-report", &files, &[&["report", ".", "--deny-warnings"], more].concat(), "")
    };
    let (code, out, err) = report(&["--full"]);
    assert!(
        code == 1 && out.contains("Warning: a debug build") && err.contains("warning debug-build"),
        "{err}"
    );
    let (code, out, _) = report(&[]);
    assert!(code == 0 && !out.contains("Warning"), "{out}");
}

/// Five searches of five playouts each: 25 playouts a game, and a mean of 8.55 ± 0.02 of ten moves by an independent program. As a
/// budget of five playouts the option would give 6.8. The seed is fixed; another one would miss it once in a thousand times.
#[test]
fn a_word_of_a_searcher_is_no_synonym() {
    let arguments = ["left-moves", "nrpa(level=2,iterations=5)", "--option", "steps=10", "--games", "2000"];
    let found = matched("match_nrpa", &arguments);
    let player = &found["players"][0];
    assert_eq!((&player["search"], &player["playouts"]), (&"nrpa(iterations=5)".into(), &50_000.into()));
    let mean = player["margin"]["value"].as_f64().unwrap();
    assert!((mean - 8.55).abs() < 0.1, "{mean}");
}

/// A search for the whole game spends nothing on the moves that follow its line, and has no depth.
#[test]
fn a_warning_of_an_unspent_budget_fits_the_searcher() {
    let warned = |test: &str, arguments: &[&str]| {
        let found = matched(test, arguments);
        let warnings = found["warnings"].as_array().unwrap().clone();
        warnings.iter().find_map(|warning| warning["unspent-budget"]["has_depth"].as_bool())
    };
    assert_eq!(warned("unspent_nrpa", &["left-moves", "nrpa@1000", "--games", "2"]), None);
    assert_eq!(
        warned("unspent_nested", &["left-moves", "nested(level=2)@1000", "--games", "2"]),
        Some(false)
    );
    let shallow = ["othello", "alpha-beta(depth=1)@nodes=10000", "random", "--games", "2"];
    assert_eq!(warned("unspent_depth", &shallow), Some(true));
}

/// `playouts` of `flat` counts for each move, and that of a budget in all. The older name is read, the new one is shown.
#[test]
fn the_older_name_of_an_option_is_read_with_advice_and_work_is_compared() {
    let arguments =
        ["match", "othello", "uct@100", "flat(playouts=100)", "--games", "4", "--option", "size=4"];
    let (_, out, err) = shikou("match_older_name", &[], &arguments, "");
    let advice = "`playouts` of flat is called `playouts-per-move`: playouts for each legal move; write \
                  flat(playouts-per-move=…). Results and digests stay the same\n";
    assert_eq!(err, advice);
    assert!(
        out.contains("flat(playouts-per-move=100) looked at 2.") && !out.contains("flat(playouts=100)"),
        "{out}"
    );
    let (_, again, err) = shikou(
        "match_new_name",
        &[],
        &["match", "othello", "uct@100", "flat(playouts-per-move=100)", "--games", "4", "--option", "size=4"],
        "",
    );
    assert_eq!((without_times(&out), ""), (without_times(&again), err.as_str()));
    // Equal work, or none, needs no word.
    for players in [["uct@100", "uct(exploration=2)@100"], ["uct@100", "random"]] {
        let (_, out, _) = shikou(
            "match_equal_work",
            &[],
            &["match", "othello", players[0], players[1], "--games", "4"],
            "",
        );
        assert!(!out.contains("times as many"), "{out}");
    }
}

/// A budget that ends before a search found anything leaves a random move, and no game out.
#[test]
fn every_player_has_a_move() {
    for player in
        ["alpha-beta(depth=full)@nodes=1", "minimax(depth=full)@nodes=1", "expectimax(depth=full)@nodes=1"]
    {
        let found = matched("match_few_nodes", &["tic-tac-toe", player, "random", "--games", "20"]);
        assert_eq!(
            (found["games"].as_u64(), found["failures"].as_array().unwrap().len()),
            (Some(20), 0),
            "{player}"
        );
    }
}

/// A match as JSON.
fn matched(test: &str, arguments: &[&str]) -> Value {
    let (code, out, err) = shikou(test, &[], &[&["match"], arguments, &["--json"]].concat(), "");
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

/// Games, then won, drawn and lost, from a side.
fn counts(side: &Value) -> (u64, [u64; 3]) {
    let counts = side["wins_draws_losses"].as_array().unwrap();
    (side["games"].as_u64().unwrap(), std::array::from_fn(|place| counts[place].as_u64().unwrap()))
}

/// Random tic-tac-toe: the first player wins 737/1260, the second 121/420, 8/63 are drawn, by enumeration. The lengths are
/// those of the 255 168 games (1440, 5328, 47 952, 72 576 and 127 872 of 5 to 9 plies), each with its probability. The
/// seed is fixed; another one would leave one of the eight intervals less than once in a thousand times.
#[test]
fn random_players_match_exact_results() {
    let found =
        matched("match_exact", &["tic-tac-toe", "random", "random", "--games", "20000", "--seed", "7"]);
    let exact = [737.0 / 1260.0, 8.0 / 63.0, 121.0 / 420.0];
    let sides = &found["meetings"][0]["sides"];
    let nearly_sure = Confidence::new(1.0 - 1e-4);
    for (side, exact) in [("first", exact), ("second", [exact[2], exact[1], exact[0]])] {
        let (games, counts) = counts(&sides[side]);
        assert_eq!(games, 10_000);
        for (count, exact) in counts.into_iter().zip(exact) {
            let share = wilson(count, games, nearly_sure);
            assert!(share.low < exact && exact < share.high, "{side}: {count} of {games}, and not {exact}");
        }
    }
    let (games, total) = counts(&sides["total"]);
    assert_eq!((games, total.iter().sum()), (20_000, 20_000));
    // Orders of play that end after a number of plies, times the orders of the remaining squares, over 9!.
    let ends = [
        (5.0, 1440.0, 24.0),
        (6.0, 5328.0, 6.0),
        (7.0, 47_952.0, 2.0),
        (8.0, 72_576.0, 1.0),
        (9.0, 127_872.0, 1.0),
    ];
    let plies: f64 = ends.iter().map(|(plies, games, after)| plies * games * after / 362_880.0).sum();
    let found = sides["total"]["plies"]["value"].as_f64().unwrap();
    // The standard deviation of a game's length is 1.29.
    assert!((found - plies).abs() < 4.0 * 1.29 / 20_000_f64.sqrt(), "{found}, and not {plies}");
}

/// Players named in the other order play the same games, reported for the other player.
#[test]
fn sides_swapped_give_mirrored_counts() {
    let match_of = |test: &str, first: &str, second: &str| {
        matched(test, &["tic-tac-toe", first, second, "--games", "600"])["meetings"][0].clone()
    };
    let one = match_of("match_mirrored_1", "random", "flat(playouts-per-move=3)");
    let other = match_of("match_mirrored_2", "flat(playouts-per-move=3)", "random");
    for (side, mirrored) in [("first", "second"), ("second", "first"), ("total", "total")] {
        let (games, mut counts_of_one) = counts(&one["sides"][side]);
        counts_of_one.reverse();
        assert_eq!((games, counts_of_one), counts(&other["sides"][mirrored]), "{side}");
        assert_eq!(one["sides"][side]["won"], other["sides"][mirrored]["lost"]);
    }
    let score = |meeting: &Value| meeting["points"]["value"].as_f64().unwrap();
    assert!((score(&one) + score(&other) - 1.0).abs() < 1e-12);
}

#[test]
fn any_number_of_threads_gives_the_same_table() {
    let on = |threads: &str| {
        let arguments = [
            "match",
            "tic-tac-toe",
            "random",
            "flat(playouts-per-move=2)",
            "--games",
            "1000",
            "--threads",
            threads,
        ];
        let (code, out, _) = shikou(&format!("match_on_{threads}"), &[], &arguments, "");
        assert_eq!(code, 0);
        without_times(&out)
    };
    let one = on("1");
    assert_eq!([on("2"), on("5")], [one.clone(), one]);
}

/// The command is equivalent to a manifest: the same trials and the same figures.
#[test]
fn a_manifest_with_the_same_players_finds_the_same() {
    let text = r#"
        schema = 1
        seed = 3
        [[experiment]]
        game = "tic-tac-toe"
        design = "match"
        trials = 60
        player = [{ search = "random" }, { search.flat = { playouts-per-move = 4 } }]
    "#;
    let manifest = crate::support::manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let records: Vec<Record> = plan.canonical().map(|trial| shikou::experiment::play(&plan, trial)).collect();
    let summary = Summary::new(&plan, &records);
    let arguments = ["tic-tac-toe", "random", "flat(playouts-per-move=4)", "--games", "120", "--seed", "3"];
    let found = matched("match_as_manifest", &arguments);
    let expected: Value =
        serde_json::from_str(&serde_json::to_string(&summary.experiments[0]).unwrap()).unwrap();
    assert_eq!(found["meetings"], expected["meetings"]);
    assert_eq!(found["players"], expected["players"]);
}

/// Two deterministic players play two games, however many are requested: no estimate is based on more.
#[test]
fn one_game_played_again_and_again_is_no_evidence() {
    let players = ["minimax(depth=1,ties=first)", "minimax(depth=2,ties=first)"];
    let arguments = ["othello", players[0], players[1], "--option", "size=4", "--games", "100"];
    let (code, out, _) = shikou("match_repeated", &[], &[&["match"][..], &arguments].concat(), "");
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("the same game was played 50 times from either seat"), "{out}");
    assert!(out.contains("all repetitions are two games") && out.contains("--openings 4"), "{out}");
    assert!(
        !["is ahead", "No significant difference", "0.001", "]", "Elo"]
            .iter()
            .any(|claim| out.contains(claim)),
        "{out}"
    );
    let found = matched("match_repeated_json", &arguments);
    let meeting = &found["meetings"][0];
    assert_eq!((&found["distinct_games"], &meeting["tested"]), (&Value::from(2), &Value::Null));
    assert_eq!(meeting["points"]["method"], meeting["sides"]["total"]["won"]["method"]);
    assert_eq!(meeting["points"]["low"], Value::Null);
    // Advice to play more would be wrong here too.
    let few = [&["match"][..], &arguments[..5], &["--games", "10"]].concat();
    let (_, out, _) = shikou("match_repeated_few", &[], &few, "");
    assert!(out.contains("played 5 times") && !out.contains("play more"), "{out}");
    // A single random player is enough for games to differ, and repeats among them are draws like any other.
    let (_, out, _) = shikou(
        "match_repeated_by_chance",
        &[],
        &["match", "othello", "random", players[0], "--option", "size=4", "--games", "100"],
        "",
    );
    assert!(!out.contains("No estimates") && !out.contains("Warning"), "{out}");
}

/// Two players of a solitaire meet the same deals.
#[test]
fn two_players_of_a_solitaire_are_compared() {
    let found =
        matched("match_solitaire", &["calculation", "random", "policy(policy=waste-first)", "--games", "30"]);
    assert_eq!(found["design"], "solo");
    assert_eq!(found["differences"].as_array().unwrap().len(), 1);
    let deals: Vec<&Value> =
        found["players"].as_array().unwrap().iter().map(|player| &player["trials"]).collect();
    assert_eq!(deals, [30, 30]);
}

/// A failed game is counted and reported, and the exit code is 3.
#[test]
fn a_failed_game_is_said() {
    let arguments = [
        "match",
        "othello",
        "alpha-beta(depth=1,table=65536)",
        "random",
        "--games",
        "6",
        "--option",
        "size=4",
    ];
    let (code, out, _) = shikou("match_failed", &[], &arguments, "");
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("games failed"), "{out}");
}

#[test]
fn a_match_is_of_a_hundred_pairs() {
    let found = matched("match_default", &["tic-tac-toe", "random", "flat(playouts-per-move=1)"]);
    assert_eq!(found["games"], 200);
    assert_eq!(found["meetings"][0]["pairs"], 100);
    // The time of the moves is stated, and is not nothing.
    for times in found["times"].as_array().unwrap() {
        assert!(times["moves"].as_u64().unwrap() >= 400, "{times}");
        assert!(times["mean_ns"].as_u64().unwrap() > 0, "{times}");
    }
    let (_, out, _) =
        shikou("match_times", &[], &["match", "tic-tac-toe", "random", "flat", "--games", "2"], "");
    assert!(out.contains("│ time a move"), "{out}");
    // Everything else is in the whole report, by seats too.
    let arguments = ["match", "tic-tac-toe", "random", "flat", "--games", "2", "--full"];
    let (_, whole, _) = shikou("match_full", &[], &arguments, "");
    for (part, is_in_both) in [("random", true), ("as first (x)", false), ("│ time per move", false)] {
        assert!(whole.contains(part) && out.contains(part) == is_in_both, "{part}: {whole}");
    }
}

/// With openings two deterministic players play different games; a file is read too.
#[test]
fn the_pairs_of_a_match_may_have_openings() {
    let players = ["minimax(depth=1,ties=first)", "minimax(depth=2,ties=first)"];
    let arguments = ["othello", players[0], players[1], "--games", "20", "--openings", "6"];
    assert!(matched("match_random_openings", &arguments)["distinct_games"].as_u64().unwrap() > 10);
    let arguments =
        ["match", "tic-tac-toe", "ai12s", "random", "--games", "4", "--openings", "book.txt", "--json"];
    let (code, out, err) = shikou("match_book", &[("book.txt", b"a1\nb2 c3\n")], &arguments, "");
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["openings"], "of book.txt");
}

/// Flat is far stronger than random, so few pairs decide.
#[test]
fn a_sequential_test_stops_a_match() {
    let arguments = ["tic-tac-toe", "flat(playouts-per-move=20)", "random", "--sprt", "0,50"];
    let found = matched("match_sprt", &arguments);
    let games = found["games"].as_u64().unwrap();
    assert!((2..2000).contains(&games), "{games}");
    assert!(found["stopping"]["decision"].to_string().contains("H1"), "{}", found["stopping"]);
    let (_, out, err) = shikou("match_sprt_words", &[], &[&["match"], &arguments[..]].concat(), "");
    assert!(
        out.contains(" of at most 10 000 pairs: flat(playouts-per-move=20) is stronger than random; H1"),
        "{out}"
    );
    // The Elo difference is the only estimate with an interval.
    assert!(out.contains("; Elo ") && !out.contains("95 % interval"), "{out}");
    assert!(
        err.contains("tic-tac-toe: decided after ") && err.contains(" is stronger than random; H1 accepted"),
        "{err}"
    );
}

/// A match that is kept can be reported, and goes on with more games.
#[test]
fn a_saved_match_is_a_folder_of_results() {
    let test = "match_saved";
    let base = ["match", "tic-tac-toe", "random", "flat(playouts-per-move=2)", "--save", "kept", "--games"];
    let (code, out, err) = shikou(test, &[], &[&base[..], &["8"]].concat(), "");
    assert_eq!((code, out.contains("saved in kept")), (0, true), "{err}");
    let run = |arguments: &[&str]| crate::cli::shikou_there(test, arguments);
    let (code, out, err) = run(&["report", "kept"]);
    assert_eq!((code, out.contains("shikou report kept --full")), (0, true), "{err}");
    let (code, out, err) = run(&[&base[..], &["12", "--json"]].concat());
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["games"], 12);
    let (code, _, err) =
        run(&["match", "tic-tac-toe", "random", "flat(playouts-per-move=3)", "--save", "kept"]);
    assert_eq!(code, 2);
    assert!(err.contains("kept holds the results of something else"), "{err}");
}
