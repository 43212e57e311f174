/// Does work that rayon divides: on the threads of the current pool, else on one thread for each processor that is granted, else, if the
/// system starts no thread, on this one.
///
/// rayon's own pool for all is not used: where it cannot be started, each use panics.
#[cfg(feature = "rayon")]
pub fn divided<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    use std::sync::OnceLock;

    use rayon::{ThreadPool, ThreadPoolBuilder};

    static ALL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let start = || ThreadPoolBuilder::new().num_threads(Granted::here().threads).build().ok();
    if let Some(pool) = ALL.get_or_init(start) {
        return pool.install(work);
    }
    // From then on this thread is the pool. If it cannot be, it is one already.
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    work()
}

/// The variables with which a scheduler says how many processors a task may use.
const GRANTS: [&str; 4] = ["SLURM_CPUS_PER_TASK", "NSLOTS", "PBS_NP", "OMP_NUM_THREADS"];

/// The processors that this process may use: the least of those that it sees and those that a scheduler granted. Not every
/// scheduler hides the others: a task then sees the whole machine, which it shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Granted {
    /// As many threads.
    pub threads: usize,
    /// The variable that granted fewer than are seen.
    pub by: Option<&'static str>,
    /// The processors that are seen.
    pub seen: usize,
}

impl Granted {
    /// Of this process.
    pub fn here() -> Self {
        let seen = std::thread::available_parallelism().map_or(1, usize::from);
        Self::of(seen, |name| std::env::var(name).ok())
    }

    fn of(seen: usize, variable: impl Fn(&str) -> Option<String>) -> Self {
        let granted = GRANTS.into_iter().filter_map(|name| {
            // `OMP_NUM_THREADS` may be a list, one number for each level.
            let number = variable(name)?.split(',').next()?.trim().parse().ok()?;
            (1..seen).contains(&number).then_some((number, name))
        });
        match granted.min_by_key(|&(number, _)| number) {
            Some((threads, name)) => Self { threads, by: Some(name), seen },
            None => Self { threads: seen, by: None, seen },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_grant_counts() {
        let of = |variables: &[(&str, &str)]| {
            let found =
                |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, v)| (*v).into());
            let Granted { threads, by, seen } = Granted::of(64, found);
            assert_eq!(seen, 64);
            (threads, by)
        };
        assert_eq!(of(&[]), (64, None));
        assert_eq!(of(&[("NSLOTS", "8"), ("OMP_NUM_THREADS", "4,2")]), (4, Some("OMP_NUM_THREADS")));
        assert_eq!(of(&[("SLURM_CPUS_PER_TASK", "3"), ("PBS_NP", "16")]), (3, Some("SLURM_CPUS_PER_TASK")));
        // More than there is, and what is no number, grants nothing less.
        assert_eq!(of(&[("NSLOTS", "64"), ("PBS_NP", "0"), ("OMP_NUM_THREADS", "true")]), (64, None));
    }
}
