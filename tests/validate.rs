//! Published figures: the suite agrees, and wrong constants differ.

use std::path::Path;
use std::time::Duration;

use shikou::players::Registry;
use shikou::stats::{Confidence, PairedCounts};
use shikou::validate::{
    Checked, Context, Figure, Found, Published, Sample, Suite, Tier, TimesShown, Value, Verdict, document,
    judge,
};

use crate::cli::{shikou, show, snapshot};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn context(registry: &Registry, threads: usize) -> Context<'_> {
    Context { registry, threads, references: root().join("results/reference") }
}

fn suite(cases: &str) -> Suite {
    let text = format!("schema = 1\n{cases}");
    Suite::parse("cases.toml".as_ref(), &text, &shikou::registry()).unwrap_or_else(|error| panic!("{error}"))
}

/// A case with a published figure and its derivation.
fn case(name: &str, published: &str, derivation: &str) -> String {
    format!(
        "[[case]]\nname = \"{name}\"\ngroup = \"G\"\nwhat = \"w\"\nsource = \"s\"\ntier = \"quick\"\ncost = \"1s\"\n\
         published.{published}\n{derivation}\n"
    )
}

#[test]
fn the_games_have_their_published_counts_and_values() {
    let registry = shikou::registry();
    let games = Suite::read(&root().join("validate/games.toml"), &registry).unwrap();
    for case in games.select(&[], Tier::Quick).unwrap() {
        let checked = games.check(case, &context(&registry, 1));
        assert_eq!(checked.judged.verdict, Verdict::Agrees, "{}: {:?}", case.name, checked.found);
    }
}

/// A published figure that is known to differ is no failure, unless it agrees.
#[test]
fn a_known_difference_must_differ() {
    let registry = shikou::registry();
    let derivation =
        "exact = { game = \"tic-tac-toe\", player = 'ai6', against = \"random\", percent = true }";
    for (lost, is_known, fails, word) in [
        ("2.2", false, true, "DIFFERS"),
        ("2.2", true, false, "differs (known)"),
        ("1.3", false, false, "agrees"),
        ("1.3", true, true, "AGREES"),
    ] {
        let published = format!(
            "sampled = {{ percent = [\"88.9\", \"{lost}\", \"8.9\", \"70.3\", \"6.2\", \"23.5\"], trials = 10000 }}"
        );
        let known = if is_known { "\nknown-difference = \"why\"" } else { "" };
        let suite = suite(&case("ai6", &format!("{published}{known}"), derivation));
        let checked = suite.check(&suite.cases[0], &context(&registry, 1));
        assert_eq!(checked.is_failure(), fails, "{lost} {is_known}: {:?}", checked.judged);
        let shown = document(&suite, &[checked], TimesShown::Marked).to_string();
        assert!(shown.contains(word), "{shown}");
    }
}

/// A case agrees, unless it needs large data that is not here: that one is skipped by name.
fn assert_agrees(checked: &Checked<'_>) {
    let Checked { case, found, judged, .. } = checked;
    if let Ok(Found::Missing(why)) = found {
        assert!(why.contains("SHIKOU_DATA"), "{}: {why}", case.name);
        eprintln!("skipped: {}: {why}", case.name);
        return;
    }
    assert!(!checked.is_failure(), "{}: {found:?} {judged:?}", case.name);
    assert_ne!(judged.verdict, Verdict::NotRun, "{}", case.name);
}

/// The built-in cases that take about a second.
#[test]
fn the_fast_built_in_cases_agree() {
    let registry = shikou::registry();
    let suite = Suite::standard(&registry).unwrap_or_else(|error| panic!("{error}"));
    let cases = suite.select(&[], Tier::Quick).unwrap();
    let fast: Vec<_> = cases.into_iter().filter(|case| case.cost <= Duration::from_secs(1)).collect();
    assert!(fast.len() > 30, "{} cases are fast", fast.len());
    let context = context(&registry, 2);
    for case in fast {
        assert_agrees(&suite.check(case, &context));
    }
}

#[test]
#[ignore = "long: what `shikou validate --quick` runs, a minute or so"]
fn all_quick_built_in_cases_agree() {
    let registry = shikou::registry();
    let suite = Suite::standard(&registry).unwrap_or_else(|error| panic!("{error}"));
    let context = context(&registry, 2);
    for case in suite.select(&[], Tier::Quick).unwrap() {
        assert_agrees(&suite.check(case, &context));
    }
}

