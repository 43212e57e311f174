//! Work that is divided among threads, where the system may start none.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Does work that rayon divides: on the threads of the current pool, else on one thread for each processor, else, if the
/// system starts no thread, on this one.
///
/// rayon's own pool for all is not used: where it cannot be started, each use panics.
pub(crate) fn divided<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static ALL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    if rayon::current_thread_index().is_some() {
        return work();
    }
    if let Some(pool) = ALL.get_or_init(|| ThreadPoolBuilder::new().build().ok()) {
        return pool.install(work);
    }
    // From then on this thread is the pool. If it cannot be, it is one already.
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    work()
}
