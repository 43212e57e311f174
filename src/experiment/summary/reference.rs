//! A committed reference: results without their log.

use std::fs;
use std::io;
use std::path::Path;

use super::Summary;
use super::run_facts::RunFacts;
use crate::experiment::store::canonical::Digests;
use crate::experiment::store::results::Results;

/// The results in a folder without a log, as a reference is committed: `summary.json` with `digests.csv` and `host.toml`.
///
/// # Example
/// ```
/// use shikou::experiment::Reference;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/reference/tour");
/// let reference = Reference::read(path.as_ref()).unwrap().unwrap();
/// assert_eq!(reference.summary.experiments[0].name, "tic-tac-toe");
/// assert_eq!(reference.digest.len(), 64);
/// ```
#[derive(Clone, Debug)]
pub struct Reference {
    /// The summary, without times.
    pub summary: Summary,
    /// The machine and the build.
    pub facts: RunFacts,
    /// The digest of the canonical log; empty if there is none.
    pub digest: String,
}

impl Reference {
    /// Reads a folder. `None` if it has a log, from which more follows, or no `summary.json`.
    ///
    /// # Errors
    /// If a file cannot be read, or `summary.json` is not a summary of this version.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join("summary.json");
        let Ok(results) = Results::open_reference(folder) else { return Ok(None) };
        if results.log().exists() {
            return Ok(None);
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(named)?;
        let summary = Summary::from_json(&text).map_err(|error| named(error.into()))?;
        let digest = Digests::committed(folder).unwrap_or_default();
        Ok(Some(Self { summary, facts: RunFacts::read(&results), digest }))
    }
}
