//! Every path plays the games of the plain loop, one by one.

use super::start::Tables;
use super::work::Work;
use super::{Calculation, LanePolicy, Position, play, play_batches_on};
use crate::calculation::{Deck, FoundationFirst, FoundationRule, Layout, Reward, WasteFirst};
use crate::game::{
    Batch, Batches, Game, Path, Player, PlayoutRequest, Policy, PolicyExt, Tally, Uniform, play_out,
    run_playouts,
};
use crate::rng::PlayoutKey;
use crate::testing::{lane_paths, random_game};

const POLICIES: [LanePolicy; 3] = [LanePolicy::Uniform, LanePolicy::FoundationFirst, LanePolicy::WasteFirst];

/// The cards up and the plies of one playout in the plain loop.
fn plain(game: &Calculation, policy: LanePolicy, from: &Position, key: PlayoutKey, number: u64) -> (u8, u32) {
    let (mut end, mut draws) = (*from, key.playout(number));
    let plies = match policy {
        LanePolicy::Uniform => play_out(game, &Uniform, &mut end, &mut draws),
        LanePolicy::FoundationFirst => play_out(game, &FoundationFirst, &mut end, &mut draws),
        LanePolicy::WasteFirst => play_out(game, &WasteFirst, &mut end, &mut draws),
    };
    (end.cards_up(), plies)
}

/// Compares each playout of a batch on every path with the plain loop.
fn assert_alike(game: &Calculation, policy: LanePolicy, from: &Position, batch: Batch) {
    assert_many_alike(game, policy, &[request(from, batch)]);
}

fn request(from: &Position, batch: Batch) -> PlayoutRequest<Position> {
    PlayoutRequest { from: *from, player: Player::FIRST, batch }
}

/// Compares the playouts of each request on every path with those of the plain loop.
fn assert_many_alike(game: &Calculation, policy: LanePolicy, requests: &[PlayoutRequest<Position>]) {
    let ends = |PlayoutRequest { from, batch, .. }: &PlayoutRequest<Position>| {
        let numbers = batch.first..batch.first + batch.count;
        let mut ends: Vec<_> = numbers.map(|number| plain(game, policy, from, batch.key, number)).collect();
        ends.sort_unstable();
        ends
    };
    let expected: Vec<Vec<_>> = requests.iter().map(ends).collect();
    for path in lane_paths() {
        let mut found = vec![Vec::new(); requests.len()];
        play(path, &Tables::new(game, policy), &mut Work::new(game, requests), |request, up, plies| {
            found[request].push((up, u32::from(plies)));
        });
        for ((mut found, expected), request) in found.into_iter().zip(&expected).zip(requests) {
            // Playouts end in a different order than they begin.
            found.sort_unstable();
            assert_eq!(found, *expected, "{path}, {policy:?}, {game:?}, {request:?}");
        }
    }
}

/// Every position along a random game, finished ones too.
pub(super) fn positions_of_game(game: &Calculation, index: u64) -> Vec<Position> {
    random_game(game, PlayoutKey::new(77).playout(index))
}

/// The usual game under each policy, and more games than one group holds.
#[test]
fn each_playout_of_the_usual_game_ends_as_in_the_plain_loop() {
    let game = Calculation::default();
    for policy in POLICIES {
        assert_alike(
            &game,
            policy,
            &game.start(),
            Batch { key: PlayoutKey::new(3), first: 12, count: 20_000 },
        );
    }
}

/// All combinations of piles, layout, going up, and merged empty piles, from the start and from positions of games.
#[test]
fn each_playout_ends_as_in_the_plain_loop_under_all_options() {
    let mut key = 0;
    for piles in 1..=8 {
        for layout in [Layout::Dealt, Layout::Empty] {
            for rule in [FoundationRule::Optional, FoundationRule::Automatic] {
                for merge in [false, true] {
                    let game = Calculation::default()
                        .with_piles(piles)
                        .with_layout(layout)
                        .with_foundation_rule(rule)
                        .with_merged_empty_piles(merge);
                    for policy in POLICIES {
                        key += 1;
                        let batch = |count| Batch { key: PlayoutKey::new(key), first: 1 << 40, count };
                        assert_alike(&game, policy, &game.start(), batch(700));
                        for from in positions_of_game(&game, key).into_iter().step_by(5) {
                            assert_alike(&game, policy, &from, batch(20));
                        }
                    }
                }
            }
        }
    }
}

