//! Playouts on a GPU, one game per thread.

use super::super::{Calculation, FoundationRule, Position};
use super::{LanePolicy, fit_lanes};
use crate::device::{DeviceError, Kernel, Launch, Sums};
use crate::game::{PlayoutRequest, Tally};

/// The fewest playouts of a call that a GPU plays; fewer are played by the processor. With as many, an H200 was as fast as a
/// core of its host (6.5 million playouts a second).
pub(super) const FEWEST: u64 = 500;

static KERNEL: Kernel = Kernel::new(include_str!("gpu.cu"));

/// Plays the batches that lanes can play on the GPU: for each such request, in its place, the tally of the plain loop.
pub(super) fn play_batches(
    game: &Calculation,
    policy: LanePolicy,
    requests: &[PlayoutRequest<Position>],
    tallies: &mut [Tally],
) -> Result<(), DeviceError> {
    record(game, requests, &KERNEL.play(&launch(game, policy, requests))?, tallies);
    Ok(())
}

fn fitting<'r>(
    game: &Calculation,
    requests: &'r [PlayoutRequest<Position>],
) -> impl Iterator<Item = (usize, &'r PlayoutRequest<Position>)> {
    requests.iter().enumerate().filter(|(_, request)| fit_lanes(game, &request.from))
}

fn launch(game: &Calculation, policy: LanePolicy, requests: &[PlayoutRequest<Position>]) -> Launch {
    let is_automatic = game.foundation == FoundationRule::Automatic;
    let policy = match policy {
        LanePolicy::Uniform => 0,
        LanePolicy::FoundationFirst => 1,
        LanePolicy::WasteFirst => 2,
    };
    let mut rules = vec![game.piles.into(), game.merge_empty.into(), is_automatic.into(), policy];
    rules.extend(game.payoffs.map(|payoff| payoff as u64));
    let mut launch = Launch::new(&rules);
    for (_, PlayoutRequest { from, batch, .. }) in fitting(game, requests) {
        launch.push(batch.key.to_u64(), batch.first, batch.count, &from.words());
    }
    launch
}

fn record(game: &Calculation, requests: &[PlayoutRequest<Position>], sums: &[Sums], tallies: &mut [Tally]) {
    for ((index, request), &sums) in fitting(game, requests).zip(sums) {
        tallies[index] = Tally::of_sums(request.batch.count, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Deck, FoundationFirst, Layout, Reward, WasteFirst};
    use super::super::tests::positions_of_game;
    use super::*;
    use crate::game::{Batch, Game, GameExt, Path, Player, Policy, PolicyExt, Uniform, run_playouts};
    use crate::rng::PlayoutKey;
    use crate::testing::check_kernel;

    fn games() -> Vec<Calculation> {
        let mut games = Vec::new();
        for piles in 1..=8 {
            for rule in [FoundationRule::Optional, FoundationRule::Automatic] {
                for merge in [false, true] {
                    let game = Calculation::default().with_piles(piles).with_foundation_rule(rule);
                    let reward =
                        [Reward::Success, Reward::Score, Reward::Mixture(0.3)][usize::from(piles) % 3];
                    let layout = [Layout::Dealt, Layout::Empty][usize::from(piles / 2) % 2];
                    games.push(game.with_merged_empty_piles(merge).with_reward(reward).with_layout(layout));
                }
            }
        }
        let small = Deck::all().map(|deck| Calculation::default().with_deck(deck).with_piles(2));
        games.extend(small.map(|game| game.with_reward(Reward::Score)));
        games
    }

    /// Every third position of a game, requests of many sizes.
    fn requests(game: &Calculation, index: u64) -> Vec<PlayoutRequest<Position>> {
        let positions = positions_of_game(game, index).into_iter().step_by(3).zip(0..);
        let request = |(from, place): (Position, usize)| {
            let batch = Batch {
                key: PlayoutKey::new(index).child(place as u64),
                first: [0, 12, 1 << 40][place % 3],
                count: [40, 0, 3, 31, 32, 33][place % 6],
            };
            PlayoutRequest { from, player: Player::FIRST, batch }
        };
        positions.map(request).collect()
    }

    /// All launches of the games above: one function plays a launch, and each tally must be that of the plain loop.
    fn assert_alike(play: impl Fn(&Launch) -> Vec<Sums>) {
        for (index, game) in (0..).zip(&games()) {
            let requests = requests(game, index);
            let play = |policy| play(&launch(game, policy, &requests));
            assert_tallies(game, &Uniform, &requests, &play(LanePolicy::Uniform));
            assert_tallies(game, &FoundationFirst, &requests, &play(LanePolicy::FoundationFirst));
            assert_tallies(game, &WasteFirst, &requests, &play(LanePolicy::WasteFirst));
        }
    }

    fn assert_tallies(
        game: &Calculation,
        policy: &impl Policy<Calculation>,
        requests: &[PlayoutRequest<Position>],
        sums: &[Sums],
    ) {
        let mut tallies = vec![Tally::default(); requests.len()];
        record(game, requests, sums, &mut tallies);
        for (request, tally) in requests.iter().zip(&tallies) {
            let PlayoutRequest { from, player, batch } = request;
            let expected = if fit_lanes(game, from) {
                run_playouts(game, policy, from, *player, *batch)
            } else {
                Tally::default()
            };
            assert_eq!(*tally, expected, "{game:?} {request:?}");
        }
    }

    /// The kernel against the plain loop, and on a GPU 10⁷ playouts in one launch.
    #[test]
    fn the_kernel_plays_the_games_of_the_plain_loop() {
        if !check_kernel(&KERNEL, "Calculation", &|play| assert_alike(play)) {
            return;
        }
        let game = Calculation::default().with_reward(Reward::Score);
        let batch = Batch::new(PlayoutKey::new(2026), 10_000_000);
        let on = |path| FoundationFirst.playouts_on(path, &game, &game.start(), Player::FIRST, batch);
        assert_eq!(on(Path::Cuda), on(Path::best()));
    }

    /// Positions that the automatic rule would change before the first turn are left to the plain loop.
    #[test]
    fn what_does_not_fit_is_not_launched() {
        let game = Calculation::default().with_foundation_rule(FoundationRule::Automatic);
        let from = Calculation::default().follow("9 p1 6").unwrap();
        assert!(!fit_lanes(&game, &from));
        let request =
            PlayoutRequest { from, player: Player::FIRST, batch: Batch::new(PlayoutKey::new(1), 5) };
        assert!(launch(&game, LanePolicy::Uniform, &[request]).is_empty());
    }
}
