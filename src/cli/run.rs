//! `shikou run`: a manifest in, results and a report out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use super::arguments::RunArguments;
use super::conclude::{Format, Goal, Manner, conclude, reference_of};
use super::failure::Failure;
use super::output::tell;
use super::progress::{Form, Progress};
use crate::experiment::{
    Ended, HostFacts, Live, LogError, LogWriter, Manifest, Pace, Plan, Results, Share, Sink, TimesWriter,
    Unfinished, fingerprint, is_playing, run_resumably,
};
use crate::game::options::write_time;
use crate::players::Registry;
use crate::report::{counted, with_thousands};

/// How long trials that are being played may take to finish once the run is told to stop.
const GRACE: Duration = Duration::from_secs(2);

pub(super) fn run(registry: &Registry, arguments: &RunArguments) -> Result<(), Failure> {
    let mut manifest = Manifest::read(&arguments.manifest, registry)?;
    if arguments.smoke {
        manifest.reduce_to_smoke();
    }
    if !HostFacts::is_optimised() {
        tell("warning: this is a debug build; its times mean nothing. Use `cargo run --release`");
    }
    let stem = Path::new(arguments.manifest.file_stem().unwrap_or_default());
    let smoke = arguments.smoke.then(SmokeFolder::new);
    let path = match (&smoke, &arguments.out) {
        (Some(smoke), _) => smoke.0.clone(),
        (None, Some(out)) => out.clone(),
        (None, None) => Path::new("results").join(match arguments.shard {
            Share::WHOLE => stem.display().to_string(),
            share => format!("{}.{}", stem.display(), share.folder_suffix()),
        }),
    };
    let plan = Plan::new(&manifest);
    let Played { results, log, ended_by } = play_what_is_missing(&plan, stem, &path, arguments)?;
    let goal = match (&smoke, arguments.shard) {
        (Some(_), _) => Goal::Trial,
        (None, Share::WHOLE) if ended_by.is_some() => Goal::SoFar(reference_of(stem)),
        (None, Share::WHOLE) => Goal::Whole(reference_of(stem)),
        (None, share) => Goal::Share(share),
    };
    let manner = Manner {
        quiet: arguments.quiet || arguments.smoke,
        format: Format::json_or_text(arguments.json),
        check: arguments.check,
    };
    conclude("run", &results, &plan, log.log(), &goal, manner)?;
    match ended_by {
        None => Ok(()),
        Some(limit) => {
            let words = how_to_go_on(arguments);
            Err(Failure::Interrupted(format!("the time limit of {} is reached: {words}", write_time(limit))))
        }
    }
}

/// What came of playing.
struct Played<'p> {
    results: Results,
    /// Locked until all that follows from it is written.
    log: LogWriter<'p>,
    /// The time limit that ended it, if one did.
    ended_by: Option<Duration>,
}

/// Plays the trials of the plan that are not in the folder's log yet.
fn play_what_is_missing<'p>(
    plan: &'p Plan<'p>,
    stem: &Path,
    path: &Path,
    arguments: &RunArguments,
) -> Result<Played<'p>, Failure> {
    let system = |error: std::io::Error| Failure::System(error.to_string());
    let log_failure = |error: LogError| Failure::System(error.to_string());
    let results = Results::create(path).map_err(system)?;
    if arguments.restart {
        results.move_aside().map_err(system)?;
    }
    let mut log = LogWriter::open(&results.log(), plan, &fingerprint()).map_err(log_failure)?;
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let pace = Pace { threads, lock_step: arguments.lock_step.into() };
    let host = HostFacts::gather(&stem.to_string_lossy(), pace);
    let host = toml::to_string(&host).expect("host facts are TOML");
    let prepared = results.remove_derived().and_then(|()| results.write_manifest(plan.manifest));
    prepared.and_then(|()| results.write("host.toml", host)).map_err(system)?;

    let live = Live::new(plan, arguments.shard, log.log()).map_err(log_failure)?;
    let (played_before, missing) = (log.log().len(), live.left());
    if !arguments.quiet && !arguments.json && played_before > 0 {
        let (done, missing) = (with_thousands(played_before), with_thousands(missing));
        tell(format_args!("{done} trials are in the log already, {missing} are to be played"));
    }
    let unfinished =
        Unfinished::open(&results.unfinished(), plan, log.log(), &fingerprint()).map_err(system)?;
    if !arguments.quiet && !arguments.json && unfinished.begun() > 0 {
        let begun = counted(unfinished.begun() as u64, "trial");
        tell(format_args!("{begun} begun before: decisions of a second and more are not made again"));
    }
    let wanted = live.wanted(log.log());
    let stop = stop_on_signal(arguments);
    let limit = TimeLimit::start(arguments.time_limit.or(plan.manifest.time_limit), &stop);
    let mut times = TimesWriter::new(&results.times(), plan).map_err(system)?;
    let form =
        if arguments.quiet && arguments.progress == Form::Auto { Form::None } else { arguments.progress };
    let mut progress = Progress::new(plan, live, form);
    let ended = {
        let mut sinks: [&mut dyn Sink; 3] = [&mut log, &mut times, &mut progress];
        let _quiet = SilentPanics::begin();
        run_resumably(plan, pace, &wanted, &stop, &unfinished, &mut sinks)
    };
    progress.finish();
    let ended_by = limit.and_then(TimeLimit::finish);
    // Whatever comes now is finished, signal or not.
    stop.store(false, Ordering::Relaxed);
    let ended = ended.map_err(system)?;
    if missing > 0 {
        times.flush().map_err(system)?;
    }
    match (ended, ended_by) {
        (Ended::Stopped, None) => Err(Failure::Interrupted(how_to_go_on(arguments))),
        (Ended::Stopped, ended_by) => Ok(Played { results, log, ended_by }),
        (Ended::Complete, _) => Ok(Played { results, log, ended_by: None }),
    }
}

