//! A folder of results: the log, the times beside it, and the files derived from them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::LogError;
use crate::experiment::manifest::Manifest;

/// The folder of a run.
///
/// | file | holds |
/// |---|---|
/// | `trials.csv` | the log, append-only |
/// | `times.hlog` | the wall times of moves, histograms in an interval log |
/// | `unfinished` | the long decisions of trials that were stopped |
/// | `manifest.toml` | the manifest as it was run last |
/// | `manifest.book.txt`, … | the files that it names |
/// | `host.toml` | the machine and the build that ran it last |
/// | `canonical.csv`, `digests.csv`, `summary.json`, `report.txt` | derived; they can be made again |
#[derive(Clone, Debug)]
pub struct Results {
    path: PathBuf,
}

/// The names of the files that are derived from the others.
const DERIVED: [&str; 4] = ["canonical.csv", "digests.csv", "summary.json", "report.txt"];

/// The end of the name of a file that is not whole yet.
const DRAFT: &str = ".draft";

/// The names of the files that a folder of results may hold.
const FILES: [&str; 9] = [
    "trials.csv",
    "times.hlog",
    "unfinished",
    "manifest.toml",
    "host.toml",
    "canonical.csv",
    "digests.csv",
    "summary.json",
    "report.txt",
];

impl Results {
    /// The results in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// If the folder cannot be made or read, or holds files but no results.
    pub fn create(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if path.is_file() {
            return Err(io::Error::other(format!("{} is a file; name a folder with --out", path.display())));
        }
        fs::create_dir_all(path).map_err(named)?;
        let results = Self { path: path.into() };
        let foreign =
            fs::read_dir(path).map_err(named)?.flatten().map(|entry| entry.file_name()).find(|name| {
                let name = name.to_string_lossy();
                !FILES.contains(&&*name)
                    && !["before-", "manifest."].iter().any(|kept| name.starts_with(kept))
            });
        match foreign {
            Some(name) if !results.log().exists() => Err(io::Error::other(format!(
                "{} holds {} and no log of Shikou's; name an empty folder with --out",
                path.display(),
                name.display(),
            ))),
            _ => Ok(results),
        }
    }

    /// The results in a folder without a log, as a reference is committed.
    ///
    /// # Errors
    /// If there is no `summary.json` in it.
    pub fn open_reference(path: &Path) -> io::Result<Self> {
        if !path.join("summary.json").is_file() {
            return Err(io::Error::other(format!("{} holds no summary.json", path.display())));
        }
        Ok(Self { path: path.into() })
    }

    /// The results that are in a folder already.
    ///
    /// # Errors
    /// If there is no log in it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let results = Self { path: path.into() };
        if results.log().is_file() {
            return Ok(results);
        }
        let reason = if path.is_dir() { "holds no log of Shikou's" } else { "is not a folder of results" };
        Err(io::Error::other(format!("{} {reason}; `shikou run` makes one under results/", path.display())))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The log.
    pub fn log(&self) -> PathBuf {
        self.path.join("trials.csv")
    }

    /// The times of moves.
    pub fn times(&self) -> PathBuf {
        self.path.join("times.hlog")
    }

    /// The folder of trials that were stopped.
    pub fn unfinished(&self) -> PathBuf {
        self.path.join("unfinished")
    }

    /// The manifest as it was run last.
    pub fn manifest(&self) -> PathBuf {
        self.path.join("manifest.toml")
    }

    /// Moves the log, the times and what is unfinished aside, into a folder `before-1`, `before-2`, … in this one.
    ///
    /// # Errors
    /// If another run is writing the log, or the system refuses.
    pub fn move_aside(&self) -> io::Result<()> {
        if !self.log().exists() {
            return Ok(());
        }
        // Held until it is done: a log that is being written is not taken away.
        let log = fs::File::open(self.log())?;
        if let Err(fs::TryLockError::WouldBlock) = log.try_lock() {
            let error = LogError::InUse { path: self.log() };
            return Err(io::Error::other(error.to_string()));
        }
        let mut number = 1;
        while self.path.join(format!("before-{number}")).exists() {
            number += 1;
        }
        let aside = self.path.join(format!("before-{number}"));
        fs::create_dir(&aside)?;
        for file in [self.log(), self.times(), self.unfinished()].into_iter().filter(|file| file.exists()) {
            fs::rename(&file, aside.join(file.file_name().expect("a file has a name")))?;
        }
        Ok(())
    }

    /// Removes what is derived from the log, because it is about to change.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn remove_derived(&self) -> io::Result<()> {
        let is_draft = |name: &str| name.starts_with('.') && name.ends_with(DRAFT);
        let drafts = fs::read_dir(&self.path)?.collect::<io::Result<Vec<_>>>()?.into_iter();
        // Drafts of a run that was killed.
        let drafts =
            drafts.filter(|entry| is_draft(&entry.file_name().to_string_lossy())).map(|entry| entry.path());
        for path in DERIVED.iter().map(|name| self.path.join(name)).chain(drafts) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes the manifest, and beside it the files that it names: from then on the results are read with these.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn write_manifest(&self, manifest: &Manifest) -> io::Result<()> {
        for file in &manifest.files {
            self.write(&file.kept_as(), &file.content)?;
        }
        self.write("manifest.toml", &manifest.text)
    }

    /// Begins a derived file, which appears under its name when it is whole.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn draft(&self, name: &str) -> io::Result<Draft> {
        let (to, from) =
            (self.path.join(name), self.path.join(format!(".{name}.{}{DRAFT}", std::process::id())));
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", to.display()));
        let file = fs::File::create(&from).map_err(named)?;
        Ok(Draft { file: io::BufWriter::with_capacity(1 << 18, file), from, to })
    }

    /// Writes a derived file: whole, or not at all.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        let mut draft = self.draft(name)?;
        draft.write_all(content.as_ref())?;
        draft.finish()
    }
}

/// A derived file that is being written.
pub struct Draft {
    file: io::BufWriter<fs::File>,
    /// The path while it is written, and its final path.
    from: PathBuf,
    to: PathBuf,
}

impl Draft {
    /// Gives the file its name. One that is dropped before leaves what was there.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn finish(mut self) -> io::Result<()> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.from, &self.to));
        done.map_err(|error| self.named(&error))
    }

    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.to.display()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // A finished draft has moved to its final path.
        let _ = fs::remove_file(&self.from);
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(&error))
    }
}
