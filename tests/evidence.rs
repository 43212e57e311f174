//! Evidence, in numbers and in warnings: games that repeat by chance count, those of deterministic players do not.

use serde_json::Value;

use crate::cli::shikou;

/// The only experiment of a match, as JSON, and its report as text.
#[track_caller]
fn match_of(test: &str, files: &[(&str, &[u8])], arguments: &[&str]) -> (Value, String) {
    let arguments = [&["match"], arguments].concat();
    let (code, json, err) = shikou(test, files, &[&arguments[..], &["--json"]].concat(), "");
    assert_eq!(code, 0, "{err}");
    let (_, text, _) = shikou(test, files, &arguments, "");
    (serde_json::from_str(&json).unwrap(), text)
}

const SHALLOW: [&str; 2] = ["minimax(depth=2,ties=first)", "minimax(depth=1,ties=first)"];

/// An opening six times and another once: two pairs, of which no outcome is significant. All seven would have p = 0.016.
#[test]
fn deterministic_players_count_each_opening_once() {
    let book = ["f5d6\n"; 6].concat() + "f5f6\n";
    let files: [(&str, &[u8]); 1] = [("book", book.as_bytes())];
    let arguments = ["othello", SHALLOW[0], SHALLOW[1], "--openings", "book", "--games", "14"];
    let (found, text) = match_of("evidence_lines", &files, &arguments);
    let meeting = &found["meetings"][0];
    assert_eq!((&meeting["distinct_openings"], &meeting["pairs"]), (&2.into(), &2.into()), "{meeting}");
    assert!((meeting["tested"]["p"].as_f64().unwrap() - 0.5).abs() < 1e-12, "{meeting}");
    let pairs: u64 = meeting["pentanomial"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(pairs, 2);
    assert!(text.contains("7 pairs\nbegin from 2 distinct openings"), "{text}");
}

/// Lines that lead to one position are one opening.
#[test]
fn openings_are_counted_by_their_positions() {
    let files: [(&str, &[u8]); 1] = [("book", b"a1 b2 c3\nc3 b2 a1\na1 b2 c2\nc2 b2 a1\n")];
    let two = ["minimax(depth=full,ties=first)", "alpha-beta(depth=full,ties=first)"];
    let arguments = ["tic-tac-toe", two[0], two[1], "--openings", "book", "--games", "8"];
    let (found, _) = match_of("evidence_positions", &files, &arguments);
    assert_eq!(found["meetings"][0]["distinct_openings"], 2, "{found}");
    // A random player makes each pair evidence of its own.
    let arguments = ["tic-tac-toe", two[0], "random", "--openings", "book", "--games", "8"];
    let (found, text) = match_of("evidence_random", &files, &arguments);
    let meeting = &found["meetings"][0];
    assert_eq!((&meeting["distinct_openings"], &meeting["pairs"]), (&Value::Null, &4.into()));
    assert!(!text.contains("distinct"), "{text}");
}

/// Random openings come with the weight that they should have, so the interval counts all pairs; what repeats is said.
#[test]
fn random_openings_may_repeat() {
    let arguments = ["othello", SHALLOW[0], SHALLOW[1], "--openings", "2", "--games", "120"];
    let (found, text) = match_of("evidence_openings", &[], &arguments);
    let warning = &found["warnings"][0]["repeated-openings"];
    // Four first moves, three answers each: 56 of 60 pairs or more repeat one of at most twelve.
    let openings = warning["openings"].as_u64().unwrap();
    assert!(
        (4..=12).contains(&openings) && found["distinct_games"].as_u64() == Some(2 * openings),
        "{found}"
    );
    assert_eq!((&warning["pairs"], &found["meetings"][0]["pairs"]), (&60.into(), &60.into()));
    assert!(
        text.contains(&format!("60 pairs begin from {openings} distinct"))
            || text.contains("distinct openings")
    );
    // Ties at random make a player random.
    let random = SHALLOW.map(|player| player.replace("first", "random"));
    let arguments = ["othello", &random[0], &random[1], "--openings", "2", "--games", "120"];
    let (found, _) = match_of("evidence_ties", &[], &arguments);
    assert_eq!(found["warnings"].as_array().unwrap().len(), 0, "{found}");
}

/// A game of chance-like players from the start repeats many games, and none of them needs a warning.
#[test]
fn what_chance_repeats_is_evidence() {
    let (found, text) =
        match_of("evidence_chance", &[], &["tic-tac-toe", "random", "ai12s", "--games", "400"]);
    assert!(found["distinct_games"].as_u64().unwrap() < 350, "{found}");
    assert!(found["warnings"].as_array().unwrap().is_empty() && !text.contains("Warning: 4"), "{text}");
    assert_ne!(found["meetings"][0]["points"]["low"], Value::Null);
    assert!(!text.contains("only chance makes deals differ"), "{text}");
}

/// A deterministic player of a solitaire without chance plays one game, however often: it has no interval. A random one has.
#[test]
fn one_game_of_a_solitaire_has_no_interval() {
    let first = "minimax(depth=full,ties=first)";
    let arguments = ["left-moves", first, "random", "--option", "steps=6", "--games", "10"];
    let (found, text) = match_of("evidence_solitaire", &[], &arguments);
    let [deterministic, random] = [0, 1].map(|player| &found["players"][player]["score"]);
    assert_eq!((&deterministic["value"], &deterministic["low"]), (&Value::from(6.0), &Value::Null));
    assert_ne!(random["low"], Value::Null);
    assert!(text.contains("the game has no chance") && text.contains("write trials = 1"), "{text}");
    let two =
        ["left-moves", first, "alpha-beta(depth=full,ties=first)", "--option", "steps=6", "--games", "10"];
    let (found, text) = match_of("evidence_solitaire_two", &[], &two);
    assert_eq!(found["differences"][0]["tested"], Value::Null, "{found}");
    assert!(!text.contains("makes deals differ"), "{text}");
}

/// Without a family nothing is corrected: that is said.
#[test]
fn comparisons_that_are_all_primary_are_warned_of() {
    let text = |primary: &str| {
        format!(
            "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ndesign = \"round-robin\"\ntrials = 4\nprimary = [{primary}]\n\
             player = [{{ name = \"random\", search = \"random\" }}, {{ name = \"ai2\", search.rules = {{ list = \"ai2\" }} }}, \
             {{ name = \"ai5\", search.rules = {{ list = \"ai5\" }} }}]"
        )
    };
    let warnings = |primary: &str| {
        let plan = shikou::experiment::Plan::new(&crate::support::manifest(&text(primary))).unwrap();
        let records: Vec<_> = plan.canonical().map(|trial| shikou::experiment::play(&plan, trial)).collect();
        let summary = shikou::experiment::Summary::new(&plan, &records);
        let warnings = summary.experiments[0].warnings.iter().map(ToString::to_string);
        warnings.filter(|warning| warning.contains("primary")).collect::<Vec<_>>()
    };
    let two = r#"["random", "ai2"], ["random", "ai5"]"#;
    assert_eq!(warnings(two), Vec::<String>::new());
    let all = warnings(&format!("{two}, [\"ai2\", \"ai5\"]"));
    assert!(all.len() == 1 && all[0].starts_with("all 3 comparisons are primary"), "{all:?}");
}

/// A single playout leaves no choice to the exploration: all candidates play the same, and none is best.
#[test]
fn an_optimisation_in_which_no_gene_acts_names_no_best_candidate() {
    let text = r#"
        schema = 1
        [[optimisation]]
        name = "o"
        game = "tic-tac-toe"
        generations = 3
        genes.c = { within = [0.0, 3.0] }
        player = { search.uct.selection.ucb1.exploration = { gene = "c" }, budget = { playouts = 1 } }
        method.genetic.population = 6
        method.genetic.parents = 2
        fitness = { against = "random", pairs = 7, luck = "common" }
    "#;
    let manifest = crate::support::manifest(text);
    let folder = crate::optimisations::folder("no_gene_acts");
    let optimisation = manifest.optimisations().next().unwrap();
    let runs = crate::optimisations::play(&manifest, optimisation, &folder, 1.into());
    for generation in &runs[0].outcome.generations {
        assert!(generation.alike && generation.mean == generation.best, "{generation:?}");
    }
    let summary = shikou::experiment::OptimisationSummary::new(optimisation, &runs);
    let all = shikou::experiment::Summary {
        schema: 1,
        question: None,
        source: None,
        confidence: 0.95,
        trainings: Vec::new(),
        optimisations: vec![summary],
        experiments: Vec::new(),
    };
    let report = shikou::report::answer_report(&all, None).to_string();
    assert!(
        report.contains("no gene was chosen by its results") && !report.contains("best candidate has"),
        "{report}"
    );
    assert!(!report.contains("overestimates"), "{report}");
}
