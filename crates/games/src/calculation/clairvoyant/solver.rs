use super::layer::Layer;
use super::rollouts::Rollouts;
use crate::calculation::{Calculation, Move, Position, Rank};
use crate::game::Game;
use crate::rng::Rng;

/// Whether a deal can be won with its order known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The deal is won by these moves and turned cards from the position.
    Won(Vec<Move>),
    /// The deal cannot be won: the search examined everything.
    Lost,
    /// The search ended without a proof.
    Undecided,
}

/// With fewer cards left than this, only the search by layers runs.
const SHORT: usize = 12;

/// A verdict, and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The verdict.
    pub verdict: Verdict,
    /// The positions that the search made.
    pub nodes: u64,
}

/// A solver that knows the order of the stock: a bound, never a player.
///
/// A deal is searched with layers of at most 8 positions, then 64, and so on. After each such search, nested rollouts make
/// eight times as many positions as all of these together. It ends if the deal is won, if a search by layers dropped
/// nothing and found no win, or if the positions are spent. Only layers search the last twelve cards. Rollouts put up every
/// card that can go up; only layers can hold a card back.
///
/// # Example
/// ```
/// use shikou::game::Game;
/// use shikou::games::calculation::{Calculation, Clairvoyant, Rank, Verdict};
/// let game = Calculation::default().with_piles(3);
/// let position = game.parse_position("up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 49T | hand -").unwrap();
/// let order = ['T', '9', '4'].map(|letter| Rank::from_char(letter).unwrap());
/// let solution = Clairvoyant::new(&game, 10_000).solve(&position, &order);
/// let Verdict::Won(moves) = solution.verdict else { panic!("the witness can be won") };
/// let mut end = position;
/// moves.into_iter().for_each(|mv| game.apply(&mut end, mv));
/// assert_eq!(end.cards_up(), 52);
/// ```
#[derive(Clone, Debug)]
pub struct Clairvoyant<'g> {
    game: &'g Calculation,
    nodes: u64,
}

impl<'g> Clairvoyant<'g> {
    /// A solver that examines at most about `nodes` positions per deal.
    pub const fn new(game: &'g Calculation, nodes: u64) -> Self {
        Self { game, nodes }
    }

    /// Whether the game can be won from a position at a chance turn or at its end if the stock comes in this order.
    ///
    /// # Panics
    /// If a card is in hand, or the order does not match the position's stock.
    ///
    /// # Cost
    /// About 2 µs per position, and 200 bytes per kept position.
    pub fn solve(&self, from: &Position, order: &[Rank]) -> Solution {
        assert!(from.hand().is_none(), "a card is in hand");
        let count = |rank| order.iter().filter(|&&other| other == rank).count();
        assert!(Rank::all().all(|rank| count(rank) == usize::from(from.stock(rank))), "another stock");
        let mut rollouts = Rollouts::new(self.game, from, order);
        let (mut nodes, mut in_layers) = (0, 0);
        let mut width = 8;
        loop {
            let before = nodes;
            let verdict = self.search(from, order, width, &mut nodes);
            if verdict != Verdict::Undecided || nodes >= self.nodes {
                return Solution { verdict, nodes };
            }
            in_layers += nodes - before;
            if order.len() > SHORT {
                let limit = (8 * in_layers).min(self.nodes - nodes);
                if let Some(line) = rollouts.win(limit, &mut nodes) {
                    return Solution { verdict: Verdict::Won(line), nodes };
                }
            }
            width *= 8;
        }
    }

    /// One search with layers of this width.
    fn search(&self, from: &Position, order: &[Rank], width: usize, nodes: &mut u64) -> Verdict {
        // The cards, and at the end the moves with an empty stock.
        let cards = order.iter().copied().map(Some).chain([None]);
        let mut layers = vec![Layer::root(*from)];
        for card in cards {
            let next = layers[layers.len() - 1].next(self.game, card, width, nodes);
            if next.entries.is_empty() || *nodes >= self.nodes {
                return if next.cut || *nodes >= self.nodes { Verdict::Undecided } else { Verdict::Lost };
            }
            layers.push(next);
        }
        let last = &layers[layers.len() - 1];
        match last.won(self.game) {
            Some(entry) => Verdict::Won(line(&layers, entry)),
            None if last.cut => Verdict::Undecided,
            None => Verdict::Lost,
        }
    }
}

/// The moves that lead to an entry of the last layer.
fn line(layers: &[Layer], mut entry: usize) -> Vec<Move> {
    let mut parts = Vec::new();
    for layer in layers.iter().skip(1).rev() {
        parts.push(&layer.entries[entry].moves);
        entry = layer.entries[entry].parent as usize;
    }
    parts.into_iter().rev().flatten().copied().collect()
}

impl Calculation {
    /// Draws the order of a new game's stock: each card is one pick among the cards left, by cumulative counts, ace
    /// first. The deals of experiments are made in this way.
    pub fn deal(&self, rng: &mut Rng) -> Vec<Rank> {
        let start = self.start();
        let mut left: Vec<(Rank, u64)> = Rank::all().map(|rank| (rank, start.stock(rank).into())).collect();
        let turn = |total| {
            let mut pick = rng.below(total);
            let falls_on = |(_, copies): &&mut (Rank, u64)| {
                let falls = pick < *copies;
                pick = pick.wrapping_sub(*copies);
                falls
            };
            let (rank, copies) = left.iter_mut().find(falls_on).expect("a pick falls on a card");
            *copies -= 1;
            *rank
        };
        (1..=u64::from(start.stock_len())).rev().map(turn).collect()
    }
}
