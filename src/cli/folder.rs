//! The input of commands, a folder of results or a file; and folders for results that are not kept.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use super::error::{CommandError, Result, usage};
use crate::experiment::{Log, Manifest, Optimised, Plan, Results, read_to_the_end, read_whole};
use crate::players::Registry;
use crate::words::text_of;

/// The results in a folder with the plan of their manifest, their log, and the findings of its optimisations.
pub(super) fn open_all(path: &Path, registry: &Registry) -> Result<(Results, Plan, Log, Optimised)> {
    let results = Results::open(path)?;
    let (manifest, optimised) = read_optimisations(results.read_manifest(registry)?, path)?;
    let plan = Plan::new(&manifest)?;
    let log = Log::read(&results.log(), &plan)?;
    Ok((results, plan, log, optimised))
}

/// The manifest of a folder of results with the results of its optimisations.
pub(super) fn read_optimisations(manifest: Manifest, results: &Path) -> Result<(Manifest, Optimised)> {
    let optimised = Optimised::read(&manifest, results)?;
    Ok((optimised.finish(manifest), optimised))
}

/// The bytes of a file that a command reads; `-` is standard input.
pub(super) fn read_input(path: &Path) -> Result<Vec<u8>> {
    let read = if path == Path::new("-") { read_to_the_end(io::stdin().lock()) } else { read_whole(path) };
    read.map_err(|error| {
        let next = "name files that exist, or - for standard input";
        CommandError::because(io::Error::new(error.kind(), format!("{}: {error}; {next}", path.display())))
    })
}

pub(super) fn read_text(path: &Path) -> Result<String> {
    let bytes = read_input(path)?;
    let text = text_of(&bytes);
    text.map(Into::into).map_err(|error| usage!("{}: {error}", path.display()))
}

/// The folders that are there now, for a program that a signal ends.
static NOW: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A new folder that only this user can read. It is removed when this is dropped, and when a signal ends the program.
pub(super) struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    pub(super) fn new(purpose: &str) -> Result<Self> {
        let prefix = format!("shikou-{purpose}-");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir();
        let folder = folder.map_err(|error| CommandError::at("a temporary folder", &error))?;
        NOW.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().into());
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        NOW.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.0.path());
    }
}

/// Removes all folders, because the program ends.
pub(super) fn remove_temporary_folders() {
    for folder in NOW.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(folder);
    }
}
