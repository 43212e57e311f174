//! A game's kernel.

use std::sync::OnceLock;

use super::driver::{self, Loaded};
use super::{DeviceError, Launch, Sums};

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
