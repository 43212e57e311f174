//! The shard that a run plays: written out, or found by the variables of a scheduler, which say which task of how many this process is.
//!
//! A variable with an index is not enough: arrays begin at 0, at 1 or elsewhere, and a part of an array that is submitted
//! again looks like an array of its own. So variables that could be misread are an error, which has the argument to write instead.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::{CommandError, Result};
use crate::experiment::{Manifest, Numbering, Shard, Shards};

struct Variables {
    index: &'static str,
    /// The first index where no variable holds it.
    begins: u64,
    size: Option<&'static str>,
    /// The first and the last index of the array and the distance between two.
    array: Option<[&'static str; 3]>,
    /// Whether one program is started many times at once: a size of 1 then says nothing, because every job has it.
    is_launcher: bool,
}

const fn sized(index: &'static str, size: &'static str) -> Variables {
    Variables { size: Some(size), ..alone(index, 0) }
}

const fn alone(index: &'static str, begins: u64) -> Variables {
    Variables { index, begins, size: None, array: None, is_launcher: false }
}

const fn launched(index: &'static str, size: &'static str) -> Variables {
    Variables { is_launcher: true, ..sized(index, size) }
}

const VARIABLES: [Variables; 12] = [
    Variables {
        array: Some(["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"]),
        ..sized("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT")
    },
    Variables {
        array: Some(["SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"]),
        ..alone("SGE_TASK_ID", 1)
    },
    alone("JOB_COMPLETION_INDEX", 0),
    alone("PBS_ARRAY_INDEX", 1),
    alone("LSB_JOBINDEX", 1),
    alone("PARALLEL_SEQ", 1),
    sized("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
    sized("BATCH_TASK_INDEX", "BATCH_TASK_COUNT"),
    sized("CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT"),
    launched("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    launched("PMI_RANK", "PMI_SIZE"),
    launched("SLURM_PROCID", "SLURM_NTASKS"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// From 1.
    pub(super) number: u64,
    pub(super) count: u64,
    /// From where this is known: `SLURM_ARRAY_TASK_ID=3`.
    pub(super) from: String,
    pub(super) array: Numbering,
}

/// The known facts of an array, from a file of its first submission.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known<'k> {
    /// The number of tasks that was written out.
    pub(super) count: Option<u64>,
    /// The numbering of the array as it was submitted first.
    pub(super) array: Option<&'k Numbering>,
}

impl Task {
    /// The task of these variables.
    ///
    /// # Errors
    /// If no variable tells it, two disagree, or they could be those of a part of an array.
    pub(super) fn find(of: &dyn Fn(&str) -> Option<String>, known: Known<'_>) -> Result<Self, String> {
        let found = VARIABLES.iter().filter_map(|variables| variables.read(of, known).transpose());
        let mut found = found.collect::<Result<Vec<Self>, String>>()?.into_iter();
        let Some(first) = found.next() else { return Err(none(known)) };
        match found.find(|other| (other.number, other.count) != (first.number, first.count)) {
            None => Ok(first),
            Some(other) => {
                let says = |task: &Self| format!("{} means shard {}/{}", task.from, task.number, task.count);
                let [one, two] = [&first, &other].map(|task| line(&task.array, task.count));
                Err(format!("{} and {}; write {one} or {two}", says(&first), says(&other)))
            }
        }
    }
}

/// The argument to write where tasks are numbered like this.
fn line(Numbering { variable, first, step }: &Numbering, count: u64) -> String {
    match (first, step) {
        (1, 1) => format!("--shard \"${variable}/{count}\""),
        (0, 1) => format!("--shard \"$(({variable} + 1))/{count}\""),
        (_, 1) => format!("--shard \"$(({variable} - {}))/{count}\"", first - 1),
        _ => format!("--shard \"$((({variable} - {first}) / {step} + 1))/{count}\""),
    }
}

fn none(known: Known<'_>) -> String {
    let count = known.count.map_or_else(|| "n".into(), |count| count.to_string());
    format!(
        "--shard auto needs a task of an array, and no scheduler has set its variables here; write --shard i/{count}, with i \
         from 1 to {count}"
    )
}

impl Variables {
    /// The task that these variables tell of. `None` if they are not set.
    fn read(&self, of: &dyn Fn(&str) -> Option<String>, known: Known<'_>) -> Result<Option<Task>, String> {
        let number = |name: &str| -> Result<Option<u64>, String> {
            // Schedulers set words such as `undefined` in jobs without tasks.
            let Some(text) =
                of(name).filter(|text| text.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            else {
                return Ok(None);
            };
            let number = text.trim().parse().map(Some);
            number.map_err(|_| format!("{name}={text} is no index of a task; write --shard i/n"))
        };
        // Without an array LSF says 0.
        let Some(index) = number(self.index)?.filter(|&index| (self.index, index) != ("LSB_JOBINDEX", 0))
        else {
            return Ok(None);
        };
        let size = self.size.map(number).transpose()?.flatten();
        if self.is_launcher && size.is_none_or(|size| size <= 1) {
            return Ok(None);
        }
        match self.array {
            Some(names) => {
                let [first, last, step] = names.map(number);
                let array = [first?, last?, step?];
                self.of_array(index, size, array, known).map(Some)
            }
            None => self.of_index(index, size, known).map(Some),
        }
    }

    fn task(&self, index: u64, count: u64, array: Numbering) -> Result<Task, String> {
        let Numbering { first, step, .. } = array;
        let from = format!("{}={index}", self.index);
        let number = index.checked_sub(first).filter(|after| after % step == 0).map(|after| after / step + 1);
        if let Some(number) = number.filter(|&number| number <= count) {
            return Ok(Task { number, count, from, array });
        }
        let advice = if index < first {
            format!("write the shard out, such as {}", line(&Numbering { first: 0, ..array }, count))
        } else {
            "write --shard auto/N with the number of tasks".into()
        };
        Err(format!("{from} is no task of an array of {count} that begins at {first} by {step}; {advice}"))
    }

    fn from(&self, first: u64, step: u64) -> Numbering {
        Numbering { variable: self.index.into(), first, step }
    }

    fn of_index(&self, index: u64, size: Option<u64>, known: Known<'_>) -> Result<Task, String> {
        match (known.count, size) {
            (Some(count), Some(size)) if count != size => Err(format!(
                "{}={size}, and --shard auto/{count} needs {count} tasks; write --shard auto/{size}, or, if this is a part of \
                 {count} tasks, --shard i/{count}",
                self.size.expect("it was read")
            )),
            (Some(count), _) | (None, Some(count)) => self.task(index, count, self.from(self.begins, 1)),
            (None, None) => Err(format!(
                "{}={index} does not tell how many tasks there are; write --shard auto/n, with n their number",
                self.index
            )),
        }
    }

    /// The task of an array whose variables tell its first index. The array may be a part of the one that was submitted first.
    fn of_array(
        &self,
        index: u64,
        size: Option<u64>,
        [first, last, step]: [Option<u64>; 3],
        known: Known<'_>,
    ) -> Result<Task, String> {
        let (first, last, step) = (first.unwrap_or(index), last.unwrap_or(index), step.unwrap_or(1).max(1));
        let span = last.saturating_sub(first) / step + 1;
        let size = size.unwrap_or(span);
        let here = self.from(first, step);
        let submitted = known.array.filter(|array| array.variable == self.index);
        let is_whole = size == span && known.count.is_none_or(|count| count == size);
        match (submitted, known.count) {
            (Some(array), Some(count)) if is_whole && *array != here => Err(format!(
                "this array begins at {first} by {step}, and the array of these shards began at {} by {}; write {}",
                array.first,
                array.step,
                line(&here, count)
            )),
            (Some(array), Some(count)) => self.task(index, count, array.clone()),
            (None, Some(count)) if is_whole => self.task(index, count, here),
            // Bare `auto`: only an array that is no part of another one, by its looks.
            (_, None) if is_whole && first <= 1 && step == 1 && size > 1 => self.task(index, size, here),
            (_, count) => {
                let count = count.map_or_else(|| "n".into(), |count| count.to_string());
                let (id, tasks) = (self.index, if size == 1 { "task" } else { "tasks" });
                Err(format!(
                    "this array of {size} {tasks} ({first} to {last}) may be a part of another one; with n tasks in all write \
                     --shard \"${id}/{count}\" if they are numbered from 1, or --shard \"$(({id} + 1))/{count}\" if from 0"
                ))
            }
        }
    }
}

/// A shard as it is typed: `3/8`, `auto/8` or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShardArgument {
    Given(Shard),
    /// By the variables of the scheduler, of this many shards if the number is written out.
    Auto(Option<u64>),
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            None if text == "auto" => Ok(Self::Auto(None)),
            Some(("auto", count)) => match count.parse() {
                Ok(count @ 1..) => Ok(Self::Auto(Some(count))),
                _ => Err("a shard by the scheduler is written auto/n, such as auto/200".into()),
            },
            _ => text.parse().map(Self::Given),
        }
    }
}

impl fmt::Display for ShardArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(shard) => write!(f, "{shard}"),
            Self::Auto(None) => write!(f, "auto"),
            Self::Auto(Some(count)) => write!(f, "auto/{count}"),
        }
    }
}

