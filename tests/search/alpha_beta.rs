//! Alpha-beta in every configuration, compared with plain minimax, and its leaves with the bound of Knuth and Moore.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shikou::game::{Bits, Evaluation, Game, GameExt, NamedGame, Player, SearchHints, Turn};
use shikou::games::othello::{Move, Othello, wthor};
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Budget, Decision, FullWidth, Limit, Limits, Meter, MoveStream,
    OrderingHeuristic, RootValues, SearchError, Searcher, Stop, Ties,
};

use crate::support::{ask, best, delegates, large_data, reachable, sample_data};

/// Every combination of the parts: 7 orders, 3 tables, deepening, 4 aspirations, null windows, 3 kinds of roots.
fn configurations() -> Vec<AlphaBetaSettings> {
    use OrderingHeuristic::{Evaluation, Hint, History, Killers, Table};
    let orders: [&[OrderingHeuristic]; 7] = [
        &[],
        &[Table],
        &[Hint],
        &[Killers],
        &[History],
        &[Evaluation, Killers],
        &[Table, Hint, Evaluation, Killers, History],
    ];
    let mut all = Vec::new();
    for order in orders {
        for table_bytes in [0, 64, 1 << 14] {
            for deepening in [false, true] {
                for aspiration in [None, Some(0), Some(1), Some(40)] {
                    for null_windows in [false, true] {
                        for root in [RootValues::Best, RootValues::Ties, RootValues::Exact] {
                            all.push(AlphaBetaSettings {
                                order: order.to_vec(),
                                table_bytes,
                                deeper_entries: false,
                                deepening,
                                aspiration,
                                null_windows,
                                root,
                            });
                        }
                    }
                }
            }
        }
    }
    all
}

/// The searchers of a kind, to a depth or to the end.
fn alpha_beta<G: Game>(
    goal: Option<(u32, &Arc<dyn Evaluation<G>>)>,
    settings: &AlphaBetaSettings,
    ties: Ties,
) -> AlphaBeta<G> {
    match goal {
        Some((depth, evaluation)) => AlphaBeta::to_depth(depth, evaluation.clone(), settings.clone(), ties),
        None => AlphaBeta::full(settings.clone(), ties),
    }
}

fn minimax<G: Game>(goal: Option<(u32, &Arc<dyn Evaluation<G>>)>) -> FullWidth<G> {
    FullWidth::minimax(goal.map(|(depth, evaluation)| (depth, evaluation.clone())), Ties::First)
}

/// Compares a decision of alpha-beta with that of minimax, as each kind of root guarantees.
fn assert_agrees<G: Game>(
    root: RootValues,
    found: &Decision<G::Move>,
    plain: &Decision<G::Move>,
    context: &dyn Fn() -> String,
) {
    if plain.moves.is_empty() {
        assert_eq!(found.chosen, plain.chosen, "{}", context());
        return;
    }
    let (best, _) = best(plain);
    let chosen = plain.moves.iter().find(|estimate| estimate.mv == found.chosen).unwrap();
    assert_eq!(chosen.value, best, "the move is among the best: {}", context());
    assert_eq!(found.moves.len(), plain.moves.len(), "{}", context());
    for (mine, plain) in found.moves.iter().zip(&plain.moves) {
        assert_eq!(mine.mv, plain.mv, "{}", context());
        let agrees = match root {
            RootValues::Exact => mine.value == plain.value,
            RootValues::Ties => {
                mine.value >= plain.value
                    && (mine.value == best) == (plain.value == best)
                    && mine.value <= best
            }
            RootValues::Best => {
                mine.value >= plain.value
                    && mine.value <= best
                    && (mine.mv != found.chosen || mine.value == best)
            }
        };
        assert!(agrees, "{:?} for {:?}: {}", mine.value, plain.value, context());
    }
}

/// Ten thousand trees with many equal leaves; each configuration searches about a hundred of them.
#[test]
fn random_trees_in_every_configuration() {
    let configurations = configurations();
    for tree in 0..10_000_u32 {
        let game = RandomTree::new(Settings {
            branching: 1 + tree % 4,
            depth: 1 + tree / 4 % 6,
            tree: u64::from(tree),
            players: 1 + (tree / 24 % 2) as u8,
            value_range: [127, 1, 3][tree as usize / 48 % 3],
            ..Settings::default()
        })
        .unwrap();
        let evaluation = game.entries().evaluations[0].evaluation.clone();
        let depth = 1 + tree / 7 % 6;
        let goal = (tree % 3 != 0).then_some((depth, &evaluation));
        let (plain, _) = ask(&mut minimax(goal), &game, &game.start(), 1);
        for n in 0..10 {
            let settings = &configurations[(tree as usize * 10 + n) % configurations.len()];
            let (found, _) = ask(&mut alpha_beta(goal, settings, Ties::First), &game, &game.start(), 1);
            assert_agrees::<RandomTree>(settings.root, &found, &plain, &|| {
                format!("tree {tree}, {settings:?}")
            });
        }
    }
}

