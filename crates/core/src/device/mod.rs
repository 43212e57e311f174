//! Playouts on a GPU: the launch of a kernel, and the text that all kernels share.
//!
//! The key decision: a kernel is text that two compilers read. CUDA compiles it when a run begins, so that a build needs
//! nothing of CUDA; a C++ compiler reads the same text in the tests, so that a machine without a GPU holds every line
//! that plays to the plain loop. Rejected: a kernel in Rust, which needs a nightly compiler, and WGSL, which has no 64-bit
//! words.
//!
//! All that passes between the processor and the GPU are words of 64 bits. Sums are of integers, so the order of threads
//! does not matter, and tallies are those of the plain loop to the bit.
//!
//! | file | holds |
//! |---|---|
//! | `launch` | the words that a kernel reads: rules and requests |
//! | `kernel` | a game's kernel, compiled at its first launch |
//! | `playouts.cu`, `entry.cu` | the text before and after that of a game |
//! | `cuda`, `absent` | the driver of the GPU, with the feature `cuda` and without it |
//! | `error` | reasons why a GPU cannot be used |

#[cfg(not(feature = "cuda"))]
mod absent;
#[cfg(feature = "cuda")]
mod cuda;
mod error;
mod kernel;
mod launch;

#[cfg(not(feature = "cuda"))]
use absent as driver;
#[cfg(feature = "cuda")]
use cuda as driver;
pub use error::DeviceError;
pub use kernel::Kernel;
pub use launch::{Launch, Sums};

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
