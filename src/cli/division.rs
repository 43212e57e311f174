//! The division of a manifest among the tasks of a scheduler.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{CommandError, Result, usage};
use super::groups::granted_threads;
use super::output::tell;
use crate::experiment::{
    Live, Log, Manifest, Numbering, Optimised, OwnerFacts, Pilot, Plan, Results, Shard, Shards,
    decided_by_shards,
};
use crate::players::Registry;
use crate::report::{counted, long_duration};

/// The default limit of Slurm on the size of an array is 1001, and its largest index one less.
pub(super) const MOST_SHARDS: u64 = 1000;

const PILOT: Duration = Duration::from_secs(5);

/// Refuses to divide a manifest with trainings or optimisations.
pub(super) fn refuse_parts(manifest: &Manifest) -> Result {
    if manifest.optimisations().next().is_none() && manifest.trainings().next().is_none() {
        return Ok(());
    }
    Err(usage!(
        "a shard cannot play a training or an optimisation: each part needs the one before; run the whole manifest"
    ))
}

pub(super) struct Division {
    pub(super) plan: Plan,
    pub(super) shards: u64,
    /// The beginning of the names of their folders.
    pub(super) base: PathBuf,
    /// The reason for the number.
    pub(super) words: String,
}

impl Division {
    /// Divides a manifest: as before, or into as many shards as are asked for, or so that a task on as many processors takes
    /// half of this time.
    pub(super) fn new(
        registry: &Registry,
        manifest: &Path,
        base: Option<&Path>,
        shards: Option<u64>,
        (cpus, time): (u32, Duration),
    ) -> Result<Self> {
        let read = Manifest::read(manifest, registry)?;
        refuse_parts(&read)?;
        let base = Self::base(manifest, base);
        if let Some(path) = [manifest, &base].into_iter().find(|path| path.to_str().is_none()) {
            return Err(usage!(
                "{}: this name is not UTF-8 text, which a script of a scheduler holds; give it another one",
                path.display()
            ));
        }
        let plan = Plan::new(&Optimised::default().finish(read))?;
        if plan.experiments().flat_map(|of| &of.players).any(|player| player.searcher.is_engine()) {
            return Err(usage!(
                "a task starts an engine only with --allow-engines, which is yours to write: submit a job of your own, whose \
                 command has it and --shard auto/N"
            ));
        }
        // All cells of an instance are in one shard.
        let most = plan.experiments().map(|experiment| experiment.trials).max().unwrap_or(0);
        if most < 2 {
            let path = manifest.display();
            return Err(usage!("{path} has one instance, which cannot be divided; run it as a whole"));
        }
        let known = Shards::read(&base)?;
        let (shards, words) = match (known, shards) {
            (Some(known), None) => (known.shards, "as before".into()),
            (_, Some(shards)) => (shards, "as you asked".into()),
            (None, None) => by_pilot(&plan, most.min(MOST_SHARDS), cpus, time)?,
        };
        let array = Numbering { variable: "SLURM_ARRAY_TASK_ID".into(), first: 1, step: 1 };
        let beside = Shards::new(plan.manifest(), shards, Some(array));
        beside.claim(&base)?;
        Ok(Self { plan, shards, base, words })
    }

    fn base(manifest: &Path, base: Option<&Path>) -> PathBuf {
        let stem = Path::new(manifest.file_stem().unwrap_or_default());
        base.map_or_else(|| Path::new("results").join(stem), Into::into)
    }

    pub(super) fn is_known(manifest: &Path, base: Option<&Path>) -> Result<bool> {
        Ok(Shards::read(&Self::base(manifest, base))?.is_some())
    }

    pub(super) fn beside(&self, end: &str) -> PathBuf {
        let mut name = self.base.file_name().unwrap_or_default().to_os_string();
        name.push(end);
        self.base.with_file_name(name)
    }

    pub(super) fn may_stop(&self) -> bool {
        self.plan.experiments().any(|experiment| experiment.stopping.is_some())
    }

    pub(super) fn states(&self) -> impl Iterator<Item = Result<ShardState>> + '_ {
        let decided = decided(&self.plan, &self.base, self.shards);
        let state =
            move |shard: Shard| ShardState::read(&self.plan, shard, &shard.folder(&self.base), &decided);
        Shard::all(self.shards).map(state)
    }
}

/// The experiments that the trials of all shards decide by their stopping rules.
pub(super) fn decided(plan: &Plan, base: &Path, shards: u64) -> Vec<bool> {
    let may_stop = plan.experiments().any(|experiment| experiment.stopping.is_some());
    if may_stop { decided_by_shards(plan, base, shards) } else { Vec::new() }
}

/// As many shards that a task takes half of the time.
fn by_pilot(plan: &Plan, most: u64, cpus: u32, time: Duration) -> Result<(u64, String)> {
    let threads = granted_threads();
    tell(format_args!("a pilot of {} s measures the trials …", PILOT.as_secs()));
    let pilot =
        Pilot::play(plan, threads, PILOT).map_err(|error| CommandError::no_threads(threads, &error))?;
    let seconds = pilot.whole(plan).as_secs_f64() * threads as f64;
    let of_task = f64::from(cpus) * time.as_secs_f64() / 2.0;
    let wanted = (seconds / of_task).ceil().max(2.0);
    let shards = (wanted as u64).min(most);
    let words = format!(
        "by a pilot of {}: {}{} of one processor in all, {} a task",
        counted(pilot.trials(), "trial"),
        if pilot.abandoned() + pilot.unmeasured() > 0 { "more than " } else { "" },
        long_duration(seconds),
        long_duration(seconds / shards as f64 / f64::from(cpus)),
    );
    Ok((shards, words))
}

#[derive(Default)]
pub(super) struct ShardState {
    pub(super) done: u64,
    pub(super) left: u64,
    pub(super) failed: u64,
    pub(super) forfeited: u64,
    /// The processor time of the trials that are done, in seconds.
    pub(super) cpu_seconds: f64,
    /// The process that plays it, or did so last.
    pub(super) owner: Option<OwnerFacts>,
    pub(super) seen: Option<Duration>,
}

impl ShardState {
    /// The state of a shard in a folder, which need not exist; of experiments that are decided nothing is left.
    pub(super) fn read(plan: &Plan, shard: Shard, folder: &Path, decided: &[bool]) -> Result<Self> {
        let results = Results::open(folder).ok();
        let log = results
            .as_ref()
            .map_or_else(|| Ok(Log::empty(plan)), |results| Log::read(&results.log(), plan))?;
        let live = Live::new(plan, shard, &log)?;
        live.decide(decided);
        let mut state = Self { left: live.left(), ..Self::default() };
        let Some(results) = results else { return Ok(state) };
        for experiment in 0..plan.experiments().len() {
            for record in log.records(experiment) {
                let record = record?;
                if plan.is_repeated(&record.trial) {
                    continue;
                }
                state.done += 1;
                state.failed += u64::from(record.has_failed());
                state.forfeited += u64::from(record.is_forfeited());
                state.cpu_seconds += record.cpu_ns as f64 / 1e9;
            }
        }
        let changed = |path: PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
        let last = [results.owner(), results.log()].into_iter().filter_map(changed).max();
        state.seen = last.map(|last| last.elapsed().unwrap_or_default());
        state.owner = OwnerFacts::of(&results);
        Ok(state)
    }
}