/// All reachable positions; one searcher searches them all, with its table kept, to the end and to depths.
#[test]
fn every_position_of_tic_tac_toe() {
    let game = TicTacToe;
    let marks: Arc<dyn Evaluation<TicTacToe>> = Arc::new(Centre);
    let mut positions = reachable(&game);
    assert_eq!(positions.len(), 5478);
    positions.retain(|position| game.turn(position) != Turn::Over);
    for goal in [None, Some((2, &marks)), Some((3, &marks))] {
        let plain: Vec<_> =
            positions.iter().map(|position| ask(&mut minimax(goal), &game, position, 1).0).collect();
        for (n, settings) in configurations().iter().enumerate() {
            let mut searcher = alpha_beta(goal, settings, Ties::Random);
            // All positions for each of a few; for the others every 41st.
            let stride = if n % 97 == 0 { 1 } else { 41 };
            for (position, plain) in positions.iter().zip(&plain).skip(n % stride).step_by(stride) {
                let (found, _) = ask(&mut searcher, &game, position, 1);
                assert_agrees::<TicTacToe>(settings.root, &found, plain, &|| {
                    format!("{position:?} {settings:?}")
                });
            }
        }
    }
}

/// The centre and the corners, with many ties.
struct Centre;

impl Evaluation<TicTacToe> for Centre {
    fn evaluate(&self, _: &TicTacToe, position: &<TicTacToe as Game>::Position, player: Player) -> i64 {
        let count = |player| {
            Bits::new(position.marks(player).into()).map(|at| [2, 1][usize::from(at) % 2]).sum::<i64>()
        };
        count(player) - count(player.other())
    }
}

/// The value of 4×4 is −8 in discs, −10 with the empty squares for the winner; see docs on the games.
#[test]
fn the_whole_of_othello_on_four_by_four() {
    for (game, value) in [
        (Othello::new(4).with_reward_score(), -8.0),
        (Othello::new(4).with_reward_score().with_empties_to_winner(), -10.0),
        (Othello::new(4), -1.0),
    ] {
        let (plain, _) = ask(&mut FullWidth::minimax(None, Ties::First), &game, &game.start(), 1);
        for settings in configurations().into_iter().step_by(5) {
            let (found, _) =
                ask(&mut AlphaBeta::full(settings.clone(), Ties::First), &game, &game.start(), 1);
            assert_agrees::<Othello>(settings.root, &found, &plain, &|| format!("{settings:?}"));
            assert_eq!(best(&found).0, value);
        }
    }
}

/// Positions of recorded games, at any ply.
fn positions_of_real_games(game: &Othello, count: usize) -> Vec<<Othello as Game>::Position> {
    let path = large_data("wthor/WTH_2005.wtb").unwrap_or_else(|| sample_data("WTH_1978.wtb"));
    let bytes = std::fs::read(path).unwrap();
    let file = wthor::read(&bytes).unwrap();
    let mut rng = (Stream::new(1) / "positions of real games").rng();
    let mut positions = Vec::new();
    while positions.len() < count {
        let record = file.records().nth(rng.below(file.len() as u64) as usize).unwrap();
        let plies = rng.below(55) as usize;
        let mut position = game.start();
        for mv in record.moves().take(plies) {
            if position.must_pass() {
                game.apply(&mut position, Move::PASS);
            }
            game.play(&mut position, mv).unwrap();
        }
        if game.turn(&position) != Turn::Over && !positions.contains(&position) {
            positions.push(position);
        }
    }
    positions
}

fn othello_to_depth(depths: &[u32], count: usize, configurations_each: usize) {
    let game = Othello::default();
    let configurations = configurations();
    for (n, position) in positions_of_real_games(&game, count).iter().enumerate() {
        for &depth in depths {
            let evaluations = game.entries().evaluations;
            let evaluation = &evaluations[n % evaluations.len()].evaluation;
            let goal = Some((depth, evaluation));
            let (plain, _) = ask(&mut minimax(goal), &game, position, 1);
            for k in 0..configurations_each {
                let settings = &configurations[(n * 37 + k * 101) % configurations.len()];
                let (found, _) = ask(&mut alpha_beta(goal, settings, Ties::Random), &game, position, 1);
                assert_agrees::<Othello>(settings.root, &found, &plain, &|| {
                    format!("{} to depth {depth}, {settings:?}", game.board_text(position))
                });
            }
        }
    }
}

