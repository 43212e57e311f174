//! Files that appear under their names when they are whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::experiment::line::at;

/// The end of the name of a file that is not whole yet.
const DRAFT: &str = ".draft";

pub(super) fn is_draft(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(DRAFT)
}

/// The name of a file of this process that is not whole yet.
fn draft_name(name: &str) -> String {
    format!(".{name}.{}{DRAFT}", std::process::id())
}

/// A derived file that is being written.
pub struct Draft {
    file: io::BufWriter<fs::File>,
    /// The path while it is written, and its final path.
    from: PathBuf,
    to: PathBuf,
}

impl Draft {
    /// Begins a file of this name in a folder.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn begin(folder: &Path, name: &str) -> io::Result<Self> {
        let (to, from) = (folder.join(name), folder.join(draft_name(name)));
        let file = fs::File::create(&from).map_err(at(&to))?;
        Ok(Self { file: io::BufWriter::with_capacity(1 << 18, file), from, to })
    }

    /// Gives the file its name. One that is dropped before leaves what was there.
    ///
    /// # Errors
    /// If the operating system returns an error.
    pub fn finish(mut self) -> io::Result<()> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.from, &self.to));
        done.map_err(at(&self.to))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // A finished draft has moved to its final path.
        let _ = fs::remove_file(&self.from);
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(at(&self.to))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(at(&self.to))
    }
}

/// Writes a file whole if there is none. Returns whether there was none: of many processes, on any machine, one is the first.
pub(crate) fn write_first(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    // A usual file, which the umask reduces; otherwise nobody else could read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut draft = builder.prefix(".first").suffix(DRAFT).tempfile_in(folder)?;
    draft.write_all(bytes)?;
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// Writes a file whole, and waits until it is on the disk.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let draft = path.with_file_name(draft_name(&name));
    let written = File::create(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written?;
    // Not every system can sync a folder; then the rename is left to it.
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}
