use std::cell::Cell;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};

use super::{Budget, Limit, SearchError};
use crate::game::Tally;

/// The limits on every search of a trial, the same for all players. Each player also has its own [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of bytes that a search may hold at a time.
    pub memory_bytes: u64,
    /// The most wall-clock time for a move, if a clock of the game limits it.
    pub time: Option<Duration>,
}

impl Default for Limits {
    /// 1 GiB of memory, and no clock.
    fn default() -> Self {
        Self { memory_bytes: 1 << 30, time: None }
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

impl Spent {
    /// The work that a limit counts; 0 for times, which are not counted.
    pub const fn of(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Playouts => self.playouts,
            Limit::Nodes => self.nodes,
            Limit::Plies => self.plies,
            Limit::Time | Limit::CpuTime => 0,
        }
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.nodes += other.nodes;
    }
}

static ABANDONED: AtomicBool = AtomicBool::new(false);

/// Lets every decision of a player in this process end without a move, now and later, with [`SearchError::Stopped`]; or, with
/// `false`, not any longer. A decision ends when it next looks at its limits.
pub fn abandon_searches(abandon: bool) {
    ABANDONED.store(abandon, Ordering::Relaxed);
}

/// Whether they are.
pub fn searches_are_abandoned() -> bool {
    ABANDONED.load(Ordering::Relaxed)
}

/// Counts the work of one move, and reports when its budget is spent.
///
/// # Example
/// ```
/// use shikou::game::Tally;
/// use shikou::search::{Budget, Limit, Limits, Meter};
/// let mut meter = Meter::new(Limits { memory_bytes: 100, ..Limits::default() }).with_budget(Budget::playouts(3));
/// assert_eq!(meter.limit(), None);
/// meter.count_playouts(&Tally { playouts: 3, plies: 27, sum: 1, sum_squares: 3 });
/// assert_eq!(meter.limit(), Some(Limit::Playouts));
/// assert_eq!((meter.spent().plies, meter.batches()), (27, 1));
/// assert!(meter.reserve(101).is_err());
/// ```
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    spent: Spent,
    /// Playouts of finished positions: each takes one ply of the budget.
    idle: u64,
    batches: u64,
    reserved: u64,
    most: Spent,
    /// On the clock, and in processor time.
    deadlines: [Option<Deadline>; 2],
    /// The calls of [`Meter::limit`] before the clock is read again.
    until_look: u64,
    /// Whether it looks if searches are abandoned, and whether it found that they are.
    may_be_abandoned: bool,
    is_abandoned: bool,
    /// Whether the search does work that time must not end, since it cannot decide without.
    ignores_time: bool,
}

/// When time is up, and how often the clock is read.
#[derive(Debug)]
struct Deadline {
    limit: Limit,
    watch: Watch,
    time: Duration,
    /// The calls between two readings of the clock, and the time of the last reading.
    stride: u64,
    last: Duration,
}

#[derive(Debug)]
enum Watch {
    Wall(Clock),
    /// The processor time of the thread at the start.
    Thread(Duration),
}

impl Deadline {
    fn start(limit: Limit, time: Duration) -> Self {
        let watch = match limit {
            Limit::CpuTime => Watch::Thread(ThreadTime::now().as_duration()),
            _ => Watch::Wall(Clock::start()),
        };
        Self { limit, watch, time, stride: 1, last: Duration::ZERO }
    }

    fn elapsed(&self) -> Duration {
        match &self.watch {
            Watch::Wall(clock) => clock.elapsed(),
            Watch::Thread(begun) => ThreadTime::now().as_duration().saturating_sub(*begun),
        }
    }

    fn left(&self) -> Duration {
        self.time.saturating_sub(self.elapsed())
    }

    /// The intended time between two readings of the clock: a twentieth of the 2 ms by which a search may be late, so
    /// that a search that slows down is still on time.
    const PACE: Duration = Duration::from_micros(100);

