//! Every path plays the games of the plain loop, one by one.

mod boards;
mod choice;

use super::work::{FromOne, Lanes, Work};
use super::{Othello, Path, Position, play};
use crate::game::{
    Batch, Game, GameExt, Player, PolicyExt, SearchHints, Tally, Turn, Uniform, plain_best_estimate,
    play_out, run_playouts,
};
use crate::othello::hints::rank;
use crate::rng::PlayoutKey;
use crate::testing::{lane_paths, random_game};

/// The tally of uniform playouts on a path.
fn on(game: &Othello, path: Path, from: &Position, player: Player, batch: Batch) -> Tally {
    Uniform.playouts_on(path, game, from, player, batch).expect("Othello has every path")
}

/// Playouts from many positions, one from each, and their results: own discs, the other's, plies.
struct Recorded<'a> {
    positions: &'a [Position],
    key: PlayoutKey,
    taken: usize,
    ends: Vec<(u64, u64, u32)>,
}

impl Work for Recorded<'_> {
    type Ticket = (usize, usize);

    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> (usize, usize) {
        *lanes = Lanes::EMPTY;
        let first = self.taken;
        let count = N.min(self.positions.len() - first);
        for lane in 0..count {
            lanes.mine[lane] = self.positions[first + lane].mine;
            lanes.theirs[lane] = self.positions[first + lane].theirs;
            lanes.counters[lane] = self.key.counter((first + lane) as u64);
        }
        self.taken += count;
        (first, count)
    }

    fn is_done(&self) -> bool {
        self.taken == self.positions.len()
    }

    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, (first, count): (usize, usize)) {
        for lane in 0..count {
            self.ends[first + lane] = (lanes.mine[lane], lanes.theirs[lane], lanes.plies[lane] as u32);
        }
    }
}

/// Every position along random games, finished ones too: about 61 a game on 8×8.
pub(super) fn positions_of_games(game: &Othello, games: u64) -> Vec<Position> {
    (0..games).flat_map(|index| random_game(game, PlayoutKey::new(77).playout(index))).collect()
}

/// Batches and single games, few enough for Miri.
#[test]
fn a_few_playouts_are_the_same_on_every_path() {
    for (size, stride) in [(4, 4), (8, 20)] {
        let game = Othello::new(size).with_reward_score();
        for from in positions_of_games(&game, 1).iter().step_by(stride) {
            for count in [1, 5] {
                let batch = Batch::new(PlayoutKey::new(u64::from(size)), count);
                let expected = run_playouts(&game, &Uniform, from, Player::SECOND, batch);
                for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
                    assert_eq!(on(&game, path, from, Player::SECOND, batch), expected, "{path} {from:?}");
                }
            }
        }
    }
}

/// The same discs at the end after equally many plies, from every position of many games: more than 10⁵ playouts per
/// path.
#[test]
fn each_playout_ends_as_in_the_plain_loop() {
    for (size, games) in [(8, 2_000), (6, 500), (4, 500)] {
        let game = Othello::new(size);
        let positions = positions_of_games(&game, games);
        assert!(size < 8 || positions.len() > 100_000);
        let key = PlayoutKey::new(u64::from(size));
        let expected: Vec<_> = (0..)
            .zip(&positions)
            .map(|(index, from)| {
                let mut end = *from;
                let plies = play_out(&game, &Uniform, &mut end, &mut key.playout(index));
                (end.discs(from.to_move), end.discs(from.to_move.other()), plies)
            })
            .collect();
        for path in lane_paths() {
            let mut work =
                Recorded { positions: &positions, key, taken: 0, ends: vec![(0, 0, 0); positions.len()] };
            play(path, game.playable(), &mut work);
            for ((from, end), expected) in positions.iter().zip(&work.ends).zip(&expected) {
                assert_eq!(end, expected, "{path}, {size}×{size}, from {from:?}");
            }
        }
    }
}

/// Lanes make all moves of a position as the rules do, in the same order, also on positions with more moves than lanes.
#[test]
fn children_are_those_that_are_made() {
    let mut most = 0;
    for (size, games) in [(8, 300), (6, 200), (4, 200)] {
        let game = Othello::new(size);
        for position in positions_of_games(&game, games) {
            if game.turn(&position) == Turn::Over {
                continue;
            }
            let mut shown = Vec::new();
            game.hints().each_child(&game, &position, &mut |mv, child, hint| shown.push((mv, child, hint)));
            let expected: Vec<_> =
                game.children(&position).map(|(mv, child)| (mv, child, rank(&game, mv, &child))).collect();
            most = most.max(shown.len());
            assert_eq!(shown, expected, "{position:?}");
        }
    }
    assert!(most > 16, "{most}");
}

/// The estimates of the best replies in lanes are those of moves made one by one, also at passes and ends, for any number of
/// positions at once.
#[test]
fn estimates_are_those_of_the_moves_that_are_made() {
    for (size, games) in [(8, 100), (6, 100), (4, 100)] {
        let game = Othello::new(size);
        let mut open: Vec<_> = positions_of_games(&game, games).into_iter().collect();
        open.retain(|position| game.turn(position) != Turn::Over);
        let mut count = 1;
        let mut rest = &open[..];
        while !rest.is_empty() {
            let (positions, others) = rest.split_at(count.min(rest.len()));
            let mut shown = Vec::new();
            let each = positions.iter().copied();
            game.hints().best_estimates(&game, each, &mut |estimate| shown.push(Some(estimate)));
            let expected: Vec<_> = positions.iter().map(|at| plain_best_estimate(&game, at)).collect();
            assert_eq!(shown, expected, "{positions:?}");
            (rest, count) = (others, count % 7 + 1);
        }
    }
}

