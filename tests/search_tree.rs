//! The search trees that searchers show after a decision.

use shikou::players::DecisionView;
use shikou::rng::PlayoutKey;
use shikou::search::{Branch, Branches, Limits, MoveStream, NoTree, TreeExtent};

use crate::cli::snapshot;
use crate::support::searcher;

const WHOLE: TreeExtent = TreeExtent { plies: 60, children: usize::MAX };

/// The decision of a searcher in a position, and its tree.
fn decided(
    game: &str,
    options: &[&str],
    text: &str,
    position: &str,
    extent: TreeExtent,
) -> (DecisionView, Result<Branches<String>, NoTree>) {
    let options: Vec<String> = options.iter().map(|&option| option.into()).collect();
    let game = shikou::registry().game(game, &options).unwrap();
    let mut table =
        game.table(&[Some(searcher(text)), Some(searcher(text))][..game.facts().players.into()]).unwrap();
    if !position.is_empty() {
        table.begin_at(position).unwrap();
    }
    table.decide(MoveStream::new(PlayoutKey::new(7)), Limits::default()).unwrap();
    (table.last_decision().unwrap().1, table.last_tree(extent))
}

/// Calls a function for each node, with its depth.
fn each(tree: &Branches<String>, depth: usize, see: &mut impl FnMut(usize, &Branch<String>)) {
    for branch in &tree.shown {
        see(depth, branch);
        each(&branch.below, depth + 1, see);
    }
}

/// The children of the root are the estimates of the decision. Every playout that passes a child passed its parent, and
/// with mean values the value of a node is the mean of its children's and of the playouts that began at it, whose payoffs
/// are between -1 and 1.
#[test]
fn visits_and_values_add_up() {
    for text in ["uct@2000", "uct(selection=tuned,expansion=all)@2000", "open-loop-uct@2000"] {
        let (view, tree) = decided("tic-tac-toe", &[], text, "b2", WHOLE);
        let tree = tree.unwrap();
        assert_eq!((tree.shown.len(), tree.omitted), (8, 0), "{text}");
        let first_visits: u64 = tree.shown.iter().map(|branch| branch.visits).sum();
        assert!((1999..=2000).contains(&first_visits), "{text}: {first_visits}");
        for branch in &tree.shown {
            let estimate = view.moves.iter().find(|estimate| estimate.mv == branch.mv).unwrap();
            assert_eq!((estimate.visits, Some(estimate.value)), (branch.visits, branch.value), "{text}");
        }
        let mut deepest = 0;
        each(&tree, 1, &mut |depth, branch| {
            deepest = deepest.max(depth);
            assert_eq!(branch.value.is_some(), branch.visits > 0);
            let sorted = branch.below.shown.windows(2).all(|pair| pair[0].visits >= pair[1].visits);
            assert!(sorted, "{text}: {branch:?}");
            if branch.below.shown.is_empty() {
                return;
            }
            let visits: u64 = branch.below.shown.iter().map(|child| child.visits).sum();
            assert!(visits <= branch.visits, "{text}: {branch:?}");
            let of = |branch: &Branch<String>| branch.value.map_or(0.0, |value| value * branch.visits as f64);
            let below: f64 = branch.below.shown.iter().map(of).sum();
            let own = (branch.visits - visits) as f64;
            assert!((of(branch) - below).abs() <= own + 1e-6, "{text}: {} of {branch:?}", of(branch) - below);
        });
        assert!(deepest > 4, "{text}: {deepest}");
    }
}