#[test]
fn othello_to_depth_four_in_positions_of_real_games() {
    othello_to_depth(&[1, 2, 3, 4], 40, 12);
}

#[test]
#[ignore = "minimax to depth 6 from 200 positions takes about a minute"]
fn othello_to_depth_six_in_200_positions_of_real_games() {
    othello_to_depth(&[6], 200, 20);
}

/// With deeper entries a search differs from minimax, unless it goes to the end of the game.
#[test]
fn deeper_entries_change_nothing_in_a_search_to_the_end() {
    let game = Othello::new(4).with_reward_score();
    let settings = AlphaBetaSettings { deeper_entries: true, ..AlphaBetaSettings::default() };
    let (found, _) = ask(&mut AlphaBeta::full(settings, Ties::First), &game, &game.start(), 1);
    let (plain, _) = ask(&mut FullWidth::minimax(None, Ties::First), &game, &game.start(), 1);
    assert_agrees::<Othello>(RootValues::Ties, &found, &plain, &|| "deeper entries".into());
}

/// A uniform tree with the best move first, which counts evaluations of finished games.
#[derive(Clone)]
struct PerfectlyOrdered {
    tree: RandomTree,
    leaves: Arc<AtomicU64>,
}

impl Game for PerfectlyOrdered {
    type Position = <RandomTree as Game>::Position;
    type Move = u32;

    delegates!(tree);

    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = u32> {
        self.tree.moves(position)
    }
    fn payoff(&self, position: &Self::Position, player: Player) -> i32 {
        self.leaves.fetch_add(1, Ordering::Relaxed);
        self.tree.payoff(position, player)
    }
    fn hints(&self) -> impl SearchHints<Self> {
        ByValue
    }
}

type Node = <RandomTree as Game>::Position;

/// Orders moves by the value itself.
struct ByValue;

impl SearchHints<PerfectlyOrdered> for ByValue {
    fn order(&self, game: &PerfectlyOrdered, position: &Node, _: u32, child: &Node) -> i32 {
        let value = game.tree.minimax(child);
        if game.turn(position) == Turn::Player(Player::FIRST) { value } else { -value }
    }
}

/// With the best move first at every node, alpha-beta evaluates b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves (Knuth, Moore 1975).
#[test]
fn perfectly_ordered_trees_are_searched_within_the_bound_of_knuth_and_moore() {
    for (branching, depth) in [(2, 1), (2, 2), (2, 7), (2, 8), (3, 5), (3, 6), (5, 4), (8, 3), (4, 5)] {
        for tree in 0..5 {
            let settings = Settings { branching, depth, tree, value_range: 32_000, ..Settings::default() };
            let tree = RandomTree::new(settings).unwrap();
            let leaves = Arc::new(AtomicU64::new(0));
            let game = PerfectlyOrdered { tree, leaves: leaves.clone() };
            let settings = AlphaBetaSettings {
                order: vec![OrderingHeuristic::Hint],
                root: RootValues::Best,
                ..AlphaBetaSettings::plain()
            };
            let mut searcher = AlphaBeta::full(settings, Ties::First);
            ask(&mut searcher, &game, &game.start(), 1);
            let least = u64::from(branching).pow(depth.div_ceil(2)) + u64::from(branching).pow(depth / 2) - 1;
            assert_eq!(leaves.load(Ordering::Relaxed), least, "{branching} moves, {depth} plies");
        }
    }
}

