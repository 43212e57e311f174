//! Optimisers: how a gradient changes the parameters of a network.

use crate::game::options::{parts, real};
use crate::game::{Kernel, accelerate};

parts! {
    /// A method that follows gradients: Adam by Kingma, Ba 2015, arXiv 1412.6980; `amsgrad` by Reddi, Kale, Kumar 2018, "On the
    /// convergence of Adam and beyond"; `amsbound` by Luo and others 2019, "Adaptive gradient methods with dynamic bound of learning
    /// rate", with the correction of the moments of the authors' program; stochastic gradient descent by Robbins, Monro 1951, and
    /// with momentum by Polyak 1964.
    ///
    /// At step t the bounds of `amsbound` are final · (1 − 1 / (γt + 1)) and final · (1 + 1 / γt).
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Optimiser {
        /// a step by the mean slope over its root mean square (Kingma, Ba 2015)
        Adam {
            /// the step size
            rate: f64 = real(1e-9..=1e3, 0.001),
            /// the share of the mean that a step keeps
            beta1: f64 = real(0.0..=0.999_999, 0.9),
            /// the share of the mean square that a step keeps
            beta2: f64 = real(0.0..=0.999_999, 0.999),
            /// added to the root of the mean square
            epsilon: f64 = real(1e-12..=1.0, 1e-8),
        },
        /// Adam with the largest mean square so far (Reddi, Kale, Kumar 2018)
        Amsgrad {
            /// the step size
            rate: f64 = real(1e-9..=1e3, 0.001),
            /// the share of the mean that a step keeps
            beta1: f64 = real(0.0..=0.999_999, 0.9),
            /// the share of the mean square that a step keeps
            beta2: f64 = real(0.0..=0.999_999, 0.999),
            /// added to the root of the mean square
            epsilon: f64 = real(1e-12..=1.0, 1e-8),
        },
        /// `amsgrad` with steps between bounds that close in on those of `sgd` (Luo and others 2019)
        Amsbound {
            /// the step size
            rate: f64 = real(1e-9..=1e3, 0.001),
            /// the share of the mean that a step keeps
            beta1: f64 = real(0.0..=0.999_999, 0.9),
            /// the share of the mean square that a step keeps
            beta2: f64 = real(0.0..=0.999_999, 0.999),
            /// added to the root of the mean square
            epsilon: f64 = real(1e-12..=1.0, 1e-8),
            /// the step size that the bounds close in on
            final_rate: f64 = real(1e-9..=1e3, 0.1),
            /// how fast they do
            gamma: f64 = real(1e-9..=1e3, 0.001),
        },
        /// stochastic gradient descent
        Sgd {
            /// the step per unit of slope
            rate: f64 = real(1e-9..=1e3, 0.01),
        },
        /// gradient descent with a decaying sum of all gradients (Polyak 1964)
        Momentum {
            /// the step per unit of slope
            rate: f64 = real(1e-9..=1e3, 0.01),
            /// the share of the sum that a step keeps
            momentum: f64 = real(0.0..=0.999_999, 0.9),
        },
    }
}

