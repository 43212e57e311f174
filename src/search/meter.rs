//! The meter: the only place that counts work, reads a clock, or keeps a limit.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::Fault;
use crate::game::Tally;

/// What a search may use. Searchers bring their own amounts of playouts and depth; these hold for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of bytes that a search may hold at a time.
    pub memory_bytes: u64,
}

impl Default for Limits {
    /// One gibibyte of memory.
    fn default() -> Self {
        Self { memory_bytes: 1 << 30 }
    }
}

/// Work done, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Playouts.
    pub playouts: u64,
    /// Plies that playouts simulated, players' and chance's.
    pub plies: u64,
    /// Positions that a tree search visited, leaves included and the root excluded.
    pub nodes: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.nodes += other.nodes;
    }
}

/// Counts the work of one move.
///
/// # Example
/// ```
/// use shikou::game::Tally;
/// use shikou::search::{Limits, Meter};
/// let mut meter = Meter::new(Limits { memory_bytes: 100 });
/// meter.count_playouts(&Tally { playouts: 3, plies: 27, sum: 1, sum_squares: 3 });
/// assert_eq!(meter.spent().plies, 27);
/// assert!(meter.reserve(101).is_err());
/// ```
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    spent: Spent,
    reserved: u64,
}

impl Meter {
    /// A meter at zero.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, spent: Spent { playouts: 0, plies: 0, nodes: 0 }, reserved: 0 }
    }

    /// Counts a batch of playouts.
    #[inline]
    pub fn count_playouts(&mut self, tally: &Tally) {
        self.spent.playouts += tally.playouts;
        self.spent.plies += tally.plies;
    }

    /// Counts one visited position.
    #[inline]
    pub fn count_node(&mut self) {
        self.spent.nodes += 1;
    }

    /// Asks for memory before it is taken. What is reserved is held until the move is made.
    ///
    /// # Errors
    /// Where the search would hold more than its limit.
    pub fn reserve(&mut self, bytes: u64) -> Result<(), Fault> {
        let needed = self.reserved.saturating_add(bytes);
        if needed > self.limits.memory_bytes {
            return Err(Fault::Memory { needed, cap: self.limits.memory_bytes });
        }
        self.reserved = needed;
        Ok(())
    }

    /// The work counted so far.
    pub const fn spent(&self) -> Spent {
        self.spent
    }
}

/// A clock on the wall, from its start.
///
/// # Cost
/// Reading it takes about 25 ns.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// Starts a clock.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock for a whole trial: wall time, and the processor time of the thread that plays it.
///
/// # Cost
/// Reading it takes about 0.3 µs.
#[derive(Clone, Copy, Debug)]
pub struct TrialClock {
    wall: Clock,
    cpu: ThreadTime,
}

impl TrialClock {
    /// Starts the clock on this thread.
    pub fn start() -> Self {
        Self { wall: Clock::start(), cpu: ThreadTime::now() }
    }

    /// Wall and processor time since the start; to be read on the thread that started it.
    pub fn elapsed(&self) -> (Duration, Duration) {
        (self.wall.elapsed(), self.cpu.elapsed())
    }
}
