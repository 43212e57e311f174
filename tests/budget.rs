//! Budgets, from the manifest to the meter.

use std::sync::Arc;
use std::time::Duration;

use shikou::experiment::{Manifest, Plan};
use shikou::game::{Game, Tally, Turn, Uniform};
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::{SearcherSpec, build};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    Budget, Clock, Ensemble, Limit, Limits, Meter, MoveStream, Parallel, SearchError, Searcher, Stop,
    ThreadClock, Ties, Uct, UctSettings,
};

use crate::support::{manifest, searcher};

fn meter(budget: Budget) -> Meter {
    Meter::new(Limits::default()).with_budget(budget)
}

fn refused(player: &str) -> String {
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\n\
         player = [{{ search = \"random\" }}, {player}]\n"
    );
    let manifest = Manifest::parse("test.toml".as_ref(), &text, &shikou::registry());
    match manifest.and_then(|manifest| Plan::new(&manifest)) {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_meter_names_the_limit_that_is_reached_first() {
    let playout = Tally { playouts: 1, plies: 40, sum: 0, sum_squares: 0 };
    for (budget, expected, playouts) in [
        (Budget::playouts(3), Limit::Playouts, 3),
        (Budget { plies: Some(100), ..Budget::UNLIMITED }, Limit::Plies, 3),
        (Budget { nodes: Some(7), ..Budget::UNLIMITED }, Limit::Nodes, 7),
        (Budget { plies: Some(10), playouts: Some(2), ..Budget::UNLIMITED }, Limit::Plies, 1),
    ] {
        let mut meter = meter(budget);
        while meter.limit().is_none() {
            meter.count_playouts(&playout);
            meter.count_node();
        }
        assert_eq!((meter.limit(), meter.spent().playouts), (Some(expected), playouts), "{budget}");
    }
}

/// A machine under load may be late, never early.
#[test]
fn time_ends_a_search_and_not_before() {
    let time = Duration::from_millis(20);
    let clock = Clock::start();
    let mut meter = meter(Budget { time: Some(time), ..Budget::UNLIMITED });
    while meter.limit().is_none() {
        meter.count_node();
    }
    assert!(clock.elapsed() >= time);
    assert_eq!(meter.limit(), Some(Limit::Time));
    assert!(meter.spent().nodes > 1000);
}

/// Processor time passes on the thread that uses it only.
#[test]
fn processor_time_ends_a_search_and_waiting_does_not() {
    let time = Duration::from_millis(5);
    let mut meter = meter(Budget { cpu_time: Some(time), ..Budget::UNLIMITED });
    meter.count_node();
    std::thread::sleep(2 * time);
    assert_eq!(meter.limit(), None);
    let clock = ThreadClock::start();
    while meter.limit().is_none() {
        meter.count_node();
    }
    assert!(clock.elapsed() > time / 2 && clock.elapsed() < 100 * time, "{:?}", clock.elapsed());
    assert_eq!(meter.limit(), Some(Limit::CpuTime));
}

/// Every searcher that keeps a limit of time keeps one of processor time, also in trees one after the other, and is marked as not
/// repeatable.
#[test]
fn processor_time_is_a_budget_of_one_thread() {
    let registry = shikou::registry();
    for searcher in registry.searchers() {
        let keeps = |limit| searcher.keeps.contains(&limit);
        assert_eq!(keeps(Limit::Time), keeps(Limit::CpuTime), "{}", searcher.name);
    }
    for text in ["uct@cpu-time=2ms", "uct(cpu-time=2ms)", "uct(parallel=root(trees=4))@cpu-time=2ms"] {
        let spec = searcher(text);
        assert!(spec.to_string().ends_with("@cpu-time=\"2ms\"") && !spec.is_repeatable(), "{spec}");
        let clock = ThreadClock::start();
        let recipe = build(&TicTacToe, &spec).unwrap();
        let mut meter = meter(recipe.budget());
        let stream = MoveStream::new(PlayoutKey::new(1));
        recipe.machine().choose(&TicTacToe, &TicTacToe.start(), stream, &mut meter).unwrap();
        assert!(clock.elapsed() > Duration::from_millis(1), "{spec}: {:?}", clock.elapsed());
    }
    for parallel in ["root(trees=4,threads=2)", "tree(threads=2)"] {
        let two = refused(&format!("{{ search = \"uct(parallel={parallel})@cpu-time=2ms\" }}"));
        assert!(
            two.contains("a budget of cpu-time is of one thread, and uct searches on 2; write time"),
            "{two}"
        );
    }
    let error = registry.read_searcher("uct@2ms-cpu").unwrap_err().to_string();
    assert_eq!(error, "`2ms-cpu` is no limit; write uct@cpu-time=2ms");
}

/// A helper has a processor clock of its own, so a search that was built with threads refuses the budget before it starts one.
#[test]
fn a_search_on_two_threads_refuses_processor_time() {
    let settings = UctSettings::new(Arc::new(Uniform));
    let several = Ensemble::new(Uct::new(settings.clone()), 4, Ties::Random);
    let parallel = Parallel::Tree { leaves: 1, threads: 2 };
    let shared = Uct::shared(UctSettings { parallel, ..settings });
    let searchers: [Box<dyn Searcher<TicTacToe>>; 2] = [Box::new(several.with_threads(2)), Box::new(shared)];
    for mut searcher in searchers {
        let mut decide = |budget| {
            let stream = MoveStream::new(PlayoutKey::new(1));
            searcher.choose(&TicTacToe, &TicTacToe.start(), stream, &mut meter(budget)).map(drop)
        };
        let cpu_time = Some(Duration::from_millis(2));
        let refused = decide(Budget { cpu_time, ..Budget::UNLIMITED });
        assert_eq!(refused, Err(SearchError::CpuTime { threads: 2 }));
        // On one thread, because the parts share the plies, it is kept.
        assert_eq!(decide(Budget { cpu_time, plies: Some(1000), ..Budget::UNLIMITED }), Ok(()));
        assert_eq!(decide(Budget { time: cpu_time, ..Budget::UNLIMITED }), Ok(()));
    }
}

#[test]
fn minimax_keeps_its_nodes_and_says_that_they_did_not_suffice() {
    let choose = |nodes| {
        let spec = searcher(&format!("minimax(depth=full)@nodes={nodes}"));
        let recipe = build(&TicTacToe, &spec).unwrap();
        let mut meter = meter(recipe.budget());
        let stream = MoveStream::new(PlayoutKey::new(1));
        let decision = recipe.machine().choose(&TicTacToe, &TicTacToe.start(), stream, &mut meter);
        (
            decision.map(|decision| decision.moves.len()).map_err(|fault| fault.to_string()),
            meter.spent().nodes,
        )
    };
    let fault = "budget: the limit of nodes was reached before the search could decide";
    assert_eq!(choose(549_944), (Err(fault.into()), 549_944));
    assert_eq!(choose(549_945), (Ok(9), 549_945));
}

#[test]
fn budgets_that_do_not_fit_are_refused_at_their_place() {
    let refusals = [
        r#"{ search = "flat", budget = { playouts = 10 } }"#,
        r#"{ search.minimax = { depth = "full" }, budget = { nodes = 10, playouts = 10 } }"#,
        r#"{ search.minimax = { depth = "full" }, budget = { node = 10 } }"#,
        r#"{ search.minimax = { depth = "full" }, budget = { nodes = 0 } }"#,
        r#"{ search.minimax = { depth = "full" }, budget = { time = "50" } }"#,
        r#"{ search.minimax = { depth = "full" }, budget = {} }"#,
        r#"{ search.minimax = { depth = "full" }, budget = true }"#,
    ]
    .map(|player| format!("{player}\n{}", refused(player)));
    insta::assert_snapshot!(refusals.join("\n\n"));
}

/// The converse: a search that can end on its board, or has a limit that ends it, is accepted.
#[test]
fn minimax_to_the_end_of_a_large_game_needs_a_budget() {
    let read = |game: &str, rest: &str| {
        let text = format!(
            "schema = 1\n[[experiment]]\n{game}\ntrials = 1\nplayer = [\n  {{ search = \"random\" }},\n  {{ \
             search.minimax = {{ depth = \"full\" }}{rest} }},\n]\n"
        );
        let manifest = Manifest::parse("test.toml".as_ref(), &text, &shikou::registry());
        manifest.and_then(|manifest| Plan::new(&manifest)).map(|_| "accepted".to_owned())
    };
    let accepted = |game, rest| read(game, rest).is_ok();
    assert!(accepted("game.othello = { size = 4 }", ""));
    assert!(accepted("game = \"tic-tac-toe\"", ""));
    assert!(accepted("game = \"othello\"", ", budget = { nodes = 1000 }"));
    assert!(!accepted("game.othello = { size = 6 }", ""));
    insta::assert_snapshot!(read("game = \"othello\"", "").unwrap_err().to_string());
}

#[test]
fn budgets_are_swept_and_are_part_of_the_name_and_of_the_identity() {
    let text = r#"
        schema = 1
        [[experiment]]
        game = "tic-tac-toe"
        trials = 1
        [[experiment.player]]
        search.minimax = { depth = "full" }
        budget = { nodes = { each = [600_000, 700_000, "unlimited"] } }
        [[experiment.player]]
        search = "random"
    "#;
    let manifest = manifest(text);
    let names: Vec<&str> =
        manifest.experiments()[0].players.iter().map(|player| player.name.as_str()).collect();
    let minimax = r#"minimax(depth="full")"#;
    let swept = ["600000", "700000", "unlimited"].map(|nodes| format!("{minimax} nodes={nodes}"));
    assert_eq!(names, [&*swept[0], &*swept[1], &*swept[2], "random"]);
    let contents = [0, 2].map(|player| manifest.experiments()[0].players[player].content());
    assert_eq!(contents, [format!("{minimax}@nodes=600000"), minimax.into()]);
}

#[test]
fn a_time_is_the_same_however_it_is_written() {
    let read = |text: &str| shikou::registry().read_searcher(text).map(|spec| spec.to_string());
    assert_eq!(read("minimax@time=1000ms"), read("minimax@time=1s"));
    assert_eq!(read(r#"minimax@time="1 s""#).unwrap(), r#"minimax@time="1s""#);
    let refusal = read("minimax@time=soon").unwrap_err().to_string();
    assert!(refusal.starts_with("`time` is \"soon\", but takes a time such as \"50ms\""), "{refusal}");
}

/// One recipe serves many tables: each plays like a table with its own recipe.
#[test]
fn prepared_tables_play_as_tables_made_one_by_one() {
    let registry = shikou::registry();
    let game = registry.game("othello", &["size=4".into()]).unwrap();
    let specs: Vec<SearcherSpec> = ["flat(playouts=5)", "minimax"].map(searcher).into();
    let seats: Vec<_> = specs.iter().cloned().map(Some).collect();
    let prepared = game.prepare(&specs).unwrap();
    for seed in 0..3 {
        let mut tables = [prepared.table(&[0, 1]), game.table(&seats).unwrap()];
        for table in &mut tables {
            while table.turn() != Turn::Over {
                let stream = (Stream::new(seed) / u64::from(table.plies())).playout_key();
                table.decide(MoveStream::new(stream), Limits::default()).unwrap();
            }
        }
        let [a, b] = tables;
        assert_eq!((a.transcript(), a.game_hash()), (b.transcript(), b.game_hash()));
    }
}

/// Every searcher, every count that it keeps, on games of every kind: playouts and nodes are never exceeded, plies by less
/// than a playout, and if a limit ended the search, it was reached.
#[test]
fn every_searcher_keeps_every_count_that_it_says_it_keeps() {
    let registry = shikou::registry();
    let mut searches = 0;
    for (name, options) in [
        ("tic-tac-toe", None),
        ("othello", None),
        ("calculation", None),
        ("left-moves", None),
        ("random-tree", Some("players=1")),
    ] {
        let game = registry.game(name, &options.map(String::from).into_iter().collect::<Vec<_>>()).unwrap();
        let longest = u64::from(game.facts().max_plies.unwrap());
        for &known in registry.searchers() {
            let limits = known.keeps.iter().filter(|&&limit| !Budget::of(limit, 1).is_time_limited());
            for (&limit, count) in limits.flat_map(|limit| [1, 7, 50, 777].map(|count| (limit, count))) {
                let budget = match limit {
                    Limit::Playouts => Budget::playouts(count),
                    Limit::Nodes => Budget { nodes: Some(count), ..Budget::UNLIMITED },
                    _ => Budget { plies: Some(count), ..Budget::UNLIMITED },
                };
                let spec = SearcherSpec::new(known, []).unwrap().with_budget(budget);
                let seats = vec![Some(spec.clone()); usize::from(game.facts().players)];
                let Ok(mut table) = game.table(&seats) else { continue };
                while table.turn() == Turn::Chance {
                    table.let_chance_choose(&mut (Stream::new(1) / "chance").rng());
                }
                let decided = table.decide(MoveStream::new(PlayoutKey::new(count)), Limits::default());
                let Ok(spent) = decided else { continue };
                searches += 1;
                let (of, most) = match limit {
                    Limit::Playouts => (spent.playouts, count),
                    Limit::Nodes => (spent.nodes, count),
                    _ => (spent.plies, count - 1 + longest),
                };
                assert!(of <= most, "{name} {spec}: {of}");
                let (_, view) = table.last_decision().unwrap();
                if view.stop == Stop::Limit(limit) && limit != Limit::Nodes {
                    // A playout of a finished position takes a ply of the budget.
                    let idle = if limit == Limit::Plies { spent.playouts } else { 0 };
                    assert!(of + idle >= count, "{name} {spec}: {of}");
                }
            }
        }
    }
    assert!(searches > 200, "{searches}");
}

/// On a busy machine a millisecond passes before a search begins.
#[test]
fn a_search_without_time_decides_by_its_first_piece_of_work() {
    let game = Othello::default();
    let now = Budget { time: Some(Duration::from_nanos(1)), ..Budget::UNLIMITED };
    for (name, work) in [
        ("uct", 1),
        ("flat-ucb", 1),
        ("bts", 1),
        ("open-loop-uct", 1),
        ("alpha-beta(depth=4,root=exact)", 4),
        ("unbounded-minimax", 4),
    ] {
        let spec = searcher(&format!("{name}@time=1ms"));
        let recipe = build(&game, &spec).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut meter = meter(now);
        let stream = MoveStream::new(PlayoutKey::new(1));
        let decision = recipe.machine().choose(&game, &game.start(), stream, &mut meter);
        let decision = decision.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert!(!decision.moves.is_empty(), "{name}");
        let spent = meter.spent();
        assert_eq!(spent.playouts.max(spent.nodes), work, "{name}: {spent:?}");
    }
}

/// Playouts of finished positions have no plies. A budget of plies ends a search of nothing else all the same.
#[test]
fn plies_alone_end_a_search_near_the_end_of_a_game() {
    let registry = shikou::registry();
    let mut meter = meter(Budget { plies: Some(10), ..Budget::UNLIMITED });
    meter.count_playouts(&Tally { playouts: 9, plies: 0, sum: 0, sum_squares: 0 });
    assert_eq!(meter.limit(), None);
    meter.count_playouts(&Tally { playouts: 1, plies: 0, sum: 0, sum_squares: 0 });
    assert_eq!((meter.limit(), meter.spent().plies), (Some(Limit::Plies), 0));

    let mut searches = 0;
    for (name, options, moves) in [
        ("tic-tac-toe", "", "a1 b2 a2 a3 c1 b1 b3"),
        ("left-moves", "steps=2", "left"),
        ("random-tree", "players=1", ""),
    ] {
        let options: Vec<String> =
            [options].into_iter().filter(|text| !text.is_empty()).map(Into::into).collect();
        let game = registry.game(name, &options).unwrap();
        for &known in registry.searchers().iter().filter(|known| known.keeps.contains(&Limit::Plies)) {
            for text in ["", "(playouts=cut(plies=1))", "(parallel=tree)"] {
                let Ok(spec) = registry.read_searcher(&format!("{}{text}@plies=100", known.name)) else {
                    continue;
                };
                let seats = vec![Some(spec); usize::from(game.facts().players)];
                let Ok(mut table) = game.table(&seats) else { continue };
                moves.split_whitespace().for_each(|mv| assert!(table.make_written_move(mv), "{mv}"));
                while table.turn() != Turn::Over {
                    // Some decide only after more plies than these.
                    let decided = table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default());
                    let Ok(spent) = decided else { break };
                    assert!(spent.playouts <= 100 + 2, "{} at {name}: {spent:?}", known.name);
                    searches += 1;
                }
            }
        }
    }
    assert!(searches > 30, "{searches}");
}