    /// Reads the clock. Returns whether time is up; if not, adapts the stride to the pace.
    fn is_over(&mut self) -> bool {
        let now = self.elapsed();
        let took = now.saturating_sub(self.last);
        self.last = now;
        if took < Self::PACE / 2 {
            self.stride = (self.stride * 2).min(1 << 20);
        } else if took > Self::PACE {
            let share = Self::PACE.as_nanos() * u128::from(self.stride) / took.as_nanos();
            self.stride = (share as u64).max(1);
        }
        now >= self.time
    }
}

impl Meter {
    /// The calls of [`Meter::limit`] between two looks whether searches are abandoned, if no time is limited.
    const BETWEEN_LOOKS: u64 = 64;

    /// A new meter without a budget.
    pub const fn new(limits: Limits) -> Self {
        const NOTHING: Spent = Spent { playouts: 0, plies: 0, nodes: 0 };
        const ANYTHING: Spent = Spent { playouts: u64::MAX, plies: u64::MAX, nodes: u64::MAX };
        Self {
            limits,
            spent: NOTHING,
            idle: 0,
            batches: 0,
            reserved: 0,
            most: ANYTHING,
            deadlines: [None, None],
            until_look: u64::MAX,
            may_be_abandoned: false,
            is_abandoned: false,
            ignores_time: false,
        }
    }

