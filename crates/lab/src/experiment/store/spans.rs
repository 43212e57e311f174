//! The trials of a log, and the stretches of the file that hold them.
//!
//! A bit a trial where a page of them is incomplete, and for each stretch the range of its trials: so memory hardly grows
//! with the log. What exactly a stretch holds, its rows say.

use std::ops::Range;

/// The number of slots of a page.
const PAGE: u64 = 4096;

/// The slots that a stretch holds, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u64,
    pub(super) last: u64,
    /// Its bytes in the file.
    pub(super) bytes: Range<u64>,
}

/// A page of slots: which of them are held.
#[derive(Clone, Debug)]
enum Page {
    Empty,
    Part(Box<[u64; PAGE as usize / 64]>),
    Full,
}

/// For each slot whether it is held, and for each stretch its span.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pages: Vec<Page>,
    count: u64,
    stretches: Vec<Span>,
    /// How the rows of its trials begin: experiments that were renamed, or share trials, have several.
    labels: Vec<Vec<u8>>,
}

impl Spans {
    /// Whether a slot is held.
    pub(super) fn holds(&self, slot: u64) -> bool {
        match self.pages.get((slot / PAGE) as usize) {
            None | Some(Page::Empty) => false,
            Some(Page::Part(bits)) => bits[(slot % PAGE / 64) as usize] >> (slot % 64) & 1 == 1,
            Some(Page::Full) => true,
        }
    }

    /// Records that these bytes hold a slot, in rows with this beginning. A slot stays with its first stretch. Bytes that begin less
    /// than `most` after the last stretch does are part of it.
    pub(super) fn set(&mut self, slot: u64, bytes: &Range<u64>, most: u64, label: &[u8]) {
        if self.holds(slot) {
            return;
        }
        let number = (slot / PAGE) as usize;
        if self.pages.len() <= number {
            self.pages.resize(number + 1, Page::Empty);
        }
        let page = &mut self.pages[number];
        if let Page::Empty = page {
            *page = Page::Part(Box::new([0; PAGE as usize / 64]));
        }
        if let Page::Part(bits) = page {
            let word = (slot % PAGE / 64) as usize;
            bits[word] |= 1 << (slot % 64);
            if bits[word] == u64::MAX && bits.iter().all(|&word| word == u64::MAX) {
                *page = Page::Full;
            }
        }
        self.count += 1;
        if !self.labels.iter().any(|known| known == label) {
            self.labels.push(label.into());
        }
        match self.stretches.last_mut() {
            Some(span) if (span.bytes.start..span.bytes.start + most).contains(&bytes.start) => {
                (span.first, span.last) = (span.first.min(slot), span.last.max(slot));
                span.bytes.end = span.bytes.end.max(bytes.end);
            }
            _ => self.stretches.push(Span { first: slot, last: slot, bytes: bytes.clone() }),
        }
    }

    /// The number of slots that are held.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// Whether a row may be of a trial of these.
    pub(super) fn may_hold(&self, row: &[u8]) -> bool {
        self.labels.iter().any(|label| row.starts_with(label))
    }

    /// The spans by their first slots.
    pub(super) fn in_order(&self) -> Vec<Span> {
        let mut spans = self.stretches.clone();
        spans.sort_unstable_by_key(|span| (span.first, span.last, span.bytes.start));
        spans
    }

    /// The spans that may hold a slot, in the order of the file.
    pub(super) fn around(&self, slot: u64) -> impl Iterator<Item = &Span> {
        self.stretches.iter().filter(move |span| (span.first..=span.last).contains(&slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_stay_with_their_first_stretch() {
        let mut spans = Spans::default();
        for (slot, place) in [(9, 16), (8, 16), (8, 70), (1_000_000, 70), (9, 80), (4096, 90), (7, 93)] {
            spans.set(slot, &(place..place + 5), 4, b"a,");
        }
        assert_eq!(spans.count(), 5);
        assert!([7, 8, 9, 4096, 1_000_000].into_iter().all(|slot| spans.holds(slot)));
        assert!([0, 6, 10, 4095, 1 << 40].into_iter().all(|slot| !spans.holds(slot)));
        let span = |first, last, bytes| Span { first, last, bytes };
        let order = [span(7, 4096, 90..98), span(8, 9, 16..21), span(1_000_000, 1_000_000, 70..75)];
        assert_eq!(spans.in_order(), order);
        assert_eq!(spans.around(9).collect::<Vec<_>>(), [&order[1], &order[0]]);
        assert!(spans.may_hold(b"a,1") && !spans.may_hold(b"ab,1"));
    }

    #[test]
    fn a_full_page_holds_its_slots_and_no_others() {
        let mut spans = Spans::default();
        for slot in (PAGE..2 * PAGE).rev().chain(PAGE..PAGE + 10) {
            spans.set(slot, &(1..2), 1, b"");
        }
        assert!(matches!(spans.pages[1], Page::Full));
        assert_eq!(spans.count(), PAGE);
        assert!((PAGE..2 * PAGE).all(|slot| spans.holds(slot)));
        assert!(!spans.holds(PAGE - 1) && !spans.holds(2 * PAGE));
    }
}
