//! A damaged training, recovered: the checkpoint before takes the place of a damaged one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{checkpoint, games, sealed};
use crate::experiment::store::results::{CHECKPOINTS, new_aside};

/// Moves the damaged files of a training into a new folder in its own, and puts the checkpoint before in the place of a damaged
/// one. Returns their names and that folder; none if nothing is damaged.
///
/// # Errors
/// If the system fails.
pub fn recover_training(folder: &Path) -> io::Result<Option<(Vec<&'static str>, PathBuf)>> {
    let mut damaged = Vec::new();
    for file in CHECKPOINTS.into_iter().chain([games::FILE]) {
        match fs::read(folder.join(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            bytes => {
                let mark = if file == games::FILE { games::MARK } else { checkpoint::MARK };
                damaged.extend(sealed::sound(&bytes?, mark).is_err().then_some(file));
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
