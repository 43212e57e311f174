//! One tree on several threads.

use std::sync::Arc;

use shikou::game::{Game, GameExt as _, Uniform};
use shikou::games::calculation::Calculation;
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::build;
use shikou::rng::PlayoutKey;
use shikou::search::{
    Branches, Budget, Decision, Expansion, FinalChoice, FirstPlay, Limit, Limits, Meter, MoveStream,
    Parallel, Playouts, Searcher, Sight, Spent, Stop, Ties, TreeExtent, Uct, UctSettings,
};

use super::{decide, tic_tac_toe_positions, value_of};
use crate::support::searcher;

const WHOLE: TreeExtent = TreeExtent { plies: u32::MAX, children: usize::MAX };

/// What a search finds and costs, with its tree and its principal variation.
struct Found<M> {
    decision: Decision<M>,
    spent: Spent,
    batches: u64,
    line: Vec<M>,
    tree: Branches<M>,
}

fn find<G: Game>(
    searcher: &mut impl Searcher<G>,
    game: &G,
    position: &G::Position,
    (seed, budget): (u64, Budget),
) -> Found<G::Move> {
    let mut meter = Meter::new(Limits::default()).with_budget(budget);
    let stream = MoveStream::new(PlayoutKey::new(seed));
    let decision = searcher.choose(game, position, stream, &mut meter).unwrap();
    let tree = searcher.tree(game, position, &decision, WHOLE).unwrap();
    let line = searcher.principal_variation(game, position, &decision);
    Found { decision, spent: meter.spent(), batches: meter.batches(), line, tree }
}

/// Compares what two searches find. A tree is too long to be printed.
fn compare<M: PartialEq + std::fmt::Debug>(found: &Found<M>, expected: &Found<M>, case: &str) {
    assert_eq!(found.decision, expected.decision, "{case}");
    let costs = |found: &Found<M>| (found.spent, found.batches);
    assert_eq!(costs(found), costs(expected), "{case}");
    assert_eq!(found.line, expected.line, "{case}");
    assert!(found.tree == expected.tree, "the trees differ: {case}");
}

/// Different settings that a shared tree supports.
fn variants<G: Game>() -> Vec<UctSettings<G>> {
    let plain = || UctSettings::new(Arc::new(Uniform));
    let expansion = Expansion::Single { threshold: 3, widening: 0.0 };
    let playouts = Playouts::Full { batch: 3, decisive: Sight::Never };
    vec![
        plain(),
        of_leaves(16, 1),
        UctSettings { ties: Ties::First, playouts, final_choice: FinalChoice::Secure, ..plain() },
        UctSettings { first_play: FirstPlay::Reduction { by: 0.2 }, ..of_leaves(5, 1) },
        UctSettings { first_play: FirstPlay::Urgency { worth: 0.9 }, expansion, ..plain() },
    ]
}

/// Plain UCT that takes some leaves at once, on some threads.
fn of_leaves<G: Game>(leaves: u32, threads: usize) -> UctSettings<G> {
    let parallel = Parallel::Tree { leaves, threads };
    UctSettings { parallel, ..UctSettings::new(Arc::new(Uniform)) }
}

/// On one thread it is plain UCT: the same decisions, costs and trees.
#[test]
fn one_thread_decides_as_plain_uct() {
    fn check<G: Game>(game: &G, position: &G::Position, budgets: &[Budget]) {
        for (number, settings) in variants().into_iter().enumerate() {
            let mut plain = Uct::new(settings.clone());
            let mut shared = Uct::shared(settings);
            for (seed, &budget) in (1..).zip(budgets) {
                let expected = find(&mut plain, game, position, (seed, budget));
                let found = find(&mut shared, game, position, (seed, budget));
                compare(&found, &expected, &format!("variant {number}, {budget:?}"));
            }
        }
    }
    let playouts = Budget::playouts;
    let (nodes, plies) = (
        Budget { nodes: Some(3000), ..Budget::default() },
        Budget { plies: Some(9000), ..Budget::default() },
    );
    check(&TicTacToe, &TicTacToe.start(), &[playouts(1), playouts(2), playouts(5000), nodes]);
    // The end of a game: most leaves are finished games.
    let end = TicTacToe.follow("b2 a1 c1 a3 a2").unwrap();
    check(&TicTacToe, &end, &[playouts(700)]);
    let othello = Othello::default();
    check(&othello, &othello.start(), &[playouts(1500), nodes, plies]);
    let cards = Calculation::default();
    let mut dealt = cards.start();
    let (card, _) = cards.outcomes(&dealt).next().unwrap();
    cards.apply(&mut dealt, card);
    check(&cards, &dealt, &[playouts(1200), nodes, plies]);
}

/// A tree that outgrows its first room still is the same.
#[test]
fn a_tree_that_grows_stays_the_same() {
    let game = Othello::default();
    for leaves in [1, 16] {
        let settings = of_leaves(leaves, 1);
        let budget = Budget::playouts(20_000);
        let expected = find(&mut Uct::new(settings.clone()), &game, &game.start(), (3, budget));
        let found = find(&mut Uct::shared(settings), &game, &game.start(), (3, budget));
        compare(&found, &expected, &format!("{leaves} leaves"));
    }
}

