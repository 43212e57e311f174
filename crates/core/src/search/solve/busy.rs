use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of places, a power of two.
const PLACES: usize = 1 << 12;

/// The positions that threads are searching, by their hashes. It may forget one, which costs time and no result.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.0[(hash >> 32) as usize % PLACES]
    }

    #[inline(always)]
    pub(super) fn has(&self, hash: u64) -> bool {
        self.place(hash).load(Relaxed) == hash
    }

    #[inline(always)]
    pub(super) fn begin(&self, hash: u64) {
        self.place(hash).store(hash, Relaxed);
    }

    #[inline(always)]
    pub(super) fn end(&self, hash: u64) {
        // An entry that another thread has put there in between stays.
        let _ = self.place(hash).compare_exchange(hash, 0, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_busy_from_begin_to_end() {
        let busy = Busy::new();
        busy.begin(1 << 40);
        assert!(busy.has(1 << 40) && !busy.has(1 << 41));
        // In the same place: the first is forgotten, and its end does not end the second.
        busy.begin(1 << 40 | 1);
        busy.end(1 << 40);
        assert!(!busy.has(1 << 40) && busy.has(1 << 40 | 1));
        busy.end(1 << 40 | 1);
        assert!(!busy.has(1 << 40 | 1));
    }
}
