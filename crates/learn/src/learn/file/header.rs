//! The layers of a network in the header of a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use safetensors::SafeTensorError;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::learn::activation::Activation;

/// Why a file is no network, with the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileError(String);

pub(super) fn refused<T>(reason: impl Into<String>) -> Result<T, FileError> {
    Err(FileError(reason.into()))
}

/// A layer as the header describes it.
pub(super) struct Described {
    /// The text before the ends of its two names.
    pub(super) name: String,
    pub(super) inputs: usize,
    pub(super) width: usize,
}

/// The layers in the order of the last numbers in their names. `kinds` are the ends of the names of weights and biases.
pub(super) fn layers(
    shapes: &BTreeMap<String, Vec<usize>>,
    kinds: [&str; 2],
) -> Result<Vec<Described>, FileError> {
    let [weight, bias] = kinds;
    let mut names = BTreeSet::new();
    for name in shapes.keys() {
        let layer = kinds.iter().find_map(|kind| name.strip_suffix(kind));
        let Some(layer) = layer else {
            return refused(format!("`{name}` is no `{weight}` and no `{bias}` of a dense layer"));
        };
        let number = layer.rsplit(|letter: char| !letter.is_ascii_digit()).find(|digits| !digits.is_empty());
        names.insert((number.and_then(|digits| digits.parse::<u64>().ok()), layer.to_owned()));
    }
    let mut layers: Vec<Described> = Vec::new();
    for (_, name) in names {
        let shape = |kind: &str| shapes.get(&format!("{name}{kind}")).map(|shape| &shape[..]);
        let (inputs, width) = match (shape(weight), shape(bias)) {
            (Some(&[width, inputs]), Some(&[biases])) if width == biases => (inputs, width),
            (Some(weights), Some(biases)) => {
                let reason = "a layer has weights (sums, inputs) and biases (sums)";
                return refused(format!("`{name}` has the shapes {weights:?} and {biases:?}; {reason}"));
            }
            (None, _) => return refused(format!("`{name}` has biases but no `{name}{weight}`")),
            (_, None) => return refused(format!("`{name}` has weights but no `{name}{bias}`; add zeros")),
        };
        if let Some(before) = layers.last()
            && before.width != inputs
        {
            return refused(format!(
                "the layers do not chain: `{name}` takes {inputs} numbers, and `{}` before it gives {}",
                before.name, before.width
            ));
        }
        layers.push(Described { name, inputs, width });
    }
    if layers.is_empty() {
        return refused(format!("this file has no tensors; a network has `l1{weight}` and `l1{bias}`"));
    }
    Ok(layers)
}

/// The activations of some layers as the metadata state them, else `hidden` for all but the last.
pub(super) fn activations(
    metadata: &BTreeMap<String, String>,
    layers: usize,
    hidden: Option<Activation>,
) -> Result<Vec<Activation>, FileError> {
    let listed =
        |names: &str, count| Activation::list(names, count).or_else(|problem| refused(problem.reason));
    let all_but_the_last = |hidden| {
        let mut all = vec![hidden; layers];
        all[layers - 1] = Activation::Linear;
        all
    };
    let stated = match (metadata.get("activations"), metadata.get("activation")) {
        (Some(list), _) => listed(list, layers)?,
        (None, Some(name)) => all_but_the_last(listed(name, 1)?[0]),
        (None, None) => {
            let reason = "add `activation` to its metadata, or to the network beside `file`, for example with the value \"tanh\"";
            return hidden.map(all_but_the_last).map_or_else(
                || refused(format!("the file does not say what its layers do with their sums; {reason}")),
                Ok,
            );
        }
    };
    match hidden {
        Some(hidden) if stated[..layers - 1].iter().any(|stated| *stated != hidden) => {
            let found: Vec<&str> = stated.iter().map(|activation| activation.name()).collect();
            refused(format!("the file states the activations {}; omit `activation`", found.join(",")))
        }
        _ => Ok(stated),
    }
}

/// The reason of the crate that reads the format, in our words.
pub(super) fn explained(error: &SafeTensorError) -> String {
    let reason = match error {
        SafeTensorError::InvalidHeader(_) => "the header is not text".into(),
        SafeTensorError::InvalidHeaderDeserialization(error) => {
            format!("the header is no JSON of tensors: {error}")
        }
        SafeTensorError::HeaderTooLarge => "the header has more than 100 MB".into(),
        SafeTensorError::TensorInvalidInfo => "the shape of a tensor needs another number of bytes".into(),
        SafeTensorError::InvalidOffset(name) => {
            format!("the tensor `{name}` overlaps another one, or there is a gap before it")
        }
        SafeTensorError::MetadataIncompleteBuffer => {
            "the tensors end before or after the end of the file".into()
        }
        SafeTensorError::ValidationOverflow => "a tensor is larger than any memory".into(),
        other => other.to_string(),
    };
    format!("{reason}; write or fetch the file again")
}

/// The first name in a header that is there twice.
pub(super) struct Twice;

impl<'de> Visitor<'de> for Twice {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<String>, A::Error> {
        let (mut seen, mut twice) = (BTreeSet::new(), None);
        while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            if twice.is_none() && !seen.insert(name.clone()) {
                twice = Some(name);
            }
        }
        Ok(twice)
    }
}
