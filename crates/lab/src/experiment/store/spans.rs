//! The trials of a compact log, and the blocks that hold them.
//!
//! A bit a trial where a page of them is incomplete, and for each block the range of its trials: so memory hardly grows with the
//! log. What exactly a block holds, it says itself.

/// The number of slots of a page.
const PAGE: u64 = 4096;

/// The slots that a block holds, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) first: u64,
    pub(super) last: u64,
    /// The place of the block in the file.
    pub(super) place: u64,
}

/// A page of slots: which of them are held.
#[derive(Clone, Debug)]
enum Page {
    Empty,
    Part(Box<[u64; PAGE as usize / 64]>),
    Full,
}

/// For each slot whether it is held, and for each block its span.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pages: Vec<Page>,
    count: u64,
    blocks: Vec<Span>,
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

    /// Records that the block at this place holds a slot. A slot stays with its first block.
    pub(super) fn set(&mut self, slot: u64, place: u64) {
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
        match self.blocks.last_mut() {
            Some(span) if span.place == place => {
                (span.first, span.last) = (span.first.min(slot), span.last.max(slot));
            }
            _ => self.blocks.push(Span { first: slot, last: slot, place }),
        }
    }

    /// The number of slots that are held.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The spans by their first slots.
    pub(super) fn in_order(&self) -> Vec<Span> {
        let mut spans = self.blocks.clone();
        spans.sort_unstable();
        spans
    }

    /// The spans that may hold a slot, in the order of the file.
    pub(super) fn around(&self, slot: u64) -> impl Iterator<Item = Span> + '_ {
        self.blocks.iter().copied().filter(move |span| (span.first..=span.last).contains(&slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_stay_with_their_first_block() {
        let mut spans = Spans::default();
        for (slot, place) in [(9, 16), (8, 16), (8, 70), (1_000_000, 70), (9, 80), (4096, 90)] {
            spans.set(slot, place);
        }
        assert_eq!(spans.count(), 4);
        assert!([8, 9, 4096, 1_000_000].into_iter().all(|slot| spans.holds(slot)));
        assert!([0, 7, 10, 4095, 1 << 40].into_iter().all(|slot| !spans.holds(slot)));
        let span = |first, last, place| Span { first, last, place };
        let order = [span(8, 9, 16), span(4096, 4096, 90), span(1_000_000, 1_000_000, 70)];
        assert_eq!(spans.in_order(), order);
        assert_eq!(spans.around(9).collect::<Vec<_>>(), order[..1]);
    }

    #[test]
    fn a_full_page_holds_its_slots_and_no_others() {
        let mut spans = Spans::default();
        for slot in (PAGE..2 * PAGE).rev().chain(PAGE..PAGE + 10) {
            spans.set(slot, slot % 7);
        }
        assert!(matches!(spans.pages[1], Page::Full));
        assert_eq!(spans.count(), PAGE);
        assert!((PAGE..2 * PAGE).all(|slot| spans.holds(slot)));
        assert!(!spans.holds(PAGE - 1) && !spans.holds(2 * PAGE));
    }
}
