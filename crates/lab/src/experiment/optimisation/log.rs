//! The log of an optimisation: `evaluations.csv`, a row for each job, and its facts in `log.toml`.
//!
//! A row has sums and the hash of the genes, not the genes: these follow when the method is told the rows again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::key::Key;
use super::search::Known;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::manifest::Manifest;
use crate::experiment::manifest::optimisation::Optimisation;
use crate::experiment::store::draft::write_synced;
use crate::experiment::store::error::LogError;
use crate::experiment::store::facts::{KeptManifest, LogFacts};
use crate::experiment::store::line::{checked, push_check};
use crate::experiment::store::lock::Lock;
use crate::experiment::store::results::{EVALUATIONS, new_aside};
use crate::experiment::store::sync::SyncedFile;
use crate::experiment::trial::tally::Tally;

/// The columns, without the check.
const COLUMNS: &str = "run,generation,purpose,index,genes,wins,draws,losses,units_0,units_1,units_2,units_3,units_4,\
                       margin,margin_squares";

/// The log of an optimisation, locked while it lives.
pub struct EvaluationLog {
    file: SyncedFile,
    /// Released last.
    lock: Option<Lock>,
}

/// The rows of a log, by the [id](crate::experiment::OptimisationRun::id) of their run.
pub type KnownRuns = BTreeMap<u32, Known>;

/// The header of a canonical log.
pub(super) fn canonical_header() -> String {
    format!("{COLUMNS}\n")
}

/// The deterministic columns of a row, without the end of the line.
pub(super) fn row(run: u32, key: Key, genes: u64, tally: &Tally, out: &mut Vec<u8>) {
    let Key { generation, purpose, index } = key;
    let written = write!(out, "{run:08x},{generation},{purpose},{index},{genes:016x},{}", tally.fields());
    written.expect("memory can be written to");
}

/// A row of the log, with its check and the end of the line. A letter stands before its run, so that no program takes the run for
/// a number; the canonical log is part of digests, and has none.
pub(super) fn log_row(run: u32, key: Key, genes: u64, tally: &Tally, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(b'r');
    row(run, key, genes, tally, out);
    push_check(out, start);
}

/// Reads a row without its check.
fn parse(row: &[u8]) -> Option<(u32, Key, u64, Tally)> {
    let mut fields = std::str::from_utf8(row).ok()?.split(',');
    let mut next = || fields.next();
    let run = next()?;
    let run = u32::from_str_radix(run.strip_prefix('r').unwrap_or(run), 16).ok()?;
    let key = Key {
        generation: next()?.parse().ok()?,
        purpose: next()?.parse().ok()?,
        index: next()?.parse().ok()?,
    };
    let genes = u64::from_str_radix(next()?, 16).ok()?;
    Some((run, key, genes, Tally::read(fields)?))
}

impl EvaluationLog {
    /// Opens the log in a folder, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// If another process writes it, something that it uses behaved otherwise in the build that wrote it, a line is
    /// damaged, or the system fails.
    pub fn open(
        folder: &Path,
        manifest: &Manifest,
        optimisation: &Optimisation,
    ) -> Result<(Self, KnownRuns), LogError> {
        let path = folder.join(EVALUATIONS);
        let io = |source| LogError::Io { path: path.clone(), source };
        fs::create_dir_all(folder).map_err(io)?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let lock = Lock::take(&file, &path)?;
        let read = read(&path)?;
        let fingerprints = Fingerprints::of_optimisation(optimisation);
        let facts = LogFacts::read(&path)?;
        let mut new = LogFacts::continued(facts.as_ref(), manifest);
        if let Some(differing) = fingerprints.differing(&new.fingerprints) {
            return Err(LogError::OtherBuild { path, differing });
        }
        new.manifest = KeptManifest::new(manifest);
        new.fingerprints.extend(fingerprints);
        if facts.as_ref() != Some(&new) {
            new.write(&path)?;
        }
        let first = if read.sound_bytes == 0 { format!("{COLUMNS},check\n") } else { String::new() };
        let file = SyncedFile::start(&path, file, read.sound_bytes, first.as_bytes()).map_err(io)?;
        Ok((Self { file, lock }, read.rows))
    }

