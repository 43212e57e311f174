//! Random trees: their values, known and searched, their options, and the laws.

use shikou::game::conformance::{Effort, assert_conforms, check_with};
use shikou::game::options::{OptionError, OptionValue, Options};
use shikou::game::{Batch, FinishedGames, Game, GameExt, NamedGame, Player, Turn, Uniform};
use shikou::game::{perft, run_playouts};
use shikou::games::random_tree::{Leaves, Position, RandomTree, Reward, Settings};
use shikou::rng::PlayoutKey;

const PATH_SUM: Settings = Settings {
    branching: 2,
    depth: 10,
    tree: 0,
    players: 2,
    leaves: Leaves::PathSum,
    reward: Reward::Score,
    chance_every: 0,
    value_range: 127,
};
const PLANTED: Settings = Settings { leaves: Leaves::Planted, ..PATH_SUM };

fn tree(settings: Settings) -> RandomTree {
    RandomTree::new(settings).unwrap()
}

fn with_options(given: &[(&'static str, OptionValue)]) -> Result<RandomTree, OptionError> {
    RandomTree::with_options(&Options::new(&RandomTree::options(), given.iter().cloned())?)
}

/// Calls `seen` for a node and all its descendants.
fn for_all(game: &RandomTree, node: &Position, seen: &mut impl FnMut(&Position)) {
    seen(node);
    for mv in game.legal(node) {
        for_all(game, &game.after(node, mv), seen);
    }
}

#[test]
fn trees_of_all_kinds_conform() {
    let base = Settings { depth: 7, branching: 3, ..PATH_SUM };
    for players in [1, 2] {
        for reward in [Reward::Success, Reward::Score] {
            for leaves in [Leaves::PathSum, Leaves::Planted] {
                assert_conforms(&tree(Settings { players, reward, leaves, ..base }));
            }
            for chance_every in [1, 2, 3, 7, 8] {
                assert_conforms(&tree(Settings { players, reward, chance_every, ..base }));
            }
        }
    }
    assert_conforms(&RandomTree::default());
    for extreme in [
        Settings { depth: 0, ..PATH_SUM },
        Settings { branching: 1, depth: 1, ..PLANTED },
        Settings { value_range: 1, branching: 40, ..PLANTED },
        Settings { depth: 1000, value_range: 32_767, reward: Reward::Success, ..PATH_SUM },
    ] {
        assert_conforms(&tree(extreme));
    }
}

#[test]
fn huge_trees_are_played_without_being_built() {
    let huge = Settings { branching: 100_000, depth: 1000, ..PLANTED };
    let effort = Effort { games: 2, positions: 6, playouts: 7, spots: 2, ..Effort::default() };
    let report = check_with(&tree(huge), effort);
    assert!(report.is_ok(), "{report}");
    assert!((-127..=127).contains(&tree(huge).value().unwrap()));
}

#[test]
fn a_tree_has_as_many_leaves_as_it_should() {
    for (branching, depth) in [(1, 9), (2, 10), (3, 7), (10, 5)] {
        for chance_every in [0, 2] {
            let game = tree(Settings { branching, depth, chance_every, ..PATH_SUM });
            let leaves = perft(&game, &game.start(), depth, FinishedGames::Skip);
            assert_eq!(leaves, u64::from(branching).pow(depth));
            assert_eq!(perft(&game, &game.start(), depth + 1, FinishedGames::Count), leaves);
        }
    }
}

#[test]
fn planted_values_are_the_values_under_best_play_at_every_node() {
    let mut nodes = 0;
    for seed in 0..30 {
        for (branching, depth) in [(1, 3), (2, 7), (3, 4), (7, 3)] {
            for players in [1, 2] {
                for (reward, value_range) in
                    [(Reward::Success, 127), (Reward::Score, 127), (Reward::Score, 3)]
                {
                    let game = tree(Settings {
                        tree: seed,
                        branching,
                        depth,
                        players,
                        reward,
                        value_range,
                        ..PLANTED
                    });
                    for_all(&game, &game.start(), &mut |node| {
                        nodes += 1;
                        assert_eq!(game.value_of(node), Some(game.minimax(node)), "{game:?} {node:?}");
                    });
                }
            }
        }
    }
    assert_eq!(nodes, 30 * 2 * 3 * (4 + 255 + 121 + 400));
}

/// Over many trees, every value that may be planted is planted at some root.
#[test]
fn planted_values_are_spread() {
    let values = |settings: Settings| {
        let mut values: Vec<i32> =
            (0..300).map(|seed| tree(Settings { tree: seed, ..settings }).value().unwrap()).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    assert_eq!(values(Settings { value_range: 4, ..PLANTED }), (-4..=4).collect::<Vec<_>>());
    assert_eq!(values(Settings { reward: Reward::Success, ..PLANTED }), [-1, 0, 1]);
    assert_eq!(values(Settings { reward: Reward::Success, players: 1, ..PLANTED }), [0, 1]);
}

/// Frozen; computed independently, in Python.
#[test]
fn reference_values_of_path_sums() {
    let success = Settings { reward: Reward::Success, ..PATH_SUM };
    let minimax = [
        (7, PATH_SUM),
        (59, Settings { tree: 1, branching: 3, depth: 7, ..PATH_SUM }),
        (-2, Settings { tree: 2, branching: 8, depth: 4, value_range: 9, ..PATH_SUM }),
        (308, Settings { tree: 3, depth: 8, players: 1, ..PATH_SUM }),
        (-1, Settings { tree: 4, depth: 12, ..success }),
        (1, Settings { tree: 5, branching: 5, depth: 5, ..success }),
    ];
    for (value, settings) in minimax {
        let game = tree(settings);
        assert_eq!(game.minimax(&game.start()), value, "{settings:?}");
        let expectimax = game.expectimax(&game.start());
        assert!((expectimax - f64::from(value)).abs() < 1e-9, "{settings:?}: {expectimax}");
        assert_eq!(game.value(), None);
    }
    let expectimax = [
        (-3_201_257.0 / 48_510.0, Settings { tree: 6, depth: 9, chance_every: 3, ..PATH_SUM }),
        (231_987_997.0 / 6_466_460.0, {
            Settings {
                tree: 7,
                branching: 3,
                depth: 6,
                players: 1,
                chance_every: 2,
                value_range: 20,
                ..PATH_SUM
            }
        }),
    ];
    for (value, settings) in expectimax {
        let game = tree(settings);
        let found: f64 = game.expectimax(&game.start());
        assert!((found - value).abs() < 1e-9, "{settings:?}: {found} against {value}");
    }
}

/// Frozen; computed independently, in Python.
#[test]
fn reference_values_of_planted_trees() {
    let walk = |settings: Settings| {
        let game = tree(settings);
        let mut node = game.start();
        let mut values = vec![game.value_of(&node).unwrap()];
        while game.turn(&node) != Turn::Over {
            let mv = (7 * node.level() + 3) % settings.branching;
            game.apply(&mut node, mv);
            values.push(game.value_of(&node).unwrap());
        }
        values
    };
    let two = walk(Settings { branching: 5, depth: 12, ..PLANTED });
    assert_eq!(two, [-101, -110, -110, -122, -58, -110, -65, -65, 21, -36, -36, -52, -18]);
    let one = Settings { tree: 9, branching: 1_000_000, depth: 5, players: 1, value_range: 1000, ..PLANTED };
    assert_eq!(walk(one), [-980, -985, -994, -999, -999, -1000]);
}

#[test]
fn levels_belong_to_the_players_in_turn_and_to_chance() {
    let turns = |settings: Settings| {
        let game = tree(settings);
        let mut node = game.start();
        let mut turns = String::new();
        loop {
            turns.push(match game.turn(&node) {
                Turn::Player(player) => ['1', '2'][player.index()],
                Turn::Chance => 'c',
                Turn::Over => return turns,
            });
            game.apply(&mut node, 0);
        }
    };
    assert_eq!(turns(Settings { depth: 5, ..PATH_SUM }), "12121");
    assert_eq!(turns(Settings { depth: 3, players: 1, ..PATH_SUM }), "111");
    assert_eq!(turns(Settings { depth: 7, chance_every: 2, ..PATH_SUM }), "1c2c1c2");
    assert_eq!(turns(Settings { depth: 8, chance_every: 3, ..PATH_SUM }), "12c12c12");
}

#[test]
fn the_same_tree_is_cut_at_another_depth() {
    let (short, long) = (tree(Settings { depth: 4, ..PATH_SUM }), tree(Settings { depth: 9, ..PATH_SUM }));
    assert_eq!(short.follow("0 1 1 0").unwrap(), long.follow("0 1 1 0").unwrap());
    assert_ne!(short.start(), tree(Settings { tree: 1, ..PATH_SUM }).start());
}

/// A playout's sum is the sum of independent uniform numbers: for ten levels, five in 0..=127 and five in
/// −127..=0, mean 0 and variance 10 · (128² − 1) / 12. The mean is over one tree's leaves, of which there are
/// few with two moves; with many it comes near.
#[test]
fn path_sums_are_spread_as_stated() {
    let game = tree(Settings { branching: 1000, ..PATH_SUM });
    let batch = Batch::new(PlayoutKey::new(8), 100_000);
    let tally = run_playouts(&game, &Uniform, &game.start(), Player::FIRST, batch);
    let variance: f64 = 10.0 * (128.0 * 128.0 - 1.0) / 12.0;
    // The first move is one of 1000 with a mean off by about 37 / √1000; the rest averages out.
    assert!(tally.mean().abs() < 4.9 * (variance / 1e5 + 2.0 * 1365.0 / 1000.0).sqrt(), "{}", tally.mean());
    assert!((tally.variance() / variance - 1.0).abs() < 0.05, "{}", tally.variance());
}

#[test]
fn evaluations_are_the_sum_so_far_or_the_truth() {
    let game = tree(PATH_SUM);
    let node = game.follow("1 0 1").unwrap();
    let named = game.entries().evaluations;
    assert_eq!(named[0].name, "sum");
    let sum = named[0].evaluation.evaluate(&game, &node, Player::FIRST);
    assert!(game.drawing(&node).contains(&format!("sum {sum}\nplayer 2 to move")), "{}", game.drawing(&node));
    let game = tree(PLANTED);
    let truth = game.entries().evaluations[0].evaluation.evaluate(&game, &game.start(), Player::SECOND);
    assert_eq!(truth, -i64::from(game.value().unwrap()));
}

#[test]
fn options_are_the_settings() {
    assert_eq!(*with_options(&[]).unwrap().settings(), Settings::default());
    let all: [(&str, OptionValue); 7] = [
        ("branching", 3.into()),
        ("depth", 4.into()),
        ("tree", 5.into()),
        ("players", 1.into()),
        ("leaves", "planted".into()),
        ("reward", "score".into()),
        ("value-range", 6.into()),
    ];
    let expected = Settings { branching: 3, depth: 4, tree: 5, players: 1, value_range: 6, ..PLANTED };
    assert_eq!(*with_options(&all).unwrap().settings(), expected);
    assert_eq!(with_options(&[("chance-every", 3.into())]).unwrap().settings().chance_every, 3);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let message = |given: &[(&'static str, OptionValue)]| with_options(given).unwrap_err().to_string();
    assert_eq!(
        message(&[("leaves", "planted".into()), ("chance-every", 3.into())]),
        "`chance-every` needs path-sum leaves: planted values do not support chance"
    );
    assert_eq!(
        message(&[("reward", "score".into()), ("depth", 1000.into()), ("value-range", 200.into())]),
        "path sums go up to 100000, but payoffs only to 65535: lower `depth` or `value-range`, or pay success"
    );
    assert_eq!(
        RandomTree::new(Settings { branching: 0, ..PATH_SUM }).unwrap_err().to_string(),
        "`branching` is 0, but takes a whole number from 1 to 1000000"
    );
}
