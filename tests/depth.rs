//! How deep searches look: as far as a budget allows, never deeper than the stack, and with an error where a game has no
//! end, a position too many moves, or the system no threads.

use std::process::{Command, Output};
use std::sync::Arc;

use shikou::game::{DEEPEST, Facts, FinishedGames, Game, Player, Turn, Uniform, perft};
use shikou::games::left_moves::{LeftMoves, Score};
use shikou::games::othello::{Othello, Weights};
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::players::{SearcherSpec, build};
use shikou::rng::PlayoutKey;
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Budget, Expectimax, Foresight, FullWidth, Hindsight, Limit, Limits, Meter,
    MoveStream, SearchError, Searcher, SolveSettings, Star, Stop, Ties, solve,
};

use crate::support::{decide, searcher};

const STREAM: MoveStream = MoveStream::new(PlayoutKey::new(1));

fn nodes(nodes: u64) -> Meter {
    Meter::new(Limits::default()).with_budget(Budget { nodes: Some(nodes), ..Budget::UNLIMITED })
}

/// The reason why the search of a text ends at the start of Othello, and its nodes.
fn ends(text: &str) -> (Stop, u64) {
    let (decision, spent) = decide(text, &Othello::default(), &Othello::default().start(), 1);
    (decision.stop, spent.nodes)
}

#[test]
fn without_a_written_depth_the_budget_alone_ends_a_search() {
    for name in ["alpha-beta", "minimax", "expectimax"] {
        assert_eq!(ends(&format!("{name}@nodes=5000")), (Stop::Limit(Limit::Nodes), 5000), "{name}");
        assert_eq!(ends(&format!("{name}@nodes=50")), (Stop::Limit(Limit::Nodes), 50), "{name}");
        // A written depth is a second limit, and the default without a budget stays.
        let (stop, spent) = ends(&format!("{name}(depth=2)@nodes=5000"));
        assert!(stop == Stop::Complete && spent < 100, "{name}: {stop}, {spent} nodes");
        assert_eq!(ends(&format!("{name}(depth=6)@nodes=500")), (Stop::Limit(Limit::Nodes), 500), "{name}");
        assert_eq!(ends(name).0, Stop::Complete);
    }
    assert_eq!(ends("greedy@nodes=5000"), (Stop::Complete, 4));
}

#[test]
fn the_last_depth_that_a_budget_finishes_decides() {
    let (game, weights) = (Othello::default(), Arc::new(Weights));
    let start = game.start();
    // 4, 12, 56, 244 … positions a ply: 4 + (4 + 12) + (4 + 12 + 56) to depth 3.
    let deep = |nodes_left: u64| {
        let mut meter = nodes(nodes_left);
        FullWidth::minimax(Some((9, weights.clone())), Ties::First).choose(&game, &start, STREAM, &mut meter)
    };
    for (budget, depth) in [(4, 1), (19, 1), (20, 2), (91, 2), (92, 3), (407, 3), (408, 4)] {
        let mut fixed = FullWidth::minimax(Some((depth, weights.clone())), Ties::First);
        let expected = fixed.choose(&game, &start, STREAM, &mut Meter::new(Limits::default())).unwrap();
        let found = deep(budget).unwrap();
        assert_eq!((found.chosen, found.moves), (expected.chosen, expected.moves), "{budget} nodes");
    }
    assert_eq!(deep(3).unwrap_err(), SearchError::Budget { limit: Limit::Nodes });

    let chance = RandomTree::new(Settings { depth: 8, chance_every: 3, ..Settings::default() }).unwrap();
    let start = chance.start();
    let full = Expectimax::full(Star::Two, Ties::First).choose(
        &chance,
        &start,
        STREAM,
        &mut Meter::new(Limits::default()),
    );
    let recipe = build(&chance, &searcher("expectimax(ties=first)@nodes=1000000")).unwrap();
    let deepened = recipe.machine().choose(&chance, &start, STREAM, &mut nodes(1_000_000)).unwrap();
    assert_eq!((deepened.chosen, deepened.stop), (full.unwrap().chosen, Stop::Complete));
}

