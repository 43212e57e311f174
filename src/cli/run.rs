//! `shikou run`: the experiments of a manifest.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use clap::Args;

use super::call::Call;
use super::conclude::{Goal, Manner, conclude, reference_of};
use super::division::refuse_parts;
use super::engine::{AllowArguments, meet_engines};
use super::error::{CommandError, Result, usage};
use super::folder::TemporaryFolder;
use super::groups::{OutputArguments, ThreadsArguments, WarningArguments};
use super::optimise::{Found, play_optimisations};
use super::output::{SilentPanics, tell, warn, warn_of_names, warn_without_lock};
use super::progress::{Form, Progress};
use super::stop::{GRACE, Limit, TimeLimit, stop_on_signal, time};
use super::task::ShardArgument;
use crate::experiment::{
    Ended, EngineFacts, Fingerprints, HostFacts, Live, LogForm, LogWriter, Manifest, Optimised, Owner,
    OwnerFacts, Pace, Plan, Results, RunFacts, Shard, Sink, TimesWriter, Trial, Unfinished, WarningKind,
    peak_bytes, run as run_plan,
};
use crate::game::Path as Playouts;
use crate::players::Registry;
use crate::report::{counted, is_or_are, with_thousands};
use crate::search::abandon_searches;
use crate::words::shell_path;

#[derive(Args)]
#[command(after_help = "Example:
  shikou run experiments/tour.toml

The results go to results/<name of the manifest>/; docs/results.md describes the files. If all
budgets count work, the results are the same bytes for any number of threads. The last line is
their digest, and whether it equals the digest of results/reference/<name of the manifest>/.

The same command resumes a run after Ctrl-C, a crash, or a change of the manifest: it plays the
trials that are missing. `shikou report --help` describes the formats.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct RunArguments {
    /// The manifest, a TOML file
    manifest: PathBuf,
    /// The folder for the results [default: results/<name of the manifest>]
    #[arg(long, value_name = "DIR", aliases = ["output", "output-dir", "dir", "results"], short_alias = 'o')]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArguments,
    /// Play N trials of a cell at a time on each thread, so that the playouts of their searches share vector lanes. The
    /// results are the same bytes. The time of a move is then its part of the thread's time, and N searches are in memory;
    /// N is 16 if omitted
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, num_args = 0..=1,
        default_missing_value = "16", require_equals = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    lock_step: u16,
    /// Play shard I of N into a folder of its own; `shikou merge` merges the shards. `auto/N` takes I from the variables of a
    /// scheduler (Slurm, Kubernetes and others, docs/cluster.md), and `auto` N as well; DIR of --out is then the beginning of the
    /// names of the shards' folders
    #[arg(long, value_name = "I/N", default_value_t = ShardArgument::WHOLE, hide_default_value = true, conflicts_with = "smoke")]
    shard: ShardArgument,
    /// Read the logs of the other shards every minute, or at another interval, and stop experiments that all shards together
    /// have decided by their stopping rules
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "60s",
        value_parser = time, requires = "shard")]
    watch_shards: Option<Duration>,
    #[command(flatten)]
    allow: AllowArguments,
    /// Use no faster instructions than these: portable, avx2 or avx512; or play large batches on a GPU: cuda. The results are
    /// the same bytes [default: the fastest of this processor]
    #[arg(long, value_name = "PATH", value_parser = Playouts::named)]
    path: Option<Playouts>,
    /// Begin the log in this form: csv, or gzip, the same rows packed. An existing log keeps its form [default: gzip from
    /// 1,000,000 trials on]
    #[arg(long, value_name = "FORM", value_parser = form_named)]
    log: Option<LogForm>,
    /// Start no trial after this time, such as 30min. Trials that are being played have the time of --grace to finish, and are
    /// dropped after it; the same command plays the rest. `auto` is the end of the scheduler's job where it is known
    /// (docs/cluster.md), less --grace and five seconds
    #[arg(long, value_name = "TIME")]
    time_limit: Option<Limit>,
    /// The time for trials to finish after the time limit or a signal (INT, TERM, HUP, USR1, USR2); those that do not are
    /// dropped, and a second signal drops them at once [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    grace: Option<Duration>,
    /// How to show progress
    #[arg(long, value_enum, default_value_t = Form::Auto, value_name = "FORM")]
    progress: Form,
    /// Move earlier results aside and start again
    #[arg(long, aliases = ["force", "overwrite", "clean", "fresh", "rerun"], short_alias = 'f')]
    restart: bool,
    /// Print the last line only
    #[arg(long, short)]
    quiet: bool,
    /// Exit with code 1 if the results differ from the reference, or if there is none
    #[arg(long, conflicts_with_all = ["smoke", "shard"])]
    check: bool,
    /// Try the manifest: two trials per cell with at most 4 playouts and depth 2; nothing is kept or compared
    #[arg(long, conflicts_with = "out")]
    smoke: bool,
    /// Print the whole report, as in report.txt, and not only the answer
    #[arg(long, conflicts_with = "quiet", alias = "verbose", short_alias = 'v')]
    full: bool,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    _warnings: WarningArguments,
}

