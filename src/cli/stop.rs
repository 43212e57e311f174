//! When a run stops before its end: at a signal, and at a time limit. Signals that ask to stop are SIGINT, SIGTERM, SIGHUP, and
//! SIGUSR1 and SIGUSR2, which schedulers send before the end of a job; Ctrl-C on Windows.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::call::Call;
use super::error::{CommandError, Result, usage};
use super::output::tell;
use crate::engine::stop_engines;
use crate::game::options::{read_time, write_time};
use crate::search::abandon_searches;

/// The time for trials to finish after a run is told to stop.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The time that is left for a run to write its report, when the limit is that of the job.
const MARGIN: Duration = Duration::from_secs(5);

/// The time between the end of all decisions and that of the program, if something else goes on.
const LAST: Duration = Duration::from_secs(2);

/// The variables in which schedulers hold the end of a job, in seconds since 1970: Slurm, and Cobalt.
const ENDS: [&str; 2] = ["SLURM_JOB_END_TIME", "COBALT_ENDTIME"];

/// The variable that names the folder of the job's features (HSF-TN-2016-02): its files hold the start and the longest time.
const FEATURES: &str = "JOBFEATURES";

/// A time limit as it is typed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Given(Duration),
    /// The end of the job, by the scheduler.
    Auto,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" { Ok(Self::Auto) } else { time(text).map(Self::Given) }
    }
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    read_time(text)
        .ok_or_else(|| "expected a whole number with its unit, us, ms, s, min or h, such as 90s".into())
}

impl Limit {
    /// The time that is left now, if the limit is known.
    pub(super) fn left(self, grace: Duration) -> Result<Option<Duration>> {
        if let Self::Given(time) = self {
            return Ok(Some(time));
        }
        let Some(end) = end_of_job()? else {
            let names = ENDS.join(", ");
            tell(format_args!(
                "the end of the job is not known ({names} and {FEATURES} are not set): no time limit"
            ));
            return Ok(None);
        };
        let end = UNIX_EPOCH + Duration::from_secs(end);
        #[expect(clippy::disallowed_methods, reason = "the end of a job is a time of day")]
        let left = end.duration_since(SystemTime::now()).unwrap_or_default();
        Ok(Some(left.saturating_sub(grace + MARGIN)))
    }
}

/// The end of the job by its scheduler, in seconds since 1970, if it is known.
fn end_of_job() -> Result<Option<u64>> {
    let seconds = |what: &str, text: &str| {
        let number = text.trim().parse::<u64>().ok().filter(|&seconds| seconds < 1 << 40);
        number.ok_or_else(|| usage!("{what}={} is no number of seconds", text.trim()))
    };
    let set = ENDS.into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    if let Some((name, text)) = set {
        return seconds(name, &text).map(Some);
    }
    let Some(folder) = std::env::var_os(FEATURES).map(PathBuf::from) else { return Ok(None) };
    let mut end = 0;
    for name in ["jobstart_secs", "wall_limit_secs"] {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else { return Ok(None) };
        end += seconds(name, &text)?;
    }
    Ok(Some(end))
}

pub(super) struct TimeLimit {
    limit: Duration,
    reached: Arc<AtomicBool>,
    _cancel: Sender<()>,
}

impl TimeLimit {
    /// Sets `stop` when the time is over. Running trials then have the time of `grace` to finish. After it all decisions are
    /// dropped, and if that does not end the run, the program ends with these words.
    pub(super) fn start(
        limit: Option<Duration>,
        stop: &Arc<AtomicBool>,
        grace: Duration,
        words: String,
    ) -> Result<Option<Self>> {
        let Some(limit) = limit else { return Ok(None) };
        let (stop, reached) = (Arc::clone(stop), Arc::new(AtomicBool::new(false)));
        let (cancel, cancelled) = mpsc::channel();
        let flag = Arc::clone(&reached);
        let watch = move || {
            let lasts = |time: Duration| cancelled.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !lasts(limit) {
                return;
            }
            flag.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
            if !lasts(grace) {
                return;
            }
            drop_decisions();
            if lasts(LAST) {
                Self::reached(limit, &words).exit();
            }
        };
        let watching = std::thread::Builder::new().spawn(watch);
        watching.map_err(|error| CommandError::no_threads(1, &error))?;
        Ok(Some(Self { limit, reached, _cancel: cancel }))
    }

    /// The limit, if it was reached. The time is no longer counted.
    pub(super) fn finish(self) -> Option<Duration> {
        self.reached.load(Ordering::Relaxed).then_some(self.limit)
    }

    /// The end of a run by its limit, with the next step.
    pub(super) fn reached(limit: Duration, words: &str) -> CommandError {
        CommandError::Interrupted(format!("the time limit of {} is reached: {words}", write_time(limit)))
    }
}

/// Drops all decisions, of searches and of engines: their trials stay unplayed.
fn drop_decisions() {
    abandon_searches(true);
    stop_engines();
}

/// A flag that a signal sets. Running trials then have the time of `grace` to finish; after it their decisions are dropped. If
/// that does not end the run, or at a second signal, the program ends with these words.
pub(super) fn stop_on_signal(grace: Duration, words: String) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // The time limit sets the flag as well.
    let mut is_signalled = false;
    on_signal(move || {
        if std::mem::replace(&mut is_signalled, true) {
            CommandError::Interrupted(words.clone()).exit();
        }
        flag.store(true, Ordering::Relaxed);
        let (last, flag) = (words.clone(), Arc::clone(&flag));
        let wait = move || {
            std::thread::sleep(grace);
            if flag.load(Ordering::Relaxed) {
                drop_decisions();
                std::thread::sleep(LAST);
            }
            if flag.load(Ordering::Relaxed) {
                CommandError::Interrupted(last).exit();
            }
        };
        if std::thread::Builder::new().spawn(wait).is_err() {
            CommandError::Interrupted(words.clone()).exit();
        }
    });
    stop
}

/// Calls a handler at each signal that asks to stop. A signal that the parent process told this one to ignore stays ignored,
/// so `nohup` protects a run. If no handler can be set, a signal ends the program as usual.
pub(super) fn on_signal(handler: impl FnMut() + Send + 'static) {
    match Call::now() {
        Some(call) => call.on_interrupt(handler),
        None => take_signals(handler),
    }
}

#[cfg(unix)]
fn take_signals(mut handler: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::Signals;

    let (set, is_set) = std::sync::mpsc::channel();
    // Signals are taken by the thread that waits for them: if the system starts none, they act as usual.
    let wait = move || {
        let signals =
            [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2].into_iter().filter(|&signal| !is_ignored(signal));
        let mut signals = Signals::new(signals);
        let _ = set.send(());
        for _ in signals.iter_mut().flat_map(Signals::forever) {
            handler();
        }
    };
    if std::thread::Builder::new().name("signals".into()).spawn(wait).is_ok() {
        let _ = is_set.recv();
    }
}

/// Lets a write fail that makes a file larger than the system allows: else SIGXFSZ ends the program without a word.
#[cfg(unix)]
pub(super) fn survive_full_files() {
    let flag = std::sync::Arc::default();
    let _ = signal_hook::flag::register(libc::SIGXFSZ, flag);
}

#[cfg(not(unix))]
pub(super) const fn survive_full_files() {}

/// Whether this process ignores a signal.
#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    #[expect(unsafe_code, reason = "there is no safe way to read the action of a signal")]
    // SAFETY: without a new action the call only writes the present one, to a place that is large enough; a struct of
    // zeros is a valid one.
    unsafe {
        let read = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        read == 0 && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
fn take_signals(handler: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(handler);
}
