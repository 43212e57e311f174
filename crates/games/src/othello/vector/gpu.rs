//! Uniform playouts on a GPU, one game per thread.

use super::super::{Empties, Othello, Position, Reward};
use crate::device::{DeviceError, Kernel, Launch, Sums};
use crate::game::{PlayoutRequest, Tally};

/// The fewest playouts of a call that a GPU plays; fewer are played by the processor. With as many, an H200 was as fast as a
/// core of its host (4.3 million playouts a second).
pub(super) const FEWEST: u64 = 220;

static KERNEL: Kernel = Kernel::new(include_str!("gpu.cu"));

/// Plays batches on the GPU: for each request, in its place, the tally of the plain loop.
pub(super) fn play_batches(
    game: &Othello,
    requests: &[PlayoutRequest<Position>],
    tallies: &mut [Tally],
) -> Result<(), DeviceError> {
    record(requests, &KERNEL.play(&launch(game, requests))?, tallies);
    Ok(())
}

fn launch(game: &Othello, requests: &[PlayoutRequest<Position>]) -> Launch {
    let is_score = game.reward() == Reward::Score;
    let is_winners = game.empties() == Empties::Winner;
    let mut launch = Launch::new(&[game.playable(), is_score.into(), is_winners.into()]);
    for PlayoutRequest { from, player, batch } in requests {
        let position = [from.mine, from.theirs, (*player == from.to_move).into()];
        launch.push(batch.key.to_u64(), batch.first, batch.count, &position);
    }
    launch
}

fn record(requests: &[PlayoutRequest<Position>], sums: &[Sums], tallies: &mut [Tally]) {
    for ((request, &sums), tally) in requests.iter().zip(sums).zip(tallies) {
        *tally = Tally::of_sums(request.batch.count, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::positions_of_games;
    use super::*;
    use crate::game::{Batch, Game, Path, Player, PolicyExt, Uniform, run_playouts};
    use crate::rng::PlayoutKey;
    use crate::testing::check_kernel;

    fn games() -> [Othello; 6] {
        let plain = Othello::default();
        [
            plain,
            plain.with_reward_score(),
            plain.with_reward_score().with_empties_to_winner(),
            plain.with_empties_to_winner(),
            Othello::new(6).with_reward_score(),
            Othello::new(4),
        ]
    }

    /// Every position of some games, requests of many sizes.
    fn requests(game: &Othello) -> Vec<PlayoutRequest<Position>> {
        let positions = (0..).zip(positions_of_games(game, 6));
        let request = |(index, from): (usize, _)| PlayoutRequest {
            from,
            player: [Player::FIRST, Player::SECOND][index % 2],
            batch: Batch {
                key: PlayoutKey::new(index as u64 / 3),
                first: [0, 12, 1 << 40, u64::MAX - 5][index % 4],
                count: [1, 0, 2, 31, 32, 33, 7, 100][index % 8],
            },
        };
        positions.map(request).collect()
    }

    fn assert_like_the_plain_loop(game: &Othello, requests: &[PlayoutRequest<Position>], tallies: &[Tally]) {
        for (request, tally) in requests.iter().zip(tallies) {
            let PlayoutRequest { from, player, batch } = request;
            // The plain loop counts to the number after the last playout, which must not overflow.
            if batch.first.checked_add(batch.count).is_some() {
                let expected = run_playouts(game, &Uniform, from, *player, *batch);
                assert_eq!(*tally, expected, "{game:?} {request:?}");
            }
        }
    }

    /// The kernel against the plain loop, all boards and payoffs, and on a GPU 10⁷ playouts in one launch.
    #[test]
    fn the_kernel_plays_the_games_of_the_plain_loop() {
        let has_gpu = check_kernel(&KERNEL, "Othello", &|play| {
            for game in games() {
                let requests = requests(&game);
                let mut tallies = vec![Tally::default(); requests.len()];
                record(&requests, &play(&launch(&game, &requests)), &mut tallies);
                assert_like_the_plain_loop(&game, &requests, &tallies);
            }
        });
        if !has_gpu {
            return;
        }
        let game = Othello::default().with_reward_score();
        let batch = Batch::new(PlayoutKey::new(2026), 10_000_000);
        let on = |path| Uniform.playouts_on(path, &game, &game.start(), Player::FIRST, batch);
        assert_eq!(on(Path::Cuda), on(Path::best()));
    }
}