fn form_named(name: &str) -> Result<LogForm, String> {
    let found = LogForm::ALL.into_iter().find(|form| form.name() == name);
    found.ok_or_else(|| format!("expected {}", LogForm::ALL.map(LogForm::name).join(" or ")))
}

/// Uses no faster path than this one, which the machine must have.
fn use_path(path: Playouts) -> Result {
    if let Some(lack) = path.lack() {
        let there = Playouts::ALL.into_iter().filter(|path| path.is_available()).map(Playouts::name);
        let there = there.collect::<Vec<_>>().join(", ");
        return Err(usage!("{lack}; expected one of {there}"));
    }
    path.limit();
    Ok(())
}

pub(super) fn run(registry: &Registry, arguments: &RunArguments) -> Result {
    if let Some(path) = arguments.path {
        use_path(path)?;
    }
    let manifest = if arguments.smoke {
        let (mut manifest, skipped) =
            Manifest::read_what_is_here(&arguments.manifest, registry, arguments.allow.allow_engines)?;
        for reason in skipped {
            tell(format_args!("skipped: {reason}"));
        }
        manifest.reduce_to_smoke();
        manifest
    } else {
        Manifest::read(&arguments.manifest, registry)?
    };
    warn_of_names(&manifest);
    let advice = if arguments.quiet { Vec::new() } else { manifest.advice() };
    advice.into_iter().for_each(tell);
    if !HostFacts::is_optimised() {
        let words = "this is a debug build; its times mean nothing. Use `cargo run --release`";
        warn(WarningKind::DebugBuild, words);
    }
    let stem = Path::new(arguments.manifest.file_stem().unwrap_or_default());
    // From here on there may be a folder to remove.
    let grace = arguments.grace.unwrap_or(GRACE);
    let stop = stop_on_signal(grace, how_to_go_on(arguments));
    let smoke = arguments.smoke.then(|| TemporaryFolder::new("smoke")).transpose()?;
    let default = Path::new("results").join(stem);
    let out = smoke.as_ref().map(TemporaryFolder::path).or(arguments.out.as_deref());
    let found = arguments.shard.find(out, &default, &manifest)?;
    let is_divisible = refuse_parts(&manifest);
    let is_optimisation = is_divisible.is_err();
    if found.shard != Shard::WHOLE {
        is_divisible?;
    }
    if arguments.watch_shards.is_some() && found.base().is_none() {
        return Err(usage!(
            "--watch-shards needs shards beside each other; leave --out out, or write --shard auto/n"
        ));
    }
    // A mistake is told before anything is moved.
    let mut plan = Plan::new(&Optimised::default().finish(manifest.clone()))?;
    let engines = meet_engines(&plan, &arguments.allow)?;
    found.claim()?;
    let results = Results::create(&found.folder)?;
    let owner = Owner::claim(&results, &stop)?;
    if let Some(other) = owner.taken_from() {
        let OwnerFacts { host, process, .. } = other;
        tell(format_args!(
            "took over from process {process} on {host}, which is silent; `shikou merge` reads its log too"
        ));
    }
    if arguments.restart {
        let aside = results.move_aside()?;
        if let Some(aside) = aside.filter(|_| !arguments.quiet) {
            tell(format_args!("the results before are in {}", aside.display()));
        }
    }
    let given = arguments.time_limit.map(|limit| limit.left(grace)).transpose()?.flatten();
    let limit = given.or(manifest.time_limit);
    let limit = TimeLimit::start(limit, &stop, grace, how_to_go_on(arguments))?;
    let mut optimised = Found::default();
    if is_optimisation {
        let is_shown = matches!(arguments.progress, Form::Auto | Form::Lines);
        let tells = is_shown && !arguments.quiet && !arguments.smoke && arguments.output.is_text();
        let threads = arguments.threads.count();
        let Some((filled, summaries)) = play_optimisations(manifest, &results, threads, &stop, tells)? else {
            let words = how_to_go_on(arguments);
            return Err(match limit.and_then(TimeLimit::finish) {
                Some(limit) => TimeLimit::reached(limit, &words),
                None => CommandError::Interrupted(words),
            });
        };
        plan = Plan::new(&filled)?;
        optimised = summaries;
    }
    let place = (stem, found.shard, found.base());
    let played = play_what_is_missing(&plan, place, (results, engines), &stop, limit, arguments);
    if owner.is_lost() {
        let words =
            "another run took over this folder, and goes on; what was played here is kept, and merged";
        return Err(CommandError::Interrupted(words.into()));
    }
    let Played { results, log, ended_by } = played?;
    let goal = match (&smoke, found.shard) {
        (Some(_), _) => Goal::Trial,
        (None, Shard::WHOLE) if ended_by.is_some() => Goal::SoFar(reference_of(stem)),
        (None, Shard::WHOLE) => Goal::Whole(reference_of(stem)),
        (None, shard) => Goal::Shard(shard, found.from),
    };
    let manner = Manner {
        quiet: arguments.quiet || arguments.smoke,
        full: arguments.full,
        output: &arguments.output,
        check: arguments.check,
        pages: None,
    };
    conclude("run", &results, &plan, log.log(), optimised, &goal, manner)?;
    match ended_by {
        None => Ok(()),
        Some(limit) => Err(TimeLimit::reached(limit, &how_to_go_on(arguments))),
    }
}

