//! The command line: help, listings, and every error message, as snapshots.
//!
//! `INSTA_UPDATE=always cargo test` accepts changes; review the difference before committing it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use shikou::experiment::HostFacts;

use crate::support::sample_data;

/// A new folder of a test, which holds these files.
pub(crate) fn with_files(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = crate::support::folder(&format!("cli/{test}"));
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

/// Runs the command in a new folder of the test's own, which holds these files, and returns its exit code, standard output
/// and standard error.
pub(crate) fn shikou(
    test: &str,
    files: &[(&str, &[u8])],
    arguments: &[&str],
    input: &str,
) -> (i32, String, String) {
    shikou_in(&with_files(test, files), arguments, input)
}

/// Runs the command in the folder of a test as it is.
pub(crate) fn shikou_there(test: &str, arguments: &[&str]) -> (i32, String, String) {
    shikou_in(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test), arguments, "")
}

pub(crate) fn shikou_in(folder: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
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

/// What a command prints that ends without an error.
#[track_caller]
pub(crate) fn ok(folder: &Path, line: &str) -> String {
    let (code, out, err) = shikou_in(folder, &words(line), "");
    assert_eq!(code, 0, "{line}: {out}{err}");
    out
}

/// The JSON that a command prints.
#[track_caller]
pub(crate) fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&ok(folder, line)).unwrap()
}

/// Asserts that a command is refused with these words, divided by `…`.
#[track_caller]
pub(crate) fn refused(folder: &Path, line: &str, advice: &str) {
    let (code, out, err) = shikou_in(folder, &words(line), "");
    assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
    assert_has(&err, advice);
}

/// Asserts that a text has these words, divided by `…`.
#[track_caller]
pub(crate) fn assert_has(text: &str, words: &str) {
    for words in words.split(" … ") {
        assert!(text.contains(words), "`{words}` is not in\n{text}");
    }
}

/// All three as one text.
pub(crate) fn show((code, out, err): (i32, String, String)) -> String {
    format!("exit code {code}\n── standard output\n{out}── standard error\n{err}")
}

/// The words of a command line; single quotes hold some together.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

