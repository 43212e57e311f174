//! Rows that are timed against a yardstick, round by round.

use std::hint::black_box;

use shikou::game::Tally;
use shikou::search::ThreadClock;

/// A table of rows with one yardstick.
pub(crate) struct Table<Y> {
    rounds: u64,
    yardstick: Y,
}

/// An odd number.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl<Y: Fn(u64) -> Tally> Table<Y> {
    /// Prints a title and the heads of the columns, and times the yardstick, which is given the number of the round,
    /// against itself.
    pub(crate) fn begin(title: &str, rounds: u64, yardstick: Y) -> Self {
        println!("{title}, medians of {rounds} rounds");
        println!(
            "{:<40}{:>13}{:>9}{:>12}{:>8}{:>15}",
            "", "playouts/s", "ns/ply", "cycles/ply", "ratio", "quartiles"
        );
        let table = Self { rounds, yardstick };
        table.row("the yardstick itself", &table.yardstick);
        table
    }

    /// Times a row against the yardstick, ply for ply, and prints it.
    pub(crate) fn row(&self, name: &str, play: impl Fn(u64) -> Tally) {
        let (mut per_s, mut per_ply, mut cycles, mut ratios) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for round in 0..self.rounds {
            let mut clock = ThreadClock::start();
            let links = 200_000;
            let mut link = black_box(1_u64);
            for _ in 0..links {
                // A shift, an exclusive-or, a multiplication: 1 + 1 + 3 cycles.
                link = (link ^ (link >> 29)).wrapping_mul(black_box(GOLDEN));
            }
            black_box(link);
            let cycle = clock.lap().as_secs_f64() / (5 * links) as f64;
            let yardstick = (self.yardstick)(round);
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
            "{name:<40}{:>13.0}{:>9.3}{:>12.2}{ratio:>8.2}{:>15}",
            quantile(&mut per_s, 0.5),
            quantile(&mut per_ply, 0.5),
            quantile(&mut cycles, 0.5),
            format!("{low:.2}–{high:.2}"),
        );
    }
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * q).round() as usize]
}
