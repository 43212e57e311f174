//! The trials of a compact log, and the blocks that hold them.
//!
//! A bit a trial, and for each block the range of its trials: so memory hardly grows with the log. What exactly a block
//! holds, it says itself.

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

/// A page of bits.
type Page = [u64; PAGE as usize / 64];

/// For each slot whether it is held, and for each block its span.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pages: Vec<Option<Box<Page>>>,
    count: u64,
    blocks: Vec<Span>,
}

impl Spans {
    /// Whether a slot is held.
    pub(super) fn holds(&self, slot: u64) -> bool {
        let page = self.pages.get((slot / PAGE) as usize).and_then(Option::as_ref);
        page.is_some_and(|page| page[(slot % PAGE / 64) as usize] >> (slot % 64) & 1 == 1)
    }

    /// Records that the block at this place holds a slot. A slot stays with its first block.
    pub(super) fn set(&mut self, slot: u64, place: u64) {
        let page = (slot / PAGE) as usize;
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([0; PAGE as usize / 64]));
        let bits = &mut page[(slot % PAGE / 64) as usize];
        if *bits >> (slot % 64) & 1 == 1 {
            return;
        }
        *bits |= 1 << (slot % 64);
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
}
