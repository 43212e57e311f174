//! Bags: a position as groups of numbered things, for networks that sum over the things of a group (Zaheer et al. 2017, "Deep
//! Sets").
//!
//! The key decision: a bag says nothing of the order of its things, and the pooled bags of a position are alike: what is to be
//! known of an order or a place is in the number of a thing. So the network sees a pile as a pile, whichever it is.

use super::Game;

/// The description of a solitaire's positions by bags of numbered things: some pooled bags, whose order means nothing, such as
/// its piles, and after them one bag of the whole position.
///
/// # Laws
/// - `fill` depends on the game and the position only. It closes as many pooled bags for every position of a game, and one
///   more, and every thing is below `kinds`.
/// - `fill_grown` says the same as `fill`, in fewer things.
#[derive(Clone)]
pub struct Bags<G: Game> {
    /// The number of kinds of things.
    pub kinds: usize,
    /// Puts the things of a position into empty bags.
    pub fill: fn(&G, &G::Position, &mut BagList),
    /// A number that tells most positions apart: that of equal positions is equal. 0 for every position tells none apart.
    pub key: fn(&G::Position) -> u64,
    /// The pooled bag that is the only one to change from one position to another, by a move of the player that only puts
    /// things after those that it had. Then two empty bags are filled: what is new there, and the bag of the whole position.
    /// `None` if there is no such bag; a function that always returns `None` is right for every game.
    pub fill_grown: fn(&G, [&G::Position; 2], &mut BagList) -> Option<usize>,
}

/// Bags, one after the other.
///
/// # Example
/// ```
/// use shikou::game::BagList;
/// let mut bags = BagList::default();
/// bags.put(3);
/// bags.put(3);
/// bags.close();
/// bags.close();
/// assert_eq!(bags.iter().collect::<Vec<_>>(), [&[3, 3][..], &[]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BagList {
    things: Vec<u32>,
    ends: Vec<usize>,
}

impl BagList {
    /// Removes all bags.
    pub fn clear(&mut self) {
        self.things.clear();
        self.ends.clear();
    }

    /// Puts a thing into the open bag.
    #[inline]
    pub fn put(&mut self, thing: usize) {
        self.things.push(thing as u32);
    }

    /// Closes the open bag, and opens the next.
    pub fn close(&mut self) {
        self.ends.push(self.things.len());
    }

    /// The number of closed bags.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no bag is closed.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The things of each closed bag.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        (0..self.ends.len()).map(|bag| {
            let begin = if bag == 0 { 0 } else { self.ends[bag - 1] };
            &self.things[begin..self.ends[bag]]
        })
    }
}
