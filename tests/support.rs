//! Helpers that several test files share.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{
    Manifest, Optimised, Plan, Trained, Training, TrainingError, TrainingProgress, play, train,
};

use crate::resume::{assert_kills_change_nothing, ok};

#[path = "search/support/asked.rs"]
mod asked;

pub(crate) use asked::*;

/// A new folder `group/name` for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Writes a file to a folder. Returns its path as a player names it.
pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().replace('\\', "/")
}

/// A new folder with a manifest.
pub(crate) fn with_manifest(name: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "m.toml", text);
    folder
}

/// A new folder with a manifest and what a run with these arguments writes.
#[track_caller]
pub(crate) fn with_results(name: &str, text: &str, more: &[&str]) -> PathBuf {
    let folder = with_manifest(name, text);
    ok(&folder, &[&["run", "m.toml", "--quiet"], more].concat());
    folder
}

/// Reads a manifest of the crate's games and searchers.
#[track_caller]
pub(crate) fn manifest(text: &str) -> Manifest {
    Manifest::parse(Path::new("m.toml"), text, &shikou::registry()).unwrap_or_else(|error| panic!("{error}"))
}

/// Why a manifest is refused.
#[track_caller]
pub(crate) fn refusal(text: &str) -> String {
    Manifest::parse(Path::new("m.toml"), text, &shikou::registry()).unwrap_err().to_string()
}

/// Asserts that a manifest in which one text replaces another is refused at a line, with these words.
#[track_caller]
pub(crate) fn assert_refused(manifest: &str, (from, to): (&str, &str), line: usize, words: &str) {
    assert!(manifest.contains(from), "{from}");
    let error = refusal(&manifest.replacen(from, to, 1));
    assert!(error.contains(&format!("m.toml:{line}:")) && error.contains(words), "{to}: {error}");
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
        folder(&format!("{}/{name}", self.group))
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

    /// Trains the first of another manifest in a new folder.
    pub(crate) fn first_of(&self, text: &str, name: &str) -> (Arc<Training>, Trained) {
        let (manifest, never) = (manifest(text), AtomicBool::new(false));
        let training = manifest.trainings().next().unwrap();
        let trained = train(training, &self.folder(name), 2, &never, &mut |_| ()).unwrap();
        (training.clone(), trained)
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

    /// Asserts that stops at these counts of a unit, one after the other, change no byte. Only the last may be at the end.
    pub(crate) fn assert_stops_change_nothing(&self, threads: usize, stops: &[(&str, u64)]) {
        let (whole, parts) = (self.folder("stopped-whole"), self.folder("parts"));
        self.all(&whole);
        let (&last, others) = stops.split_last().unwrap();
        let mut done = 0;
        for &stop in others {
            let optimised = self.until(&parts, threads, stop);
            let (training, trained) = &optimised.trainings()[0];
            assert_eq!((optimised.trainings().len(), trained.is_whole(training)), (1, false), "{stop:?}");
            done = trained.done;
        }
        assert!(done >= others.last().unwrap().1);
        self.until(&parts, threads, last);
        self.all(&parts);
        assert!(self.bytes(&parts) == self.bytes(&whole));
    }

    /// Asserts that the experiment `test` waits for a training, and plays what was learned. Returns the folder.
    pub(crate) fn assert_experiments_play(&self, waiting: &str) -> PathBuf {
        let (manifest, folder) = (manifest(self.manifest), self.folder("play"));
        let error = Plan::new(&manifest).unwrap_err().to_string();
        assert!(error.contains("waits for"), "{error}");
        let waits = Optimised::default().finish(manifest.clone());
        assert_eq!(waits.waiting, [("test".to_owned(), waiting.to_owned())]);
        let manifest = self.all(&folder).finish(manifest);
        assert!(manifest.waiting.is_empty());
        let plan = Plan::new(&manifest).unwrap();
        let first = plan.canonical().next().unwrap();
        assert!(play(&plan, first).games.iter().all(|game| game.result.is_ok()));
        folder
    }

    /// Asserts that kills after these milliseconds lose nothing, that the report has these words, and that the other commands
    /// work. Returns the folder.
    pub(crate) fn assert_killed_run_goes_on(&self, delays: &[u64], waiting: &str, words: &[&str]) -> PathBuf {
        let folder = self.folder("killed");
        assert_kills_change_nothing(&folder, self.manifest, delays);
        assert!(self.bytes(&folder.join("killed")) == self.bytes(&folder.join("whole")));
        let waits = format!("test: waiting for {waiting}");
        for (arguments, words) in [
            (&["report", "killed"][..], words),
            (&["status", "killed"], &[self.names[0]]),
            (&["plan", "m.toml"], &[&waits]),
            (&["run", "m.toml", "--smoke"], &[]),
        ] {
            let shown = ok(&folder, arguments);
            for words in words {
                assert!(shown.contains(words), "{words} is not in\n{shown}");
            }
        }
        folder
    }

    /// Asserts that the training of a manifest beats random play, also with seeds that nobody chose.
    pub(crate) fn assert_learning_helps(&self, text: &str) {
        for seed in [3, 4, 5] {
            let text = text.replace("schema = 1", &format!("schema = 1\nseed = {seed}"));
            let (_, trained) = self.first_of(&text, &format!("helps-{seed}"));
            let points = trained.curve.last().unwrap().against[0].points();
            assert!(points > 0.6, "seed {seed}: {points}");
        }
    }
}

/// Asserts that `read` refuses a file with a changed byte or without its end, and finds as much done in the whole file.
pub(crate) fn assert_damage_is_refused(
    file: &Path,
    done: u64,
    read: impl Fn() -> Result<Trained, TrainingError>,
) {
    let bytes = fs::read(file).unwrap();
    let read = |bytes: &[u8]| {
        fs::write(file, bytes).unwrap();
        read()
    };
    for place in [30, 60, 200, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let error = read(&damaged).unwrap_err();
        assert!(matches!(error, TrainingError::Damaged { .. }), "{}, {place}: {error}", file.display());
        assert!(error.to_string().contains("`shikou recover "), "{error}");
    }
    for cut in [0, 10, bytes.len() - 8] {
        assert!(
            matches!(read(&bytes[..cut]), Err(TrainingError::Damaged { .. })),
            "{}, {cut}",
            file.display()
        );
    }
    assert_eq!(read(&bytes).unwrap().done, done);
}
