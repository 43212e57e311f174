use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, compile_ptx};

use super::launch::{DeviceError, Sums};

/// The threads of a block: `THREADS` in the kernel's text.
const BLOCK: u32 = 128;

/// The most threads of one launch; a multiple of a block.
const MOST: u64 = 1 << 30;

struct Gpu {
    context: Arc<CudaContext>,
    name: String,
}

static GPU: LazyLock<Result<Gpu, DeviceError>> = LazyLock::new(open);

fn open() -> Result<Gpu, DeviceError> {
    #[expect(unsafe_code, reason = "loading a library runs its initialisers")]
    // SAFETY: they are the libraries of the driver, which are made to be loaded by any program.
    let (has_driver, has_compiler) =
        unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
    if !has_driver {
        return Err(DeviceError::NoDriver);
    }
    if !has_compiler {
        return Err(DeviceError::NoCompiler);
    }
    let refused = |error: DriverError| DeviceError::NoGpu(error.to_string());
    let context = CudaContext::new(0).map_err(refused)?;
    let name = context.name().map_err(refused)?;
    Ok(Gpu { context, name })
}

pub(super) fn name() -> Result<&'static str, DeviceError> {
    GPU.as_ref().map(|gpu| gpu.name.as_str()).map_err(Clone::clone)
}

/// A compiled kernel.
pub(super) struct Loaded {
    context: &'static Arc<CudaContext>,
    function: CudaFunction,
}

/// Compiles a kernel. The code is for the oldest GPU that the compiler knows, and the driver translates it for this one.
pub(super) fn load(text: &str) -> Result<Loaded, DeviceError> {
    let gpu = GPU.as_ref().map_err(Clone::clone)?;
    let compiled = compile_ptx(text).map_err(|error| {
        DeviceError::Kernel(match error {
            CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
            other => other.to_string(),
        })
    })?;
    let kernel = |error: DriverError| DeviceError::Kernel(error.to_string());
    let module = gpu.context.load_module(compiled).map_err(kernel)?;
    let function = module.load_function("play_batches").map_err(kernel)?;
    Ok(Loaded { context: &gpu.context, function })
}

impl Loaded {
    /// Plays requests, `count` in number, with as many threads as they need. Returns the words of their tallies.
    pub(super) fn play(
        &self,
        rules: &[u64],
        requests: &[u64],
        count: usize,
        threads: u64,
    ) -> Result<Vec<u64>, DeviceError> {
        self.tallies(rules, requests, count, threads).map_err(|error| DeviceError::Failed(error.to_string()))
    }

    /// Each calling thread has a stream and memory of its own.
    fn tallies(
        &self,
        rules: &[u64],
        requests: &[u64],
        count: usize,
        threads: u64,
    ) -> Result<Vec<u64>, DriverError> {
        self.context.bind_to_thread()?;
        let stream = self.context.per_thread_stream();
        let words = [rules, requests].concat();
        let mut memory = MEMORY.take().unwrap_or_default();
        let mut input = memory.input.of_at_least(words.len(), &stream)?.slice_mut(..words.len());
        let mut tallies =
            memory.tallies.of_at_least(count * Sums::WORDS, &stream)?.slice_mut(..count * Sums::WORDS);
        stream.memcpy_htod(&words, &mut input)?;
        stream.memset_zeros(&mut tallies)?;
        let (rules, requests) = (input.slice(..rules.len()), input.slice(rules.len()..));
        let requests_count = count as u32;
        let mut base = 0_u64;
        while base < threads {
            let part = (threads - base).min(MOST);
            let config = LaunchConfig {
                grid_dim: (part.div_ceil(u64::from(BLOCK)) as u32, 1, 1),
                block_dim: (BLOCK, 1, 1),
                shared_mem_bytes: 0,
            };
            let mut call = stream.launch_builder(&self.function);
            call.arg(&rules).arg(&requests).arg(&requests_count).arg(&base).arg(&mut tallies);
            #[expect(unsafe_code, reason = "the arguments of a kernel are not typed")]
            // SAFETY: the arguments are those of `play_batches` in their order. It reads `count` requests of the rules'
            // game and writes a tally for each; the tests hold its text to the plain loop.
            unsafe {
                call.launch(config)?;
            }
            base += part;
        }
        // A copy that had to wait would hold up the other threads.
        stream.synchronize()?;
        let found = stream.clone_dtoh(&tallies)?;
        MEMORY.set(Some(memory));
        Ok(found)
    }
}

thread_local! {
    /// The memory of this thread's last call. To allocate for each call would make the threads wait for each other.
    static MEMORY: RefCell<Option<Memory>> = const { RefCell::new(None) };
}

/// Memory of the GPU that calls use again.
#[derive(Default)]
struct Memory {
    input: Words,
    tallies: Words,
}

/// Words on the GPU.
#[derive(Default)]
struct Words(Option<CudaSlice<u64>>);

impl Words {
    /// At least as many words, with any content.
    fn of_at_least(
        &mut self,
        count: usize,
        stream: &Arc<CudaStream>,
    ) -> Result<&mut CudaSlice<u64>, DriverError> {
        if self.0.as_ref().is_none_or(|words| words.len() < count) {
            self.0 = Some(stream.alloc_zeros(count.next_power_of_two())?);
        }
        Ok(self.0.as_mut().expect("it was just allocated"))
    }
}