/// For every kind of case a derivation, a right constant and a wrong one.
const KINDS: [(&str, &str, &str, &str); 36] = [
    (
        "exact",
        "exact = { game = \"tic-tac-toe\", player = 'rules(list=\"ai6s\")', against = \"random\", percent = true }",
        "sampled = { percent = [\"88.6\", \"1.9\", \"9.5\", \"69.4\", \"9.1\", \"21.5\"], trials = 10000 }",
        "sampled = { percent = [\"88.6\", \"2.9\", \"9.5\", \"69.4\", \"9.1\", \"21.5\"], trials = 10000 }",
    ),
    (
        "exact",
        "exact = { game = \"tic-tac-toe\", player = \"random\", against = \"random\" }",
        "exact = [\"737/1260\", \"121/420\", \"8/63\", \"121/420\", \"737/1260\", \"8/63\"]",
        "exact = [\"737/1260\", \"121/420\", \"8/63\", \"121/420\", \"736/1260\", \"8/63\"]",
    ),
    (
        "exact",
        "exact = { game = \"tic-tac-toe\", best-response = true, against = \"random\", percent = true }",
        "exact = [\"99.479\", \"0\", \"0.521\", \"91.640\", \"0\", \"8.360\"]",
        "exact = [\"99.480\", \"0\", \"0.521\", \"91.640\", \"0\", \"8.360\"]",
    ),
    (
        "prove",
        "prove = { game = \"tic-tac-toe\", player = 'rules(list=\"ai12s\")' }",
        "exact = \"proved\"",
        "exact = \"refuted\"",
    ),
    ("perft", "perft = { game = 'othello', depth = 3 }", "exact = [4, 12, 56]", "exact = [4, 12, 57]"),
    ("positions", "positions = { game = 'tic-tac-toe' }", "exact = 5478", "exact = 5477"),
    (
        "solve",
        "solve = { game = 'tic-tac-toe', positions = ['xx-oo---- x', ''] }",
        "exact = [1, 0]",
        "exact = [1, 1]",
    ),
    (
        "solve",
        "solve = { game = 'tic-tac-toe', positions = ['xx-oo---- x', '', 'a1 b1'], \
         by = ['uct(solver=bounds)@playouts=100000', 'alpha-beta(depth=full)'] }",
        "exact = [1, 0, 1]",
        "exact = [1, 0, 0]",
    ),
    (
        "replay",
        "replay = { game = 'tic-tac-toe', moves = 'a1 b1 a2 b2 a3' }",
        "exact = ['win', 1]",
        "exact = ['draw', 1]",
    ),
    ("wthor", "wthor = {}", "exact = [8, 0, 0]", "exact = [8, 1, 0]"),
    (
        "playouts",
        "playouts = { game = 'tic-tac-toe', playouts = 20000, measure = 'wins' }",
        "exact = '737/1260'",
        "exact = '780/1260'",
    ),
    (
        "playouts",
        "playouts = { game = 'tic-tac-toe', playouts = 20000, measure = 'draws' }",
        "rate = { successes = 8000, trials = 63000 }",
        "rate = { successes = 9000, trials = 63000 }",
    ),
    (
        "playouts",
        "playouts = { game = 'tic-tac-toe', playouts = 20000, measure = 'losses' }",
        "between = ['0.28', '0.29']",
        "between = ['0.38', '0.39']",
    ),
    (
        "playouts",
        "playouts = { game = 'tic-tac-toe', playouts = 20000, measure = 'plies' }",
        "mean = { value = '7.626', trials = 10000 }",
        "mean = { value = '7.726', trials = 10000 }",
    ),
    (
        "playouts",
        "playouts = { game = 'tic-tac-toe', from = '----x---- o', playouts = 20000, measure = 'points' }",
        "exact = '3/4'",
        "exact = '0.77'",
    ),
    (
        "playouts",
        "playouts = { game = 'calculation', playouts = 1000, measure = 'successes' }",
        "at-least = 0",
        "at-least = '0.1'",
    ),
    (
        "play",
        "[case.play]\nmeasure = 'success'\nplayer = 'a'\nless = 'b'\n[case.play.experiment]\n\
         game.calculation = { foundation = 'automatic', reward = 'score' }\ntrials = 200\nplayer = [\n\
         { name = 'a', search.flat = { playouts-per-move = 100, policy = 'waste-first' } },\n\
         { name = 'b', search = 'random' } ]",
        "at-least = 0",
        "more-than = '0.5'",
    ),
    (
        "play",
        "[case.play]\nmeasure = 'margin'\nexperiment.game = 'calculation'\nexperiment.trials = 200\n\
         experiment.player = [{ search = 'random' }]",
        "at-least = 15",
        "at-least = 30",
    ),
    (
        "tournament",
        "[case.tournament]\npoints = { random = 0.17, 'hand 1' = 0.83 }\n[case.tournament.experiment]\n\
         game = 'othello'\ntrials = 100\ndesign.gauntlet = { against = ['random', 'hand 1 again'] }\nplayer = [\n\
         { name = 'random', search = 'random' },\n\
         { name = 'hand 1', search.greedy = { evaluation = 'hand' } },\n\
         { name = 'hand 1 again', search.greedy = { evaluation = 'hand', epsilon = 0.1 } } ]",
        "between = ['-100', '100']",
        "between = ['500', '600']",
    ),
    (
        "errors",
        "errors = { branching = 2, depth = 8, trees = 100, search = 'uct', playouts = [2, 512] }",
        "more-than = 0",
        "more-than = '0.5'",
    ),
    (
        "clairvoyant",
        "clairvoyant = { game = 'calculation', deals = 5, nodes = 20000 }",
        "at-least = '0.95'",
        "between = ['-0.2', '-0.1']",
    ),
    (
        "stats",
        "stats = { statistic = 'wilson', of = [37, 100] }",
        "exact = ['0.281823605', '0.467794704']",
        "exact = ['0.281823605', '0.467794705']",
    ),
    (
        "reference",
        "reference = { results = 'calculation-flat-budget', experiment = 'reward: cards', player = 'flat 10', \
         measure = 'success' }",
        "rate = { successes = 626, trials = 20000 }",
        "rate = { successes = 2626, trials = 20000 }",
    ),
    (
        "optimise",
        "optimise = { problem = 'sphere', active = false, runs = 5, measure = 'evaluations' }",
        "between = [1488, 2012]",
        "between = [1738, 2012]",
    ),
    (
        "optimise",
        "optimise = { problem = 'noisy-one-max', runs = 3, measure = 'solved' }",
        "at-least = 2",
        "at-least = 4",
    ),
    (
        "effects",
        "effects = { file = 'tests/data/grid.csv', factors = ['a', 'b'], response = 'wins', of = ['a'], measure = 'mean', \
         where = { generation = [0, 1] } }",
        "exact = ['2.5', '6.5']",
        "exact = ['2.5', '6.6']",
    ),
    (
        "effects",
        "effects = { file = 'tests/data/grid.csv', factors = ['a', 'b'], response = 'wins', of = ['a', 'b'], \
         measure = 'mean', where = { generation = [0, 1] } }",
        "exact = ['2.0', '3.0', '4.0', '9.0']",
        "exact = ['2.0', '4.0', '3.0', '9.0']",
    ),
    (
        "effects",
        "effects = { file = 'tests/data/grid.csv', factors = ['a', 'b'], response = 'wins', of = ['a'], measure = 'f', \
         where = { generation = [0, 1] } }",
        "exact = '4.0'",
        "exact = '4.1'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/generations.csv', run = 1, kept = 1, measure = 'correlation' }",
        "exact = '1.0'",
        "exact = '0.9'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/generations.csv', run = 1, kept = 1, measure = 'survivors' }",
        "exact = '1.0'",
        "exact = '0.9'",
    ),
    // Three genes of four generations, over which the mean of the population varies, and of one more run. The numbers are by other code.
    (
        "heredity",
        "heredity = { file = 'tests/data/selected.csv', run = 1, kept = 1, measure = 'halves' }",
        "exact = '0.50'",
        "exact = '0.51'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/selected.csv', run = 1, other = 2, kept = 1, measure = 'runs' }",
        "exact = '0.33'",
        "exact = '0.34'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/selected.csv', run = 1, kept = 1, measure = 'gain' }",
        "exact = '0.74'",
        "exact = '0.73'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/selected.csv', run = 1, kept = 1, measure = 'first' }",
        "exact = '-0.50'",
        "exact = '-0.49'",
    ),
    (
        "heredity",
        "heredity = { file = 'tests/data/selected.csv', run = 1, kept = 1, measure = 'each' }",
        "exact = '0.26'",
        "exact = '0.25'",
    ),
    (
        "network",
        "network = { file = 'tests/data/discs.safetensors', values = \
         ['---------------------------OX------XXX-------------------------- X 3.5', \
          '---------------------------OX------XXX-------------------------- O -2.25'] }",
        "exact = '0.25'",
        "exact = '0.0'",
    ),
];

