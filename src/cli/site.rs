//! A folder of pages: one for each folder of results, and an index.

use std::path::Path;

use super::error::CommandError;
use super::output::print;
use super::pages::{make_folder, write};
use crate::experiment::Reference;
use crate::report::{Run, counted, site};

/// Writes the pages of the results in the folders of `references` into `folder`, and says how many.
pub(super) fn write_site(references: &Path, folder: &Path) -> Result<(), CommandError> {
    let named = |error: std::io::Error| {
        CommandError::because(std::io::Error::new(error.kind(), format!("{}: {error}", references.display())))
    };
    let entries =
        std::fs::read_dir(references).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(named)?;
    let mut found = Vec::new();
    for path in entries.iter().map(std::fs::DirEntry::path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if let Some(reference) = Reference::of_summary(&path).map_err(CommandError::because)? {
            found.push((name.to_owned(), reference));
        }
    }
    if found.is_empty() {
        return Err(CommandError::Usage(format!(
            "{}: no folder here has a summary.json; `shikou run` writes one into each folder of results",
            references.display()
        )));
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