/// Every deck, with two piles and with five.
#[test]
fn each_playout_ends_as_in_the_plain_loop_with_every_deck() {
    for (index, deck) in (0..).zip(Deck::all()) {
        for piles in [2, 5] {
            for layout in [Layout::Dealt, Layout::Empty] {
                let game = Calculation::default().with_deck(deck).with_piles(piles).with_layout(layout);
                for policy in POLICIES {
                    let batch = Batch::new(PlayoutKey::new(index), 150);
                    assert_alike(&game, policy, &game.start(), batch);
                    for from in positions_of_game(&game, index).into_iter().step_by(9) {
                        assert_alike(&game, policy, &from, Batch { count: 9, ..batch });
                    }
                }
            }
        }
    }
}

/// Nearly all cards on one pile, in the first bank of piles and in the second.
#[test]
fn piles_may_be_as_high_as_the_pack() {
    let game = Calculation::default().with_piles(5).with_layout(Layout::Empty);
    let cards = "KKKKQQQQJJJJTTTT9999888877776666555544443333222A";
    for high in 0..5 {
        let mut piles = ["-"; 5];
        piles[high] = cards;
        let text = format!("up 0 0 0 0 | piles {} | stock AAA2 | hand -", piles.join(" / "));
        let from = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for policy in POLICIES {
            assert_alike(&game, policy, &from, Batch::new(PlayoutKey::new(8), 300));
        }
    }
}

/// Requests of all sizes, some empty, from positions of many games at once. So lanes of one group begin in different
/// positions, and a request may be split between the groups.
#[test]
fn each_playout_of_many_positions_ends_as_in_the_plain_loop() {
    let variants = [
        Calculation::default(),
        Calculation::default().with_piles(7).with_layout(Layout::Empty),
        Calculation::default().with_piles(3).with_foundation_rule(FoundationRule::Automatic),
        Calculation::default().with_piles(5).with_merged_empty_piles(true),
        Calculation::default().with_deck(Deck::all().next().expect("there is a deck")).with_piles(2),
    ];
    for (index, game) in (0..).zip(&variants) {
        let positions: Vec<_> = (0..12).flat_map(|number| positions_of_game(game, number)).collect();
        for policy in POLICIES {
            for (sizes, key) in [&[1][..], &[0, 1, 2, 3, 0, 0, 5], &[20], &[200, 0, 7]].into_iter().zip(0..) {
                let batch = |place: usize| Batch {
                    key: PlayoutKey::new(index).child(key).child(place as u64),
                    first: [0, 12, 1 << 40][place % 3],
                    count: sizes[place % sizes.len()],
                };
                // Not in the order of a game, so that neighbours differ.
                let from = |place: usize| &positions[place * 101 % positions.len()];
                let requests: Vec<_> = (0..300).map(|place| request(from(place), batch(place))).collect();
                assert_many_alike(game, policy, &requests);
            }
        }
    }
}

/// Through the public methods, with every number of requests from none to more than a group holds. Each request has the
/// tally that it has alone, whatever its tally held before, even if its position does not fit lanes.
#[test]
fn tallies_of_many_are_those_of_each_alone() {
    let optional = Calculation::default();
    let automatic = optional.clone().with_foundation_rule(FoundationRule::Automatic);
    let positions = positions_of_game(&optional, 6);
    assert!(positions.iter().any(|from| !super::fit_lanes(&automatic, from)));
    for (index, from) in positions.iter().enumerate() {
        let game = [&optional, &automatic][index % 2];
        let requests: Vec<_> = (0..[0, 1, 2, 3, 11, 12, 13, 64, 65, 150][index % 10])
            .map(|place| {
                let from = if place % 3 == 0 { from } else { &positions[place % positions.len()] };
                request(from, Batch::new(PlayoutKey::new(place as u64), place as u64 % 4))
            })
            .collect();
        assert_policy_alike_on_many(game, &Uniform, LanePolicy::Uniform, &requests);
        assert_policy_alike_on_many(game, &FoundationFirst, LanePolicy::FoundationFirst, &requests);
        assert_policy_alike_on_many(game, &WasteFirst, LanePolicy::WasteFirst, &requests);
    }
}

