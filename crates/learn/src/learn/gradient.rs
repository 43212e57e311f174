//! Gradients by backpropagation: Rumelhart, Hinton, Williams 1986.

use super::loss::Loss;
use super::network::{Network, Place};
use super::product::Product;
use crate::game::accelerate;

/// The gradient of some samples, and the memory to find it. One belongs to each part of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    /// The sum of the samples' gradients, in the order of the parameters.
    pub(super) slopes: Vec<f32>,
    /// The prediction for each sample.
    pub(super) predictions: Vec<f32>,
    /// The activations of each layer for all samples.
    activations: Vec<Vec<f32>>,
    /// The slopes by the sums of a layer, and by its inputs.
    sums: Vec<f32>,
    inputs: Vec<f32>,
}

impl Gradient {
    /// Finds the sum of the gradients of the losses, each times `share`.
    ///
    /// `transposed` has the weights of each layer, one row a sum; see [`transposed`].
    pub(super) fn find(
        &mut self,
        network: &Network,
        transposed: &[f32],
        samples: (&[f32], &[f32]),
        (loss, share): (Loss, f32),
    ) {
        let (inputs, targets) = samples;
        let rows = targets.len();
        let places = network.places();
        self.activations.resize(places.len(), Vec::new());
        for (number, place) in places.iter().enumerate() {
            let (before, from) = self.activations.split_at_mut(number);
            let inputs = before.last().map_or(inputs, |layer| &layer[..]);
            network.layer(place, inputs, rows, &mut from[0]);
        }
        let predictions = self.activations.last().expect("a network has a layer");
        self.predictions.clone_from(predictions);
        self.inputs.clear();
        self.inputs.extend(predictions.iter().zip(targets).map(|(&p, &t)| share * loss.slope(p, t)));
        self.slopes.clear();
        self.slopes.resize(network.parameters().len(), 0.0);
        for (number, place) in places.iter().enumerate().rev() {
            // The slopes by this layer's activations are those by the next layer's inputs.
            std::mem::swap(&mut self.sums, &mut self.inputs);
            place.layer.activation.times_derivative(&mut self.sums, &self.activations[number]);
            let Self { activations, sums, slopes, .. } = self;
            let inputs = number.checked_sub(1).map_or(inputs, |before| &activations[before][..]);
            by_parameters(place, inputs, sums, slopes);
            if number > 0 {
                self.by_inputs(place, transposed, rows);
            }
        }
    }

    fn by_inputs(&mut self, place: &Place, transposed: &[f32], rows: usize) {
        let width = place.layer.width;
        self.inputs.clear();
        self.inputs.resize(rows * place.inputs, 0.0);
        accelerate(Product {
            a: &self.sums,
            row_step: width,
            term_step: 1,
            b: &transposed[place.weights.clone()],
            rows,
            depth: width,
            columns: place.inputs,
            sums: &mut self.inputs,
        });
    }
}

/// Adds the slopes by a layer's weights and biases, given those by its sums.
fn by_parameters(place: &Place, inputs: &[f32], sums: &[f32], slopes: &mut [f32]) {
    let width = place.layer.width;
    accelerate(Product {
        a: inputs,
        row_step: 1,
        term_step: place.inputs,
        b: sums,
        rows: place.inputs,
        depth: sums.len() / width,
        columns: width,
        sums: &mut slopes[place.weights.clone()],
    });
    for row in sums.chunks(width) {
        for (slope, sum) in slopes[place.biases.clone()].iter_mut().zip(row) {
            *slope += sum;
        }
    }
}

/// The parameters with the weights of each layer but the first transposed: one row a sum.
pub(super) fn transposed(network: &Network, to: &mut Vec<f32>) {
    to.clear();
    to.extend_from_slice(network.parameters());
    for place in network.places().iter().skip(1) {
        let width = place.layer.width;
        let from = &network.parameters()[place.weights.clone()];
        let to = &mut to[place.weights.clone()];
        for (row, weights) in from.chunks(width).enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                to[column * place.inputs + row] = *weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Activation, Layer};
    use crate::rng::Stream;

    /// The loss of some samples, in double precision and by the definitions.
    fn loss(network: &Network, parameters: &[f64], samples: (&[f32], &[f32]), loss: Loss) -> f64 {
        let each = |(input, &target): (&[f32], &f32)| {
            let mut now: Vec<f64> = input.iter().map(|&x| f64::from(x)).collect();
            for place in network.places() {
                let width = place.layer.width;
                let sum = |column: usize| {
                    let products = now
                        .iter()
                        .enumerate()
                        .map(|(row, x)| x * parameters[place.weights.start + row * width + column]);
                    parameters[place.biases.start + column] + products.sum::<f64>()
                };
                let function = |x: f64| match place.layer.activation {
                    Activation::Linear => x,
                    Activation::Tanh => libm::tanh(x),
                    Activation::Relu => x.max(0.0),
                    Activation::ClippedRelu => x.clamp(0.0, 1.0),
                };
                now = (0..width).map(|column| function(sum(column))).collect();
            }
            let (p, t) = (now[0], f64::from(target));
            match loss {
                Loss::Squared {} => (p - t).powi(2),
                Loss::Huber { corner } => {
                    let error = (p - t).abs();
                    if error <= corner { error * error / 2.0 } else { corner * (error - corner / 2.0) }
                }
                Loss::Logistic {} => libm::log(1.0 + libm::exp(p)) - t * p,
            }
        };
        samples.0.chunks(network.inputs()).zip(samples.1).map(each).sum()
    }

    #[test]
    fn gradients_of_every_layer_and_loss_agree_with_finite_differences() {
        for (number, (name, hidden)) in Activation::ALL.into_iter().enumerate() {
            for (of, loss_of) in
                [Loss::Squared {}, Loss::Huber { corner: 0.25 }, Loss::Logistic {}].into_iter().enumerate()
            {
                let layer = |width, activation| Layer { width, activation };
                let layers = [layer(9, hidden), layer(6, hidden), layer(1, Activation::Linear)];
                let stream = Stream::new((4 * of + number) as u64);
                let network = Network::random(10, &layers, stream).unwrap();
                let mut rng = (stream / "samples").rng();
                let inputs: Vec<f32> = (0..130).map(|_| (2.0 * rng.unit() - 0.5) as f32).collect();
                let targets: Vec<f32> = (0..13).map(|_| rng.unit() as f32).collect();
                let (mut gradient, mut weights) = (Gradient::default(), Vec::new());
                transposed(&network, &mut weights);
                gradient.find(&network, &weights, (&inputs, &targets), (loss_of, 1.0));
                let mut parameters: Vec<f64> = network.parameters().iter().map(|&p| f64::from(p)).collect();
                let mut seen = 0;
                for place in 0..parameters.len() {
                    let (step, at) = (1e-6, parameters[place]);
                    let mut side = |at: f64| {
                        parameters[place] = at;
                        loss(&network, &parameters, (&inputs, &targets), loss_of)
                    };
                    let difference = (side(at + step) - side(at - step)) / (2.0 * step);
                    parameters[place] = at;
                    let slope = f64::from(gradient.slopes[place]);
                    assert!(
                        (slope - difference).abs() < 1e-3 * difference.abs().max(1.0),
                        "{name} {loss_of:?} parameter {place}: {slope}, {difference}"
                    );
                    seen += usize::from(slope.abs() > 0.01);
                }
                assert!(seen > 20, "{name} {loss_of:?}: only {seen} slopes are not flat");
            }
        }
    }
}
