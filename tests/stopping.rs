//! Stopping rules: decisions depend on the order of the instances, not of completion.

use std::fs;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{
    Findings, Fingerprints, Live, LogWriter, MoveTimes, Plan, Shard, StoppingSummary, TestSummary, find, run,
};
use shikou::stats::Verdict;

use crate::resume::{ok, shikou};
use crate::support::{self, folder, with_manifest};

/// Games of very different duration: the test would err if fed in order of completion.
const SPRT: &str = r#"
schema = 1
seed = 5
[[experiment]]
game.othello = { size = 4 }
trials = 3000
openings = { random-plies = 4 }
stopping.sprt = { between = ["strong", "weak"], elo0 = 0, elo1 = 60, alpha = 0.05, beta = 0.05 }
player = [
  { name = "weak", search.flat = { playouts-per-move = 2 } },
  { name = "strong", search.flat = { playouts-per-move = 40 } },
]
"#;

const HALF_WIDTH: &str = r#"
schema = 1
[[experiment]]
name = "rates"
game = "calculation"
trials = 5000
stopping.half-width = { at-most = 0.05 }
player = [{ search = "random" }, { search.flat = { playouts-per-move = 20, policy = "foundation-first" } }]
[[experiment]]
name = "points"
game = "tic-tac-toe"
trials = 5000
stopping.half-width = { at-most = 0.06, of = "difference" }
primary = [["b", "a"]]
player = [{ name = "a", search = "random" }, { name = "b", search.flat = { playouts-per-move = 5 } }]
"#;

const DIFFERENCE: &str = r#"
schema = 1
[[experiment]]
game = "calculation"
trials = 5000
stopping.difference = { between = ["none", "some"], alpha = 0.01 }
player = [
  { name = "none", search = "random" },
  { name = "some", search.flat = { playouts-per-move = 50, policy = "foundation-first" } },
]
[[experiment]]
name = "pairs"
game = "tic-tac-toe"
trials = 5000
stopping.difference = { between = ["searches", "guesses"], alpha = 0.001 }
player = [{ name = "guesses", search = "random" }, { name = "searches", search.flat = { playouts-per-move = 5 } }]
"#;

/// Plays a manifest like a run, and returns the stopping of its experiments with the canonical log.
fn play(name: &str, text: &str, threads: usize) -> (Vec<u8>, Findings) {
    let manifest = support::manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let path = folder(&format!("stopping/{name}-{threads}")).join("trials.csv");
    let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
    let mut live = Live::new(&plan, Shard::WHOLE, log.log()).unwrap();
    let wanted = live.wanted(log.log());
    run(&plan, threads, &wanted, &AtomicBool::new(false), None, &mut [&mut log, &mut live]).unwrap();
    let mut canonical = Vec::new();
    let found = find(&plan, log.log(), MoveTimes::read("none".as_ref(), &plan), &mut canonical).unwrap();
    for (index, stopping) in found.stopping.iter().enumerate() {
        let decided = live.standings(index).decision().map(|decision| decision.words.clone());
        let from_log = stopping.as_ref().and_then(|stopping| stopping.decision.clone());
        assert_eq!(decided, from_log, "live and from the log");
    }
    assert_eq!(live.left(), 0);
    (canonical, found)
}

