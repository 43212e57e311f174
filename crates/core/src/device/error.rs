//! Reasons why a GPU cannot be used, with what to do about it.

use std::fmt;

/// A reason why the GPU cannot play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// This program was built without the feature `cuda`.
    NotBuilt,
    /// The driver's library cannot be loaded.
    NoDriver,
    /// The library that compiles kernels cannot be loaded.
    NoCompiler,
    /// The driver gives no GPU, for this reason.
    NoGpu(String),
    /// A kernel does not compile, for this reason.
    Kernel(String),
    /// The GPU failed while it played, for this reason.
    Failed(String),
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt => f.write_str("this program is built without CUDA; build it with `--features cuda`"),
            Self::NoDriver => f.write_str(
                "the library of NVIDIA's driver (libcuda.so, nvcuda.dll) cannot be loaded; install the driver, or set \
                 LD_LIBRARY_PATH",
            ),
            Self::NoCompiler => f.write_str(
                "the library that compiles kernels (libnvrtc.so 12 or later) cannot be loaded; install NVRTC of the CUDA \
                 toolkit, or set LD_LIBRARY_PATH",
            ),
            Self::NoGpu(reason) => {
                write!(f, "the driver gives no GPU: {reason}; see what `nvidia-smi` says, and CUDA_VISIBLE_DEVICES")
            }
            Self::Kernel(reason) => {
                write!(f, "the kernel does not compile: {reason}; CUDA 12 or later is needed")
            }
            Self::Failed(reason) => {
                write!(f, "the GPU failed: {reason}; without `--path cuda` the results are the same bytes")
            }
        }
    }
}

impl std::error::Error for DeviceError {}
