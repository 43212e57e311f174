//! The relative bonus: a playout that is won soon, or lost late, counts more than its payoff.
//!
//! Pepels, Tak, Lanctot, Winands 2014, "Quality-based rewards for Monte-Carlo tree search simulations", ECAI. The formulas are those of
//! programs, one by the first author. There the means are those of the winner, and the bonus begins after 50 results; the weight is
//! estimated, and a constant here.

use libm::exp;

/// The results of a player before a bonus is given.
const ENOUGH: f64 = 50.0;

/// The lengths of the playouts that a player won: their number, mean, and sum of squared deviations (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    n: f64,
    mean: f64,
    squares: f64,
}

/// The lengths of the playouts that the player at the root won, and the opponent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Winners([Lengths; 2]);

impl Winners {
    /// The value of a playout with its bonus, where 1 is won and 0 lost. It exceeds this range by at most half of the weight. `length` is
    /// in plies from the root. A draw has no bonus.
    pub(super) fn reward(&mut self, value: f64, length: f64, (steepness, weight): (f64, f64)) -> f64 {
        let sign = if value > 0.5 { 1.0 } else { -1.0 };
        let Lengths { n, mean, squares } = &mut self.0[usize::from(value < 0.5)];
        if value == 0.5 {
            return value;
        }
        let mut bonus = 0.0;
        if *n >= ENOUGH && *squares > 0.0 {
            // λ = (mean − length) / σ, b(λ) = −1 + 2 / (1 + exp(−kλ))
            let lambda = (*mean - length) / (*squares / (*n - 1.0)).sqrt();
            bonus = -1.0 + 2.0 / (1.0 + exp(-steepness * lambda));
        }
        *n += 1.0;
        let before = length - *mean;
        *mean += before / *n;
        *squares += before * (length - *mean);
        // r + sgn(r) α b(λ), where r is from −1 to 1
        value + sign * weight * bonus / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside the formulas over all lengths so far, for each winner.
    #[test]
    fn the_bonus_is_that_of_the_formula() {
        let mut winners = Winners::default();
        let mut lengths = [Vec::new(), Vec::new()];
        for index in 0..400_u32 {
            let value = [1.0, 0.0, 0.5, 1.0, 0.75][index as usize % 5];
            let length = f64::from(index * index % 37 + 20);
            let found = winners.reward(value, length, (2.0, 0.25));
            let all: &mut Vec<f64> = &mut lengths[usize::from(value < 0.5)];
            let n = all.len() as f64;
            let mean = all.iter().sum::<f64>() / n;
            let deviation = (all.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0)).sqrt();
            let bonus =
                if n < 50.0 { 0.0 } else { -1.0 + 2.0 / (1.0 + exp(-2.0 * (mean - length) / deviation)) };
            let expected = match value {
                0.5 => 0.5,
                won if won > 0.5 => won + 0.125 * bonus,
                lost => lost - 0.125 * bonus,
            };
            assert!((found - expected).abs() < 1e-12, "{index}: {found} {expected}");
            if value != 0.5 {
                all.push(length);
            }
        }
        let mut soon_and_late = |value| [20.0, 56.0].map(|length| winners.reward(value, length, (2.0, 0.25)));
        let ([soon, late], [lost_soon, lost_late]) = (soon_and_late(1.0), soon_and_late(0.0));
        assert!(soon > 1.0 && late < 1.0 && lost_soon < 0.0 && lost_late > 0.0);
    }
}
