//! The machine and the build of a run: facts stored with the results, but never part of them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::experiment::fingerprint::EngineFacts;
use crate::experiment::trial::Pace;
use crate::players::IS_OPTIMISED;

/// The sources and the compiler of a program.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The git commit, with `-dirty` if files were changed.
    pub commit: &'static str,
    /// The compiler.
    pub rustc: &'static str,
    /// The target triple.
    pub target: &'static str,
}

static BUILD: OnceLock<Build> = OnceLock::new();

impl Build {
    /// States the build of this process. The first statement holds. Without one, all is `unknown`.
    pub fn state(self) {
        BUILD.get_or_init(|| self);
    }

    fn known() -> Self {
        *BUILD.get().unwrap_or(&Self { commit: "unknown", rustc: "unknown", target: "unknown" })
    }
}

/// The machine and the build.
///
/// # Example
/// ```
/// use shikou::experiment::Host;
/// let here = Host::gather();
/// let elsewhere = Host { cpu: "another".into(), ..here.clone() };
/// assert!(!here.is_another_machine(&here) && here.is_another_machine(&elsewhere));
/// assert_eq!(here.differing(&elsewhere), [("cpu", here.cpu.clone(), "another".into())]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// The version of Shikou.
    pub version: String,
    /// The git commit that it was built from, with `-dirty` if files were changed; or `unknown`.
    pub commit: String,
    /// The compiler.
    pub rustc: String,
    /// `release` or `debug`.
    pub build: String,
    /// The target triple.
    pub target: String,
    /// The processor's name, if known.
    pub cpu: String,
    /// The number of hardware threads of the machine.
    pub cores: usize,
}

impl Host {
    /// The machine and the build that run.
    pub fn gather() -> Self {
        let (version, commit) = HostFacts::version_and_commit();
        Self {
            version: version.into(),
            commit: commit.into(),
            rustc: Build::known().rustc.into(),
            build: if HostFacts::is_optimised() { "release" } else { "debug" }.into(),
            target: Build::known().target.into(),
            cpu: cpu_name(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The facts that differ from another host's: name, here, there.
    pub fn differing(&self, other: &Self) -> Vec<(&'static str, String, String)> {
        let facts = |host: &Self| {
            let Self { version, commit, rustc, build, target, cpu, cores } = host.clone();
            [version, commit, rustc, build, target, cpu, cores.to_string()]
        };
        let names = ["version", "commit", "rustc", "build", "target", "cpu", "cores"];
        let all = names.into_iter().zip(facts(self)).zip(facts(other));
        all.map(|((name, here), there)| (name, here, there))
            .filter(|(_, here, there)| here != there)
            .collect()
    }

    /// Whether the other host is another machine, so that times cannot be compared.
    pub fn is_another_machine(&self, other: &Self) -> bool {
        (&self.cpu, self.cores, &self.target) != (&other.cpu, other.cores, &other.target)
    }
}

/// The machine and the build of a run of a manifest.
#[derive(Clone, Debug, Serialize)]
pub struct HostFacts {
    /// The file name of the manifest without extension. It selects the reference for comparison.
    pub manifest: String,
    /// The machine and the build.
    #[serde(flatten)]
    pub host: Host,
    /// The number of threads that played.
    pub threads: usize,
    /// The number of trials of a cell that each thread played in lock-step.
    #[serde(rename = "lock-step")]
    pub lock_step: usize,
    /// The peak resident memory of a process that played, in bytes; `None` before one has ended, and except on Linux.
    #[serde(rename = "peak-bytes", skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// The engines by the names of their players.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub engines: BTreeMap<String, EngineFacts>,
}

impl HostFacts {
    /// The facts of this machine and this build, for a run of this manifest at this pace.
    pub fn gather(manifest: &str, pace: Pace) -> Self {
        let Pace { threads, lock_step } = pace;
        let (manifest, host, engines) = (manifest.into(), Host::gather(), BTreeMap::new());
        Self { manifest, host, threads, lock_step, peak_bytes: None, engines }
    }

    /// The facts as `host.toml` holds them.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("facts are TOML")
    }

    /// The version and the commit of this build.
    pub fn version_and_commit() -> (&'static str, &'static str) {
        (env!("CARGO_PKG_VERSION"), Build::known().commit)
    }

    /// Whether the build is optimised, so that its times can be reported.
    pub fn is_optimised() -> bool {
        IS_OPTIMISED
    }
}

/// The peak resident memory of this process so far, in bytes; `None` except on Linux.
pub fn peak_bytes() -> Option<u64> {
    peak(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("model name"));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(|| "unknown".into(), |(_, name)| name.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_system() {
        assert_eq!(peak("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(peak(""), None);
    }
}
