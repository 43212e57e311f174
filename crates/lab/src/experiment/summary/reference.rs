//! A committed reference: results without their log.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::Summary;
use super::run_facts::RunFacts;
use crate::experiment::store::canonical::Digests;
use crate::experiment::store::results::Results;
use crate::stats::{Estimate, Method};

/// The results in a folder without a log, as a reference is committed: `summary.json` with `digests.csv` and `host.toml`.
///
/// # Example
/// ```
/// use shikou::experiment::Reference;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/reference/tour");
/// let reference = Reference::read(path.as_ref()).unwrap().unwrap();
/// assert_eq!(reference.summary.experiments[0].name, "tic-tac-toe");
/// assert_eq!(reference.digest.len(), 64);
/// ```
#[derive(Clone, Debug)]
pub struct Reference {
    /// The summary; without times, but for the processor time in `figure.csv` if that is kept.
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
        let has_log = Results::open_reference(folder).is_ok_and(|results| results.log().exists());
        if has_log { Ok(None) } else { Self::of_summary(folder) }
    }

    /// The same of a folder that may have a log, which is not read.
    ///
    /// # Errors
    /// See [`Reference::read`].
    pub fn of_summary(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join("summary.json");
        let Ok(results) = Results::open_reference(folder) else { return Ok(None) };
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(named)?;
        let mut summary = Summary::from_json(&text).map_err(|error| named(error.into()))?;
        read_times(&mut summary, &folder.join("figure.csv"));
        let digest = Digests::committed(folder).unwrap_or_default();
        Ok(Some(Self { summary, facts: RunFacts::read(&results), digest }))
    }
}

/// The processor time of a player in `figure.csv`.
#[derive(Deserialize)]
struct Times {
    experiment: String,
    player: String,
    #[serde(rename = "cpu_ms_per_game")]
    value: Option<f64>,
    #[serde(rename = "cpu_low")]
    low: Option<f64>,
    #[serde(rename = "cpu_high")]
    high: Option<f64>,
}

/// Puts the processor times of a `figure.csv` into a summary. There need not be one.
fn read_times(summary: &mut Summary, path: &Path) {
    let Ok(mut rows) = csv::Reader::from_path(path) else { return };
    for times in rows.deserialize::<Times>().flatten() {
        let experiment =
            summary.experiments.iter_mut().find(|experiment| experiment.name == times.experiment);
        let Some(experiment) = experiment else { continue };
        let ns = if experiment.paired { 2e6 } else { 1e6 };
        let player = experiment.players.iter_mut().find(|player| player.name == times.player);
        if let (Some(player), Some(value), Some(low), Some(high)) =
            (player, times.value, times.low, times.high)
        {
            player.cpu_ns_a_trial = Estimate { value, low, high, method: Method::Normal }.map(|ms| ms * ns);
        }
    }
}
