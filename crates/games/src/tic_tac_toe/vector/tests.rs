//! Every path plays the games of the plain loop, one by one.

use super::super::orders::Orders;
use super::super::{Position, TicTacToe};
use super::{Path, play};
use crate::game::{Batch, Game, GameExt, Player, PolicyExt, Tally, Turn, Uniform, play_out, run_playouts};
use crate::rng::PlayoutKey;

/// The paths that this processor has.
fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|&path| path != Path::Cuda && path.is_available())
}

/// All 5 478 reachable positions.
fn reachable() -> Vec<Position> {
    let mut found = vec![TicTacToe.start()];
    let mut seen = std::collections::BTreeSet::new();
    let mut next = 0;
    while let Some(position) = found.get(next).copied() {
        next += 1;
        let new = |child: &Position| seen.insert(TicTacToe.key(child));
        found.extend(TicTacToe.children(&position).map(|(_, child)| child).filter(new));
    }
    found
}

/// Payoff and plies of one playout, by the plain loop.
fn plain(from: Position, player: Player, key: PlayoutKey, index: u64) -> (i64, u64) {
    let mut position = from;
    let plies = play_out(&TicTacToe, &Uniform, &mut position, &mut key.playout(index));
    (TicTacToe.payoff(&position, player).into(), plies.into())
}

/// From every position, playout by playout: a batch and the batch shorter by one differ in the playout of the last
/// lane. So each lane of each register is compared with the plain loop.
#[test]
fn each_playout_ends_as_in_the_plain_loop() {
    let positions = reachable();
    assert_eq!(positions.len(), 5_478);
    let mut depths = [0; 10];
    for (number, from) in (0..).zip(&positions) {
        let key = PlayoutKey::new(40).child(number);
        let player = Player::new((number % 2) as u8);
        let Some(orders) = Orders::of(*from, player) else {
            assert_eq!(TicTacToe.turn(from), Turn::Over);
            continue;
        };
        depths[usize::from(9 - from.free)] += 1;
        let first = number << 20;
        for path in paths() {
            let mut before = Tally::default();
            for count in 1..=70 {
                let tally = play(path, &orders, Batch { key, first, count });
                let one = (tally.sum - before.sum, tally.plies - before.plies);
                let expected = plain(*from, player, key, first + count - 1);
                assert_eq!(one, expected, "{path}, playout {count} from {from:?}");
                assert_eq!(tally.sum_squares - before.sum_squares, expected.0.unsigned_abs());
                assert_eq!(tally.playouts, count);
                before = tally;
            }
        }
    }
    assert_eq!(depths, [1, 9, 72, 252, 756, 1140, 1372, 696, 222, 0]);
}

/// From the start, where every order is its own entry of the table: 400 000 playouts, one by one.
#[test]
fn each_playout_from_the_start_ends_as_in_the_plain_loop() {
    let start = TicTacToe.start();
    let orders = Orders::of(start, Player::FIRST).unwrap();
    let key = PlayoutKey::new(41);
    for path in paths() {
        for first in (0..400_000).step_by(100) {
            let batch = Batch { key, first, count: 100 };
            let expected = run_playouts(&TicTacToe, &Uniform, &start, Player::FIRST, batch);
            assert_eq!(play(path, &orders, batch), expected, "{path}, from {first}");
        }
    }
}

/// Batches of every size with any first playout, for both players, also from finished games; long enough for several
/// sums.
#[test]
fn tallies_are_the_same_on_every_path() {
    let positions = reachable();
    let counts = [0, 1, 2, 23, 24, 31, 32, 33, 64, 100, 399, 400, 401, 6_400, 6_401, 12_799, 12_801, 40_000];
    for (number, &count) in counts.iter().cycle().take(300).enumerate() {
        let from = &positions[number * 7919 % positions.len()];
        let player = [Player::FIRST, Player::SECOND][number % 2];
        let batch = Batch { key: PlayoutKey::new(5), first: [0, 12, 1 << 40][number % 3], count };
        let expected = run_playouts(&TicTacToe, &Uniform, from, player, batch);
        assert_eq!(Uniform.playouts(&TicTacToe, from, player, batch), expected);
        for path in paths() {
            assert_eq!(
                Uniform.playouts_on(path, &TicTacToe, from, player, batch),
                Some(expected),
                "{path} {from:?}"
            );
        }
    }
}

/// The exact frequencies of random play, 737/1260 won by the first player, 121/420 by the second and 8/63 drawn, and the
/// exact mean length, 3203/420: within 5 standard errors of 10⁸ playouts, which fails by chance once in 4·10⁵
/// (the key is fixed: it cannot flake).
#[test]
fn a_hundred_million_playouts_have_the_exact_statistics() {
    const N: u64 = 100_000_000;
    let start = TicTacToe.start();
    for path in paths() {
        let tally = Uniform
            .playouts_on(path, &TicTacToe, &start, Player::FIRST, Batch::new(PlayoutKey::new(100), N))
            .unwrap();
        assert_eq!(tally.playouts, N);
        let squares = tally.sum_squares as i64;
        let lost = (squares - tally.sum) / 2;
        let won = squares - lost;
        for (count, share) in
            [(won, 737.0 / 1260.0), (lost, 121.0 / 420.0), (N as i64 - won - lost, 8.0 / 63.0)]
        {
            let n = N as f64;
            let error = (n * share * (1.0 - share)).sqrt();
            assert!((count as f64 - n * share).abs() < 5.0 * error, "{path}: {count} for {}", n * share);
        }
        // The standard deviation of the length is below 1.4.
        assert!((tally.plies as f64 / N as f64 - 3203.0 / 420.0).abs() < 5.0 * 1.4e-4, "{path}: {tally:?}");
    }
}
