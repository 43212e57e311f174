//! The file of what a training learned.

use std::sync::Arc;

use crate::learn::{Layer, Network, write_network};
use crate::players::{BagForm, NetworkForm, WeightsForm, write_weights};

/// What learned weights are for.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// A file of weights.
    Weights(WeightsForm),
    /// A file of a network.
    Network(NetworkForm, Arc<[Layer]>),
    /// A file of a network of bags.
    Bags(BagForm),
}

impl Form {
    /// The name of the file, in the folder of the training.
    pub(crate) fn file(&self) -> &'static str {
        match self {
            Self::Weights(_) => "weights.txt",
            Self::Network(..) | Self::Bags(_) => "network.safetensors",
        }
    }

    /// What is learned, for a reader.
    pub(crate) fn of(&self) -> String {
        match self {
            Self::Weights(form) => form.of.clone(),
            Self::Bags(form) => format!("bags of {} kinds", form.kinds),
            Self::Network(NetworkForm { input, seen, inputs, .. }, layers) => {
                let widths: Vec<String> = layers.iter().map(|layer| layer.width.to_string()).collect();
                format!("{input}/{seen} {inputs}–{}", widths.join("–"))
            }
        }
    }

    /// The number of weights.
    pub(crate) fn weights(&self) -> usize {
        match self {
            Self::Weights(form) => form.names.len(),
            Self::Bags(form) => form.weights(),
            Self::Network(form, layers) => {
                Network::count_parameters(form.inputs, layers).expect("the layers were checked")
            }
        }
    }

    /// The content of the file with weights that begin these numbers; without any, with weights 0.
    pub(crate) fn content(&self, numbers: &[f64]) -> Vec<u8> {
        let count = self.weights();
        let mut weights = numbers.get(..count).map_or_else(|| vec![0.0; count], <[f64]>::to_vec);
        match self {
            Self::Weights(form) => {
                for weight in &mut weights {
                    *weight = rounded(*weight, form.unit);
                }
                write_weights(form, &weights).into_bytes()
            }
            Self::Bags(form) => {
                form.content(&weights.iter().map(|&weight| weight as f32).collect::<Vec<_>>())
            }
            Self::Network(form, layers) => {
                let weights = weights.iter().map(|&weight| weight as f32).collect();
                let network = Network::from_parameters(form.inputs, layers, weights);
                write_network(&network.expect("weights are finite"), &form.metadata())
            }
        }
    }
}

/// A weight, rounded to a multiple of the unit.
fn rounded(weight: f64, unit: f64) -> f64 {
    let reciprocal = libm::round(1.0 / unit);
    let steps = libm::round(weight / unit);
    let rounded = if 1.0 / reciprocal == unit { steps / reciprocal } else { steps * unit };
    // No weight is −0.
    rounded + 0.0
}