#[test]
fn a_wrong_constant_of_every_kind_is_found() {
    let pair = |(index, (_, derivation, right, wrong)): (usize, &(&str, &str, &str, &str))| {
        case(&format!("right-{index}"), right, derivation)
            + &case(&format!("wrong-{index}"), wrong, derivation)
    };
    let suite = suite(&KINDS.iter().enumerate().map(pair).collect::<String>());
    let registry = shikou::registry();
    let context = context(&registry, 2);
    for (index, case) in suite.cases.iter().enumerate() {
        assert_eq!(case.kind, KINDS[index / 2].0);
        let Checked { found, judged, .. } = suite.check(case, &context);
        let expected = if index % 2 == 0 { Verdict::Agrees } else { Verdict::Differs };
        assert_eq!(judged.verdict, expected, "{} by {}: {found:?} {judged:?}", case.name, case.kind);
        assert_eq!(judged.reason.is_empty(), expected == Verdict::Agrees, "{judged:?}");
    }
    // Every kind of the built-in cases is among them.
    for case in &Suite::standard(&registry).unwrap_or_else(|error| panic!("{error}")).cases {
        assert!(
            KINDS.iter().any(|(kind, ..)| *kind == case.kind),
            "{} is of a kind that is not tried",
            case.name
        );
    }
}

/// A search that ends without a proof gives no value, also one to a depth or without a solver.
#[test]
fn values_must_be_proved() {
    for (by, why) in [
        ("uct(solver=bounds)@playouts=50", "proves nothing: playouts spent"),
        ("uct@playouts=50", "proves nothing: playouts spent"),
        ("alpha-beta(depth=3)", "proves nothing: complete"),
    ] {
        let derivation = format!("solve = {{ game.othello = {{ size = 4 }}, by = ['{by}'] }}");
        let suite = suite(&case("a", "exact = [-1]", &derivation));
        let judged = suite.check(&suite.cases[0], &context(&shikou::registry(), 1)).judged;
        assert_eq!(judged.verdict, Verdict::Differs, "{by}");
        assert!(
            judged.reason.contains(why) && judged.reason.contains(by.split('(').next().unwrap()),
            "{judged:?}"
        );
    }
}

