//! The decisions that took long, of trials that are not over, so that none of them is made twice.
//!
//! A log holds whole trials. If a move takes minutes, a trial takes hours, and a stopped one would start again. The
//! key decision: nothing of a game is kept but the decisions that took long, each under the hash of the game so far. A
//! trial that is played again asks whether a decision is known, and makes all others again. They come out as before, being
//! functions of the position and of the move's randomness. That holds if no machine
//! [remembers](crate::search::Searcher::remembers) what it did, and elsewhere nothing is kept. Rejected: the state of a game
//! and of its machines, for which every game and every searcher would need a text.
//!
//! Each trial has a file of its own, which goes when its record is in the log: a log that fills has nothing beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Record;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::line::{at, checked, checked_row, fields_of, text_of, whole_lines};
use crate::experiment::plan::{Cell, Plan, Trial, TrialId};
use crate::manifest::read_whole;
use crate::players::Table;
use crate::search::Spent;

/// How long a decision takes that is kept: writing it down is nothing beside that, and making it again is no loss.
const LONG: Duration = Duration::from_secs(1);

/// How long a decision takes that is kept if its trial is left off: then a trial that is longer than the time limit ends too.
const SHORT: Duration = Duration::from_millis(10);

/// A place in a trial: the number of the game, counted from 1, and the hash of the moves so far.
pub(crate) type Place = (usize, u64);

/// How the first line of a file begins, up to the name of the trial; its fingerprints follow.
const BEGINNING: &str = "# shikou decisions 3; trial ";

/// The trials of a run that are not over, and the decisions in them that took long.
pub struct Unfinished {
    plan: Plan,
    folder: PathBuf,
    log: PathBuf,
    fingerprints: Fingerprints,
    long: Duration,
    /// For each experiment and cell whether its trials can go on in the middle.
    resumable: Vec<Vec<bool>>,
    /// The trials that an earlier run started.
    begun: BTreeSet<TrialId>,
    /// The trials that have a file.
    kept: Mutex<BTreeSet<TrialId>>,
    /// Whether any trial ever had.
    any: AtomicBool,
    /// Why a decision could not be kept.
    error: Mutex<Option<io::Error>>,
}

