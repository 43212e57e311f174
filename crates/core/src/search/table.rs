//! The transposition table of alpha-beta and the solver: bounds of the values of searched positions, and their best moves.
//!
//! The key decision: a table of limited size, in buckets of two entries; the solver's begins small and doubles. An entry
//! is four words, which many threads read and write without a lock. Exclusive or binds a key to its entry (Hyatt, Mann 2002, "A lockless transposition-table
//! algorithm"), so a mix of words from two writers is not taken for an entry. Buckets lie in pages, which are allocated
//! at their first entry: a short search pays only for what it stores, and no decision depends on the pages. Rejected: a
//! lock per bucket, which costs as much as the probe itself; a growing map, which has no memory bound; and one array,
//! whose allocation took longer than a whole game to depth 3.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU16, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value is at least this, for the player to move.
    pub(super) lower: i64,
    /// The value is at most this.
    pub(super) upper: i64,
    /// The depth of the search from here in plies.
    pub(super) left: u32,
    /// The number of the best move in the game's order, if one is known.
    pub(super) mv: Option<u32>,
    /// Whether it was stored since [`Table::begin`].
    pub(super) is_new: bool,
}

/// Larger than any value: no bound.
pub(super) const INFINITY: i64 = i64::MAX / 2;
/// The largest number in an entry, which means no bound. Two signed numbers of 40 bits fit.
const LARGEST: i64 = (1 << 39) - 1;
/// The largest depth of an entry, which means to the end of the game.
pub(super) const TO_THE_END: u32 = (1 << 12) - 2;
/// Replaces a move number that is too large for an entry.
const NO_MOVE: u64 = (1 << 12) - 1;

/// An entry in memory. All zeros: empty.
#[derive(Debug, Default)]
struct Slot([AtomicU64; 4]);

/// Two entries: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 2]);

/// The bytes of a page, unless that makes more than [`MOST_PAGES`].
const PAGE_BYTES: u64 = 1 << 12;
/// The bytes of a page of a table that grows, and those of the pages that it begins with.
const LARGE_PAGE_BYTES: u64 = 1 << 16;
const FIRST_BYTES: u64 = 1 << 22;
/// Spreads the numbers of tables over all bits of a key. Keys of a game often differ in a few bits, so the salts of two tables
/// must not.
const SALT: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
const MOST_PAGES: u64 = 1 << 20;

/// Buckets that are allocated together; none if there was no memory.
type Page = Option<Box<[Bucket]>>;

/// A table of limited size. In a full bucket an entry of an earlier search is replaced, else the one that took less work.
///
/// The memory of a table is used again by the next table of the thread, because fresh memory costs a short search more than
/// the rest of its work. Entries that are left in it are never found, since the keys of each table are salted, and they
/// give way like no entry at all. So no decision depends on what was played before.
#[derive(Debug)]
pub(super) struct Table {
    memory: Memory,
    salt: u128,
    /// The number of buckets in use, less one: a power of two less one.
    mask: AtomicU64,
    growth: Growth,
}

/// The counts of a table that grows, in a cache line of their own, so that no thread waits for the rest.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Growth {
    /// The number of entries that took the place of none, or of one of an earlier search or table. An estimate: only the
    /// entries of one bucket in [`COUNTED`] are counted, each as [`COUNTED`].
    stored: AtomicU64,
    /// Whether a thread doubles the buckets in use.
    is_growing: AtomicBool,
}

/// One bucket is counted of this many: threads that count each entry would wait for one another.
const COUNTED: u64 = 16;

#[derive(Debug, Default)]
struct Memory {
    pages: Box<[OnceLock<Page>]>,
    /// The most buckets are 2 to this power, and the buckets of a page 2 to the next.
    buckets_log: u32,
    page_log: u32,
    search: AtomicU16,
}

/// The most tables and the most buckets, 1 GiB, that a thread keeps, and the last search before memory is given up.
const MOST_KEPT: usize = 4;
const MOST_KEPT_BUCKETS: u64 = 1 << 24;
const LAST_SEARCH: u16 = 1 << 15;

