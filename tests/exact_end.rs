//! The exact end: as an option of every searcher, and on random trees with known values.

use std::sync::Arc;

use shikou::game::{Game, GameExt, Turn, Uniform};
use shikou::games::calculation::Calculation;
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::players::FitError;
use shikou::search::{ExactEnd, PolicyPlayer, Stop};

use crate::support::{ask, decide};

fn random_then_exact<G: Game>(turns: u32, positions: u64) -> ExactEnd<G> {
    ExactEnd::new(Box::new(PolicyPlayer::new(Arc::new(Uniform))), turns, positions)
}

#[test]
fn an_exact_end_finds_the_values_of_random_solitaires() {
    for number in 0..40 {
        for reward in [Reward::Success, Reward::Score] {
            let settings = Settings {
                branching: 3,
                depth: 7,
                chance_every: 2,
                tree: number,
                players: 1,
                reward,
                ..Settings::default()
            };
            let game = RandomTree::new(settings).unwrap();
            let mut position = game.start();
            while game.turn(&position) != Turn::Over {
                if let Turn::Player(_) = game.turn(&position) {
                    let (decision, _) = ask(&mut random_then_exact(9, 100_000), &game, &position, 1);
                    let best = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
                    assert!((best.value - game.expectimax(&position)).abs() < 1e-9, "{number} {best:?}");
                    for (mv, child) in game.children(&position) {
                        let bound = decision.moves.iter().find(|estimate| estimate.mv == mv).unwrap();
                        assert!(bound.value > game.expectimax(&child) - 1e-9, "{number} {bound:?}");
                    }
                }
                let next = game.children(&position).last().unwrap().1;
                position = next;
            }
        }
    }
}

/// With too many turns or too many positions ahead, the searcher decides as it does alone.
#[test]
fn the_searcher_decides_where_the_end_is_far_or_wide() {
    let game = Calculation::default();
    let text = "up 3 5 6 7 | piles TJ99A985A6 / 75Q5 / T786 / KJKT7KKA | stock 344J | hand Q";
    let position = game.parse_position(text).unwrap();
    let decide = |turns, positions| {
        let (decision, spent) = ask(&mut random_then_exact(turns, positions), &game, &position, 1);
        (decision, spent.nodes)
    };
    let (alone, _) = ask(&mut PolicyPlayer::new(Arc::new(Uniform)), &game, &position, 1);
    assert_eq!(decide(3, 1_000_000), (alone.clone(), 0));
    let (wide, looked) = decide(4, 1000);
    assert_eq!(wide, alone);
    assert!((1001..4000).contains(&looked), "{looked}");
    let (found, looked) = decide(4, 1_000_000);
    assert!(found.stop == Stop::Complete && found.moves.len() == 7 && looked > 1000, "{looked}");
    // The counts do not depend on what was searched before.
    assert_eq!(decide(4, looked), (found, looked));
    assert_eq!(decide(4, looked - 1).0, alone);
}

#[test]
fn every_searcher_may_end_exactly() {
    let game = Calculation::default().with_piles(3);
    let position = game.parse_position("up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 4T | hand 9").unwrap();
    for text in [
        "random",
        "flat(playouts=5)",
        "greedy",
        "uct@playouts=20",
        "expectimax(depth=2)",
        "nested-rollout(level=1)",
    ] {
        let with = match text.split_once(['(', '@']) {
            None => format!("{text}(end=exact(turns=2))"),
            Some((name, _)) if text.contains('@') => format!("{name}(end=exact(turns=2))@playouts=20"),
            Some(_) => text.replace(')', ",end=exact(turns=2))"),
        };
        let (decision, spent) = decide(&with, &game, &position, 1);
        let best = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert_eq!((best.value, spent.playouts), (1.0, 0), "{text}");
    }
}

#[test]
fn an_exact_end_is_for_solitaires_of_chance() {
    let registry = shikou::registry();
    let plain = registry.read_searcher("random(end=\"none\")").unwrap();
    assert_eq!(plain.to_string(), "random");
    let exact = registry.read_searcher("random(end=exact)").unwrap();
    assert_eq!(exact.to_string(), "random(end=\"exact\")");
    for (game, fits) in
        [("calculation", true), ("othello", false), ("tic-tac-toe", false), ("left-moves", false)]
    {
        let game = registry.game(game, &[]).unwrap();
        let found = game.fits(&exact);
        assert_eq!(found.is_ok(), fits);
        if let Err(FitError { reason, .. }) = found {
            assert!(reason.contains("solitaires of chance"), "{reason}");
        }
    }
}
