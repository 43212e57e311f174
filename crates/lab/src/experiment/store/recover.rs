//! A damaged log, recovered: the sound rows are kept, and what is lost is counted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::block::{FIRST_LINE, Found, length_of_block, next_sound, push_block, read_block};
use super::chunk::{game_record, number};
use super::draft::write_synced;
use super::error::LogError;
use super::facts::{KeptManifest, LogFacts, earlier_format};
use super::form::LogForm;
use super::line::checked;
use super::lock::Lock;
use super::log::is_too_long;
use super::owner::refuse_owned;
use super::packed::unpack;
use super::results::Results;
use super::rows::{header, with_fields};
use crate::experiment::plan::identity::TrialId;

/// What became of a damaged log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The sound rows, which are kept.
    pub kept: u64,
    /// The damaged lines or blocks, counted from 1. Several rows may have been in one of them.
    pub damaged: Vec<u64>,
    /// The bytes of damaged lines.
    pub damaged_bytes: u64,
    /// The bytes of a torn last line, which a run cuts off by itself.
    pub torn_bytes: u64,
    /// Why the facts of the log are lost; none if they are sound.
    pub facts: Option<String>,
    /// The damaged logs of runs that were taken over, with the number of damaged lines or blocks.
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
    let file = fs::File::open(&path).map_err(io)?;
    let _lock = Lock::take(&file, &path)?;
    refuse_owned(results)?;
    let bytes = fs::read(&path).map_err(io)?;
    if let Some(error) = earlier_format(&path, &bytes) {
        return Err(error);
    }
    let (rows, mut recovered) = sound_part(&path, &bytes);
    let mut taken = Vec::new();
    for (other, _) in results.logs().map_err(io)?.into_iter().filter(|(other, _)| *other != path) {
        let bytes = fs::read(&other).map_err(io)?;
        let (rows, found) = sound_part(&other, &bytes);
        if !found.damaged.is_empty() {
            recovered.taken.push((other.clone(), found.damaged.len()));
            taken.push((other, rows));
        }
    }
    let facts = match LogFacts::read(&path) {
        Err(LogError::DamagedFacts { reason, .. }) => Err(reason),
        Err(error) => return Err(error),
        Ok(None) if recovered.kept > 0 => Err("it is missing".into()),
        Ok(facts) => Ok(facts),
    };
    recovered.facts = facts.err();
    if recovered.damaged.is_empty() && recovered.facts.is_none() && taken.is_empty() {
        return Ok(recovered);
    }
    let aside = results.aside().map_err(io)?;
    if recovered.facts.is_some() {
        let lost = LogFacts::path(&path);
        if lost.exists() {
            fs::copy(&lost, aside.join("log.toml")).map_err(io)?;
        }
        let files = results.kept_files().map_err(io)?;
        LogFacts::unknown(KeptManifest::as_kept(&results.manifest(), files)).write(&path)?;
    }
    taken.extend((!recovered.damaged.is_empty()).then_some((path.clone(), rows)));
    for (log, rows) in taken {
        fs::copy(&log, aside.join(log.file_name().unwrap_or_default())).map_err(io)?;
        write_synced(&log, &rows).map_err(io)?;
    }
    recovered.aside = Some(aside);
    Ok(recovered)
}

/// The sound part of a log of this name.
fn sound_part(path: &Path, bytes: &[u8]) -> (Vec<u8>, Recovered) {
    match LogForm::of_file(path) {
        LogForm::Csv => sound_rows(bytes),
        LogForm::Compact => sound_blocks(bytes),
    }
}

/// The lines of a log with the sound rows only.
fn sound_rows(bytes: &[u8]) -> (Vec<u8>, Recovered) {
    let mut sound = header();
    let mut recovered = Recovered::default();
    for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        let row = line.strip_suffix(b"\n").or_else(|| is_too_long(line).then_some(line));
        if row.is_none() {
            recovered.torn_bytes = line.len() as u64;
        } else if !is_too_long(line) && row.and_then(checked).is_some_and(is_game) {
            sound.extend(line);
            recovered.kept += 1;
        } else if number > 1 || line != header() {
            recovered.damaged.push(number);
            recovered.damaged_bytes += line.len() as u64;
        }
    }
    (sound, recovered)
}

/// The blocks of a compact log with the sound ones only.
fn sound_blocks(bytes: &[u8]) -> (Vec<u8>, Recovered) {
    let mut sound = FIRST_LINE.to_vec();
    let mut recovered = Recovered::default();
    let (mut at, mut content) = (0, Vec::new());
    if bytes.starts_with(FIRST_LINE) {
        at = FIRST_LINE.len();
    } else if FIRST_LINE.starts_with(bytes) {
        recovered.torn_bytes = bytes.len() as u64;
        return (sound, recovered);
    }
    for number in 1.. {
        let found = read_block(&mut &bytes[at..], &mut content);
        let end = match found.expect("bytes in memory can be read") {
            Found::End => break,
            Found::Torn if at > 0 && next_sound(bytes, at).is_none() => {
                recovered.torn_bytes = (bytes.len() - at) as u64;
                break;
            }
            Found::Block => match unpack(&content) {
                Some((_, trials)) => {
                    push_block(&mut sound, &content);
                    recovered.kept += trials.iter().map(|trial| trial.games.len() as u64).sum::<u64>();
                    at += length_of_block(&content);
                    continue;
                }
                None => at + length_of_block(&content),
            },
            Found::Torn | Found::Damaged(_) => next_sound(bytes, at + 1).unwrap_or(bytes.len()),
        };
        recovered.damaged.push(number);
        recovered.damaged_bytes += (end - at) as u64;
        at = end;
    }
    (sound, recovered)
}

/// Whether a row is that of a game, of whatever trial.
fn is_game(row: &[u8]) -> bool {
    let game = with_fields(row, |fields| {
        let seating: &[usize] = if fields[5].is_empty() { &[0] } else { &[0, 1] };
        TrialId::from_digits(fields[2])?;
        number(fields[1])?;
        number(fields[3])?;
        game_record(seating, fields)
    });
    game.is_some()
}
