//! Networks of dense layers.

use std::ops::Range;

use super::activation::Activation;
use super::product::{Product, RowSum};
use crate::game::accelerate;
use crate::rng::Stream;
use crate::stats::draw;
use crate::words::Problem;

/// The most numbers of a network: 400 MB.
const MOST_PARAMETERS: usize = 100_000_000;

/// A layer: its width and the function that it applies to its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The number of its sums.
    pub width: usize,
    /// The function.
    pub activation: Activation,
}

/// A network of dense layers: y = f(x · W + b) for each, in single precision. The last layer has one sum, the value.
///
/// A sum is added up in the order of the inputs, beginning with the bias, and nothing is fused. So a value has the same
/// bits on every processor, alone or in a batch.
///
/// # Example: a network that adds two numbers
/// ```
/// use shikou::learn::{Activation, Layer, Network};
/// let layers = [Layer { width: 1, activation: Activation::Linear }];
/// let network = Network::from_parameters(2, &layers, vec![1.0, 1.0, 0.5]).unwrap();
/// assert_eq!(network.value(&[2.0, 3.0]), 5.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    inputs: usize,
    layers: Vec<Layer>,
    /// For each layer the weights, row by row, one row an input; then the biases.
    parameters: Vec<f32>,
}

/// A layer in place: its inputs, and where its parameters are.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) inputs: usize,
    pub(super) layer: Layer,
    pub(super) weights: Range<usize>,
    pub(super) biases: Range<usize>,
}

impl Network {
    /// A network with random weights: normal with variance 1 / inputs of the layer, biases 0.
    ///
    /// # Errors
    /// If the layers are no network: none, a width of 0, a last width other than 1, or more than 10⁸ parameters.
    pub fn random(inputs: usize, layers: &[Layer], stream: Stream) -> Result<Self, Problem> {
        let count = Self::count_parameters(inputs, layers)?;
        let mut network = Self { inputs, layers: layers.to_vec(), parameters: vec![0.0; count] };
        let mut rng = stream.rng();
        for place in network.places() {
            let deviation = 1.0 / (place.inputs as f64).sqrt();
            for weight in &mut network.parameters[place.weights] {
                *weight = (deviation * draw::normal(&mut rng)) as f32;
            }
        }
        Ok(network)
    }

    /// The number of parameters of a network with these layers.
    ///
    /// # Errors
    /// As [`Network::random`].
    pub fn count_parameters(inputs: usize, layers: &[Layer]) -> Result<usize, Problem> {
        let refused = |reason: String| Err(Problem::new("layers", reason));
        let Some(last) = layers.last() else {
            return refused("there are none; a network ends with a layer of width 1".into());
        };
        if last.width != 1 {
            return refused(format!("the last has width {}, and a value needs width 1", last.width));
        }
        if inputs == 0 || layers.iter().any(|layer| layer.width == 0) {
            return refused("a width of 0 carries nothing; write 1 or more".into());
        }
        let (mut before, mut count) = (inputs, 0_usize);
        for layer in layers {
            let of_layer = before.checked_add(1).and_then(|rows| rows.checked_mul(layer.width));
            count = match of_layer.and_then(|more| count.checked_add(more)) {
                Some(count) if count <= MOST_PARAMETERS => count,
                _ => return refused(format!("more than {MOST_PARAMETERS} parameters; write smaller widths")),
            };
            before = layer.width;
        }
        Ok(count)
    }