    /// Sets the budget. Its time begins now; processor time is that of this thread, on which the search must run: one on several
    /// threads fails with [`SearchError::CpuTime`].
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.most = Spent {
            playouts: budget.playouts.unwrap_or(u64::MAX),
            plies: budget.plies.unwrap_or(u64::MAX),
            nodes: budget.nodes.unwrap_or(u64::MAX),
        };
        self.deadlines = [
            budget.time.map(|time| Deadline::start(Limit::Time, time)),
            budget.cpu_time.map(|time| Deadline::start(Limit::CpuTime, time)),
        ];
        self.until_look = if self.has_deadline() || self.may_be_abandoned { 0 } else { u64::MAX };
        self
    }

    /// A meter for the decision of a player in a game, which [`abandon_searches`] ends; set its budget after this.
    #[must_use]
    pub const fn of_a_player(mut self) -> Self {
        self.may_be_abandoned = true;
        self
    }

    /// A meter for a part of this search.
    pub(super) fn part(&self, limits: Limits, budget: Budget) -> Self {
        Self { may_be_abandoned: self.may_be_abandoned, ..Self::new(limits) }.with_budget(budget)
    }

    /// Checks that the search was not abandoned. What an abandoned search found is no decision.
    ///
    /// # Errors
    /// If it was.
    pub const fn check_abandoned(&self) -> Result<(), SearchError> {
        if self.is_abandoned { Err(SearchError::Stopped) } else { Ok(()) }
    }

    /// The limit that is reached, if any. Call it before each playout, and before each node of a tree search. A limit
    /// that is reached stays reached. Time is never up before the first count.
    ///
    /// # Cost
    /// Four comparisons; if time is limited, the clock is read about every tenth of a millisecond.
    #[inline]
    pub fn limit(&mut self) -> Option<Limit> {
        if self.spent.playouts >= self.most.playouts {
            Some(Limit::Playouts)
        } else if self.spent.nodes >= self.most.nodes {
            Some(Limit::Nodes)
        } else if self.plies() >= self.most.plies {
            Some(Limit::Plies)
        } else if self.until_look > 0 {
            self.until_look -= 1;
            None
        } else {
            self.look()
        }
    }

    /// Checks that no [limit](Self::limit) is reached.
    #[inline]
    pub(super) fn check(&mut self) -> Result<(), Limit> {
        self.limit().map_or(Ok(()), Err)
    }

    /// Looks whether the search is abandoned, and reads the clock.
    #[cold]
    fn look(&mut self) -> Option<Limit> {
        if self.may_be_abandoned && searches_are_abandoned() {
            self.is_abandoned = true;
            return Some(Limit::Time);
        }
        if !self.has_deadline() {
            self.until_look = Self::BETWEEN_LOOKS - 1;
            return None;
        }
        if self.ignores_time || self.spent == Spent::default() {
            return None;
        }
        let mut stride = u64::MAX;
        for deadline in self.deadlines.iter_mut().flatten() {
            if deadline.is_over() {
                return Some(deadline.limit);
            }
            stride = stride.min(deadline.stride);
        }
        self.until_look = stride - 1;
        None
    }

    /// Whether nodes or time are limited, as for a search without playouts.
    pub(super) const fn limits_a_tree(&self) -> bool {
        self.most.nodes != u64::MAX || self.has_deadline()
    }

    const fn has_deadline(&self) -> bool {
        !matches!(self.deadlines, [None, None])
    }

    /// Sets whether time is ignored, for work without which the search cannot decide.
    pub(super) const fn set_ignores_time(&mut self, ignores_time: bool) {
        self.ignores_time = ignores_time;
    }

    /// The budget and the memory that are left, as equal parts for this number of searches. The time is not divided. The
    /// caller adds the counts of the parts to this meter with [`Self::count`].
    pub(super) fn parts(&self, searches: usize) -> impl Iterator<Item = (Limits, Budget)> {
        let whole = searches as u64;
        let share = move |number: u64, most: u64, spent: u64| {
            let left = most.saturating_sub(spent);
            (most != u64::MAX).then(|| left / whole + u64::from(number < left % whole))
        };
        (0..whole).map(move |number| {
            let budget = Budget {
                playouts: share(number, self.most.playouts, self.spent.playouts),
                plies: share(number, self.most.plies, self.plies()),
                nodes: share(number, self.most.nodes, self.spent.nodes),
                ..Budget::UNLIMITED
            };
            (Limits { memory_bytes: self.memory_left() / whole, time: None }, budget)
        })
    }

    pub(super) const fn limits_plies(&self) -> bool {
        self.most.plies != u64::MAX
    }

    /// The times that are left on the clock and of the processor, divided by `parts`. Call it on the thread that searches, if
    /// processor time is limited.
    pub(super) fn times_left(&self, parts: u32) -> Budget {
        let [time, cpu_time] = [0, 1].map(|of| self.deadlines[of].as_ref().map(|of| of.left() / parts));
        Budget { time, cpu_time, ..Budget::UNLIMITED }
    }

    /// Checks that a search on this number of threads can keep the budget: processor time is that of one thread.
    pub(super) const fn check_threads(&self, threads: usize) -> Result<(), SearchError> {
        if self.deadlines[1].is_some() && threads > 1 {
            Err(SearchError::CpuTime { threads })
        } else {
            Ok(())
        }
    }

    /// Adds the work that another meter counted, and the memory that it reserved.
    pub(super) fn count(&mut self, other: &Self) {
        self.spent += other.spent;
        self.reserved += other.reserved;
        self.idle += other.idle;
        self.batches += other.batches;
        self.is_abandoned |= other.is_abandoned;
    }

    /// The number of playouts left.
    #[inline]
    pub const fn playouts_left(&self) -> u64 {
        self.most.playouts.saturating_sub(self.spent.playouts)
    }

    /// The number of nodes left.
    #[inline]
    pub const fn nodes_left(&self) -> u64 {
        self.most.nodes.saturating_sub(self.spent.nodes)
    }

    /// The plies that the budget has spent.
    #[inline]
    const fn plies(&self) -> u64 {
        self.spent.plies + self.idle
    }

    /// Counts a batch of playouts from one position. If that is finished, each takes one ply of the budget: else a budget of
    /// plies would never end a search whose playouts have none.
    #[inline]
    pub fn count_playouts(&mut self, tally: &Tally) {
        self.count_batch(std::slice::from_ref(tally));
    }

    /// Counts a batch of playouts from several positions; see [`count_playouts`](Self::count_playouts).
    #[inline]
    pub fn count_batch(&mut self, tallies: &[Tally]) {
        for tally in tallies {
            self.spent.playouts += tally.playouts;
            self.spent.plies += tally.plies;
            self.idle += if tally.plies == 0 { tally.playouts } else { 0 };
        }
        self.batches += 1;
    }

    /// Counts playouts that begin. Their plies are counted [later](Self::end_playouts).
    pub(super) const fn begin_playouts(&mut self, playouts: u64) {
        self.spent.playouts += playouts;
        self.idle += playouts;
    }

    /// Counts the plies of playouts that were counted when they began.
    pub(super) const fn end_playouts(&mut self, playouts: u64, plies: u64) {
        self.spent.plies += plies;
        self.idle -= if plies > 0 { playouts } else { 0 };
    }

    /// Counts a batch of playouts that were counted one by one.
    pub(super) const fn end_batch(&mut self) {
        self.batches += 1;
    }

    /// Counts one visited position.
    #[inline]
    pub fn count_node(&mut self) {
        self.spent.nodes += 1;
    }

    /// Counts visited positions.
    #[inline]
    pub fn count_nodes(&mut self, nodes: u64) {
        self.spent.nodes += nodes;
    }

    /// Reserves memory, before allocation. The reservation lasts until the move is made.
    ///
    /// # Errors
    /// If the reservations would exceed the limit.
    pub fn reserve(&mut self, bytes: u64) -> Result<(), SearchError> {
        let needed = self.reserved.saturating_add(bytes);
        if needed > self.limits.memory_bytes {
            return Err(self.out_of_memory(bytes));
        }
        self.reserved = needed;
        Ok(())
    }

    /// Reserves memory for a list that has grown beyond the items for which `room` was reserved. It fails if the memory limit is
    /// exceeded.
    #[cold]
    pub(super) fn reserve_growth<T>(&mut self, list: &Vec<T>, room: &mut usize) -> Result<(), SearchError> {
        let more = list.capacity() - std::mem::replace(room, list.capacity());
        self.reserve((more * size_of::<T>()) as u64)
    }

    /// The error for a search that needs `bytes` more than it has reserved.
    pub(super) const fn out_of_memory(&self, bytes: u64) -> SearchError {
        SearchError::Memory { needed: self.reserved.saturating_add(bytes), cap: self.limits.memory_bytes }
    }

    /// The bytes that the search has reserved: what it holds when it decides.
    pub const fn reserved(&self) -> u64 {
        self.reserved
    }

    /// The bytes left to reserve.
    pub const fn memory_left(&self) -> u64 {
        self.limits.memory_bytes.saturating_sub(self.reserved)
    }

    /// The work counted so far.
    pub const fn spent(&self) -> Spent {
        self.spent
    }

    /// The number of batches in which the playouts were counted.
    pub const fn batches(&self) -> u64 {
        self.batches
    }
}

