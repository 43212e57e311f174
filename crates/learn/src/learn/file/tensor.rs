//! Tensors as bytes of a file in the format `safetensors`.

use std::collections::BTreeMap;

/// A named tensor.
pub(in crate::learn) struct Tensor {
    pub(in crate::learn) name: String,
    /// The type of its numbers, as the format names it.
    pub(in crate::learn) dtype: &'static str,
    pub(in crate::learn) shape: Vec<usize>,
    pub(in crate::learn) bytes: Vec<u8>,
}

impl Tensor {
    /// A tensor of type F32.
    pub(in crate::learn) fn of_numbers(name: String, shape: Vec<usize>, numbers: &[f32]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { name, dtype: "F32", shape, bytes }
    }
}

/// The bytes of a file. The same metadata and tensors always give the same bytes.
pub(in crate::learn) fn write_tensors(metadata: &BTreeMap<String, String>, tensors: Vec<Tensor>) -> Vec<u8> {
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
