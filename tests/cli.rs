//! The command line: help, listings, and every error message, as snapshots.
//!
//! `INSTA_UPDATE=always cargo test` accepts changes; review the difference before committing it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use shikou::experiment::HostFacts;

use crate::support::sample_data;

/// Runs the command in an empty folder of the test's own, which holds these files, and returns its exit code,
/// standard output and standard error.
pub(crate) fn shikou(
    test: &str,
    files: &[(&str, &[u8])],
    arguments: &[&str],
    input: &str,
) -> (i32, String, String) {
    let folder = crate::support::folder(&format!("cli/{test}"));
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    shikou_in(&folder, arguments, input)
}

/// Runs the command in the folder of a test as it is.
pub(crate) fn shikou_there(test: &str, arguments: &[&str]) -> (i32, String, String) {
    shikou_in(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test), arguments, "")
}

fn shikou_in(folder: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
    // A release build may be used instead: some commands measure nothing else.
    let program = std::env::var_os("SHIKOU_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_shikou").into());
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("COLUMNS", "100")
        .env_remove("OMP_NUM_THREADS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// All three as one text.
pub(crate) fn show((code, out, err): (i32, String, String)) -> String {
    format!("exit code {code}\n── standard output\n{out}── standard error\n{err}")
}

/// A snapshot of a command that needs no files.
macro_rules! snapshot {
    ($name:ident, $arguments:expr) => {
        snapshot!($name, &[], $arguments, "");
    };
    ($name:ident, $files:expr, $arguments:expr, $input:expr) => {
        #[test]
        fn $name() {
            let result = crate::cli::shikou(stringify!($name), $files, &$arguments, $input);
            insta::assert_snapshot!(crate::cli::show(result));
        }
    };
}
pub(crate) use snapshot;

snapshot!(help, ["--help"]);
snapshot!(help_of_games, ["games", "--help"]);
snapshot!(help_of_searchers, ["searchers", "--help"]);
snapshot!(help_of_perft, ["perft", "--help"]);
snapshot!(help_of_solve, ["solve", "--help"]);
snapshot!(help_of_check, ["check", "--help"]);
snapshot!(help_of_replay, ["replay", "--help"]);
snapshot!(help_of_samples, ["samples", "--help"]);
snapshot!(help_of_plan, ["plan", "--help"]);
snapshot!(help_of_schema, ["schema", "--help"]);
snapshot!(help_of_run, ["run", "--help"]);
snapshot!(help_of_report, ["report", "--help"]);
snapshot!(help_of_compare, ["compare", "--help"]);
snapshot!(help_of_merge, ["merge", "--help"]);
snapshot!(help_of_status, ["status", "--help"]);
snapshot!(help_of_trial, ["trial", "--help"]);
snapshot!(help_of_verify, ["verify", "--help"]);
snapshot!(help_of_play, ["play", "--help"]);
snapshot!(help_of_stats, ["stats", "--help"]);

snapshot!(games, ["games"]);
snapshot!(game_othello, ["games", "othello"]);
snapshot!(game_calculation, ["games", "calculation"]);
snapshot!(game_random_tree, ["games", "random-tree"]);
snapshot!(game_json, ["games", "tic-tac-toe", "--json"]);
snapshot!(searchers, ["searchers"]);
snapshot!(help_of_analyze, ["analyze", "--help"]);
snapshot!(help_of_clairvoyant, ["clairvoyant", "--help"]);
snapshot!(analyze_othello, ["analyze", "othello", "--moves", "f5d6c3", "--search", "flat-ucb@playouts=200"]);
snapshot!(analyze_a_solitaire, ["analyze", "left-moves", "--search", "nested(level=1)"]);
snapshot!(
    analyze_minimax,
    ["analyze", "othello", "--option", "size=4", "--search", "minimax(depth=3,ties=first)"]
);
snapshot!(analyze_json, ["analyze", "tic-tac-toe", "--search", "flat(playouts-per-move=2)", "--json"]);
snapshot!(
    analyze_a_position,
    [
        "analyze",
        "othello",
        "--option",
        "size=4",
        "-XXX-OXOXXXO--X- O",
        "--search",
        "minimax(depth=full,ties=first)"
    ]
);
snapshot!(analyze_rules, ["analyze", "tic-tac-toe", "--search", "ai12s"]);
snapshot!(analyze_a_tree, ["analyze", "tic-tac-toe", "xo-------", "x", "--search", "uct@playouts=4000"]);
snapshot!(
    analyze_what_half_a_budget_does_not_decide,
    ["analyze", "tic-tac-toe", "xo-------", "x", "--search", "minimax(depth=full,ties=first)@nodes=20000"]
);
snapshot!(analyze_no_position, ["analyze", "othello", "---", "X", "--search", "flat"]);
snapshot!(analyze_a_finished_game, ["analyze", "tic-tac-toe", "xxxoo----", "o", "--search", "flat"]);
snapshot!(analyze_chance, ["analyze", "calculation", "--search", "flat"]);
snapshot!(analyze_an_illegal_move, ["analyze", "tic-tac-toe", "--moves", "a1 a1", "--search", "flat"]);
snapshot!(analyze_without_a_budget, ["analyze", "tic-tac-toe", "--search", "thompson"]);
snapshot!(clairvoyant_bound, ["clairvoyant", "calculation", "--deals", "3", "--nodes", "20000"]);
snapshot!(clairvoyant_json, ["clairvoyant", "calculation", "--deals", "1", "--nodes", "20000", "--json"]);
snapshot!(clairvoyant_of_another_game, ["clairvoyant", "othello"]);
snapshot!(searcher_minimax, ["searchers", "minimax"]);
snapshot!(searcher_simple_tree, ["searchers", "simple-tree"]);
snapshot!(searcher_json, ["searchers", "flat", "--json"]);
snapshot!(perft_divided, ["perft", "othello", "4", "--divide"]);
snapshot!(perft_json, ["perft", "othello", "3", "--option", "size=6", "--json"]);
snapshot!(check_game, ["check", "tic-tac-toe"]);

snapshot!(unknown_command, ["rnu"]);
snapshot!(unknown_game, ["perft", "othelo", "3"]);
snapshot!(unknown_option, ["perft", "othello", "3", "--option", "siez=6"]);
snapshot!(option_without_value, ["perft", "othello", "3", "--option", "size"]);
snapshot!(option_out_of_range, ["perft", "calculation", "3", "--option", "piles=9"]);
snapshot!(option_of_wrong_kind, ["check", "calculation", "--option", "layout=delt"]);
snapshot!(options_that_do_not_go_together, ["check", "othello", "--option", "size=5"]);
snapshot!(unknown_searcher_to_play, ["play", "othello", "--against", "alphabetta"]);
snapshot!(misfit_to_play, ["play", "calculation", "--against", "minimax"]);
snapshot!(second_seat_of_a_solitaire, ["play", "calculation", "--second"]);

snapshot!(run_no_such_file, ["run", "nowhere.toml"]);
snapshot!(run_a_folder, ["run", "."]);

/// A snapshot of running a manifest.
macro_rules! manifest {
    ($name:ident, $text:expr) => {
        snapshot!($name, &[("m.toml", $text.as_bytes())], ["run", "m.toml"], "");
    };
}

manifest!(run_empty, "");
manifest!(run_not_toml, "schema = 1\nseed = = 3\n");
manifest!(run_not_text, "schema = 1\n[[experiment]]\ngame = 3\n");
manifest!(run_no_schema, "seed = 3\n");
manifest!(run_other_schema, "schema = 2\n");
manifest!(run_no_experiment, "schema = 1\n");
manifest!(run_empty_experiments, "schema = 1\nexperiment = []\n");
manifest!(
    run_unknown_key,
    "schema = 1\nsede = 3\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
manifest!(
    run_unknown_experiment_key,
    "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrails = 1\ntrials = 1\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
manifest!(
    run_unknown_game,
    "schema = 1\n[[experiment]]\ngame = \"calculaton\"\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_unknown_game_option,
    "schema = 1\n[[experiment]]\ngame.calculation = { piels = 3 }\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_game_option_out_of_range,
    "schema = 1\n[[experiment]]\ngame.calculation = { piles = 12 }\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_unknown_searcher,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search = \"simpletree\" }]\n"
);
manifest!(
    run_unknown_searcher_option,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search.flat = { playout = 3 } }]\n"
);
manifest!(
    run_unknown_policy,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\n\n[[experiment.player]]\nsearch.flat = { policy = \"foundation-frist\" }\n"
);
manifest!(
    run_misfit,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search.minimax = { depth = 2 } }]\n"
);
manifest!(
    run_misfit_without_evaluation,
    "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [{ search = \"random\" }, { search.minimax = { depth = 2 } }]\n"
);
manifest!(
    run_unknown_evaluation,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ search = \"random\" }, { search.minimax = { evaluation = \"disks\" } }]\n"
);
manifest!(
    run_misfit_design,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ndesign = \"solo\"\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_misfit_openings,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\nopenings = { random-positions = true }\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_unknown_design,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ndesign = \"round-robbin\"\ntrials = 1\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
manifest!(
    run_unknown_baseline,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ndesign.gauntlet = { against = [\"rnadom\"] }\ntrials = 1\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
manifest!(
    run_no_trials,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
manifest!(
    run_negative_trials,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = -5\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_enormous_trials,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 99999999999999999999999\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_too_many_trials,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 2_000_000_000\nplayer = [{ search = \"random\" }]\n"
);
manifest!(run_negative_seed, "schema = 1\nseed = -1\n");
manifest!(
    run_negative_playouts,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search.flat = { playouts-per-move = -20 } }]\n"
);
manifest!(
    run_fractional_playouts,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search.flat = { playouts-per-move = 1.5 } }]\n"
);
manifest!(
    run_enormous_playouts,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search.flat = { playouts-per-move = 123456789012345678901234567890 } }]\n"
);
manifest!(
    run_two_equal_players,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ search = \"random\" }, { search = \"random\" }]\n"
);
manifest!(
    run_a_budget_for_all,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nbudget = { playouts = 100 }\nplayer = [\"random\", \"flat\"]\n"
);
manifest!(
    run_the_same_player_twice,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ name = \"a\", search = \"random\" }, { name = \"b\", search = \"random\" }]\n"
);
manifest!(
    run_the_same_name_twice,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ name = \"a\", search = \"random\" }, { name = \"a\", search = \"flat\" }]\n"
);
manifest!(
    run_one_player_of_two,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ search = \"random\" }]\n"
);
manifest!(
    run_two_searches,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [{ search = { flat = {}, random = {} } }]\n"
);

#[test]
fn run_bytes_that_are_no_text() {
    let files: &[(&str, &[u8])] = &[("m.toml", &[0x73, 0xff, 0x00, 0xfe])];
    insta::assert_snapshot!(show(shikou("run_bytes", files, &["run", "m.toml"], "")));
}

#[test]
fn run_into_a_folder_of_something_else() {
    let files: &[(&str, &[u8])] = &[("m.toml", SMALL.as_bytes()), ("thesis.tex", b"precious")];
    let result = shikou("run_foreign", files, &["run", "m.toml", "--out", "."], "");
    // Which of the two files is named first is the system's choice.
    assert_eq!(result.0, 2);
    assert!(result.2.contains("no log of Shikou's; name another folder"), "{}", result.2);
}

const SMALL: &str = "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 20\nplayer = [{ search = \"random\" }, { search.policy = { policy = \"waste-first\" } }]\n";

const SWEEP: &str = "schema = 1\n[[experiment]]\nname = \"noughts\"\ngame = \"tic-tac-toe\"\ntrials = 30\nopenings = { transcripts = \"book.txt\" }\ndesign.gauntlet = { against = [\"random\"] }\nprimary = [[\"flat playouts-per-move=2\", \"random\"]]\nplayer = [{ search = \"random\" }, { name = \"flat\", search.flat.playouts-per-move = { each = [2, 4] } }]\n";

fn book() -> String {
    ["b2", "a1", "a1 b2", "c3 b2 a1"].map(|line| format!("{line}\n")).concat().repeat(8)
}

#[test]
fn plan_of_a_sweep() {
    let book = book();
    let files: &[(&str, &[u8])] = &[("m.toml", SWEEP.as_bytes()), ("book.txt", book.as_bytes())];
    insta::assert_snapshot!(show(shikou("plan_of_a_sweep", files, &["plan", "m.toml"], "")));
}

/// A match that was saved is a pilot, without a report in between.
#[test]
fn a_saved_match_is_a_pilot() {
    let played = "match tic-tac-toe random flat(playouts-per-move=2) --games 40 --openings 2 --save pilot --progress none";
    let (code, _, err) = shikou("saved_pilot", &[], &played.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(code, 0, "{err}");
    let planned = ["stats", "plan", "match", "0.5", "0.55", "--pilot", "pilot"];
    let (code, out, err) = shikou_there("saved_pilot", &planned);
    assert!(code == 0 && out.contains("20 pairs of"), "{out}{err}");
}

#[test]
fn plan_with_a_pilot() {
    let book = book();
    let files: &[(&str, &[u8])] = &[("m.toml", SWEEP.as_bytes()), ("book.txt", book.as_bytes())];
    let (code, out, err) =
        shikou("plan_with_a_pilot", files, &["plan", "m.toml", "--pilot", "--threads", "2"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    // The trials are few and short: the pilot plays them all.
    assert!(out.contains("The pilot played 60 trials on 2 threads; estimated total run time "), "{out}");
    let (code, out, _) = shikou("plan_json", files, &["plan", "m.toml", "--pilot=1", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &json["command"], &json["schema"]), (0, &"plan".into(), &2.into()));
    assert_eq!((&json["trials"], &json["games"]), (&60.into(), &120.into()));
    assert_eq!(json["pilot"]["unmeasured_cells"], 0);
    assert!(json["pilot"]["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(json["experiments"][0]["piloted"][0]["trials"], 30);
    assert_eq!(json["experiments"][0]["primary"][0][0], "flat playouts-per-move=2");
}

snapshot!(
    plan_of_a_broken_opening,
    &[("m.toml", SWEEP.as_bytes()), ("book.txt", b"b2\nb2 b2\n" as &[u8])],
    ["plan", "m.toml"],
    ""
);
snapshot!(plan_no_such_file, ["plan", "nowhere.toml"]);

/// The results keep the openings: they are read without the folder that the manifest came from.
#[test]
fn results_keep_the_files_of_their_manifest() {
    let book = book();
    let text = SWEEP.replace("book.txt", "../books.of/book.txt");
    let files: &[(&str, &[u8])] = &[("m.toml", text.as_bytes())];
    let books = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/books.of");
    fs::create_dir_all(&books).unwrap();
    fs::write(books.join("book.txt"), &book).unwrap();
    let (code, first, _) = shikou("kept_files", files, &["run", "m.toml", "-q"], "");
    assert_eq!(code, 0, "{first}");
    fs::remove_dir_all(&books).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/kept_files");
    assert_eq!(fs::read_to_string(folder.join("results/m/manifest...+books.of+book.txt")).unwrap(), book);
    let (code, report, err) = shikou_in(&folder, &["report", "results/m"], "");
    assert_eq!((code, report.lines().last()), (0, first.lines().last()), "{err}");
}

#[test]
fn schema_is_json() {
    let (code, out, _) = shikou("schema", &[], &["schema"], "");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &json["$schema"]), (0, &"http://json-schema.org/draft-07/schema#".into()));
}

/// A report without the times of this run, and without the lengths of rules, which depend on them.
pub(crate) fn without_times(out: &str) -> String {
    let lines = out.lines().filter(|line| !line.starts_with('│'));
    let lines = lines.map(|line| match line.split_once('│') {
        Some((left, _)) => left.trim_end(),
        None if line.starts_with('─') => "───",
        None => line,
    });
    let text: String = lines.map(|line| line.to_owned() + "\n").collect();
    text.replace("\n\n\n", "\n\n")
}

#[test]
fn run_small_and_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/run_small");
    let (code, first, _) = shikou("run_small", &[("m.toml", SMALL.as_bytes())], &["run", "m.toml"], "");
    assert_eq!(code, 0);
    insta::assert_snapshot!(without_times(&first));
    for name in [
        "trials.csv",
        "canonical.csv",
        "digests.csv",
        "manifest.toml",
        "summary.json",
        "report.txt",
        "host.toml",
    ] {
        assert!(folder.join("results/m").join(name).exists(), "{name}");
    }
    // With this run as the reference, the next one reproduces it, on one thread as on three.
    fs::create_dir_all(folder.join("results/reference/m")).unwrap();
    fs::copy(folder.join("results/m/digests.csv"), folder.join("results/reference/m/digests.csv")).unwrap();
    for threads in ["1", "3"] {
        let arguments = ["run", "m.toml", "--quiet", "--check", "--restart", "--threads", threads];
        let (code, out, err) = shikou_in(&folder, &arguments, "");
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.starts_with("digest ") && out.ends_with(" reproduces the reference\n"), "{out}");
        assert_eq!(out.lines().count(), 1);
    }
    assert!(folder.join("results/m/before-2/trials.csv").exists(), "what was played before is kept");
    // Nothing is left to do: the output is the same to the byte, also from `report`.
    let (_, again, _) = shikou_in(&folder, &["run", "m.toml"], "");
    let (_, report, _) = shikou_in(&folder, &["report", "results/m"], "");
    assert_eq!(again, report);
    assert!(report.ends_with("reproduces the reference\n"));
    // Another seed gives another result, and --check reports it by the exit code.
    fs::write(folder.join("m.toml"), SMALL.replace("schema = 1", "schema = 1\nseed = 5")).unwrap();
    let (code, out, _) = shikou_in(&folder, &["run", "m.toml", "--quiet", "--check"], "");
    assert_eq!(code, 1);
    let (_, status, _) = shikou_in(&folder, &["report", "results/m"], "");
    assert!(status.contains("40 lines of the log are from other trials; they are kept"), "{status}");
    assert!(out.ends_with(" differs from the reference (first in trials 1–40)\n"), "{out}");
}

/// The reason must be on standard error: the report is not printed, and a smoke run keeps none.
#[test]
fn a_quiet_run_says_why_games_failed() {
    let text =
        "schema = 1\n[[experiment]]\nname = \"short\"\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [\n\
                { search = \"random\" },\n{ search.alpha-beta = { depth = \"full\" } },\n]\n"
            .replace("trials", "memory-mib = 1\ntrials");
    for flag in ["--quiet", "--smoke"] {
        let arguments = ["run", "m.toml", flag];
        let (code, out, err) = shikou("run_failed", &[("m.toml", text.as_bytes())], &arguments, "");
        assert_eq!((code, out.lines().count()), (3, 1), "{out}");
        let lines = err.lines().filter(|line| !line.starts_with("warning: this is a debug build"));
        let reason = "error: short: 1 game failed: memory cap: the search needs ";
        assert!(lines.clone().count() == 2 && lines.clone().all(|line| line.starts_with(reason)), "{err}");
    }
}

/// A report in its formats.
#[test]
fn report_in_every_form() {
    let files: &[(&str, &[u8])] = &[("m.toml", SMALL.as_bytes())];
    let (code, out, _) = shikou("report_forms", files, &["run", "m.toml", "-q"], "");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/report_forms");
    let digest = out.split(' ').nth(1).unwrap();
    let form = |format: &str| {
        let arguments = ["report", "results/m", "--format", format];
        let (again, first) = (shikou_in(&folder, &arguments, ""), shikou_in(&folder, &arguments, ""));
        assert_eq!(again, first, "the same command on the same log prints the same bytes");
        assert_eq!(first.0, 0, "{}", first.2);
        first.1
    };
    assert_eq!(code, 0);
    let markdown = form("markdown");
    assert!(markdown.starts_with("## calculation · "), "{markdown}");
    assert!(markdown.contains("| player | deals | solved | success |") && markdown.contains(digest));
    let csv = form("csv");
    assert!(csv.starts_with("table,experiment,player,against,figure,value,low,high,method\n"), "{csv}");
    assert!(csv.contains("\ndifferences,calculation,random,"), "{csv}");
    let figure = form("figure");
    assert!(figure.starts_with("experiment,game,player,search,n,measure,value,low,high,method,"), "{figure}");
    // The times of a debug build are meaningless, and left out.
    let has_times = |row: &&str| !row.ends_with(",,,,,");
    assert_eq!(figure.lines().skip(1).any(|row| has_times(&row)), HostFacts::is_optimised(), "{figure}");
    let json: serde_json::Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!((&json["schema"], &json["digest"]), (&3.into(), &digest.into()));
    let kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("results/m/summary.json")).unwrap()).unwrap();
    assert_eq!(json["summary"], kept);
    assert_eq!(json["verdicts"][0].as_array().unwrap().len(), 1);
}

#[test]
fn compare_two_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/compare");
    let changed = SMALL.replace("waste-first", "foundation-first");
    let (before, after) = (
        SMALL.replace("{ search.policy", "{ name = \"policy\", search.policy"),
        changed.replace("{ search.policy", "{ name = \"policy\", search.policy"),
    );
    let files: &[(&str, &[u8])] = &[("m.toml", before.as_bytes()), ("n.toml", after.as_bytes())];
    assert_eq!(shikou("compare", files, &["run", "m.toml", "-q", "--threads", "1"], "").0, 0);
    assert_eq!(shikou_in(&folder, &["run", "n.toml", "-q", "--threads", "1"], "").0, 0);
    let (code, out, err) = shikou_in(&folder, &["compare", "results/m", "results/n"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!("compare_two_runs", without_times(&out));
    let (_, json, _) = shikou_in(&folder, &["compare", "results/m", "results/m", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["trials"], &json["identical"]), (&40.into(), &40.into()));
    assert_eq!(json["players"][0]["difference"]["value"], 0.0);
    assert_eq!(json["players"][0]["cpu_ratio"]["value"], 1.0);
    // Another seed deals other cards.
    fs::write(folder.join("o.toml"), before.replace("schema = 1", "schema = 1\nseed = 4")).unwrap();
    assert_eq!(shikou_in(&folder, &["run", "o.toml", "-q"], "").0, 0);
    let (_, json, _) = shikou_in(&folder, &["compare", "results/m", "results/o", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["trials"], &json["only_first"]), (&0.into(), &40.into()));
    assert_eq!(json["players"][0]["difference"]["method"], "newcombe");
    // A reference is its summary.
    let reference = folder.join("reference");
    fs::create_dir_all(&reference).unwrap();
    for file in ["summary.json", "digests.csv", "host.toml"] {
        fs::copy(folder.join("results/n").join(file), reference.join(file)).unwrap();
    }
    let (code, out, err) = shikou_in(&folder, &["compare", "results/m", "reference"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!("compare_with_a_reference", without_times(&out));
    let (_, json, _) = shikou_in(&folder, &["compare", "reference", "reference", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["trials"], &json["players"][0]["difference"]["value"]), (&().into(), &0.0.into()));
    let (code, _, err) = shikou_in(&folder, &["compare", "results/m", "nowhere"], "");
    assert!(code == 2 && err.contains("nowhere is not a folder of results"), "{err}");
}

#[test]
fn run_as_json_and_smoke() {
    let files: &[(&str, &[u8])] = &[("m.toml", SMALL.as_bytes())];
    let (code, out, _) = shikou("run_json", files, &["run", "m.toml", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &json["command"], &json["schema"]), (0, &"run".into(), &3.into()));
    assert_eq!(json["summary"]["experiments"][0]["players"][0]["trials"], 20);
    let (code, out, _) = shikou("run_smoke", files, &["run", "m.toml", "--smoke"], "");
    assert_eq!(code, 0);
    assert!(out.contains("of a smoke run: 4 games played, nothing kept"), "{out}");
    assert!(
        !Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/run_smoke/results").exists(),
        "nothing is kept"
    );
}

/// A trial that fails is a row; the others go on, and the exit code says so.
#[test]
fn run_with_failing_trials() {
    let text = "schema = 1\n[[experiment]]\ngame.random-tree = { branching = 100000, depth = 1 }\ntrials = 2\nmemory-mib = 1\nplayer = [{ search = \"random\" }, { search.flat = { playouts-per-move = 1 } }]\n";
    let (code, out, _) = shikou("run_failing", &[("m.toml", text.as_bytes())], &["run", "m.toml"], "");
    assert_eq!(code, 3);
    let reason = "2 games failed: memory cap: the search needs 3200000 bytes, and a search may hold 1048576";
    assert!(out.contains(reason), "{out}");
}

snapshot!(
    replay_transcripts,
    &[(
        "games.txt",
        b"# two good ones and three bad ones\nf5d6c3d3c4\n\nF5 d6, C3\nf5d6x9\nf5f5\nhello\n" as &[u8]
    )],
    ["replay", "othello", "games.txt"],
    ""
);
snapshot!(replay_quiet, &[], ["replay", "tic-tac-toe", "-", "--quiet"], "b2 a1 a2\nb2 b2\n");
snapshot!(replay_no_such_file, ["replay", "othello", "nowhere.txt"]);
snapshot!(replay_bytes, &[("games.txt", b"f\xff\n" as &[u8])], ["replay", "othello", "games.txt"], "");

#[test]
fn replay_wthor() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let files: &[(&str, &[u8])] = &[("WTH_1978.wtb", &sample)];
    insta::assert_snapshot!(show(shikou("wthor", files, &["replay", "othello", "WTH_1978.wtb"], "")));
    insta::assert_snapshot!(show(shikou(
        "wthor",
        files,
        &["replay", "othello", "WTH_1978.wtb", "-q", "--json"],
        ""
    )));
    let small = ["replay", "othello", "WTH_1978.wtb", "--option", "size=6"];
    insta::assert_snapshot!(show(shikou("wthor", files, &small, "")));
}

#[test]
fn replay_broken_wthor() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let truncated: &[(&str, &[u8])] = &[("cut.wtb", &sample[..200])];
    insta::assert_snapshot!(show(shikou("wthor_cut", truncated, &["replay", "othello", "cut.wtb"], "")));
    // The first move of the second game becomes a corner: a square, but not a legal move.
    let mut illegal = sample.clone();
    illegal[16 + 68 + 8] = 11;
    let illegal: &[(&str, &[u8])] = &[("illegal.wtb", &illegal)];
    insta::assert_snapshot!(show(shikou(
        "wthor_illegal",
        illegal,
        &["replay", "othello", "illegal.wtb"],
        ""
    )));
}

snapshot!(
    play_tic_tac_toe,
    &[],
    ["play", "tic-tac-toe", "--against", "minimax(depth=\"full\",ties=\"first\")"],
    "moves\nz9\nhint\nb2\nundo\nb2\na2\nquit\n"
);
snapshot!(
    play_to_the_end,
    &[],
    ["play", "tic-tac-toe", "--against", "random"],
    "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n"
);
snapshot!(
    play_review,
    &[],
    ["play", "tic-tac-toe", "--against", "minimax(depth=\"full\",ties=\"first\")"],
    "b1\nb3\nc1\nb2\na3\nc3\nreview\nundo\nundo\nmoves\n"
);
snapshot!(
    play_review_without_values,
    &[],
    ["play", "tic-tac-toe", "--against", "random", "--second"],
    "a1\na2\nreview\nwhat\nquit\n"
);
// Six moves that were never tried have no value.
snapshot!(analyze_untried_moves, ["analyze", "tic-tac-toe", "--search", "uct@3"]);
// Edges lose: they have bounds and no values, and are not of the same value.
snapshot!(explain_bounds, ["explain", "tic-tac-toe", "alpha-beta(depth=\"full\",root=\"best\")", "b2"]);
// Column a is full: o has lost.
#[test]
fn the_value_of_a_finished_position_is_that_of_the_side_that_is_written() {
    let solved = |arguments: &[&str]| shikou("finished", &[], &[&["solve"], arguments].concat(), "").1;
    let board = solved(&["tic-tac-toe", "xo-xo-x-- o"]);
    assert!(board.contains("value     -1 for the side to move"), "{board}");
    let moves = solved(&["tic-tac-toe", "a1 b1 a2 b2 a3"]);
    assert!(moves.contains("value     +1 for the first player"), "{moves}");
    let json = solved(&["tic-tac-toe", "a1 b1 a2 b2 a3", "--json"]);
    assert!(json.contains("\"value\": 1") && json.contains("\"value_of\": \"first-player\""), "{json}");
    let black = "X".repeat(64);
    for (side, value) in [("X", "+64"), ("O", "-64")] {
        let text = solved(&["othello", &format!("{black} {side}")]);
        assert!(text.contains(&format!("value     {value} for the side to move")), "{text}");
    }
    let file = format!("{black} O; pass:-64;");
    let (code, out, _) = shikou("finished_file", &[], &["solve", "othello", "--file", "-"], &file);
    assert!(code == 0 && !out.contains("differs"), "{out}");
}
snapshot!(
    play_from_a_position,
    &[],
    [
        "play",
        "calculation",
        "--option",
        "piles=3",
        "up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 4T | hand 9"
    ],
    "p3\nundo\nf2\nreview\nquit\n"
);
snapshot!(
    play_calculation,
    &[],
    [
        "play",
        "calculation",
        "--against",
        "flat(playouts-per-move=1000,policy=foundation-first)",
        "--seed",
        "3"
    ],
    "p1\nhint\nquit\n"
);

/// A reader that closes the pipe, such as `head`, is no failure.
#[test]
fn a_broken_pipe_is_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shikou"))
        .args(["games"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// A searcher's own options fit a screen; those of a part have a screen of their own, and a path leads to one option too.
#[test]
fn searchers_show_their_parts_one_by_one() {
    let shown = |arguments: &[&str]| {
        let (code, shown, error) = crate::resume::shikou(Path::new("."), arguments);
        assert!(code == 0 && error.is_empty(), "{error}");
        shown
    };
    let uct = shown(&["searchers", "uct", "--width", "80"]);
    assert!(uct.lines().count() < 260 && uct.contains("`shikou searchers uct PART`"), "{uct}");
    let ucb1 = shown(&["searchers", "uct", "selection.ucb1"]);
    assert!(ucb1.starts_with("uct: selection.ucb1\n") && ucb1.contains("\nexploration "), "{ucb1}");
    let flat = shown(&["searchers", "flat", "policy"]);
    assert!(flat.contains("policy.softmax") && !flat.contains("\nties "), "{flat}");
    let (code, _, error) = crate::resume::shikou(Path::new("."), &["searchers", "uct", "selection.ucb"]);
    assert!(code == 2 && error.contains("unknown part `ucb`"), "{error}");
}

#[test]
fn a_manifest_where_a_game_belongs_is_answered() {
    for command in ["check", "profile"] {
        let (code, _, err) = shikou("manifest_as_game", &[], &[command, "m.toml"], "");
        assert_eq!(code, 2, "{command}: {err}");
        assert!(err.contains("`shikou plan m.toml` reads a manifest"), "{command}: {err}");
    }
}
