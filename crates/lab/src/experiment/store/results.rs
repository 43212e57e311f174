//! A folder of results: the log, the times beside it, and the files derived from them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Draft, Lock, LogError, LogFacts, LogForm, is_draft};
use crate::experiment::line::at;
use crate::manifest::Manifest;
use crate::players::Registry;
use crate::players::files::refuse_devices;
use crate::words::shell_path;

/// The folder of a run.
///
/// | file | holds |
/// |---|---|
/// | `trials.csv` or `trials.csv.gz` | the log, append-only |
/// | `log.toml` | its facts: the build that began it, the manifest, fingerprints |
/// | `times.hlog` | the wall times of moves, histograms in an interval log |
/// | `unfinished` | the long decisions of trials that were stopped |
/// | `owner.toml` | the process that plays into the folder, or did so last |
/// | `taken-1.csv` or `.csv.gz`, `taken-1.toml`, … | the logs of owners that were taken over, and these owners |
/// | `manifest.toml` | the manifest as it was run last |
/// | `manifest.book.txt`, … | the files that it names |
/// | `host.toml` | the machine and the build that ran it last |
/// | `canonical.csv` (with `trials.csv`), `digests.csv`, `summary.json`, `report.txt` | derived; they can be made again |
#[derive(Clone, Debug)]
pub struct Results {
    path: PathBuf,
}

const DERIVED: [&str; 4] = ["canonical.csv", "digests.csv", "summary.json", "report.txt"];

/// The log of an optimisation, in its folder.
pub const EVALUATIONS: &str = "evaluations.csv";

/// The checkpoint of a training, in its folder, and the one before it.
pub const CHECKPOINTS: [&str; 2] = ["checkpoint", "checkpoint.before"];

/// The beginning of the names of folders of what was moved aside, and of the manifest and its files.
const ASIDE: &str = "before-";
const MANIFEST: &str = "manifest.";

/// The file of the owner, and the beginning of the names of logs and owners that were taken over.
const OWNER: &str = "owner.toml";
const TAKEN: &str = "taken-";

/// The names of the other files that a folder of results may hold.
const FILES: [&str; 8] = [
    "trials.csv",
    "trials.csv.gz",
    "log.toml",
    "times.hlog",
    "unfinished",
    "manifest.toml",
    "host.toml",
    OWNER,
];

