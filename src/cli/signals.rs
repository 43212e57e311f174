//! Signals that ask a command to stop: SIGINT, SIGTERM, SIGHUP, and SIGUSR1 and SIGUSR2, which schedulers send before the end of a
//! job; Ctrl-C on Windows.

/// Calls a handler at each signal that asks to stop. A signal that the parent process told this one to ignore stays ignored,
/// so `nohup` protects a run. If no handler can be set, a signal ends the program as usual.
#[cfg(unix)]
pub(super) fn on_signal(mut handler: impl FnMut() + Send + 'static) {
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
pub(super) fn on_signal(handler: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(handler);
}
