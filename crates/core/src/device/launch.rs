/// The words before the position in a request: its first thread, its playouts, their key, the number of the first.
const HEAD: usize = 4;

/// The threads that add up their results before they touch a tally.
const WARP: u64 = 32;

/// The sums of a request's playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub(crate) plies: u64,
    pub(crate) payoffs: i64,
    /// The squares of the payoffs.
    pub(crate) squares: u64,
}

impl Sums {
    pub(super) const WORDS: usize = 3;

    /// The sums in the words that a kernel wrote.
    pub fn of_words(words: &[u64]) -> Vec<Self> {
        let (tallies, _) = words.as_chunks::<{ Self::WORDS }>();
        let sums = |&[plies, payoffs, squares]: &[u64; 3]| Self { plies, payoffs: payoffs as i64, squares };
        tallies.iter().map(sums).collect()
    }
}

/// Playouts of many requests with one game's rules: what one call of a kernel plays.
///
/// A request with at least as many playouts as a warp has threads begins with a new warp, so that its sums take one
/// addition for each warp.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The rules, in words that only the kernel of the game knows.
    pub rules: Vec<u64>,
    /// The requests, each of equally many words.
    pub requests: Vec<u64>,
    /// The number of requests.
    pub count: usize,
    /// The number of threads.
    pub threads: u64,
}

impl Launch {
    /// No requests yet.
    pub fn new(rules: &[u64]) -> Self {
        Self { rules: rules.into(), requests: Vec::new(), count: 0, threads: 0 }
    }

    /// Whether no request was added.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds the playouts of a position: `count` of them under `key`, numbered from `first`.
    ///
    /// # Panics
    /// If the positions do not all have equally many words, or the playouts of all requests exceed 2⁶³.
    pub fn push(&mut self, key: u64, first: u64, count: u64, position: &[u64]) {
        if count >= WARP {
            self.threads = self.threads.next_multiple_of(WARP);
        }
        self.requests.extend([self.threads, count, key, first]);
        self.requests.extend(position);
        self.count += 1;
        assert_eq!(self.requests.len(), self.count * (HEAD + position.len()), "all positions are alike");
        self.threads =
            self.threads.checked_add(count).filter(|&threads| threads >> 63 == 0).expect("too many playouts");
    }
}

/// A reason why the GPU cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The program was built without the feature `cuda`.
    #[error("this program is built without CUDA; build it with `--features cuda`")]
    NotBuilt,
    /// The driver's library cannot be loaded.
    #[error(
        "the library of NVIDIA's driver (libcuda.so, nvcuda.dll) cannot be loaded; install the driver, or set \
         LD_LIBRARY_PATH"
    )]
    NoDriver,
    /// The library that compiles kernels cannot be loaded.
    #[error(
        "the library that compiles kernels (libnvrtc.so 12 or later) cannot be loaded; install NVRTC of the CUDA \
         toolkit, or set LD_LIBRARY_PATH"
    )]
    NoCompiler,
    /// The driver gives no GPU, for this reason.
    #[error("the driver gives no GPU: {0}; see what `nvidia-smi` says, and CUDA_VISIBLE_DEVICES")]
    NoGpu(String),
    /// A kernel does not compile, for this reason.
    #[error("the kernel does not compile: {0}; CUDA 12 or later is needed")]
    Kernel(String),
    /// The GPU failed while it played, for this reason.
    #[error("the GPU failed: {0}; without `--path cuda` the results are the same bytes")]
    Failed(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_playouts_begin_with_a_warp_and_few_do_not() {
        let mut launch = Launch::new(&[7]);
        for count in [3, 40, 0, 31, 32, 1] {
            launch.push(5, 9, count, &[1, 2]);
        }
        let firsts: Vec<u64> = launch.requests.chunks(6).map(|request| request[0]).collect();
        assert_eq!(firsts, [0, 32, 72, 72, 128, 160]);
        assert_eq!(launch.threads, 161);
        assert_eq!(launch.requests[6..12], [32, 40, 5, 9, 1, 2]);
    }

    #[test]
    fn sums_are_signed() {
        let sums = Sums::of_words(&[9, u64::MAX, 1, 4, 2, 2]);
        assert_eq!(sums[0], Sums { plies: 9, payoffs: -1, squares: 1 });
        assert_eq!(sums[1], Sums { plies: 4, payoffs: 2, squares: 2 });
    }
}
