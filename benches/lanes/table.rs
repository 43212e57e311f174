//! Rows that are timed against a baseline, round by round.

use shikou::game::Tally;
use shikou::profile::{Lap, Spread};

/// A table of rows with one baseline.
pub(crate) struct Table<Y> {
    rounds: u64,
    yardstick: Y,
}

impl<Y: Fn(u64) -> Tally> Table<Y> {
    /// Prints the title and the column headings, and times the baseline, which gets the number of the round, against
    /// itself.
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

    /// Times a row against the baseline, per ply, and prints it.
    pub(crate) fn row(&self, name: &str, play: impl Fn(u64) -> Tally) {
        let (mut per_s, mut per_ply, mut cycles, mut yardsticks) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for round in 0..self.rounds {
            let (yardstick, lap) = Lap::time(|| (self.yardstick)(round));
            yardsticks.push(lap.cpu_ns / yardstick.plies as f64);
            let (tally, lap) = Lap::time(|| play(round));
            let ply = lap.cpu_ns / tally.plies as f64;
            per_s.push(tally.playouts as f64 * 1e9 / lap.cpu_ns);
            per_ply.push(ply);
            // NaN if the processor's latencies are unknown.
            cycles.push(ply / lap.cycle_ns.unwrap_or(f64::NAN));
        }
        let ratio = Spread::of_ratios(&yardsticks, &per_ply);
        println!(
            "{name:<40}{:>13.0}{:>9.3}{:>12.2}{:>8.2}{:>15}",
            Spread::of(per_s).median,
            Spread::of(per_ply).median,
            Spread::of(cycles).median,
            ratio.median,
            format!("{:.2}–{:.2}", ratio.q1, ratio.q3),
        );
    }
}
