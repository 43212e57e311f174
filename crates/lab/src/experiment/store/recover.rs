//! A damaged log, recovered: the sound rows are kept, and what is lost is counted.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{
    Found, KeptManifest, Lock, LogError, LogFacts, LogForm, Pieces, Results, columns, earlier_format,
    is_game, new_aside, next_sound, refuse_owned, write_synced,
};

/// The result of recovering a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The sound rows, which are kept.
    pub kept: u64,
    /// The damaged lines or members, counted from 1. Several rows may have been in one of them.
    pub damaged: Vec<u64>,
    /// The bytes of damaged lines.
    pub damaged_bytes: u64,
    /// The bytes of a torn end, which a run cuts off by itself.
    pub torn_bytes: u64,
    /// Why the facts of the log are lost; none if they are sound.
    pub facts: Option<String>,
    /// The damaged logs of runs that were taken over, with the number of damaged lines or members.
    pub taken: Vec<(PathBuf, usize)>,
    /// The folder to which the damaged files were moved; none if nothing was damaged.
    pub aside: Option<PathBuf>,
}

/// Keeps the sound rows of the log in a folder, and moves what is damaged aside. A log that is not damaged stays as it is.
///
/// The rows are taken as they are: their trials need not be known. If it is interrupted, the log is the damaged one or the
/// recovered one.
///
/// # Errors
/// If another process writes the log, or a run owns the folder, perhaps on another machine, another version wrote it, or the system fails.
pub fn recover(results: &Results) -> Result<Recovered, LogError> {
    let path = results.log();
    let io = |source: io::Error| LogError::Io { path: path.clone(), source };
    let logs = results.logs().map_err(io)?.into_iter().map(|(log, _)| log).collect();
    let rewritten = || {
        let files = results.kept_files().map_err(io)?;
        LogFacts::unknown(KeptManifest::as_kept(&results.manifest(), files)).write(&path)
    };
    recover_logs(logs, &columns(), is_game, || refuse_owned(results), rewritten)
}

/// Recovers the log of a folder, which is the first of these, and those beside it. `is_row` says of rows without checks whether
/// they are some of a log with these columns, `refuse` why nothing may be changed, and `rewrite` replaces lost facts.
pub(crate) fn recover_logs(
    logs: Vec<PathBuf>,
    columns: &str,
    is_row: impl Fn(&[u8]) -> bool,
    refuse: impl FnOnce() -> Result<(), LogError>,
    rewrite: impl FnOnce() -> Result<(), LogError>,
) -> Result<Recovered, LogError> {
    let path = logs[0].clone();
    let io = |source: io::Error| LogError::Io { path: path.clone(), source };
    let file = fs::File::open(&path).map_err(io)?;
    let _lock = Lock::take(&file, &path)?;
    refuse()?;
    let (mut recovered, mut changed) = (Recovered::default(), Vec::new());
    for log in logs {
        let bytes = fs::read(&log).map_err(io)?;
        if let Some(error) = earlier_format(&log, &bytes) {
            return Err(error);
        }
        let (rows, found) = sound_part(LogForm::of_file(&log), &bytes, columns, &is_row);
        let lost = found.damaged.len();
        if log == path {
            recovered = found;
        } else if lost > 0 {
            recovered.taken.push((log.clone(), lost));
        }
        if lost > 0 {
            changed.push((log, rows));
        }
    }
    let facts = LogFacts::path(&path);
    recovered.facts = match LogFacts::read(&path) {
        Err(LogError::DamagedFacts { reason, .. }) => Some(reason),
        Err(error) => return Err(error),
        Ok(None) if recovered.kept > 0 => Some("it is missing".into()),
        Ok(_) => None,
    };
    if changed.is_empty() && recovered.facts.is_none() {
        return Ok(recovered);
    }
    let aside = new_aside(path.parent().unwrap_or(Path::new(""))).map_err(io)?;
    if recovered.facts.is_some() {
        if facts.exists() {
            fs::copy(&facts, aside.join("log.toml")).map_err(io)?;
        }
        rewrite()?;
    }
    // The log is the last: the others are recovered with it.
    for (log, rows) in changed.into_iter().rev() {
        fs::copy(&log, aside.join(log.file_name().unwrap_or_default())).map_err(io)?;
        write_synced(&log, &rows).map_err(io)?;
    }
    recovered.aside = Some(aside);
    Ok(recovered)
}

/// The bytes of a log with the sound rows only.
fn sound_part(
    form: LogForm,
    bytes: &[u8],
    columns: &str,
    is_row: impl Fn(&[u8]) -> bool,
) -> (Vec<u8>, Recovered) {
    let (mut sound, mut recovered) = (form.beginning(columns), Recovered::default());
    let mut pieces = Pieces::new(bytes, form, columns, 0);
    for number in 1.. {
        let found = pieces.next().expect("bytes in memory can be read");
        let next = || next_sound(bytes, pieces.place as usize + 1);
        match found {
            Found::Columns => {}
            Found::End => break,
            Found::Rows if pieces.rows().all(&is_row) => {
                sound.extend(&pieces.piece);
                recovered.kept += pieces.rows().count() as u64;
            }
            Found::Torn if form == LogForm::Csv || next().is_none() => {
                recovered.torn_bytes = pieces.length;
                break;
            }
            Found::Rows | Found::Torn | Found::Damaged(_) => {
                if form == LogForm::Gzip {
                    let next = next().unwrap_or(bytes.len());
                    pieces.skip_to(bytes, next);
                }
                recovered.damaged.push(number);
                recovered.damaged_bytes += pieces.length;
            }
        }
    }
    (sound, recovered)
}
