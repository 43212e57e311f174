//! Files as values of options.

use std::fmt::Write;
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// A file that an option names, or the result of an optimisation, which has the same form.
///
/// Options are read without the disk, so a value has only a name at first. Whoever read the options then gives it its
/// content. Two values with content are equal if their contents are, whatever their paths. Behind a `#` a name may have
/// the name of a row: `counters.csv#LR06`.
///
/// # Example
/// ```
/// use shikou::game::options::FileValue;
/// let [a, b] = ["a.csv", "b.csv"].map(|name| FileValue::named(name).with_content(b"1".to_vec()));
/// assert_eq!(a, b);
/// assert_ne!(FileValue::named("a.csv"), FileValue::named("b.csv"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileValue {
    name: String,
    content: Option<Arc<FileContent>>,
}

/// The content of a file, and the hash that is its identity.
#[derive(Debug)]
struct FileContent {
    bytes: Arc<[u8]>,
    hash: String,
}

impl FileValue {
    /// A file that is not read yet. The empty name is no file.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), content: None }
    }

    /// The same file, read.
    #[must_use]
    pub fn with_content(self, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let hash = hex(&Sha256::digest(&bytes));
        Self { content: Some(Arc::new(FileContent { bytes, hash })), ..self }
    }

    /// The name as it was typed: a path, or the name of an optimisation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path: the name without the row after its `#`.
    pub fn path(&self) -> &str {
        self.name.split_once('#').map_or(&self.name, |(path, _)| path)
    }

    /// The row of a table, after the `#` of the name.
    pub fn row(&self) -> Option<&str> {
        self.name.split_once('#').map(|(_, row)| row)
    }

    /// The identity, if the file is read: the hash of its content, and the row.
    pub(super) fn identity(&self) -> Option<String> {
        let row = self.row().map_or(String::new(), |row| format!("#{row}"));
        self.hash().map(|hash| format!("sha256:{hash}{row}"))
    }

    /// The content, if the file is read.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_ref().map(|content| &*content.bytes)
    }

    /// The SHA-256 hash of the content in hexadecimal digits, if the file is read.
    pub fn hash(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.hash.as_str())
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes every text");
        text
    })
}

impl PartialEq for FileValue {
    fn eq(&self, other: &Self) -> bool {
        match (self.hash(), other.hash()) {
            (Some(one), Some(two)) => one == two && self.row() == other.row(),
            (None, None) => self.name == other.name,
            _ => false,
        }
    }
}
