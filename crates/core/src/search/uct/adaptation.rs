//! Playout policy adaptation (PPA): each move has a weight, and playouts choose moves in proportion to the exponentials of their weights.
//! After each playout the weights of the winner's moves grow.
//!
//! Cazenave 2015, "Playout policy adaptation for games" (ACG); 2016, "Playout policy adaptation with move features" (Theoretical Computer
//! Science 644): features in the codes of moves, and weights that are kept for the next move. As in the author's lecture, the moves in the
//! tree are adapted as those of the playout are.

use super::super::tree::{Arena, Kind, Step, entry, side};
use crate::rng::PlayoutRng;

/// The largest size of a weight that counts: sums of exponentials stay finite.
const LARGEST: f64 = 500.0;

fn exponential(weight: f64) -> f64 {
    libm::exp(weight.clamp(-LARGEST, LARGEST))
}

/// The weights of a player's moves.
#[derive(Clone, Debug, Default)]
struct Weights {
    /// For each code, the weight *w*.
    by_code: Vec<f64>,
    /// For each code, exp *w* before the present playout.
    exponentials: Vec<f64>,
    /// The codes whose weights have changed since, and for each code whether it is one.
    changed: Vec<u16>,
    is_changed: Vec<bool>,
}

impl Weights {
    #[inline(always)]
    fn exponential(&self, code: u16) -> f64 {
        self.exponentials.get(usize::from(code)).copied().unwrap_or(1.0)
    }

    fn add(&mut self, code: u16, difference: f64) {
        *entry(&mut self.by_code, code, 0.0) += difference;
        let is_changed = entry(&mut self.is_changed, code, false);
        if !*is_changed {
            *is_changed = true;
            self.changed.push(code);
        }
    }

    /// Adapts to a move of the winner: its weight grows by *α*, and that of each legal move shrinks by *α* times its probability before
    /// the playout (algorithm 2 of Cazenave 2015). `sum` is that of the exponentials.
    fn adapt(&mut self, alpha: f64, chosen: u16, (legal, sum): (impl Iterator<Item = u16>, f64)) {
        self.add(chosen, alpha);
        let step = alpha / sum;
        for code in legal {
            self.add(code, -step * self.exponential(code));
        }
    }

    /// Takes the weights as they are now for the next playout.
    fn refresh(&mut self) {
        for code in self.changed.drain(..) {
            *entry(&mut self.exponentials, code, 1.0) = exponential(self.by_code[usize::from(code)]);
            self.is_changed[usize::from(code)] = false;
        }
    }
}

/// A player's turn in a playout.
#[derive(Clone, Copy, Debug)]
struct Turn {
    side: usize,
    /// The places of the first legal move, and of the chosen one, in the list of codes.
    first: usize,
    chosen: usize,
    /// The sum of the exponentials of the legal moves.
    sum: f64,
}

/// The weights of both players, and the turns of the playout in hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Adaptation {
    weights: [Weights; 2],
    turns: Vec<Turn>,
    /// The codes of the legal moves of all turns.
    codes: Vec<u16>,
}

impl Adaptation {
    /// A move of a playout, of these with their codes: one draw.
    #[inline(always)]
    pub(super) fn choose<M, I: Iterator<Item = (M, u16)>>(
        &mut self,
        kind: Kind,
        moves: impl Fn() -> I,
        draws: &mut PlayoutRng,
    ) -> M {
        let (side, first) = (side(kind), self.codes.len());
        let weights = &self.weights[side];
        let mut sum = 0.0;
        self.codes.extend(moves().map(|(_, code)| code).inspect(|&code| sum += weights.exponential(code)));
        let mut pick = f64::from(draws.next_u32()) / 4_294_967_296.0 * sum;
        let legal = &self.codes[first..];
        let falls_on = |&code: &u16| {
            pick -= weights.exponential(code);
            pick < 0.0
        };
        // Rounding may leave the sum a little below the pick.
        let chosen = legal.iter().position(falls_on).unwrap_or(legal.len() - 1);
        self.turns.push(Turn { side, first, chosen: first + chosen, sum });
        moves().nth(chosen).expect("the moves are listed twice alike").0
    }