/// A rule list or a policy of the game can be named in a case, as in every command.
#[test]
fn players_are_called_as_in_every_command() {
    let exact = |name: &str, player: &str, against: &str| {
        let derivation =
            format!("exact = {{ game = 'tic-tac-toe', player = '{player}', against = '{against}' }}");
        case(name, "exact = 0", &derivation)
    };
    let proof = |name: &str, player: &str| {
        let derivation = format!("prove = {{ game = 'tic-tac-toe', player = '{player}' }}");
        case(name, "exact = 'proved'", &derivation)
    };
    let suite = suite(
        &[
            proof("short", "ai12s"),
            proof("long", "rules(list=\"ai12s\")"),
            exact("exact-short", "ai2", "ai12s"),
            exact("exact-long", "rules(list=\"ai2\")", "rules(list=\"ai12s\")"),
        ]
        .concat(),
    );
    let registry = shikou::registry();
    let context = context(&registry, 1);
    let found = |index: usize| suite.check(&suite.cases[index], &context).found.unwrap();
    assert_eq!(found(0), Found::Exact(vec![Value::Word("proved".into())]));
    assert_eq!(found(0), found(1));
    assert_eq!(found(2), found(3));
}

/// The verdicts at known counts.
#[test]
fn verdicts_follow_their_rules() {
    let level = Confidence::new(0.99);
    let verdict = |published: &Published, found: &Found| judge(published, found, level).verdict;
    let exact = |text: &str| Published::Exact(vec![Figure::new(text)]);
    let real = |number: f64| Found::Exact(vec![Value::Real(number)]);
    // Decimals count as far as they are printed.
    assert_eq!(verdict(&exact("0.250"), &real(0.250_49)), Verdict::Agrees);
    assert_eq!(verdict(&exact("0.250"), &real(0.250_51)), Verdict::Differs);
    assert_eq!(verdict(&exact("7"), &real(7.001)), Verdict::Differs);
    assert_eq!(verdict(&exact("7"), &Found::Exact(vec![Value::Whole(7), Value::Whole(7)])), Verdict::Differs);
    // A mean of 10 with standard error 1: the quantile of 99 % is 2.5758.
    let mean = Found::Mean(Sample { count: 100, mean: 10.0, variance: 100.0 });
    assert_eq!(verdict(&exact("12.5758"), &mean), Verdict::Agrees);
    assert_eq!(verdict(&exact("12.5760"), &mean), Verdict::Differs);
    // Against a sample with the same error the quantile is √2 times as far: 3.6428.
    let sample =
        |value: &str| Published::Mean { value: Figure::new(value), deviation: Some(10.0), trials: 100 };
    assert_eq!(verdict(&sample("13.6427"), &mean), Verdict::Agrees);
    assert_eq!(verdict(&sample("13.6430"), &mean), Verdict::Differs);
    let sample = Published::Mean { value: Figure::new("13.6427"), deviation: None, trials: 100 };
    assert_eq!(verdict(&sample, &mean), Verdict::Agrees);
    // Bounds: from 7.42 to 12.58.
    let bound = |form: fn(Figure) -> Published, text: &str| verdict(&form(Figure::new(text)), &mean);
    assert_eq!(bound(Published::AtLeast, "12"), Verdict::Agrees);
    assert_eq!(bound(Published::AtLeast, "13"), Verdict::Differs);
    assert_eq!(bound(Published::MoreThan, "7"), Verdict::Agrees);
    assert_eq!(bound(Published::MoreThan, "8"), Verdict::Differs);
    // Newcombe's example 56 of 70 against 48 of 80 differs at 99 %, and 56 against 52 of 80 does not.
    let found = Found::Rate { successes: 56, trials: 70 };
    assert_eq!(verdict(&Published::Rate { successes: 48, trials: 80 }, &found), Verdict::Differs);
    assert_eq!(verdict(&Published::Rate { successes: 52, trials: 80 }, &found), Verdict::Agrees);
    let paired = Found::Paired(PairedCounts { both: 20, only_first: 12, only_second: 2, neither: 16 });
    assert_eq!(verdict(&Published::MoreThan(Figure::new("0")), &paired), Verdict::Agrees);
    // Missing data is no failure, data that cannot be compared is one.
    assert_eq!(verdict(&exact("1"), &Found::Missing("gone".into())), Verdict::NotRun);
    assert_eq!(verdict(&Published::Rate { successes: 1, trials: 2 }, &mean), Verdict::Differs);
}

