//! Calculation: the required speed-up is 2.5 for foundation-first playouts. The baseline takes about 33 cycles per ply.

use shikou::game::{Batch, Game, Path, Player, Policy, PolicyExt, Tally, Uniform, accelerate};
use shikou::games::calculation::{Calculation, FoundationFirst, Reward};
use shikou::rng::PlayoutKey;

use crate::by_hand::{CalculationByHand, Choice};
use crate::table::Table;

/// Playouts of the baseline in a round.
const YARDSTICK: u64 = 4_000;

/// Prints the rows.
pub(crate) fn rows(rounds: u64) {
    rows_of("foundation-first", &FoundationFirst, Choice::FoundationFirst, rounds);
    rows_of("uniform", &Uniform, Choice::Uniform, rounds);
}

fn rows_of(name: &str, policy: &impl Policy<Calculation>, choice: Choice, rounds: u64) {
    let game = Calculation::default().with_reward(Reward::Score);
    let start = game.start();
    let yardstick = |round| {
        accelerate(CalculationByHand { batch: Batch::new(PlayoutKey::new(round), YARDSTICK), choice })
    };
    let title = format!("Calculation, {name}, from the start against a plain scalar loop");
    let table = Table::begin(&title, rounds, yardstick);
    for path in Path::ALL.into_iter().filter(|&path| path != Path::Cuda && path.is_available()) {
        let play = |batch| {
            policy
                .playouts_on(path, &game, &start, Player::FIRST, batch)
                .expect("the game has every path of this processor")
        };
        for size in [32_000, 1_000, 100, 16] {
            table.row(&format!("{path}, batches of {size}"), |round| {
                let mut tally = Tally::default();
                for first in (0..16_000_u64.max(size)).step_by(size as usize) {
                    tally += play(Batch { key: PlayoutKey::new(round), first, count: size });
                }
                tally
            });
        }
        assert_eq!(play(Batch::new(PlayoutKey::new(1), YARDSTICK)), yardstick(1), "{path} differs");
    }
}