/// Alpha-beta notices that no line was cut at the horizon, although its table remembers lines that were.
#[test]
fn a_search_to_its_budget_ends_with_the_game() {
    let game = Othello::new(4);
    let (mut position, mut decisions) = (game.start(), 0);
    let settings = AlphaBetaSettings { table_bytes: 1 << 20, ..AlphaBetaSettings::default() };
    let mut machine = AlphaBeta::to_the_budget(Arc::new(Weights), settings, Ties::First);
    while let Turn::Player(_) = game.turn(&position) {
        let mut meter = nodes(10_000_000);
        let decision = machine.choose(&game, &position, STREAM, &mut meter).unwrap();
        assert_ne!(decision.stop, Stop::Limit(Limit::Nodes));
        decisions += u32::from(decision.stop == Stop::Complete);
        game.apply(&mut position, decision.chosen);
    }
    assert!(decisions > 3, "{decisions}");
    let refusal = build(&game, &searcher("alpha-beta(deepening=false)@nodes=10")).err().unwrap();
    assert_eq!(refusal.to_string(), "a search that its budget ends deepens; write a depth");
}

#[test]
fn a_depth_is_written_where_it_differs_from_the_default_with_or_without_a_budget() {
    for (text, written) in [
        ("minimax(depth=3)", "minimax"),
        ("minimax(depth=3)@nodes=10", "minimax(depth=3)@nodes=10"),
        ("minimax@nodes=10", "minimax@nodes=10"),
        ("alpha-beta(depth=full)@nodes=10", "alpha-beta(depth=\"full\")@nodes=10"),
    ] {
        let spec = searcher(text);
        assert_eq!(spec.to_string(), written);
        assert_eq!(searcher(written), spec);
    }
    let registry = shikou::registry();
    let decl = registry.searcher("minimax").unwrap();
    let budget = Budget { nodes: Some(10), ..Budget::UNLIMITED };
    let kept = SearcherSpec::new(decl, [("depth", 3.into())]).unwrap().with_budget(budget);
    assert_eq!(kept.to_string(), "minimax(depth=3)@nodes=10");
    assert_eq!(kept.with_budget(Budget::UNLIMITED).to_string(), "minimax");
    assert_eq!(searcher("minimax@nodes=10").with_budget(Budget::UNLIMITED).to_string(), "minimax");
    assert!(registry.read_searcher("minimax(depth=budget)").is_err());
}

/// Two moves, for ever; with `chance` every other turn is chance's.
#[derive(Clone)]
struct Endless {
    chance: bool,
}

impl Game for Endless {
    type Position = u64;
    type Move = bool;

    fn facts(&self) -> Facts {
        let facts = Facts::solitaire();
        if self.chance { facts.with_chance() } else { facts }
    }
    fn start(&self) -> u64 {
        0
    }
    fn turn(&self, position: &u64) -> Turn {
        if self.chance && position % 2 == 1 { Turn::Chance } else { Turn::Player(Player::FIRST) }
    }
    fn moves(&self, _: &u64) -> impl Iterator<Item = bool> {
        [false, true].into_iter()
    }
    fn outcomes(&self, _: &u64) -> impl Iterator<Item = (bool, u32)> {
        [(false, 1), (true, 1)].into_iter()
    }
    fn apply(&self, position: &mut u64, _: bool) {
        *position += 1;
    }
    fn payoff(&self, _: &u64, _: Player) -> i32 {
        unreachable!("it never ends")
    }
    fn notation(&self, _: &u64, mv: bool) -> String {
        mv.to_string()
    }
    fn drawing(&self, position: &u64) -> String {
        position.to_string()
    }
}

#[test]
fn a_search_of_a_game_without_an_end_fails_by_name() {
    let too_deep = Err(SearchError::Depth { plies: DEEPEST });
    for chance in [false, true] {
        let game = Endless { chance };
        let mut searchers: Vec<Box<dyn Searcher<Endless>>> = vec![
            Box::new(Expectimax::full(Star::Two, Ties::First)),
            Box::new(Expectimax::full(Star::Off, Ties::First)),
            Box::new(Hindsight::new(1, Foresight::Exact, Arc::new(Uniform), Ties::First)),
        ];
        if !chance {
            searchers.push(Box::new(FullWidth::minimax(None, Ties::First)));
            searchers.push(Box::new(AlphaBeta::full(AlphaBetaSettings::default(), Ties::First)));
        }
        for searcher in &mut searchers {
            let mut meter = Meter::new(Limits::default());
            let found = searcher.choose(&game, &0, STREAM, &mut meter).map(|_| ());
            assert_eq!(found, too_deep);
            // Star2 counts every other ply.
            assert!(meter.spent().nodes >= u64::from(DEEPEST) / 2);
        }
        for threads in [1, 2] {
            let solved = solve(
                &game,
                &0,
                &SolveSettings { threads, ..SolveSettings::new(1 << 16) },
                &mut Meter::new(Limits::default()),
            )
            .map(|_| ());
            assert_eq!(solved, too_deep);
        }
    }
    assert_eq!(
        SearchError::Depth { plies: 10_000 }.to_string(),
        "depth: the search looked 10000 plies ahead, and some game was not over; give it a depth, or take a searcher that \
         does not look at every line"
    );
}