/// A node has at least the visits of its children.
fn check_visits<M>(visits: u64, below: &Branches<M>) {
    let sum: u64 = below.shown.iter().map(|branch| branch.visits).sum();
    assert!(visits >= sum, "{visits} visits, {sum} of the children");
    for branch in &below.shown {
        // The payoffs are whole numbers.
        let sum = branch.value.map_or(0.0, |value| value * branch.visits as f64);
        assert!((sum - sum.round()).abs() < 1e-6 && sum.abs() <= branch.visits as f64 + 1e-6, "{sum}");
        check_visits(branch.visits, &branch.below);
    }
}

/// However many threads race, each playout is counted once at each node of its path, and all losses are taken back.
#[test]
fn threads_make_the_playouts_of_the_budget() {
    fn check<G: Game>(game: &G, position: &G::Position) {
        for (threads, leaves, playouts) in
            [(2, 1, 3), (2, 16, 5000), (3, 4, 1001), (8, 1, 3000), (8, 64, 20_000)]
        {
            let mut search = Uct::shared(of_leaves(leaves, threads));
            for seed in 0..5 {
                let found = find(&mut search, game, position, (seed, Budget::playouts(playouts)));
                assert_eq!(
                    (found.spent.playouts, found.decision.stop),
                    (playouts, Stop::Limit(Limit::Playouts))
                );
                let visits = found.decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>();
                assert_eq!(visits, playouts);
                check_visits(playouts, &found.tree);
            }
        }
    }
    check(&TicTacToe, &TicTacToe.start());
    let othello = Othello::default();
    check(&othello, &othello.start());
}

/// Threads find the best moves of a small game.
#[test]
fn threads_converge() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions().into_iter().step_by(17) {
        let best = game.moves(&position).map(|mv| value_of(&game, &position, mv)).fold(-1.0, f64::max);
        let spec = "uct(parallel=tree(threads=4,leaves=4))@playouts=20000";
        let (decision, _) = decide(spec, &game, &position, 1);
        assert_eq!(value_of(&game, &position, decision.chosen), best);
    }
}

/// Without memory for more nodes a search goes on in the tree that it has.
#[test]
fn a_full_tree_is_searched_on() {
    let game = Othello::default();
    for (memory_bytes, succeeds) in [(1 << 20, true), (128 << 10, true), (1 << 10, false)] {
        let mut search = Uct::shared(of_leaves(16, 2));
        let limits = Limits { memory_bytes, time: None };
        for seed in 1..=3 {
            let mut meter = Meter::new(limits).with_budget(Budget::playouts(30_000));
            let stream = MoveStream::new(PlayoutKey::new(seed));
            let found = search.choose(&game, &game.start(), stream, &mut meter);
            assert_eq!(found.is_ok(), succeeds, "{memory_bytes}");
            assert_eq!(meter.spent().playouts, if succeeds { 30_000 } else { 0 });
            let visits = found.map(|found| found.moves.iter().map(|estimate| estimate.visits).sum::<u64>());
            assert!(visits.is_err() || visits == Ok(30_000), "{visits:?}");
        }
    }
}

/// What several threads cannot do in one tree is refused, with what to write instead.
#[test]
fn unsupported_parts_are_refused_with_advice() {
    let refusal = |options: &str| {
        let spec = searcher(&format!("uct({options},parallel=tree(threads=2))@playouts=10"));
        build(&Othello::default(), &spec).err().map(|misfit| misfit.to_string()).unwrap_or_default()
    };
    for (options, advice) in [
        ("selection=tuned", "selection = \"ucb1\""),
        ("prior=policy", "prior = \"none\""),
        ("expansion=single(widening=1)", "expansion = \"single\" without widening"),
        ("sparse=2", "sparse = 0"),
        ("backup=mixed", "backup = \"mean\""),
        ("solver=bounds", "solver = \"none\""),
        ("playouts=cut", "playouts = \"full\""),
        ("memory=tree(keep=true)", "memory = \"tree\" without keep"),
        ("playouts=full(batch=100000)", "write smaller numbers"),
    ] {
        let refused = refusal(options);
        assert!(refused.contains(advice), "{options}: {refused}");
    }
    assert_eq!(refusal("expansion=single(threshold=2)"), "");
}

/// The number of threads is a part of the trial, because results depend on it.
#[test]
fn threads_of_one_tree_are_declared() {
    let search = searcher("uct(parallel=tree(threads=3))@playouts=10");
    assert!(!search.is_repeatable());
    assert_eq!(search.threads(), 3);
    assert!(searcher("uct(parallel=tree)@playouts=10").is_repeatable());
    // A smoke test has one thread, so it is repeatable.
    assert!(search.reduced(false).is_repeatable());
}
