//! The results of cells: a table with a row for each, and the run that makes a row.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use super::folder::{Cell, first_trial};
use crate::cli::call::{Answer, Call};
use crate::cli::error::{CommandError, Result, usage};
use crate::cli::folder::TemporaryFolder;
use crate::cli::output::tell_as;
use crate::cli::stop::on_signal;
use crate::experiment::{Draft, Lock, LogError, Plan, PlayerSummary, Reference, Results, TestSummary};
use crate::players::Registry;
use crate::report::Gain;

/// The time between two tries to lock a table, which another process writes within milliseconds.
const WAIT: Duration = Duration::from_millis(20);

/// The rows of a table; none if there is no file.
pub(super) fn read(path: &Path) -> Result<Vec<Gain>> {
    let file = match fs::File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(|error| CommandError::at(path.display(), &error))?,
    };
    let refused = |reason: &dyn Display| usage!("{} is no table of an atlas: {reason}", path.display());
    let mut reader = csv::Reader::from_reader(file);
    let headings = reader.headers().map_err(|error| refused(&error))?.iter().collect::<Vec<_>>().join(",");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(Gain::default()).expect("numbers and texts");
    let expected = String::from_utf8(writer.into_inner().expect("it is in memory")).expect("names are UTF-8");
    let expected = expected.lines().next().unwrap_or_default();
    if !headings.is_empty() && headings != expected {
        return Err(refused(&format!("its first line is not {expected}")));
    }
    let rows =
        reader.into_deserialize().collect::<Result<Vec<Gain>, _>>().map_err(|error| refused(&error))?;
    let mut cells = BTreeSet::new();
    match rows.iter().map(Gain::name).find(|name| !cells.insert(name.clone())) {
        Some(name) => Err(refused(&format!("{name} has two rows"))),
        None => Ok(rows),
    }
}

/// Changes the rows of a table. They are then in the order of the cells' names.
fn change(path: &Path, change: impl FnOnce(&mut Vec<Gain>)) -> Result {
    let mut rows = read(path)?;
    change(&mut rows);
    rows.sort_by_cached_key(Cell::of);
    let failed = |error: &dyn std::error::Error| CommandError::System(format!("{}: {error}", path.display()));
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))?;
    let mut draft = Draft::begin(folder, &path.file_name().unwrap_or_default().to_string_lossy())?;
    std::io::Write::write_all(&mut draft, &bytes).map_err(|error| failed(&error))?;
    Ok(draft.finish()?)
}

/// The file that is locked by who writes a table, or plays a cell of it.
fn lock_of(table: &Path, name: &str) -> PathBuf {
    let mut folder = table.as_os_str().to_owned();
    folder.push(".locks");
    Path::new(&folder).join(name)
}

/// The right to play a cell of a table.
pub(super) struct Claim(Option<Lock>);

impl Claim {
    /// `None` if another process plays the cell. On a file system without locks nobody knows.
    pub(super) fn take(table: &Path, cell: &Cell) -> Result<Option<Self>> {
        match Lock::of(&lock_of(table, &cell.file_name())) {
            Err(LogError::InUse { .. }) => Ok(None),
            lock => Ok(Some(Self(lock?))),
        }
    }

    /// Whether the file system keeps other processes away.
    pub(super) fn is_locked(&self) -> bool {
        self.0.is_some()
    }
}

/// Runs of cells until a signal, which stops the one under way too.
pub(super) struct Sitting {
    is_stopped: Arc<AtomicBool>,
    run: Arc<Mutex<Option<Arc<Call>>>>,
}

impl Sitting {
    pub(super) fn begin() -> Self {
        let sitting = Self { is_stopped: Arc::default(), run: Arc::default() };
        let (is_stopped, run) = (Arc::clone(&sitting.is_stopped), Arc::clone(&sitting.run));
        on_signal(move || {
            is_stopped.store(true, Ordering::Relaxed);
            let run = run.lock().unwrap_or_else(PoisonError::into_inner).clone();
            run.inspect(|run| run.interrupt());
        });
        sitting
    }

