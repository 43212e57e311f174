//! The faster instructions of the machine, chosen at run time.
//!
//! A hot loop is written once, as a [`Kernel`]; [`accelerate`] holds a copy of it that is compiled for
//! x86-64-v3 (AVX2, BMI, POPCNT, LZCNT) and runs that one where the processor has them. So a plain
//! `cargo build --release` is as fast as one for the machine at hand. Rejected: `target-cpu=native`, which
//! makes binaries that do not travel and lets the vectoriser spoil scalar bitboard code on AVX-512 machines.
//!
//! The results of a kernel do not depend on the copy: integers are integers, and nothing is fused.

/// A piece of work worth compiling for better instructions: thousands of plies, not one.
pub trait Kernel {
    /// What the work gives.
    type Output;

    /// Does the work. Implementations must be `#[inline(always)]`, and so must all that should gain.
    fn run(self) -> Self::Output;
}

/// What is known of this processor. It is asked once; a search that runs a kernel at every node asks it before
/// and keeps it.
///
/// # Example
/// ```
/// use shikou::game::{Kernel, Machine};
/// struct Six;
/// impl Kernel for Six {
///     type Output = u32;
///     #[inline(always)]
///     fn run(self) -> u32 {
///         6
///     }
/// }
/// assert_eq!(Machine::detect().run(Six), 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Whether it has x86-64-v3. Nothing but `detect` may set it.
    v3: bool,
}

impl Machine {
    /// Asks the processor.
    ///
    /// # Cost
    /// Some loads and comparisons.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            Self { v3: has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt") }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self { v3: false }
    }

    /// Runs the kernel with the best instructions of this processor.
    ///
    /// # Cost
    /// A comparison beside the work.
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
/// About a nanosecond beside the work.
#[inline]
pub fn accelerate<K: Kernel>(kernel: K) -> K::Output {
    Machine::detect().run(kernel)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn v3<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