/// At the built-in level: 1 − 0.001/46.
#[test]
fn a_rate_that_no_outcome_could_refute_is_too_few_to_tell() {
    let level = Confidence::new(1.0 - 0.001 / 46.0);
    let verdict = |published: &Published, successes, trials| {
        judge(published, &Found::Rate { successes, trials }, level).verdict
    };
    let sample = Published::Rate { successes: 92, trials: 100 };
    assert_eq!(verdict(&sample, 0, 1), Verdict::TooFew);
    assert_eq!(verdict(&sample, 1, 1), Verdict::TooFew);
    // From three on it bites: none of three is too little.
    assert_eq!(verdict(&sample, 0, 3), Verdict::Differs);
    assert_eq!(verdict(&sample, 3, 3), Verdict::Agrees);
    assert_eq!(verdict(&sample, 20, 100), Verdict::Differs);
    assert_eq!(verdict(&sample, 90, 100), Verdict::Agrees);
    let exact = Published::Exact(vec![Figure::new("0.6")]);
    assert_eq!(verdict(&exact, 0, 2), Verdict::TooFew);
    assert_eq!(verdict(&exact, 0, 1000), Verdict::Differs);
    assert_eq!(verdict(&exact, 600, 1000), Verdict::Agrees);
    let between = Published::Between(Figure::new("0.4"), Figure::new("0.6"));
    assert_eq!(verdict(&between, 1, 1), Verdict::TooFew);
    assert_eq!(verdict(&between, 1000, 1000), Verdict::Differs);
    // A bound that one trial cannot refute or show; one that nothing refutes; and one that nothing shows.
    assert_eq!(verdict(&Published::AtLeast(Figure::new("1/2")), 0, 1), Verdict::TooFew);
    assert_eq!(verdict(&Published::MoreThan(Figure::new("1/2")), 1, 1), Verdict::TooFew);
    assert_eq!(verdict(&Published::MoreThan(Figure::new("1/2")), 0, 1000), Verdict::Differs);
    assert_eq!(verdict(&Published::AtLeast(Figure::new("0")), 0, 1), Verdict::Agrees);
    assert_eq!(verdict(&Published::MoreThan(Figure::new("1")), 1, 1), Verdict::Differs);
    let one = Found::Paired(PairedCounts { both: 0, only_first: 1, only_second: 0, neither: 0 });
    let judged = judge(&Published::MoreThan(Figure::new("0")), &one, level);
    assert_eq!(judged.verdict, Verdict::TooFew);
    assert_eq!(judged.reason, "no outcome of n = 1 could have changed the verdict");
}

/// The p of a verdict is the error rate at which it would change.
#[test]
fn p_says_how_far_a_figure_is_from_differing() {
    let p = |published: &Published, found: &Found, level| judge(published, found, Confidence::new(level)).p;
    let exact = |text: &str| Published::Exact(vec![Figure::new(text)]);
    // A mean of 10 with standard error 1: 1.96 of these away, and 2.81.
    let mean = Found::Mean(Sample { count: 100, mean: 10.0, variance: 100.0 });
    for (published, expected) in [("1195996398454/100000000000", 0.05), ("1280703376834/100000000000", 0.005)]
    {
        let p = p(&exact(published), &mean, 0.999).unwrap();
        assert!((p - expected).abs() < 1e-9, "{published}: {p}");
    }
    assert_eq!(p(&exact("10"), &mean, 0.999), Some(1.0));
    // Newcombe's example, 56 of 70 against 48 of 80: the verdict turns at p.
    let (sample, found) =
        (Published::Rate { successes: 48, trials: 80 }, Found::Rate { successes: 56, trials: 70 });
    let turns = p(&sample, &found, 0.99).unwrap();
    assert_eq!(p(&sample, &found, 0.999), Some(turns), "it does not depend on the level");
    assert_eq!(judge(&sample, &found, Confidence::new(1.0 - turns * 0.999)).verdict, Verdict::Agrees);
    assert_eq!(judge(&sample, &found, Confidence::new(1.0 - turns * 1.001)).verdict, Verdict::Differs);
    // Bounds, exact values and what is too few to tell have none.
    assert_eq!(p(&Published::AtLeast(Figure::new("12")), &mean, 0.99), None);
    assert_eq!(p(&exact("7"), &Found::Exact(vec![Value::Whole(7)]), 0.99), None);
    assert_eq!(p(&sample, &Found::Rate { successes: 1, trials: 1 }, 0.9999), None);
}

#[test]
fn a_mean_without_an_interval_is_too_few_to_tell() {
    let level = Confidence::new(1.0 - 0.001 / 46.0);
    let verdict = |published: &Published, count, mean, variance| {
        judge(published, &Found::Mean(Sample { count, mean, variance }), level).verdict
    };
    let exact = Published::Exact(vec![Figure::new("3203/420")]);
    assert_eq!(verdict(&exact, 1, 7.0, 0.0), Verdict::TooFew);
    assert_eq!(verdict(&exact, 2, 7.0, 0.0), Verdict::TooFew);
    assert_eq!(verdict(&exact, 29, 7.5, 1.0), Verdict::TooFew);
    assert_eq!(verdict(&exact, 30, 7.5, 1.0), Verdict::Agrees);
    assert_eq!(verdict(&exact, 30, 5.0, 1.0), Verdict::Differs);
    // Values that are all equal: equal to the published value, or different and too many for other values to
    // compensate.
    assert_eq!(verdict(&exact, 100, 7.0, 0.0), Verdict::TooFew);
    assert_eq!(verdict(&exact, 2_000_000, 7.0, 0.0), Verdict::Differs);
    assert_eq!(verdict(&Published::Exact(vec![Figure::new("7")]), 100, 7.0, 0.0), Verdict::Agrees);
    assert_eq!(verdict(&Published::Exact(vec![Figure::new("5.3e-7")]), 1_000_000, 0.0, 0.0), Verdict::TooFew);
    let few = Published::Mean { value: Figure::new("7.6"), deviation: Some(1.0), trials: 5 };
    assert_eq!(verdict(&few, 1000, 7.6, 1.0), Verdict::TooFew);
}