impl Optimiser {
    /// Adam with this rate and else the defaults of its paper: β 0.9 and 0.999, ε 1e-8.
    pub const fn adam(rate: f64) -> Self {
        Self::Adam { rate, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

/// An optimiser at work: what it remembers of each parameter.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    optimiser: Optimiser,
    /// The decaying mean or sum of gradients, the mean of their squares, and the largest such mean.
    means: Vec<f32>,
    squares: Vec<f32>,
    largest: Vec<f32>,
    taken: u64,
    /// β₁ᵗ and β₂ᵗ.
    powers: [f64; 2],
}

impl Steps {
    pub(super) fn new(optimiser: Optimiser, parameters: usize) -> Self {
        let (means, squares, largest) = match optimiser {
            Optimiser::Sgd { .. } => (0, 0, 0),
            Optimiser::Momentum { .. } => (parameters, 0, 0),
            Optimiser::Adam { .. } => (parameters, parameters, 0),
            Optimiser::Amsgrad { .. } | Optimiser::Amsbound { .. } => (parameters, parameters, parameters),
        };
        let [means, squares, largest] = [means, squares, largest].map(|count| vec![0.0; count]);
        Self { optimiser, means, squares, largest, taken: 0, powers: [1.0; 2] }
    }

    /// The numbers that later steps depend on.
    pub(super) fn state(&self) -> impl Iterator<Item = f64> {
        let Self { means, squares, largest, taken, powers, .. } = self;
        let remembered = means.iter().chain(squares).chain(largest).copied().map(f64::from);
        [*taken as f64, powers[0], powers[1]].into_iter().chain(remembered)
    }

    /// Takes over a [state](Self::state). Returns whether there are as many numbers as it has.
    pub(super) fn restore(&mut self, state: &[f64]) -> bool {
        let Self { means, squares, largest, taken, powers, .. } = self;
        let (Some(&[steps, first, second]), rest) = (state.first_chunk(), state.get(3..).unwrap_or_default())
        else {
            return false;
        };
        (*taken, *powers) = (steps as u64, [first, second]);
        let numbers = means.iter_mut().chain(squares).chain(largest);
        let count = numbers.zip(rest).map(|(number, &new)| *number = new as f32).count();
        count == rest.len() && count == self.means.len() + self.squares.len() + self.largest.len()
    }

    /// Some parameters, and the numbers that later steps depend on.
    pub(super) fn state_of(&self, parameters: &[f32]) -> Vec<f64> {
        parameters.iter().copied().map(f64::from).chain(self.state()).collect()
    }

    /// Takes over a [state](Self::state_of). Returns whether there are as many numbers as it has.
    pub(super) fn restore_with(&mut self, parameters: &mut [f32], state: &[f64]) -> bool {
        let Some((own, steps)) = state.split_at_checked(parameters.len()) else { return false };
        parameters.iter_mut().zip(own).for_each(|(parameter, &number)| *parameter = number as f32);
        self.restore(steps)
    }

    /// A step along the gradient of the parameters, with the rates times a factor.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], factor: f32) {
        self.taken += 1;
        accelerate(Step { steps: self, parameters, gradient, factor });
    }

    /// A rate with the correction of the moments: α √(1 − β₂ᵗ) / (1 − β₁ᵗ).
    #[inline(always)]
    fn corrected(&mut self, rate: f32, betas: [f32; 2]) -> f32 {
        self.powers.iter_mut().zip(betas).for_each(|(power, beta)| *power *= f64::from(beta));
        (f64::from(rate) * (1.0 - self.powers[1]).sqrt() / (1.0 - self.powers[0])) as f32
    }
}

struct Step<'a> {
    steps: &'a mut Steps,
    parameters: &'a mut [f32],
    gradient: &'a [f32],
    factor: f32,
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { steps, parameters, gradient, factor } = self;
        let pairs = parameters.iter_mut().zip(gradient);
        match steps.optimiser {
            Optimiser::Sgd { rate } => {
                let rate = factor * rate as f32;
                pairs.for_each(|(parameter, slope)| *parameter -= rate * slope);
            }
            Optimiser::Momentum { rate, momentum } => {
                let (rate, momentum) = (factor * rate as f32, momentum as f32);
                for ((parameter, slope), sum) in pairs.zip(&mut steps.means) {
                    *sum = momentum * *sum + slope;
                    *parameter -= rate * *sum;
                }
            }
            Optimiser::Adam { rate, beta1, beta2, epsilon }
            | Optimiser::Amsgrad { rate, beta1, beta2, epsilon }
            | Optimiser::Amsbound { rate, beta1, beta2, epsilon, .. } => {
                let (betas, epsilon) = ([beta1 as f32, beta2 as f32], epsilon as f32);
                let rate = steps.corrected(factor * rate as f32, betas);
                // The ε of the papers on the first two is added to the corrected root.
                let corrected = (f64::from(epsilon) * (1.0 - steps.powers[1]).sqrt()) as f32;
                let pairs = pairs.zip(steps.means.iter_mut().zip(&mut steps.squares));
                match steps.optimiser {
                    Optimiser::Amsbound { final_rate, gamma, .. } => {
                        let (last, time) = (factor * final_rate as f32, gamma as f32 * steps.taken as f32);
                        let (low, high) = (last * (1.0 - 1.0 / (time + 1.0)), last * (1.0 + 1.0 / time));
                        for (((parameter, slope), (mean, square)), largest) in pairs.zip(&mut steps.largest) {
                            track(betas, *slope, mean, square);
                            *largest = largest.max(*square);
                            let step = (rate / (largest.sqrt() + epsilon)).clamp(low, high);
                            *parameter -= step * *mean;
                        }
                    }
                    Optimiser::Amsgrad { .. } => {
                        for (((parameter, slope), (mean, square)), largest) in pairs.zip(&mut steps.largest) {
                            track(betas, *slope, mean, square);
                            *largest = largest.max(*square);
                            *parameter -= rate * *mean / (largest.sqrt() + corrected);
                        }
                    }
                    _ => {
                        for ((parameter, slope), (mean, square)) in pairs {
                            track(betas, *slope, mean, square);
                            *parameter -= rate * *mean / (square.sqrt() + corrected);
                        }
                    }
                }
            }
        }
    }
}

