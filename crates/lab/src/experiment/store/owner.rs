//! A single run at a time plays into a folder, where locks cannot be trusted.
//!
//! On some file systems a lock fails, and on others two machines get the same one. So a run writes into the folder who it is,
//! and touches this file at intervals. Another run is refused while the file says that the first one lives. It takes the folder
//! over from a process that is gone, from an earlier start of the same job, and from one that is silent. If that one may still
//! write, its log is put aside and the new run goes on with a copy: no two processes write the same file, and `merge` joins both.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{EVALUATIONS, LogError, LogForm, Repeated, Results, write_first};

/// How often an owner touches its file.
const BEAT: Duration = Duration::from_secs(30);

/// An owner that has not touched its file for so long is silent: network file systems show a change late.
const SILENCE: Duration = Duration::from_mins(3);

/// The owner of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerFacts {
    /// How often the file was touched, in ten digits: they are written in place.
    beat: String,
    /// `playing` or `stopped`.
    state: String,
    /// How often the scheduler started the job again.
    pub restarts: u64,
    /// When the process started to own the folder, in seconds since 1970.
    pub since: u64,
    /// The machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// The start of the machine; empty if it is not known.
    boot: String,
    /// When the process started, in ticks after the start of the machine: a number of a process is used again.
    ticks: u64,
    /// The job of a scheduler; empty without one.
    job: String,
}

/// The places of what is written anew, in the file.
const BEAT_AT: u64 = "beat = \"".len() as u64;
const STATE_AT: u64 = "beat = \"0000000000\"\nstate = \"".len() as u64;
const PLAYING: &str = "playing";
const STOPPED: &str = "stopped";

impl OwnerFacts {
    fn here() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let (job, restarts) = job(&variable);
        let process = std::process::id();
        Self {
            beat: format!("{:010}", 0),
            state: PLAYING.into(),
            restarts,
            since: now(),
            host: host(),
            process,
            boot: boot(),
            ticks: ticks(process).unwrap_or(0),
            job,
        }
    }

    /// The owner in a file. `None` if there is no file, or no owner in it.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        toml::from_str(&fs::read_to_string(path).ok()?).ok()
    }

    /// The owner of a folder, or the last one. `None` if none is known.
    pub fn of(results: &Results) -> Option<Self> {
        Self::read(&results.owner())
    }

    /// Whether the run ended, or was stopped.
    pub fn has_stopped(&self) -> bool {
        self.state == STOPPED
    }

    /// Whether another owner is the same process, whatever its beat.
    fn is_same(&self, other: &Self) -> bool {
        let who = |owner: &Self| (owner.host.clone(), owner.process, owner.ticks, owner.since);
        who(self) == who(other)
    }

    /// The place of its rows among those of other owners: the earliest start of a job is first.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (self.restarts, self.since, self.host.clone(), self.ticks, self.process)
    }

    /// Whether its process is certain to be gone. `None` if this machine cannot tell.
    fn is_gone(&self, here: &Self) -> Option<bool> {
        if self.has_stopped() {
            return Some(true);
        }
        if self.host != here.host || here.boot.is_empty() {
            return None;
        }
        Some(self.boot != here.boot || ticks(self.process) != Some(self.ticks))
    }

    /// Whether it is an earlier start of the same job.
    fn is_earlier(&self, here: &Self) -> bool {
        !here.job.is_empty() && self.job == here.job && self.restarts < here.restarts
    }
}

/// The job of this process, and how often it was started again.
fn job(variable: &dyn Fn(&str) -> Option<String>) -> (String, u64) {
    let number = |name: &str| variable(name).and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    if let Some(job) = variable("SLURM_ARRAY_JOB_ID").or_else(|| variable("SLURM_JOB_ID")) {
        let task = variable("SLURM_ARRAY_TASK_ID").map_or_else(String::new, |task| format!("_{task}"));
        return (format!("slurm {job}{task}"), number("SLURM_RESTART_COUNT"));
    }
    match variable("AWS_BATCH_JOB_ID") {
        Some(job) => (format!("aws {job}"), number("AWS_BATCH_JOB_ATTEMPT")),
        None => (String::new(), 0),
    }
}

#[expect(clippy::disallowed_methods, reason = "which of two owners was first is no result")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn host() -> String {
    let names = ["/proc/sys/kernel/hostname", "/etc/hostname"];
    let read = names.into_iter().find_map(|path| fs::read_to_string(path).ok());
    read.map_or_else(|| std::env::var("HOSTNAME").unwrap_or_default(), |name| name.trim().into())
}

fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map_or_else(|_| String::new(), |id| id.trim().into())
}