/// A snapshot of a command that needs no files. A command is a line, or a list of its words.
macro_rules! snapshot {
    ($name:ident, $line:literal) => {
        snapshot!($name, &[], $line, "");
    };
    ($name:ident, $arguments:expr) => {
        snapshot!($name, &[], $arguments, "");
    };
    ($name:ident, $files:expr, $line:literal, $input:expr) => {
        snapshot!($name, $files, crate::cli::words($line), $input);
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

snapshot!(help, "--help");

#[test]
fn help_of_commands() {
    let commands = "games, searchers, perft, solve, check, replay, samples, plan, schema, run, report, \
                    compare, merge, status, trial, verify, play, stats, analyze, clairvoyant, exact, prove, \
                    diverge, explain, profile, stats rate, stats two, stats paired, stats pairs, stats elo, \
                    stats sprt, stats bradley-terry, stats holm, stats plan, stats plan paired, \
                    stats plan sprt, match, init, validate";
    for command in commands.split(", ") {
        let name = format!("help_of_{}", command.replace([' ', '-'], "_"));
        let result = shikou(&name, &[], &words(&format!("{command} --help")), "");
        insta::assert_snapshot!(name, show(result));
    }
}

snapshot!(games, "games");
snapshot!(game_othello, "games othello");
snapshot!(game_calculation, "games calculation");
snapshot!(game_random_tree, "games random-tree");
snapshot!(game_json, "games tic-tac-toe --json");
snapshot!(searchers, "searchers");
snapshot!(analyze_othello, "analyze othello --moves f5d6c3 --search flat-ucb@playouts=200");
snapshot!(analyze_a_solitaire, "analyze left-moves --search nested(level=1)");
snapshot!(analyze_minimax, "analyze othello --option size=4 --search minimax(depth=3,ties=first)");
snapshot!(analyze_json, "analyze tic-tac-toe --search flat(playouts-per-move=2) --json");
snapshot!(
    analyze_a_position,
    "analyze othello --option size=4 '-XXX-OXOXXXO--X- O' --search minimax(depth=full,ties=first)"
);
snapshot!(analyze_rules, "analyze tic-tac-toe --search ai12s");
snapshot!(analyze_a_tree, "analyze tic-tac-toe xo------- x --search uct@playouts=4000");
snapshot!(
    analyze_what_half_a_budget_does_not_decide,
    "analyze tic-tac-toe xo------- x --search minimax(depth=full,ties=first)@nodes=20000"
);
snapshot!(analyze_no_position, "analyze othello --- X --search flat");
snapshot!(analyze_a_finished_game, "analyze tic-tac-toe xxxoo---- o --search flat");
snapshot!(analyze_chance, "analyze calculation --search flat");
snapshot!(analyze_an_illegal_move, "analyze tic-tac-toe --moves 'a1 a1' --search flat");
snapshot!(analyze_without_a_budget, "analyze tic-tac-toe --search thompson");
snapshot!(clairvoyant_bound, "clairvoyant calculation --deals 3 --nodes 20000");
snapshot!(clairvoyant_json, "clairvoyant calculation --deals 1 --nodes 20000 --json");
snapshot!(clairvoyant_of_another_game, "clairvoyant othello");
snapshot!(searcher_minimax, "searchers minimax");
snapshot!(searcher_simple_tree, "searchers simple-tree");
snapshot!(searcher_json, "searchers flat --json");
snapshot!(perft_divided, "perft othello 4 --divide");
snapshot!(perft_json, "perft othello 3 --option size=6 --json");
snapshot!(check_game, "check tic-tac-toe");

snapshot!(unknown_command, "rnu");
snapshot!(unknown_game, "perft othelo 3");
snapshot!(unknown_option, "perft othello 3 --option siez=6");
snapshot!(option_without_value, "perft othello 3 --option size");
snapshot!(option_out_of_range, "perft calculation 3 --option piles=9");
snapshot!(option_of_wrong_kind, "check calculation --option layout=delt");
snapshot!(options_that_do_not_go_together, "check othello --option size=5");
snapshot!(unknown_searcher_to_play, "play othello --against alphabetta");
snapshot!(misfit_to_play, "play calculation --against minimax");
snapshot!(second_seat_of_a_solitaire, "play calculation --second");

snapshot!(run_no_such_file, "run nowhere.toml");
snapshot!(run_a_folder, "run .");

/// A snapshot of running a manifest.
macro_rules! manifest {
    ($name:ident, $text:expr) => {
        snapshot!($name, &[("m.toml", $text.as_bytes())], ["run", "m.toml"], "");
    };
}

/// A snapshot of running an experiment: the lines of its game and its design, and its players. It has one trial if they say
/// nothing of trials.
macro_rules! experiment {
    ($name:ident, $lines:expr, $players:expr) => {
        manifest!($name, experiment($lines, $players));
    };
}

fn experiment(lines: &str, players: &str) -> String {
    let trials = if lines.contains("trials") { "" } else { "\ntrials = 1" };
    format!("schema = 1\n[[experiment]]\n{lines}{trials}\nplayer = [{players}]\n")
}

const CALCULATION: &str = r#"game = "calculation""#;
const OTHELLO: &str = r#"game = "othello""#;
const RANDOM: &str = r#"{ search = "random" }"#;
const TWO: &str = r#"{ search = "random" }, { search = "flat" }"#;

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
experiment!(run_unknown_experiment_key, "game = \"tic-tac-toe\"\ntrails = 1", TWO);
experiment!(run_unknown_game, r#"game = "calculaton""#, RANDOM);
experiment!(run_unknown_game_option, "game.calculation = { piels = 3 }", RANDOM);
experiment!(run_game_option_out_of_range, "game.calculation = { piles = 12 }", RANDOM);
experiment!(run_unknown_searcher, CALCULATION, r#"{ search = "simpletree" }"#);
experiment!(run_unknown_searcher_option, CALCULATION, "{ search.flat = { playout = 3 } }");
manifest!(
    run_unknown_policy,
    "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\n\n[[experiment.player]]\nsearch.flat = { policy = \"foundation-frist\" }\n"
);
experiment!(run_misfit, CALCULATION, "{ search.minimax = { depth = 2 } }");
experiment!(
    run_misfit_without_evaluation,
    r#"game = "tic-tac-toe""#,
    r#"{ search = "random" }, { search.minimax = { depth = 2 } }"#
);
experiment!(
    run_unknown_evaluation,
    OTHELLO,
    r#"{ search = "random" }, { search.minimax = { evaluation = "disks" } }"#
);
experiment!(run_misfit_design, "game = \"othello\"\ndesign = \"solo\"", RANDOM);
experiment!(run_misfit_openings, "game = \"calculation\"\nopenings = { random-plies = 2 }", RANDOM);
experiment!(run_unknown_design, "game = \"othello\"\ndesign = \"round-robbin\"", TWO);
experiment!(run_unknown_baseline, "game = \"othello\"\ndesign.gauntlet = { against = [\"rnadom\"] }", TWO);
manifest!(
    run_no_trials,
    "schema = 1\n[[experiment]]\ngame = \"othello\"\nplayer = [{ search = \"random\" }, { search = \"flat\" }]\n"
);
experiment!(run_negative_trials, "game = \"calculation\"\ntrials = -5", RANDOM);
experiment!(run_enormous_trials, "game = \"calculation\"\ntrials = 99999999999999999999999", RANDOM);
experiment!(run_too_many_trials, "game = \"calculation\"\ntrials = 2_000_000_000", RANDOM);
manifest!(run_negative_seed, "schema = 1\nseed = -1\n");
experiment!(run_negative_playouts, CALCULATION, "{ search.flat = { playouts-per-move = -20 } }");
experiment!(run_fractional_playouts, CALCULATION, "{ search.flat = { playouts-per-move = 1.5 } }");
experiment!(
    run_enormous_playouts,
    CALCULATION,
    "{ search.flat = { playouts-per-move = 123456789012345678901234567890 } }"
);
experiment!(run_two_equal_players, OTHELLO, r#"{ search = "random" }, { search = "random" }"#);
experiment!(
    run_a_budget_for_all,
    "game = \"othello\"\ntrials = 1\nbudget = { playouts = 100 }",
    r#""random", "flat""#
);
experiment!(
    run_the_same_player_twice,
    OTHELLO,
    r#"{ name = "a", search = "random" }, { name = "b", search = "random" }"#
);
experiment!(
    run_the_same_name_twice,
    OTHELLO,
    r#"{ name = "a", search = "random" }, { name = "a", search = "flat" }"#
);
experiment!(run_one_player_of_two, OTHELLO, RANDOM);
experiment!(run_two_searches, CALCULATION, "{ search = { flat = {}, random = {} } }");

#[test]
fn run_bytes_that_are_no_text() {
    let files: &[(&str, &[u8])] = &[("m.toml", &[0x73, 0xff, 0x00, 0xfe])];
    insta::assert_snapshot!(show(shikou("run_bytes", files, &["run", "m.toml"], "")));
}

#[test]
fn run_into_a_folder_of_something_else() {
    let files: &[(&str, &[u8])] = &[("m.toml", SMALL.as_bytes()), ("thesis.tex", b"precious")];
    // Which of the two files is named first is the system's choice.
    refused(
        &with_files("run_foreign", files),
        "run m.toml --out .",
        "no log of Shikou's; name another folder",
    );
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

#[test]
fn plan_with_a_pilot() {
    let book = book();
    let files: &[(&str, &[u8])] = &[("m.toml", SWEEP.as_bytes()), ("book.txt", book.as_bytes())];
    let folder = with_files("plan_with_a_pilot", files);
    let (code, out, err) = shikou_in(&folder, &words("plan m.toml --pilot --threads 2"), "");
    assert_eq!((code, err.as_str()), (0, ""));
    // The trials are few and short: the pilot plays them all.
    assert!(out.contains("The pilot played 60 trials on 2 threads; estimated total run time "), "{out}");
    let json = json(&folder, "plan m.toml --pilot=1 --json");
    assert_eq!((&json["command"], &json["schema"]), (&"plan".into(), &2.into()));
    assert_eq!((&json["trials"], &json["games"]), (&60.into(), &120.into()));
    assert_eq!(json["pilot"]["unmeasured_cells"], 0);
    assert!(json["pilot"]["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(json["experiments"][0]["piloted"][0]["trials"], 30);
    assert_eq!(json["experiments"][0]["primary"][0][0], "flat playouts-per-move=2");
}

snapshot!(
    plan_of_a_broken_opening,
    &[("m.toml", SWEEP.as_bytes()), ("book.txt", b"b2\nb2 b2\n" as &[u8])],
    "plan m.toml",
    ""
);
snapshot!(plan_no_such_file, "plan nowhere.toml");

/// The results keep the openings: they are read without the folder that the manifest came from.
#[test]
fn results_keep_the_files_of_their_manifest() {
    let book = book();
    let text = SWEEP.replace("book.txt", "../books.of/book.txt");
    let books = with_files("books.of", &[("book.txt", book.as_bytes())]);
    let folder = with_files("kept_files", &[("m.toml", text.as_bytes())]);
    let first = ok(&folder, "run m.toml -q");
    fs::remove_dir_all(&books).unwrap();
    assert_eq!(fs::read_to_string(folder.join("results/m/manifest...+books.of+book.txt")).unwrap(), book);
    assert_eq!(ok(&folder, "report results/m").lines().last(), first.lines().last());
}

#[test]
fn schema_is_json() {
    let json = json(&with_files("schema", &[]), "schema");
    assert_eq!(json["$schema"], "http://json-schema.org/draft-07/schema#");
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
    let folder = with_files("run_small", &[("m.toml", SMALL.as_bytes())]);
    insta::assert_snapshot!(without_times(&ok(&folder, "run m.toml")));
    let files = "trials.csv canonical.csv digests.csv manifest.toml summary.json report.txt host.toml";
    for name in files.split(' ') {
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
    let report = ok(&folder, "run m.toml");
    assert_eq!(ok(&folder, "report results/m"), report);
    assert!(report.ends_with("reproduces the reference\n"));
    // Another seed gives another result, and --check reports it by the exit code.
    fs::write(folder.join("m.toml"), SMALL.replace("schema = 1", "schema = 1\nseed = 5")).unwrap();
    let (code, out, _) = shikou_in(&folder, &["run", "m.toml", "--quiet", "--check"], "");
    assert_eq!(code, 1);
    assert_has(&ok(&folder, "report results/m"), "40 lines of the log are from other trials; they are kept");
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
    let folder = with_files("report_forms", &[("m.toml", SMALL.as_bytes())]);
    let out = ok(&folder, "run m.toml -q");
    let digest = out.split(' ').nth(1).unwrap();
    let form = |format: &str| {
        let first = ok(&folder, &format!("report results/m --format {format}"));
        let again = ok(&folder, &format!("report results/m --format {format}"));
        assert_eq!(again, first, "the same command on the same log prints the same bytes");
        first
    };
    let markdown = form("markdown");
    assert!(markdown.starts_with("## calculation · "), "{markdown}");
    assert_has(&markdown, &format!("| player | deals | solved | success | … {digest}"));
    let csv = form("csv");
    assert!(csv.starts_with("table,experiment,player,against,figure,value,low,high,method\n"), "{csv}");
    assert!(csv.contains("\ndifferences,calculation,random,"), "{csv}");
    let figure = form("figure");
    assert!(figure.starts_with("experiment,game,player,search,n,measure,value,low,high,method,"), "{figure}");
    // The times of a debug build are meaningless, and left out.
    let has_times = |row: &&str| !row.ends_with(",,,,,");
    assert_eq!(figure.lines().skip(1).any(|row| has_times(&row)), HostFacts::is_optimised(), "{figure}");
    let json: Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!((&json["schema"], &json["digest"]), (&3.into(), &digest.into()));
    let kept = fs::read_to_string(folder.join("results/m/summary.json")).unwrap();
    assert_eq!(json["summary"], serde_json::from_str::<Value>(&kept).unwrap());
    assert_eq!(json["verdicts"][0].as_array().unwrap().len(), 1);
}

#[test]
fn compare_two_runs() {
    let before = SMALL.replace("{ search.policy", "{ name = \"policy\", search.policy");
    let after = before.replace("waste-first", "foundation-first");
    let folder = with_files("compare", &[("m.toml", before.as_bytes()), ("n.toml", after.as_bytes())]);
    ok(&folder, "run m.toml -q --threads 1");
    ok(&folder, "run n.toml -q --threads 1");
    insta::assert_snapshot!("compare_two_runs", without_times(&ok(&folder, "compare results/m results/n")));
    let same = json(&folder, "compare results/m results/m --json");
    assert_eq!((&same["trials"], &same["identical"]), (&40.into(), &40.into()));
    assert_eq!(same["players"][0]["difference"]["value"], 0.0);
    assert_eq!(same["players"][0]["cpu_ratio"]["value"], 1.0);
    // Another seed deals other cards.
    fs::write(folder.join("o.toml"), before.replace("schema = 1", "schema = 1\nseed = 4")).unwrap();
    ok(&folder, "run o.toml -q");
    let other = json(&folder, "compare results/m results/o --json");
    assert_eq!((&other["trials"], &other["only_first"]), (&0.into(), &40.into()));
    assert_eq!(other["players"][0]["difference"]["method"], "newcombe");
    // A reference is its summary.
    let reference = folder.join("reference");
    fs::create_dir_all(&reference).unwrap();
    for file in ["summary.json", "digests.csv", "host.toml"] {
        fs::copy(folder.join("results/n").join(file), reference.join(file)).unwrap();
    }
    let compared = ok(&folder, "compare results/m reference");
    insta::assert_snapshot!("compare_with_a_reference", without_times(&compared));
    let same = json(&folder, "compare reference reference --json");
    assert_eq!((&same["trials"], &same["players"][0]["difference"]["value"]), (&().into(), &0.0.into()));
    refused(&folder, "compare results/m nowhere", "nowhere is not a folder of results");
}

#[test]
fn run_as_json_and_smoke() {
    let folder = with_files("run_smoke", &[("m.toml", SMALL.as_bytes())]);
    assert_has(&ok(&folder, "run m.toml --smoke"), "of a smoke run: 4 games played, nothing kept");
    assert!(!folder.join("results").exists(), "nothing is kept");
    let json = json(&folder, "run m.toml --json");
    assert_eq!((&json["command"], &json["schema"]), (&"run".into(), &3.into()));
    assert_eq!(json["summary"]["experiments"][0]["players"][0]["trials"], 20);
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
    "replay othello games.txt",
    ""
);
snapshot!(replay_quiet, &[], "replay tic-tac-toe - --quiet", "b2 a1 a2\nb2 b2\n");
snapshot!(replay_no_such_file, "replay othello nowhere.txt");
snapshot!(replay_bytes, &[("games.txt", b"f\xff\n" as &[u8])], "replay othello games.txt", "");

#[test]
fn replay_wthor() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let files: &[(&str, &[u8])] = &[("WTH_1978.wtb", &sample)];
    for more in ["", "-q --json", "--option size=6"] {
        let line = format!("replay othello WTH_1978.wtb {more}");
        insta::assert_snapshot!(show(shikou("wthor", files, &words(&line), "")));
    }
}

#[test]
fn replay_broken_wthor() {
    let sample = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let truncated: &[(&str, &[u8])] = &[("cut.wtb", &sample[..200])];
    insta::assert_snapshot!(show(shikou("wthor_cut", truncated, &words("replay othello cut.wtb"), "")));
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
    r#"play tic-tac-toe --against minimax(depth="full",ties="first")"#,
    "moves\nz9\nhint\nb2\nundo\nb2\na2\nquit\n"
);
snapshot!(play_to_the_end, &[], "play tic-tac-toe --against random", "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n");
snapshot!(
    play_review,
    &[],
    r#"play tic-tac-toe --against minimax(depth="full",ties="first")"#,
    "b1\nb3\nc1\nb2\na3\nc3\nreview\nundo\nundo\nmoves\n"
);
snapshot!(
    play_review_without_values,
    &[],
    "play tic-tac-toe --against random --second",
    "a1\na2\nreview\nwhat\nquit\n"
);
// Six moves that were never tried have no value.
snapshot!(analyze_untried_moves, "analyze tic-tac-toe --search uct@3");
// Edges lose: they have bounds and no values, and are not of the same value.
snapshot!(explain_bounds, r#"explain tic-tac-toe alpha-beta(depth="full",root="best") b2"#);
// Column a is full: o has lost.
#[test]
fn the_value_of_a_finished_position_is_that_of_the_side_that_is_written() {
    let solved = |line: &str| ok(Path::new("."), &format!("solve {line}"));
    assert_has(&solved("tic-tac-toe 'xo-xo-x-- o'"), "value     -1 for the side to move");
    assert_has(&solved("tic-tac-toe 'a1 b1 a2 b2 a3'"), "value     +1 for the first player");
    let json = solved("tic-tac-toe 'a1 b1 a2 b2 a3' --json");
    assert_has(&json, "\"value\": 1 … \"value_of\": \"first-player\"");
    let black = "X".repeat(64);
    for (side, value) in [("X", "+64"), ("O", "-64")] {
        let text = solved(&format!("othello '{black} {side}'"));
        assert_has(&text, &format!("value     {value} for the side to move"));
    }
    let file = format!("{black} O; pass:-64;");
    let (code, out, _) = shikou("finished_file", &[], &["solve", "othello", "--file", "-"], &file);
    assert!(code == 0 && !out.contains("differs"), "{out}");
}
snapshot!(
    play_from_a_position,
    &[],
    "play calculation --option piles=3 'up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 4T | hand 9'",
    "p3\nundo\nf2\nreview\nquit\n"
);
snapshot!(
    play_calculation,
    &[],
    "play calculation --against flat(playouts-per-move=1000,policy=foundation-first) --seed 3",
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
    let here = Path::new(".");
    let uct = ok(here, "searchers uct --width 80");
    assert!(uct.lines().count() < 200 && uct.contains("`shikou searchers uct PART`"), "{uct}");
    let ucb1 = ok(here, "searchers uct selection.ucb1");
    assert!(ucb1.starts_with("uct: selection.ucb1\n") && ucb1.contains("\nexploration "), "{ucb1}");
    let flat = ok(here, "searchers flat policy");
    assert!(flat.contains("policy.softmax") && !flat.contains("\nties "), "{flat}");
    refused(here, "searchers uct selection.ucb", "unknown part `ucb`");
}

#[test]
fn a_manifest_where_a_game_belongs_is_answered() {
    for command in ["check", "profile", "play"] {
        refused(Path::new("."), &format!("{command} m.toml"), "`shikou plan m.toml` reads a manifest");
    }
}