    /// Puts the row of a cell into a table, once no other process changes it; a signal ends the wait.
    pub(super) fn add(&self, table: &Path, row: Gain) -> Result {
        let lock = lock_of(table, "table");
        let _lock = loop {
            match Lock::of(&lock) {
                Err(LogError::InUse { .. }) if self.is_stopped.load(Ordering::Relaxed) => {
                    return Err(CommandError::Interrupted(format!(
                        "{} is in use; the same command adds the row",
                        table.display()
                    )));
                }
                Err(LogError::InUse { .. }) => sleep(WAIT),
                lock => break lock?,
            }
        };
        change(table, |rows| {
            rows.retain(|other| Cell::of(other) != Cell::of(&row));
            rows.push(row);
        })
    }

    /// Runs a manifest into a folder. Returns whether it was played to its end.
    pub(super) fn run(
        &self,
        (cell, manifest): (&Cell, &str),
        folder: &Path,
        more: &[String],
        registry: &Registry,
    ) -> Result<bool> {
        let place = TemporaryFolder::new("atlas")?;
        let path = place.path().join(format!("{}.toml", cell.file_name()));
        fs::write(&path, manifest).map_err(|error| CommandError::at(path.display(), &error))?;
        let (path, folder) = (path.display().to_string(), folder.display().to_string());
        let words = ["run", "--quiet", "--out", &folder, &path].map(Into::into);
        let outer = Call::now();
        let tell = move |text: &str| tell_as(outer.as_deref(), text);
        let call = Call::new(words.into_iter().chain(more.iter().cloned()).collect(), false, tell);
        let now = |call| *self.run.lock().unwrap_or_else(PoisonError::into_inner) = call;
        now(Some(Arc::clone(&call)));
        if self.is_stopped.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let Answer { code, error, .. } = call.run_within(registry);
        now(None);
        let reason = || format!("{}: {}", cell.name(), error.trim_start_matches("error: "));
        match code {
            0 => Ok(true),
            2 => Err(CommandError::Usage(reason())),
            3 => Err(CommandError::Trials(vec![reason()])),
            4 => Ok(false),
            _ => Err(CommandError::System(reason())),
        }
    }
}

/// Whether the results in a folder are of a cell whose first trial has this name; `None` without results.
pub(super) fn are_of(folder: &Path, trial: &str, registry: &Registry) -> Option<bool> {
    let results = Results::open(folder).ok()?;
    let plan = results.read_manifest(registry).ok().and_then(|manifest| Plan::new(&manifest).ok());
    Some(plan.is_some_and(|plan| first_trial(&plan) == trial))
}

/// The row of a cell whose first trial has this name, from the results in its folder.
pub(super) fn result(cell: &Cell, trial: String, folder: &Path) -> Result<Gain> {
    let reference = Reference::of_summary(folder)?;
    let reference = reference.ok_or_else(|| usage!("{} has no summary.json", folder.display()))?;
    let Reference { summary, facts, digest } = reference;
    let experiment = &summary.experiments[0];
    let [plain, player] = &experiment.players[..] else { panic!("a cell has two players") };
    let stopping = experiment.stopping.as_ref().expect("a cell has a rule");
    let Some(TestSummary::Difference { ln_e, .. }) = stopping.test else { panic!("a cell has a test") };
    let points = player.result();
    let positions = |of: &PlayerSummary| (of.plies + of.nodes) as f64 / of.moves.max(1) as f64;
    Ok(Gain {
        game: cell.game.clone(),
        player: cell.player.clone(),
        budget: cell.budget.clone(),
        pairs: stopping.instances,
        points: points.value,
        low: points.low,
        high: points.high,
        ln_e,
        plies: player.lengths.as_ref().map_or(f64::NAN, |lengths| lengths.mean),
        positions: positions(player),
        plain_positions: positions(plain),
        digest: if experiment.is_timed() { String::new() } else { digest },
        host: facts.fact("cpu").into(),
        commit: facts.fact("commit").into(),
        trial,
    })
}