pub(super) struct Found {
    pub(super) shard: Shard,
    /// From where it is known, if not from the command line.
    pub(super) from: Option<String>,
    pub(super) folder: PathBuf,
    /// The file beside the shards that it belongs to, with the beginning of the names of their folders.
    beside: Option<(PathBuf, Shards)>,
}

impl ShardArgument {
    pub(super) const WHOLE: Self = Self::Given(Shard::WHOLE);

    /// The shard of a run with this `--out`, else in this folder.
    ///
    /// All tasks of an array have the same command line. So with `auto` a folder that is named is the beginning of the names of
    /// the folders, and a shard that is written out has the folder that is named.
    pub(super) fn find(self, out: Option<&Path>, default: &Path, manifest: &Manifest) -> Result<Found> {
        let base = out.unwrap_or(default);
        let shards = |count, array| (count > 1).then(|| (base.into(), Shards::new(manifest, count, array)));
        match self {
            Self::Given(shard) => Ok(Found {
                shard,
                from: None,
                folder: out.map_or_else(|| shard.folder(base), Into::into),
                beside: if out.is_some() { None } else { shards(shard.step(), None) },
            }),
            Self::Auto(count) => {
                let known = Shards::read(base)?;
                let array = known.as_ref().and_then(|known| known.array.as_ref());
                let variable = |name: &str| std::env::var(name).ok();
                let task = Task::find(&variable, Known { count, array }).map_err(CommandError::Usage)?;
                let shard = format!("{}/{}", task.number, task.count).parse().map_err(CommandError::Usage)?;
                Ok(Found {
                    shard,
                    from: Some(task.from),
                    folder: shard.folder(base),
                    beside: shards(task.count, Some(task.array)),
                })
            }
        }
    }
}

