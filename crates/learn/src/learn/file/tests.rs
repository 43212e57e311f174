//! Tests of files of networks.

use super::*;
use crate::learn::Activation;
use crate::rng::Stream;

fn network() -> Network {
    let layer = |width, activation| Layer { width, activation };
    let layers =
        [layer(3, Activation::ClippedRelu), layer(2, Activation::Tanh), layer(1, Activation::Linear)];
    Network::random(5, &layers, Stream::new(5)).unwrap()
}

/// A file with this header and this many bytes of data.
fn file(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(vec![0; data]);
    bytes
}

fn reason(bytes: &[u8]) -> String {
    read_network(bytes).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_back() {
    let metadata =
        BTreeMap::from([("game", "othello"), ("input", "one-hot")].map(|(a, b)| (a.into(), b.into())));
    let bytes = write_network(&network(), &metadata);
    let found = read_network(&bytes).unwrap();
    assert_eq!(found.network, network());
    assert_eq!(found.metadata["input"], "one-hot");
    assert_eq!(found.metadata["activations"], "clipped-relu,tanh,linear");
    assert_eq!(bytes, write_network(&found.network, &found.metadata));
}

#[test]
fn every_part_of_a_file_is_refused() {
    let bytes = write_network(&network(), &BTreeMap::new());
    for end in 0..bytes.len() {
        let reason = reason(&bytes[..end]);
        assert!(!reason.is_empty() && reason.starts_with(char::is_lowercase), "{end}: {reason}");
    }
    assert!(reason(&bytes[..3]).contains("shorter than 8 bytes"));
    assert!(reason(&bytes[..20]).contains("cut off"));
    assert!(reason(&bytes[..bytes.len() - 1]).contains("end of the file"));
}

#[test]
fn a_header_that_promises_10_gb_is_refused() {
    let bytes = [&10_000_000_000_u64.to_le_bytes()[..], b"{}"].concat();
    let expected =
        "the header promises 10000000000 bytes, and 2 follow; the file is cut off or no safetensors file";
    assert_eq!(reason(&bytes), expected);
}

#[test]
fn headers_of_no_network_are_refused() {
    let one = r#""l1.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}"#;
    let twice = format!("{{{one},{one}}}");
    let large = r#"{"l1.weight":{"dtype":"F32","shape":[1,2500000000],"data_offsets":[0,10000000000]}}"#;
    let overlap = r#"{"l1.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"l1.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
    let chain = r#"{"__metadata__":{"activation":"tanh"},
        "l1.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},
        "l1.bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},
        "l2.weight":{"dtype":"F32","shape":[1,3],"data_offsets":[32,44]},
        "l2.bias":{"dtype":"F32","shape":[1],"data_offsets":[44,48]}}"#;
    for (header, data, words) in [
        (&*twice, 4, "two tensors have the name `l1.weight`"),
        (large, 8, "end of the file"),
        (overlap, 8, "overlaps"),
        (chain, 48, "the layers do not chain: `l2` takes 3 numbers, and `l1` before it gives 2"),
        ("{}", 0, "no tensors"),
        ("[]", 0, "no JSON of tensors"),
    ] {
        assert!(reason(&file(header, data)).contains(words), "{header}");
    }
    for (name, dtype, shape, bytes, words) in [
        ("conv", "F32", "[1]", 4, "no `.weight` and no `.bias`"),
        ("l1.weight", "F16", "[1,1]", 2, "convert it to F32"),
        ("l1.weight", "F32", "[1,1]", 4, "no `l1.bias`"),
        ("l1.bias", "F32", "[1]", 4, "no `l1.weight`"),
    ] {
        let tensor = format!(r#"{{"dtype":"{dtype}","shape":{shape},"data_offsets":[0,{bytes}]}}"#);
        let header = format!(r#"{{"__metadata__":{{"activation":"tanh"}},"{name}":{tensor}}}"#);
        assert!(reason(&file(&header, bytes)).contains(words), "{header}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut bytes = write_network(&network(), &BTreeMap::new());
    let place = bytes.len() - 4;
    bytes[place..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(reason(&bytes).starts_with("number 0 of `l3.bias` is NaN"));
}

#[test]
fn a_file_without_activations_or_with_unknown_ones_is_refused() {
    let with = |metadata: &str| {
        let tensors = r#""0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}"#;
        read_network(&file(&format!(r#"{{"__metadata__":{{{metadata}}},{tensors}}}"#), 8))
    };
    assert!(with("").unwrap_err().to_string().contains("add `activation`"));
    assert!(with(r#""activation":"elu""#).unwrap_err().to_string().contains("there are linear, tanh"));
    assert!(with(r#""activations":"tanh,tanh""#).unwrap_err().to_string().contains("1 layers and 2"));
    assert_eq!(with(r#""activation":"tanh""#).unwrap().network.layers()[0].activation, Activation::Linear);
}
