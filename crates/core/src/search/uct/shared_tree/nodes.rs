//! The nodes of a tree that several threads grow at once, without locks (Enzenberger, Müller 2009, "A lock-free
//! multithreaded Monte-Carlo tree search algorithm").
//!
//! The fields of a node are atomics. Visits and payoffs are one number, so a reader never sees one without the other. The score that
//! selection reads is stored after them, and may be a few results late. A family is written before the link to it is published, and
//! never changes after that.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::super::super::tree::{Bounds, Kind, ROOT, Scale, Score, Totals};
use crate::search::Meter;

#[derive(Default)]
pub(super) struct Nodes {
    rows: Vec<Node>,
    /// The family to which a node belongs, apart from the node, because only the end of a descent reads it.
    families_of: Vec<AtomicU32>,
    /// The number of families that the board has room for.
    pub(super) family_room: usize,
    /// The bytes of a row, with the move that leads to it, and of a family.
    row_bytes: usize,
    family_bytes: usize,
    free_rows: Pool,
    free_families: Pool,
    /// The squares of the payoffs of the root's children, from the first child on.
    squares: Vec<AtomicU64>,
    pub(super) packing: Packing,
    scale: Scale,
    /// Whether a position had more moves than a node holds.
    is_too_wide: AtomicBool,
}

/// The rows, or the families, that no thread has taken: those from `next` on.
#[derive(Debug, Default)]
struct Pool {
    next: AtomicU32,
    /// Whether a thread found too few.
    is_short: AtomicBool,
}

/// A node in half a cache line.
#[derive(Default)]
#[repr(align(32))]
struct Node {
    /// The bits of [`Packed`].
    results: AtomicU64,
    /// The bits of a [`Score`].
    value: AtomicU64,
    width: AtomicU64,
    /// The bits of a [`Link`].
    link: AtomicU64,
}

/// The kind of a node, and its children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link(u64);

/// How visits and payoffs share 64 bits: the visits are the high bits, the sum of the payoffs, each less the lowest, is the low ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packing {
    /// The number of bits of the payoffs.
    bits: u32,
    low: i64,
}

/// Visits and payoffs in 64 bits, or a change of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) visits: u32,
    pub(super) sum: i64,
}

/// The rows, and the families, that a thread has taken and not used yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    rows: Range<u32>,
    families: Range<u32>,
}

/// How many rows, and families, a thread takes at a time.
const TAKEN_ROWS: u32 = 256;
const TAKEN_FAMILIES: u32 = 32;

/// The first numbers of rows and of families.
const FIRST_ROWS: usize = 1 << 14;
const FIRST_FAMILIES: usize = 1 << 11;

/// The most that are added at a time, because all threads wait for it.
const MORE_ROWS: usize = 1 << 18;
const MORE_FAMILIES: usize = 1 << 15;

/// The largest number of rows: the numbers above say that a node has no children.
const MOST_ROWS: usize = u32::MAX as usize - 2;

impl Link {
    /// No children.
    const NONE: u32 = u32::MAX;
    /// A thread gives the node children.
    const PENDING: u32 = u32::MAX - 1;

    const fn new(first: u32, count: u16, kind: Kind) -> Self {
        Self(first as u64 | (count as u64) << 32 | (kind as u64) << 48)
    }

    const fn first(self) -> u32 {
        self.0 as u32
    }

    pub(super) const fn is_pending(self) -> bool {
        self.first() == Self::PENDING
    }

    pub(super) fn kind(self) -> Kind {
        [Kind::Unseen, Kind::Max, Kind::Min, Kind::Chance, Kind::Over][(self.0 >> 48) as usize]
    }

    pub(super) const fn count(self) -> usize {
        (self.0 >> 32) as u16 as usize
    }

    pub(super) const fn children(self) -> Option<Range<u32>> {
        let first = self.first();
        if first >= Self::PENDING { None } else { Some(first..first + self.count() as u32) }
    }
}

