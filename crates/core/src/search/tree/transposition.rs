//! Transpositions: equal positions share their children.
//!
//! A node is a move in a position and has its own results. The children of the resulting position, the family, are kept
//! once (UCT1 of Childs, Brodeur, Kocsis 2008, "Transpositions and move groups in Monte Carlo tree search": the values
//! of moves in a position are those of all visits, along every path). The tree is then an acyclic graph. Rejected:
//! separate values of positions (their UCT2), because each would have to be backed up to every parent.

/// The families of positions: an open hash table of keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    keys: Vec<u128>,
    /// The visits of each family's position, along every path.
    pub(crate) visits: Vec<u32>,
    /// Families, or [`EMPTY`]. The number of slots is a power of two, and at least twice the number of families.
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Index {
    /// The largest number of bytes of a family.
    pub(crate) const BYTES: u64 = (size_of::<u128>() + size_of::<u32>() + 4 * size_of::<u32>()) as u64;

    /// The families whose positions have this key.
    pub(crate) fn families(&self, key: u128) -> impl Iterator<Item = u32> + '_ {
        let from = if self.slots.is_empty() { 0 } else { self.home(key) };
        let places = (from..self.slots.len()).chain(0..from);
        let taken = places.map(|place| self.slots[place]).take_while(|&family| family != EMPTY);
        taken.filter(move |&family| self.keys[family as usize] == key)
    }

    /// Adds the key and the visits of the next family.
    pub(crate) fn push(&mut self, key: u128, visits: u32) {
        self.keys.push(key);
        self.visits.push(visits);
        if 2 * self.keys.len() > self.slots.len() {
            self.rebuild();
        } else {
            self.insert(self.keys.len() - 1);
        }
    }

    /// Keeps the families with a new place, in their order.
    pub(crate) fn keep(&mut self, moved: &[u32]) {
        let mut keeps = moved.iter().map(|&moved| moved != EMPTY);
        self.keys.retain(|_| keeps.next().expect("every family is moved or not"));
        let mut keeps = moved.iter().map(|&moved| moved != EMPTY);
        self.visits.retain(|_| keeps.next().expect("every family is moved or not"));
        self.rebuild();
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.visits.clear();
        self.slots.clear();
    }

    fn home(&self, key: u128) -> usize {
        // Fibonacci hashing; keys may differ in any of their bits.
        let mixed = ((key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key as u64;
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize & (self.slots.len() - 1)
    }

    fn insert(&mut self, family: usize) {
        let mut place = self.home(self.keys[family]);
        while self.slots[place] != EMPTY {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = family as u32;
    }

    fn rebuild(&mut self) {
        self.slots.clear();
        self.slots.resize((2 * self.keys.len() + 1).next_power_of_two().max(16), EMPTY);
        for family in 0..self.keys.len() {
            self.insert(family);
        }
    }
}