    /// A network with these parameters: for each layer the weights, one row an input, then the biases.
    ///
    /// # Errors
    /// As [`Network::random`]; also if there are not as many parameters as the layers need, or one is not finite.
    pub fn from_parameters(inputs: usize, layers: &[Layer], parameters: Vec<f32>) -> Result<Self, Problem> {
        let count = Self::count_parameters(inputs, layers)?;
        if parameters.len() != count {
            let reason = format!("these layers have {count} parameters, and {} are given", parameters.len());
            return Err(Problem::new("parameters", reason));
        }
        if let Some(place) = parameters.iter().position(|parameter| !parameter.is_finite()) {
            let reason = format!("number {place} is {}, and no network has such a number", parameters[place]);
            return Err(Problem::new("parameters", reason));
        }
        Ok(Self { inputs, layers: layers.to_vec(), parameters })
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The layers.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The parameters: for each layer the weights, one row an input, then the biases.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub(super) fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    pub(super) fn places(&self) -> Vec<Place> {
        let (mut inputs, mut begin) = (self.inputs, 0);
        let place = |&layer: &Layer| {
            let end = begin + inputs * layer.width;
            let place = Place { inputs, layer, weights: begin..end, biases: end..end + layer.width };
            (inputs, begin) = (layer.width, end + layer.width);
            place
        };
        self.layers.iter().map(place).collect()
    }

    /// The value of one input, as the last layer gives it.
    ///
    /// # Panics
    /// If there are not as many numbers as inputs.
    pub fn value(&self, input: &[f32]) -> f32 {
        let mut values = Vec::new();
        self.values(input, &mut Scratch::default(), &mut values);
        assert_eq!(values.len(), 1, "one input");
        values[0]
    }

    /// Appends the value of each of some inputs that lie one after the other.
    ///
    /// # Panics
    /// If the numbers are no whole number of inputs.
    ///
    /// # Cost
    /// A multiplication for each weight and input; nothing is allocated once the scratch memory has its size.
    pub fn values(&self, inputs: &[f32], scratch: &mut Scratch, values: &mut Vec<f32>) {
        assert!(inputs.len().is_multiple_of(self.inputs), "whole inputs");
        let rows = inputs.len() / self.inputs;
        let places = self.places();
        self.layer(&places[0], inputs, rows, &mut scratch.now);
        self.values_after(&places[1..], rows, scratch, values);
    }

    /// Appends the value of each of some inputs of zeros and ones, each given by the numbers of its ones in rising order.
    /// The bits are those of [`Network::values`].
    ///
    /// # Panics
    /// If a number is not below the number of inputs.
    ///
    /// # Cost
    /// As [`Network::values`], with an addition for each one and sum in place of the first layer's products.
    pub fn values_of_ones<'o>(
        &self,
        inputs: impl IntoIterator<Item = &'o [u16]>,
        scratch: &mut Scratch,
        values: &mut Vec<f32>,
    ) {
        let places = self.places();
        let first = &places[0];
        scratch.now.clear();
        let mut rows = 0;
        for chosen in inputs {
            let begin = scratch.now.len();
            scratch.now.extend_from_slice(&self.parameters[first.biases.clone()]);
            let b = &self.parameters[first.weights.clone()];
            accelerate(RowSum { chosen, b, sums: &mut scratch.now[begin..] });
            rows += 1;
        }
        first.layer.activation.apply(&mut scratch.now);
        self.values_after(&places[1..], rows, scratch, values);
    }

    /// Appends the values, given the activations of the first layer.
    fn values_after(&self, rest: &[Place], rows: usize, scratch: &mut Scratch, values: &mut Vec<f32>) {
        let Scratch { now, next } = scratch;
        for place in rest {
            self.layer(place, now, rows, next);
            std::mem::swap(now, next);
        }
        values.extend_from_slice(now);
    }

    /// The activations of a layer for some rows of inputs.
    pub(super) fn layer(&self, place: &Place, inputs: &[f32], rows: usize, outputs: &mut Vec<f32>) {
        outputs.clear();
        for _ in 0..rows {
            outputs.extend_from_slice(&self.parameters[place.biases.clone()]);
        }
        accelerate(Product {
            a: inputs,
            row_step: place.inputs,
            term_step: 1,
            b: &self.parameters[place.weights.clone()],
            rows,
            depth: place.inputs,
            columns: place.layer.width,
            sums: outputs,
        });
        place.layer.activation.apply(outputs);
    }

    /// The largest absolute value for inputs whose absolute values are at most `most`.
    pub fn largest(&self, most: f64) -> f64 {
        let mut bounds = vec![(-most, most); self.inputs];
        for place in self.places() {
            let width = place.layer.width;
            let weights = &self.parameters[place.weights];
            bounds = (0..width)
                .map(|column| {
                    let bias = f64::from(self.parameters[place.biases.start + column]);
                    let sum =
                        bounds.iter().enumerate().fold((bias, bias), |(low, high), (row, &(least, most))| {
                            let weight = f64::from(weights[row * width + column]);
                            let (a, b) = (weight * least, weight * most);
                            (low + a.min(b), high + a.max(b))
                        });
                    let (low, high) = sum;
                    match place.layer.activation {
                        Activation::Linear => (low, high),
                        Activation::Tanh => (low.max(-1.0), high.min(1.0)),
                        Activation::Relu => (low.max(0.0), high.max(0.0)),
                        Activation::ClippedRelu => (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)),
                    }
                })
                .collect();
        }
        let (low, high) = bounds[0];
        // Single precision rounds; a part in ten thousand is far more than it loses.
        1.0001 * low.abs().max(high.abs())
    }
}

/// Memory that is used again from one call to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    now: Vec<f32>,
    next: Vec<f32>,
}

#[cfg(test)]
mod tests;
