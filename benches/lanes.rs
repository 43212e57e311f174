//! Othello playouts on every path of this processor, and through searchers, as ratios to a yardstick.
//!
//! `cargo bench --bench lanes`. In each round the yardstick, a plain scalar loop compiled for x86-64-v3, and the row are timed
//! on the processor's clock of this thread, one after the other. Cycles are counted by a chain of dependent operations timed in
//! the same round: five cycles a link on the x86-64 processors of the last years. The bars are 7 for AVX-512,
//! 3.8 for AVX2 and 1.25 for single games; the yardstick itself takes about 90 cycles a ply. Run otherwise
//! than by `cargo bench`, it plays one round, for the tallies only.

#[path = "by_hand/kogge_stone.rs"]
mod kogge_stone;

use std::hint::black_box;
use std::sync::Arc;

use kogge_stone::KoggeStone;
use shikou::game::{Batch, Game, Player, Tally, Uniform, accelerate};
use shikou::games::othello::{Othello, Path};
use shikou::rng::PlayoutKey;
use shikou::search::{
    Budget, FlatMonteCarlo, Limits, Meter, MoveStream, RootBandit, Searcher, Sharing, SimpleTree,
    ThreadClock, Ties, Uct, UctSettings,
};

/// Playouts of the yardstick in a round.
const YARDSTICK: u64 = 2_000;

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    let rounds = if bench { 41 } else { 1 };
    println!("Othello playouts from the start against a plain scalar loop, medians of {rounds} rounds");
    println!(
        "{:<34}{:>12}{:>9}{:>12}{:>8}{:>15}",
        "", "playouts/s", "ns/ply", "cycles/ply", "ratio", "quartiles"
    );
    let game = Othello::default();
    let start = game.start();
    let yardstick = |round| accelerate(KoggeStone(Batch::new(PlayoutKey::new(round), YARDSTICK)));
    compare("the yardstick itself", rounds, yardstick);
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        for size in [32_000, 100, 16, 1] {
            compare(&format!("{path}, batches of {size}"), rounds, |round| {
                let mut tally = Tally::default();
                for first in (0..8_000_u64.max(size)).step_by(size as usize) {
                    let batch = Batch { key: PlayoutKey::new(round), first, count: size };
                    tally += game.playouts_on(path, &start, Player::FIRST, batch);
                }
                tally
            });
        }
        let batch = Batch::new(PlayoutKey::new(1), YARDSTICK);
        assert_eq!(game.playouts_on(path, &start, Player::FIRST, batch), yardstick(1), "{path} differs");
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
    compare("flat(playouts=4000)", rounds, |round| {
        searched(round, Box::new(FlatMonteCarlo::new(4_000, policy.clone(), ties)), 16_000)
    });
    compare("simple-tree(level=2,playouts=200)", rounds, |round| {
        searched(round, Box::new(SimpleTree::new(2, 200, policy.clone(), ties)), 16_000)
    });
    compare("sequential-halving@16000", rounds, |round| {
        searched(round, Box::new(RootBandit::new(Sharing::Halving, policy.clone(), ties)), 16_000)
    });
    compare("uct@10000", rounds, |round| {
        searched(round, Box::new(Uct::new(UctSettings::new(policy.clone()))), 10_000)
    });
}

/// Times a row against the yardstick and prints it.
fn compare(name: &str, rounds: u64, play: impl Fn(u64) -> Tally) {
    let (mut per_s, mut per_ply, mut cycles, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut clock = ThreadClock::start();
        let links = 200_000;
        let mut link = black_box(1_u64);
        for _ in 0..links {
            // A shift, an exclusive-or, a multiplication: 1 + 1 + 3 cycles.
            link = (link ^ (link >> 29)).wrapping_mul(black_box(GOLDEN));
        }
        black_box(link);
        let cycle = clock.lap().as_secs_f64() / (5 * links) as f64;
        let yardstick = accelerate(KoggeStone(Batch::new(PlayoutKey::new(round), YARDSTICK)));
        let yardstick = clock.lap().as_secs_f64() / yardstick.plies as f64;
        let tally = play(round);
        let time = clock.lap().as_secs_f64();
        let ply = time / tally.plies as f64;
        per_s.push(tally.playouts as f64 / time);
        per_ply.push(ply * 1e9);
        cycles.push(ply / cycle);
        ratios.push(yardstick / ply);
    }
    let [low, ratio, high] = [0.25, 0.5, 0.75].map(|q| quantile(&mut ratios, q));
    println!(
        "{name:<34}{:>12.0}{:>9.2}{:>12.1}{ratio:>8.2}{:>15}",
        quantile(&mut per_s, 0.5),
        quantile(&mut per_ply, 0.5),
        quantile(&mut cycles, 0.5),
        format!("{low:.2}–{high:.2}"),
    );
}

/// An odd number.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * q).round() as usize]
}
