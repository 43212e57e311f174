//! Timing of a piece of work: CPU time, wall time, and cycles.
//!
//! Cycles are estimated. The time-stamp counter counts at a fixed rate, whatever the core does, and access to the cycle
//! counters needs the system's permission. Instead, a chain of dependent multiplications and additions, which takes four
//! cycles per link on recent x86-64 processors, is timed before and after the work on the same thread. Rejected: the
//! nominal frequency, because cores rarely run at it.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use crate::search::{Clock, ThreadClock};

/// The time of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lap {
    /// CPU time of the thread, in nanoseconds; the wall time if a GPU did the work.
    pub cpu_ns: f64,
    /// Wall time, in nanoseconds.
    pub wall_ns: f64,
    /// The estimated duration of a cycle, in nanoseconds; `None` if the processor's latencies are unknown, or a GPU did the
    /// work.
    pub cycle_ns: Option<f64>,
}

impl Lap {
    /// Runs and times the work.
    ///
    /// # Cost
    /// About 0.1 ms in addition to the work.
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
        // No clock is finer than a nanosecond, and a ratio must not divide by 0.
        let ns = |time: std::time::Duration| (time.as_nanos() as f64).max(1.0);
        (result, Self { cpu_ns: ns(cpu), wall_ns: ns(wall), cycle_ns })
    }

    /// The time of a GPU, for which the thread waited: all of it counts, and it has none of the processor's cycles.
    pub(super) fn of_device(self) -> Self {
        Self { cpu_ns: self.wall_ns, cycle_ns: None, ..self }
    }
}

/// The number of links in the chain.
const LINKS: u32 = 40_000;

/// Cycles per link: three for the multiplication, one for the addition.
const LATENCY: f64 = 4.0;

/// The current duration of a cycle on this thread's core, in nanoseconds.
fn cycle_ns() -> Option<f64> {
    cfg!(target_arch = "x86_64").then(|| {
        let mut clock = ThreadClock::start();
        black_box(chain(black_box(1), black_box(0x9e37_79b9_7f4a_7c15), black_box(7), LINKS));
        clock.lap().as_nanos() as f64 / (f64::from(LINKS) * LATENCY)
    })
}

/// A chain of dependent multiplications and additions. It is a separate function so that everything stays in registers:
/// through memory a link would take longer.
#[inline(never)]
fn chain(first: u64, factor: u64, term: u64, links: u32) -> u64 {
    (0..links).fold(first, |link, _| link.wrapping_mul(factor).wrapping_add(term))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between 0.1 and 100 GHz: an error in the unit is larger.
    #[test]
    fn a_cycle_has_a_plausible_duration() {
        if let Some(ns) = cycle_ns() {
            assert!((0.01..10.0).contains(&ns), "{ns}");
        }
    }
}
