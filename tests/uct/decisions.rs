//! Decisions to the bit: a change of the tree's data structure must not change them.

use std::fmt::Write;

use shikou::game::{NamedGame, Turn};
use shikou::games::calculation::Calculation;
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::rng::PlayoutKey;

use super::{VARIANTS, decide};

/// A checksum of two decisions at each of three positions: all visits, values and standard errors, and the move played.
fn checksum<G: NamedGame>(game: &G, variant: &str) -> u64 {
    let mut position = game.start();
    let mut draws = PlayoutKey::new(11).playout(0);
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 0..3 {
        for _ in 0..9 {
            let mv = match game.turn(&position) {
                Turn::Chance => game.random_outcome(&position, &mut draws),
                Turn::Player(_) => game.random_move(&position, &mut draws),
                Turn::Over => break,
            };
            game.apply(&mut position, mv);
        }
        while game.turn(&position) == Turn::Chance {
            let mv = game.random_outcome(&position, &mut draws);
            game.apply(&mut position, mv);
        }
        if game.turn(&position) == Turn::Over {
            continue;
        }
        for playouts in [37, 1500] {
            let (decision, spent) = decide(&format!("{variant}@playouts={playouts}"), game, &position, seed);
            let moves = decision.moves.iter().enumerate();
            let words = moves.flat_map(|(index, estimate)| {
                let chosen = if estimate.mv == decision.chosen { index as u64 } else { 0 };
                [estimate.visits, estimate.value.to_bits(), estimate.standard_error.to_bits(), chosen]
            });
            for word in words.chain([spent.nodes, spent.plies]) {
                // FNV-1a, a word at a time.
                sum = (sum ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
            }
        }
    }
    sum
}

#[test]
fn every_variant_decides_as_it_did() {
    let tree = Settings { branching: 3, depth: 40, chance_every: 3, ..Settings::default() };
    let tree = RandomTree::new(tree).unwrap();
    let mut found = String::new();
    for variant in VARIANTS {
        let othello = checksum(&Othello::default(), variant);
        let tree = checksum(&tree, variant);
        // A graph needs keys.
        let needs_keys = variant.contains("graph");
        let calculation = if needs_keys { 0 } else { checksum(&Calculation::default(), variant) };
        writeln!(found, "{variant}: {othello:016x} {calculation:016x} {tree:016x}").unwrap();
    }
    insta::assert_snapshot!(found);
}
