//! Perft: counting game trees, on one thread and on all.
//!
//! `cargo bench --bench perft`; the items are leaves. Every count must be the published one.

use divan::Bencher;
use divan::counter::ItemsCount;
use rayon::ThreadPoolBuilder;
use shikou::game::{FinishedGames, Game, perft};
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;

fn main() {
    divan::main();
}

/// The leaves at a depth. A finished game is one leaf.
fn othello_leaves(depth: u32) -> u64 {
    match depth {
        8 => 390_216,
        9 => 3_005_288,
        10 => 24_571_284,
        11 => 212_258_800,
        _ => panic!("the count of {depth} plies is not listed here"),
    }
}

/// Counts on a number of threads; 0 means all threads of the machine.
fn count<G: Game>(bencher: Bencher<'_, '_>, threads: usize, game: &G, depth: u32, leaves: u64) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    bencher.counter(ItemsCount::new(leaves)).bench(|| {
        let counted = pool.install(|| perft(game, &game.start(), depth, FinishedGames::Count));
        assert_eq!(counted, leaves, "perft {depth}");
    });
}

mod one_thread {
    use super::{Bencher, Othello, TicTacToe, count, othello_leaves};

    #[divan::bench(args = [8, 9, 10, 11], sample_count = 21)]
    fn othello(bencher: Bencher<'_, '_>, depth: u32) {
        count(bencher, 1, &Othello::default(), depth, othello_leaves(depth));
    }

    #[divan::bench(args = [9])]
    fn tic_tac_toe(bencher: Bencher<'_, '_>, depth: u32) {
        count(bencher, 1, &TicTacToe, depth, 255_168);
    }
}

mod all_threads {
    use super::{Bencher, Othello, TicTacToe, count, othello_leaves};

    #[divan::bench(args = [8, 9, 10], sample_count = 21)]
    fn othello(bencher: Bencher<'_, '_>, depth: u32) {
        count(bencher, 0, &Othello::default(), depth, othello_leaves(depth));
    }

    #[divan::bench(args = [9])]
    fn tic_tac_toe(bencher: Bencher<'_, '_>, depth: u32) {
        count(bencher, 0, &TicTacToe, depth, 255_168);
    }
}
