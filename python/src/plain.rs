//! Python values as bytes: the positions and moves of a game in Python.
//!
//! A position must be copied without the lock of Python, compared, and forgotten by the million. So it is the bytes that `marshal`
//! writes: of numbers, texts, bytes and tuples of these, equal values have equal bytes. Rejected: references, because each copy
//! and each drop would need the lock, and a table of all values, which would grow.

use std::fmt;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use shikou::rng::PlayoutKey;

use crate::Result;

/// A value of at most `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain<const N: usize> {
    length: u16,
    bytes: [u8; N],
}

/// The version of the format that shares nothing, so that equal values have equal bytes.
const VERSION: u8 = 0;

fn marshal<'py>(py: Python<'py>, function: &'static str) -> Result<&'py Bound<'py, PyAny>> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let place = if function == "dumps" { &DUMPS } else { &LOADS };
    let found =
        place.get_or_try_init(py, || Ok::<_, PyErr>(py.import("marshal")?.getattr(function)?.unbind()))?;
    Ok(found.bind(py))
}

impl<const N: usize> Plain<N> {
    /// The bytes of a value.
    pub(crate) fn of(value: &Bound<'_, PyAny>, what: &str) -> Result<Self> {
        let py = value.py();
        let written = marshal(py, "dumps")?.call1((value, VERSION));
        let written = written.map_err(|_| {
            let kind = value.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
            PyValueError::new_err(format!(
                "a {what} is a number, a text, bytes, or a tuple of these, not a value of type {kind}"
            ))
        })?;
        let written = written.cast::<PyBytes>()?.as_bytes();
        let mut bytes = [0; N];
        let Some(place) = bytes.get_mut(..written.len()) else {
            return Err(PyValueError::new_err(format!(
                "a {what} has at most {N} bytes, and this one {}: `bytes` needs one for each square",
                written.len()
            )));
        };
        place.copy_from_slice(written);
        Ok(Self { length: written.len() as u16, bytes })
    }

    /// The value.
    pub(crate) fn value<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        marshal(py, "loads")?.call1((PyBytes::new(py, self.as_bytes()),))
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length.into()]
    }

    /// A hash of 128 bits.
    pub(crate) fn hash(&self) -> u128 {
        let mut words = self.as_bytes().chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let start = [1, 2].map(|key| PlayoutKey::new(key ^ u64::from(self.length) << 8));
        let [high, low] =
            words.try_fold(start, |keys, word| Some(keys.map(|key| key.child(word)))).unwrap_or(start);
        u128::from(high.to_u64()) << 64 | u128::from(low.to_u64())
    }
}

impl<const N: usize> fmt::Debug for Plain<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Python::attach(|py| {
            let value = self.value(py).and_then(|value| Ok(value.repr()?.to_string()));
            f.write_str(&value.unwrap_or_default())
        })
    }
}

/// The text of a value.
pub(crate) fn text(value: &Bound<'_, PyAny>) -> Result<String> {
    Ok(value.call_method0(intern!(value.py(), "__str__"))?.to_string())
}
