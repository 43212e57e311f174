//! Bags of the piles, for networks that value positions.
//!
//! The key decision: a card is described together with what lies below it, by many small tables of two to four numbers each, as
//! n-tuples describe a board. Their sums are cheap, and the network combines them. Rejected: one number for each card and place,
//! from which a network would have to learn what a foundation is.

use super::{Calculation, Position, Rank};
use crate::game::{BagList, Bags};

/// A bag for each pile, and one for the foundations, the stock, and the piles together.
///
/// The *need* of a card is the number of cards that the nearest foundation takes before its rank, its *second need* that of the
/// next foundation. The number of a thing is an entry of a table. Those of a card in a pile: its needs, those of the card below it
/// and the least below it; ranks of three cards in a row; copies in the stock; cards below that are needed sooner, and those of
/// them without a copy in the stock; the pair with each card below; for each foundation its height, and the ranks of the card and
/// the one below. Those of the position: the heights of pairs of foundations and of all; for the next two ranks of each, copies in
/// the stock and the least number of cards above one; empty piles; the copies of each rank; the needs of the tops, and the least
/// needs of the piles.
pub const PILE_BAGS: Bags<Calculation> =
    Bags { kinds: FIRST[TABLES.len()], fill, key: |position| position.tells_apart(), fill_grown };

/// The numbers of an index: needs, with one more for none; ranks, with one more for none; heights.
const NEED: usize = 14;
const RANK: usize = 13;
const OR_NONE: usize = 14;
const HEIGHT: usize = 14;
/// No card, and no need.
const NONE: usize = 13;

/// The size of each index of each table.
const TABLES: [&[usize]; 20] = [
    &[NEED, NEED, NEED, 4],
    &[NEED, NEED, NEED, NEED],
    &[NEED, NEED, 4, 4],
    &[NEED, NEED, 8, 4],
    &[RANK, OR_NONE, OR_NONE],
    &[NEED, 6, 4, 4],
    &[RANK, 8, 8],
    &[NEED, NEED, 5, 8],
    &[RANK, NEED, NEED],
    &[NEED, NEED, 4, 2],
    &[4, HEIGHT, RANK, OR_NONE],
    &[RANK, RANK, 4],
    &[6, HEIGHT, HEIGHT],
    &[HEIGHT, HEIGHT, HEIGHT, HEIGHT],
    &[4, HEIGHT, 5, 5],
    &[4, HEIGHT, 5, 5],
    &[9, 16],
    &[RANK, 5, 5, NEED],
    &[NEED, NEED, NEED, NEED],
    &[NEED, NEED, NEED, NEED],
];

/// The first thing of each table, and after the last one.
const FIRST: [usize; TABLES.len() + 1] = {
    let mut first = [0; TABLES.len() + 1];
    let mut table = 0;
    while table < TABLES.len() {
        let (mut size, mut index) = (1, 0);
        while index < TABLES[table].len() {
            size *= TABLES[table][index];
            index += 1;
        }
        first[table + 1] = first[table] + size;
        table += 1;
    }
    first
};

/// The entry of a table at some indices.
#[inline(always)]
fn entry<const N: usize>(table: usize, indices: [usize; N]) -> usize {
    let sizes = TABLES[table];
    let mut place = 0;
    for (index, size) in indices.into_iter().zip(sizes) {
        debug_assert!(index < *size, "table {table}, index {index} of {size}");
        place = place * size + index;
    }
    FIRST[table] + place
}

/// The part of a position on which the elements of all cards depend. Ranks count from 0.
struct View {
    needs: [[usize; OR_NONE]; 2],
    copies: [usize; OR_NONE],
    heights: [usize; 4],
    stock: usize,
}

impl View {
    fn new(position: &Position) -> Self {
        let distances = position.distances();
        let need = |nearest: usize, rank: usize| usize::from(distances[nearest][rank + 1]).min(NONE);
        let needs = [0, 1]
            .map(|nearest| std::array::from_fn(|rank| if rank == NONE { NONE } else { need(nearest, rank) }));
        let mut copies = [0; OR_NONE];
        for rank in Rank::all() {
            copies[usize::from(rank.number()) - 1] = position.stock(rank).into();
        }
        let heights = position.heights().map(usize::from);
        Self { needs, copies, heights, stock: position.stock_len() as usize }
    }