impl Results {
    /// The results in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// If the folder cannot be made or read, or holds files but no results.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_file() {
            return Err(io::Error::other(format!("{} is a file; name another folder", path.display())));
        }
        fs::create_dir_all(path).map_err(at(path))?;
        let results = Self { path: path.into() };
        results.refuse_devices()?;
        // Drafts are of a run that was killed before it had a log.
        let is_foreign = |name: &str| {
            !name.starts_with(ASIDE) && !is_draft(name) && name != OWNER && !results.is_optimisation(name)
        };
        let names = results.names().map_err(at(path))?;
        match names.iter().find(|name| is_foreign(name)) {
            Some(_) if !results.log().exists() && LogFacts::path(&results.log()).exists() => {
                Err(results.lost_log())
            }
            Some(name) if !results.log().exists() => Err(io::Error::other(format!(
                "{} holds {name} and no log of Shikou's; name another folder",
                path.display(),
            ))),
            _ => Ok(results),
        }
    }

    /// Whether this is the name of a folder with the log of an optimisation.
    fn is_optimisation(&self, name: &str) -> bool {
        [EVALUATIONS].iter().chain(&CHECKPOINTS).any(|file| self.path.join(name).join(file).is_file())
    }

    /// The folders of the trainings and optimisations, in the order of their names.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn parts(&self) -> io::Result<Vec<PathBuf>> {
        let names = self.names()?.into_iter().filter(|name| self.is_optimisation(name));
        Ok(names.map(|name| self.path.join(name)).collect())
    }

    /// Refuses a folder in which a device or a pipe is in the place of a file: some have no end, and others never answer. And one
    /// with two logs, of which one would be passed over, or with one in a form of before.
    fn refuse_devices(&self) -> io::Result<()> {
        let folder = self.path.display();
        let mut files = FILES.iter().chain(&DERIVED).map(|name| self.path.join(name));
        match files.find(|path| refuse_devices(path).is_err()) {
            Some(path) => Err(io::Error::other(format!("{} is not a file; remove it", path.display()))),
            None if self.path.join("trials.bin").exists() => Err(io::Error::other(format!(
                "{folder} holds trials.bin, a log in a form that builds up to commit 31a3910 read; there `shikou report {} --format \
                 trials` prints the trials.csv to put in its place. Or move it and log.toml away to play all again",
                shell_path(&self.path)
            ))),
            None if LogForm::ALL.iter().all(|form| self.path.join(form.file()).exists()) => {
                Err(io::Error::other(format!(
                    "{folder} holds two logs, trials.csv and trials.csv.gz, and a run writes one; move the one that is not of this \
                     run to another folder"
                )))
            }
            None => Ok(()),
        }
    }

    /// The error of a folder with the facts of a log, but without it.
    fn lost_log(&self) -> io::Error {
        io::Error::other(format!(
            "{} holds results whose log, trials.csv or trials.csv.gz, is gone; restore it, or move log.toml away to play all again",
            self.path.display()
        ))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.path)?.collect::<io::Result<Vec<_>>>()?;
        let mut names: Vec<String> =
            entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        Ok(names)
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
        results.refuse_devices()?;
        if results.log().is_file() {
            return Ok(results);
        }
        let reason = match results.below() {
            _ if !path.is_dir() => format!("is not a folder of results; {}", instead(path)),
            _ if LogFacts::path(&results.log()).exists() => return Err(results.lost_log()),
            _ if path.join("summary.json").is_file() => {
                "is a committed reference, which has no list of trials; run its manifest in experiments/ first, and name the \
                 folder of that run"
                    .into()
            }
            below if below.is_empty() => "holds no results; `shikou run` writes them under results/".into(),
            below => {
                format!("holds no results itself, but its folders do; name one of them: {}", below.join(", "))
            }
        };
        Err(io::Error::other(format!("{} {reason}", path.display())))
    }

    /// The first folders of results in this folder, by name.
    fn below(&self) -> Vec<String> {
        const MOST: usize = 5;
        let paths = fs::read_dir(&self.path).into_iter().flatten().flatten().map(|entry| entry.path());
        let logs = paths.filter(|path| Self { path: path.clone() }.log().is_file());
        let mut names: Vec<String> = logs.map(|path| path.display().to_string()).collect();
        names.sort_unstable();
        if names.len() > MOST {
            names.truncate(MOST);
            names.push("…".into());
        }
        names
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The log; if there is none yet, one in CSV.
    pub fn log(&self) -> PathBuf {
        self.log_in(LogForm::Csv)
    }

    /// The log; if there is none yet, one in this form.
    pub fn log_in(&self, form: LogForm) -> PathBuf {
        let logs = LogForm::ALL.map(|form| self.path.join(form.file()));
        logs.into_iter().find(|log| log.exists()).unwrap_or_else(|| self.path.join(form.file()))
    }

    /// The form of the log.
    pub fn form(&self) -> LogForm {
        LogForm::of_file(&self.log())
    }

    /// Whether another process writes the log, as far as the file system tells.
    pub fn is_being_written(&self) -> bool {
        let answer = fs::File::open(self.log()).map(|log| log.try_lock_shared());
        matches!(answer, Ok(Err(fs::TryLockError::WouldBlock)))
    }

    /// Whether no process has locked the log, as far as the file system tells.
    pub(super) fn is_unlocked(&self) -> bool {
        fs::File::open(self.log()).is_ok_and(|log| log.try_lock_shared().is_ok())
    }

    /// The file of the process that plays into the folder, or did so last.
    pub fn owner(&self) -> PathBuf {
        self.path.join(OWNER)
    }

    /// A new name for the file of an owner that is taken over.
    pub(super) fn new_taken(&self) -> PathBuf {
        let mut number = 1;
        while self.path.join(format!("{TAKEN}{number}.toml")).exists() {
            number += 1;
        }
        self.path.join(format!("{TAKEN}{number}.toml"))
    }

    /// The logs in the folder, each with the file of its owner: the log, and those that were taken over.
    pub(super) fn logs(&self) -> io::Result<Vec<(PathBuf, PathBuf)>> {
        let taken = self.names()?.into_iter().filter_map(|name| {
            let number = name.strip_prefix(TAKEN)?.split_once(".csv")?.0;
            Some((self.path.join(&name), self.path.join(format!("{TAKEN}{number}.toml"))))
        });
        Ok(std::iter::once((self.log(), self.owner())).chain(taken).collect())
    }

    /// The times of moves.
    pub fn times(&self) -> PathBuf {
        self.path.join("times.hlog")
    }

    /// The folder of trials that were stopped.
    pub fn unfinished(&self) -> PathBuf {
        self.path.join("unfinished")
    }

    /// The digests of the canonical log.
    pub fn digests(&self) -> PathBuf {
        self.path.join("digests.csv")
    }

    /// The facts of the machine and the build that ran it last.
    pub fn host(&self) -> PathBuf {
        self.path.join("host.toml")
    }

    /// The manifest as it was run last.
    pub fn manifest(&self) -> PathBuf {
        self.path.join("manifest.toml")
    }

    /// Reads the manifest as it was run last.
    ///
    /// # Errors
    /// If it or a file that it names is missing, was changed after the run, or is no manifest, or if the facts of the log
    /// are damaged.
    pub fn read_manifest(&self, registry: &Registry) -> Result<Manifest, LogError> {
        let mut manifest = Manifest::read(&self.manifest(), registry);
        let Some(facts) = LogFacts::read(&self.log())? else { return Ok(manifest?) };
        let origin = facts.manifest.path.clone();
        let changed = match &mut manifest {
            Ok(manifest) => {
                let changed = facts.manifest.changed(manifest);
                manifest.origin.clone_from(&origin);
                changed
            }
            // A changed manifest is rarely a correct one.
            Err(_) => facts.manifest.changed_text(&self.manifest()).then(|| "manifest.toml".into()),
        };
        match changed {
            Some(name) => Err(LogError::ChangedManifest { path: self.path.join(name), origin }),
            None => Ok(manifest?),
        }
    }

    pub(super) fn kept_files(&self) -> io::Result<impl Iterator<Item = String>> {
        let is_kept = |name: &String| name.starts_with(MANIFEST) && name != "manifest.toml";
        Ok(self.names()?.into_iter().filter(is_kept))
    }

    /// Moves all results aside, into a folder `before-1`, `before-2`, … in this one. Returns that folder; `None` if there are no results.
    ///
    /// # Errors
    /// If another run is writing the log, or the system refuses.
    pub fn move_aside(&self) -> io::Result<Option<PathBuf>> {
        if !self.log().exists() {
            return Ok(None);
        }
        // Held until it is done: a log that is being written is not taken away.
        let log = fs::File::open(self.log())?;
        let _lock = Lock::take(&log, &self.log()).map_err(|error| io::Error::other(error.to_string()))?;
        let aside = new_aside(&self.path)?;
        let is_result = |name: &String| {
            // The owner is the run that moves them.
            FILES.iter().chain(&DERIVED).any(|file| file == name) && name != OWNER
                || [MANIFEST, TAKEN].iter().any(|start| name.starts_with(start))
                || self.is_optimisation(name)
        };
        for name in self.names()?.iter().filter(|name| is_result(name)) {
            fs::rename(self.path.join(name), aside.join(name))?;
        }
        Ok(Some(aside))
    }

    /// Removes what is derived from the log, because it is about to change.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn remove_derived(&self) -> io::Result<()> {
        let names = self.names()?;
        // Drafts of a run that was killed.
        let drafts = names.iter().map(String::as_str).filter(|name| is_draft(name));
        for path in DERIVED.into_iter().chain(drafts).map(|name| self.path.join(name)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&path)(error)),
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
        Draft::begin(&self.path, name)
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

/// Advice on a path that is no folder: the folder of a file in it, the results of a manifest, or of the name of one.
fn instead(path: &Path) -> String {
    let Some(stem) = path.file_stem().filter(|stem| !stem.is_empty()) else {
        return "`shikou run` makes one under results/".into();
    };
    let results = Path::new("results").join(stem);
    let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let folders = [parent, &results];
    let has_log = |folder: &&&Path| Results { path: folder.to_path_buf() }.log().is_file();
    if let Some(folder) = folders.iter().find(has_log) {
        return format!("did you mean {}?", folder.display());
    }
    let manifests = [path.to_path_buf(), Path::new("experiments").join(stem).with_extension("toml")];
    let is_manifest = |path: &&PathBuf| path.extension().is_some_and(|end| end == "toml") && path.is_file();
    match manifests.iter().find(is_manifest) {
        Some(manifest) => format!("`shikou run {}` makes {}", shell_path(manifest), results.display()),
        None => "`shikou run` makes one under results/".into(),
    }
}

/// A new folder `before-1`, `before-2`, … in a folder.
pub(crate) fn new_aside(folder: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let aside = folder.join(format!("{ASIDE}{number}"));
        match fs::create_dir(&aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            created => return created.map(|()| aside),
        }
    }
}
