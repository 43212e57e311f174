//! The transposition table: bounds of the values of searched positions, and their best moves.
//!
//! The key decision: a fixed array of buckets of two entries. An entry is four words, which many threads read and write
//! without a lock. Exclusive or binds a key to its entry (Hyatt, Mann 2002, "A lockless transposition-table
//! algorithm"), so a mix of words from two writers is not taken for an entry. Rejected: a lock per bucket, which costs
//! as much as the probe itself, and a growing map, which has no memory bound.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An entry: the result of the search of a position.
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

/// A table of fixed size. In a full bucket an entry of an earlier search is replaced, else the one that took less work.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Box<[Bucket]>,
    search: u8,
}

/// The words of an entry: bounds, depth and move; its work, and the number of its search.
#[derive(Clone, Copy)]
struct Words(u64, u64);

impl Words {
    fn pack(entry: &Entry, work: u64, search: u8) -> Self {
        let mv = entry.mv.map_or(NO_MOVE, |mv| u64::from(mv).min(NO_MOVE));
        // A bound that is too large for the entry is weakened.
        let lower = entry.lower.clamp(-LARGEST, LARGEST - 1);
        let upper = entry.upper.clamp(1 - LARGEST, LARGEST);
        let low = (lower as u64) << 24 | u64::from(entry.left + 1) << 12 | mv;
        let high = (upper as u64) << 24 | u64::from(work.max(1).ilog2()) << 8 | u64::from(search);
        Self(low, high)
    }

    fn entry(self) -> Entry {
        let mv = self.0 & NO_MOVE;
        let (lower, upper) = (self.0 as i64 >> 24, self.1 as i64 >> 24);
        Entry {
            lower: if lower == -LARGEST { -INFINITY } else { lower },
            upper: if upper == LARGEST { INFINITY } else { upper },
            left: (self.0 >> 12 & NO_MOVE) as u32 - 1,
            mv: (mv != NO_MOVE).then_some(mv as u32),
        }
    }

    const fn is_empty(self) -> bool {
        self.0 >> 12 & NO_MOVE == 0
    }

    /// The worth of an entry when one must be replaced.
    const fn worth(self, search: u8) -> u64 {
        if self.is_empty() || self.1 & 0xff != search as u64 { 0 } else { 1 + (self.1 >> 8 & 0xff) }
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

impl Table {
    /// The largest table that fits into `bytes`; `None` if one bucket does not fit.
    pub(super) fn new(bytes: u64) -> Option<Self> {
        let buckets = (bytes / size_of::<Bucket>() as u64).checked_ilog2()?;
        Some(Self { buckets: (0..1_u64 << buckets).map(|_| Bucket::default()).collect(), search: 0 })
    }

    /// Begins another search.
    pub(super) fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, key: u128) -> &Bucket {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let product = u128::from(high ^ 0x9e37_79b9_7f4a_7c15) * u128::from(low ^ 0xd1b5_4a32_d192_ed03);
        let hash = (product >> 64) as u64 ^ product as u64;
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// The entry of a position.
    #[inline(always)]
    pub(super) fn get(&self, key: u128) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (found, words) = slot.words();
            (found == key && !words.is_empty()).then(|| words.entry())
        })
    }

    /// Stores the result of a search, merged with the entry of an equal search. `work` is the number of positions
    /// visited.
    #[inline(always)]
    pub(super) fn put(&self, key: u128, mut entry: Entry, work: u64) {
        let slots = &self.bucket(key).0;
        let mut target = 0;
        let mut least = u64::MAX;
        for (index, slot) in slots.iter().enumerate() {
            let (found, words) = slot.words();
            if found == key && !words.is_empty() {
                let old = words.entry();
                if old.left == entry.left {
                    entry.lower = entry.lower.max(old.lower);
                    entry.upper = entry.upper.min(old.upper);
                }
                entry.mv = entry.mv.or(old.mv);
                target = index;
                break;
            }
            let worth = words.worth(self.search);
            if worth < least {
                (target, least) = (index, worth);
            }
        }
        slots[target].write(key, Words::pack(&entry, work, self.search));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: i64, upper: i64, left: u32, mv: Option<u32>) -> Entry {
        Entry { lower, upper, left, mv }
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
        let mut table = Table::new(64).unwrap();
        for (key, work) in [(1, 1000), (2, 10), (3, 1)] {
            table.put(key, entry(0, 0, 3, None), work);
        }
        assert_eq!([1, 2, 3].map(|key| table.get(key).is_some()), [true, false, true]);
        table.begin();
        table.put(4, entry(0, 0, 3, None), 1);
        assert_eq!([1, 3, 4].map(|key| table.get(key).is_some()), [false, true, true]);
        assert!(Table::new(63).is_none());
    }
}
