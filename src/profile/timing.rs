//! Timing a piece of work: processor time, time on the wall, and cycles.
//!
//! Cycles are not read, but estimated. The time-stamp counter counts at a fixed rate whatever the core does, and the
//! counters of real cycles belong to the system. A chain of multiplications and additions, each waiting for the one
//! before, takes four cycles a link on the x86-64 processors of the last years; it is timed before and after the work,
//! on the same thread. Rejected: a nominal frequency, which no core keeps.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use crate::search::{Clock, ThreadClock};

/// What a piece of work took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lap {
    /// Processor time of the thread, in nanoseconds.
    pub cpu_ns: f64,
    /// Time on the wall, in nanoseconds.
    pub wall_ns: f64,
    /// The estimated length of a cycle, in nanoseconds; none where the processor's latencies are not known.
    pub cycle_ns: Option<f64>,
}

impl Lap {
    /// Does the work and times it.
    ///
    /// # Cost
    /// About 0.1 ms beside the work.
    ///
    /// # Example
    /// ```
    /// use shikou::profile::Lap;
    /// let (sum, lap) = Lap::time(|| (0..100_000_u64).map(|i| std::hint::black_box(i)).sum::<u64>());
    /// assert_eq!(sum, 4_999_950_000);
    /// assert!(lap.cpu_ns > 0.0 && lap.wall_ns > 0.0);
    /// ```
    pub fn time<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let before = cycle_ns();
        let (wall, mut cpu) = (Clock::start(), ThreadClock::start());
        let result = work();
        let (cpu, wall) = (cpu.lap(), wall.elapsed());
        let cycle_ns = before.zip(cycle_ns()).map(|(before, after)| f64::midpoint(before, after));
        // No clock is finer than a nanosecond, and a ratio needs more than nothing.
        let ns = |time: std::time::Duration| (time.as_nanos() as f64).max(1.0);
        (result, Self { cpu_ns: ns(cpu), wall_ns: ns(wall), cycle_ns })
    }
}

/// The links of a chain.
const LINKS: u32 = 40_000;

/// Cycles of a link: three for the multiplication, one for the addition.
const LATENCY: f64 = 4.0;

/// The time of a cycle on this thread's core now, in nanoseconds.
fn cycle_ns() -> Option<f64> {
    cfg!(target_arch = "x86_64").then(|| {
        let mut clock = ThreadClock::start();
        black_box(chain(black_box(1), black_box(0x9e37_79b9_7f4a_7c15), black_box(7), LINKS));
        clock.lap().as_nanos() as f64 / (f64::from(LINKS) * LATENCY)
    })
}

/// Multiplications and additions, each waiting for the one before. A function of its own, so that all of it stays in
/// registers: through memory a link would take longer.
#[inline(never)]
fn chain(first: u64, factor: u64, term: u64, links: u32) -> u64 {
    (0..links).fold(first, |link, _| link.wrapping_mul(factor).wrapping_add(term))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between 0.1 and 100 GHz: a unit that is wrong is wrong by more.
    #[test]
    fn a_cycle_has_the_length_of_one() {
        if let Some(ns) = cycle_ns() {
            assert!((0.01..10.0).contains(&ns), "{ns}");
        }
    }
}
