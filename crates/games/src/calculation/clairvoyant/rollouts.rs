use super::super::position::Position;
use super::relaxed::{Relaxed, relaxed};
use crate::calculation::moves::DOWN;
use crate::calculation::{Calculation, Move, Rank, WasteFirst};
use crate::game::{Bits, Game, Turn};
use crate::rng::{Rng, Stream};

const LEVEL: u32 = 2;
/// The number of searches of the next lower level in each search.
const ITERATIONS: u32 = 50;
/// The length of a step of adaptation.
const STEP: f64 = 0.3;

/// The logarithms of weights: for each card of the stock in its order, for each pile.
type Weights = [[f64; 8]; 52];

/// Nested rollout policy adaptation (Rosin 2011, "Nested rollout policy adaptation for Monte Carlo tree search") over
/// the pile for each card, with a bias (Cazenave 2020, "Generalized nested rollout policy adaptation") towards piles where the
/// card delays no other in the relaxed deal. Cards that can go up go up. A rollout ends if the relaxed deal is not won.
///
/// A search without a win restarts with a new policy.
pub(super) struct Rollouts<'a> {
    game: &'a Calculation,
    from: &'a Position,
    order: &'a [Rank],
    rng: Rng,
    /// The number of cards turned, and its limit.
    nodes: u64,
    limit: u64,
}

/// A line of play through the deal.
#[derive(Clone)]
struct Way {
    /// The number of cards that it placed; one more if it wins.
    reach: usize,
    /// For each card, the pile (from 0) that it went onto, if any.
    piles: [Option<u8>; 52],
}

impl<'a> Rollouts<'a> {
    pub(super) fn new(game: &'a Calculation, from: &'a Position, order: &'a [Rank]) -> Self {
        let rng = (Stream::new(0) / "clairvoyant").rng();
        Self { game, from, order, rng, nodes: 0, limit: 0 }
    }

    /// Searches until the deal is won, and returns its moves, or until about `limit` more cards are turned. Adds these
    /// to `nodes`.
    pub(super) fn win(&mut self, limit: u64, nodes: &mut u64) -> Option<Vec<Move>> {
        self.limit = self.nodes + limit;
        let before = self.nodes;
        let mut won = None;
        while won.is_none() && self.nodes < self.limit && !self.order.is_empty() {
            let way = self.search(LEVEL, &[[0.0; 8]; 52]);
            if way.reach > self.order.len() {
                let mut moves = Vec::new();
                self.walk(&[[0.0; 8]; 52], |_, card, _| way.piles[card], Some(&mut moves));
                won = Some(moves);
            }
        }
        *nodes += self.nodes - before;
        won
    }

    /// The best line that a search of this level finds.
    fn search(&mut self, level: u32, weights: &Weights) -> Way {
        if level == 0 {
            return self.playout(weights);
        }
        let mut weights = *weights;
        let mut best = Way { reach: 0, piles: [None; 52] };
        for _ in 0..ITERATIONS {
            let way = self.search(level - 1, &weights);
            if way.reach >= best.reach {
                best = way;
            }
            if best.reach > self.order.len() || self.nodes >= self.limit {
                break;
            }
            self.adapt(&mut weights, &best);
        }
        best
    }

    fn playout(&mut self, weights: &Weights) -> Way {
        let mut piles = [None; 52];
        let reach = self.walk(
            weights,
            |rng, card, probabilities| {
                let mut pick = rng.unit();
                let possible = || (0_u8..).zip(probabilities).filter(|(_, probability)| **probability > 0.0);
                let falls_on = |&(_, probability): &(u8, &f64)| {
                    pick -= probability;
                    pick < 0.0
                };
                // Rounding can leave a remainder after the last pile.
                let found = possible().find(falls_on).or_else(|| possible().last());
                piles[card] = found.map(|(pile, _)| pile);
                piles[card]
            },
            None,
        );
        Way { reach, piles }
    }

    /// Adapts the weights towards a line, with the probabilities before the adaptation.
    fn adapt(&mut self, weights: &mut Weights, way: &Way) {
        let before = *weights;
        self.walk(
            &before,
            |_, card, probabilities| {
                for (weight, probability) in weights[card].iter_mut().zip(probabilities) {
                    *weight -= STEP * probability;
                }
                if let Some(pile) = way.piles[card] {
                    weights[card][usize::from(pile)] += STEP;
                }
                way.piles[card]
            },
            None,
        );
    }

    /// Plays the deal until it ends, or appears lost. For each card that must go onto a pile, calls `choose` with its
    /// number and the probability of each pile; `choose` returns the pile. Returns the number of cards placed, and one
    /// more if the game is won.
    fn walk(
        &mut self,
        weights: &Weights,
        mut choose: impl FnMut(&mut Rng, usize, &[f64; 8]) -> Option<u8>,
        mut moves: Option<&mut Vec<Move>>,
    ) -> usize {
        let game = self.game;
        let mut position = *self.from;
        let mut make = |position: &mut Position, mv: Move| {
            game.apply(position, mv);
            if let Some(moves) = &mut moves {
                moves.push(mv);
            }
        };
        for (card, &rank) in self.order.iter().enumerate() {
            make(&mut position, Move::turned(rank));
            self.nodes += 1;
            put_up(game, &mut position, &mut make);
            if !position.has_hand() {
                continue;
            }
            let left = &self.order[card + 1..];
            let Some(probabilities) = probabilities(game, &position, rank, left, &weights[card]) else {
                return card;
            };
            let Some(pile) = choose(&mut self.rng, card, &probabilities) else { return card };
            make(&mut position, Move::from_code(DOWN + pile));
        }
        put_up(game, &mut position, &mut make);
        self.order.len() + usize::from(position.cards_up() == game.deck().cards())
    }
}

/// Puts up all cards that can go up: tops of piles first, then the card in hand.
fn put_up(game: &Calculation, position: &mut Position, make: &mut impl FnMut(&mut Position, Move)) {
    while game.turn(position) != Turn::Chance {
        let up = WasteFirst::ups(position);
        if up == 0 {
            return;
        }
        make(position, Move::from_code(up.trailing_zeros() as u8));
    }
}

/// The probability of each pile for the card in hand; `None` if the relaxed deal is not won.
fn probabilities(
    game: &Calculation,
    position: &Position,
    card: Rank,
    left: &[Rank],
    weights: &[f64; 8],
) -> Option<[f64; 8]> {
    let won = |relaxed: &Relaxed| relaxed.cards_up == game.deck().cards();
    let now = relaxed(*position, Some(card), left);
    if !won(&now) {
        return None;
    }
    let mut logs = [f64::NEG_INFINITY; 8];
    let mut empty = false;
    for pile in Bits::new(game.open_piles(position)) {
        let top = now.tops[usize::from(pile)];
        let bias = match position.pile(pile + 1).next() {
            // Empty piles are alike.
            None if empty => continue,
            None => {
                empty = true;
                -0.03 * f64::from(now.end - now.card)
            }
            Some(_) if top > now.card => -0.01 * f64::from(top - now.card),
            Some(_) => {
                let mut covered = *position;
                covered.hand_down(pile);
                let then = relaxed(covered, None, left);
                // Another order of the foundations may even gain.
                let delay = f64::from(now.progress) - f64::from(then.progress);
                -0.05 * delay - if won(&then) { 0.0 } else { 10.0 }
            }
        };
        logs[usize::from(pile)] = weights[usize::from(pile)] + bias;
    }
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares = logs.map(|log| libm::exp(log - largest));
    let sum: f64 = shares.iter().sum();
    Some(shares.map(|share| share / sum))
}