impl Unfinished {
    /// The files of an earlier run in this folder, which need not exist. Files of trials that `is_done` says are in the log at
    /// this path are removed.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn open(
        folder: &Path,
        plan: &Plan,
        fingerprints: &Fingerprints,
        log: &Path,
        is_done: impl Fn(&Trial) -> bool,
    ) -> io::Result<Self> {
        let mut begun = BTreeSet::new();
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries.collect::<io::Result<Vec<_>>>()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let Some((instance, id)) = trial_of(&entry.file_name().to_string_lossy()) else { continue };
            match plan.trial_named(id, instance) {
                Some(trial) if is_done(&trial) => fs::remove_file(entry.path())?,
                // The trial of a player that is no longer in the manifest.
                None => {}
                Some(_) => {
                    begun.insert(id);
                }
            }
        }
        let of_experiment = |index: usize| {
            let planned = plan.planned(index);
            let remembers = |seats: &Vec<usize>| planned.any_tables(|tables| tables.remember(seats));
            let resumes = |cell: &Cell| !cell.seatings().iter().any(remembers);
            planned.cells.iter().map(resumes).collect()
        };
        Ok(Self {
            plan: plan.clone(),
            folder: folder.into(),
            log: log.into(),
            fingerprints: fingerprints.clone(),
            long: LONG,
            resumable: (0..plan.experiments().len()).map(of_experiment).collect(),
            any: AtomicBool::new(!begun.is_empty()),
            kept: Mutex::new(begun.clone()),
            begun,
            error: Mutex::new(None),
        })
    }

    /// Keeps decisions that take at least `long`; the default is one second.
    #[must_use]
    pub const fn keep_from(mut self, long: Duration) -> Self {
        self.long = long;
        self
    }

    /// The number of trials that an earlier run started.
    pub fn begun(&self) -> usize {
        self.begun.len()
    }

    fn path(&self, trial: Trial) -> PathBuf {
        self.folder.join(format!("{}-{}.csv", trial.instance, self.plan.id(&trial)))
    }

    /// The known decisions of a trial: those of this build in undamaged lines of a file of this trial.
    fn read(&self, trial: Trial) -> BTreeMap<Place, Decided> {
        if !self.begun.contains(&self.plan.id(&trial)) {
            return BTreeMap::new();
        }
        let bytes = read_whole(&self.path(trial)).unwrap_or_default();
        if !self.agrees(&bytes, trial) {
            return BTreeMap::new();
        }
        bytes.split(|&byte| byte == b'\n').skip(1).filter_map(read_row).collect()
    }

    /// Whether a file is of this trial, and of a build whose fingerprints agree with those of this one.
    fn agrees(&self, bytes: &[u8], trial: Trial) -> bool {
        let first = bytes.split(|&byte| byte == b'\n').next().and_then(checked).and_then(text_of);
        let theirs = first.and_then(|text| {
            let (id, fingerprints) = text.strip_prefix(BEGINNING)?.split_once("; ")?;
            let is_of_trial = id == self.plan.id(&trial).to_string();
            Fingerprints::parse(fingerprints).filter(|_| is_of_trial)
        });
        theirs.is_some_and(|theirs| self.fingerprints.differing(&theirs).is_none())
    }

    /// Syncs the log to the disk. Returns whether that succeeded; a log without a file has nothing to lose.
    fn log_is_on_the_disk(&self) -> bool {
        let sync = || OpenOptions::new().append(true).open(&self.log)?.sync_data();
        self.log.as_os_str().is_empty() || sync().is_ok()
    }

    /// The file of a trial, after its last whole line.
    fn append_to(&self, trial: Trial) -> io::Result<File> {
        // Held, so that the folder is not removed as empty before the file is in it.
        let mut kept = self.kept.lock().expect("no thread panics with it");
        fs::create_dir_all(&self.folder)?;
        let path = self.path(trial);
        let before = read_whole(&path).unwrap_or_default();
        let is_ours = self.agrees(&before, trial);
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.set_len(if is_ours { whole_lines(&before) as u64 } else { 0 })?;
        if !is_ours {
            let id = self.plan.id(&trial);
            file.write_all(&checked_row([format!("{BEGINNING}{id}; {}", self.fingerprints)]))?;
        }
        kept.insert(self.plan.id(&trial));
        self.any.store(true, Ordering::Relaxed);
        Ok(file)
    }

    /// The decisions of a trial that is about to be played. `None` if it cannot be resumed.
    pub(crate) fn notes<'u>(&'u self, trial: Trial, stop: &'u AtomicBool) -> Option<TrialNotes<'u>> {
        if !self.resumable[trial.experiment][trial.cell] {
            return None;
        }
        let known = if self.begun.is_empty() { BTreeMap::new() } else { self.read(trial) };
        Some(TrialNotes {
            unfinished: self,
            trial,
            stop,
            known,
            file: None,
            waiting: Vec::new(),
            is_kept: false,
            spared_cpu_ns: 0,
            noted_cpu_ns: 0,
        })
    }

    /// Drops the decisions of finished trials. Called when every sink has the trials.
    pub(crate) fn finished(&self, records: &[Record]) {
        if !self.any.load(Ordering::Relaxed) {
            return;
        }
        let mut kept = self.kept.lock().expect("no thread panics with it");
        for record in records {
            // The record must be on the disk before the decisions go, or a loss of power may take both. A file that stays
            // does no harm.
            if kept.remove(&self.plan.id(&record.trial)) && self.log_is_on_the_disk() {
                let _ = fs::remove_file(self.path(record.trial));
                let _ = fs::remove_dir(&self.folder);
            }
        }
    }

    /// The error of a decision that could not be kept, if any. It stops the run.
    pub(crate) fn error(&self) -> Option<io::Error> {
        self.error.lock().expect("no thread panics with it").take().map(at(&self.folder))
    }
}

struct Decided {
    mv: String,
    spent: Spent,
    ns: u64,
    /// The processor time since the decision that was kept before.
    cpu_ns: u64,
}