impl Found {
    /// The beginning of the names of the folders of all shards, if they are beside each other.
    pub(super) fn base(&self) -> Option<PathBuf> {
        self.beside.as_ref().map(|(base, _)| base.clone())
    }

    /// Writes the file beside the shards, or checks that this shard belongs to them.
    pub(super) fn claim(&self) -> Result {
        let claimed = self.beside.as_ref().map(|(base, shards)| shards.claim(base));
        Ok(claimed.transpose().map(drop)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &str, count: Option<u64>) -> Result<String, String> {
        find(variables, Known { count, array: None })
    }

    /// The task of variables such as `PMI_RANK=5 PMI_SIZE=8`.
    fn find(variables: &str, known: Known<'_>) -> Result<String, String> {
        let value = |set: &str, name: &str| set.strip_prefix(name)?.strip_prefix('=').map(String::from);
        let of = |name: &str| variables.split(' ').find_map(|set| value(set, name));
        Task::find(&of, known).map(|task| format!("{}/{} {}", task.number, task.count, task.from))
    }

    /// The variables of a task of Slurm; every job has the last two.
    fn slurm([id, first, last, step, count]: [u64; 5]) -> String {
        let array = [("ID", id), ("MIN", first), ("MAX", last), ("STEP", step), ("COUNT", count)];
        let array = array.map(|(name, value)| format!("SLURM_ARRAY_TASK_{name}={value}")).join(" ");
        array + " SLURM_PROCID=0 SLURM_NTASKS=1"
    }

    fn sge([id, first, last, step]: [u64; 4]) -> String {
        format!("SGE_TASK_ID={id} SGE_TASK_FIRST={first} SGE_TASK_LAST={last} SGE_TASK_STEPSIZE={step}")
    }

    #[test]
    fn every_scheduler_is_understood() {
        for (variables, shard) in [
            (&*slurm([3, 1, 8, 1, 8]), "3/8 SLURM_ARRAY_TASK_ID=3"),
            (&*slurm([3, 0, 7, 1, 8]), "4/8 SLURM_ARRAY_TASK_ID=3"),
            (&*slurm([14, 0, 14, 2, 8]), "8/8 SLURM_ARRAY_TASK_ID=14"),
            (&*slurm([107, 100, 107, 1, 8]), "8/8 SLURM_ARRAY_TASK_ID=107"),
            (&*sge([3, 1, 8, 1]), "3/8 SGE_TASK_ID=3"),
            (&*sge([5, 1, 15, 2]), "3/8 SGE_TASK_ID=5"),
            ("JOB_COMPLETION_INDEX=0", "1/8 JOB_COMPLETION_INDEX=0"),
            ("PBS_ARRAY_INDEX=8", "8/8 PBS_ARRAY_INDEX=8"),
            ("LSB_JOBINDEX=2 LSB_JOBINDEX_END=8", "2/8 LSB_JOBINDEX=2"),
            ("PARALLEL_SEQ=1", "1/8 PARALLEL_SEQ=1"),
            ("AWS_BATCH_JOB_ARRAY_INDEX=7 AWS_BATCH_JOB_ARRAY_SIZE=8", "8/8 AWS_BATCH_JOB_ARRAY_INDEX=7"),
            ("BATCH_TASK_INDEX=0 BATCH_TASK_COUNT=8", "1/8 BATCH_TASK_INDEX=0"),
            ("CLOUD_RUN_TASK_INDEX=1 CLOUD_RUN_TASK_COUNT=8", "2/8 CLOUD_RUN_TASK_INDEX=1"),
            ("OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8", "6/8 OMPI_COMM_WORLD_RANK=5"),
            ("PMI_RANK=5 PMI_SIZE=8", "6/8 PMI_RANK=5"),
            ("SLURM_PROCID=5 SLURM_NTASKS=8", "6/8 SLURM_PROCID=5"),
        ] {
            assert_eq!(found(variables, Some(8)).as_deref(), Ok(shard));
        }
    }

    /// Without n only an index with a size, or an array that can be no part of another, is a shard.
    #[test]
    fn bare_auto_needs_the_number_of_tasks() {
        for variables in [
            &*slurm([3, 1, 8, 1, 8]),
            &*sge([3, 1, 8, 1]),
            "BATCH_TASK_INDEX=2 BATCH_TASK_COUNT=8",
            "PMI_RANK=2 PMI_SIZE=8",
        ] {
            assert!(found(variables, None).unwrap().starts_with("3/8 "));
        }
        for (variables, words) in [
            // `--array=3`, `--array=3,17`, `--array=1`, and every second task.
            (&*slurm([3, 3, 3, 1, 1]), "--shard \"$SLURM_ARRAY_TASK_ID/n\""),
            (&*slurm([3, 3, 17, 1, 2]), "--shard \"$((SLURM_ARRAY_TASK_ID + 1))/n\""),
            (&*slurm([1, 1, 1, 1, 1]), "array of 1 task (1 to 1) may be a part of another one"),
            (&*slurm([3, 1, 7, 2, 4]), "array of 4 tasks (1 to 7) may be a part"),
            ("JOB_COMPLETION_INDEX=0", "--shard auto/n"),
            ("LSB_JOBINDEX=2 LSB_JOBINDEX_END=8", "--shard auto/n"),
            ("SLURM_PROCID=0 SLURM_NTASKS=1", "no scheduler has set its variables here"),
            ("SGE_TASK_ID=undefined LSB_JOBINDEX=0", "no scheduler has set its variables here"),
        ] {
            let error = found(variables, None).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn ambiguous_variables_are_refused_with_the_line_to_write() {
        let disagree = "write --shard \"$PARALLEL_SEQ/8\" or --shard \"$((PMI_RANK + 1))/8\"";
        for (variables, words) in [
            (&*slurm([3, 3, 17, 1, 2]), "write --shard \"$SLURM_ARRAY_TASK_ID/8\" if"),
            (&*slurm([3, 1, 9, 1, 9]), "may be a part"),
            ("PARALLEL_SEQ=3 PMI_RANK=5 PMI_SIZE=8", disagree),
            ("AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=2", "--shard auto/2"),
            ("PBS_ARRAY_INDEX=0", "such as --shard \"$((PBS_ARRAY_INDEX + 1))/8\""),
            ("JOB_COMPLETION_INDEX=8", "no task of an array of 8 that begins at 0"),
            ("PARALLEL_SEQ=-1", "is no index of a task"),
            ("PARALLEL_SEQ=1e3", "is no index of a task"),
        ] {
            let error = found(variables, Some(8)).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        assert!(found("PARALLEL_SEQ=3 PMI_RANK=2 PMI_SIZE=8", Some(8)).is_ok(), "two variables that agree");
    }

    /// Tasks that are submitted again are numbered as in the first submission.
    #[test]
    fn a_part_of_an_array_is_numbered_as_the_whole() {
        let first = Numbering { variable: "SLURM_ARRAY_TASK_ID".into(), first: 0, step: 2 };
        let known = Known { count: Some(8), array: Some(&first) };
        assert_eq!(find(&slurm([6, 6, 10, 1, 2]), known).as_deref(), Ok("4/8 SLURM_ARRAY_TASK_ID=6"));
        assert!(find(&slurm([7, 7, 7, 1, 1]), known).unwrap_err().contains("begins at 0 by 2"));
        let other = find(&slurm([1, 1, 8, 1, 8]), known).unwrap_err();
        assert!(other.contains("write --shard \"$SLURM_ARRAY_TASK_ID/8\""), "{other}");
        assert_eq!(line(&first, 8), "--shard \"$(((SLURM_ARRAY_TASK_ID - 0) / 2 + 1))/8\"");
    }
}
