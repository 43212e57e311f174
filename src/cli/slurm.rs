//! `shikou slurm`: a manifest as an array of Slurm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use minijinja::context;

use super::division::{Division, MOST_SHARDS};
use super::error::{CommandError, Result, usage};
use super::output::{filled, print};
use super::stop::time;
use crate::experiment::Shard;
use crate::game::options::write_time;
use crate::players::Registry;
use crate::report::counted;
use crate::words::{shell_path, shell_word};

#[derive(Args)]
#[command(after_help = "Examples:
  shikou slurm experiments/tour.toml --cpus 8 --time 1h
  shikou slurm experiments/tour.toml --cpus 8 --time 1h --submit
  shikou slurm experiments/tour.toml --missing

A pilot of five seconds measures the trials, and a task gets as many as take half of its time. The
number of shards is kept in a file beside them, so the second call divides as the first did. The
scripts are written beside the shards; each line of them is explained. sbatch takes partition and
account from SBATCH_PARTITION and SBATCH_ACCOUNT.")]
pub(super) struct SlurmArguments {
    /// The manifest, a TOML file
    manifest: PathBuf,
    /// The processors of a task
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cpus: u32,
    /// The time limit of a task
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = time)]
    time: Duration,
    /// The number of shards [default: by a pilot, at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=MOST_SHARDS))]
    shards: Option<u64>,
    /// The beginning of the names of the shards' folders, and the folder of the merged results
    /// [default: results/<name of the manifest>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Submit the array, and the job that merges
    #[arg(long)]
    submit: bool,
    /// Print what to submit again: the shards that are not complete
    #[arg(long, conflicts_with_all = ["submit", "shards"])]
    missing: bool,
}

/// The time before the end of a task at which Slurm tells it to stop, and the time that its trials then have.
const BEFORE_THE_END: u64 = 120;
const GRACE: u64 = 90;

pub(super) fn slurm(registry: &Registry, arguments: &SlurmArguments) -> Result {
    if arguments.time < Duration::from_secs(2 * BEFORE_THE_END) {
        return Err(usage!(
            "--time {}: a task needs {} at least, because it is told to stop {BEFORE_THE_END} s before its end",
            write_time(arguments.time),
            write_time(Duration::from_secs(2 * BEFORE_THE_END))
        ));
    }
    let (manifest, out) = (&arguments.manifest, arguments.out.as_deref());
    if arguments.missing && !Division::is_known(manifest, out)? {
        return Err(usage!(
            "nothing was submitted: `shikou slurm {}` writes the scripts",
            shell_path(manifest)
        ));
    }
    let division =
        Division::new(registry, manifest, out, arguments.shards, (arguments.cpus, arguments.time))?;
    let (script, merge) = (division.beside(".slurm"), division.beside(".merge.slurm"));
    if arguments.missing {
        return missing(&division, &script, &merge);
    }
    let logs = division.beside(".logs");
    fs::create_dir_all(&logs).map_err(|error| CommandError::at(logs.display(), &error))?;
    for (path, text) in [&script, &merge].into_iter().zip(scripts(&division, arguments, &logs)?) {
        fs::write(path, text).map_err(|error| CommandError::at(path.display(), &error))?;
    }
    let shards = counted(division.shards, "shard");
    print(format!("{} in {shards}, {}", manifest.display(), division.words))?;
    if division.may_stop() {
        print(
            "stopping rules: each task reads the logs of all shards every minute, to see whether they decide",
        )?;
    }
    if arguments.submit {
        let array = submit(&[script.as_os_str().to_owned()])?;
        let after = format!("--dependency=afterany:{array}");
        let merged = submit(&[after.into(), merge.as_os_str().to_owned()])?;
        return print(format!("submitted: the array {array}, and {merged}, which merges after it"));
    }
    print(format!(
        "look at the scripts and submit them, or use --submit:\n  {}",
        lines(&script, &merge, None)
    ))
}

/// The lines that submit the array, or these tasks of it, and the job that merges.
fn lines(script: &Path, merge: &Path, tasks: Option<&str>) -> String {
    let tasks = tasks.map_or_else(String::new, |tasks| format!("--array={tasks} "));
    format!(
        "array=$(sbatch --parsable {tasks}{})\n  sbatch --dependency=afterany:$array {}",
        script.display(),
        merge.display()
    )
}

fn submit(arguments: &[std::ffi::OsString]) -> Result<String> {
    let refused = |why: String| usage!("sbatch: {why}; the scripts are written");
    let output = Command::new("sbatch").arg("--parsable").args(arguments).output();
    let output = output.map_err(|error| refused(error.to_string()))?;
    if !output.status.success() {
        return Err(refused(String::from_utf8_lossy(&output.stderr).trim().into()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // The number, and the cluster after a semicolon.
    Ok(text.trim().split(';').next().unwrap_or_default().into())
}

fn missing(division: &Division, script: &Path, merge: &Path) -> Result {
    let mut numbers = Vec::new();
    let mut trials = 0;
    for (shard, state) in Shard::all(division.shards).zip(division.states()) {
        let left = state?.left;
        if left > 0 {
            numbers.push(shard.first() + 1);
            trials += left;
        }
    }
    if numbers.is_empty() {
        return print(format!("nothing is missing of {}", counted(division.shards, "shard")));
    }
    print(format!(
        "{} missing, of {} of {}; submit these again:\n  {}",
        counted(trials, "trial"),
        numbers.len(),
        counted(division.shards, "shard"),
        lines(script, merge, Some(&ranges(&numbers)))
    ))
}

/// Numbers as `sbatch --array` takes them: `3,17-19`.
fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run[0].to_string(),
    });
    runs.collect::<Vec<_>>().join(",")
}

fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().ok_or_else(|| usage!("{}: this is not UTF-8 text", path.display()))?;
    Ok(shell_word(text))
}

fn scripts(division: &Division, arguments: &SlurmArguments, logs: &Path) -> Result<[String; 2]> {
    let Division { shards, base, .. } = division;
    let program = std::env::current_exe()?;
    let values = context! {
        shards, cpus => arguments.cpus, before_the_end => BEFORE_THE_END, grace => GRACE,
        name => quoted(Path::new(base.file_name().unwrap_or_default()))?,
        program => quoted(&program)?, manifest => quoted(&arguments.manifest)?, out => quoted(base)?,
        logs => quoted(logs)?, minutes => arguments.time.as_secs().div_ceil(60),
        watch => if division.may_stop() { " --watch-shards" } else { "" },
    };
    Ok([include_str!("slurm.sh.j2"), include_str!("merge.sh.j2")].map(|template| filled(template, &values)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_written_as_slurm_reads_them() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn words_of_a_shell_are_quoted() {
        assert_eq!(quoted(Path::new("results/tour")).unwrap(), "results/tour");
        assert_eq!(quoted(Path::new("my run's")).unwrap(), r"'my run'\''s'");
    }
}
