//! The pick within a lane: exactly the move that the draw picks, and all moves equally often.

use super::super::probe::Way;
use crate::game::nth_set_bit;
use crate::rng::PlayoutKey;

/// Masks of `count` moves: in a row from either end, spread out, and at random.
fn masks(count: u32) -> Vec<u64> {
    let low = (1_u64 << count) - 1;
    let mut spread = 0;
    for square in 0..count {
        spread |= 1_u64 << (square * 64 / count);
    }
    let mut masks = vec![low, low << (64 - count), spread];
    for index in 0..13 {
        let mut draws = PlayoutKey::new(u64::from(count)).playout(index);
        let mut mask = 0_u64;
        while mask.count_ones() < count {
            mask |= 1 << draws.below(64);
        }
        masks.push(mask);
    }
    masks
}

/// The first and the last draw of each pick, where rounding would show, and others between.
#[test]
fn each_draw_picks_its_move() {
    for way in Way::all() {
        for count in 1..=33_u32 {
            let masks = masks(count);
            for pick in 0..count {
                let first = (u64::from(pick) << 32).div_ceil(u64::from(count));
                let last = (u64::from(pick + 1) << 32).div_ceil(u64::from(count)) - 1;
                for draw in [first, last, first.midpoint(last)] {
                    let mut chosen = [0; 16];
                    way.choose(&masks, &[draw; 16], &mut chosen);
                    for (&mask, chosen) in masks.iter().zip(chosen) {
                        let square = nth_set_bit(mask, pick).unwrap();
                        assert_eq!(chosen, 1 << square, "{way:?}: draw {draw:#x} among {mask:#x}");
                    }
                }
            }
        }
        let mut chosen = [1; 8];
        way.choose(&[0; 8], &[0, 1, u64::from(u32::MAX), 0, 1, 2, 3, 4], &mut chosen);
        assert_eq!(chosen, [0; 8], "{way:?}: of no moves none is chosen");
    }
}

/// χ² of 100 000 picks for each number of moves from 1 to 33, on each path, over all masks. A correct program exceeds
/// the bound once in 10⁶ (Wilson and Hilferty, z = 4.9); the draws are fixed, so the test cannot flake. The bias of a
/// pick, at most 2⁻³² (relative to 1/33 less than 2⁻²⁶), is far below what any test could see.
#[test]
fn picks_in_lanes_are_uniform_for_every_number_of_moves() {
    for way in Way::all() {
        for count in 1..=33_u32 {
            let masks = masks(count);
            let mut counts = vec![0_u32; count as usize];
            for index in 0..6_250 {
                let mut draws = PlayoutKey::new(4).child(u64::from(count)).playout(index);
                let draws: [u64; 16] = std::array::from_fn(|_| draws.next_u32().into());
                let mut chosen = [0; 16];
                way.choose(&masks, &draws, &mut chosen);
                for (&mask, chosen) in masks.iter().zip(chosen) {
                    assert_eq!(chosen.count_ones(), 1);
                    counts[(mask & (chosen - 1)).count_ones() as usize] += 1;
                }
            }
            let (df, expected) = (f64::from(count - 1), 100_000.0 / f64::from(count));
            let chi: f64 = counts.iter().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum();
            let spread = 2.0 / (9.0 * df.max(1.0));
            let bound = df * (1.0 - spread + 4.9 * spread.sqrt()).powi(3);
            assert!(chi <= bound, "{way:?}: χ² of {count} moves is {chi:.1}, above {bound:.1}");
        }
    }
}
