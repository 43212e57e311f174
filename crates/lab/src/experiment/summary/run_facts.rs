//! The machine and the builds of a finished run.

use std::collections::BTreeMap;

use super::warning::Warning;
use crate::experiment::engines::EngineFacts;
use crate::experiment::store::facts::LogFacts;
use crate::experiment::store::results::Results;

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

    /// The facts of a `host.toml`, and the commit of the build that began the log.
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

    /// The run in a line.
    pub fn words(&self) -> Option<String> {
        let [build, commit, cpu, threads, cores] =
            ["build", "commit", "cpu", "threads", "cores"].map(|name| self.fact(name));
        let number =
            |count: &str, what: &str| format!("{count} {what}{}", if count == "1" { "" } else { "s" });
        let (threads, cores) = (number(threads, "thread"), number(cores, "processor"));
        (!build.is_empty()).then(|| format!("{build} build {commit}, {cpu}, {threads} on {cores}"))
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

    /// The facts that differ from another run's: name, here, there.
    pub fn differing<'f>(&'f self, other: &'f Self) -> Vec<(&'f str, &'f str, &'f str)> {
        let mut names: Vec<&str> =
            self.facts.iter().chain(&other.facts).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let both = names.into_iter().map(|name| (name, self.fact(name), other.fact(name)));
        both.filter(|(_, here, there)| here != there).collect()
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
