//! Files that a training goes on from: a first line of facts with a check of the whole, and a body.

use std::fs;
use std::io;
use std::path::Path;

use super::run::TrainingError;
use crate::experiment::line::crc_hex;
use crate::experiment::manifest::training::Training;
use crate::experiment::store::draft::write_synced;

/// Writes a file: whole, or not at all.
pub(super) fn write(path: &Path, facts: &str, body: &[u8]) -> io::Result<()> {
    let check = crc_hex(&[facts.as_bytes(), body].concat());
    write_synced(path, &[format!("{facts} check={check}\n").as_bytes(), body].concat())
}

/// The first line without its check, and what follows it. The line begins with a mark.
///
/// # Errors
/// If the check does not agree, and why.
pub(super) fn sound<'b>(bytes: &'b [u8], mark: &str) -> Result<(&'b str, &'b [u8]), &'static str> {
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
pub(super) fn read<T>(
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

/// A fact of the first line.
pub(super) fn field<'f>(facts: &'f str, name: &str) -> Option<&'f str> {
    facts.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
}