/// When a process of this machine started. `None` if it does not live.
fn ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program is in brackets and may hold anything. A zombie lives no longer.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    (state != "Z" && state != "X").then(|| fields.nth(18)?.parse().ok()).flatten()
}

/// The ownership of a folder, while it lives.
pub struct Owner {
    file: Arc<File>,
    is_lost: Arc<AtomicBool>,
    touches: Option<Repeated>,
    taken_from: Option<OwnerFacts>,
}

impl Owner {
    /// Makes this process the owner of a folder. `stop` is set if another process takes it over.
    ///
    /// # Errors
    /// If another process owns it and seems to live, or the system fails.
    pub fn claim(results: &Results, stop: &Arc<AtomicBool>) -> Result<Self, LogError> {
        let (path, here) = (results.owner(), OwnerFacts::here());
        let io = |source| LogError::Io { path: path.clone(), source };
        let text = toml::to_string(&here).expect("the facts are TOML");
        let mut taken_from = None;
        // Others may be as fast; one of them is the first.
        for _ in 0..100 {
            if write_first(&path, text.as_bytes()).map_err(io)? {
                let mut owner = Self::begin(path.clone(), here, stop).map_err(io)?;
                owner.taken_from = taken_from;
                return Ok(owner);
            }
            if let Some(other) = make_way(results, &here)? {
                taken_from = Some(other);
            }
        }
        Err(LogError::InUse { path: results.log() })
    }

    fn begin(path: PathBuf, here: OwnerFacts, stop: &Arc<AtomicBool>) -> io::Result<Self> {
        let file = Arc::new(File::options().write(true).open(&path)?);
        let is_lost = Arc::new(AtomicBool::new(false));
        OWNED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&file));
        let (of_thread, lost, stop) = (Arc::clone(&file), Arc::clone(&is_lost), Arc::clone(stop));
        let mut beat = 0_u64;
        let touch = move |is_last: bool| {
            if is_last {
                return false;
            }
            if OwnerFacts::read(&path).is_some_and(|other| !other.is_same(&here)) {
                lost.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
                return false;
            }
            beat += 1;
            // If it cannot be touched, another run takes over; nothing is lost then.
            let _ = write_at(&of_thread, BEAT_AT, &format!("{beat:010}"));
            true
        };
        Ok(Self { file, is_lost, touches: Some(Repeated::start("owner", BEAT, touch)?), taken_from: None })
    }

    /// Whether another process took the folder over.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// The owner before, if it may still write.
    pub const fn taken_from(&self) -> Option<&OwnerFacts> {
        self.taken_from.as_ref()
    }
}

/// The files of the owners of this process.
static OWNED: Mutex<Vec<Weak<File>>> = Mutex::new(Vec::new());

/// Marks the folders that this process owns as those of a run that was stopped, right before the process ends. So another
/// machine need not wait until it has been silent for long.
pub fn release_folders() {
    for file in OWNED.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade) {
        // If it cannot be written, another run waits.
        let _ = write_at(&file, STATE_AT, STOPPED);
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.touches = None;
        // If it was taken over, this is the file that was put aside.
        let _ = write_at(&self.file, STATE_AT, STOPPED);
    }
}

/// Writes a text at a place of a file. One thread at a time: all that write a file share its cursor.
fn write_at(mut file: &File, place: u64, text: &str) -> io::Result<()> {
    static CURSOR: Mutex<()> = Mutex::new(());
    let _guard = CURSOR.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(place))?;
    file.write_all(text.as_bytes())
}

/// Puts the owner of a folder aside, if it does not live. Returns it if it may still write.
fn make_way(results: &Results, here: &OwnerFacts) -> Result<Option<OwnerFacts>, LogError> {
    let path = results.owner();
    let io = |source| LogError::Io { path: path.clone(), source };
    let other = OwnerFacts::read(&path);
    let is_gone = refuse_if_owned(results, other.as_ref(), here)?;
    // The file may be gone: then another run was faster.
    let absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    if is_gone {
        return match fs::remove_file(&path) {
            Err(error) if !absent(&error) => Err(io(error)),
            _ => Ok(None),
        };
    }
    let aside = results.new_taken();
    match fs::rename(&path, &aside) {
        Err(error) if absent(&error) => return Ok(None),
        renamed => renamed.map_err(io)?,
    }
    copy_log(
        &results.log(),
        &aside.with_extension(if results.form() == LogForm::Csv { "csv" } else { "csv.gz" }),
    )
    .map_err(|source| LogError::Io { path: results.log(), source })?;
    // The other may write the logs of optimisations as well. What it adds to its own is played again here, with the same results.
    for log in results.parts().map_err(io)?.into_iter().map(|part| part.join(EVALUATIONS)) {
        let put = log.with_file_name(aside.file_name().unwrap_or_default()).with_extension("csv");
        copy_log(&log, &put).map_err(|source| LogError::Io { path: log.clone(), source })?;
    }
    Ok(Some(other.unwrap_or_default()))
}

