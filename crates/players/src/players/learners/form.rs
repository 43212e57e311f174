//! The form of learned weights: their purpose and their file.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::game::tuples::SquareEffects;
use crate::learn::{DeepSets, Layer, Network, Squares, write_deep_sets, write_network};
use crate::players::network_file::NetworkForm;
use crate::players::weights_file::{WeightsForm, write_weights};

/// Something that is made of weights.
pub(super) type Made<T> = Arc<dyn Fn(&[f64]) -> T + Send + Sync>;

/// The purpose of learned weights, and their file.
#[derive(Clone)]
pub struct Form {
    /// The name of the file.
    pub file: &'static str,
    /// The weights in the words of a report.
    pub of: String,
    /// The number of weights.
    pub weights: usize,
    /// The evaluation by a file `weights`, as text; empty for a policy.
    pub evaluation: String,
    pub(super) written: Made<Vec<u8>>,
    pub(super) effects: Option<Made<SquareEffects>>,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of)
    }
}

impl Form {
    /// The content of the file with weights that begin these numbers; without any, with weights 0.
    pub fn content(&self, numbers: &[f64]) -> Vec<u8> {
        let zeros = || (self.written)(&vec![0.0; self.weights]);
        numbers.get(..self.weights).map_or_else(zeros, |weights| (self.written)(weights))
    }

    /// The effect of a disc on each square, by weights of tuples that begin these numbers.
    pub fn squares(&self, numbers: &[f64]) -> Option<SquareEffects> {
        Some((self.effects.as_ref()?)(numbers.get(..self.weights)?))
    }

    /// Weights of features, in a file of text. Their names are made once the file is written.
    pub(super) fn of_weights(
        of: String,
        weights: usize,
        form: impl FnOnce() -> WeightsForm + Send + 'static,
    ) -> Self {
        let form = LazyLock::new(form);
        let written = move |weights: &[f64]| {
            let rounded: Vec<f64> = weights.iter().map(|&weight| rounded(weight, form.unit)).collect();
            write_weights(&form, &rounded).into_bytes()
        };
        Self { file: "weights.txt", ..Self::of_network_file((of, weights, String::new()), written) }
    }

    pub(super) fn of_bags(game: &'static str, kinds: usize) -> Self {
        let written = move |weights: &[f64]| {
            let network = DeepSets::from_parameters(kinds, &singles(weights));
            write_deep_sets(&network.expect("as many finite weights as the network has"), game)
        };
        let (of, evaluation) = (format!("bags of {kinds} kinds"), "bags(file=weights)".into());
        Self::of_network_file((of, DeepSets::count_parameters(kinds), evaluation), written)
    }

    pub(super) fn of_network(form: NetworkForm, layers: Arc<[Layer]>) -> Self {
        let NetworkForm { input, seen, inputs, .. } = &form;
        let widths: Vec<String> = layers.iter().map(|layer| layer.width.to_string()).collect();
        let of = format!("{input}/{seen} {inputs}–{}", widths.join("–"));
        let is_squares = Squares::ALL.iter().any(|(name, _)| name == input);
        let choice =
            if is_squares { format!("input={input}") } else { format!("input=features,features={input}") };
        let evaluation = format!("network({choice},seen={seen},file=weights)");
        let weights = Network::count_parameters(*inputs, &layers).expect("the layers were checked");
        let written = move |weights: &[f64]| {
            let network = Network::from_parameters(form.inputs, &layers, singles(weights));
            write_network(&network.expect("weights are finite"), &form.metadata())
        };
        Self::of_network_file((of, weights, evaluation), written)
    }

    fn of_network_file(
        (of, weights, evaluation): (String, usize, String),
        written: impl Fn(&[f64]) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        Self {
            file: "network.safetensors",
            of,
            weights,
            evaluation,
            written: Arc::new(written),
            effects: None,
        }
    }
}

fn singles(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|&weight| weight as f32).collect()
}

/// A weight, rounded to a multiple of the unit.
fn rounded(weight: f64, unit: f64) -> f64 {
    let reciprocal = libm::round(1.0 / unit);
    let steps = libm::round(weight / unit);
    let rounded = if 1.0 / reciprocal == unit { steps / reciprocal } else { steps * unit };
    // No weight is −0.
    rounded + 0.0
}
