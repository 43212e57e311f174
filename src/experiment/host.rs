//! The machine and the build that a run was made with: facts beside the results, never in them.

use serde::Serialize;

use super::Pace;

/// What is known of machine and build.
#[derive(Clone, Debug, Serialize)]
pub struct HostFacts {
    /// The name of the manifest's file, without its ending: which reference the results are compared with.
    pub manifest: String,
    /// The version of Shikou.
    pub version: &'static str,
    /// The git commit that it was built from, with `-dirty` where files were changed; or `unknown`.
    pub commit: &'static str,
    /// The compiler.
    pub rustc: &'static str,
    /// `release` or `debug`.
    pub build: &'static str,
    /// The target triple.
    pub target: &'static str,
    /// The processor's name, where the system tells it.
    pub cpu: String,
    /// How many threads the machine runs at once.
    pub cores: usize,
    /// How many threads played.
    pub threads: usize,
    /// How many trials of a cell each of them played in lock-step.
    #[serde(rename = "lock-step")]
    pub lock_step: usize,
}

impl HostFacts {
    /// The facts of this machine and this build, for a run of this manifest at this pace.
    pub fn gather(manifest: &str, pace: Pace) -> Self {
        Self {
            manifest: manifest.into(),
            version: Self::version_and_commit().0,
            commit: Self::version_and_commit().1,
            rustc: env!("SHIKOU_RUSTC"),
            build: if Self::is_optimised() { "release" } else { "debug" },
            target: env!("SHIKOU_TARGET"),
            cpu: cpu_name(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: pace.threads,
            lock_step: pace.lock_step,
        }
    }

    /// The version and the commit of this build.
    pub fn version_and_commit() -> (&'static str, &'static str) {
        (env!("CARGO_PKG_VERSION"), env!("SHIKOU_COMMIT"))
    }

    /// Whether this build's times mean anything.
    pub fn is_optimised() -> bool {
        env!("SHIKOU_OPT_LEVEL") != "0"
    }
}

fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("model name"));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(|| "unknown".into(), |(_, name)| name.trim().into())
}
