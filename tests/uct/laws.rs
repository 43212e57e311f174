//! An exact law for each option of the tree, on games small enough to derive the result.

use shikou::game::options::Wording;
use shikou::game::{Game, GameExt, NamedGame};
use shikou::games::calculation::Calculation;
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::search::{Decision, Stop};

use crate::support::searcher;

use super::{decide, planted, tic_tac_toe_positions, value, value_of};

/// Visits of the root's moves, the most first.
fn visits<M>(decision: &Decision<M>) -> Vec<u64> {
    let mut visits: Vec<u64> = decision.moves.iter().map(|estimate| estimate.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    visits
}

/// A root with a number of moves that end the game with different payoffs.
fn bandit(branching: u32, tree: u64) -> RandomTree {
    let settings =
        Settings { branching, depth: 1, tree, players: 1, reward: Reward::Score, ..Settings::default() };
    RandomTree::new(settings).unwrap()
}

/// As published, every move is visited once before any twice. If unvisited moves have the value 0 and are not explored,
/// the first move with a higher value is always visited. If their value exceeds all others, all moves are visited.
#[test]
fn first_play_is_the_value_of_an_unvisited_move() {
    let game = bandit(10, 3);
    let start = game.start();
    let found = |first_play: &str, playouts: u32| {
        let spec = format!("uct(first-play={first_play},selection=ucb1(exploration=0))@playouts={playouts}");
        visits(&decide(&spec, &game, &start, 1).0)
    };
    assert_eq!(found("published", 10), [1; 10]);
    assert_eq!(found("urgency(worth=2)", 10), [1; 10]);
    assert_eq!(found("urgency(worth=-1)", 10), [10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    // A reduction is from the parent's value when the children are made, which is that of no playout, 0: with 0 all that is
    // below it are left, with more nothing is tried but the first, and with a rise everything is.
    assert_eq!(found("reduction(by=-2)", 10), [1; 10]);
    assert_eq!(found("reduction(by=2)", 10), [10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/// Playouts of finished games cost nothing, so their number can be anything: the search ends before visits do not fit any more.
#[test]
fn visits_never_overflow() {
    let game = bandit(2, 3);
    for playouts in ["full(batch=1000000)", "full(batch=999999)"] {
        let spec = format!("uct(playouts={playouts})@playouts=100000000000");
        let (decision, _) = decide(&spec, &game, &game.start(), 1);
        let visits = visits(&decision);
        assert_eq!(decision.stop, Stop::Complete);
        assert!(visits[0] > visits[1] && visits[0] + visits[1] >= 1 << 31);
        assert!(visits[0] + visits[1] < (1 << 31) + 1_000_000);
    }
}

/// A node's value is the mean of its playouts, the value of its best child, or a weighted mean of the two.
#[test]
fn the_share_of_the_best_child_is_its_share() {
    for tree in 0..20 {
        let settings = Settings {
            branching: 4,
            depth: 2,
            tree,
            players: 1,
            reward: Reward::Score,
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        // Five playouts below each move: one from it, and one after each of its replies, which are then in the tree.
        let values = |share: &str| {
            let spec = format!(
                "uct(backup={share},first-play=urgency(worth=1000),expansion=all,ties=first)@playouts=20"
            );
            decide(&spec, &game, &start, 1).0.moves
        };
        let (means, mixed, best) =
            (values("mean"), values("mixed(max-share=0.25)"), values("mixed(max-share=1)"));
        for ((mean, mixed), best) in means.iter().zip(&mixed).zip(&best) {
            assert_eq!((mean.visits, mixed.visits, best.visits), (5, 5, 5));
            let exact = value_of(&game, &start, best.mv);
            assert!((best.value - exact).abs() < 1e-9, "{best:?} {exact}");
            assert!((mixed.value - (0.25 * exact + 0.75 * mean.value)).abs() < 1e-9, "{mixed:?}");
        }
    }
}

/// A batch is several visits at once: the numbers of visits are multiples of it.
#[test]
fn a_batch_is_visited_as_one() {
    let game = TicTacToe;
    let (decision, spent) = decide("uct(playouts=full(batch=7))@playouts=700", &game, &game.start(), 1);
    assert_eq!(spent.playouts, 700);
    assert!(decision.moves.iter().all(|estimate| estimate.visits % 7 == 0 && estimate.visits > 0));
    let (plain, _) = decide("uct@playouts=700", &game, &game.start(), 1);
    assert!(plain.moves.iter().any(|estimate| estimate.visits % 7 != 0));
}

/// A node is expanded at its first visit after the threshold: until then every descent has one move.
#[test]
fn a_threshold_is_a_number_of_visits() {
    let game = RandomTree::new(Settings { branching: 2, depth: 10, ..Settings::default() }).unwrap();
    let start = game.start();
    let nodes = |threshold: u32, playouts: u32| {
        let spec = format!("uct(expansion=single(threshold={threshold}))@playouts={playouts}");
        decide(&spec, &game, &start, 1).1.nodes
    };
    for threshold in [1, 3, 8] {
        // Two moves, which take turns as long as they are worth the same to no one: in all cases one of them has more than
        // `threshold` visits after 2 · threshold + 1 playouts, and none before threshold + 1.
        let most = u64::from(threshold);
        assert_eq!(nodes(threshold, threshold), most);
        assert!(nodes(threshold, 2 * threshold + 1) > 2 * most + 1);
    }
}

/// All children of a node are played out as soon as it has them, one after the other: every move of the root once, then
/// every reply to the first move that is chosen again.
#[test]
fn all_children_are_played_out_at_once() {
    let settings = Settings { branching: 5, depth: 6, ..Settings::default() };
    let game = RandomTree::new(settings).unwrap();
    let start = game.start();
    let found = |children: &str, playouts: u32| {
        let (decision, spent) =
            decide(&format!("uct(expansion={children})@playouts={playouts}"), &game, &start, 1);
        (visits(&decision), spent.nodes)
    };
    // Five orders of one move; then one move, and five orders after it.
    assert_eq!(found("all", 10), (vec![6, 1, 1, 1, 1], 5 + 1 + 5));
    assert_ne!(found("single", 10).0, [6, 1, 1, 1, 1]);
}

/// A proof while children are played out ends their playouts.
#[test]
fn a_proof_ends_the_playouts_of_children() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions().into_iter().step_by(11) {
        let (decision, _) = decide("uct(solver=bounds,expansion=all)@playouts=100000", &game, &position, 2);
        assert_eq!(decision.stop, Stop::Proved);
        let best = game.moves(&position).map(|mv| value_of(&game, &position, mv)).fold(-1.0, f64::max);
        assert_eq!(value_of(&game, &position, decision.chosen), best);
    }
}

/// The three choices, from the same visits and values: most visits, largest value, largest value − 1/√visits.
#[test]
fn every_final_choice_matches_its_definition() {
    let mut differ = [0; 2];
    for tree in 0..60 {
        let game = planted(6, 8, tree);
        let start = game.start();
        let chosen = |choice: &str| {
            let spec = format!("uct(final-choice={choice},ties=first)@playouts=31");
            decide(&spec, &game, &start, 1).0
        };
        let facts = game.facts();
        let (low, high) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        let decisions = ["robust", "max", "secure"].map(chosen);
        let moves = &decisions[0].moves;
        assert!(decisions.iter().all(|decision| decision.moves == *moves));
        let share = |value: f64| (value - low) / (high - low);
        let rank = |rank: &dyn Fn(u64, f64) -> f64| {
            let ranks: Vec<f64> = moves.iter().map(|found| rank(found.visits, share(found.value))).collect();
            ranks.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        };
        let of = |decision: &Decision<_>| {
            let found = *moves.iter().find(|found| found.mv == decision.chosen).unwrap();
            (found.visits, share(found.value))
        };
        let (robust, max, secure) = (of(&decisions[0]), of(&decisions[1]), of(&decisions[2]));
        let bound = |visits: u64, value: f64| value - 1.0 / (visits as f64).sqrt();
        assert_eq!(robust.0 as f64, rank(&|visits, _| visits as f64));
        assert!((max.1 - rank(&|_, value| value)).abs() < 1e-12);
        assert!((bound(secure.0, secure.1) - rank(&bound)).abs() < 1e-12);
        differ[0] += usize::from(robust != max);
        differ[1] += usize::from(max != secure);
    }
    assert!(differ[0] > 0 && differ[1] > 0, "{differ:?}");
}

/// Without transpositions, a graph equals a tree, to the bit.
#[test]
fn without_transpositions_a_graph_is_a_tree() {
    for (tree, chance_every) in [(0, 0), (1, 0), (2, 3)] {
        let settings = Settings { branching: 3, depth: 12, tree, chance_every, ..Settings::default() };
        let game = RandomTree::new(settings).unwrap();
        for root in ["none", "halving"] {
            let spec = |memory: &str| format!("uct(memory={memory},root={root})@playouts=3000");
            let ask = |memory: &str| decide(&spec(memory), &game, &game.start(), 1);
            assert_eq!(ask("graph"), ask("tree"));
        }
    }
}

/// Most positions of tic-tac-toe are reached by several orders of moves. With one node per position the same is proved
/// with far fewer playouts, and the proof is correct.
#[test]
fn a_graph_proves_the_same_with_less() {
    let game = TicTacToe;
    let (mut by_tree, mut by_graph) = (0, 0);
    for position in tic_tac_toe_positions().into_iter().step_by(5) {
        let (_, spent) = decide("uct(solver=bounds)@playouts=100000", &game, &position, 2);
        by_tree += spent.playouts;
        let (decision, spent) =
            decide("uct(solver=bounds,memory=graph)@playouts=100000", &game, &position, 2);
        by_graph += spent.playouts;
        assert_eq!(decision.stop, Stop::Proved);
        let best = game.moves(&position).map(|mv| value_of(&game, &position, mv)).fold(-1.0, f64::max);
        assert_eq!(value_of(&game, &position, decision.chosen), best);
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - best).abs() < 1e-12);
    }
    assert!(3 * by_graph < 2 * by_tree, "{by_graph} {by_tree}");
}

/// Values converge to those of minimax in a graph as in a tree.
#[test]
fn values_in_a_graph_converge() {
    let game = TicTacToe;
    let position = game.follow("b2 a1").unwrap();
    let (decision, _) =
        decide("uct(memory=graph,selection=ucb1(exploration=0.5))@playouts=200000", &game, &position, 1);
    for estimate in &decision.moves {
        let exact = value_of(&game, &position, estimate.mv);
        let often = estimate.visits > 20_000;
        assert!(!often || (estimate.value - exact).abs() < 0.1, "{estimate:?} {exact}");
    }
    assert_eq!(value_of(&game, &position, decision.chosen), 0.0);
}

/// If only the root has children, or no node below it has more visits than the reference, the root's table is used for
/// all nodes. With a reference of 0 each node uses its own table, and other references are in between.
#[test]
fn grave_asks_the_nearest_ancestor_with_enough_visits() {
    let game = TicTacToe;
    let ask = |reference: u32, threshold: u32| {
        let spec = format!(
            "uct(selection=grave(reference={reference},bias=0.01),expansion=single(threshold={threshold}))\
             @playouts=2000"
        );
        decide(&spec, &game, &game.start(), 4)
    };
    assert_eq!(ask(0, 5000), ask(1_000_000, 5000));
    assert_eq!(ask(2000, 1), ask(1_000_000, 1));
    let searches = [0, 5, 50, 2000].map(|reference| ask(reference, 1));
    for (index, search) in searches.iter().enumerate() {
        assert!(searches[..index].iter().all(|other| other != search), "{index}");
    }
}

/// Many leaves at once, and several trees, make exactly the budgeted playouts, and all virtual losses are removed.
#[test]
fn many_leaves_and_trees_make_the_playouts_of_the_budget() {
    let game = TicTacToe;
    for parallel in
        ["tree(leaves=1)", "tree", "tree(leaves=1000)", "root(leaves=3)", "root(trees=2,threads=2,leaves=16)"]
    {
        for playouts in [2, 7, 5000] {
            let spec = format!("uct(parallel={parallel})@playouts={playouts}");
            let (decision, spent) = decide(&spec, &game, &game.start(), 1);
            assert_eq!(spent.playouts, playouts);
            assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), playouts);
            let facts = game.facts();
            let range = f64::from(facts.min_payoff)..=f64::from(facts.max_payoff);
            assert!(
                decision
                    .moves
                    .iter()
                    .filter(|found| found.visits > 0)
                    .all(|found| range.contains(&found.value))
            );
        }
    }
}

/// A search by many leaves at a time is repeatable, and by one leaf at a time it is plain UCT.
#[test]
fn many_leaves_are_repeatable() {
    let game = Othello::default();
    let position = game.start();
    let ask =
        |parallel: &str| decide(&format!("uct(parallel={parallel})@playouts=5000"), &game, &position, 7).0;
    let many = ask("tree(leaves=16)");
    assert_eq!(many, ask("tree(leaves=16)"));
    assert_ne!(many, ask("none"));
    assert_eq!(ask("tree(leaves=1)"), ask("none"));
}

/// No number of threads changes what several trees find, whatever is counted, also if a game of chance is searched.
#[test]
fn trees_are_the_same_on_any_number_of_threads() {
    fn check<G: NamedGame>(game: &G, position: &G::Position) {
        for (leaves, budget) in [
            (1, "playouts=2003"),
            (16, "playouts=2003"),
            (1, "playouts=3"),
            (1, "nodes=3000"),
            (16, "plies=20000"),
        ] {
            let ask = |threads: u32| {
                let spec = format!("uct(parallel=root(trees=5,threads={threads},leaves={leaves}))@{budget}");
                decide(&spec, game, position, 7)
            };
            let alone = ask(1);
            for threads in 2..=5 {
                assert_eq!(ask(threads), alone, "{threads} threads, {leaves} leaves, {budget}");
            }
        }
    }
    let (othello, cards) = (Othello::default(), Calculation::default());
    check(&othello, &othello.start());
    let mut dealt = cards.start();
    let (card, _) = cards.outcomes(&dealt).next().unwrap();
    cards.apply(&mut dealt, card);
    check(&cards, &dealt);
}

/// The same trial may be played with other numbers of threads.
#[test]
fn threads_are_no_part_of_a_trial() {
    let identity = |text: &str| searcher(text).text(Wording::Identity);
    let one = "uct(parallel=root(trees=8))@playouts=100";
    let three = "uct(parallel=root(trees=8,threads=3))@playouts=100";
    assert_eq!(identity(one), identity(three));
    assert_ne!(searcher(one).text(Wording::Name), searcher(three).text(Wording::Name));
    assert_eq!((searcher(one).threads(), searcher(three).threads()), (1, 3));
    assert_ne!(identity(one), identity("uct(parallel=root(trees=8,leaves=3))@playouts=100"));
}

/// Many leaves at a time find the same moves as one.
#[test]
fn many_leaves_converge() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions().into_iter().step_by(9) {
        let best = game.moves(&position).map(|mv| value_of(&game, &position, mv)).fold(-1.0, f64::max);
        let (decision, _) = decide("uct(parallel=tree(leaves=64))@playouts=20000", &game, &position, 1);
        assert_eq!(value_of(&game, &position, decision.chosen), best);
        let (decision, _) = decide("uct(parallel=tree,solver=bounds)@playouts=100000", &game, &position, 1);
        assert_eq!(decision.stop, Stop::Proved);
        assert_eq!(value_of(&game, &position, decision.chosen), best);
    }
    let position = game.start();
    assert_eq!(value(&game, &position, shikou::game::Player::FIRST), 0.0);
}

/// Every search with a budget that counts is repeatable.
#[test]
fn only_a_budget_of_time_makes_uct_unrepeatable() {
    let repeatable = |text: &str| searcher(text).is_repeatable();
    assert!(repeatable("uct@playouts=10") && repeatable("uct(parallel=root(threads=2))@playouts=10"));
    assert!(repeatable("uct(parallel=tree)@playouts=10") && !repeatable("uct@time=10ms"));
}

/// A searcher is composed of few options; the options of a part belong to the part.
#[test]
fn uct_has_few_options() {
    let registry = shikou::registry();
    let options = registry.searcher("uct").unwrap().options();
    assert!(options.len() <= 16, "{}", options.len());
    for senseless in
        ["uct(selection=tuned(bias=1))", "uct(first-play=published(worth=1))", "uct(solver=none(probe=2))"]
    {
        assert!(registry.read_searcher(senseless).is_err(), "{senseless}");
    }
}