    /// The rows of the log in a folder; none without a log.
    ///
    /// # Errors
    /// If it cannot be read, or a line is damaged.
    pub fn read(folder: &Path) -> Result<KnownRuns, LogError> {
        let path = folder.join(EVALUATIONS);
        if !path.exists() {
            return Ok(KnownRuns::new());
        }
        Ok(read(&path)?.rows)
    }

    /// Whether no other process can write it. Not every file system can lock a file.
    pub const fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&mut self, rows: &[u8]) -> io::Result<()> {
        self.file.append(rows)
    }

    /// Keeps the sound rows of a damaged log, and moves the damaged files into a new folder beside it. Returns how many
    /// lines were kept and lost, and the folder; none if the log is sound.
    ///
    /// # Errors
    /// If another process writes it, or the system fails.
    pub fn recover(folder: &Path) -> Result<(u64, u64, Option<PathBuf>), LogError> {
        let path = folder.join(EVALUATIONS);
        let io = |source| LogError::Io { path: path.clone(), source };
        let file = File::open(&path).map_err(io)?;
        let _lock = Lock::take(&file, &path)?;
        let bytes = fs::read(&path).map_err(io)?;
        let (mut sound, mut kept, mut lost) = (format!("{COLUMNS},check\n").into_bytes(), 0, 0);
        for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let Some(row) = line.strip_suffix(b"\n") else { continue };
            if checked(row).and_then(parse).is_some() {
                sound.extend(line);
                kept += 1;
            } else if number > 0 || !sound.starts_with(line) {
                lost += 1;
            }
        }
        let facts = LogFacts::path(&path);
        let lost_facts = facts.exists() && LogFacts::read(&path).is_err();
        if lost == 0 && !lost_facts {
            return Ok((kept, lost, None));
        }
        let aside = new_aside(folder).map_err(io)?;
        if lost_facts {
            fs::rename(&facts, aside.join("log.toml")).map_err(io)?;
        }
        if lost > 0 {
            fs::copy(&path, aside.join(EVALUATIONS)).map_err(io)?;
            write_synced(&path, &sound).map_err(io)?;
        }
        Ok((kept, lost, Some(aside)))
    }
}

/// What was read of a log.
#[derive(Default)]
struct Read {
    rows: KnownRuns,
    sound_bytes: u64,
}

fn read(path: &Path) -> Result<Read, LogError> {
    let io = |source| LogError::Io { path: path.into(), source };
    let mut reader = BufReader::with_capacity(1 << 18, File::open(path).map_err(io)?);
    let mut found = Read::default();
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(io)?;
        number += 1;
        let Some(text) = line.strip_suffix(b"\n") else { return Ok(found) };
        let damaged =
            |reason: &str| LogError::Damaged { path: path.into(), line: number, reason: reason.into() };
        if number == 1 {
            if text.strip_suffix(b",check") != Some(COLUMNS.as_bytes()) {
                return Err(damaged("these are not the columns of a log of evaluations"));
            }
        } else {
            let row = checked(text).ok_or_else(|| damaged("its check does not agree"))?;
            let (run, key, genes, tally) =
                parse(row).ok_or_else(|| damaged("it is no row of evaluations"))?;
            found.rows.entry(run).or_default().insert(key, (genes, tally));
        }
        found.sound_bytes += line.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::optimisation::key::Purpose;

    #[test]
    fn every_row_comes_back() {
        let tally = Tally { outcomes: [3, 1, 2], units: [0, 1, 1, 0, 1], margin: -17, margin_squares: 99 };
        for purpose in [Purpose::Fitness, Purpose::Round(3), Purpose::Judge, Purpose::Again, Purpose::Unit(7)]
        {
            let key = Key { generation: 12, purpose, index: 4_000_000_000 };
            let mut bytes = Vec::new();
            log_row(0x0123_abcd, key, u64::MAX, &tally, &mut bytes);
            let row = checked(&bytes[..bytes.len() - 1]).unwrap();
            assert_eq!(parse(row), Some((0x0123_abcd, key, u64::MAX, tally)));
            assert_eq!(row.split(|&byte| byte == b',').count(), COLUMNS.split(',').count());
        }
    }
}
