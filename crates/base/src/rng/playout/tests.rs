//! The generator compared with published words, and its picks with uniform ones.

use super::*;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// The published vector of `SplitMix64` for the seed 1234567.
#[test]
fn words_are_the_published_ones() {
    let expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ];
    for (j, &value) in expected.iter().enumerate() {
        assert_eq!(word(1234567, j as u64), value);
    }
}

#[test]
fn words_agree_with_an_independent_implementation() {
    for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
        let mut reference = SplitMix64::seed_from_u64(key);
        for j in 0..1000 {
            assert_eq!(word(key, j), reference.next_u64(), "key {key}, word {j}");
        }
    }
}

#[test]
fn draws_are_the_halves_of_words_high_first() {
    let playout = PlayoutKey::new(42).child(5);
    let mut draws = PlayoutKey::new(42).playout(5);
    for j in 0..50 {
        let word = word(playout.to_u64(), j);
        assert_eq!(draws.next_u32(), (word >> 32) as u32);
        assert_eq!(draws.next_u32(), word as u32);
    }
}

/// Frozen: a change here changes every committed result. Computed independently in Python.
#[test]
fn reference_vector_of_the_key_tree() {
    let mut draws = PlayoutKey::new(1).child(2).playout(3);
    let first: Vec<u32> = (0..4).map(|_| draws.next_u32()).collect();
    assert_eq!(first, [3283056247, 119773889, 816492378, 3343638041]);
}

/// Frozen; computed independently in Python: nine picks from one word, and picks between draws.
#[test]
fn reference_vector_of_shared_words() {
    let key = PlayoutKey::new(1).child(2);
    let mut draws = key.playout(3);
    let order: Vec<u32> = (1..=9).rev().map(|n| draws.digit(n)).collect();
    assert_eq!(order, [6, 7, 0, 1, 2, 2, 2, 0, 0]);
    let mut draws = key.playout(3);
    // 0 is a draw of 32 bits.
    let mut next = |n| if n == 0 { draws.next_u32() } else { draws.digit(n) };
    let mixed = [9, 8, 0, 1000, 0, 2000, 52, 11, u32::MAX, 1, 0, 1 << 20, 1, 2];
    assert_eq!(
        mixed.map(&mut next),
        [6, 7, 816492378, 36, 3343638041, 518, 23, 1, 1914621765, 0, 1019187041, 505169, 0, 0]
    );
    assert_eq!(draws.counter, key.playout(3).counter.wrapping_add(8_u64.wrapping_mul(GAMMA)));
}

/// The slow reference: all picks of a word at once, as one number below 9!, and its digits by division.
#[test]
fn picks_that_share_a_word_are_its_digits() {
    let key = PlayoutKey::new(4);
    for p in 0..10_000 {
        let mut number = ((u128::from(word(key.child(p).to_u64(), 0)) * 362_880) >> 64) as u32;
        let mut digits = [0; 9];
        for n in 1..=9 {
            digits[9 - n as usize] = number % n;
            number /= n;
        }
        let mut draws = key.playout(p);
        assert_eq!(std::array::from_fn(|ply| draws.digit(9 - ply as u32)), digits, "playout {p}");
    }
}

#[test]
fn a_word_is_shared_up_to_a_product_of_two_to_the_twentieth() {
    let words = |picks: &[u32]| {
        let mut draws = PlayoutKey::new(8).playout(0);
        let begin = draws.counter;
        for &n in picks {
            assert!(draws.digit(n) < n.max(1));
        }
        (0..10).find(|&words| begin.wrapping_add(GAMMA.wrapping_mul(words)) == draws.counter).unwrap()
    };
    assert_eq!(words(&[1]), 1);
    assert_eq!(words(&[1, 9, 8, 7, 6, 5, 4, 3, 2, 1]), 1);
    assert_eq!(words(&[1 << 10, 1 << 10, 1, 1]), 1);
    assert_eq!(words(&[1 << 10, 1 << 10, 2]), 2);
    assert_eq!(words(&[(1 << 20) + 1, 1, 1]), 2);
    assert_eq!(words(&[u32::MAX, u32::MAX, 2]), 3);
    assert_eq!(words(&[0, 1, 0, 1]), 4);
}

/// χ² of a table of counts against equal expectations.
fn chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum()
}

/// A bound that a χ² with `df` degrees of freedom exceeds less than once in 10⁶ (Wilson–Hilferty, z = 4.9).
fn bound(df: f64) -> f64 {
    df * (1.0 - 2.0 / (9.0 * df) + 4.9 * (2.0 / (9.0 * df)).sqrt()).powi(3)
}

#[test]
fn picks_are_uniform_for_every_number_of_moves() {
    for n in 2..=52_u32 {
        let mut counts = vec![0; n as usize];
        for p in 0..5_000 {
            let mut draws = PlayoutKey::new(u64::from(n)).playout(p);
            for _ in 0..60 {
                counts[draws.below(n) as usize] += 1;
            }
        }
        assert!(chi_square(&counts) < bound(f64::from(n - 1)), "n = {n}: {}", chi_square(&counts));
    }
}

