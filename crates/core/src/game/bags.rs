//! Bags: a position as groups of numbered things, for networks that sum over the things of a group.
//!
//! The key decision: a bag says nothing of the order of its things, and the pooled bags of a position are alike: what is to be
//! known of an order or a place is in the number of a thing. So the network sees a pile as a pile, whichever it is.

use super::{Game, Player};

/// The description of a position by bags of numbered things: some pooled bags, whose order means nothing, such as the piles of a
/// solitaire, and after them one bag of the whole position.
///
/// # Laws
/// - `kinds` and `pooled` depend on the game only.
/// - `fill` depends on the game, the position and the player only. It closes `pooled` bags and one more, and every thing is
///   below `kinds`.
/// - `fill_grown` says the same as `fill`, in fewer things.
pub trait Bags<G: Game>: Send + Sync {
    /// How many kinds of things there are.
    fn kinds(&self, game: &G) -> usize;

    /// The number of pooled bags.
    fn pooled(&self, game: &G) -> usize;

    /// Puts the things of a position into empty bags.
    fn fill(&self, game: &G, position: &G::Position, player: Player, bags: &mut BagList);

    /// A number that tells most positions apart: that of equal positions is equal. By default it tells none apart.
    fn key(&self, _game: &G, _position: &G::Position) -> u64 {
        0
    }

    /// The pooled bag that is the only one to change by a move of the player, if that only puts things after those that it had.
    /// Then two empty bags are filled: what is new there, and the bag of the whole position. By default `None`.
    fn fill_grown(
        &self,
        _game: &G,
        _before: &G::Position,
        _position: &G::Position,
        _player: Player,
        _bags: &mut BagList,
    ) -> Option<usize> {
        None
    }
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
