//! Kernels compiled for the SIMD level of the processor, chosen at run time.
//!
//! A hot loop is written once, as a [`Kernel`]; [`accelerate`] compiles a second copy of it for x86-64-v3 (AVX2, BMI,
//! POPCNT, LZCNT) and runs that copy if the processor has these. So a plain `cargo build --release` is as fast as a build
//! for one machine. Rejected: `target-cpu=native`. Its binaries run on few machines, and on AVX-512 machines its
//! vectoriser slows scalar bitboard code.
//!
//! The results of a kernel do not depend on the copy: it computes with integers, and no floating-point operations are
//! fused.

use super::Path;

/// A piece of work worth compiling for better instructions: thousands of plies, not one.
pub trait Kernel {
    /// The result of the work.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`, and so must every function that should use the
    /// better instructions.
    fn run(self) -> Self::Output;
}

/// The instructions of this processor. A search that runs a kernel at every node detects them once and keeps them.
///
/// # Example
/// ```
/// use shikou::game::{Kernel, SimdLevel};
/// struct Six;
/// impl Kernel for Six {
///     type Output = u32;
///     #[inline(always)]
///     fn run(self) -> u32 {
///         6
///     }
/// }
/// assert_eq!(SimdLevel::detect().run(Six), 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SimdLevel {
    /// Whether the processor has x86-64-v3. Only `detect` may set it.
    v3: bool,
}

impl SimdLevel {
    /// Detects the instructions of this processor, as far as nothing [limits](Path::limit) them.
    ///
    /// # Cost
    /// A few loads and comparisons, after the first call.
    #[inline]
    pub fn detect() -> Self {
        // The path needs the same features.
        Self { v3: Path::Avx2.is_available() }
    }

    /// Runs the kernel with the best instructions of this processor.
    ///
    /// # Cost
    /// A comparison, and the work.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self.v3 {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that `v3` is compiled for; `detect` found them.
            return unsafe { v3(kernel) };
        }
        kernel.run()
    }
}

/// Runs the kernel with the best instructions of this processor.
///
/// # Cost
/// About a nanosecond, and the work.
#[inline]
pub fn accelerate<K: Kernel>(kernel: K) -> K::Output {
    SimdLevel::detect().run(kernel)
}

/// A function that is compiled for the processor, and its arguments.
pub(crate) struct Call<F, A>(pub(crate) F, pub(crate) A);

impl<F: FnOnce(A) -> T, A, T> Kernel for Call<F, A> {
    type Output = T;

    #[inline(always)]
    fn run(self) -> T {
        self.0(self.1)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn v3<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