#[test]
fn too_few_to_tell_is_counted_separately_and_is_no_failure() {
    let cases = [
        case(
            "deal",
            "rate = { successes = 92, trials = 100 }",
            "clairvoyant = { game = \"calculation\", deals = 1, nodes = 2000 }",
        ),
        case(
            "plies",
            "exact = \"3203/420\"",
            "playouts = { game = \"tic-tac-toe\", playouts = 2, measure = \"plies\" }",
        ),
    ];
    let text = format!("schema = 1\n{}", cases.concat());
    let run = |form: &str| {
        let arguments = ["validate", "--cases", "cases.toml", form];
        let (code, out, err) = shikou("too_few_to_tell", &[("cases.toml", text.as_bytes())], &arguments, "");
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    };
    let out = run("--quick");
    assert!(out.contains("2 cases: 0 agree, 0 differ, 2 too few to tell, 0 not run yet."), "{out}");
    assert!(out.contains("deal: no outcome of n = 1 could have changed the verdict"), "{out}");
    assert!(out.contains("plies: a mean of n = 2 has no interval; at least 30 values are needed"), "{out}");
    assert!(run("--markdown").contains("(n = 2) | – | too few to tell |"));
    let json: serde_json::Value = serde_json::from_str(&run("--json")).unwrap();
    for case in json["cases"].as_array().unwrap() {
        assert_eq!(case["verdict"], "too-few", "{case}");
    }
}

/// The error rate is divided by the number of the file's statistical cases, whichever are run.
#[test]
fn the_level_is_that_of_the_file() {
    let exact = case("a", "exact = 4", "perft = { game = \"othello\", depth = 1, last = true }");
    let sampled = |name: &str| {
        case(
            name,
            "exact = \"8/63\"",
            "playouts = { game = \"tic-tac-toe\", playouts = 100, measure = \"draws\" }",
        )
    };
    let suite = suite(&format!("error-rate = \"0.01\"\n{exact}{}{}", sampled("b"), sampled("c")));
    assert_eq!(suite.statistical(), 2);
    assert!((suite.confidence().level() - 0.995).abs() < 1e-12);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let registry = shikou::registry();
    let suite = suite(
        &[
            case("a", "exact = 15", "playouts = { game.calculation = { reward = \"score\" }, playouts = 40000, measure = \"payoff\" }"),
            case("b", "at-least = 0", "clairvoyant = { game = \"calculation\", deals = 4, nodes = 2000 }"),
            case("c", "at-least = 0", "errors = { branching = 3, depth = 4, trees = 20, search = \"uct\", playouts = [2, 8] }"),
            case(
                "d",
                "at-least = 0",
                "[case.play]\nmeasure = \"points\"\nexperiment.game = \"tic-tac-toe\"\nexperiment.trials = 50\n\
                 experiment.player = [{ search = \"flat\" }, { search = \"random\" }]",
            ),
        ]
        .concat(),
    );
    for case in &suite.cases {
        let found = |threads: usize| {
            let pool = rayon_pool(threads);
            pool.install(|| suite.check(case, &context(&registry, threads)).found.unwrap())
        };
        assert_eq!(found(1), found(3), "{}", case.name);
    }
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Only the likeness of two runs has a second one.
#[test]
fn another_run_is_refused_where_none_is_compared() {
    let derivation =
        "heredity = { file = 'tests/data/selected.csv', run = 1, other = 2, kept = 1, measure = 'halves' }";
    let text = format!("schema = 1\n{}", case("c", "exact = '0.50'", derivation));
    let read = Suite::parse("cases.toml".as_ref(), &text, &shikou::registry());
    let error = read.err().unwrap().to_string();
    assert!(error.contains("only `measure = \"runs\"` compares two runs; leave `other` out"), "{error}");
}

/// Committed results are a case for each of their published counts, and a known difference is of one of them.
#[test]
fn committed_results_are_cases() {
    let registry = shikou::registry();
    let claims = Suite::read(&root().join("validate/claims.toml"), &registry).unwrap();
    for case in &claims.cases {
        let checked = claims.check(case, &context(&registry, 1));
        assert!(!checked.is_failure(), "{}: {}", case.name, checked.judged.reason);
    }
    let of = |results: &str, more: &str| {
        let text =
            format!("schema = 1\n[[case]]\nname = \"c\"\nreference = {{ results = \"{results}\" }}\n{more}");
        Suite::parse("cases.toml".as_ref(), &text, &registry).map_err(|error| error.to_string())
    };
    let grave = of("claim-grave", "").unwrap();
    let names: Vec<&str> = grave.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["c-atarigo-8-8-grave", "c-domineering-8-8-grave", "c-knightthrough-8-8-grave"]);
    let [atari_go, domineering, _] = &grave.cases[..] else { panic!("three cases") };
    assert!(grave.check(atari_go, &context(&registry, 1)).is_failure());
    assert!(!grave.check(domineering, &context(&registry, 1)).is_failure());
    assert_eq!(domineering.published.to_string(), "0.624 = 312/500");
    let known = |experiment: &str| {
        format!(
            "[[case.known-differences]]\nexperiment = \"{experiment}\"\nplayer = \"grave\"\nwhy = \"w\"\n"
        )
    };
    let grave = of("claim-grave", &known("AtariGo 8×8")).unwrap();
    assert!(grave.check(&grave.cases[0], &context(&registry, 1)).is_known_difference());
    for (results, more, words) in [
        ("claim-grave", &*known("Hex"), "no count of successes for `grave` in the experiment `Hex`"),
        ("claim-nst", "", "claim-nst has no published figure that counts successes of trials"),
        ("none", "", "summary.json not found"),
        ("claim-grave", "published.exact = 1", "published"),
    ] {
        let error = of(results, more).err().unwrap();
        assert!(error.contains(words) && error.contains("cases.toml:"), "{error}");
    }
}