impl Packed {
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Packing {
    fn of(range: Bounds) -> Self {
        let payoffs = 64 - ((range.high - range.low) as u64).leading_zeros();
        Self { bits: 64 - (64 - payoffs) / 2, low: range.low as i64 }
    }

    /// The visits of a root that end its search. As many again fit into the bits.
    pub(super) const fn most_visits(self) -> u64 {
        1 << (63 - self.bits)
    }

    /// The summand for visits and for a sum of payoffs. Either may be negative, to take back an earlier one.
    #[inline(always)]
    pub(super) const fn packed(self, visits: i64, sum: i64) -> Packed {
        Packed(((visits << self.bits) as u64).wrapping_add((sum - visits * self.low) as u64))
    }

    #[inline(always)]
    pub(super) const fn unpacked(self, Packed(packed): Packed) -> Results {
        let visits = packed >> self.bits;
        let above_low = packed & ((1 << self.bits) - 1);
        Results { visits: visits as u32, sum: above_low as i64 + self.low * visits as i64 }
    }
}

impl Nodes {
    /// No nodes. The board takes these bytes for a move and for a family.
    pub(super) fn new(mv: usize, family: usize) -> Self {
        let row_bytes = size_of::<Node>() + size_of::<AtomicU32>() + mv;
        Self { row_bytes, family_bytes: family, ..Self::default() }
    }

    pub(super) const fn bytes(&self) -> u64 {
        (self.rows.len() * self.row_bytes + self.family_room * self.family_bytes) as u64
    }

    /// The number of families that threads have taken.
    pub(super) fn families(&mut self) -> usize {
        *self.free_families.next.get_mut() as usize
    }

    /// Resets the tree to a root, with `children` children at most. Returns whether there was enough memory.
    pub(super) fn clear(
        &mut self,
        (range, scale): (Bounds, Scale),
        children: usize,
        meter: &mut Meter,
    ) -> bool {
        (self.packing, self.scale) = (Packing::of(range), scale);
        *self.free_families.next.get_mut() = 0;
        *self.free_rows.next.get_mut() = 1;
        *self.is_too_wide.get_mut() = false;
        let is_new = self.rows.is_empty();
        *self.free_rows.is_short.get_mut() = is_new;
        *self.free_families.is_short.get_mut() = is_new;
        if is_new && !self.grow(meter) {
            return false;
        }
        let link = Link::new(Link::NONE, 0, Kind::Max).0.into();
        self.rows[ROOT as usize] = Node { link, ..Node::default() };
        self.squares.clear();
        self.squares.resize_with(children, AtomicU64::default);
        true
    }

    /// Makes room for as many rows, and families, again, if a thread found too few. Returns whether there was enough memory.
    pub(super) fn grow(&mut self, meter: &mut Meter) -> bool {
        // Together they may take half of the memory that is left.
        let most = |bytes: usize| (meter.memory_left() / 2) as usize / bytes / 2;
        let most_rows = most(self.row_bytes).min(MOST_ROWS - self.rows.len());
        let rows = self.rows.len().clamp(FIRST_ROWS, MORE_ROWS);
        let rows = self.free_rows.growth(rows, TAKEN_ROWS, most_rows);
        let families = self.family_room.clamp(FIRST_FAMILIES, MORE_FAMILIES);
        let families = self.free_families.growth(families, TAKEN_FAMILIES, most(self.family_bytes));
        let (Some(rows), Some(families)) = (rows, families) else { return false };
        if meter.reserve((rows * self.row_bytes + families * self.family_bytes) as u64).is_err() {
            return false;
        }
        self.rows.reserve_exact(rows);
        self.families_of.reserve_exact(rows);
        self.rows.resize_with(self.rows.len() + rows, Node::default);
        self.families_of.resize_with(self.rows.len(), AtomicU32::default);
        self.family_room += families;
        true
    }

    pub(super) fn is_full(&self) -> bool {
        self.free_rows.is_short() || self.free_families.is_short()
    }

    pub(super) fn is_too_wide(&mut self) -> bool {
        *self.is_too_wide.get_mut()
    }

    fn row(&self, node: u32) -> &Node {
        &self.rows[node as usize]
    }

