//! Files for people to look at: a page, figures, and a folder of pages with an index.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::explore::ExploreArguments;
use super::output::print;
use crate::experiment::{Draft, Reference};
use crate::report::{EXPORTERS, Page, Report, Run, counted, figure_files, site};

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
    pub(super) fn check(&self) -> Result {
        self.explore.check(self.html.is_some())
    }

    /// Writes the files that were asked for, of the results in a folder, and says which.
    pub(super) fn write(&self, folder: &Path, report: &dyn Report) -> Result<Vec<String>> {
        let mut written = Vec::new();
        if let Some(path) = &self.html {
            let path = if path.is_empty() { folder.join("report.html") } else { path.into() };
            let html = EXPORTERS.iter().find(|format| format.name == "html").expect("it is a format");
            let page = (html.export)(report, Page::PLAIN).expect("a report of results has a page") + "\n";
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

fn make_folder(folder: &Path) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))
}

/// Writes a file: whole, or not at all.
fn write(path: &Path, text: &str) -> Result {
    let Some(name) = path.file_name() else {
        return Err(usage!("{} names no file", path.display()));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = Draft::begin(folder, name.to_string_lossy().as_ref())?;
    draft.write_all(text.as_bytes())?;
    Ok(draft.finish()?)
}

/// Writes the pages of the results in the folders of `references` into `folder`, and says how many.
pub(super) fn write_site(references: &Path, folder: &Path) -> Result {
    let entries = std::fs::read_dir(references).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| CommandError::at(references.display(), &error))?;
    let mut found = Vec::new();
    for path in entries.iter().map(std::fs::DirEntry::path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if let Some(reference) = Reference::of_summary(&path)? {
            found.push((name.to_owned(), reference));
        }
    }
    if found.is_empty() {
        return Err(usage!(
            "{}: no folder here has a summary.json; `shikou run` writes one into each folder of results",
            references.display()
        ));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    let runs: Vec<(String, Run<'_>)> = found.iter().map(run).collect();
    // The notebook is beside the folder of references.
    let notebook = references.canonicalize().ok().and_then(|path| Some(path.parent()?.join("README.md")));
    let notebook = notebook.and_then(|path| std::fs::read_to_string(path).ok());
    make_folder(folder)?;
    let mut bytes = 0;
    for (file, page) in site(&runs, notebook.as_deref()) {
        write(&folder.join(file), &page)?;
        bytes += page.len();
    }
    let pages = counted(runs.len() as u64, "page");
    print(format!("{}: index.html and {pages}, {} kB", folder.display(), bytes.div_ceil(1000)))
}

/// The results in a folder of this name, without their log.
fn run((name, Reference { summary, facts, digest }): &(String, Reference)) -> (String, Run<'_>) {
    let digest = (!digest.is_empty()).then(|| format!("digest {digest} of this reference"));
    (name.clone(), Run { summary, times: None, facts, digest, explored: None })
}
