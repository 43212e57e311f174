use std::ops::ControlFlow;
use std::sync::Arc;

use super::line_values::best_move;
use super::{
    Batches, Ends, Evaluation, Game, LinePlayout, Path, PlayoutRequest, Policy, Tally, Turn, play_lines,
    play_plain_batches,
};
use crate::rng::PlayoutRng;

/// Shows the value after each move for the player to move, in the order of the moves; all may be larger by the same amount.
fn each_value<G: Game>(
    evaluation: &dyn Evaluation<G>,
    game: &G,
    position: &G::Position,
    show: &mut dyn FnMut(i64),
) {
    let Turn::Player(player) = game.turn(position) else {
        panic!("a policy was asked for a move at no player's turn")
    };
    evaluation.each_child(game, position, Ends::Known.compared(player), &mut |value| {
        show(value);
        ControlFlow::Continue(())
    });
}

/// Each move with its weight, which `weigh` writes in the place of its value.
fn weighted<G: Game>(
    evaluation: &dyn Evaluation<G>,
    game: &G,
    position: &G::Position,
    weigh: &dyn Fn(&mut [i64]),
) -> Vec<(G::Move, u32)> {
    let mut values = Vec::new();
    each_value(evaluation, game, position, &mut |value| values.push(value));
    weigh(&mut values);
    game.moves(position).zip(values).map(|(mv, weight)| (mv, weight as u32)).collect()
}

/// The policy that plays a random move with probability ε, and otherwise one of the moves whose position has the largest
/// evaluation for the player to move, each with the same probability.
///
/// # Cost
/// One draw and one evaluation per move, without allocation.
#[derive(Clone)]
pub struct EpsilonGreedy<G> {
    evaluation: Arc<dyn Evaluation<G>>,
    /// ε, in 2⁻¹⁶.
    random: u32,
}

/// The denominator of ε.
const WHOLE: u32 = 1 << 16;

impl<G: Game> EpsilonGreedy<G> {
    /// A policy with this ε, rounded to a multiple of 2⁻¹⁶.
    ///
    /// # Panics
    /// If ε is not a probability.
    pub fn new(evaluation: Arc<dyn Evaluation<G>>, epsilon: f64) -> Self {
        assert!((0.0..=1.0).contains(&epsilon), "epsilon is a probability");
        Self { evaluation, random: (epsilon * f64::from(WHOLE)).round() as u32 }
    }
}

impl<G: Game> Policy<G> for EpsilonGreedy<G> {
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        if draws.below(WHOLE) < self.random {
            return game.random_move(position, draws);
        }
        let mut seen = Ties::default();
        each_value(&*self.evaluation, game, position, &mut |value| seen.add(value, draws));
        game.moves(position).nth(seen.best).expect("a player's turn has a move")
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        weighted(&*self.evaluation, game, position, &|values| weigh_greedily(values, self.random))
    }
}

/// A move among those with the largest value so far, each with the same probability.
#[derive(Default)]
struct Ties {
    best: usize,
    largest: Option<i64>,
    /// The moves with the largest value, and all moves.
    count: u32,
    all: usize,
}

impl Ties {
    fn add(&mut self, value: i64, draws: &mut PlayoutRng) {
        if self.largest.is_none_or(|largest| value > largest) {
            (self.largest, self.count) = (Some(value), 0);
        }
        if self.largest == Some(value) {
            self.count += 1;
            // The k-th best move replaces the previous one with probability 1/k.
            if self.count == 1 || draws.below(self.count) == 0 {
                self.best = self.all;
            }
        }
        self.all += 1;
    }
}

/// The weights of moves with these values, in their place.
fn weigh_greedily(values: &mut [i64], random: u32) {
    let largest = values.iter().copied().max();
    let all = values.len() as u32;
    let best = values.iter().filter(|&&value| Some(value) == largest).count() as u32;
    // ε / all, plus (1 − ε) / best for the best, scaled by all · best · 2¹⁶.
    for value in values {
        let greedy = if Some(*value) == largest { (WHOLE - random) * all } else { 0 };
        *value = (random * best + greedy).into();
    }
}

/// The policy that plays each move with a probability proportional to exp(*v* / *T*): *v* is the evaluation of the
/// position after the move for the player to move, and *T* is the temperature (the Boltzmann distribution).
///
/// Probabilities are integer weights that add up to less than 2³²: a move with a probability below about 2⁻³² times the
/// number of moves is never played.
///
/// # Cost
/// One draw, and one evaluation and one exponential per move; a forced move is not evaluated. It allocates only for more than
/// 64 moves.
#[derive(Clone)]
pub struct Softmax<G> {
    evaluation: Arc<dyn Evaluation<G>>,
    temperature: f64,
}

