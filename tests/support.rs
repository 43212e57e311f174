//! Helpers that several test files share.

use std::ops::{Add, Mul};
use std::path::{Path, PathBuf};

use shikou::experiment::Manifest;
use shikou::players::{Registry, SearcherSpec};

/// A file or folder of the large data set, if it is there: in `$SHIKOU_DATA`, else in `../shared/data`.
/// Reports on standard error that a test is skipped.
pub(crate) fn large_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SHIKOU_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!(
            "skipped: {} is not there (set SHIKOU_DATA to the folder that holds {name})",
            path.display()
        );
        return None;
    }
    Some(path)
}

/// A file of the sample that is committed in `tests/data`.
pub(crate) fn sample_data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A new folder for a test of this group.
pub(crate) fn folder(group: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(group).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Reads a manifest of the crate's games and searchers.
#[track_caller]
pub(crate) fn manifest(text: &str) -> Manifest {
    Manifest::parse(Path::new("m.toml"), text, &Registry::standard())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Asserts that a manifest in which one text replaces another is refused at a line, with these words.
#[track_caller]
pub(crate) fn assert_refused(manifest: &str, (from, to): (&str, &str), line: usize, words: &str) {
    assert!(manifest.contains(from), "{from}");
    let text = manifest.replacen(from, to, 1);
    let error = Manifest::parse(Path::new("m.toml"), &text, &Registry::standard()).unwrap_err().to_string();
    assert!(error.contains(&format!("m.toml:{line}:")) && error.contains(words), "{to}: {error}");
}

/// Reads a searcher of the crate from text.
#[track_caller]
pub(crate) fn searcher(text: &str) -> SearcherSpec {
    Registry::standard().read_searcher(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// An exact fraction in lowest terms, for expectations by enumeration. Every overflow is an error in tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    /// `above / below`.
    pub(crate) fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above.abs(), below.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a * below.signum();
        Self { above: above / divisor, below: below / divisor }
    }

    /// The nearest floating-point number.
    pub(crate) fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

impl Add for Fraction {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.above * other.below + other.above * self.below, self.below * other.below)
    }
}

impl Mul for Fraction {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.above * other.above, self.below * other.below)
    }
}