    #[inline(always)]
    pub(super) fn link(&self, node: u32) -> Link {
        Link(self.row(node).link.load(Ordering::Acquire))
    }

    #[inline(always)]
    pub(super) fn results(&self, node: u32) -> Results {
        self.packing.unpacked(Packed(self.row(node).results.load(Ordering::Relaxed)))
    }

    /// All that selection reads of a node.
    #[inline(always)]
    pub(super) fn read(&self, node: u32) -> (Packed, Score, Link) {
        let results = self.row(node).results.load(Ordering::Relaxed);
        (Packed(results), self.score(node), self.link(node))
    }

    /// The score of a node with these results, for the player `parent` who decides to visit it.
    #[inline(always)]
    pub(super) fn score_of(&self, results: Packed, parent: Kind) -> Score {
        let Results { visits, sum } = self.packing.unpacked(results);
        let value = self.scale.value(sum as f64 / f64::from(visits));
        Score { value: parent.view(value), width: 1.0 / f64::from(visits).sqrt() }
    }

    #[inline(always)]
    pub(super) fn score(&self, node: u32) -> Score {
        let Node { value, width, .. } = self.row(node);
        let read = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        Score { value: read(value), width: read(width) }
    }

    /// The first of the children with the largest bound: the value and `factor` times the width.
    #[inline(always)]
    pub(super) fn best_child(&self, children: Range<u32>, factor: f64) -> u32 {
        let bound = |row: &Node| {
            let value = f64::from_bits(row.value.load(Ordering::Relaxed));
            value + factor * f64::from_bits(row.width.load(Ordering::Relaxed))
        };
        let rows = self.rows[children.start as usize..children.end as usize].iter();
        children.start + super::super::selection::best_of(rows.map(bound))
    }