thread_local! {
    /// The memory of tables that are gone.
    static KEPT: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// The number of all tables so far. A table may be dropped by another thread than the one that made it, so threads share it.
static TABLES: AtomicU64 = AtomicU64::new(0);

impl Drop for Table {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        if memory.search.load(Relaxed) > LAST_SEARCH {
            return;
        }
        // At the end of a thread nothing is kept.
        let _ = KEPT.try_with(|kept| {
            let kept = &mut *kept.borrow_mut();
            kept.push(memory);
            let buckets = |kept: &[Memory]| kept.iter().map(|memory| 1 << memory.buckets_log).sum::<u64>();
            if kept.len() > MOST_KEPT || buckets(kept) > MOST_KEPT_BUCKETS {
                kept.pop();
            }
        });
    }
}

/// The words of an entry: bounds, depth and move; its work, and the number of its search.
#[derive(Clone, Copy)]
struct Words(u64, u64);

impl Words {
    fn pack(entry: &Entry, work: u64, search: u16) -> Self {
        let mv = entry.mv.map_or(NO_MOVE, |mv| u64::from(mv).min(NO_MOVE));
        // A bound that is too large for the entry is weakened.
        let lower = entry.lower.clamp(-LARGEST, LARGEST - 1);
        let upper = entry.upper.clamp(1 - LARGEST, LARGEST);
        let low = (lower as u64) << 24 | u64::from(entry.left + 1) << 12 | mv;
        let high = (upper as u64) << 24 | u64::from(work.max(1).ilog2()) << 16 | u64::from(search);
        Self(low, high)
    }

    fn entry(self, search: u16) -> Entry {
        let mv = self.0 & NO_MOVE;
        let (lower, upper) = (self.0 as i64 >> 24, self.1 as i64 >> 24);
        Entry {
            lower: if lower == -LARGEST { -INFINITY } else { lower },
            upper: if upper == LARGEST { INFINITY } else { upper },
            left: (self.0 >> 12 & NO_MOVE) as u32 - 1,
            mv: (mv != NO_MOVE).then_some(mv as u32),
            is_new: self.1 & 0xffff == u64::from(search),
        }
    }

    const fn is_empty(self) -> bool {
        self.0 >> 12 & NO_MOVE == 0
    }

    /// The worth of an entry when one must be replaced.
    const fn worth(self, search: u16) -> u64 {
        if self.is_empty() || self.1 & 0xffff != search as u64 { 0 } else { 1 + (self.1 >> 16 & 0xff) }
    }
}

impl Slot {
    #[inline(always)]
    fn words(&self) -> (u128, Words) {
        let [a, b, low, high] = &self.0;
        let (low, high) = (low.load(Relaxed), high.load(Relaxed));
        let key = (u128::from(a.load(Relaxed) ^ low) << 64) | u128::from(b.load(Relaxed) ^ low ^ high);
        (key, Words(low, high))
    }

    #[inline(always)]
    fn write(&self, key: u128, words: Words) {
        let [a, b, low, high] = &self.0;
        a.store((key >> 64) as u64 ^ words.0, Relaxed);
        b.store(key as u64 ^ words.0 ^ words.1, Relaxed);
        low.store(words.0, Relaxed);
        high.store(words.1, Relaxed);
    }
}

#[inline(always)]
pub(super) fn hash(key: u128) -> u64 {
    let (high, low) = ((key >> 64) as u64, key as u64);
    let product = u128::from(high ^ 0x9e37_79b9_7f4a_7c15) * u128::from(low ^ 0xd1b5_4a32_d192_ed03);
    (product >> 64) as u64 ^ product as u64
}

impl Table {
    /// The largest table that fits into `bytes`; `None` if one bucket does not fit.
    pub(super) fn new(bytes: u64) -> Option<Self> {
        Self::with_pages(bytes, PAGE_BYTES, bytes)
    }

    /// A table that begins small, in large pages, and doubles whenever it is half full, until it has `bytes`: few entries lie
    /// in few pages, which stay near the processor.
    pub(super) fn growing(bytes: u64) -> Option<Self> {
        Self::with_pages(bytes, LARGE_PAGE_BYTES, FIRST_BYTES)
    }

