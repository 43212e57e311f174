//! Tic-tac-toe: the required speed is 10⁹ playouts per second on an idle core, about 3.6 cycles per playout.

use shikou::game::{Batch, Game, GameExt, Path, Player, PolicyExt, Tally, Uniform, accelerate};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;

use crate::table::Table;
use crate::tic_tac_toe_by_hand::TicTacToeByHand;

/// Playouts of the baseline in a round.
const YARDSTICK: u64 = 100_000;

/// Playouts of a row in a round.
const ROW: u64 = 1_000_000;

/// Prints the rows.
pub(crate) fn rows(rounds: u64) {
    let start = TicTacToe.start();
    let centre = TicTacToe.follow("b2 a1 c3").expect("the moves are legal");
    let yardstick = |round| accelerate(TicTacToeByHand(Batch::new(PlayoutKey::new(round), YARDSTICK)));
    let table = Table::begin("tic-tac-toe from the start against a plain scalar loop", rounds, yardstick);
    let on = |path, from: &_, batch| {
        Uniform.playouts_on(path, &TicTacToe, from, Player::FIRST, batch).expect("tic-tac-toe has every path")
    };
    for path in Path::ALL.into_iter().filter(|&path| path != Path::Cuda && path.is_available()) {
        let row = |name: &str, from: &_, size: u64| {
            table.row(&format!("{path}, {name}"), |round| {
                let mut tally = Tally::default();
                for first in (0..ROW).step_by(size as usize) {
                    let batch = Batch { key: PlayoutKey::new(round), first, count: size.min(ROW - first) };
                    tally += on(path, from, batch);
                }
                tally
            });
        };
        row("one batch", &start, ROW);
        row("one batch, six squares left", &centre, ROW);
        for size in [1000, 100, 32, 16, 1] {
            row(&format!("batches of {size}"), &start, size);
        }
        let batch = Batch::new(PlayoutKey::new(1), YARDSTICK);
        assert_eq!(on(path, &start, batch), yardstick(1), "{path} differs");
    }
}