/// The stopping of each experiment; the same for 1 and for 8 threads, to the byte of the canonical log.
pub(crate) fn stopping(name: &str, text: &str) -> Vec<StoppingSummary> {
    let (one, found) = play(name, text, 1);
    let (eight, again) = play(name, text, 8);
    assert_eq!(one, eight);
    assert_eq!(found.digests, again.digests);
    assert_eq!((found.missing, again.missing), (0, 0));
    let summary = |found: Findings| -> Vec<StoppingSummary> {
        found.stopping.into_iter().map(Option::unwrap).collect()
    };
    let (one, eight) = (summary(found), summary(again));
    for (one, eight) in one.iter().zip(&eight) {
        assert_eq!(one, eight);
        assert!(one.decision.is_some() && one.instances < one.at_most, "{one:?}");
    }
    one
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_for_1_and_8_threads() {
    let [sprt] = &stopping("sprt", SPRT)[..] else { panic!("one experiment") };
    let Some(TestSummary::Sprt { verdict, pairs, ratio, bounds, unbiased_elo, .. }) = &sprt.test else {
        panic!("{sprt:?}")
    };
    assert_eq!(*verdict, Verdict::AcceptH1);
    assert!(*ratio >= bounds.upper);
    assert_eq!(pairs.iter().sum::<u64>(), sprt.instances);
    assert!(unbiased_elo.unwrap().value.unwrap() > 0.0);
    // With the players exchanged, the other hypothesis is accepted: the seats of the cell do not matter.
    let turned = SPRT.replace(r#"["strong", "weak"]"#, r#"["weak", "strong"]"#);
    let [other] = &stopping("turned", &turned)[..] else { panic!("one experiment") };
    let Some(TestSummary::Sprt { verdict, .. }) = other.test else { panic!("{other:?}") };
    assert_eq!(verdict, Verdict::AcceptH0);
}

/// A game after the decision counts neither in the report nor in a comparison of two runs.
#[test]
fn a_comparison_counts_no_trial_after_the_decision() {
    let folder = with_manifest("stopping/compared", SPRT);
    ok(&folder, &["run", "m.toml", "--threads", "4", "-q"]);
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let summary = read(&fs::read_to_string(folder.join("results/m/summary.json")).unwrap());
    let (_, compared, _) = shikou(&folder, &["compare", "results/m", "results/m", "--json"]);
    let (meeting, player) = (&summary["experiments"][0]["meetings"][0], &read(&compared)["players"][0]);
    let pairs = &meeting["pairs"];
    assert_eq!(&player["shared_instances"], pairs);
    let points = meeting["points"]["value"].as_f64().unwrap();
    let points = if player["player"] == meeting["first"] { points } else { 1.0 - points };
    assert!((player["points"][0].as_f64().unwrap() - points).abs() < 1e-12, "{player}\n{meeting}");
    let (_, text, _) = shikou(&folder, &["compare", "results/m", "results/m"]);
    assert!(text.contains("A stopping rule chose the number of trials"), "{text}");
}

#[test]
fn precision_stops_each_experiment_at_its_own_instance() {
    let [rates, points] = &stopping("width", HALF_WIDTH)[..] else { panic!("two experiments") };
    assert!(
        rates.instances > 40 && points.instances > 40 && rates.instances != points.instances,
        "{rates:?} {points:?}"
    );
    assert_eq!(rates.rule, "until every anytime 95 % interval has a half-width of at most 0.05");
}

#[test]
fn a_difference_stops_as_soon_as_the_evidence_suffices() {
    let expected =
        [("some succeeds more often than none", 0.01), ("searches has more points than guesses", 0.001)];
    for (found, (words, alpha)) in stopping("difference", DIFFERENCE).iter().zip(expected) {
        assert_eq!(found.decision.as_deref(), Some(words));
        let Some(TestSummary::Difference { ln_e, p }) = found.test else { panic!("{found:?}") };
        assert!(ln_e >= -f64::ln(alpha) && p <= alpha, "{found:?}");
    }
}

#[test]
fn a_stopped_run_is_done_and_shares_of_it_join_to_the_same() {
    let folder = with_manifest("stopping/command", SPRT);
    let (code, whole, err) = shikou(&folder, &["run", "m.toml", "--threads", "2"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("othello: decided after "), "{err}");
    let canonical = fs::read(folder.join("results/m/canonical.csv")).unwrap();
    let log = fs::read(folder.join("results/m/trials.csv")).unwrap();
    // Again: nothing is left to play.
    let (_, again, err) = shikou(&folder, &["run", "m.toml"]);
    assert_eq!(again.lines().last(), whole.lines().last());
    assert!(err.contains(" 0 are left to play"), "{err}");
    assert_eq!(fs::read(folder.join("results/m/trials.csv")).unwrap(), log);
    let (_, status, _) = shikou(&folder, &["status", "results/m"]);
    assert!(
        status.contains("othello: decided after ") && status.ends_with(" trials, complete\n"),
        "{status}"
    );
    // Shards see only their own trials; the stopping point is found when they are merged.
    let small = SPRT.replace("trials = 3000", "trials = 300");
    fs::write(folder.join("m.toml"), small).unwrap();
    for share in ["1/2", "2/2"] {
        assert_eq!(shikou(&folder, &["run", "m.toml", "--shard", share]).0, 0);
    }
    let parts = ["results/m.shard-2-of-2", "results/m.shard-1-of-2"];
    ok(&folder, &["merge", "joined", parts[0], parts[1]]);
    assert_eq!(fs::read(folder.join("joined/canonical.csv")).unwrap(), canonical);
}

#[test]
fn a_time_limit_ends_the_run_and_says_so() {
    let folder = folder("stopping/time");
    let long = r#"
        schema = 1
        time-limit = "500ms"
        [[experiment]]
        game = "othello"
        trials = 100000
        player = [{ search.flat = { playouts-per-move = 10 } }, { search = "random" }]
    "#;
    fs::write(folder.join("m.toml"), long).unwrap();
    let (code, out, err) = shikou(&folder, &["run", "m.toml", "--quiet"]);
    assert_eq!(code, 4, "{out}{err}");
    assert!(err.contains("the time limit of 500ms is reached"), "{err}");
    assert!(out.contains(" trials are missing"), "{out}");
    assert!(folder.join("results/m/report.txt").exists());
}

fn stopped(stopping: &str, game: &str) -> String {
    format!(
        "schema = 1\n[[experiment]]\ngame = {game:?}\ntrials = 10\n{stopping}\n\
         player = [{{ name = \"a\", search = \"random\" }}, {{ name = \"b\", search = \"random\", stream = \"b\" }}]\n"
    )
}

fn refusal(stopping: &str, game: &str) -> String {
    support::refusal(&stopped(stopping, game))
}

#[test]
fn rules_that_do_not_fit_are_refused() {
    let cases = [
        ("stopping = \"never\"", "tic-tac-toe", r#""half-width", "sprt" or "difference""#),
        ("stopping.half-width = {}", "tic-tac-toe", "`at-most` is missing"),
        ("stopping.half-width = { at-most = 0.7 }", "tic-tac-toe", "between 0 and 0.5"),
        ("stopping.half-width = { at-mots = 0.1 }", "tic-tac-toe", "at-most"),
        (
            "stopping.half-width = { at-most = 0.1, of = \"difference\" }",
            "tic-tac-toe",
            "there is no `primary`",
        ),
        (
            "stopping.sprt = { between = [\"a\", \"a\"], elo0 = 0, elo1 = 1 }",
            "tic-tac-toe",
            "two different players",
        ),
        (
            "stopping.sprt = { between = [\"a\", \"b\"], elo0 = 2, elo1 = 1 }",
            "tic-tac-toe",
            "elo0 must be less than elo1",
        ),
        (
            "stopping.sprt = { between = [\"a\", \"b\"], elo0 = 0, elo1 = 1 }",
            "calculation",
            "stopping.difference",
        ),
        ("stopping.difference = { between = [\"a\", \"a\"] }", "tic-tac-toe", "two different players"),
    ];
    for (stopping, game, reason) in cases {
        let error = refusal(stopping, game);
        assert!(error.contains(reason) && error.contains("m.toml:5:"), "{stopping}: {error}");
    }
}

/// The example of an error is accepted in place of the mistake.
#[test]
fn the_example_of_a_rule_is_a_rule() {
    for (rule, game) in [("half-width", "othello"), ("sprt", "othello"), ("difference", "calculation")] {
        for wrong in [format!("stopping.{rule} = 0.02"), format!("stopping.{rule} = {{}}")] {
            let error = refusal(&wrong, game);
            let example = error
                .split('`')
                .find(|part| part.starts_with("stopping."))
                .unwrap_or_else(|| panic!("{error}"));
            let read = support::manifest(&stopped(example, game));
            assert!(read.experiments()[0].stopping.is_some(), "{example}");
        }
    }
    let two = "stopping = { half-width = { at-most = 0.1 }, sprt = {} }";
    let example = "keep one, with its options inside, such as `stopping.half-width = { at-most = 0.02 }`";
    assert!(refusal(two, "othello").contains(example));
}

/// A trial that two experiments share counts once in each, in a run and in one that is resumed.
#[test]
fn shared_trials_count_once_in_every_experiment() {
    let experiment = |name: &str, player: &str| {
        format!(
            "[[experiment]]\nname = {name:?}\ngame = \"calculation\"\ntrials = 40\n\
             player = [{{ search = \"random\" }}, {{ search.flat = {{ playouts = {player} }} }}]\n"
        )
    };
    let text = format!("schema = 1\n{}{}", experiment("a", "1"), experiment("b", "2"));
    let manifest = support::manifest(&text);
    let plan = Plan::new(&manifest).unwrap();
    let path = folder("stopping/shared_live").join("trials.csv");
    for round in 0..2 {
        let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
        let mut live = Live::new(&plan, Shard::WHOLE, log.log()).unwrap();
        let wanted = live.wanted(log.log());
        run(&plan, 2, &wanted, &AtomicBool::new(false), None, &mut [&mut log, &mut live]).unwrap();
        assert_eq!(live.played(), if round == 0 { 120 } else { 0 });
        for (experiment, player) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert_eq!(live.standings(experiment).of_player(player).1, 40);
        }
    }
}

/// A trial of a decided experiment is still played if another experiment needs it.
#[test]
fn a_decision_ends_no_experiment_that_shares_the_trials() {
    let with = |name: &str, stopping: &str, trials: u64, playouts: u64| {
        format!(
            "[[experiment]]\nname = {name:?}\ngame.calculation = {{ ranks = 7, suits = 3 }}\ntrials = {trials}\n{stopping}\nplayer = [\n\
             {{ name = \"none\", search = \"random\" }},\n\
             {{ name = \"some\", search.flat = {{ playouts = {playouts}, policy = \"foundation-first\" }} }},\n]\n"
        )
    };
    let strict = "stopping.difference = { between = [\"none\", \"some\"], alpha = 0.01 }";
    let loose = "stopping.difference = { between = [\"none\", \"some\"], alpha = 0.2 }";
    for (first, second) in [(strict, ""), (loose, strict)] {
        let text = format!("schema = 1\n{}{}", with("a", first, 900, 20), with("b", second, 700, 24));
        let (canonical, found) = play("shared", &text, 1);
        let (again, _) = play("shared", &text, 8);
        assert_eq!(canonical, again);
        assert_eq!(found.missing, 0, "{first:?} {second:?}");
        for (rule, stopping) in [first, second].into_iter().zip(&found.stopping) {
            assert_eq!(
                stopping.as_ref().is_some_and(|stopping| stopping.decision.is_some()),
                !rule.is_empty()
            );
        }
    }
}