    /// Records the kind of a node at its first visit.
    #[inline(always)]
    pub(super) fn see(&self, node: u32, kind: Kind) {
        let (unseen, seen) = (Link::new(Link::NONE, 0, Kind::Unseen), Link::new(Link::NONE, 0, kind));
        // If another thread was first, it recorded the same.
        let _ = self.row(node).link.compare_exchange(unseen.0, seen.0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Adds visits and payoffs to a node, and values it for the player `parent` who decides to visit it.
    #[inline(always)]
    pub(super) fn add(&self, node: u32, parent: Kind, added: Packed) {
        let row = self.row(node);
        let before = row.results.fetch_add(added.0, Ordering::Relaxed);
        let score = self.score_of(Packed(before).plus(added), parent);
        row.value.store(score.value.to_bits(), Ordering::Relaxed);
        row.width.store(score.width.to_bits(), Ordering::Relaxed);
    }

    /// Adds squares of payoffs to a child of the root.
    pub(super) fn add_squares(&self, child: u32, squares: u64) {
        if let Some(children) = self.link(ROOT).children() {
            self.squares[(child - children.start) as usize].fetch_add(squares, Ordering::Relaxed);
        }
    }

    /// The payoffs of a node; their squares of a child of the root only.
    pub(super) fn totals(&self, node: u32) -> Totals {
        let sum = self.results(node).sum as f64;
        let index = self.link(ROOT).children().and_then(|children| node.checked_sub(children.start));
        let squares = index.and_then(|index| self.squares.get(index as usize));
        Totals { sum, squares: squares.map_or(0.0, |squares| squares.load(Ordering::Relaxed) as f64) }
    }

    /// Gives a node of kind `kind` this many children, each with this score. `write` is told their family and the first. `None` if
    /// another thread does, or if there was no room.
    #[inline(always)]
    pub(super) fn expand(
        &self,
        (node, kind): (u32, Kind),
        count: usize,
        score: Score,
        taken: &mut Taken,
        write: impl FnOnce(u32, u32),
    ) -> Option<Range<u32>> {
        let (free, pending) = (Link::new(Link::NONE, 0, kind), Link::new(Link::PENDING, 0, kind));
        let Ok(count) = u16::try_from(count) else {
            self.is_too_wide.store(true, Ordering::Relaxed);
            return None;
        };
        let (first, index) = self.room_for(count, taken)?;
        let link = &self.row(node).link;
        link.compare_exchange(free.0, pending.0, Ordering::Relaxed, Ordering::Relaxed).ok()?;
        taken.rows.start += u32::from(count);
        taken.families.start += 1;
        let children = first..first + u32::from(count);
        let range = children.start as usize..children.end as usize;
        for (row, family_of) in self.rows[range.clone()].iter().zip(&self.families_of[range]) {
            row.results.store(0, Ordering::Relaxed);
            row.value.store(score.value.to_bits(), Ordering::Relaxed);
            row.width.store(score.width.to_bits(), Ordering::Relaxed);
            row.link.store(Link::new(Link::NONE, 0, Kind::Unseen).0, Ordering::Relaxed);
            family_of.store(index, Ordering::Relaxed);
        }
        write(index, first);
        link.store(Link::new(first, count, kind).0, Ordering::Release);
        Some(children)
    }

    /// The next row and family, if as many rows and a family are free or can be taken.
    #[inline(always)]
    fn room_for(&self, count: u16, taken: &mut Taken) -> Option<(u32, u32)> {
        if taken.rows.len() < usize::from(count) {
            taken.rows = self.free_rows.take(TAKEN_ROWS.max(count.into()), self.rows.len())?;
        }
        if taken.families.is_empty() {
            taken.families = self.free_families.take(TAKEN_FAMILIES, self.family_room)?;
        }
        Some((taken.rows.start, taken.families.start))
    }

    #[inline(always)]
    pub(super) fn family_of(&self, child: u32) -> u32 {
        self.families_of[child as usize].load(Ordering::Relaxed)
    }
}

impl Pool {
    /// Takes the next `count` of `room`, if they are free.
    fn take(&self, count: u32, room: usize) -> Option<Range<u32>> {
        let end = |first: u32| first.checked_add(count).filter(|&end| end as usize <= room);
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end);
        if taken.is_err() {
            self.is_short.store(true, Ordering::Relaxed);
        }
        taken.ok().map(|first| first..first + count)
    }

    fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// How many more there are to be: 0 if no thread found too few, else what is wanted or the most. `None` if the most is less than the
    /// least.
    fn growth(&mut self, wanted: usize, least: u32, most: usize) -> Option<usize> {
        if !mem::take(self.is_short.get_mut()) {
            return Some(0);
        }
        (most >= least as usize).then_some(wanted.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of any sign are added, and taken back, without one number touching the other.
    #[test]
    fn visits_and_payoffs_share_bits() {
        for (low, high) in [(-1, 1), (-64, 64), (-32_768, 32_768), (0, 0), (5, 9)] {
            let packing = Packing::of(Bounds { low: f64::from(low), high: f64::from(high) });
            let visits = 2 * packing.most_visits() as i64 - 1;
            let all = packing.packed(visits, visits * i64::from(high));
            let found = Results { visits: visits as u32, sum: visits * i64::from(high) };
            assert_eq!(packing.unpacked(all), found, "{low} to {high}");
            let lost = packing.packed(1, low.into());
            let won = packing.packed(0, i64::from(high) - i64::from(low));
            let sum = i64::from(high) * 3;
            assert_eq!(
                packing.unpacked(packing.packed(2, sum - i64::from(high)).plus(lost).plus(won)),
                Results { visits: 3, sum }
            );
        }
    }

    #[test]
    fn a_pool_is_taken_once_and_grows_if_it_is_short() {
        let mut pool = Pool::default();
        assert_eq!(pool.growth(1000, 100, 1000), Some(0));
        assert_eq!((pool.take(300, 500), pool.take(200, 500)), (Some(0..300), Some(300..500)));
        assert!(!pool.is_short());
        assert_eq!(pool.take(1, 500), None);
        assert!(pool.is_short());
        assert_eq!(pool.growth(1000, 100, 400), Some(400));
        assert!(!pool.is_short() && pool.take(1, 900) == Some(500..501));
        assert_eq!(pool.take(400, 900), None);
        assert_eq!(pool.growth(1000, 100, 99), None);
    }
}
