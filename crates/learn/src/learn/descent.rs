//! Steps along the gradients of batches, in a fixed number of parts.

use std::ops::Range;

use rayon::prelude::*;

use super::gradient::{Gradient, transposed};
use super::loss::Loss;
use super::network::Network;
use super::optimiser::{Optimiser, Steps};

/// The parts of a batch. Each is summed alone, and then the parts in order, so that the number of threads changes nothing.
const PARTS: usize = 8;

/// Gradient descent: the loss and the penalties, the optimiser with its state, and the memory of a batch.
pub(super) struct Descent {
    loss: Loss,
    /// The factors of the sign of each weight and of the weight itself, added to its slope.
    penalties: [f32; 2],
    pub(super) steps: Steps,
    parts: Vec<Part>,
    /// The weights transposed, and the whole gradient.
    transposed: Vec<f32>,
    gradient: Vec<f32>,
}

/// A part of a batch: its inputs, targets and gradient.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) inputs: Vec<f32>,
    pub(super) targets: Vec<f32>,
    gradient: Gradient,
}

impl Part {
    /// The predictions of the network before the step.
    pub(super) fn predictions(&self) -> &[f32] {
        &self.gradient.predictions
    }
}

impl Descent {
    pub(super) fn new(optimiser: Optimiser, parameters: usize, loss: Loss, penalties: [f32; 2]) -> Self {
        Self {
            loss,
            penalties,
            steps: Steps::new(optimiser, parameters),
            parts: vec![Part::default(); PARTS],
            transposed: Vec::new(),
            gradient: Vec::new(),
        }
    }

    /// A step along the gradient of the mean loss of some samples, with the rates times a factor. `fill` appends the inputs and the targets of a range
    /// of them. Returns the parts, in order.
    pub(super) fn step(
        &mut self,
        network: &mut Network,
        factor: f32,
        samples: usize,
        fill: impl Fn(Range<usize>, &mut Part) + Sync,
    ) -> &[Part] {
        let Self { loss, penalties: [l1, l2], steps, parts, transposed: weights, gradient } = self;
        transposed(network, weights);
        let share = 1.0 / samples as f32;
        let size = samples.div_ceil(PARTS);
        let used = samples.div_ceil(size);
        parts[..used].par_iter_mut().enumerate().for_each(|(number, part)| {
            part.inputs.clear();
            part.targets.clear();
            fill(number * size..samples.min((number + 1) * size), part);
            let of = (&part.inputs[..], &part.targets[..]);
            part.gradient.find(network, weights, of, (*loss, share));
        });
        gradient.clear();
        gradient.resize(network.parameters().len(), 0.0);
        for part in &parts[..used] {
            for (whole, slope) in gradient.iter_mut().zip(&part.gradient.slopes) {
                *whole += slope;
            }
        }
        for place in network.places() {
            let weights = &network.parameters()[place.weights.clone()];
            for (slope, &weight) in gradient[place.weights].iter_mut().zip(weights) {
                // The sign of 0 is 0 here.
                let sign = f32::from(weight > 0.0) - f32::from(weight < 0.0);
                *slope += *l1 * sign + *l2 * weight;
            }
        }
        steps.step(network.parameters_mut(), gradient, factor);
        &parts[..used]
    }
}
