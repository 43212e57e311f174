//! Timing of a piece of work: CPU time, wall time, and cycles.

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
        let before = ThreadClock::cycle_ns();
        let (wall, mut cpu) = (Clock::start(), ThreadClock::start());
        let result = work();
        let (cpu, wall) = (cpu.lap(), wall.elapsed());
        let cycle_ns =
            before.zip(ThreadClock::cycle_ns()).map(|(before, after)| f64::midpoint(before, after));
        // No clock is finer than a nanosecond, and a ratio must not divide by 0.
        let ns = |time: std::time::Duration| (time.as_nanos() as f64).max(1.0);
        (result, Self { cpu_ns: ns(cpu), wall_ns: ns(wall), cycle_ns })
    }

    /// The time of a GPU, for which the thread waited: all of it counts, and it has none of the processor's cycles.
    pub(super) fn of_device(self) -> Self {
        Self { cpu_ns: self.wall_ns, cycle_ns: None, ..self }
    }
}
