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

/// Runs the kernel with the best instructions of this processor.
///
/// # Cost
/// About a nanosecond beside the work.
#[inline]
pub fn accelerate<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("lzcnt") {
            #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
            // SAFETY: the processor has every feature that `v3` is compiled for; they were just detected.
            return unsafe { v3(kernel) };
        }
    }
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn v3<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