/// A game of 10 000 plies needs more stack than a thread has, and gets it.
#[test]
fn the_longest_lines_fit() {
    let game = LeftMoves::new(10_000, Score::LeftMoves);
    let budget = || Err(SearchError::Budget { limit: Limit::Nodes });
    let mut meter = nodes(20_000);
    let mut alpha_beta = AlphaBeta::full(AlphaBetaSettings::default(), Ties::First);
    assert_eq!(alpha_beta.choose(&game, &game.start(), STREAM, &mut meter).map(|_| ()), budget());
    let mut expectimax = Expectimax::full(Star::Two, Ties::First);
    assert_eq!(expectimax.choose(&game, &game.start(), STREAM, &mut nodes(20_000)).map(|_| ()), budget());
    let line = RandomTree::new(Settings { branching: 1, depth: 1000, ..Settings::default() }).unwrap();
    assert_eq!(perft(&line, &line.start(), 999, FinishedGames::Skip), 1);
}

fn command(arguments: &[&str], stack: &str) -> Output {
    let program = std::env::var_os("SHIKOU_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_shikou").into());
    Command::new(program).args(arguments).env("RUST_MIN_STACK", stack).output().unwrap()
}

#[test]
fn what_is_too_large_is_an_error_and_not_a_panic() {
    let wide = ["--option", "branching=65536"];
    for (arguments, expected) in [
        (
            [&["analyze", "random-tree", "--search", "uct@playouts=100"][..], &wide].concat(),
            "a position has more than 65535 moves",
        ),
        (
            [&["solve", "random-tree", ""][..], &wide, &["--option", "depth=1000"]].concat(),
            "memory cap: the search needs",
        ),
        (
            [&["analyze", "random-tree", "--search", "minimax(depth=full)@nodes=100000"][..], &wide].concat(),
            "its budget ends before it finds anything",
        ),
        (vec!["perft", "left-moves", "10001"], "is not in 0..=10000"),
    ] {
        let Output { status, stderr, .. } = command(&arguments, "2097152");
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(status.code() == Some(2) && stderr.contains(expected), "{arguments:?}: {status}: {stderr}");
    }
    let solved = command(&["solve", "tic-tac-toe", "xo------- x", "--table", "65535"], "2097152");
    assert!(solved.status.success(), "{solved:?}");
}

/// Threads of a petabyte of stack cannot be started: the same failure as at a limit on processes, which does not bind root.
#[test]
fn where_no_thread_can_be_started_a_command_says_so_or_does_without() {
    let none = "1125899906842624";
    for arguments in [
        &["perft", "othello", "4"][..],
        &["solve", "tic-tac-toe", ""],
        &["match", "tic-tac-toe", "random", "random", "--games", "2"],
        &["analyze", "tic-tac-toe", "--search", "uct(parallel=root(threads=2))@playouts=100"],
        &["clairvoyant", "calculation", "--deals", "2"],
    ] {
        let Output { status, stderr, .. } = command(arguments, none);
        let stderr = String::from_utf8(stderr).unwrap();
        let says = stderr.contains("thread") || stderr.contains("Resource temporarily unavailable");
        assert!(matches!(status.code(), Some(2 | 5)) && says, "{arguments:?}: {status}: {stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
    for arguments in [
        &["exact", "tic-tac-toe", "random", "--against", "ai12s"][..],
        &["prove", "tic-tac-toe", "ai12s"],
        &["solve", "tic-tac-toe", "", "--threads", "1"],
    ] {
        assert!(command(arguments, none).status.success(), "{arguments:?}");
    }
}
