//! Networks in files, in the format `safetensors`, or in `.npz`, that of NumPy.
//!
//! A layer is two tensors of type F32: `l1.weight` with shape (sums, inputs), and `l1.bias` with shape (sums). Layers are
//! taken in the order of the numbers in their names, so that the files of other frameworks fit too (`0.weight`, `2.weight`
//! …). The metadata of the file states `activations`, one for each layer with commas between, or `activation`, that of
//! all but the last layer, which is then linear. Files of Shikou also state `game` and `input`.
//!
//! In `.npz`, as Chainer writes it, a layer is two arrays of type float32 or float64: `l1/W` with shape (sums, inputs), and `l1/b`.
//! The names of chains may stand before: `predictor/l1/W`. Such a file states nothing more.

mod header;
mod npz;

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};
use serde::de::Deserializer as _;

pub use self::header::FileError;
use self::header::{Described, Twice, activations, explained, layers, refused};
use super::activation::Activation;
use super::network::{Layer, Network};

/// The length of the number before the header.
const LENGTH: usize = 8;

/// A network with what its file says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// The metadata, such as `game` and `input`.
    pub metadata: BTreeMap<String, String>,
}

/// The bytes of a file. The same network and metadata always give the same bytes.
///
/// # Example
/// ```
/// use std::collections::BTreeMap;
/// use shikou::learn::{Activation, Layer, Network, read_network, write_network};
/// let layers = [Layer { width: 1, activation: Activation::Tanh }];
/// let network = Network::from_parameters(2, &layers, vec![0.5, -0.5, 0.1]).unwrap();
/// let metadata = BTreeMap::from([("game".to_owned(), "tic-tac-toe".to_owned())]);
/// let file = read_network(&write_network(&network, &metadata), None).unwrap();
/// assert_eq!(file.network, network);
/// assert_eq!(file.metadata["game"], "tic-tac-toe");
/// ```
pub fn write_network(network: &Network, metadata: &BTreeMap<String, String>) -> Vec<u8> {
    let names: Vec<&str> = network.layers().iter().map(|layer| layer.activation.name()).collect();
    let mut metadata = metadata.clone();
    metadata.insert("activations".into(), names.join(","));
    let mut tensors = Vec::new();
    let parameters = network.parameters();
    for (number, place) in network.places().into_iter().enumerate() {
        let (rows, width) = (place.inputs, place.layer.width);
        let weight = |index: usize| parameters[place.weights.start + index % rows * width + index / rows];
        let weights: Vec<f32> = (0..rows * width).map(weight).collect();
        let mut add = |kind, shape, numbers: &[f32]| {
            tensors.push(Tensor::of_numbers(format!("l{}.{kind}", number + 1), shape, numbers));
        };
        add("weight", vec![width, rows], &weights);
        add("bias", vec![width], &parameters[place.biases]);
    }
    write_tensors(&metadata, tensors)
}

pub(super) struct Tensor {
    pub(super) name: String,
    /// The type of its numbers, as the format names it.
    pub(super) dtype: &'static str,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: Vec<u8>,
}

impl Tensor {
    /// A tensor of type F32.
    pub(super) fn of_numbers(name: String, shape: Vec<usize>, numbers: &[f32]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { name, dtype: "F32", shape, bytes }
    }
}

pub(super) fn write_tensors(metadata: &BTreeMap<String, String>, tensors: Vec<Tensor>) -> Vec<u8> {
    let mut header = serde_json::json!({ "__metadata__": metadata });
    let mut data = Vec::new();
    for Tensor { name, dtype, shape, bytes } in tensors {
        let offsets = [data.len(), data.len() + bytes.len()];
        header[name] = serde_json::json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets });
        data.extend(bytes);
    }
    let mut header = header.to_string();
    // The data begin at a multiple of 8, as in other writers of the format.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}

