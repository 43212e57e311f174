//! Tests of files of networks.

use std::io::Write as _;

use super::super::network::Place;
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
    read_network(bytes, None).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_back() {
    let metadata =
        BTreeMap::from([("game", "othello"), ("input", "one-hot")].map(|(a, b)| (a.into(), b.into())));
    let bytes = write_network(&network(), &metadata);
    let found = read_network(&bytes, None).unwrap();
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
fn a_header_that_estimates_10_gb_is_refused() {
    let bytes = [&10_000_000_000_u64.to_le_bytes()[..], b"{}"].concat();
    let expected =
        "the header estimates 10000000000 bytes, and 2 follow; the file is cut off or no safetensors file";
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
        read_network(&file(&format!(r#"{{"__metadata__":{{{metadata}}},{tensors}}}"#), 8), None)
    };
    assert!(with("").unwrap_err().to_string().contains("add `activation`"));
    assert!(with(r#""activation":"elu""#).unwrap_err().to_string().contains("there are linear, tanh"));
    assert!(with(r#""activations":"tanh,tanh""#).unwrap_err().to_string().contains("1 layers and 2"));
    assert_eq!(with(r#""activation":"tanh""#).unwrap().network.layers()[0].activation, Activation::Linear);
}

/// The bytes of an array as NumPy writes them: version 1, the header padded to a multiple of 64 with the data after it.
fn array(descr: &str, is_fortran: bool, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(|length| format!("{length},")).collect();
    let order = if is_fortran { "True" } else { "False" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({}), }}", lengths.join(" "));
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn single(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn double(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect()
}

/// A zip archive of members, stored or compressed.
fn zip(members: &[(&str, Vec<u8>)], is_compressed: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, content) in members {
        let method =
            if is_compressed { rawzip::CompressionMethod::DEFLATE } else { rawzip::CompressionMethod::STORE };
        let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
        if is_compressed {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
            let mut writer = config.wrap(encoder);
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    archive.finish().unwrap();
    bytes
}

/// A network as Chainer writes it, with this text before the names of its layers.
fn chain(network: &Network, prefix: &str, descr: &str, is_fortran: bool) -> Vec<(String, Vec<u8>)> {
    let bytes = |numbers: &[f32]| if descr == "<f4" { single(numbers) } else { double(numbers) };
    let layer = |(number, place): (usize, Place)| {
        let (rows, width) = (place.inputs, place.layer.width);
        let own = &network.parameters()[place.weights];
        // Ours are a row an input, as an array of shape (sums, inputs) in the order of Fortran.
        let by_sum: Vec<f32> = (0..rows * width).map(|at| own[at % rows * width + at / rows]).collect();
        let weights = bytes(if is_fortran { own } else { &by_sum });
        let biases = bytes(&network.parameters()[place.biases]);
        let name = format!("{prefix}l{}", number + 1);
        [
            (format!("{name}/W.npy"), array(descr, is_fortran, &[width, rows], &weights)),
            (format!("{name}/b.npy"), array(descr, false, &[width], &biases)),
        ]
    };
    network.places().into_iter().enumerate().flat_map(layer).collect()
}

fn archive(members: &[(String, Vec<u8>)], is_compressed: bool) -> Vec<u8> {
    let members: Vec<(&str, Vec<u8>)> =
        members.iter().map(|(name, content)| (name.as_str(), content.clone())).collect();
    zip(&members, is_compressed)
}

/// Eleven layers, so that `l10` must come after `l9`, in every form that NumPy and Chainer write.
#[test]
fn a_network_of_numpy_is_the_network_that_was_written() {
    let layer = |width| Layer { width, activation: Activation::Tanh };
    let mut layers = [3, 2, 4, 2, 3, 2, 5, 2, 3, 2, 1].map(layer);
    layers[10].activation = Activation::Linear;
    let network = Network::random(5, &layers, Stream::new(6)).unwrap();
    for (prefix, descr, is_fortran, is_compressed) in [
        ("", "<f4", false, false),
        ("", "<f8", false, true),
        ("predictor/", "<f4", true, true),
        ("updater/model:main/predictor/", "<f8", true, false),
    ] {
        let mut members = chain(&network, prefix, descr, is_fortran);
        members.reverse();
        let file = read_network(&archive(&members, is_compressed), None).unwrap();
        assert_eq!(file.network, network, "{prefix}{descr}");
        let relu = read_network(&archive(&members, is_compressed), Some(Activation::Relu)).unwrap().network;
        assert_eq!(relu.parameters(), network.parameters());
        let activations: Vec<_> = relu.layers().iter().map(|layer| layer.activation).collect();
        assert_eq!(activations, [&[Activation::Relu; 10][..], &[Activation::Linear]].concat());
    }
}

/// The author's weights of source N, bit for bit.
#[test]
fn the_network_of_source_n_is_the_same_in_both_forms() {
    // No data, no test; `tests/learn.rs` says so of the same file.
    let Some(data) = std::env::var_os("SHIKOU_DATA") else { return };
    let path = std::path::Path::new(&data).join("evolution/source-n-network.safetensors");
    let network = read_network(&std::fs::read(path).unwrap(), None).unwrap().network;
    assert_eq!(network.parameters().len(), 111_361);
    for (prefix, descr, is_compressed) in [("", "<f4", false), ("predictor/", "<f8", true)] {
        let bytes = archive(&chain(&network, prefix, descr, false), is_compressed);
        assert_eq!(read_network(&bytes, None).unwrap().network, network);
    }
}

#[test]
fn archives_of_no_network_are_refused() {
    let weights = |shape: &[usize]| array("<f4", false, shape, &vec![0; 4 * shape.iter().product::<usize>()]);
    for (members, words) in [
        (vec![("l1/W.npy", weights(&[1, 2]))], "`l1` has weights but no `l1/b`; add zeros"),
        (vec![("l1/b.npy", weights(&[1]))], "`l1` has biases but no `l1/W`"),
        (
            vec![("l1/W.npy", weights(&[2, 3])), ("l1/b.npy", weights(&[3]))],
            "`l1` has the shapes [2, 3] and [3]",
        ),
        (
            vec![
                ("l1/W.npy", weights(&[2, 3])),
                ("l1/b.npy", weights(&[2])),
                ("l2/W.npy", weights(&[1, 3])),
                ("l2/b.npy", weights(&[1])),
            ],
            "the layers do not chain: `l2` takes 3 numbers, and `l1` before it gives 2",
        ),
        (vec![("a/b/c.npy", weights(&[1]))], "`a/b/c` is no `/W` and no `/b` of a dense layer"),
        (vec![("l1/W.npy", b"text".to_vec())], "`l1/W` is no array of NumPy"),
        (
            vec![("l1/W.npy", array("<i8", false, &[1], &[0; 8]))],
            "`l1/W` has the type `<i8`; write float32 (`<f4`) or float64 (`<f8`)",
        ),
        (vec![("l1/W.npy", array("<f4", false, &[7], &[0; 8]))], "`l1/W` has the shape [7] and 8 bytes"),
        (vec![("l1/W.npy", array("<f4", false, &[1], &[0; 5]))], "`l1/W` has the shape [1] and 5 bytes"),
        (vec![("l1/W.npy", array("<f4", false, &[3], &[0; 15]))], "`l1/W` has the shape [3] and 15 bytes"),
        (vec![("l1/W.npy", array("<f8", false, &[1], &[0; 12]))], "`l1/W` has the shape [1] and 12 bytes"),
        (vec![("l1/W.npy", array("<f4", false, &[0], &[0; 3]))], "`l1/W` has the shape [0] and 3 bytes"),
        (
            vec![("l1/W.npy", array("<f4", false, &[1], &single(&[f32::NAN]))), ("l1/b.npy", weights(&[1]))],
            "`l1` has the shapes [1] and [1]",
        ),
        (
            vec![
                ("l1/W.npy", array("<f4", false, &[1, 1], &single(&[f32::NAN]))),
                ("l1/b.npy", weights(&[1])),
            ],
            "number 0 of `l1/W` is NaN",
        ),
        (vec![("l1/W.npy", weights(&[1])), ("l1/W.npy", weights(&[1]))], "two arrays have the name `l1/W`"),
    ] {
        for is_compressed in [false, true] {
            let found = reason(&zip(&members, is_compressed));
            assert!(found.contains(words), "{words}: {found}");
        }
    }
}

/// No part of an archive, and no archive with one damaged byte of data, is another network.
#[test]
fn every_part_of_an_archive_and_every_damaged_byte_of_data_is_refused() {
    let layers = [Layer { width: 1, activation: Activation::Linear }];
    let network = Network::random(3, &layers, Stream::new(7)).unwrap();
    let members = chain(&network, "", "<f4", false);
    for is_compressed in [false, true] {
        let bytes = archive(&members, is_compressed);
        for end in 0..bytes.len() {
            assert!(!reason(&bytes[..end]).is_empty());
        }
        let zip = rawzip::ZipArchive::from_slice(&bytes).unwrap();
        let mut entries = zip.entries();
        let mut places = 0;
        while let Some(entry) = entries.next_entry().unwrap() {
            let (first, end) = zip.get_entry(entry.wayfinder()).unwrap().compressed_data_range();
            for place in first as usize..end as usize {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1;
                match read_network(&damaged, None) {
                    Err(error) => assert!(error.to_string().contains("is damaged"), "byte {place}: {error}"),
                    // The blocks of a compressed member begin at whole bytes, and the bits before them say nothing.
                    Ok(file) => assert!(is_compressed && file.network == network, "byte {place}"),
                }
                places += 1;
            }
        }
        assert!(places > 100, "{places}");
    }
}