/// Reads the logs of all shards at intervals, until the sender is dropped.
fn watch_shards(is_decided: impl Fn() -> bool + Send + 'static, every: Duration) -> Result<Sender<()>> {
    let (end, ended) = mpsc::channel();
    let watch = move || while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) && !is_decided() {};
    let watching = std::thread::Builder::new().name("shards".into()).spawn(watch);
    watching.map_err(|error| CommandError::no_threads(1, &error))?;
    Ok(end)
}

struct Played {
    results: Results,
    /// Locked until the derived files are written.
    log: LogWriter,
    /// The time limit that ended it, if one did.
    ended_by: Option<Duration>,
}

/// Plays the trials of the plan that are not in the folder's log yet.
fn play_what_is_missing(
    plan: &Plan,
    (stem, shard, base): (&Path, Shard, Option<PathBuf>),
    (results, engines): (Results, BTreeMap<String, EngineFacts>),
    stop: &Arc<AtomicBool>,
    limit: Option<TimeLimit>,
    arguments: &RunArguments,
) -> Result<Played> {
    let fingerprints = Fingerprints::of(plan).with_engines(plan);
    let path = results.log_in(arguments.log.unwrap_or_else(|| LogForm::of_plan(plan)));
    let mut log = LogWriter::open(&path, plan, &fingerprints)?;
    if let Some(form) = arguments.log.filter(|&form| form != log.log().form()) {
        return Err(usage!(
            "{} is a log of another form than {}; leave --log out, or move the results aside with --restart",
            path.display(),
            form.name()
        ));
    }
    let pace = Pace { threads: arguments.threads.count(), lock_step: arguments.lock_step.into() };
    let peak_before = RunFacts::read(&results).peak_bytes();
    // The manifest of a program that calls may be a hidden file.
    let name = stem.to_string_lossy();
    let gathered = HostFacts::gather(name.trim_start_matches('.'), pace);
    let mut host = HostFacts { engines, peak_bytes: peak_before, ..gathered };
    warn_without_lock(log.is_locked(), &results.log());
    let live = Live::new(plan, shard, log.log())?;
    let tells = !arguments.quiet && arguments.output.is_text();
    let (played_before, missing) = (log.log().len(), live.left());
    // If nothing changes, the derived files must come out as they are.
    let cleared = if missing > 0 || log.has_new_facts() { results.remove_derived() } else { Ok(()) };
    let prepared = cleared.and_then(|()| results.write_manifest(plan.manifest()));
    prepared.and_then(|()| results.write("host.toml", host.to_toml()))?;
    if tells && played_before > 0 {
        let (done, are) = (counted(played_before, "trial"), is_or_are(played_before));
        let (missing, left) = (with_thousands(missing), is_or_are(missing));
        tell(format_args!("{done} {are} in the log already, {missing} {left} left to play"));
    }
    let is_done = |trial: &Trial| log.log().holds(trial);
    let unfinished = Unfinished::open(&results.unfinished(), plan, &fingerprints, &path, is_done)?;
    if tells && unfinished.begun() > 0 {
        let begun = counted(unfinished.begun() as u64, "trial");
        tell(format_args!("{begun} resumed: long decisions are not made again"));
    }
    let wanted = live.wanted(log.log());
    let watch = arguments.watch_shards.zip(base);
    let is_decided = |base| live.decider(base, shard.step());
    let _watching = watch.map(|(every, base)| watch_shards(is_decided(base), every)).transpose()?;
    let mut times = TimesWriter::new(&results.times(), plan)?;
    let form =
        if arguments.quiet && arguments.progress == Form::Auto { Form::None } else { arguments.progress };
    let mut progress = Progress::new(plan, live, form);
    let ended = {
        let mut sinks: [&mut dyn Sink; 3] = [&mut log, &mut times, &mut progress];
        let _quiet = SilentPanics::begin();
        run_plan(plan, pace, &wanted, stop, Some(&unfinished), &mut sinks)
    };
    progress.finish();
    EngineFacts::add_pings(&mut host.engines, plan);
    if missing > 0 {
        host.peak_bytes = peak_before.max(peak_bytes());
    }
    results.write("host.toml", host.to_toml())?;
    let ended_by = limit.and_then(TimeLimit::finish);
    // From here on a signal does not interrupt, and the report may search.
    stop.store(false, Ordering::Relaxed);
    abandon_searches(false);
    let ended = ended?;
    if missing > 0 {
        times.flush()?;
    }
    match (ended, ended_by) {
        (Ended::Stopped, None) => Err(CommandError::Interrupted(how_to_go_on(arguments))),
        (Ended::Stopped, ended_by) => Ok(Played { results, log, ended_by }),
        (Ended::Complete, _) => Ok(Played { results, log, ended_by: None }),
    }
}

fn how_to_go_on(arguments: &RunArguments) -> String {
    if arguments.smoke {
        return "stopped; a smoke run keeps nothing".into();
    }
    let words: Vec<OsString> = match Call::now() {
        Some(call) => call.words().iter().map(Into::into).collect(),
        None => std::env::args_os().skip(1).collect(),
    };
    let words = words.iter().filter(|word| *word != "--restart").map(|word| shell_path(Path::new(word)));
    let command = words.collect::<Vec<_>>().join(" ");
    format!("stopped; the finished trials are in the log. Resume with the same command: `shikou {command}`")
}