/// The decisions of one trial, which are kept while it is played, so that it can resume.
pub(crate) struct TrialNotes<'u> {
    unfinished: &'u Unfinished,
    trial: Trial,
    stop: &'u AtomicBool,
    known: BTreeMap<Place, Decided>,
    file: Option<File>,
    /// The shorter decisions, which are kept if the trial is left off.
    waiting: Vec<(Place, Decided)>,
    /// Whether a decision was kept in this run: only then the trial may be left off, or it would never end.
    is_kept: bool,
    /// The processor time in nanoseconds of the decisions that were recalled, and of those noted in this run.
    pub(crate) spared_cpu_ns: u64,
    noted_cpu_ns: u64,
}

impl TrialNotes<'_> {
    /// Keeps a decision, or stops the run if that fails.
    fn keep(&mut self, place: Place, decided: &Decided) {
        if let Err(error) = self.write(place, decided) {
            self.unfinished.error.lock().expect("no thread panics with it").get_or_insert(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn write(&mut self, (game, game_hash): Place, decided: &Decided) -> io::Result<()> {
        let Decided { mv, spent, ns, cpu_ns } = decided;
        let numbers = [game as u64, spent.playouts, spent.plies, spent.nodes, *ns, *cpu_ns];
        let fields = [format!("{game_hash:016x}"), mv.clone()].into_iter();
        let row = checked_row(fields.chain(numbers.map(|number| number.to_string())));
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(self.unfinished.append_to(self.trial)?),
        };
        file.write_all(&row)
    }

    /// Makes the move that was decided at this place in an earlier run. Returns the work and the nanoseconds that the
    /// decision took; `None` if it is not known.
    pub(crate) fn recall(&mut self, place: Place, table: &mut dyn Table) -> Option<(Spent, u64)> {
        let known = self.known.remove(&place)?;
        let is_legal = table.make_written_move(&known.mv);
        self.spared_cpu_ns += if is_legal { known.cpu_ns } else { 0 };
        is_legal.then_some((known.spent, known.ns))
    }

    /// Keeps the last decision if it took long, given its work and its nanoseconds. `wall` is the time until it was made, in
    /// lock-step with what other games took of it; `cpu` is the processor time of the trial so far. Returns whether it
    /// is kept.
    pub(crate) fn note(
        &mut self,
        place: Place,
        table: &dyn Table,
        (spent, ns): (Spent, u64),
        wall: Duration,
        cpu: &dyn Fn() -> Duration,
    ) -> bool {
        let is_long = wall >= self.unfinished.long;
        if is_long || wall >= SHORT {
            let cpu = cpu().as_nanos() as u64;
            let cpu_ns = cpu - std::mem::replace(&mut self.noted_cpu_ns, cpu);
            let mv = table.last_move().expect("a move was made");
            let decided = Decided { mv, spent, ns, cpu_ns };
            if is_long {
                self.is_kept = true;
                self.keep(place, &decided);
            } else {
                self.waiting.push((place, decided));
            }
        }
        is_long
    }

    /// Keeps what it knows of a trial that is left off, to be resumed.
    pub(crate) fn left_off(&mut self) {
        for (place, decided) in std::mem::take(&mut self.waiting) {
            self.keep(place, &decided);
        }
    }

    /// Whether to stop the trial here, because the run stops and a decision was kept in it.
    pub(crate) fn leaves_off(&self) -> bool {
        self.is_kept && self.stop.load(Ordering::Relaxed)
    }
}

fn trial_of(name: &str) -> Option<(u64, TrialId)> {
    let (instance, id) = name.strip_suffix(".csv")?.split_once('-')?;
    Some((instance.parse().ok()?, TrialId::from_digits(id.as_bytes())?))
}

/// The decision of a line, if the line is whole.
fn read_row(line: &[u8]) -> Option<(Place, Decided)> {
    let row = csv::StringRecord::from_byte_record(fields_of(checked(line)?)?).ok()?;
    let number = |index: usize| row.get(index)?.parse::<u64>().ok();
    let game_hash = u64::from_str_radix(row.get(0)?, 16).ok()?;
    let spent = Spent { playouts: number(3)?, plies: number(4)?, nodes: number(5)? };
    let decided = Decided { mv: row.get(1)?.into(), spent, ns: number(6)?, cpu_ns: number(7)? };
    Some(((number(2)? as usize, game_hash), decided))
}
