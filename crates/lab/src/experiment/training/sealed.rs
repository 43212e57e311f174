//! The files that a training goes on from: a first line of facts with a check of the whole, and a body; their recovery; and why a
//! training cannot go on.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::experiment::line::crc_hex;
use crate::experiment::store::{CHECKPOINTS, new_aside, write_synced};
use crate::manifest::Training;
use crate::players::{FitError, LearnError, PlayError};
use crate::words::shell_path;

/// The first word of a checkpoint, with the version of its format.
pub(super) const CHECKPOINT_MARK: &str = "# shikou-training=1";

/// The first word of the file of games, with the version of its format.
pub(super) const GAMES_MARK: &str = "# shikou-games=1";

pub(super) const GAMES: &str = "games.txt";

/// The first word of the file of a race, with the version of its format.
pub(super) const RACE_MARK: &str = "# shikou-race=1";

pub(super) const RACE: &str = "race";

/// Why a training cannot go on.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    #[error("{training}, after {games} games: {error}")]
    Game { training: String, games: u64, error: PlayError },
    /// A player does not fit the game.
    #[error(transparent)]
    Fit(FitError),
    #[error("{training}: {error}")]
    Learn { training: String, error: LearnError },
    #[error(
        "{}: this file is of another training than the manifest states now; to learn this one, move the file away, name \
         another folder with --out, or move all results aside with --restart",
        path.display()
    )]
    Other { path: PathBuf },
    #[error(
        "{}: this file is damaged ({reason}); `shikou recover {}` moves it aside, and the next run goes on from the checkpoint \
         before",
        path.display(), shell_path(path.parent().unwrap_or(Path::new("")))
    )]
    Damaged { path: PathBuf, reason: &'static str },
    /// The system failed, not a game.
    #[error(transparent)]
    System(io::Error),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl TrainingError {
    pub(super) fn is_stop(&self) -> bool {
        matches!(self, Self::Game { error, .. } if error.is_stop())
    }
}

pub(super) fn failed(training: &Training, games: u64, error: impl Into<LearnError>) -> TrainingError {
    let name = || training.name.clone();
    match error.into() {
        LearnError::Evaluation(error) | LearnError::Player(error) => TrainingError::Fit(error),
        LearnError::Game(error) => match error.of_system() {
            Some(error) => TrainingError::System(error),
            None => TrainingError::Game { training: name(), games, error },
        },
        error => TrainingError::Learn { training: name(), error },
    }
}

/// Writes a file: whole, or not at all.
pub(super) fn write_sealed(path: &Path, facts: &str, body: &[u8]) -> io::Result<()> {
    let check = crc_hex(&[facts.as_bytes(), body].concat());
    write_synced(path, &[format!("{facts} check={check}\n").as_bytes(), body].concat())
}

/// The first line without its check, and what follows it. The line begins with a mark.
fn sound<'b>(bytes: &'b [u8], mark: &str) -> Result<(&'b str, &'b [u8]), &'static str> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("it is torn")?;
    let (line, body) = (std::str::from_utf8(&bytes[..end]).unwrap_or_default(), &bytes[end + 1..]);
    if !line.starts_with(mark) {
        return Err("it is no file of this format");
    }
    let (facts, check) = line.rsplit_once(" check=").ok_or("it is torn")?;
    if check != crc_hex(&[facts.as_bytes(), body].concat()) {
        return Err("its check does not agree");
    }
    Ok((facts, body))
}

/// Reads a file with `read`, which takes its first line and what follows it; `None` if there is none.
pub(super) fn read_sealed<T>(
    training: &Training,
    path: &Path,
    mark: &str,
    read: impl FnOnce(&str, &[u8]) -> Option<T>,
) -> Result<Option<T>, TrainingError> {
    let damaged = |reason: &'static str| TrainingError::Damaged { path: path.into(), reason };
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|source| TrainingError::Io { path: path.into(), source })?,
    };
    let (facts, body) = sound(&bytes, mark).map_err(damaged)?;
    if field(facts, "id") != Some(format!("{:08x}", training.id()).as_str()) {
        return Err(TrainingError::Other { path: path.into() });
    }
    read(facts, body).map(Some).ok_or_else(|| damaged("what it holds cannot be read"))
}

pub(super) fn field<'f>(facts: &'f str, name: &str) -> Option<&'f str> {
    facts.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
}

/// Moves the damaged files of a training into a new folder in its own, and puts the checkpoint before in the place of a damaged
/// one. Returns their names and that folder; none if nothing is damaged.
///
/// # Errors
/// If the system fails.
pub fn recover_training(folder: &Path) -> io::Result<Option<(Vec<&'static str>, PathBuf)>> {
    let mut damaged = Vec::new();
    for file in CHECKPOINTS.into_iter().chain([GAMES, RACE]) {
        match fs::read(folder.join(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            bytes => {
                let mark = match file {
                    GAMES => GAMES_MARK,
                    RACE => RACE_MARK,
                    _ => CHECKPOINT_MARK,
                };
                damaged.extend(sound(&bytes?, mark).is_err().then_some(file));
            }
        }
    }
    if damaged.is_empty() {
        return Ok(None);
    }
    let aside = new_aside(folder)?;
    for file in &damaged {
        fs::rename(folder.join(file), aside.join(file))?;
    }
    let [checkpoint, before] = CHECKPOINTS.map(|file| folder.join(file));
    if !checkpoint.exists() && before.exists() {
        fs::rename(before, checkpoint)?;
    }
    Ok(Some((damaged, aside)))
}
