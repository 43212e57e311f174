//! Optimisers: how a gradient changes the parameters of a network.

use crate::game::options::{parts, real};
use crate::game::{Kernel, accelerate};

/// A method that follows gradients. α is the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimiser {
    /// Stochastic gradient descent: Robbins, Monro 1951.
    Sgd {
        /// The step per unit of slope.
        rate: f32,
    },
    /// Gradient descent with momentum, a decaying sum of all gradients: Polyak 1964.
    Momentum {
        /// The step per unit of slope.
        rate: f32,
        /// The share of the sum that a step keeps, below 1.
        momentum: f32,
    },
    /// A step by the mean slope over its root mean square: Kingma, Ba 2015, arXiv 1412.6980.
    Adam(Moments),
    /// Adam with the largest mean square so far: Reddi, Kale, Kumar 2018, "On the convergence of Adam and beyond".
    AmsGrad(Moments),
    /// `AMSGrad` with steps between bounds that close in on those of SGD: Luo and others 2019, "Adaptive gradient methods
    /// with dynamic bound of learning rate"; with the correction of the moments of the authors' program.
    AmsBound {
        /// The settings of `AMSGrad`.
        moments: Moments,
        /// The rate of SGD that the bounds close in on.
        final_rate: f32,
        /// How fast they do: the lower bound is final · (1 − 1 / (γt + 1)), the upper one final · (1 + 1 / γt).
        gamma: f32,
    },
}

parts! {
    impl Optimiser {
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
        } => Self::Adam(moments([rate, beta1, beta2, epsilon])),
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
        } => Self::AmsGrad(moments([rate, beta1, beta2, epsilon])),
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
        } => {
            let moments = moments([rate, beta1, beta2, epsilon]);
            Self::AmsBound { moments, final_rate: final_rate as f32, gamma: gamma as f32 }
        },
        /// stochastic gradient descent
        Sgd {
            /// the step per unit of slope
            rate: f64 = real(1e-9..=1e3, 0.01),
        } => Self::Sgd { rate: rate as f32 },
        /// gradient descent with a decaying sum of all gradients (Polyak 1964)
        Momentum {
            /// the step per unit of slope
            rate: f64 = real(1e-9..=1e3, 0.01),
            /// the share of the sum that a step keeps
            momentum: f64 = real(0.0..=0.999_999, 0.9),
        } => Self::Momentum { rate: rate as f32, momentum: momentum as f32 },
    }
}

/// The settings that some optimisers share.
fn moments(numbers: [f64; 4]) -> Moments {
    let [rate, beta1, beta2, epsilon] = numbers.map(|number| number as f32);
    Moments { rate, beta1, beta2, epsilon }
}

/// The settings that Adam and its descendants share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// α: the rate.
    pub rate: f32,
    /// β₁: the share of the mean that a step keeps.
    pub beta1: f32,
    /// β₂: the share of the mean square that a step keeps.
    pub beta2: f32,
    /// ε: added to the root of the mean square.
    pub epsilon: f32,
}

