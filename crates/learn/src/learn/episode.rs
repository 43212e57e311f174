//! A game as it was played, and what each of its values should have been.

use crate::game::Player;

/// A game that a learner played, alone or against an opponent: the positions after its own moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// The moves, in order.
    pub steps: Vec<Step>,
    /// The view after each move, in words: of tuples the index of each place, of a network the bits of its inputs.
    pub seen: Vec<u32>,
    /// The points of the first player: 1, ½ or 0.
    pub points: f64,
}

/// A move of a learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Who moved.
    pub player: Player,
    /// The points that the mover could expect before the move: those after the move that counts.
    pub expected: f64,
    /// Whether a random move was made in place of the one that counts, so that what follows says nothing of it.
    pub is_random: bool,
}

impl Episode {
    /// For each move the points that its mover should have expected: the λ-return.
    ///
    /// The return after a move is a mean of the value of the next move, with weight 1 − λ, and of the return after that
    /// move, with weight λ; after the last move it is the result (Sutton 1988, "Learning to predict by the methods of
    /// temporal differences"). A random move ends the mean: there λ is 0.
    pub fn targets(&self, lambda: f64) -> Vec<f64> {
        let of_first =
            |player: Player, points: f64| if player == Player::FIRST { points } else { 1.0 - points };
        let mut targets = vec![0.0; self.steps.len()];
        // In the view of the first player.
        let mut after = self.points;
        for (target, step) in targets.iter_mut().zip(&self.steps).rev() {
            *target = of_first(step.player, after);
            let lambda = if step.is_random { 0.0 } else { lambda };
            after = (1.0 - lambda) * of_first(step.player, step.expected) + lambda * after;
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// The sum of n-step returns with weights (1 − λ) λⁿ⁻¹, term by term.
    fn slowly(episode: &Episode, lambda: f64, from: usize) -> f64 {
        let first = |step: &Step| {
            if step.player == Player::FIRST { step.expected } else { 1.0 - step.expected }
        };
        let (mut sum, mut left) = (0.0, 1.0);
        for step in &episode.steps[from + 1..] {
            let stays = if step.is_random { 0.0 } else { lambda };
            sum += left * (1.0 - stays) * first(step);
            left *= stays;
        }
        sum += left * episode.points;
        if episode.steps[from].player == Player::FIRST { sum } else { 1.0 - sum }
    }

    #[test]
    fn a_target_is_the_weighted_mean_of_all_later_values() {
        let mut rng = Stream::new(3).rng();
        for _ in 0..200 {
            let mut step = || Step {
                player: if rng.below(2) == 0 { Player::FIRST } else { Player::SECOND },
                expected: rng.unit(),
                is_random: rng.below(5) == 0,
            };
            let steps: Vec<Step> = (0..12).map(|_| step()).collect();
            let episode = Episode { steps, seen: Vec::new(), points: rng.below(3) as f64 / 2.0 };
            for lambda in [0.0, 0.3, 0.9, 1.0] {
                for (from, target) in episode.targets(lambda).into_iter().enumerate() {
                    assert!((target - slowly(&episode, lambda, from)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_ends_of_lambda_are_the_next_value_and_the_result() {
        let step = |player, expected| Step { player, expected, is_random: false };
        let steps = vec![step(Player::FIRST, 0.5), step(Player::SECOND, 0.2), step(Player::FIRST, 0.9)];
        let mut episode = Episode { steps, seen: Vec::new(), points: 1.0 };
        assert_eq!(episode.targets(0.0), [0.8, 1.0 - 0.9, 1.0]);
        assert_eq!(episode.targets(1.0), [1.0, 0.0, 1.0]);
        episode.steps[1].is_random = true;
        assert_eq!(episode.targets(1.0), [0.8, 0.0, 1.0]);
    }
}
