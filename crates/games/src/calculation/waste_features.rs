//! Features of the waste piles, for weighted sums and learned policies.
//!
//! The key decision: a feature sees a card of a pile and only what lies below it. So a card that goes onto a pile adds its own
//! numbers and changes no other, and the piles that are open to it are compared at the cost of one card each.

use std::sync::Arc;

use super::{Calculation, MoveKind, Position, Rank};
use crate::game::{
    ChildSum, ChildValues, Ends, Features, Found, Game, GameExt, Player, WeightedSum, made_sum,
};

/// Tables of the cards in the piles. The *need* of a card is the number of cards that the nearest foundation takes before its
/// rank. Each table counts the cards of the piles:
///
/// | table | by |
/// |---|---|
/// | `top` | the need of the card and of the card below it, and the stock |
/// | `least` | the need of the card and the least need below it, and the stock |
/// | `both` | all three needs |
/// | `copies` | the need of the card and the least need below it, and the copies of both ranks in the stock |
/// | `place` | the need of the card and of the card below it, and the number of cards below |
/// | `ranks` | the rank of the card and of the card below it |
/// | `sooner` | the need of the card, and the number of cards below that are needed sooner |
/// | `base` | the rank of the card, and the number of cards below |
/// | `spare` | the need of the card, its copies in the stock, and the stock |
///
/// Other numbers are of the whole position: the cards up, the height of each foundation, the empty piles, the need of the card
/// in hand, and for each foundation the copies in the stock of the rank that it wants. The stock counts in four parts of 12
/// cards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Waste;

/// The needs of a card in a pile.
const NEEDS: usize = 13;
/// The same with one more for no card.
const OR_NONE: usize = NEEDS + 1;
/// The parts of the stock, the numbers of copies, the numbers of cards below; the last also counts what is more.
const STOCKS: usize = 4;
const COPIES: usize = 4;
const BELOW: usize = 8;

/// A table: its name, and the size of each of its indices.
struct Table(&'static str, &'static [usize]);

const OF_CARDS: [Table; 9] = [
    Table("top", &[NEEDS, OR_NONE, STOCKS]),
    Table("least", &[NEEDS, OR_NONE, STOCKS]),
    Table("both", &[NEEDS, OR_NONE, OR_NONE]),
    Table("copies", &[NEEDS, OR_NONE, COPIES, COPIES]),
    Table("place", &[NEEDS, OR_NONE, BELOW]),
    Table("ranks", &[NEEDS, OR_NONE]),
    Table("sooner", &[NEEDS, BELOW]),
    Table("base", &[NEEDS, BELOW]),
    Table("spare", &[NEEDS, COPIES, STOCKS]),
];

/// The tables of the position; a rank counts from 0.
const OF_POSITIONS: [Table; 5] = [
    Table("up", &[1]),
    Table("height", &[4, 14]),
    Table("empty", &[9]),
    Table("hand", &[OR_NONE]),
    Table("wanted", &[4, COPIES + 1]),
];

impl Table {
    const fn size(&self) -> usize {
        let (mut size, mut index) = (1, 0);
        while index < self.1.len() {
            size *= self.1[index];
            index += 1;
        }
        size
    }

    fn names(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.size()).map(|mut number| {
            let mut indices = Vec::new();
            for size in self.1.iter().rev() {
                indices.push((number % size).to_string());
                number /= size;
            }
            indices.reverse();
            format!("{}-{}", self.0, indices.join("-"))
        })
    }
}

/// The first index of each table, and after the last one.
const fn starts<const TABLES: usize, const ENDS: usize>(
    first: usize,
    tables: &[Table; TABLES],
) -> [usize; ENDS] {
    let mut starts = [first; ENDS];
    let mut table = 0;
    while table < TABLES {
        starts[table + 1] = starts[table] + tables[table].size();
        table += 1;
    }
    starts
}

const CARD: [usize; 10] = starts(0, &OF_CARDS);
const POSITION: [usize; 6] = starts(CARD[9], &OF_POSITIONS);

/// The part of a position on which the numbers of all cards depend.
struct View {
    needs: [u8; 16],
    copies: [u8; 16],
    stock: usize,
}

/// The cards below a card.
#[derive(Clone, Copy)]
struct Pile {
    /// The cards, from the bottom.
    cards: [u8; 52],
    height: usize,
}

impl View {
    fn new(position: &Position) -> Self {
        let mut copies = [0; 16];
        for rank in Rank::all() {
            copies[usize::from(rank.number())] = position.stock(rank).min(COPIES as u8 - 1);
        }
        let stock = (position.stock_len() as usize / 12).min(STOCKS - 1);
        Self { needs: position.nearest(), copies, stock }
    }

    /// The need of a card that some foundation still takes.
    fn need(&self, card: u8) -> usize {
        usize::from(self.needs[usize::from(card)]).min(NEEDS - 1)
    }