#[test]
fn missing_results_are_reported_and_are_no_failure() {
    let reference = case(
        "gone",
        "rate = { successes = 1, trials = 2 }",
        "reference = { results = \"no-such-results\", experiment = \"e\", player = \"p\", measure = \"success\" }",
    );
    let cases =
        format!("schema = 1\n{reference}{}", case("data", "exact = 1", "wthor = { folder = \"none\" }"));
    let (code, out, _) = shikou(
        "what_is_not_there",
        &[("cases.toml", cases.as_bytes())],
        &["validate", "--cases", "cases.toml"],
        "",
    );
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("0 agree, 0 differ, 0 too few to tell, 2 not run yet"), "{out}");
    assert!(out.contains("gone: results/reference/no-such-results/summary.json not found"), "{out}");
}

/// The output without the parts that differ between runs.
fn shown(test: &str, files: &[(&str, &[u8])], arguments: &[&str]) -> String {
    let (code, out, err) = shikou(test, files, arguments, "");
    let cut = |line: &str| line.split('│').next().unwrap().trim_end().to_owned();
    let lines: Vec<String> =
        out.lines().map(cut).map(|line| if line.starts_with('─') { "─".into() } else { line }).collect();
    show((code, lines.join("\n") + "\n", err))
}

#[test]
fn the_table() {
    let names = ["othello-4x4-discs", "othello-optimal-line", "tic-tac-toe-random-wins", "stats-holm"];
    insta::assert_snapshot!(shown("the_table", &[], &[&["validate"], &names[..]].concat()));
}

