//! Playouts per second: batches from the start of every game, by the call that searchers use.
//!
//! `cargo bench --bench playouts`; the items of a row are playouts or plies, as its name says. The tally of each batch
//! is fixed: a bench that plays other games fails.

#[path = "../examples/connect-four/game.rs"]
mod connect_four;

use connect_four::ConnectFour;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shikou::game::{Batch, Game, Player, Policy, PolicyExt, Tally, Uniform};
use shikou::games::calculation::{Calculation, FoundationFirst, Reward, WasteFirst};
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;

fn main() {
    divan::Divan::default().sample_count(31).config_with_args().main();
}

/// Playouts of a batch: enough that the branch predictor cannot learn them. (It learns a thousand playouts of
/// tic-tac-toe, which then seem 50 % faster.)
const PLAYOUTS: u64 = 20_000;

/// The quantity that a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    Playouts,
    Plies,
}

const ITEMS: [Items; 2] = [Items::Playouts, Items::Plies];

/// Plays the same batch repeatedly. It must have these plies, sum and sum of squares.
fn play<G: Game>(
    bencher: Bencher<'_, '_>,
    items: Items,
    game: &G,
    policy: &impl Policy<G>,
    (plies, sum, sum_squares): (u64, i64, u64),
) {
    let start = game.start();
    let batch = Batch::new(PlayoutKey::new(1), PLAYOUTS);
    let expected = Tally { playouts: PLAYOUTS, plies, sum, sum_squares };
    let count = if items == Items::Playouts { PLAYOUTS } else { plies };
    bencher.counter(ItemsCount::new(count)).bench(|| {
        let tally = policy.playouts(game, black_box(&start), Player::FIRST, black_box(batch));
        assert_eq!(tally, expected);
    });
}

#[divan::bench(args = ITEMS)]
fn tic_tac_toe(bencher: Bencher<'_, '_>, items: Items) {
    play(bencher, items, &TicTacToe, &Uniform, (152_755, 5_952, 17_346));
}

#[divan::bench(args = ITEMS)]
fn connect_four(bencher: Bencher<'_, '_>, items: Items) {
    play(bencher, items, &ConnectFour, &Uniform, (428_623, 2_151, 19_947));
}

mod othello {
    use super::{Bencher, ITEMS, Items, Othello, Uniform, play};

    #[divan::bench(args = ITEMS)]
    fn size_8(bencher: Bencher<'_, '_>, items: Items) {
        play(bencher, items, &Othello::default(), &Uniform, (1_208_081, -962, 19_178));
    }

    #[divan::bench(args = ITEMS)]
    fn size_6(bencher: Bencher<'_, '_>, items: Items) {
        play(bencher, items, &Othello::new(6), &Uniform, (650_172, -1_520, 18_856));
    }
}

mod calculation {
    use super::{Bencher, Calculation, FoundationFirst, ITEMS, Items, Reward, Uniform, WasteFirst, play};

    /// With the score as reward, which makes tallies more informative.
    fn game() -> Calculation {
        Calculation::default().with_reward(Reward::Score)
    }

    #[divan::bench(args = ITEMS)]
    fn uniform(bencher: Bencher<'_, '_>, items: Items) {
        play(bencher, items, &game(), &Uniform, (2_092_624, 319_517, 5_378_295));
    }

    #[divan::bench(args = ITEMS)]
    fn foundation_first(bencher: Bencher<'_, '_>, items: Items) {
        play(bencher, items, &game(), &FoundationFirst, (2_060_636, 550_171, 15_816_885));
    }

    #[divan::bench(args = ITEMS)]
    fn waste_first(bencher: Bencher<'_, '_>, items: Items) {
        play(bencher, items, &game(), &WasteFirst, (2_066_194, 550_799, 15_862_229));
    }
}

#[divan::bench(args = ITEMS)]
fn random_tree(bencher: Bencher<'_, '_>, items: Items) {
    let settings = Settings { branching: 5, depth: 20, ..Settings::default() };
    let game = RandomTree::new(settings).expect("these settings go together");
    play(bencher, items, &game, &Uniform, (400_000, 1_957, 19_961));
}