    /// The indices of a card on a pile.
    #[inline]
    fn indices(&self, card: u8, below: &[u8]) -> [usize; 9] {
        let need = self.need(card);
        let (mut least, mut least_copies, mut sooner) = (NEEDS, 0, 0);
        for &other in below {
            let (other_need, copies) = (self.need(other), usize::from(self.copies[usize::from(other)]));
            // Of equal needs the one with the fewest copies counts.
            if (other_need, copies) < (least, least_copies) || least == NEEDS {
                (least, least_copies) = (other_need, copies);
            }
            sooner += usize::from(other_need < need);
        }
        let top = below.last().map_or(NEEDS, |&top| self.need(top));
        let top_rank = below.last().map_or(NEEDS, |&top| usize::from(top) - 1);
        let (rank, copies) = (usize::from(card) - 1, usize::from(self.copies[usize::from(card)]));
        let (height, sooner) = (below.len().min(BELOW - 1), sooner.min(BELOW - 1));
        let pair = need * OR_NONE + top;
        [
            CARD[0] + pair * STOCKS + self.stock,
            CARD[1] + (need * OR_NONE + least) * STOCKS + self.stock,
            CARD[2] + pair * OR_NONE + least,
            CARD[3] + ((need * OR_NONE + least) * COPIES + copies) * COPIES + least_copies,
            CARD[4] + pair * BELOW + height,
            CARD[5] + rank * OR_NONE + top_rank,
            CARD[6] + need * BELOW + sooner,
            CARD[7] + rank * BELOW + height,
            CARD[8] + (need * COPIES + copies) * STOCKS + self.stock,
        ]
    }
}

impl Pile {
    /// A pile, counted from 1.
    #[inline]
    fn new(position: &Position, pile: u8) -> Self {
        let mut this = Self { cards: [0; 52], height: 0 };
        for rank in position.pile(pile) {
            this.cards[this.height] = rank.number();
            this.height += 1;
        }
        this.cards[..this.height].reverse();
        this
    }

    #[inline]
    fn cards(&self) -> &[u8] {
        &self.cards[..self.height]
    }
}

/// Shows every number that is not 0: its index and its value.
#[inline]
fn each(game: &Calculation, position: &Position, mut show: impl FnMut(usize, i32)) {
    let view = View::new(position);
    let mut empty = 0;
    for pile in 1..=game.piles() {
        let pile = Pile::new(position, pile);
        empty += usize::from(pile.height == 0);
        for (place, &card) in pile.cards().iter().enumerate() {
            for index in view.indices(card, &pile.cards()[..place]) {
                show(index, 1);
            }
        }
    }
    show(POSITION[0], position.cards_up().into());
    show(POSITION[2] + empty, 1);
    let hand = position.hand().map_or(NEEDS, |rank| view.need(rank.number()));
    show(POSITION[3] + hand, 1);
    for (foundation, height) in (0..game.deck().suits()).zip(position.heights()) {
        show(POSITION[1] + usize::from(foundation) * 14 + usize::from(height), 1);
        let wanted = position.wanted(foundation + 1).map_or(COPIES, |rank| position.stock(rank).into());
        show(POSITION[4] + usize::from(foundation) * (COPIES + 1) + wanted, 1);
    }
}

/// Shows the numbers after each pile that is open to the card in hand, less those that all of them share; `None` if the player
/// has another move.
#[inline]
fn each_pile(game: &Calculation, position: &Position, mut show: impl FnMut(usize, usize, i32)) -> Option<()> {
    let card = position.hand().filter(|_| position.offers() | position.hand_offer() == 0)?;
    let view = View::new(position);
    let empty = (position.empty_piles() & ((1 << game.piles()) - 1)).count_ones() as usize;
    for (number, mv) in game.moves(position).enumerate() {
        let MoveKind::HandDown { pile } = mv.kind() else { unreachable!("no card can go up") };
        let pile = Pile::new(position, pile);
        for index in view.indices(card.number(), pile.cards()) {
            show(number, index, 1);
        }
        show(number, POSITION[2] + empty - usize::from(pile.height == 0), 1);
    }
    Some(())
}

impl Features<Calculation> for Waste {
    fn names(&self, _game: &Calculation) -> Vec<String> {
        OF_CARDS.iter().chain(&OF_POSITIONS).flat_map(Table::names).collect()
    }

    fn values(&self, game: &Calculation, position: &Position, _player: Player, values: &mut [i32]) {
        values.fill(0);
        each(game, position, |index, value| values[index] += value);
    }

    fn largest(&self, _game: &Calculation) -> Option<i32> {
        Some(52)
    }

    fn prepared(&self, game: &Calculation, weights: &[i64]) -> Option<Arc<dyn WeightedSum<Calculation>>> {
        Some(Arc::new(WasteSum { game: game.clone(), weights: weights.to_vec() }))
    }

    fn after_moves(
        &self,
        game: &Calculation,
        position: &Position,
        _player: Player,
        show: &mut dyn FnMut(usize, usize, i32),
    ) {
        if each_pile(game, position, &mut *show).is_none() {
            for (number, (_, child)) in game.children(position).enumerate() {
                each(game, &child, |index, value| show(number, index, value));
            }
        }
    }
}

struct WasteSum {
    game: Calculation,
    weights: Vec<i64>,
}

impl WeightedSum<Calculation> for WasteSum {
    fn sum(&self, position: &Position, _player: Player) -> i64 {
        let mut sum = 0;
        each(&self.game, position, |index, value| sum += self.weights[index] * i64::from(value));
        sum
    }

    fn each_child(
        &self,
        game: &Calculation,
        position: &Position,
        wanted: ChildValues,
        found: Found<'_, ChildSum>,
    ) {
        // The card may be the last one, and then the sum is not that of a finished game.
        if wanted.compared && (wanted.ends == Ends::Unknown || position.stock_len() > 0) {
            let mut sums = [0; 8];
            let weights = &self.weights;
            let add = |number: usize, index: usize, value| sums[number] += weights[index] * i64::from(value);
            if each_pile(game, position, add).is_some() {
                let count = game.move_count(position) as usize;
                let _ = sums[..count].iter().try_for_each(|&sum| found(ChildSum::Sum(sum)));
                return;
            }
        }
        let made = made_sum::<Calculation>(|position, player| self.sum(position, player));
        made.each_child(game, position, wanted, found);
    }
}
