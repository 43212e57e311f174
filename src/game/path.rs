//! The instruction sets that play batches of playouts.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use super::options::OptionError;

/// The instruction set that plays a batch of playouts. All paths give the same results; they differ only in speed.
///
/// # Example
/// ```
/// use shikou::game::Path;
/// assert!(Path::best().is_available());
/// assert_eq!(Path::named("avx512"), Ok(Path::Avx512));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Path {
    /// One game after the other, on any processor.
    Portable,
    /// Vector registers of 256 bits: AVX2 with BMI.
    Avx2,
    /// Vector registers of 512 bits: AVX-512 as of Ice Lake and Zen 4 (with VBMI, VBMI2, VPOPCNTDQ and GFNI).
    Avx512,
}

impl Path {
    /// All paths, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

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
        }
    }

    /// Uses no faster path than this one in the whole process. The first call decides, and comes before anything is played.
    pub fn limit(self) {
        let _ = MOST.set(self);
    }

    /// Whether this processor has the instructions, and nothing [limits](Path::limit) the path to slower ones.
    pub fn is_available(self) -> bool {
        MOST.get().is_none_or(|&most| self <= most) && self.is_there()
    }

    fn is_there(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => {
                static HAS: LazyLock<bool> = LazyLock::new(has_avx2);
                *HAS
            }
            Self::Avx512 => {
                static HAS: LazyLock<bool> = LazyLock::new(has_avx512);
                *HAS
            }
        }
    }

    /// The fastest path that this processor has.
    ///
    /// # Cost
    /// A few loads, after the first call.
    #[inline]
    pub fn best() -> Self {
        Self::Avx512.or_slower()
    }

    /// The fastest path that this processor has, but at most this one.
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

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512f")
        && has!("avx512bw")
        && has!("avx512cd")
        && has!("avx512dq")
        && has!("avx512vbmi")
        && has!("avx512vbmi2")
        && has!("avx512vpopcntdq")
        && has!("gfni")
        && has!("bmi2")
        && has!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}
