//! The instruction sets of playouts and of the searches of single boards, and the GPU that plays large batches.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use super::options::OptionError;
use crate::device;

/// Whether the processor has some features of x86-64.
macro_rules! has {
    ($($feature:tt),+) => {{
        #[cfg(target_arch = "x86_64")]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        has
    }};
}

/// The instruction set that plays playouts, one or many, or a GPU. All paths give the same results; they differ only in
/// speed. Othello uses AVX-512 for single boards too: where a search looks at the moves after a move, and at the end
/// of the solver. A GPU plays only if it is asked for by name.
///
/// # Example
/// ```
/// use shikou::game::Path;
/// assert!(Path::best().is_available());
/// assert_eq!(Path::named("avx512"), Ok(Path::Avx512));
/// assert_eq!(Path::Portable.lack(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Path {
    /// One game after the other, on any processor.
    Portable,
    /// Vector registers of 256 bits: AVX2 with BMI1, BMI2, POPCNT and LZCNT.
    Avx2,
    /// Vector registers of 512 bits: AVX-512 as of Ice Lake and Zen 4 (F, BW, CD, DQ, VL, VBMI, VBMI2, VPOPCNTDQ and
    /// GFNI).
    Avx512,
    /// A GPU, by CUDA (with the feature `cuda`). Batches that are too small for it are played by the processor.
    Cuda,
}

impl Path {
    /// All paths: those of the processor, the slowest first, and the GPU.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Cuda];

    /// The path of this name.
    ///
    /// # Errors
    /// If there is none. The error names the nearest.
    pub fn named(name: &str) -> Result<Self, OptionError> {
        let found = Self::ALL.into_iter().find(|path| path.name() == name);
        found.ok_or_else(|| OptionError::unknown("path", name, Self::ALL.map(Self::name)))
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Cuda => "cuda",
        }
    }

    /// Uses this path in the whole process, and slower ones where it cannot play. The first call decides, and comes before
    /// anything is played.
    pub fn limit(self) {
        let _ = MOST.set(self);
    }

    /// Whether this machine has what the path needs, and nothing [limits](Path::limit) the path to slower ones.
    ///
    /// # Cost
    /// A few loads; the first call for a GPU opens it.
    pub fn is_available(self) -> bool {
        MOST.get().is_none_or(|&most| self <= most) && self.is_there()
    }

    /// Why this machine cannot use the path, and for a GPU what to do; `None` if it [can](Path::is_available).
    pub fn lack(self) -> Option<String> {
        if self.is_available() {
            return None;
        }
        let lack = match self {
            Self::Cuda => device::gpu().err().map(|reason| format!("no GPU can play: {reason}")),
            _ => None,
        };
        Some(lack.unwrap_or_else(|| format!("this processor has no {self}")))
    }

    fn is_there(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => {
                static HAS: LazyLock<bool> =
                    LazyLock::new(|| has!("avx2", "bmi1", "bmi2", "popcnt", "lzcnt"));
                *HAS
            }
            Self::Avx512 => {
                static HAS: LazyLock<bool> = LazyLock::new(|| {
                    let has_newer = has!("avx512vbmi", "avx512vbmi2", "avx512vpopcntdq", "gfni");
                    has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
                        && has_newer
                        && Path::Avx2.is_there()
                });
                *HAS
            }
            Self::Cuda => device::gpu().is_ok(),
        }
    }

    /// The fastest path of this processor, or the GPU if the process is [limited](Path::limit) to it.
    ///
    /// # Cost
    /// A few loads, after the first call.
    #[inline]
    pub fn best() -> Self {
        MOST.get().copied().unwrap_or(Self::Avx512).or_slower()
    }

    /// The fastest path of this processor, but at most this one: for a game that has no kernel for a GPU, and for batches
    /// that are too small for it.
    #[must_use]
    #[inline]
    pub fn on_processor(self) -> Self {
        self.min(Self::Avx512).or_slower()
    }

    /// The fastest path that this machine has, but at most this one.
    #[must_use]
    #[inline]
    pub fn or_slower(self) -> Self {
        Self::ALL.into_iter().rfind(|&path| path <= self && path.is_available()).unwrap_or(Self::Portable)
    }
}

/// The fastest path that may be used.
static MOST: OnceLock<Path> = OnceLock::new();

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