/// The shown and the omitted children of a node have the same visits together as all of them.
#[test]
fn omitted_children_are_counted() {
    let all = decided("tic-tac-toe", &[], "uct@2000", "", WHOLE).1.unwrap();
    let some = decided("tic-tac-toe", &[], "uct@2000", "", TreeExtent { plies: 2, children: 3 }).1.unwrap();
    let visits = |tree: &Branches<String>| tree.shown.iter().map(|branch| branch.visits).sum::<u64>();
    assert_eq!((some.shown.len(), some.omitted), (3, 6));
    assert_eq!(visits(&some) + some.omitted_visits, visits(&all));
    for (few, many) in some.shown.iter().zip(&all.shown) {
        assert_eq!(
            (&few.mv, few.below.shown.len(), few.below.omitted),
            (&many.mv, 3, many.below.shown.len() - 3)
        );
        assert_eq!(visits(&few.below) + few.below.omitted_visits, visits(&many.below));
        assert!(few.below.shown.iter().all(|branch| branch.below.shown.is_empty()));
    }
}

/// O has lost in this position: every proved value below the root is that loss, and proofs are marked.
#[test]
fn values_are_of_the_player_at_the_root_and_proofs_are_marked() {
    for text in ["uct(solver=bounds)@5000", "unbounded-minimax@nodes=5000"] {
        let tree = decided("tic-tac-toe", &[], text, "xo--x---- o", WHOLE).1.unwrap();
        let proved = tree.shown.iter().filter(|branch| branch.is_proved);
        assert!(proved.clone().count() > 0, "{text}");
        assert!(proved.clone().all(|branch| branch.value == Some(-1.0)), "{text}: {tree:?}");
    }
}

/// A tree with chance has nodes of chance, whose children are its outcomes; one without them ends before.
#[test]
fn trees_of_games_of_chance() {
    for (text, goes_on) in [("uct@300", true), ("open-loop-uct@300", false)] {
        let (_, tree) = decided("calculation", &[], text, "7", WHOLE);
        let deepest = {
            let mut deepest = 0;
            each(&tree.unwrap(), 1, &mut |depth, _| deepest = deepest.max(depth));
            deepest
        };
        assert_eq!(deepest > 1, goes_on, "{text}: {deepest}");
    }
}

#[test]
fn searchers_without_a_tree_say_why() {
    for (text, reason) in [
        ("flat(playouts-per-move=5)", NoTree::OneMove),
        ("flat-ucb@50", NoTree::OneMove),
        ("greedy", NoTree::OneMove),
        ("minimax(depth=2)", NoTree::EveryLine),
        ("simple-tree(level=1,playouts=2)", NoTree::EveryLine),
        ("alpha-beta(depth=2)", NoTree::Bounds),
        ("uct(parallel=root)@50", NoTree::Several),
        ("random", NoTree::Unsearched),
    ] {
        let (_, tree) = decided("othello", &["size=6"], text, "", WHOLE);
        assert_eq!(tree, Err(reason), "{text}");
    }
    let (_, tree) = decided("left-moves", &[], "nested(level=1)", "", WHOLE);
    assert_eq!(tree, Err(NoTree::Line));
    let (_, tree) = decided("tic-tac-toe", &[], "uct@50", "xoxoxoox- x", WHOLE);
    assert_eq!(tree, Err(NoTree::Unsearched), "only one move is legal");
}

snapshot!(
    analyze_with_a_tree,
    ["analyze", "tic-tac-toe", "b2", "--search", "uct@2000", "--tree", "2", "--width", "80"]
);
snapshot!(
    analyze_with_a_proved_tree,
    [
        "analyze",
        "tic-tac-toe",
        "xo--x---- o",
        "--search",
        "uct(solver=bounds)@3000",
        "--tree",
        "3",
        "--children",
        "2",
        "--width",
        "80"
    ]
);
snapshot!(
    analyze_with_a_tree_as_json,
    ["analyze", "tic-tac-toe", "xoxoxo--- x", "--search", "uct@20", "--tree", "1", "--json"]
);
snapshot!(
    analyze_without_a_tree,
    ["analyze", "tic-tac-toe", "--search", "flat(playouts-per-move=5)", "--tree", "2"]
);
snapshot!(
    analyze_several_trees,
    ["analyze", "tic-tac-toe", "--search", "uct(parallel=root)@80", "--tree", "2"]
);
snapshot!(analyze_children_of_no_tree, ["analyze", "tic-tac-toe", "--search", "uct@80", "--children", "2"]);