/// A wall clock, from its start.
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

    /// The time since the start or the last lap. Begins a new lap.
    pub fn lap(&mut self) -> Duration {
        let begun = std::mem::replace(self, Self::start()).0;
        self.0 - begun
    }
}

/// A clock of the processor time of all threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock(ProcessTime);

impl ProcessClock {
    /// Starts a clock.
    pub fn start() -> Self {
        Self(ProcessTime::now())
    }

    /// The processor time since the start or the last lap. Begins a new lap.
    pub fn lap(&mut self) -> Duration {
        let begun = std::mem::replace(self, Self::start()).0;
        self.0.duration_since(begun)
    }
}

/// A clock of the processor time of one thread, and of the threads that helped it.
///
/// # Cost
/// Reading it takes about 0.3 µs.
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock {
    begun: ThreadTime,
    helped: Duration,
}

thread_local! {
    /// The processor time of all helpers of this thread so far.
    static HELPED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

impl ThreadClock {
    /// Starts the clock on this thread.
    pub fn start() -> Self {
        Self { begun: ThreadTime::now(), helped: HELPED.get() }
    }

    /// Adds processor time that other threads spent for this one.
    fn add(helped: Duration) {
        HELPED.set(HELPED.get() + helped);
    }

    /// Does the work of each part on a thread, that of the first on this one, which counts the processor time of the others. It
    /// fails if the system does not start the threads.
    pub(super) fn at_once<T: Send>(parts: Vec<T>, work: &(impl Fn(T) + Sync)) -> Result<(), SearchError> {
        let (threads, helped) = (parts.len(), &Mutex::new(Duration::ZERO));
        let mut parts = parts.into_iter();
        let mine = parts.next();
        thread::scope(|scope| {
            for part in parts {
                let help = move || {
                    let clock = Self::start();
                    work(part);
                    *helped.lock().expect("no helper panicked") += clock.elapsed();
                };
                let helper = thread::Builder::new().spawn_scoped(scope, help);
                helper.map_err(|error| SearchError::no_threads(threads, &error))?;
            }
            mine.map(work);
            Ok::<_, SearchError>(())
        })?;
        Self::add(*helped.lock().expect("no helper panicked"));
        Ok(())
    }

    /// The processor time since the start or the last lap. Call it on the thread that started the clock.
    pub fn elapsed(&self) -> Duration {
        Self::start().since(*self)
    }

    fn since(self, before: Self) -> Duration {
        self.begun.duration_since(before.begun) + self.helped.saturating_sub(before.helped)
    }

    /// The processor time since the start or the last lap. Begins a new lap. Call it on the thread that started the
    /// clock.
    pub fn lap(&mut self) -> Duration {
        let before = std::mem::replace(self, Self::start());
        self.since(before)
    }

    /// The present duration of a cycle of this thread's core, in nanoseconds; `None` if the processor's latencies are unknown.
    ///
    /// An estimate: the time-stamp counter counts at a fixed rate, whatever the core does, and access to the cycle
    /// counters needs the system's permission. So a chain of dependent multiplications and additions is timed, which takes
    /// four cycles a link on recent x86-64 processors. Rejected: the nominal frequency, because cores rarely run at it.
    ///
    /// # Cost
    /// About 0.05 ms.
    pub fn cycle_ns() -> Option<f64> {
        const LINKS: u32 = 40_000;
        // Three for the multiplication, one for the addition.
        const CYCLES: f64 = 4.0;
        cfg!(target_arch = "x86_64").then(|| {
            let mut clock = Self::start();
            black_box(chain(black_box(1), black_box(0x9e37_79b9_7f4a_7c15), black_box(7), LINKS));
            clock.lap().as_nanos() as f64 / (f64::from(LINKS) * CYCLES)
        })
    }
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
        if let Some(ns) = ThreadClock::cycle_ns() {
            assert!((0.01..10.0).contains(&ns), "{ns}");
        }
    }

    #[test]
    fn the_processor_time_of_helpers_counts_once() {
        let mut clock = ThreadClock::start();
        ThreadClock::add(Duration::from_secs(5));
        assert!(clock.elapsed() >= Duration::from_secs(5));
        clock.lap();
        assert!(clock.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn parts_add_up_to_the_budget() {
        let mut meter = Meter::new(Limits { memory_bytes: 100, time: None });
        meter = meter.with_budget(Budget { nodes: Some(2), ..Budget::playouts(14) });
        meter.count_playouts(&Tally { playouts: 3, plies: 9, ..Tally::default() });
        let parts: Vec<(Limits, Budget)> = meter.parts(3).collect();
        let playouts: Vec<_> = parts.iter().map(|(_, budget)| budget.playouts.unwrap()).collect();
        let nodes: Vec<_> = parts.iter().map(|(_, budget)| budget.nodes.unwrap()).collect();
        assert_eq!((playouts, nodes), (vec![4, 4, 3], vec![1, 1, 0]));
        assert!(parts.iter().all(|(limits, budget)| limits.memory_bytes == 33 && budget.plies.is_none()));
    }
}
