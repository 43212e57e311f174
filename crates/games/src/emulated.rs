//! A kernel as a C++ program, for machines without a GPU.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::device::{Kernel, Launch, Sums};

/// A kernel that a C++ compiler made into a program.
pub(crate) struct Emulated {
    folder: tempfile::TempDir,
}

impl Emulated {
    /// Compiles a kernel. `None` if there is no compiler.
    pub(crate) fn new(kernel: &Kernel) -> Option<Self> {
        let emulated = Self { folder: tempfile::tempdir().unwrap() };
        let text = emulated.folder.path().join("kernel.cpp");
        std::fs::write(&text, kernel.text()).unwrap();
        let checks = ["-Wall", "-Wextra", "-Werror", "-fsanitize=undefined,address", "-fno-sanitize-recover"];
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-O1"]).args(checks).arg(&text).arg("-o").arg(emulated.program());
        let built = compiler.output().ok()?;
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Some(emulated)
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("kernel")
    }

    /// Plays a launch.
    pub(crate) fn play(&self, launch: &Launch) -> Vec<Sums> {
        let mut child =
            Command::new(self.program()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let head = [launch.rules.len() as u64, launch.count as u64, launch.threads];
        let words = head.iter().chain(&launch.rules).chain(&launch.requests);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        // It reads everything before it writes anything.
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "the kernel failed");
        let (words, rest) = output.stdout.as_chunks();
        assert!(rest.is_empty());
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        Sums::of_words(&words)
    }
}