#[test]
fn the_table_of_what_differs() {
    let cases = [
        case("leaves", "exact = [4, 13, 56]", "perft = { game = \"othello\", depth = 3 }"),
        case(
            "draws",
            "rate = { successes = 9000, trials = 63000 }",
            "playouts = { game = \"tic-tac-toe\", playouts = 20000, measure = \"draws\" }",
        ),
        case("broken", "exact = [\"win\", 1]", "replay = { game = \"othello\", moves = \"a1\" }"),
    ];
    let text = format!("schema = 1\n{}", cases.concat());
    let shown = shown(
        "the_table_of_what_differs",
        &[("cases.toml", text.as_bytes())],
        &["validate", "--cases", "cases.toml"],
    );
    assert!(shown.starts_with("exit code 1"), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn the_json() {
    let names = ["othello-4x4-discs", "tic-tac-toe-random-wins", "othello-wthor-1978"];
    let (code, out, err) = shikou("the_json", &[], &[&["validate", "--json"], &names[..]].concat(), "");
    assert_eq!((code, err.as_str()), (0, ""));
    let mut json: serde_json::Value = serde_json::from_str(&out).unwrap();
    for case in json["cases"].as_array_mut().unwrap() {
        assert!(case["wall_ns"].as_u64().unwrap() > 0);
        case["wall_ns"] = 0.into();
    }
    // The next two follow from the number of built-in cases.
    json["statistical_cases"] = 0.into();
    json["confidence"] = 0.into();
    for case in json["cases"].as_array_mut().unwrap() {
        if let Some(ours) = case.get_mut("ours") {
            assert!(
                ours["low"].as_f64() < ours["value"].as_f64()
                    && ours["value"].as_f64() < ours["high"].as_f64()
            );
            ours["low"] = 0.into();
            ours["high"] = 0.into();
        }
        if let Some(p) = case.get_mut("p") {
            assert!((0.9..1.0).contains(&p.as_f64().unwrap()), "{p}");
            *p = 0.into();
        }
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
}

#[test]
fn markdown_has_the_table_and_the_sources() {
    let (code, out, _) = shikou("markdown", &[], &["validate", "--markdown", "tic-tac-toe-value"], "");
    assert_eq!(code, 0);
    assert!(out.contains("| tic-tac-toe-value | value: a draw | 0 | 0 | – | agrees | "), "{out}");
    assert!(out.contains("- `tic-tac-toe-value`: enumeration"), "{out}");
    assert!(!out.contains('│'), "{out}");
}

/// The committed table has all current quick cases, and none differs.
#[test]
fn the_committed_table_is_of_these_cases() {
    let committed = std::fs::read_to_string(root().join("results/validate.md")).unwrap();
    let registry = shikou::registry();
    let suite = Suite::standard(&registry).unwrap_or_else(|error| panic!("{error}"));
    for case in suite.select(&[], Tier::Quick).unwrap() {
        let row = format!("| {} | {} |", case.name, case.what);
        assert!(
            committed.contains(&row),
            "{row} is missing; write it anew with `shikou validate --full --markdown`"
        );
    }
    assert!(!committed.contains("DIFFERS"), "the committed table has a red line");
    // The form is that of the program.
    let form = document(&suite, &[], TimesShown::Plain).markdown();
    assert!(form.starts_with("0 cases"), "{form}");
}

snapshot!(help_of_validate, ["validate", "--help"]);
snapshot!(validate_unknown_name, ["validate", "othello-perft-9"]);
snapshot!(validate_unknown_name_like_no_other, ["validate", "chess"]);
snapshot!(validate_no_file, ["validate", "--cases", "none.toml"]);

/// A snapshot of the error of a cases file.
macro_rules! refused {
    ($name:ident, $text:expr) => {
        snapshot!($name, &[("cases.toml", $text.as_bytes())], ["validate", "--cases", "cases.toml"], "");
    };
}

refused!(validate_not_toml, "schema = 1\n[[case]\n");
refused!(validate_no_case, "schema = 1\ncase = []\n");
refused!(validate_no_key_of_cases, "schema = 1\n");
refused!(
    validate_unknown_key,
    format!("schema = 1\n{}", case("a", "exact = 1", "perfd = { game = \"othello\", depth = 1 }"))
);
refused!(validate_no_derivation, format!("schema = 1\n{}", case("a", "exact = 1", "")));
refused!(
    validate_unknown_game,
    format!("schema = 1\n{}", case("a", "exact = 1", "solve = { game = \"othelo\" }"))
);
refused!(
    validate_unknown_player,
    format!(
        "schema = 1\n{}",
        case("a", "exact = 'proved'", "prove = { game = 'tic-tac-toe', player = 'ai12z' }")
    )
);
refused!(
    validate_an_unknown_option_of_each,
    format!(
        "schema = 1\n{}",
        case("a", "exact = [1, 1]", "solve = { game = 'clobber', each = ['rows=2', 'colums=3'] }")
    )
);
refused!(
    validate_a_searcher_that_does_not_fit,
    format!(
        "schema = 1\n{}",
        case("a", "exact = [1]", "solve = { game = 'pig', by = ['alpha-beta(depth=full)'] }")
    )
);
refused!(
    validate_decimal_that_is_no_text,
    format!("schema = 1\n{}", case("a", "exact = 0.5", "solve = { game = \"othello\" }"))
);
refused!(
    validate_a_rate_for_what_is_exact,
    format!(
        "schema = 1\n{}",
        case("a", "rate = { successes = 1, trials = 2 }", "solve = { game = \"tic-tac-toe\" }")
    )
);
refused!(
    validate_too_few_numbers,
    format!("schema = 1\n{}", case("a", "exact = 1", "stats = { statistic = \"tango\", of = [1, 2] }"))
);
refused!(
    validate_a_broken_experiment,
    format!(
        "schema = 1\n{}",
        case(
            "a",
            "exact = 1",
            "[case.play]\nmeasure = \"margin\"\nexperiment.game = \"calculation\"\nexperiment.trials = 0"
        )
    )
);
refused!(
    validate_the_same_name_twice,
    format!("schema = 1\n{0}{0}", case("a", "exact = 0", "solve = { game = \"tic-tac-toe\" }"))
);

/// A case that asks for it prints the table of effects of its rows; large data that is missing is named.
#[test]
fn a_case_prints_its_effects() {
    let effects = |file: &str| {
        format!(
            "effects = {{ file = '{file}', factors = ['a', 'b'], response = 'wins', of = [], measure = 'mean', table = true, \
             where = {{ generation = [0, 1] }} }}"
        )
    };
    let cases = case("here", "exact = '4.5'", &effects("tests/data/grid.csv"))
        + &case("away", "exact = '4.5'", &effects("data:grid.csv"))
        + &case("broken", "exact = '4.5'", &effects("tests/data/generations.csv"));
    let (suite, registry) = (suite(&cases), shikou::registry());
    let checked: Vec<_> = suite.cases.iter().map(|case| suite.check(case, &context(&registry, 1))).collect();
    let verdicts = checked.iter().map(|checked| checked.judged.verdict).collect::<Vec<_>>();
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::NotRun, Verdict::Differs]);
    let text = document(&suite, &checked, TimesShown::Plain).to_string();
    for words in [
        "6.50 ± 17.97",
        "away: no large data; `SHIKOU_DATA` must name a folder with grid.csv",
        "broken: there is no column `a`",
        "wins: a × b",
        "9.00 (+1.00)",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}
