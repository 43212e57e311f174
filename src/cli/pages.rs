//! Files for people to look at: a page, and figures.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CommandError;
use super::explore::ExploreArguments;
use crate::experiment::Draft;
use crate::report::{EXPORTERS, Page, Report, counted, figure_files};

/// Which files to write.
#[derive(Args)]
pub(super) struct PageArguments {
    /// Write a page for a browser, with figures: report.html in the folder, or PATH
    // An empty path is that of the folder.
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    html: Option<OsString>,
    /// Write each figure as an SVG file into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) explore: ExploreArguments,
}

impl PageArguments {
    /// Refuses what the files that are asked for do not have.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        self.explore.check(self.html.is_some())
    }

    /// Writes the files that were asked for, of the results in a folder, and says which.
    pub(super) fn write(&self, folder: &Path, report: &dyn Report) -> Result<Vec<String>, CommandError> {
        let mut written = Vec::new();
        if let Some(path) = &self.html {
            let path = if path.is_empty() { folder.join("report.html") } else { path.into() };
            let html = EXPORTERS.iter().find(|format| format.name() == "html").expect("it is a format");
            let page = html.export(report, Page::PLAIN).expect("a report of results has a page") + "\n";
            write(&path, &page)?;
            written.push(format!("{}: {} kB", path.display(), page.len().div_ceil(1000)));
        }
        if let Some(folder) = &self.svg {
            let files = report.run().map(|run| figure_files(&run)).unwrap_or_default();
            make_folder(folder)?;
            for (name, drawing) in &files {
                write(&folder.join(name), drawing)?;
            }
            written.push(format!("{}: {}", folder.display(), counted(files.len() as u64, "figure")));
        }
        Ok(written)
    }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), CommandError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        CommandError::because(io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
    })
}

/// Writes a file: whole, or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let Some(name) = path.file_name() else {
        return Err(CommandError::Usage(format!("{} names no file", path.display())));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = Draft::begin(folder, name.to_string_lossy().as_ref()).and_then(|mut draft| {
        draft.write_all(text.as_bytes())?;
        draft.finish()
    });
    written.map_err(CommandError::because)
}