    /// Adapts the weights to an iteration with this value in `[0, 1]` for the player at the root: ½ is a draw, which changes nothing.
    pub(super) fn adapt(&mut self, alpha: f64, arena: &Arena, path: &[Step], value: f64) {
        let winner = if value > 0.5 { Kind::Max } else { Kind::Min };
        if value != 0.5 {
            let weights = &mut self.weights[side(winner)];
            for steps in path.windows(2).filter(|steps| steps[1].parent == winner) {
                let (parent, chosen) = (steps[0].node, arena.numbers[steps[1].node]);
                let legal = || arena.children(parent).map(|child| arena.numbers[child]);
                let sum = legal().map(|code| weights.exponential(code)).sum();
                weights.adapt(alpha, chosen, (legal(), sum));
            }
            let ends = self.turns.iter().skip(1).map(|turn| turn.first).chain([self.codes.len()]);
            for (turn, end) in self.turns.iter().zip(ends).filter(|(turn, _)| turn.side == side(winner)) {
                let legal = self.codes[turn.first..end].iter().copied();
                weights.adapt(alpha, self.codes[turn.chosen], (legal, turn.sum));
            }
            weights.refresh();
        }
        self.forget_turns();
    }

    /// Sets the weight of a move for the next playouts.
    pub(super) fn set(&mut self, kind: Kind, code: u16, weight: f64) {
        *entry(&mut self.weights[side(kind)].exponentials, code, 1.0) = exponential(weight);
    }

    /// Forgets the turns of the playout in hand.
    pub(super) fn forget_turns(&mut self) {
        self.turns.clear();
        self.codes.clear();
    }

    /// The weights as the other player sees them.
    pub(super) fn exchanged(self) -> Self {
        let [own, theirs] = self.weights;
        Self { weights: [theirs, own], ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::PlayoutKey;

    /// The move that is chosen of these codes in playout `index`.
    fn choose(policy: &mut Adaptation, kind: Kind, codes: &[u16], index: u64) -> u16 {
        let moves = || codes.iter().map(|&code| (code, code));
        policy.choose(kind, moves, &mut PlayoutKey::new(5).playout(index))
    }

    /// With *α* = 1 and four moves, the move that won has the weight 1 − ¼ and the others −¼, and so the probability e / (e + 3).
    #[test]
    fn a_move_that_won_is_played_as_often_as_the_formula_says() {
        let (mut policy, arena) = (Adaptation::default(), Arena::default());
        let codes = [9, 2, 5, 7];
        let won = choose(&mut policy, Kind::Min, &codes, 0);
        choose(&mut policy, Kind::Max, &codes, 1);
        policy.adapt(1.0, &arena, &[], 0.0);
        let weights = &policy.weights[1].by_code;
        for code in codes {
            assert_eq!(weights[usize::from(code)], if code == won { 0.75 } else { -0.25 });
        }
        assert!(policy.weights[0].by_code.is_empty(), "the loser learns nothing");
        let runs = 20_000;
        let again = (0..runs).filter(|&index| choose(&mut policy, Kind::Min, &codes, index) == won).count();
        let (found, expected) = (again as f64 / runs as f64, 1.0_f64.exp() / (1.0_f64.exp() + 3.0));
        // A correct program fails one time in 150 000.
        assert!(
            (found - expected).abs() < 4.5 * (expected * (1.0 - expected) / runs as f64).sqrt(),
            "{found}"
        );
        policy.adapt(1.0, &arena, &[], 0.5);
        assert!(policy.turns.is_empty() && policy.weights[0].by_code.is_empty(), "a draw teaches nothing");
    }

    /// After 10 000 wins of one move of two, the other is almost never played, and no weight is out of range.
    #[test]
    fn weights_stay_finite() {
        let (mut policy, arena) = (Adaptation::default(), Arena::default());
        for index in 0..10_000 {
            let chosen = choose(&mut policy, Kind::Max, &[0, 1], index);
            policy.adapt(10.0, &arena, &[], f64::from(chosen));
        }
        let weights = &policy.weights[0];
        assert!(weights.exponentials.iter().all(|weight| weight.is_finite() && *weight > 0.0));
        assert!(weights.by_code[1] > weights.by_code[0]);
    }
}