    /// Puts the things of a card on a pile.
    fn card(&self, card: usize, below: &[usize], bags: &mut BagList) {
        let Self { needs: [need, second], copies, heights, stock } = self;
        let quarter = (stock / 12).min(3);
        let (mut least, mut least_copies, mut sooner, mut stuck) = (NONE, 0, 0, 0);
        for (place, &other) in below.iter().enumerate() {
            let (other_need, left) = (need[other], copies[other].min(3));
            if (other_need, left) < (least, least_copies) {
                (least, least_copies) = (other_need, left);
            }
            sooner += usize::from(other_need < need[card]);
            stuck += usize::from(other_need < need[card] && left == 0);
            bags.put(entry(9, [need[card], other_need, left, usize::from(place + 1 == below.len())]));
            bags.put(entry(11, [card, other, quarter]));
        }
        let mut under = below.iter().rev().copied().chain(std::iter::repeat(NONE));
        let (top, next) = (under.next().unwrap_or(NONE), under.next().unwrap_or(NONE));
        let (height, eighth) = (below.len().min(7), (stock / 6).min(7));
        bags.put(entry(0, [need[card], need[top], least, quarter]));
        bags.put(entry(1, [need[card], second[card], need[top], second[top]]));
        bags.put(entry(2, [need[card], least, copies[card].min(3), least_copies]));
        bags.put(entry(3, [need[card], need[top], height, quarter]));
        bags.put(entry(4, [card, top, next]));
        bags.put(entry(5, [need[card], sooner.min(5), stuck.min(3), quarter]));
        bags.put(entry(6, [card, height, eighth]));
        bags.put(entry(7, [need[card], second[card], copies[card], eighth]));
        bags.put(entry(8, [card, need[card], need[top]]));
        for (foundation, &height) in heights.iter().enumerate() {
            bags.put(entry(10, [foundation, height, card, top]));
        }
    }

    /// Puts the things of the whole position.
    fn whole(&self, game: &Calculation, position: &Position, piles: &Piles, bags: &mut BagList) {
        let Self { needs: [need, _], copies, heights, stock } = self;
        let mut pair = 0;
        for first in 0..4 {
            for second in first + 1..4 {
                bags.put(entry(12, [pair, heights[first], heights[second]]));
                pair += 1;
            }
        }
        bags.put(entry(13, *heights));
        for (foundation, &height) in (0..game.deck().suits()).zip(heights) {
            for (table, rank) in [14, 15].into_iter().zip(position.yet_to_take(foundation + 1)) {
                let rank = usize::from(rank.number()) - 1;
                bags.put(entry(table, [foundation.into(), height, copies[rank], piles.depths[rank]]));
            }
        }
        bags.put(entry(16, [piles.empty, (stock / 3).min(15)]));
        for rank in 0..RANK {
            let left = copies[rank] + piles.cards[rank];
            if left > 0 {
                bags.put(entry(17, [rank, copies[rank], left.min(4), need[rank]]));
            }
        }
        bags.put(entry(18, smallest(piles.tops)));
        bags.put(entry(19, smallest(piles.least)));
    }
}

/// Counts over all piles.
struct Piles {
    /// For each rank the cards in piles, and the least number of cards above one, 4 for none.
    cards: [usize; RANK],
    depths: [usize; RANK],
    empty: usize,
    /// The needs of the tops, and the least needs of the piles.
    tops: [usize; 8],
    least: [usize; 8],
}

impl Piles {
    const fn new() -> Self {
        Self { cards: [0; RANK], depths: [4; RANK], empty: 0, tops: [NONE; 8], least: [NONE; 8] }
    }

    /// Takes in a pile, from 0, and puts its cards into a buffer, from bottom to top. Returns them.
    fn add<'c>(
        &mut self,
        pile: u8,
        position: &Position,
        view: &View,
        buffer: &'c mut [usize; 52],
    ) -> &'c [usize] {
        let mut height = 0;
        let mut least = NONE;
        for rank in position.pile(pile + 1) {
            let card = usize::from(rank.number()) - 1;
            self.cards[card] += 1;
            self.depths[card] = self.depths[card].min(height.min(3));
            least = least.min(view.needs[0][card]);
            height += 1;
            buffer[52 - height] = card;
        }
        let cards = &buffer[52 - height..];
        self.least[usize::from(pile)] = least;
        match cards.last() {
            Some(&top) => self.tops[usize::from(pile)] = view.needs[0][top],
            None => self.empty += 1,
        }
        cards
    }
}

/// The four smallest numbers, in order.
fn smallest(mut numbers: [usize; 8]) -> [usize; 4] {
    // Behind the piles of the game there is none, which is the largest number.
    numbers.sort_unstable();
    std::array::from_fn(|place| numbers[place])
}

