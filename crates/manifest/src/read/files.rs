//! The files that a manifest names.
//!
//! A run copies them into its results, next to the manifest, so that the results can be read without the manifest's
//! original folder.

use std::fs;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{PlacedError, Read, Value, refused, text};
use crate::players::files::{is_data, path_of, refuse_devices, unreadable};
use crate::words::text_of;
use crate::{ManifestError, Optimisation, Training};

/// A file that a manifest names, with its content at the time of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// The name in the manifest.
    pub name: String,
    /// The content.
    pub content: Vec<u8>,
}

impl ManifestFile {
    /// The name of its copy in the results: `manifest.book.txt`.
    pub fn kept_as(&self) -> String {
        kept_as(&self.name)
    }
}

fn kept_as(name: &str) -> String {
    format!("manifest.{}", name.replace(['/', '\\', ':'], "+"))
}

const MOST_BYTES: u64 = 1 << 28;

/// The bytes of a file. One that is larger than 256 MiB, or that may have no end, is an error.
///
/// # Errors
/// If it cannot be read, or is not text.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    refuse_devices(path)?;
    read_to_the_end(fs::File::open(path)?)
}

/// The bytes of a reader that is not larger than a file may be.
///
/// # Errors
/// If it cannot be read, or is not text.
pub fn read_to_the_end(reader: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if reader.take(MOST_BYTES + 1).read_to_end(&mut bytes)? as u64 > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is larger than 256 MiB"));
    }
    Ok(bytes)
}

/// The text of a document's file. `what` is the document, such as `the manifest`; `hint` names the usual folder.
///
/// # Errors
/// If it cannot be read, or is not text.
pub fn read_file(path: &Path, what: &str, hint: &str) -> Result<String, ManifestError> {
    let unreadable = |message: String| ManifestError::unreadable(path, message);
    if path.is_dir() {
        return Err(unreadable(format!("{what} is a folder; name a file in it")));
    }
    let bytes = read_whole(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable(format!("there is no such file; {hint}")),
        _ => unreadable(format!("{what} cannot be read: {error}")),
    })?;
    text_of(&bytes).map(Into::into).map_err(|error| unreadable(format!("{what} cannot be read: {error}")))
}

#[derive(Default)]
pub(crate) struct Files {
    folder: PathBuf,
    pub(crate) read: Vec<ManifestFile>,
    /// The optimisations that were read so far: players may be their results.
    pub(crate) optimisations: Vec<Arc<Optimisation>>,
    /// The trainings that were read so far: evaluations may be their results.
    pub(crate) trainings: Vec<Arc<Training>>,
    /// Whether players whose large data or program is not on this machine are left out, and those that were.
    pub(crate) skips: bool,
    /// Whether engines may be started, or else are left out too.
    pub(crate) starts_engines: bool,
    /// Why, at the places of what needs it.
    pub(crate) skipped: Vec<PlacedError>,
    /// Whether a question is left out whose result others may name.
    lacks_results: bool,
}

impl Files {
    /// The same, but what needs large data or a program that is not on this machine is left out, and engines that may not be
    /// started.
    pub(crate) fn that_skip(self, starts_engines: bool) -> Self {
        Self { skips: true, starts_engines, ..self }
    }

    /// Reads a question. `None` if it is left out, because large data or the result of a question that needs such is not on this
    /// machine.
    pub(crate) fn unless_left_out<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Option<Read<T>> {
        let skipped = self.skipped.len();
        let read = read(self);
        if read.is_err() && (self.skipped.len() > skipped || self.lacks_results) {
            self.skipped.push(PlacedError::new(0..0, format!("so its {what} is left out")));
            self.lacks_results |= what != "experiment";
            return None;
        }
        Some(read)
    }

    /// Looks for files in the folder of the manifest at this path, first among the copies there.
    pub(crate) fn beside(path: &Path) -> Self {
        Self { folder: path.parent().unwrap_or(Path::new("")).into(), ..Self::default() }
    }

    pub(crate) fn read(&mut self, key: &str, value: &Value<'_>) -> Read<File> {
        self.named(text(key, value)?, value.span())
    }

    /// Whether a file is of large data that is not on this machine.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        is_data(name) && !self.folder.join(kept_as(name)).exists() && !path_of(name, &self.folder).exists()
    }

    /// The file of this name, which stands at `span`.
    pub(crate) fn named(&mut self, name: String, span: Range<usize>) -> Read<File> {
        if kept_as(&name).eq_ignore_ascii_case("manifest.toml") {
            let message =
                format!("a copy of {name:?} would take the place of the manifest in the results; rename it");
            return refused(span, message);
        }
        let content = match read_whole(&self.folder.join(kept_as(&name))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                read_whole(&path_of(&name, &self.folder))
            }
            read => read,
        };
        if content.is_err() && self.skips && is_data(&name) {
            let message = format!("{name:?} is not on this machine");
            self.skipped.push(PlacedError::new(span.clone(), message));
        }
        let content = content.map_err(|error| {
            let is_relative = error.kind() == io::ErrorKind::NotFound && !is_data(&name);
            let more = if is_relative { "; the path starts at the manifest's folder" } else { "" };
            PlacedError::new(span.clone(), unreadable(&name, &error) + more)
        })?;
        let file = ManifestFile { name: name.clone(), content: content.clone() };
        match self.read.iter().find(|other| other.kept_as() == file.kept_as()) {
            None => self.read.push(file),
            Some(other) if other.name == name => {}
            Some(other) => {
                let message =
                    format!("{:?} and {name:?} would have copies of the same name; rename one", other.name);
                return refused(span, message);
            }
        }
        Ok(File { name, span, content })
    }
}

pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) content: Vec<u8>,
}

impl File {
    /// An error in the file: its name, a colon, and the problem.
    pub(crate) fn error(&self, problem: &str) -> PlacedError {
        PlacedError::new(self.span.clone(), format!("{}:{problem}", self.name))
    }
}