    /// The same with pages of at least `page_bytes`, of which `first_bytes` are used at first.
    fn with_pages(bytes: u64, page_bytes: u64, first_bytes: u64) -> Option<Self> {
        let buckets_log = (bytes / size_of::<Bucket>() as u64).checked_ilog2()?;
        let page_bytes = page_bytes.max(bytes / MOST_PAGES);
        let page_log = (page_bytes / size_of::<Bucket>() as u64).ilog2().min(buckets_log);
        let number = TABLES.fetch_add(1, Relaxed) + 1;
        let kept = KEPT.with(|kept| {
            let kept = &mut *kept.borrow_mut();
            let alike = |memory: &Memory| (memory.buckets_log, memory.page_log) == (buckets_log, page_log);
            kept.iter().position(alike).map(|at| kept.swap_remove(at))
        });
        let memory = kept.unwrap_or_else(|| Memory {
            pages: (0..1_u64 << (buckets_log - page_log)).map(|_| OnceLock::new()).collect(),
            buckets_log,
            page_log,
            search: AtomicU16::new(0),
        });
        let first_log = (first_bytes / size_of::<Bucket>() as u64).ilog2().clamp(page_log, buckets_log);
        let table = Self {
            memory,
            salt: u128::from(number).wrapping_mul(SALT),
            mask: AtomicU64::new((1 << first_log) - 1),
            growth: Growth::default(),
        };
        table.begin();
        Some(table)
    }

    pub(super) fn begin(&self) {
        self.memory.search.fetch_add(1, Relaxed);
    }

    /// The page and the place there of the bucket of a position.
    #[inline(always)]
    fn place(&self, key: u128) -> (&OnceLock<Page>, usize) {
        let Memory { pages, page_log, .. } = &self.memory;
        let bucket = (hash(key) & self.mask.load(Relaxed)) as usize;
        (&pages[bucket >> page_log], bucket & ((1 << page_log) - 1))
    }

    /// A page without entries. If there is no memory for it, its positions are not remembered.
    #[cold]
    fn page(&self) -> Page {
        let mut page = Vec::new();
        page.try_reserve_exact(1 << self.memory.page_log).ok()?;
        page.resize_with(1 << self.memory.page_log, Bucket::default);
        Some(page.into_boxed_slice())
    }

    /// Doubles the buckets in use if half of their entries are used, unless the table has no more or another thread does it.
    #[cold]
    fn grow(&self) {
        let is_full = |buckets: u64| buckets >= 1 << self.memory.buckets_log;
        if is_full(self.mask.load(Relaxed) + 1) || self.growth.is_growing.swap(true, Acquire) {
            return;
        }
        let buckets = self.mask.load(Relaxed) + 1;
        if !is_full(buckets) && self.growth.stored.load(Relaxed) >= buckets {
            self.double(buckets);
        }
        self.growth.is_growing.store(false, Release);
    }

    /// Doubles the buckets in use. Half of the entries move.
    fn double(&self, buckets: u64) {
        let Memory { pages, page_log, .. } = &self.memory;
        let count = buckets as usize >> page_log;
        let (used, new) = pages[..2 * count].split_at(count);
        for (number, (from, to)) in used.iter().zip(new).enumerate() {
            let Some(Some(from)) = from.get() else { continue };
            let Some(to) = to.get_or_init(|| self.page()) else { continue };
            for (place, (from, to)) in from.iter().zip(to).enumerate() {
                let bucket = buckets + (number << page_log | place) as u64;
                for (from, to) in from.0.iter().zip(&to.0) {
                    let (found, words) = from.words();
                    // A mix of words from two writers is hardly ever in its bucket, and entries of other tables need not move.
                    if !words.is_empty() && hash(found ^ self.salt) & (2 * buckets - 1) == bucket {
                        to.write(found, words);
                        from.write(0, Words(0, 0));
                    } else {
                        to.write(0, Words(0, 0));
                    }
                }
            }
        }
        self.mask.store(2 * buckets - 1, Relaxed);
    }