/// One game after the other: the same sums, game by game, from every position.
#[test]
fn single_games_are_those_of_the_plain_loop() {
    for (size, games) in [(8, 500), (6, 200), (4, 200)] {
        let game = Othello::new(size).with_reward_score();
        for (index, from) in (0..).zip(&positions_of_games(&game, games)) {
            let batch = Batch { key: PlayoutKey::new(6), first: index, count: 1 };
            let expected = on(&game, Path::Portable, from, Player::FIRST, batch);
            for path in lane_paths() {
                assert_eq!(on(&game, path, from, Player::FIRST, batch), expected, "{path} {from:?}");
            }
        }
    }
}

/// Batches of every size, with any first playout, for both players and all payoffs, also from finished games.
#[test]
fn tallies_are_the_same_on_every_path() {
    let plain = Othello::default();
    let games = [
        plain,
        plain.with_reward_score(),
        plain.with_reward_score().with_empties_to_winner(),
        Othello::new(6).with_reward_score(),
        Othello::new(4),
    ];
    for game in games {
        let positions = positions_of_games(&game, 3);
        for (index, from) in positions.iter().enumerate() {
            let player = [Player::FIRST, Player::SECOND][index % 2];
            let count = [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 100][index % 12];
            let batch = Batch { key: PlayoutKey::new(5), first: [0, 12, 1 << 40][index % 3], count };
            let expected = on(&game, Path::Portable, from, player, batch);
            assert_eq!(Uniform.playouts(&game, from, player, batch), expected);
            for path in lane_paths() {
                assert_eq!(on(&game, path, from, player, batch), expected, "{path} {game:?} {from:?}");
            }
        }
        for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
            let none = Batch::new(PlayoutKey::new(1), 0);
            assert_eq!(on(&game, path, &game.start(), Player::FIRST, none), Tally::default());
        }
    }
}

/// A batch that also counts its games by outcome.
struct Counted<'g> {
    batch: FromOne<'g>,
    won: u64,
    lost: u64,
    passes: u64,
}

impl Work for Counted<'_> {
    type Ticket = usize;

    fn take<const N: usize>(&mut self, lanes: &mut Lanes<N>) -> usize {
        self.batch.take(lanes)
    }

    fn is_done(&self) -> bool {
        self.batch.is_done()
    }

    fn give<const N: usize>(&mut self, lanes: &Lanes<N>, count: usize) {
        for lane in 0..count {
            let [mine, theirs] = [lanes.mine[lane], lanes.theirs[lane]].map(u64::count_ones);
            self.won += u64::from(mine > theirs);
            self.lost += u64::from(mine < theirs);
            // The game starts with four discs, and every ply but a pass adds one.
            self.passes += lanes.plies[lane] + 4 - u64::from(mine + theirs);
        }
        self.batch.give(lanes, count);
    }
}

/// The statistics of uniformly random Othello in 10⁸ playouts agree, within 5 standard errors, with those of other
/// programs in 3·10⁶ games (60.41 plies with .447 passes; .4540 won by the first player, .5043 by the second, ± .0006),
/// and with the first 10⁶ of these playouts on the portable path.
#[test]
#[ignore = "long: 10⁸ playouts on each path with lanes, about a minute"]
fn a_hundred_million_playouts_have_the_statistics_of_the_game() {
    const N: f64 = 1e8;
    let game = Othello::default();
    let batch = |count| Batch::new(PlayoutKey::new(100), count);
    let sample = on(&game, Path::Portable, &game.start(), Player::FIRST, batch(1_000_000));
    for path in lane_paths() {
        assert_eq!(on(&game, path, &game.start(), Player::FIRST, batch(1_000_000)), sample, "{path}");
        let batch = FromOne::new(&game, &game.start(), Player::FIRST, batch(100_000_000));
        let mut work = Counted { batch, won: 0, lost: 0, passes: 0 };
        play(path, game.playable(), &mut work);
        let all = work.batch.tally();
        assert_eq!((all.playouts, all.sum), (100_000_000, work.won as i64 - work.lost as i64));
        // The standard deviation is 2 for lengths and 1 for payoffs; the sample has 10⁶ games.
        assert!((all.plies as f64 / N - sample.plies as f64 / 1e6).abs() < 5.0 * 2.0 / 1e3, "{all:?}");
        assert!((all.mean() - sample.mean()).abs() < 5.0 / 1e3, "{all:?}");
        let near = |count: u64, expected: f64, by: f64| {
            let found = count as f64 / N;
            assert!((found - expected).abs() < by, "{path}: {found}, not {expected}");
        };
        near(all.plies, 60.41, 0.01);
        near(work.passes, 0.447, 0.001);
        near(work.won, 0.4540, 0.0006);
        near(work.lost, 0.5043, 0.0006);
        near(all.playouts - work.won - work.lost, 0.0417, 0.0003);
    }
}
