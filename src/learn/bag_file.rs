//! Networks of bags in files, in the format `safetensors`: the tensors `rows` and `layers` of type F32. The metadata of the file
//! states `game` and `network = bags`.

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};

use super::bag_network::{BagNetwork, LANES};

/// What the metadata says.
const NETWORK: &str = "bags";

/// The bytes of a file. The same network always gives the same bytes.
///
/// # Example
/// ```
/// use shikou::learn::{BagNetwork, read_bag_network, write_bag_network};
/// use shikou::rng::Stream;
/// let network = BagNetwork::random(5, Stream::new(1));
/// let bytes = write_bag_network(&network, "calculation");
/// assert_eq!(read_bag_network(&bytes, "calculation", 5).unwrap(), network);
/// let error = read_bag_network(&bytes, "calculation", 6).unwrap_err();
/// assert_eq!(error, "this network knows 5 kinds of things, and the game has 6; train another for this game");
/// ```
pub fn write_bag_network(network: &BagNetwork, game: &str) -> Vec<u8> {
    let (rows, all) = (network.kinds() * LANES * 4, network.parameters().len());
    let metadata = BTreeMap::from([("game", game), ("network", NETWORK)]);
    let header = serde_json::json!({
        "__metadata__": metadata,
        "layers": { "dtype": "F32", "shape": [all - rows / 4], "data_offsets": [rows, 4 * all] },
        "rows": { "dtype": "F32", "shape": [network.kinds(), LANES], "data_offsets": [0, rows] },
    });
    let mut header = header.to_string();
    // The data begin at a multiple of 8, as in other writers of the format.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.into_bytes());
    bytes.extend(network.parameters().iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they are no network of bags for this game and this number of kinds, with the reason and the next step.
pub fn read_bag_network(bytes: &[u8], game: &str, kinds: usize) -> Result<BagNetwork, String> {
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
    let tensors = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let mut parameters = Vec::new();
    for name in ["rows", "layers"] {
        let tensor = tensors.tensor(name).map_err(damaged)?;
        if tensor.dtype() != Dtype::F32 {
            return Err(format!("`{name}` is of type {:?}; convert it to F32", tensor.dtype()));
        }
        if name == "rows" && tensor.shape() != [kinds, LANES] {
            let own = tensor.shape().first().copied().unwrap_or_default();
            return Err(format!(
                "this network knows {own} kinds of things, and the game has {kinds}; train another for this game"
            ));
        }
        parameters.extend(tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)));
    }
    let network = BagNetwork::from_parameters(kinds, parameters);
    network.ok_or_else(|| "the layers of this network have another size, or a number is not finite".into())
}
