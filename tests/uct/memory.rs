//! Budgets exact to the playout, the memory limit, and trees kept between moves.

use std::sync::Arc;

use shikou::game::{Game, Uniform};
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::players::build;
use shikou::rng::PlayoutKey;
use shikou::search::{
    Branch, Branches, Budget, Limits, Meter, MoveStream, Searcher, TreeExtent, Uct, UctSettings,
};

use crate::support::searcher;

use super::{VARIANTS, decide};

#[test]
fn budgets_are_kept_to_the_playout_and_the_node() {
    let game = Othello::default();
    let start = game.start();
    for variant in VARIANTS {
        for playouts in [1, 2, 3, 50, 997] {
            let (decision, spent) = decide(&format!("{variant}@playouts={playouts}"), &game, &start, 3);
            assert_eq!(spent.playouts, playouts, "{variant}");
            assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), playouts);
        }
        // Some rules divide a budget of playouts.
        if variant.contains("root=halving") || variant.contains("root=gumbel") {
            continue;
        }
        let (_, spent) = decide(&format!("{variant}@nodes=500"), &game, &start, 3);
        assert_eq!(spent.nodes, 500, "{variant}");
        let (_, spent) = decide(&format!("{variant}@plies=5000"), &game, &start, 3);
        assert!((5000..5000 + 4 * 128).contains(&spent.plies), "{variant}: {}", spent.plies);
    }
}

/// Too little memory for the children of the root is an error.
#[test]
fn a_search_without_room_for_children_says_so() {
    let game = Othello::default();
    let mut refused = 0;
    for memory_bytes in (0..60).map(|step| step * 64) {
        let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
        let limits = Limits { memory_bytes, time: None };
        let mut meter = Meter::new(limits).with_budget(Budget::playouts(50));
        let stream = MoveStream::new(PlayoutKey::new(1));
        let found = uct.choose(&game, &game.start(), stream, &mut meter);
        if let Err(error) = found {
            assert!(error.to_string().contains("memory"), "{memory_bytes}: {error}");
            refused += 1;
        }
    }
    assert!((1..60).contains(&refused), "{refused}");
}

/// A kept tree has the actual next position, with its visits.
#[test]
fn a_kept_tree_starts_at_the_new_position() {
    let game = Othello::default();
    let mut position = game.start();
    let spec = searcher("uct(memory=tree(keep=true))@playouts=2000");
    let mut uct = build(&game, &spec).unwrap().machine();
    let mut visits = Vec::new();
    for ply in 0..3 {
        let mut meter = Meter::new(Limits::default()).with_budget(spec.budget);
        let stream = MoveStream::new(PlayoutKey::new(ply));
        let decision = uct.choose(&game, &position, stream, &mut meter).unwrap();
        visits.push(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>());
        game.apply(&mut position, decision.chosen);
        let reply = game.moves(&position).next().unwrap();
        game.apply(&mut position, reply);
    }
    assert_eq!(visits[0], 2000);
    assert!(visits[1] > 2000 && visits[2] > 2000, "{visits:?}");
}

/// Recycled nodes may change the values, but never the memory held.
fn held_to(megabytes: u64, playouts: u64) {
    let settings = Settings { branching: 8, depth: 30, ..Settings::default() };
    let game = RandomTree::new(settings).unwrap();
    for spec in ["uct", "uct(solver=bounds)", "uct(memory=tree(keep=true))"] {
        let spec = searcher(spec);
        let mut uct = build(&game, &spec.with_budget(Budget::playouts(playouts))).unwrap().machine();
        let mut meter = Meter::new(Limits { memory_bytes: megabytes << 20, ..Limits::default() })
            .with_budget(Budget::playouts(playouts));
        let decision =
            uct.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
        assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), playouts);
        assert!(meter.memory_left() < megabytes << 19, "it took less than half of what it may");
    }
}

#[test]
fn memory_is_capped() {
    held_to(1, 100_000);
}

/// The number of nodes with children.
fn expanded<M>(branches: &Branches<M>) -> usize {
    let of = |branch: &Branch<M>| expanded(&branch.below);
    usize::from(!branches.shown.is_empty()) + branches.shown.iter().map(of).sum::<usize>()
}

/// A tree never has more nodes with children than its option says, and goes on searching.
#[test]
fn nodes_are_capped() {
    let game = Othello::default();
    for options in ["", ",recycle=recent", ",recycle=recent,keep=true"] {
        for selection in ["ucb1", "grave"] {
            let spec = format!("uct(memory=tree(nodes=100{options}),selection={selection})@playouts=3000");
            let spec = searcher(&spec);
            let mut uct = build(&game, &spec).unwrap().machine();
            let mut meter = Meter::new(Limits::default()).with_budget(spec.budget);
            let stream = MoveStream::new(PlayoutKey::new(1));
            let decision = uct.choose(&game, &game.start(), stream, &mut meter).unwrap();
            assert_eq!(meter.spent().playouts, 3000);
            let all = TreeExtent { plies: 60, children: usize::MAX };
            let expanded = expanded(&uct.tree(&game, &game.start(), &decision, all).unwrap());
            assert!((20..=100).contains(&expanded), "{options}: {expanded}");
        }
    }
}

#[test]
#[ignore = "long: 10⁷ iterations"]
fn memory_is_capped_for_ten_million_iterations() {
    held_to(64, 10_000_000);
}

#[test]
fn a_cap_too_small_for_the_moves_of_the_root_is_a_fault() {
    let game = RandomTree::new(Settings { branching: 50_000, depth: 2, ..Settings::default() }).unwrap();
    let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
    let mut meter =
        Meter::new(Limits { memory_bytes: 100_000, ..Limits::default() }).with_budget(Budget::playouts(10));
    let fault =
        uct.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap_err();
    assert!(fault.to_string().starts_with("memory cap"), "{fault}");
}
