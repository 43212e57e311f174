//! Signals that ask a command to stop: SIGINT, SIGTERM, SIGHUP; Ctrl-C on Windows.

/// Calls a handler at each signal that asks to stop. A signal that the parent process told this one to ignore stays ignored,
/// so `nohup` protects a run. If no handler can be set, a signal ends the program as usual.
pub(super) fn on_signal(handler: impl FnMut() + Send + 'static) {
    let ignored = ignored();
    let _ = ctrlc::set_handler(handler);
    ignore(&ignored);
}

#[cfg(unix)]
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// The signals that this process ignores.
#[cfg(unix)]
fn ignored() -> Vec<libc::c_int> {
    let is_ignored = |&signal: &libc::c_int| {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        #[expect(unsafe_code, reason = "there is no safe way to read the action of a signal")]
        // SAFETY: without a new action the call only writes the present one, to a place that is large enough; a struct of
        // zeros is a valid one.
        unsafe {
            let read = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
            read == 0 && action.assume_init().sa_sigaction == libc::SIG_IGN
        }
    };
    SIGNALS.into_iter().filter(is_ignored).collect()
}

#[cfg(unix)]
fn ignore(signals: &[libc::c_int]) {
    for &signal in signals {
        #[expect(unsafe_code, reason = "the handler's library replaces the action of each signal")]
        // SAFETY: ignoring one of these signals calls no code.
        unsafe {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
}

#[cfg(not(unix))]
const fn ignored() -> [i32; 0] {
    []
}

#[cfg(not(unix))]
const fn ignore(_: &[i32]) {}
