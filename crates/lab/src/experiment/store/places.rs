//! The places of trials in a log: a large sparse table.

/// The number of places of a page.
const PAGE: usize = 4096;

/// For each slot a place, or none. Memory is allocated by the page, so that a plan of a billion trials costs nothing
/// before they are played.
///
/// # Cost
/// Eight bytes a slot of a page that is in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    pages: Vec<Option<Box<[u64]>>>,
    count: u64,
}

impl Places {
    /// The place of a slot, never 0: a log does not begin with a trial.
    pub(crate) fn get(&self, slot: u64) -> Option<u64> {
        let page = self.pages.get(slot as usize / PAGE)?.as_ref()?;
        Some(page[slot as usize % PAGE]).filter(|&place| place > 0)
    }

    /// Records a place. A slot keeps its first place.
    pub(crate) fn set(&mut self, slot: u64, place: u64) {
        let page = slot as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page].get_or_insert_with(|| vec![0; PAGE].into_boxed_slice());
        let entry = &mut page[slot as usize % PAGE];
        if *entry == 0 {
            *entry = place;
            self.count += 1;
        }
    }

    /// The number of slots with a place.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// The slots that have a place, with it, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let pages = self.pages.iter().enumerate();
        pages.filter_map(|(number, page)| Some((number, page.as_ref()?))).flat_map(|(number, page)| {
            let slots = page.iter().enumerate().filter(|(_, place)| **place > 0);
            slots.map(move |(slot, &place)| ((number * PAGE + slot) as u64, place))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_their_first_place() {
        let mut places = Places::default();
        assert_eq!((places.get(0), places.get(1 << 40)), (None, None));
        for (slot, place) in [(1_000_000, 7), (3, 9), (4096, 11), (3, 12)] {
            places.set(slot, place);
        }
        assert_eq!((places.get(3), places.get(4), places.get(4096)), (Some(9), None, Some(11)));
        assert_eq!(places.iter().collect::<Vec<_>>(), [(3, 9), (4096, 11), (1_000_000, 7)]);
        assert_eq!(places.count(), 3);
    }
}
