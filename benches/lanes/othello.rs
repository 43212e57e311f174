//! Othello: the required speed-ups are 7 for AVX-512, 3.8 for AVX2 and 1.25 for single games. The baseline takes about
//! 90 cycles per ply.

use std::sync::Arc;

use shikou::game::{Batch, Game, Path, Player, Policy, PolicyExt, Tally, Uniform, accelerate};
use shikou::games::othello::Othello;
use shikou::players::PlayError;
use shikou::rng::PlayoutKey;
use shikou::search::{
    Budget, FlatMonteCarlo, FullWidth, Limits, Meter, MoveStream, RootBandit, Searcher, Sharing, Spent, Ties,
    Uct, UctSettings,
};

use crate::kogge_stone::KoggeStone;
use crate::table::Table;

/// Playouts of the baseline in a round.
const YARDSTICK: u64 = 2_000;

/// Prints the rows.
pub(crate) fn rows(rounds: u64) {
    let game = Othello::default();
    let start = game.start();
    let yardstick = |round| accelerate(KoggeStone(Batch::new(PlayoutKey::new(round), YARDSTICK)));
    let table = Table::begin("Othello from the start against a plain scalar loop", rounds, yardstick);
    let on = |path, batch| {
        Uniform.playouts_on(path, &game, &start, Player::FIRST, batch).expect("Othello has every path")
    };
    for path in Path::ALL.into_iter().filter(|&path| path != Path::Cuda && path.is_available()) {
        for size in [32_000, 100, 16, 1] {
            table.row(&format!("{path}, batches of {size}"), |round| {
                let mut tally = Tally::default();
                for first in (0..8_000_u64.max(size)).step_by(size as usize) {
                    let batch = Batch { key: PlayoutKey::new(round), first, count: size };
                    tally += on(path, batch);
                }
                tally
            });
        }
        let batch = Batch::new(PlayoutKey::new(1), YARDSTICK);
        assert_eq!(on(path, batch), yardstick(1), "{path} differs");
    }
    let policy = Arc::new(Uniform);
    let ties = Ties::Random;
    let searched = |round, mut searcher: Box<dyn Searcher<Othello>>, playouts| {
        let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(playouts));
        let stream = MoveStream::new(PlayoutKey::new(round));
        searcher.choose(&game, &start, stream, &mut meter).expect("there is memory for it");
        let spent = meter.spent();
        Tally { playouts: spent.playouts, plies: spent.plies, ..Tally::default() }
    };
    table.row("flat(playouts=4000)", |round| {
        searched(round, Box::new(FlatMonteCarlo::new(4_000, policy.clone(), ties)), 16_000)
    });
    table.row("simple-tree(level=2,playouts=200)", |round| {
        searched(round, Box::new(FullWidth::simple_tree(2, 200, policy.clone(), ties)), 16_000)
    });
    table.row("sequential-halving@16000", |round| {
        searched(round, Box::new(RootBandit::new(Sharing::Halving, policy.clone(), ties)), 16_000)
    });
    table.row("uct@10000", |round| {
        searched(round, Box::new(Uct::new(UctSettings::new(policy.clone()))), 10_000)
    });
    for trees in [16, 48, 96] {
        for playouts in [400, 10_000] {
            table.row(&format!("uct@{playouts}, {trees} in lock-step"), |round| {
                lock_step(trees, playouts, round)
            });
        }
    }
    trait_row(rounds);
}

/// The cost of a trait object: an erased policy against a static one, the same games.
fn trait_row(rounds: u64) {
    let game = Othello::default();
    let start = game.start();
    let batch = |round| Batch::new(PlayoutKey::new(round), 8_000);
    let direct = |round| Uniform.playouts(&game, &start, Player::FIRST, batch(round));
    let policy: Arc<dyn Policy<Othello>> = Arc::new(Uniform);
    let table = Table::begin("Othello through a trait object against static calls", rounds, direct);
    table.row("dyn Policy, batches of 8000", |round| {
        policy.playouts(&game, &start, Player::FIRST, batch(round))
    });
}

/// The first move of several games at once.
fn lock_step(trees: usize, playouts: u64, round: u64) -> Tally {
    let game = shikou::registry().game("othello", &[]).expect("the game is known");
    let uct = game.read_searcher(&format!("uct@playouts={playouts}")).expect("the text is right");
    let tables = game.prepare(&[uct]).expect("they fit");
    let mut games = tables.lock_step(&[0, 0], trees);
    for game in 0..trees {
        let stream = MoveStream::new(PlayoutKey::new(round).child(game as u64));
        assert!(games.begin(game, stream, Limits::default()).is_none(), "a search takes time");
    }
    let mut tally = Tally::default();
    let mut count = |_, spent: Result<Spent, PlayError>| {
        let spent = spent.expect("there is memory for it");
        tally += Tally { playouts: spent.playouts, plies: spent.plies, ..Tally::default() };
    };
    while games.round(&mut count) > 0 {}
    tally
}
