//! The places of files that options name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::spec::SearcherSpec;
use crate::game::options::{FileValue, OptionDecl, OptionKind, Options, Setting};

/// The beginning of a name that is looked for in the folder of large data.
const DATA: &str = "data:";

/// The folder of large data: the one that `SHIKOU_DATA` names, else `../shared/data`.
fn data_folder() -> PathBuf {
    std::env::var_os("SHIKOU_DATA").map_or_else(|| "../shared/data".into(), PathBuf::from)
}

/// The path of a file: below the folder of large data if its name begins with `data:`, else relative to `folder`.
pub fn path_of(name: &str, folder: &Path) -> PathBuf {
    name.strip_prefix(DATA).map_or_else(|| folder.join(name), |rest| data_folder().join(rest))
}

/// Refuses a pipe or a device in the place of a file: some have no end, and others never answer.
///
/// # Errors
/// If it is one.
pub fn refuse_devices(path: &Path) -> io::Result<()> {
    let is_device = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    let refusal = || io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device, and no file");
    if is_device { Err(refusal()) } else { Ok(()) }
}

/// The bytes of a file of any size.
///
/// # Errors
/// If it cannot be read, or is a device.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    refuse_devices(path)?;
    fs::read(path)
}

/// Whether a name is of large data, which need not be on every machine.
pub fn is_data(name: &str) -> bool {
    name.starts_with(DATA)
}

/// Says that large data is not on this machine. `what` is its name, with or without `data:`.
pub fn no_data(what: &str) -> String {
    let name = what.strip_prefix(DATA).unwrap_or(what);
    format!("no large data; `SHIKOU_DATA` must name a folder with {name}")
}

/// Why a file cannot be read, with advice.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if is_data(name) => {
            let there = std::env::var_os("SHIKOU_DATA")
                .map_or("here".into(), |folder| format!("in {}", PathBuf::from(folder).display()));
            format!("the large data {name:?} is not {there}; set SHIKOU_DATA to the folder that holds it")
        }
        io::ErrorKind::NotFound => format!("there is no file {name:?}"),
        _ => format!("{name:?} cannot be read: {error}"),
    }
}

impl SearcherSpec {
    /// The same with the content of every file that its options name. Paths are relative to `folder`.
    ///
    /// # Errors
    /// If a file cannot be read; the error names it.
    pub fn with_files(mut self, folder: &Path) -> Result<Self, String> {
        read_files(&mut self.options, folder)?;
        Ok(self)
    }
}

/// The value of an option that is typed alone, with the files that it names.
pub(super) fn typed<T: 'static>(setting: &Setting<T>, name: &'static str, value: &str) -> Result<T, String> {
    let options = Options::from_pairs(&[setting.decl(name, "")], &[format!("{name}={value}")]);
    let mut options = options.map_err(|invalid| invalid.to_string())?;
    read_files(&mut options, Path::new(""))?;
    Ok(setting.read(name, &options))
}

/// Reads every file that options name, unless it was read. Paths are relative to `folder`; the empty one is the folder of
/// the process. An error names the file.
fn read_files(options: &mut Options, folder: &Path) -> Result<(), String> {
    options.change_files(&mut |decl: &OptionDecl, file: &mut FileValue| {
        if decl.kind == OptionKind::Evolved || file.content().is_some() {
            return Ok::<(), String>(());
        }
        let bytes = read_file(&path_of(file.path(), folder));
        let bytes = bytes.map_err(|error| unreadable(file.path(), &error))?;
        *file = file.clone().with_content(bytes);
        Ok(())
    })
}
