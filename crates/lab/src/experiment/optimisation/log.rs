//! The log of an optimisation: `evaluations.csv`, a row for each job, and its facts in `log.toml`.
//!
//! A row has sums and the hash of the genes, not the genes: these follow when the method is told the rows again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::Key;
use crate::experiment::fingerprint::Fingerprints;
use crate::experiment::line::push_check;
use crate::experiment::store::{
    EVALUATIONS, KeptManifest, LogError, LogFacts, LogFile, Recovered, TookWriter, each_row, recover_logs,
    whole_id,
};
use crate::experiment::trial::Tally;
use crate::manifest::{Manifest, Optimisation};

/// The columns, without the check.
const COLUMNS: &str = "run,generation,purpose,index,genes,wins,draws,losses,units_0,units_1,units_2,units_3,units_4,\
                       margin,margin_squares";

/// The log of an optimisation with its times, locked while it lives.
pub struct EvaluationLog(LogFile, pub(super) TookWriter);

/// The results of jobs that were played before: the hash of the genes, and the sums.
pub type Known = BTreeMap<Key, (u64, Tally)>;

/// The rows of a log, by the [id](crate::experiment::OptimisationRun::id) of their run.
pub type KnownRuns = BTreeMap<u32, Known>;

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
        fs::create_dir_all(folder).map_err(|source| LogError::Io { path: path.clone(), source })?;
        let fingerprints = Fingerprints::of_optimisation(optimisation);
        let (file, rows) = LogFile::open(&path, COLUMNS, (manifest, &fingerprints), |_| read(&path))?;
        let whole = whole_id(optimisation.runs.iter().map(|run| run.id()));
        let times = TookWriter::open(folder, whole);
        let times = times.map_err(|source| LogError::Io { path: folder.into(), source })?;
        Ok((Self(file, times), rows))
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
        Ok(read(&path)?.0)
    }

    /// Whether no other process can write it. Not every file system can lock a file.
    pub const fn is_locked(&self) -> bool {
        self.0.is_locked()
    }

    pub(super) fn append(&mut self, rows: &[u8]) -> io::Result<()> {
        self.0.append(rows)
    }

    /// Keeps the sound rows of a damaged log, and moves the damaged files into a new folder beside it.
    ///
    /// # Errors
    /// If another process writes it, or the system fails.
    pub fn recover(folder: &Path) -> Result<Recovered, LogError> {
        let path = folder.join(EVALUATIONS);
        let is_row = |row: &[u8]| parse(row).is_some();
        let rewrite =
            || LogFacts::unknown(KeptManifest::as_kept(&folder.join("../manifest.toml"), [])).write(&path);
        recover_logs(vec![path.clone()], COLUMNS, is_row, || Ok(()), rewrite)
    }
}

fn read(path: &Path) -> Result<(KnownRuns, u64), LogError> {
    let mut rows = KnownRuns::new();
    let end = each_row(path, COLUMNS, 0..u64::MAX, |row, _| {
        let (run, key, genes, tally) = parse(row).ok_or("it is no row of evaluations")?;
        rows.entry(run).or_default().insert(key, (genes, tally));
        Ok(())
    })?;
    Ok((rows, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::line::checked;
    use crate::experiment::optimisation::Purpose;

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
