//! Playouts on a GPU: the launch of a kernel, and the text that all kernels share.
//!
//! The key decision: a kernel is text that two compilers read. CUDA compiles it when a run begins, so that a build needs
//! nothing of CUDA; a C++ compiler reads the same text in the tests, so that a machine without a GPU holds every line
//! that plays to the plain loop. Rejected: a kernel in Rust, which needs a nightly compiler, and WGSL, which has no 64-bit
//! words.
//!
//! All that passes between the processor and the GPU are words of 64 bits. Sums are of integers, so the order of threads
//! does not matter, and tallies are those of the plain loop to the bit.

#[cfg_attr(feature = "cuda", path = "cuda.rs")]
#[cfg_attr(not(feature = "cuda"), path = "absent.rs")]
mod driver;
mod launch;

use std::sync::OnceLock;

use driver::Loaded;
pub use launch::{DeviceError, Launch, Sums};

/// The name of the GPU, if it can be used.
///
/// # Errors
/// If this build has no CUDA, or the machine lacks the driver, the compiler or a GPU.
///
/// # Cost
/// The first call opens the GPU, which takes some tenths of a second; later calls are a load.
pub fn gpu() -> Result<&'static str, DeviceError> {
    driver::name()
}

/// The playouts of a game as a text that CUDA compiles.
pub struct Kernel {
    text: &'static str,
    loaded: OnceLock<Result<Loaded, DeviceError>>,
}

impl Kernel {
    /// A game's text: it defines `POSITION_WORDS`, and `play`, which plays one game out.
    pub const fn new(text: &'static str) -> Self {
        Self { text, loaded: OnceLock::new() }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        [include_str!("playouts.cu"), self.text, include_str!("entry.cu")].join("\n")
    }

    /// Plays on the GPU: for each request, in its place, its sums. Any number of threads may call at the same time.
    ///
    /// # Errors
    /// If there is no GPU, or it fails.
    ///
    /// # Cost
    /// The first call of a game compiles its kernel, which takes about a second.
    pub fn play(&self, launch: &Launch) -> Result<Vec<Sums>, DeviceError> {
        let loaded = self.loaded.get_or_init(|| driver::load(&self.text())).as_ref().map_err(Clone::clone)?;
        let Launch { rules, requests, count, threads } = launch;
        if *threads == 0 {
            return Ok(vec![Sums::default(); *count]);
        }
        loaded.play(rules, requests, *count, *threads).map(|words| Sums::of_words(&words))
    }
}