fn assert_policy_alike_on_many(
    game: &Calculation,
    policy: &impl Policy<Calculation>,
    in_lanes: LanePolicy,
    requests: &[PlayoutRequest<Position>],
) {
    let alone = |request: &PlayoutRequest<_>| {
        run_playouts(game, policy, &request.from, request.player, request.batch)
    };
    let expected: Vec<Tally> = requests.iter().map(alone).collect();
    let mut tallies = vec![Tally { playouts: 7, ..Tally::default() }; requests.len()];
    policy.playouts_of_many(game, requests, &mut tallies);
    assert_eq!(tallies, expected);
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        tallies.fill(Tally { sum: 9, ..Tally::default() });
        play_batches_on(path, game, in_lanes, Batches::new(requests, &mut tallies));
        assert_eq!(tallies, expected, "{path}");
    }
}

/// Batches of every size, all rewards, through the public methods.
#[test]
fn tallies_are_the_same_on_every_path() {
    let rewards = [Reward::Success, Reward::Score, Reward::Mixture(0.3)];
    for (index, from) in positions_of_game(&Calculation::default(), 5).iter().enumerate() {
        let game = Calculation::default().with_reward(rewards[index % 3]);
        let count = [0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300][index % 15];
        let batch = Batch { key: PlayoutKey::new(5), first: [0, 12, 1 << 40][index % 3], count };
        assert_policy_alike(&game, &Uniform, from, batch);
        assert_policy_alike(&game, &FoundationFirst, from, batch);
        assert_policy_alike(&game, &WasteFirst, from, batch);
    }
}

fn assert_policy_alike(game: &Calculation, policy: &impl Policy<Calculation>, from: &Position, batch: Batch) {
    let expected = run_playouts(game, policy, from, Player::FIRST, batch);
    assert_eq!(policy.playouts(game, from, Player::FIRST, batch), expected);
    for path in Path::ALL {
        let tally = policy.playouts_on(path, game, from, Player::FIRST, batch);
        assert_eq!(tally, path.is_available().then_some(expected), "{path} {from:?}");
    }
}

/// The known success rate of foundation-first games, and the plain loop's mean and length within 5 standard errors of its
/// 10⁶.
#[test]
#[ignore = "long: 10⁸ playouts on each path with lanes, a minute or two"]
fn a_hundred_million_playouts_have_the_statistics_of_the_game() {
    let success = Calculation::default();
    let score = Calculation::default().with_reward(Reward::Score);
    let run = |path, game, first, count| {
        let batch = Batch { key: PlayoutKey::new(100), first, count };
        FoundationFirst.playouts_on(path, game, &success.start(), Player::FIRST, batch).unwrap()
    };
    let sample = run(Path::Portable, &score, 0, 1_000_000);
    for path in lane_paths() {
        assert_eq!(run(path, &score, 0, 1_000_000), sample, "{path}");
        let all = run(path, &score, 0, 50_000_000);
        assert!((all.mean() - sample.mean()).abs() < 5.0 * sample.variance().sqrt() / 1e3, "{all:?}");
        assert!((all.mean() - 27.46).abs() < 0.01, "{all:?}");
        // The standard deviation of the lengths is below 6.
        let plies = |tally: Tally| tally.plies as f64 / tally.playouts as f64;
        assert!((plies(all) - plies(sample)).abs() < 5.0 * 6.0 / 1e3, "{all:?}");
        let won = run(path, &success, 50_000_000, 50_000_000);
        assert!((won.mean() - 0.00176).abs() < 3e-5, "{won:?}");
    }
}