/// Reads the bytes of a file. `hidden` is the activation of all layers but the last, for a file that states none; by default it is
/// tanh in `.npz`.
///
/// # Errors
/// If they are no network: cut off, a header longer than the file, tensors that overlap or have one name, another type,
/// layers that do not chain, a number that is not finite, activations that the file does not state or states otherwise. Nothing is
/// reserved before the header has been held against the length of the file.
pub fn read_network(bytes: &[u8], hidden: Option<Activation>) -> Result<NetworkFile, FileError> {
    if bytes.starts_with(&npz::ZIP) {
        return read_npz(bytes, hidden.unwrap_or(Activation::Tanh));
    }
    let estimated = match bytes.first_chunk::<LENGTH>() {
        Some(length) => u64::from_le_bytes(*length),
        None => return refused("this is no safetensors file: it is shorter than 8 bytes"),
    };
    let available = (bytes.len() - LENGTH) as u64;
    if estimated > available {
        return refused(format!(
            "the header estimates {estimated} bytes, and {available} follow; the file is cut off or no safetensors file"
        ));
    }
    let header = &bytes[LENGTH..LENGTH + estimated as usize];
    if let Ok(Some(name)) = serde_json::Deserializer::from_slice(header).deserialize_map(Twice) {
        return refused(format!("two tensors have the name `{name}`; give each a name of its own"));
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).or_else(|error| refused(explained(&error)))?;
    let tensors = SafeTensors::deserialize(bytes).or_else(|error| refused(explained(&error)))?;
    let shapes = metadata.tensors().into_iter().map(|(name, tensor)| (name, tensor.shape.clone())).collect();
    if let Some((name, tensor)) = tensors.iter().find(|(_, tensor)| tensor.dtype() != Dtype::F32) {
        return refused(format!("`{name}` is of type {:?}; convert it to F32", tensor.dtype()));
    }
    let kinds = [".weight", ".bias"];
    let found = layers(&shapes, kinds)?;
    let metadata: BTreeMap<String, String> =
        metadata.metadata().iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect();
    let activations = activations(&metadata, found.len(), hidden)?;
    let network = build(&found, &activations, kinds, |name| {
        let tensor = tensors.tensor(name).expect("the header has it");
        tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    })?;
    Ok(NetworkFile { network, metadata })
}

fn read_npz(bytes: &[u8], hidden: Activation) -> Result<NetworkFile, FileError> {
    let mut arrays = npz::arrays(bytes)?;
    let shapes = arrays.iter().map(|(name, array)| (name.clone(), array.shape.clone())).collect();
    let kinds = ["/W", "/b"];
    let found = layers(&shapes, kinds)?;
    let metadata = BTreeMap::new();
    let activations = activations(&metadata, found.len(), Some(hidden))?;
    let network =
        build(&found, &activations, kinds, |name| arrays.remove(name).expect("the archive has it").numbers)?;
    Ok(NetworkFile { network, metadata })
}

/// A network of these layers. `numbers` gives those of a tensor; weights have a row for each sum.
fn build(
    found: &[Described],
    activations: &[Activation],
    kinds: [&str; 2],
    mut numbers: impl FnMut(&str) -> Vec<f32>,
) -> Result<Network, FileError> {
    let layer = |(layer, &activation): (&Described, &Activation)| Layer { width: layer.width, activation };
    let layers: Vec<Layer> = found.iter().zip(activations).map(layer).collect();
    let inputs = found[0].inputs;
    let count = Network::count_parameters(inputs, &layers).or_else(|problem| refused(problem.to_string()))?;
    let mut parameters = Vec::with_capacity(count);
    for layer in found {
        let [weights, biases] = kinds.map(|kind| {
            let name = format!("{}{kind}", layer.name);
            let numbers = numbers(&name);
            match numbers.iter().position(|number| !number.is_finite()) {
                Some(place) => refused(format!(
                    "number {place} of `{name}` is {}, and no weight is that; train again or write another file",
                    numbers[place]
                )),
                None => Ok(numbers),
            }
        });
        let (weights, biases) = (weights?, biases?);
        for input in 0..layer.inputs {
            parameters.extend((0..layer.width).map(|sum| weights[sum * layer.inputs + input]));
        }
        parameters.extend(biases);
    }
    Network::from_parameters(inputs, &layers, parameters).or_else(|problem| refused(problem.to_string()))
}

#[cfg(test)]
mod tests;