impl<G: Game> Softmax<G> {
    /// A policy with this temperature, in the evaluation's units.
    ///
    /// # Panics
    /// If the temperature is not positive.
    pub fn new(evaluation: Arc<dyn Evaluation<G>>, temperature: f64) -> Self {
        assert!(temperature > 0.0, "a temperature is positive");
        Self { evaluation, temperature }
    }
}

/// The most moves whose weights need no allocation.
const FEW: usize = 64;

/// The weights of moves with these values, in their place.
fn weigh(values: &mut [i64], temperature: f64) {
    let largest = values.iter().copied().max().expect("a player's turn has a move");
    let unit = f64::from(u32::MAX / values.len() as u32);
    for value in values {
        *value = (unit * libm::exp((*value - largest) as f64 / temperature)) as i64;
    }
}

/// The number of a move drawn by the weights of these values, which take their place.
fn drawn(values: &mut [i64], temperature: f64, draws: &mut PlayoutRng) -> usize {
    weigh(values, temperature);
    let mut pick = i64::from(draws.below(values.iter().sum::<i64>() as u32));
    let chosen = values.iter().position(|&weight| {
        let is_it = pick < weight;
        pick -= weight;
        is_it
    });
    chosen.expect("a pick below the sum of the weights falls on a move")
}

impl<G: Game> Policy<G> for Softmax<G> {
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        let mut moves = game.moves(position);
        let first = moves.next().expect("a player's turn has a move");
        let count = 1 + moves.count();
        if count == 1 {
            // Every turn takes one draw.
            draws.below(u32::MAX);
            return first;
        }
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let values = few.get_mut(..count).unwrap_or_else(|| {
            many.resize(count, 0);
            &mut many[..]
        });
        let mut places = values.iter_mut();
        each_value(&*self.evaluation, game, position, &mut |value| {
            *places.next().expect("each child has a move") = value;
        });
        game.moves(position).nth(drawn(values, self.temperature, draws)).expect("each child has a move")
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        weighted(&*self.evaluation, game, position, &|values| weigh(values, self.temperature))
    }
}

/// The policy that plays the move whose position has the largest evaluation for the player to move, the first of several.
///
/// The choice takes no draws. So in a playout the *n*-th turn of chance has the *n*-th draw, whatever the player does: playouts with common
/// random numbers see the same chance after different moves.
///
/// With an evaluation of [whole lines](Evaluation::lines) it plays the first move of the best line, and playouts follow that line.
///
/// # Cost
/// One evaluation per move, without allocation; a forced move is not evaluated. Of lines, one look at each turn of the player, and
/// some allocation for each call.
#[derive(Clone)]
pub struct Best<G> {
    evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> Best<G> {
    /// The policy of an evaluation.
    pub fn new(evaluation: Arc<dyn Evaluation<G>>) -> Self {
        Self { evaluation }
    }

    fn best(&self, game: &G, position: &G::Position) -> G::Move {
        let mut moves = game.moves(position);
        let first = moves.next().expect("a player's turn has a move");
        if moves.next().is_none() {
            return first;
        }
        if let Some(mut lines) = self.evaluation.lines(game) {
            return best_move(&mut *lines, position);
        }
        let (mut best, mut largest, mut all) = (0, i64::MIN, 0);
        each_value(&*self.evaluation, game, position, &mut |value| {
            if value > largest {
                (best, largest) = (all, value);
            }
            all += 1;
        });
        game.moves(position).nth(best).expect("each child has a move")
    }
}

impl<G: Game> Policy<G> for Best<G> {
    fn choose(&self, game: &G, position: &G::Position, _draws: &mut PlayoutRng) -> G::Move {
        self.best(game, position)
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        vec![(self.best(game, position), 1)]
    }

    fn play_batches(&self, _path: Path, game: &G, batches: Batches<'_, G::Position>) -> Path {
        let Some(mut lines) = self.evaluation.lines(game) else {
            return play_plain_batches(game, self, batches);
        };
        let Batches { requests, tallies } = batches;
        for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(tallies) {
            *tally = Tally::default();
            for index in batch.first..batch.first + batch.count {
                let (mut position, mut draws) = (*from, batch.key.playout(index));
                let LinePlayout { plies, .. } =
                    play_lines(game, &mut *lines, &mut position, &mut draws, u32::MAX);
                tally.record(game.payoff(&position, *player), plies);
            }
        }
        Path::Portable
    }
}