/// Each part saves nodes on the same positions.
#[test]
fn each_part_saves_nodes() {
    let game = Othello::default();
    let weights = game.entries().evaluations.into_iter().find(|known| known.name == "weights");
    let evaluation = weights.unwrap().evaluation;
    let positions = positions_of_real_games(&game, 8);
    let nodes = |settings: &AlphaBetaSettings| -> u64 {
        let settings = AlphaBetaSettings { root: RootValues::Best, ..settings.clone() };
        let search = |position| {
            ask(&mut alpha_beta(Some((6, &evaluation)), &settings, Ties::First), &game, position, 1).1.nodes
        };
        positions.iter().map(search).sum()
    };
    let plain = AlphaBetaSettings::plain();
    let cuts = nodes(&plain);
    let uncut: u64 =
        positions.iter().map(|at| ask(&mut minimax(Some((5, &evaluation))), &game, at, 1).1.nodes).sum();
    assert!(cuts < uncut, "six plies with cuts are {cuts} nodes, five without are {uncut}");
    for cue in [
        OrderingHeuristic::Hint,
        OrderingHeuristic::Killers,
        OrderingHeuristic::History,
        OrderingHeuristic::Evaluation,
    ] {
        let ordered = nodes(&AlphaBetaSettings { order: vec![cue], ..plain.clone() });
        assert!(ordered < cuts, "{cue:?}: {ordered} nodes, without it {cuts}");
    }
    let tables = AlphaBetaSettings { table_bytes: 1 << 20, order: vec![OrderingHeuristic::Table], ..plain };
    let table = nodes(&tables);
    assert!(table < cuts, "a table: {table} nodes, without it {cuts}");
    let deepenings = AlphaBetaSettings { deepening: true, ..tables };
    let deepening = nodes(&deepenings);
    assert!(deepening < table, "deepening: {deepening} nodes, without it {table}");
    let all = AlphaBetaSettings {
        order: vec![OrderingHeuristic::Table, OrderingHeuristic::Killers, OrderingHeuristic::History],
        ..deepenings
    };
    let wide = nodes(&all);
    let null_windows = nodes(&AlphaBetaSettings { null_windows: true, ..all.clone() });
    assert!(null_windows < wide, "null windows: {null_windows} nodes, without them {wide}");
    let aspiration = nodes(&AlphaBetaSettings { aspiration: Some(60), ..all });
    assert!(aspiration < wide, "aspiration: {aspiration} nodes, without it {wide}");
}

/// Whatever limit ends the search, the decision is that of the last completed depth.
#[test]
fn a_budget_ends_the_search_at_the_last_finished_depth() {
    let game = Othello::default();
    let evaluation = game.entries().evaluations[1].evaluation.clone();
    let position = game.follow("f5d6c3d3c4f4c5b3c2e6").unwrap();
    let settings = AlphaBetaSettings::default();
    let choose = |depth: u32, budget: Option<u64>| {
        let mut meter = Meter::new(Limits::default());
        if let Some(nodes) = budget {
            meter = meter.with_budget(Budget { nodes: Some(nodes), ..Budget::UNLIMITED });
        }
        let mut searcher = alpha_beta(Some((depth, &evaluation)), &settings, Ties::First);
        let decision = searcher.choose(&game, &position, MoveStream::new(PlayoutKey::new(1)), &mut meter);
        (decision, meter.spent().nodes)
    };
    let mut finished = 0;
    for depth in 1..=6 {
        let (full, needed) = choose(depth, None);
        let full = full.unwrap();
        assert_eq!(full.stop, Stop::Complete);
        for nodes in [needed, needed + 1] {
            let (limited, spent) = choose(60, Some(nodes));
            let limited = limited.unwrap();
            assert_eq!((limited.chosen, &limited.moves), (full.chosen, &full.moves), "depth {depth}");
            assert_eq!((limited.stop, spent), (Stop::Limit(Limit::Nodes), nodes));
        }
        finished = needed;
    }
    assert!(finished > 1000);
    let (nothing, _) = choose(60, Some(3));
    assert_eq!(nothing.unwrap_err(), SearchError::Budget { limit: Limit::Nodes });
}

#[test]
fn the_table_is_counted_as_memory() {
    let game = TicTacToe;
    let mut meter = Meter::new(Limits { memory_bytes: 1 << 20, ..Limits::default() });
    let mut searcher = AlphaBeta::full(AlphaBetaSettings::default(), Ties::First);
    let fault = searcher.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter);
    assert!(matches!(fault, Err(SearchError::Memory { cap: 1_048_576, .. })), "{fault:?}");
}

/// The moves of all nodes of the descent are in one list, whose memory is counted as it grows.
#[test]
fn the_list_of_moves_is_counted_as_memory() {
    let game = RandomTree::new(Settings { branching: 20_000, depth: 1, ..Settings::default() }).unwrap();
    let settings = AlphaBetaSettings { table_bytes: 0, ..AlphaBetaSettings::default() };
    let choose = |memory_bytes| {
        let mut meter = Meter::new(Limits { memory_bytes, ..Limits::default() });
        let mut searcher = AlphaBeta::full(settings.clone(), Ties::First);
        let stream = MoveStream::new(PlayoutKey::new(1));
        searcher.choose(&game, &game.start(), stream, &mut meter).map(|decision| decision.moves.len())
    };
    // The moves of the root take less than 1.5 MB, those of the list more.
    assert!(matches!(choose(1_500_000), Err(SearchError::Memory { .. })));
    assert_eq!(choose(16_000_000), Ok(20_000));
}