/// The time that a run may take.
struct TimeLimit {
    limit: Duration,
    reached: Arc<AtomicBool>,
    _cancel: Sender<()>,
}

impl TimeLimit {
    /// Sets `stop` when the time is over.
    fn start(limit: Option<Duration>, stop: &Arc<AtomicBool>) -> Option<Self> {
        let limit = limit?;
        let (stop, reached) = (Arc::clone(stop), Arc::new(AtomicBool::new(false)));
        let (cancel, cancelled) = mpsc::channel();
        let flag = Arc::clone(&reached);
        std::thread::spawn(move || {
            if cancelled.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        });
        Some(Self { limit, reached, _cancel: cancel })
    }

    /// The limit, if it was reached. The time is no longer counted.
    fn finish(self) -> Option<Duration> {
        self.reached.load(Ordering::Relaxed).then_some(self.limit)
    }
}

fn how_to_go_on(arguments: &RunArguments) -> String {
    let mut command = format!("shikou run {}", arguments.manifest.display());
    if let Some(out) = &arguments.out {
        let _ = write!(command, " --out {}", out.display());
    }
    if arguments.shard != Share::WHOLE {
        let _ = write!(command, " --shard {}", arguments.shard);
    }
    format!("stopped; what was finished is in the log. Go on with the same command: `{command}`")
}

/// A flag that SIGINT and SIGTERM set. Trials that are being played then have a little time to finish; after it,
/// or at a second signal, they are dropped.
fn stop_on_signal(arguments: &RunArguments) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, words) = (Arc::clone(&stop), how_to_go_on(arguments));
    // Time that is over sets the flag as well.
    let signalled = AtomicBool::new(false);
    let handler = move || {
        if signalled.swap(true, Ordering::Relaxed) {
            Failure::Interrupted(words.clone()).exit();
        }
        flag.store(true, Ordering::Relaxed);
        let (words, flag) = (words.clone(), Arc::clone(&flag));
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            if flag.load(Ordering::Relaxed) {
                Failure::Interrupted(words).exit();
            }
        });
    };
    // Where no handler can be set a signal ends the program as ever, and the log holds all the same.
    let _ = ctrlc::set_handler(handler);
    stop
}

/// A folder for a trial run of the manifest, gone afterwards.
struct SmokeFolder(PathBuf);

impl SmokeFolder {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("shikou-smoke-{}", std::process::id())))
    }
}

impl Drop for SmokeFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// While it lives, panics of trials print nothing: they stand in their rows. All others print as ever.
pub(super) struct SilentPanics(Arc<PanicHook>);

type PanicHook = dyn Fn(&std::panic::PanicHookInfo<'_>) + Send + Sync;

impl SilentPanics {
    pub(super) fn begin() -> Self {
        let usual: Arc<PanicHook> = Arc::from(std::panic::take_hook());
        let silent = Arc::clone(&usual);
        std::panic::set_hook(Box::new(move |info| {
            if !is_playing() {
                silent(info);
            }
        }));
        Self(usual)
    }
}

impl Drop for SilentPanics {
    fn drop(&mut self) {
        // A thread that panics may not touch the hook.
        if !std::thread::panicking() {
            let usual = Arc::clone(&self.0);
            std::panic::set_hook(Box::new(move |info| usual(info)));
        }
    }
}