    /// Brings the bucket of a position near the processor.
    #[inline(always)]
    pub(super) fn fetch(&self, key: u128) {
        let (page, place) = self.place(key);
        if let Some(Some(page)) = page.get() {
            std::hint::black_box(page[place].0[0].0[0].load(Relaxed));
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u128) -> Option<Entry> {
        let (page, place) = self.place(key);
        let [first, second] = &page.get()?.as_ref()?[place].0;
        let (found, mut words) = first.words();
        if found != key ^ self.salt {
            let (found, others) = second.words();
            if found != key ^ self.salt {
                return None;
            }
            words = others;
        }
        (!words.is_empty()).then(|| words.entry(self.memory.search.load(Relaxed)))
    }

    /// Stores the result of a search, merged with the entry of an equal search. `work` is the number of positions
    /// visited.
    pub(super) fn put(&self, key: u128, mut entry: Entry, work: u64) {
        let (page, place) = self.place(key);
        let Some(page) = page.get_or_init(|| self.page()) else { return };
        let slots = &page[place].0;
        let search = self.memory.search.load(Relaxed);
        let mut target = 0;
        let mut least = u64::MAX;
        for (index, slot) in slots.iter().enumerate() {
            let (found, words) = slot.words();
            if found == key ^ self.salt && !words.is_empty() {
                let old = words.entry(search);
                if old.left == entry.left {
                    entry.lower = entry.lower.max(old.lower);
                    entry.upper = entry.upper.min(old.upper);
                }
                entry.mv = entry.mv.or(old.mv);
                (target, least) = (index, u64::MAX);
                break;
            }
            let worth = words.worth(search);
            if worth < least {
                (target, least) = (index, worth);
            }
        }
        slots[target].write(key ^ self.salt, Words::pack(&entry, work, search));
        if least == 0
            && (place as u64).is_multiple_of(COUNTED)
            && self.growth.stored.fetch_add(COUNTED, Relaxed) >= self.mask.load(Relaxed)
        {
            self.grow();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: i64, upper: i64, left: u32, mv: Option<u32>) -> Entry {
        Entry { lower, upper, left, mv, is_new: true }
    }

    #[test]
    fn what_is_put_is_got_or_weaker() {
        let table = Table::new(1 << 12).unwrap();
        for (key, put) in [
            (0, entry(-3, 7, 0, Some(0))),
            (u128::MAX, entry(-INFINITY, INFINITY, TO_THE_END, None)),
            (1 << 64, entry(-(1 << 35), 1 << 35, 1000, Some(4094))),
        ] {
            assert_eq!(table.get(key), None);
            table.put(key, put, 5);
            assert_eq!(table.get(key), Some(put));
        }
        table.put(2, entry(1 << 45, 1 << 46, 3, Some(5000)), 1);
        assert_eq!(table.get(2), Some(entry(LARGEST - 1, INFINITY, 3, None)));
    }

    #[test]
    fn equal_searches_are_joined_and_others_replaced() {
        let table = Table::new(64).unwrap();
        table.put(9, entry(-4, INFINITY, 3, Some(2)), 8);
        table.put(9, entry(-INFINITY, 6, 3, None), 8);
        assert_eq!(table.get(9), Some(entry(-4, 6, 3, Some(2))));
        table.put(9, entry(0, 0, 4, None), 8);
        assert_eq!(table.get(9), Some(entry(0, 0, 4, Some(2))));
    }

    #[test]
    fn the_entry_that_took_less_work_gives_way() {
        let table = Table::new(64).unwrap();
        for (key, work) in [(1, 1000), (2, 10), (3, 1)] {
            table.put(key, entry(0, 0, 3, None), work);
        }
        assert_eq!([1, 2, 3].map(|key| table.get(key).is_some()), [true, false, true]);
        table.begin();
        table.put(4, entry(0, 0, 3, None), 1);
        assert_eq!([1, 3, 4].map(|key| table.get(key).is_some()), [false, true, true]);
        assert!(Table::new(63).is_none());
    }

    #[test]
    fn a_table_holds_the_pages_that_were_written() {
        let written = |table: &Table| table.memory.pages.iter().filter(|page| page.get().is_some()).count();
        // A page holds 64 buckets here, and 16 of the largest table.
        for (bytes, pages, buckets) in [(1 << 10, 1, 16), (16 << 20, 1 << 12, 64), (64 << 30, 1 << 20, 1024)]
        {
            let table = Table::new(bytes).unwrap();
            assert_eq!((table.memory.pages.len(), 1 << table.memory.page_log), (pages, buckets), "{bytes}");
            assert_eq!((table.get(7), written(&table)), (None, 0));
            table.put(7, entry(1, 1, 3, None), 1);
            assert_eq!((table.get(7), written(&table)), (Some(entry(1, 1, 3, None)), 1));
        }
    }

    /// A table that uses memory again holds nothing at first, and replaces as a fresh one does.
    #[test]
    fn memory_is_used_again_without_its_entries() {
        let fill = |table: &Table| {
            let keys = 1..=200_u128;
            for key in keys.clone() {
                assert_eq!(table.get(key), None);
                table.put(key, entry(key as i64, 300, 3, None), key as u64 % 7);
                if key % 40 == 0 {
                    table.begin();
                }
            }
            keys.map(|key| table.get(key)).collect::<Vec<_>>()
        };
        let first = Table::new(1 << 12).unwrap();
        let found = fill(&first);
        let page: *const _ = first.memory.pages.as_ptr();
        drop(first);
        let second = Table::new(1 << 12).unwrap();
        assert_eq!(second.memory.pages.as_ptr(), page, "the memory is used again");
        assert_eq!(fill(&second), found);
        assert!(found.iter().any(Option::is_none) && found.iter().any(Option::is_some));
        let third = Table::new(1 << 12).unwrap();
        assert_ne!(third.memory.pages.as_ptr(), page, "the memory is in use");
    }

    #[test]
    fn a_table_that_grows_keeps_its_entries() {
        // From one page of 16 buckets to 64 pages, twice: then in pages that hold entries of the first table.
        for _ in 0..2 {
            let table = Table::with_pages(1 << 16, 1 << 10, 1 << 10).unwrap();
            let mut buckets = vec![table.mask.load(Relaxed) + 1];
            for key in 0..1500 {
                table.put(key << 20, entry(key as i64, 3000, 3, None), 1);
                buckets.push(table.mask.load(Relaxed) + 1);
            }
            buckets.dedup();
            assert_eq!(buckets, [16, 32, 64, 128, 256, 512, 1024]);
            let found = |key: &u128| table.get(key << 20);
            let kept: Vec<_> = (0..1500).filter(|key| found(key).is_some()).collect();
            assert!(kept.len() > 1000, "{}", kept.len());
            assert!(kept.iter().all(|key| found(key) == Some(entry(*key as i64, 3000, 3, None))));
            assert!((1500..3000).all(|key| found(&key).is_none()));
        }
    }

    /// Keys that differ as little as the numbers of two tables, in both halves as well: no entry of an earlier table is found.
    #[test]
    fn no_entry_of_an_earlier_table_is_found() {
        for key in 0..64_u128 {
            let key = key << 64 | key;
            let first = Table::new(64).unwrap();
            first.put(key, entry(1, 1, 3, None), 1);
            let page: *const _ = first.memory.pages.as_ptr();
            drop(first);
            let second = Table::new(64).unwrap();
            assert_eq!(second.memory.pages.as_ptr(), page, "the memory is used again");
            for by in 0..256_u128 {
                for other in [by, by << 64, by << 64 | by] {
                    assert_eq!(second.get(key ^ other), None);
                }
            }
        }
    }

    /// The memory of a table that another thread made holds nothing for the tables of this one.
    #[test]
    fn a_table_may_be_dropped_by_another_thread() {
        for _ in 0..8 {
            let first = std::thread::spawn(|| {
                let table = Table::new(64).unwrap();
                table.put(1, entry(1, 1, 3, None), 1);
                table
            });
            drop(first.join().unwrap());
            for _ in 0..8 {
                assert_eq!(Table::new(64).unwrap().get(1), None);
            }
        }
    }

    /// Threads that store at the same time let the table grow to its full size, and find only what was stored.
    #[test]
    fn a_table_grows_from_several_threads() {
        let table = Table::with_pages(1 << 18, 1 << 10, 1 << 10).unwrap();
        let of = |key: u128| entry(key as i64 % 1000, 3000, 3, None);
        std::thread::scope(|scope| {
            for part in 0..4_u128 {
                let table = &table;
                scope.spawn(move || {
                    for key in (part..20_000).step_by(4) {
                        table.put(key << 64 | key, of(key), 1);
                        let found = table.get(key << 64 | key);
                        assert!(found.is_none() || found == Some(of(key)));
                    }
                });
            }
        });
        assert_eq!(table.mask.load(Relaxed) + 1, 1 << 12);
        let kept = (0..20_000).filter(|key| table.get(key << 64 | key) == Some(of(*key))).count();
        assert!(kept > 4000, "{kept}");
    }

    #[test]
    fn an_entry_is_new_until_another_search_begins() {
        let table = Table::new(64).unwrap();
        table.put(1, entry(0, 0, 3, None), 1);
        assert!(table.get(1).unwrap().is_new);
        table.begin();
        assert!(!table.get(1).unwrap().is_new);
    }
}
