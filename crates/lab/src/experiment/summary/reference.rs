//! A committed reference: results without their log; and the machine and the builds of a finished run.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::{Summary, Warning};
use crate::experiment::fingerprint::EngineFacts;
use crate::experiment::line::at;
use crate::experiment::store::{Digests, LogFacts, Results};
use crate::stats::{Estimate, Method};

/// The folder of the committed references.
pub const REFERENCES: &str = "results/reference";

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
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let mut summary = Summary::from_json(&text).map_err(|error| at(&path)(error.into()))?;
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

/// The name of [`HostFacts::peak_bytes`](crate::experiment::HostFacts::peak_bytes) in `host.toml`.
const PEAK: &str = "peak-bytes";

/// The content of `host.toml` of a folder of results, and the build that started its log. Unknown facts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// The facts by name, as text, in the order of their names.
    facts: Vec<(String, String)>,
    /// The engines by the names of their players.
    engines: Vec<(String, EngineFacts)>,
    /// The commit of the build that began the log.
    began: String,
}

impl RunFacts {
    /// The facts in a folder.
    pub fn read(results: &Results) -> Self {
        let host = std::fs::read_to_string(results.host()).unwrap_or_default();
        // Facts that cannot be read tell no build; reading the log says why.
        let log = LogFacts::read(&results.log()).ok().flatten();
        Self::parse(&host, log.map_or_else(String::new, |facts| facts.commit))
    }

    fn parse(host: &str, began: String) -> Self {
        let mut table: toml::Table = host.parse().unwrap_or_default();
        let engines = table.remove("engines").and_then(|engines| engines.try_into::<BTreeMap<_, _>>().ok());
        let engines = engines.unwrap_or_default().into_iter().collect();
        let text = |value: toml::Value| match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        };
        let facts = table.into_iter().map(|(name, value)| (name, text(value))).collect();
        Self { facts, engines, began }
    }

    /// A fact by its name in `host.toml`; empty if it is not known.
    pub fn fact(&self, name: &str) -> &str {
        self.facts.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The engines by the names of their players, as the machine had them.
    pub fn engines(&self) -> &[(String, EngineFacts)] {
        &self.engines
    }

    /// Whether the times are meaningful: no debug build.
    pub fn is_optimised(&self) -> bool {
        self.fact("build") != "debug"
    }

    /// The peak resident memory in bytes, if it is known.
    pub fn peak_bytes(&self) -> Option<u64> {
        self.fact(PEAK).parse().ok()
    }

    /// The run in a line.
    pub fn words(&self) -> Option<String> {
        let [build, commit, cpu, threads, cores] =
            ["build", "commit", "cpu", "threads", "cores"].map(|name| self.fact(name));
        let number =
            |count: &str, what: &str| format!("{count} {what}{}", if count == "1" { "" } else { "s" });
        let (threads, cores) = (number(threads, "thread"), number(cores, "processor"));
        let peak = self
            .peak_bytes()
            .map_or_else(String::new, |peak| format!(", {} MiB of memory at most", peak >> 20_u32));
        (!build.is_empty()).then(|| format!("{build} build {commit}, {cpu}, {threads} on {cores}{peak}"))
    }

    /// Warnings about the times.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.is_optimised() {
            warnings.push(Warning::DebugBuild);
        }
        let number = |name: &str| self.fact(name).parse::<u64>().ok();
        if let (Some(threads), Some(cores)) = (number("threads"), number("cores"))
            && threads > cores
        {
            warnings.push(Warning::Oversubscribed { threads, cores });
        }
        if let Some(games) = number("lock-step").filter(|&games| games > 1) {
            warnings.push(Warning::LockStep { games });
        }
        let last = self.fact("commit");
        if !self.began.is_empty() && !last.is_empty() && self.began != last {
            warnings.push(Warning::DifferingBuilds { began: self.began.clone(), last: last.into() });
        }
        warnings
    }

    /// The facts that differ from another run's, but for the memory: name, here, there.
    pub fn differing<'f>(&'f self, other: &'f Self) -> Vec<(&'f str, &'f str, &'f str)> {
        let mut names: Vec<&str> =
            self.facts.iter().chain(&other.facts).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let both = names.into_iter().map(|name| (name, self.fact(name), other.fact(name)));
        both.filter(|(name, here, there)| here != there && *name != PEAK).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "commit = \"abc\"\nbuild = \"release\"\ncpu = \"a machine\"\ncores = 2\nthreads = 2\n";

    #[test]
    fn a_good_run_has_no_warning() {
        let facts = RunFacts::parse(HOST, "abc".into());
        assert_eq!(facts.warnings(), []);
        assert_eq!(facts.words().unwrap(), "release build abc, a machine, 2 threads on 2 processors");
        assert_eq!(RunFacts::default().warnings(), []);
        assert_eq!(RunFacts::default().words(), None);
    }

    #[test]
    fn what_weakens_times_is_said() {
        let host = HOST.replace("release", "debug").replace("threads = 2", "threads = 8\nlock-step = 48");
        let facts = RunFacts::parse(&host, "old".into());
        let (began, last) = ("old".into(), "abc".into());
        assert_eq!(
            facts.warnings(),
            [
                Warning::DebugBuild,
                Warning::Oversubscribed { threads: 8, cores: 2 },
                Warning::LockStep { games: 48 },
                Warning::DifferingBuilds { began, last }
            ]
        );
        let good = RunFacts::parse(HOST, "abc".into());
        assert_eq!(
            good.differing(&facts),
            [("build", "release", "debug"), ("lock-step", "", "48"), ("threads", "2", "8")]
        );
    }
}