/// Puts the cards of each pile into a bag, and closes one more of the whole position.
fn fill(game: &Calculation, position: &Position, bags: &mut BagList) {
    let (view, mut piles, mut buffer) = (View::new(position), Piles::new(), [0; 52]);
    for pile in 0..game.piles() {
        let cards = piles.add(pile, position, &view, &mut buffer);
        for (place, &card) in cards.iter().enumerate() {
            view.card(card, &cards[..place], bags);
        }
        bags.close();
    }
    view.whole(game, position, &piles, bags);
    bags.close();
}

fn fill_grown(game: &Calculation, [before, position]: [&Position; 2], bags: &mut BagList) -> Option<usize> {
    let grown = position.pile_grown(before)?;
    let (view, mut piles, mut buffer) = (View::new(position), Piles::new(), [0; 52]);
    for pile in 0..game.piles() {
        let cards = piles.add(pile, position, &view, &mut buffer);
        if let (true, Some((&top, below))) = (pile == grown, cards.split_last()) {
            view.card(top, below, bags);
            bags.close();
        }
    }
    view.whole(game, position, &piles, bags);
    bags.close();
    Some(grown.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculation::Deck;
    use crate::game::{Game, GameExt, Turn};
    use crate::rng::PlayoutKey;
    use crate::testing::random_game;

    #[test]
    fn things_are_in_range_and_piles_have_a_bag_each() {
        for (number, deck) in (0..).zip(Deck::all()) {
            for piles in [1, 3, 8] {
                let game = Calculation::default().with_deck(deck).with_piles(piles);
                for position in random_game(&game, PlayoutKey::new(number).playout(0)) {
                    let mut bags = BagList::default();
                    fill(&game, &position, &mut bags);
                    assert_eq!(bags.len(), usize::from(game.piles()) + 1);
                    assert!(bags.iter().flatten().all(|&thing| (thing as usize) < PILE_BAGS.kinds));
                }
            }
        }
    }

    /// Whenever a bag has grown, the bags before the move with what is new are those after it.
    #[test]
    fn what_has_grown_completes_the_bags_before_the_move() {
        let filled = |game: &Calculation, position: &Position| {
            let mut bags = BagList::default();
            fill(game, position, &mut bags);
            bags.iter().map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        let (mut grown, mut others) = (0, 0);
        for (number, piles) in [(1, 1), (2, 3), (3, 4), (4, 8)] {
            let game = Calculation::default().with_piles(piles);
            let positions = random_game(&game, PlayoutKey::new(number).playout(0));
            for position in positions.iter().filter(|at| matches!(game.turn(at), Turn::Player(_))) {
                for (_, child) in game.children(position) {
                    let mut new = BagList::default();
                    let Some(bag) = fill_grown(&game, [position, &child], &mut new) else {
                        assert!(new.is_empty() && child.cards_up() > position.cards_up());
                        others += 1;
                        continue;
                    };
                    let mut bags = filled(&game, position);
                    let [things, whole] = new.iter().collect::<Vec<_>>().try_into().unwrap();
                    bags[bag].extend_from_slice(things);
                    bags[usize::from(piles)] = whole.to_vec();
                    assert_eq!(bags, filled(&game, &child));
                    grown += 1;
                }
            }
        }
        assert!(grown > 500 && others > 20, "{grown} and {others}");
    }

    /// The 9 of the first line is another copy than that of the second.
    #[test]
    fn equal_positions_have_equal_keys() {
        let game = Calculation::default();
        let [one, other, third] =
            ["9 p1 9 p2 8 p2", "9 p2 9 p1 8 p2", "9 p1 9 p2 8 p3"].map(|moves| game.follow(moves).unwrap());
        let key = PILE_BAGS.key;
        assert!(one == other && key(&one) == key(&other));
        assert!(one != third && key(&one) != key(&third));
    }

    #[test]
    fn the_numbers_of_piles_do_not_matter() {
        let game = Calculation::default();
        let [one, other] = ["9 p1 K p2 J p2", "9 p4 K p3 J p3"].map(|moves| {
            let (mut bags, position) = (BagList::default(), game.follow(moves).unwrap());
            fill(&game, &position, &mut bags);
            let mut pooled: Vec<Vec<u32>> = bags.iter().map(<[u32]>::to_vec).collect();
            let whole = pooled.pop();
            pooled.sort();
            (pooled, whole)
        });
        assert_eq!(one, other);
    }
}
