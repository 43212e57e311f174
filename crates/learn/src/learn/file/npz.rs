//! Arrays in the files of NumPy, `.npz`, which Chainer writes too: a zip archive with an array in each member.
//!
//! The header of an array is one line of Python. Rejected: `npyz`, which reads every type of NumPy, and brings a parser of
//! grammars; two types are numbers of a network.

use std::collections::BTreeMap;
use std::io::{self, Read};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};

use super::header::{FileError, refused};

/// The first bytes of a zip archive.
pub(super) const ZIP: [u8; 4] = *b"PK\x03\x04";

/// The most bytes of all members: those of the largest network, in double precision, and some more.
const MOST: u64 = 1_000_000_000;

/// An array: its numbers row by row, the last index fastest.
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) numbers: Vec<f32>,
}

/// The arrays of a file by name. Numbers of double precision are rounded to single precision.
pub(super) fn arrays(bytes: &[u8]) -> Result<BTreeMap<String, Array>, FileError> {
    let archive = ZipArchive::from_slice(bytes).or_else(|error| broken(&error))?;
    let (mut found, mut left) = (BTreeMap::new(), MOST);
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().or_else(|error| broken(&error))? {
        let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        let name = path.strip_suffix(".npy").unwrap_or(&path);
        let member = archive.get_entry(entry.wayfinder()).or_else(|error| broken(&error))?;
        let content = match entry.compression_method() {
            CompressionMethod::STORE => within(left, member.verifying_reader(member.data())),
            CompressionMethod::DEFLATE => {
                within(left, member.verifying_reader(DeflateDecoder::new(member.data())))
            }
            _ => {
                let reason = "write it with `numpy.savez` or `numpy.savez_compressed`";
                return refused(format!("`{name}` is compressed in a way that NumPy does not use; {reason}"));
            }
        };
        let content = content.or_else(|error| refused(format!("`{name}` is damaged: {error}")))?;
        let Some(rest) = left.checked_sub(content.len() as u64) else {
            return refused(format!("the arrays have more than {MOST} bytes; no network has so many"));
        };
        left = rest;
        if found.insert(name.to_owned(), array(name, &content)?).is_some() {
            return refused(format!("two arrays have the name `{name}`; give each a name of its own"));
        }
    }
    Ok(found)
}

fn broken<T>(error: &rawzip::Error) -> Result<T, FileError> {
    refused(format!("this is no whole zip archive: {error}; write or fetch the file again"))
}

/// The content of a member, or `most` bytes of it and one more.
fn within(most: u64, reader: impl Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    reader.take(most + 1).read_to_end(&mut content)?;
    Ok(content)
}

fn array(name: &str, bytes: &[u8]) -> Result<Array, FileError> {
    let Some((header, data)) = split(bytes) else {
        return refused(format!("`{name}` is no array of NumPy; remove it from the file"));
    };
    let field = |key: &str| Some(header.split_once(&format!("'{key}':"))?.1.trim_start());
    let quoted = field("descr").and_then(|text| text.strip_prefix('\'')?.split_once('\''));
    let (bytes_each, numbers): (usize, Vec<f32>) = match quoted.map(|(descr, _)| descr) {
        Some("<f4") => (4, data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        Some("<f8") => {
            (8, data.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32).collect())
        }
        other => {
            let found = other.map_or("another one".into(), |descr| format!("`{descr}`"));
            return refused(format!(
                "`{name}` has the type {found}; write float32 (`<f4`) or float64 (`<f8`)"
            ));
        }
    };
    let listed = field("shape").and_then(|text| text.strip_prefix('(')?.split_once(')'));
    let lengths =
        listed.map_or("", |(list, _)| list).split(',').map(str::trim).filter(|text| !text.is_empty());
    let shape: Vec<usize> = lengths.map_while(|text| text.parse().ok()).collect();
    let count = shape.iter().try_fold(1_usize, |count, &length| count.checked_mul(length));
    if count != Some(numbers.len()) || bytes_each * numbers.len() != data.len() || listed.is_none() {
        let reason = "write or fetch the file again";
        return refused(format!("`{name}` has the shape {shape:?} and {} bytes; {reason}", data.len()));
    }
    let is_fortran = field("fortran_order").is_some_and(|text| text.starts_with("True"));
    let numbers = match shape[..] {
        [rows, columns] if is_fortran => {
            (0..rows * columns).map(|place| numbers[place % columns * rows + place / columns]).collect()
        }
        _ => numbers,
    };
    Ok(Array { shape, numbers })
}

/// The header of an array and its data: after the magic bytes come a version in two bytes, and the length of the header, in two bytes
/// in version 1 and in four later.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (&[version, _], rest) = bytes.strip_prefix(b"\x93NUMPY")?.split_first_chunk()?;
    let (length, rest) = if version == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        (u16::from_le_bytes(*length).into(), rest)
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, data))
}