/// Moves the mean and the mean square towards a slope.
#[inline(always)]
fn track([beta1, beta2]: [f32; 2], slope: f32, mean: &mut f32, square: &mut f32) {
    *mean = beta1 * *mean + (1.0 - beta1) * slope;
    *square = beta2 * *square + (1.0 - beta2) * slope * slope;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slopes of a parameter, step by step.
    const SLOPES: [f64; 6] = [0.5, -1.5, 2.0, 0.25, -0.125, 3.0];

    /// The parameter after each step, from 1, by the equations of the papers in double precision.
    fn reference(optimiser: Optimiser) -> Vec<f64> {
        let (mut parameter, mut m, mut v, mut most) = (1.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let step = |(t, &g): (usize, &f64)| {
            let t = (t + 1) as i32;
            match optimiser {
                Optimiser::Sgd { rate } => parameter -= rate * g,
                Optimiser::Momentum { rate, momentum } => {
                    m = momentum * m + g;
                    parameter -= rate * m;
                }
                Optimiser::Adam { rate, beta1: b1, beta2: b2, epsilon }
                | Optimiser::Amsgrad { rate, beta1: b1, beta2: b2, epsilon }
                | Optimiser::Amsbound { rate, beta1: b1, beta2: b2, epsilon, .. } => {
                    m = b1 * m + (1.0 - b1) * g;
                    v = b2 * v + (1.0 - b2) * g * g;
                    most = most.max(v);
                    let (c1, c2) = (1.0 - b1.powi(t), 1.0 - b2.powi(t));
                    parameter -= match optimiser {
                        Optimiser::Adam { .. } => rate * (m / c1) / ((v / c2).sqrt() + epsilon),
                        Optimiser::Amsgrad { .. } => rate * (m / c1) / ((most / c2).sqrt() + epsilon),
                        Optimiser::Amsbound { final_rate: last, gamma, .. } => {
                            let time = gamma * f64::from(t);
                            let free = rate * c2.sqrt() / c1 / (most.sqrt() + epsilon);
                            free.clamp(last * (1.0 - 1.0 / (time + 1.0)), last * (1.0 + 1.0 / time)) * m
                        }
                        _ => unreachable!(),
                    };
                }
            }
            parameter
        };
        SLOPES.iter().enumerate().map(step).collect()
    }

    #[test]
    fn every_optimiser_follows_its_equations() {
        let (rate, beta1, beta2, epsilon) = (0.1, 0.8, 0.95, 1e-3);
        let bound =
            |final_rate, gamma| Optimiser::Amsbound { rate, beta1, beta2, epsilon, final_rate, gamma };
        let all = [
            Optimiser::Sgd { rate },
            Optimiser::Momentum { rate, momentum: 0.9 },
            Optimiser::Adam { rate, beta1, beta2, epsilon },
            Optimiser::Amsgrad { rate, beta1, beta2, epsilon },
            // Free, held from below, held from above.
            bound(0.1, 1e-3),
            bound(5.0, 1.0),
            bound(1e-3, 1.0),
        ];
        let mut ends = Vec::new();
        for optimiser in all {
            let mut steps = Steps::new(optimiser, 3);
            let mut parameters = [1.0, 7.0, 1.0];
            let reference = reference(optimiser);
            for (slope, expected) in SLOPES.iter().zip(&reference) {
                steps.step(&mut parameters, &[*slope as f32, 0.0, *slope as f32], 1.0);
                let found = f64::from(parameters[0]);
                assert!((found - expected).abs() < 1e-5, "{optimiser:?}: {found}, {expected}");
            }
            assert_eq!((parameters[1], parameters[2]), (7.0, parameters[0]));
            ends.push(reference[5]);
        }
        ends.sort_by(f64::total_cmp);
        assert!(ends.windows(2).all(|pair| pair[1] - pair[0] > 1e-4), "all differ: {ends:?}");
    }
}
