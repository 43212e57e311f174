//! The command `shikou profile`: help and errors as snapshots; in a release build, whole profiles.

use std::path::Path;

use crate::cli::{shikou, snapshot};

/// A profile of Othello that was saved before.
const SAVED: &[u8] = include_bytes!("data/profile.json");

snapshot!(help_of_profile, ["profile", "--help"]);
snapshot!(profile_unknown_game, ["profile", "othelo"]);
snapshot!(profile_unknown_path, ["profile", "othello", "--path", "portable,avx3"]);
snapshot!(profile_unknown_policy, ["profile", "othello", "--policy", "unifrom"]);
snapshot!(profile_unknown_option_of_a_policy, ["profile", "othello", "--policy", "softmax(temp=2)"]);
snapshot!(profile_policy_without_evaluation, ["profile", "tic-tac-toe", "--policy", "softmax"]);
snapshot!(profile_no_position, ["profile", "tic-tac-toe", "--position", "--"]);
snapshot!(profile_a_finished_game, ["profile", "tic-tac-toe", "--position", "xxxoo---- o"]);
snapshot!(profile_no_playouts_a_batch, ["profile", "othello", "--batch", "0"]);
snapshot!(profile_no_time, ["profile", "othello", "--seconds", "0"]);
snapshot!(profile_budget_without_searchers, ["profile", "othello", "--budget", "5"]);
snapshot!(profile_searchers_on_a_path, ["profile", "othello", "--searchers", "--path", "portable"]);
snapshot!(profile_into_no_folder, ["profile", "othello", "--save", "nowhere/a.json"]);
snapshot!(profile_against_no_file, ["profile", "othello", "--compare", "nowhere.json"]);
snapshot!(
    profile_against_a_damaged_file,
    &[("old.json", &SAVED[..300])],
    ["profile", "othello", "--compare", "old.json"],
    ""
);
snapshot!(
    profile_against_another_game,
    &[("old.json", SAVED)],
    ["profile", "tic-tac-toe", "--compare", "old.json"],
    ""
);

/// Tests are debug builds, whose measurements are meaningless.
#[test]
#[cfg(debug_assertions)]
fn a_debug_build_is_refused() {
    let result = shikou("profile_debug", &[], &["profile", "othello"], "");
    insta::assert_snapshot!(crate::cli::show(result));
}

#[test]
#[ignore = "a release build only: with SHIKOU_PROGRAM=the path of one, or cargo test --release -- --ignored"]
fn a_release_build_measures_saves_and_compares() {
    let short = ["--seconds", "0.02", "--repeats", "7", "--threads", "1,2"];
    let run = |test: &str, files: &[(&str, &[u8])], arguments: &[&str]| {
        let arguments: Vec<&str> =
            ["profile", "othello"].iter().chain(&short).chain(arguments).copied().collect();
        let (code, out, err) = shikou(test, files, &arguments, "");
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    };
    let text = run("profile_saved", &[], &["--save", "a.json"]);
    assert!(text.starts_with("othello: uniform playouts from the start\n\n"), "{text}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/profile_saved");
    let saved = std::fs::read(folder.join("a.json")).unwrap();
    // The other file was saved on another machine, unless the tests run on that one.
    for (name, file) in [("own", saved.as_slice()), ("other", SAVED)] {
        let files: &[(&str, &[u8])] = &[("a.json", file)];
        let out = run(&format!("profile_compared_{name}"), files, &["--compare", "a.json", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&json["command"], &json["schema"]), (&"profile".into(), &2.into()));
        let row = &json["profile"]["playouts"]["paths"][0];
        assert_eq!((&row["path"], &row["batch"]), (&"portable".into(), &1000.into()));
        assert_eq!(row["samples"].as_array().unwrap().len(), 7);
        assert!(row["ns_per_ply"]["interval"][0].as_f64().unwrap() > 0.0);
        let first = &json["comparison"]["rows"][0];
        assert_eq!(first["what"], "portable, batches of 1000");
        assert!(first["ratio"]["low"].as_f64().unwrap() <= first["ratio"]["value"].as_f64().unwrap());
    }
    let (code, out, err) = shikou(
        "profile_searchers",
        &[],
        &["profile", "tic-tac-toe", "--searchers", "--budget", "100", "--seconds", "0.01", "--repeats", "3"],
        "",
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("uct@playouts=100") && out.contains("\nNot measured:\n"), "{out}");
}