impl Default for Moments {
    /// The defaults of the paper on Adam: α 0.001, β 0.9 and 0.999, ε 1e-8.
    fn default() -> Self {
        Self { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

impl Optimiser {
    /// The same method with its rates times a factor.
    #[must_use]
    pub fn times(self, factor: f32) -> Self {
        let slower = |moments: Moments| Moments { rate: factor * moments.rate, ..moments };
        match self {
            Self::Sgd { rate } => Self::Sgd { rate: factor * rate },
            Self::Momentum { rate, momentum } => Self::Momentum { rate: factor * rate, momentum },
            Self::Adam(moments) => Self::Adam(slower(moments)),
            Self::AmsGrad(moments) => Self::AmsGrad(slower(moments)),
            Self::AmsBound { moments, final_rate, gamma } => {
                Self::AmsBound { moments: slower(moments), final_rate: factor * final_rate, gamma }
            }
        }
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
            Optimiser::Adam(_) => (parameters, parameters, 0),
            Optimiser::AmsGrad(_) | Optimiser::AmsBound { .. } => (parameters, parameters, parameters),
        };
        let zeros = |count| vec![0.0; count];
        Self {
            optimiser,
            means: zeros(means),
            squares: zeros(squares),
            largest: zeros(largest),
            taken: 0,
            powers: [1.0; 2],
        }
    }

    /// Goes on with other rates.
    pub(super) fn set_optimiser(&mut self, optimiser: Optimiser) {
        self.optimiser = optimiser;
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

    /// Changes the parameters by one step along their gradient.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32]) {
        self.taken += 1;
        accelerate(Step { steps: self, parameters, gradient });
    }

    /// α with the correction of the moments: α √(1 − β₂ᵗ) / (1 − β₁ᵗ).
    #[inline(always)]
    fn corrected(&mut self, moments: Moments) -> f32 {
        let Moments { rate, beta1, beta2, .. } = moments;
        self.powers[0] *= f64::from(beta1);
        self.powers[1] *= f64::from(beta2);
        (f64::from(rate) * (1.0 - self.powers[1]).sqrt() / (1.0 - self.powers[0])) as f32
    }
}

struct Step<'a> {
    steps: &'a mut Steps,
    parameters: &'a mut [f32],
    gradient: &'a [f32],
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { steps, parameters, gradient } = self;
        let pairs = parameters.iter_mut().zip(gradient);
        match steps.optimiser {
            Optimiser::Sgd { rate } => pairs.for_each(|(parameter, slope)| *parameter -= rate * slope),
            Optimiser::Momentum { rate, momentum } => {
                for ((parameter, slope), sum) in pairs.zip(&mut steps.means) {
                    *sum = momentum * *sum + slope;
                    *parameter -= rate * *sum;
                }
            }
            Optimiser::Adam(moments) => {
                let rate = steps.corrected(moments);
                // The ε of the paper is added to the corrected root.
                let epsilon = (f64::from(moments.epsilon) * (1.0 - steps.powers[1]).sqrt()) as f32;
                for (((parameter, slope), mean), square) in
                    pairs.zip(&mut steps.means).zip(&mut steps.squares)
                {
                    moments.track(*slope, mean, square);
                    *parameter -= rate * *mean / (square.sqrt() + epsilon);
                }
            }
            Optimiser::AmsGrad(moments) => {
                let rate = steps.corrected(moments);
                let epsilon = (f64::from(moments.epsilon) * (1.0 - steps.powers[1]).sqrt()) as f32;
                let state = steps.means.iter_mut().zip(&mut steps.squares).zip(&mut steps.largest);
                for ((parameter, slope), ((mean, square), largest)) in pairs.zip(state) {
                    moments.track(*slope, mean, square);
                    *largest = largest.max(*square);
                    *parameter -= rate * *mean / (largest.sqrt() + epsilon);
                }
            }
            Optimiser::AmsBound { moments, final_rate, gamma } => {
                let rate = steps.corrected(moments);
                let time = gamma * steps.taken as f32;
                let low = final_rate * (1.0 - 1.0 / (time + 1.0));
                let high = final_rate * (1.0 + 1.0 / time);
                let state = steps.means.iter_mut().zip(&mut steps.squares).zip(&mut steps.largest);
                for ((parameter, slope), ((mean, square), largest)) in pairs.zip(state) {
                    moments.track(*slope, mean, square);
                    *largest = largest.max(*square);
                    let step = (rate / (largest.sqrt() + moments.epsilon)).clamp(low, high);
                    *parameter -= step * *mean;
                }
            }
        }
    }
}

impl Moments {
    /// Moves the mean and the mean square towards a slope.
    #[inline(always)]
    fn track(self, slope: f32, mean: &mut f32, square: &mut f32) {
        *mean = self.beta1 * *mean + (1.0 - self.beta1) * slope;
        *square = self.beta2 * *square + (1.0 - self.beta2) * slope * slope;
    }
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
                Optimiser::Sgd { rate } => parameter -= f64::from(rate) * g,
                Optimiser::Momentum { rate, momentum } => {
                    m = f64::from(momentum) * m + g;
                    parameter -= f64::from(rate) * m;
                }
                Optimiser::Adam(moments)
                | Optimiser::AmsGrad(moments)
                | Optimiser::AmsBound { moments, .. } => {
                    let [rate, b1, b2, epsilon] =
                        [moments.rate, moments.beta1, moments.beta2, moments.epsilon].map(f64::from);
                    m = b1 * m + (1.0 - b1) * g;
                    v = b2 * v + (1.0 - b2) * g * g;
                    most = most.max(v);
                    let (c1, c2) = (1.0 - b1.powi(t), 1.0 - b2.powi(t));
                    parameter -= match optimiser {
                        Optimiser::Adam(_) => rate * (m / c1) / ((v / c2).sqrt() + epsilon),
                        Optimiser::AmsGrad(_) => rate * (m / c1) / ((most / c2).sqrt() + epsilon),
                        Optimiser::AmsBound { final_rate, gamma, .. } => {
                            let [last, gamma, t] = [f64::from(final_rate), f64::from(gamma), f64::from(t)];
                            let free = rate * c2.sqrt() / c1 / (most.sqrt() + epsilon);
                            free.clamp(
                                last * (1.0 - 1.0 / (gamma * t + 1.0)),
                                last * (1.0 + 1.0 / (gamma * t)),
                            ) * m
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
        let moments = Moments { rate: 0.1, beta1: 0.8, beta2: 0.95, epsilon: 1e-3 };
        let bound = |final_rate, gamma| Optimiser::AmsBound { moments, final_rate, gamma };
        let all = [
            Optimiser::Sgd { rate: 0.1 },
            Optimiser::Momentum { rate: 0.1, momentum: 0.9 },
            Optimiser::Adam(moments),
            Optimiser::AmsGrad(moments),
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
                steps.step(&mut parameters, &[*slope as f32, 0.0, *slope as f32]);
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