/// Refuses a folder whose owner seems to live. Returns whether it is certain that it does not.
fn refuse_if_owned(
    results: &Results,
    owner: Option<&OwnerFacts>,
    here: &OwnerFacts,
) -> Result<bool, LogError> {
    let path = results.owner();
    let is_gone = owner.and_then(|owner| owner.is_gone(here));
    let is_gone = is_gone.unwrap_or_else(|| cfg!(not(target_os = "linux")) && results.is_unlocked());
    let silent = silent_for(&path).map_err(|source| LogError::Io { path, source })?;
    if !is_gone && silent < SILENCE && !owner.is_some_and(|owner| owner.is_earlier(here)) {
        let OwnerFacts { host, process, .. } = owner.cloned().unwrap_or_default();
        let (folder, seconds) = (results.path().into(), silent.as_secs());
        return Err(LogError::Owned { folder, host, process, seconds });
    }
    Ok(is_gone)
}

/// Refuses a folder that a run owns, for what changes its log and is no run.
pub(super) fn refuse_owned(results: &Results) -> Result<(), LogError> {
    let Some(owner) = OwnerFacts::of(results) else { return Ok(()) };
    refuse_if_owned(results, Some(&owner), &OwnerFacts::here()).map(drop)
}

/// Puts the file of a log aside, in which another process may still write, with a copy in its place.
fn copy_log(log: &Path, aside: &Path) -> io::Result<()> {
    if !log.exists() {
        return Ok(());
    }
    let draft = aside.with_extension("draft");
    fs::copy(log, &draft)?;
    // A log is there at each moment, if the file system has links.
    if fs::hard_link(log, aside).is_err() {
        fs::rename(log, aside)?;
    }
    fs::rename(&draft, log)
}

/// How long a file was not touched, by the clock of its file system. One from the future was not touched since the clock was
/// set back, and how long that is nobody knows: as long as the difference, at most, is said.
fn silent_for(path: &Path) -> io::Result<Duration> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new().prefix(".now").suffix(".draft").tempfile_in(folder)?;
    new.write_all(b"now")?;
    let now = new.as_file().metadata()?.modified()?;
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(SILENCE),
        there => Ok(now.duration_since(there?.modified()?).unwrap_or_else(|future| future.duration())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_file() {
        let text = toml::to_string(&OwnerFacts::here()).unwrap();
        assert!(text[BEAT_AT as usize..].starts_with("0000000000\""), "{text}");
        assert!(text[STATE_AT as usize..].starts_with(PLAYING) && PLAYING.len() == STOPPED.len(), "{text}");
    }

    /// A clock that was set back does not keep a folder for ever.
    #[test]
    fn a_file_from_the_future_is_silent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("owner.toml");
        let file = File::create(&path).unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        for (then, is_silent) in
            [(now, false), (now + SILENCE / 2, false), (now + 2 * SILENCE, true), (now - 2 * SILENCE, true)]
        {
            file.set_modified(then).unwrap();
            assert_eq!(silent_for(&path).unwrap() >= SILENCE, is_silent);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_known_by_its_start() {
        let here = OwnerFacts::here();
        assert_eq!(here.is_gone(&here), Some(false));
        let other = |change: fn(&mut OwnerFacts)| {
            let mut other = here.clone();
            change(&mut other);
            other.is_gone(&here)
        };
        assert_eq!(other(|other| other.ticks += 1), Some(true), "a number that is used again");
        assert_eq!(other(|other| other.boot = "before".into()), Some(true));
        assert_eq!(other(|other| other.state = STOPPED.into()), Some(true));
        assert_eq!(other(|other| other.host = "elsewhere".into()), None);
    }

    #[test]
    fn jobs_are_known_by_their_scheduler() {
        let of = |variables: &[(&str, &str)]| {
            let found =
                |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, v)| (*v).into());
            job(&found)
        };
        let task = [("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_JOB_ID", "9"), ("SLURM_ARRAY_TASK_ID", "3")];
        assert_eq!(of(&task), ("slurm 7_3".into(), 0));
        assert_eq!(of(&[("SLURM_JOB_ID", "9"), ("SLURM_RESTART_COUNT", "2")]), ("slurm 9".into(), 2));
        assert_eq!(of(&[("AWS_BATCH_JOB_ID", "a:1"), ("AWS_BATCH_JOB_ATTEMPT", "2")]), ("aws a:1".into(), 2));
        assert_eq!(of(&[]), (String::new(), 0));
    }
}
