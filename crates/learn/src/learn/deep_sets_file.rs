//! Networks of bags in files, in the format `safetensors`. The metadata of the file states `game`, `network = bags` and the number
//! of `kinds`.
//!
//! The key decision: most things never happen, and rows need few digits. So the tensor `kept` (U8) has a bit for each kind, the
//! lowest first, `rows` (I8) the kept rows in 255 steps, `scales` (F32) the step of each, and `layers` (F32) the rest. For the values
//! of Calculation with a full pack this is a fourteenth of all numbers as F32.

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};

use super::deep_sets::{DeepSets, LANES, Row};
use super::file::{Tensor, write_tensors};

const NETWORK: &str = "bags";

/// A row is kept if a weight is at least this large.
const SMALLEST: f32 = 0.02;

/// The largest number of steps.
const STEPS: f32 = 127.0;

/// The bytes of a file. The same network always gives the same bytes.
///
/// A weight is off by at most 1/254 of the largest of its row, and that of a row that is not kept by at most 0.02.
///
/// # Example
/// ```
/// use shikou::learn::{DeepSets, read_deep_sets, write_deep_sets};
/// use shikou::rng::Stream;
/// let network = DeepSets::random(5, Stream::new(1));
/// let bytes = write_deep_sets(&network, "calculation");
/// assert_eq!(read_deep_sets(&bytes, "calculation", 5).unwrap(), network);
/// let error = read_deep_sets(&bytes, "calculation", 6).unwrap_err();
/// assert_eq!(error, "this network knows 5 kinds of things, and the game has 6; train another for this game");
/// ```
pub fn write_deep_sets(network: &DeepSets, game: &str) -> Vec<u8> {
    let (mut kept, mut rows, mut scales) = (vec![0; network.kinds().div_ceil(8)], Vec::new(), Vec::new());
    for (kind, Row(row)) in network.rows().iter().enumerate() {
        let largest = row.iter().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
        if largest >= SMALLEST {
            kept[kind / 8] |= 1_u8 << (kind % 8);
            let scale = largest / STEPS;
            scales.push(scale);
            rows.extend(row.map(|weight| (weight / scale).round() as i8));
        }
    }
    let count = scales.len();
    let kinds = network.kinds().to_string();
    let metadata = [("game", game), ("kinds", &kinds), ("network", NETWORK)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let (count_kept, layers) = (kept.len(), network.all_layers());
    let rows = rows.iter().map(|step: &i8| step.cast_unsigned()).collect();
    let tensors = vec![
        Tensor::of_numbers("layers".into(), vec![layers.len()], layers),
        Tensor::of_numbers("scales".into(), vec![count], &scales),
        Tensor { name: "rows".into(), dtype: "I8", shape: vec![count, LANES], bytes: rows },
        Tensor { name: "kept".into(), dtype: "U8", shape: vec![count_kept], bytes: kept },
    ];
    write_tensors(&BTreeMap::from(metadata), tensors)
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they are no network of bags for this game and this number of kinds, with the reason and the next step.
pub fn read_deep_sets(bytes: &[u8], game: &str, kinds: usize) -> Result<DeepSets, String> {
    let damaged = |error: safetensors::SafeTensorError| {
        format!("this is no network as safetensors ({error}); write or fetch the file again")
    };
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
    let stated = |name: &str| {
        metadata.metadata().as_ref().and_then(|all| all.get(name)).map_or("", String::as_str).to_owned()
    };
    if stated("network") != NETWORK {
        return Err("this is no network of bags; train one with the method td".into());
    }
    if stated("game") != game {
        return Err(format!("this network is for {}, not for {game}", stated("game")));
    }
    let own = stated("kinds");
    if own != kinds.to_string() {
        return Err(format!(
            "this network knows {own} kinds of things, and the game has {kinds}; train another for this game"
        ));
    }
    let tensors = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let data = |name: &str, dtype: Dtype| match tensors.tensor(name).map_err(damaged)? {
        tensor if tensor.dtype() == dtype => Ok(tensor.data().to_vec()),
        tensor => Err(format!("`{name}` is of type {:?}; convert it to {dtype:?}", tensor.dtype())),
    };
    let numbers = |name: &str| {
        let read =
            |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        data(name, Dtype::F32).map(read)
    };
    let (layers, scales): (Vec<f32>, Vec<f32>) = (numbers("layers")?, numbers("scales")?);
    let (rows, kept) = (data("rows", Dtype::I8)?, data("kept", Dtype::U8)?);
    let is_kept = |kind: usize| kept.get(kind / 8).is_some_and(|bits| bits >> (kind % 8) & 1 == 1);
    let count = (0..kinds).filter(|&kind| is_kept(kind)).count();
    if (scales.len(), rows.len()) != (count, count * LANES) {
        return Err("this network has other rows than its file says; write or fetch the file again".into());
    }
    let mut each = rows.as_chunks::<LANES>().0.iter().zip(&scales);
    let mut next = || each.next().map(|(row, scale)| row.map(|step| scale * f32::from(step.cast_signed())));
    let mut parameters: Vec<f32> = Vec::with_capacity(DeepSets::count_parameters(kinds));
    for kind in 0..kinds {
        parameters.extend(if is_kept(kind) { next().expect("as many as are kept") } else { [0.0; LANES] });
    }
    parameters.extend(layers);
    let network = DeepSets::from_parameters(kinds, &parameters);
    network.ok_or_else(|| "the layers of this network have another size, or a number is not finite".into())
}
