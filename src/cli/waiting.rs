//! A sign of life of work that may take long and knows no end.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::output::tell;
use crate::report::long_duration;
use crate::search::Clock;

/// The time before the first line; each pause is twice as long as the one before.
const FIRST: Duration = Duration::from_secs(5);

/// Does the work, and meanwhile tells that it goes on, after five seconds for the first time: `still solving after 5 s; …`.
pub(super) fn waiting<T>(doing: &str, advice: &str, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    let tell_now_and_then = move || {
        let (clock, mut pause) = (Clock::start(), FIRST);
        while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            tell(format_args!(
                "still {doing} after {}; {advice}",
                long_duration(clock.elapsed().as_secs_f64())
            ));
            pause *= 2;
        }
    };
    thread::scope(|scope| {
        // Without a thread it is silent.
        let _ = thread::Builder::new().spawn_scoped(scope, tell_now_and_then);
        let found = work();
        drop(done);
        found
    })
}
