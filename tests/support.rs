//! Helpers that several test files share.

use std::fs;
use std::ops::{Add, Mul};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{Manifest, Optimised, TrainingProgress, train};
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
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
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

/// The trainings of a manifest, and the files that they write.
pub(crate) struct Trainings {
    /// The manifest.
    pub(crate) manifest: &'static str,
    /// The group of the tests, which names their folders.
    pub(crate) group: &'static str,
    /// The trainings whose files are compared.
    pub(crate) names: &'static [&'static str],
    /// Their files.
    pub(crate) files: &'static [&'static str],
}

impl Trainings {
    /// A new folder for a test.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        folder(self.group, name)
    }

    /// Trains all in a folder.
    pub(crate) fn all(&self, folder: &Path) -> Optimised {
        self.until(folder, 2, ("", u64::MAX))
    }

    /// Trains what is missing in a folder, until `stop`: a count of a unit.
    pub(crate) fn until(&self, folder: &Path, threads: usize, (unit, count): (&str, u64)) -> Optimised {
        let (manifest, mut optimised) = (manifest(self.manifest), Optimised::default());
        for training in manifest.trainings() {
            let training = optimised.fill_training(training);
            let stop = AtomicBool::new(false);
            let mut watch = |at: TrainingProgress| {
                stop.store(at.unit == unit && at.done >= count, Ordering::Relaxed);
            };
            let trained = train(&training, &folder.join(&training.name), threads, &stop, &mut watch).unwrap();
            let whole = trained.is_whole(&training);
            optimised.take_training(&training, trained);
            if !whole {
                break;
            }
        }
        optimised
    }

    /// The content of the files.
    pub(crate) fn bytes(&self, folder: &Path) -> Vec<Vec<u8>> {
        let of = |name: &&str| {
            self.files.iter().map(|file| fs::read(folder.join(name).join(file)).unwrap()).collect::<Vec<_>>()
        };
        self.names.iter().flat_map(of).collect()
    }

    /// Asserts that 1, 2 and 8 threads write the same bytes. Returns the folder of the first.
    pub(crate) fn assert_threads_change_nothing(&self) -> PathBuf {
        let alone = self.folder("one");
        self.until(&alone, 1, ("", u64::MAX));
        for threads in [2, 8] {
            let other = self.folder(&format!("threads-{threads}"));
            self.until(&other, threads, ("", u64::MAX));
            assert!(self.bytes(&other) == self.bytes(&alone), "{threads} threads");
        }
        alone
    }

    /// Asserts that stops at these counts of a unit, one after the other, change no byte.
    pub(crate) fn assert_stops_change_nothing(&self, threads: usize, stops: &[(&str, u64)]) {
        let (whole, parts) = (self.folder("stopped-whole"), self.folder("parts"));
        self.all(&whole);
        for &stop in stops {
            self.until(&parts, threads, stop);
        }
        self.all(&parts);
        assert!(self.bytes(&parts) == self.bytes(&whole));
        // The parts were parts.
        let (begun, &(unit, count)) = (self.folder("begun"), &stops[stops.len() - 2]);
        let optimised = self.until(&begun, 1, (unit, count));
        let (training, trained) = &optimised.trainings()[0];
        assert_eq!((optimised.trainings().len(), trained.is_whole(training)), (1, false));
        assert!(trained.done >= count);
    }
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