/// The first pick of a word, picks after other picks, and the last pick before the word is used up.
#[test]
fn shared_picks_are_uniform_for_every_number_of_moves() {
    for n in 2..=52_u32 {
        let mut counts = vec![0; n as usize];
        let mut behind = vec![0; n as usize * 8];
        for p in 0..50_000 {
            let mut draws = PlayoutKey::new(u64::from(n)).playout(p);
            for _ in 0..6 {
                counts[draws.digit(n) as usize] += 1;
            }
            let mut draws = PlayoutKey::new(u64::from(n)).playout(p);
            let _ = draws.digit((1 << 20) / n / 8);
            let before = draws.digit(8);
            behind[(before * n + draws.digit(n)) as usize] += 1;
        }
        assert!(chi_square(&counts) < bound(f64::from(n - 1)), "n = {n}: {}", chi_square(&counts));
        assert!(chi_square(&behind) < bound(f64::from(8 * n - 1)), "n = {n}: {}", chi_square(&behind));
    }
}

/// All 5040 orders of seven things have the same probability, however they are distributed over words.
#[test]
fn orders_from_one_word_are_uniform() {
    let mut counts = vec![0; 5040];
    for p in 0..1_000_000 {
        let mut draws = PlayoutKey::new(70).playout(p);
        let order = (1..=7).rev().fold(0, |order, n| order * n + draws.digit(n));
        counts[order as usize] += 1;
    }
    assert!(chi_square(&counts) < bound(5039.0), "{}", chi_square(&counts));
}

/// Neighbouring plies, neighbouring playouts and neighbouring batches must be independent.
#[test]
fn neighbours_are_independent() {
    type Pair = fn(u64) -> (u32, u32);
    let pairs: [(&str, Pair); 6] = [
        ("picks of a word", |p| {
            let mut d = PlayoutKey::new(9).playout(p);
            (d.digit(16), d.digit(16))
        }),
        ("picks of two words", |p| {
            let mut d = PlayoutKey::new(9).playout(p);
            let first = d.digit(16);
            let _ = d.digit(1 << 16);
            (first, d.digit(16))
        }),
        ("plies", |p| {
            let mut d = PlayoutKey::new(9).playout(p);
            (d.below(16), d.below(16))
        }),
        ("plies in two words", |p| {
            let mut d = PlayoutKey::new(9).playout(p);
            let _ = d.next_u32();
            (d.below(16), d.below(16))
        }),
        ("playouts", |p| {
            let key = PlayoutKey::new(9);
            (key.playout(2 * p).below(16), key.playout(2 * p + 1).below(16))
        }),
        ("batches", |p| {
            let key = PlayoutKey::new(9);
            (key.child(2 * p).playout(0).below(16), key.child(2 * p + 1).playout(0).below(16))
        }),
    ];
    for (name, pair) in pairs {
        let mut counts = vec![0; 256];
        for p in 0..200_000 {
            let (a, b) = pair(p);
            counts[(a * 16 + b) as usize] += 1;
        }
        assert!(chi_square(&counts) < bound(255.0), "{name}: {}", chi_square(&counts));
    }
}

/// Every bit of a draw is set half the time, and flipping any bit of the key flips half of them.
#[test]
fn bits_are_balanced_and_keys_avalanche() {
    let n = 20_000_u32;
    let mut ones = [0_u32; 32];
    let mut flips = [0_u32; 64];
    for p in 0..u64::from(n) {
        let draw = PlayoutKey::new(0x4d).playout(p).next_u32();
        for (bit, count) in ones.iter_mut().enumerate() {
            *count += draw >> bit & 1;
        }
        for (bit, count) in flips.iter_mut().enumerate() {
            let other = PlayoutKey::new(0x4d ^ 1 << bit).playout(p).next_u32();
            *count += (draw ^ other).count_ones();
        }
    }
    // z = 5.6 for 96 looks: fails by chance once in about 5·10⁵ (keys are fixed: it cannot flake).
    let near = |count: u32, n: f64| (f64::from(count) - n / 2.0).abs() < 5.6 * (n / 4.0).sqrt();
    assert!(ones.iter().all(|&c| near(c, f64::from(n))), "{ones:?}");
    assert!(flips.iter().all(|&c| near(c, f64::from(n) * 32.0)), "{flips:?}");
}

/// The traits of `rand` take the same draws in the same order.
#[test]
fn the_traits_of_rand_take_draws() {
    let (mut ours, mut theirs) = (PlayoutKey::new(7).playout(3), PlayoutKey::new(7).playout(3));
    assert_eq!(rand::Rng::next_u32(&mut theirs), ours.next_u32());
    let (high, low) = (ours.next_u32(), ours.next_u32());
    assert_eq!(rand::Rng::next_u64(&mut theirs), u64::from(high) << 32 | u64::from(low));
    let mut bytes = [0; 6];
    rand::Rng::fill_bytes(&mut theirs, &mut bytes);
    assert_eq!(bytes[..4], ours.next_u32().to_le_bytes());
    assert_eq!(bytes[4..], ours.next_u32().to_le_bytes()[..2]);
}
