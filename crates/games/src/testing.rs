//! Help for tests of lanes and kernels: random games, and kernels as C++ programs, for machines without a GPU.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::device::{Kernel, Launch, Sums};
use crate::game::{Game, GameExt, Path, Turn};
use crate::rng::PlayoutRng;

/// Every position along a random game, the finished one too.
pub(crate) fn random_game<G: Game>(game: &G, mut draws: PlayoutRng) -> Vec<G::Position> {
    let mut positions = vec![game.start()];
    loop {
        let last = &positions[positions.len() - 1];
        let mv = match game.turn(last) {
            Turn::Player(_) => game.random_move(last, &mut draws),
            Turn::Chance => game.random_outcome(last, &mut draws),
            Turn::Over => return positions,
        };
        positions.push(game.after(last, mv));
    }
}

/// The paths with lanes that this processor has.
pub(crate) fn lane_paths() -> impl Iterator<Item = Path> {
    [Path::Avx2, Path::Avx512].into_iter().filter(|path| path.is_available())
}

/// A run of a kernel on the device.
type Run<'k> = &'k dyn Fn(&Launch) -> Vec<Sums>;

/// Checks the launches of a kernel, as a C++ program and on a GPU. Returns whether there is a GPU. What a machine lacks is skipped
/// by name.
pub(crate) fn check_kernel(kernel: &Kernel, game: &str, check: &dyn Fn(Run<'_>)) -> bool {
    match Emulated::new(kernel) {
        Some(emulated) => check(&|launch| emulated.play(launch)),
        None => eprintln!("skipped: the kernel as a C++ program (there is no g++)"),
    }
    match Path::Cuda.lack() {
        Some(reason) => eprintln!("skipped: playouts of {game} on a GPU ({reason})"),
        None => check(&|launch| kernel.play(launch).unwrap()),
    }
    Path::Cuda.is_available()
}

/// A kernel that a C++ compiler made into a program.
struct Emulated {
    folder: tempfile::TempDir,
}

impl Emulated {
    /// Compiles a kernel. `None` if there is no compiler.
    fn new(kernel: &Kernel) -> Option<Self> {
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

    fn play(&self, launch: &Launch) -> Vec<Sums> {
        let mut child =
            Command::new(self.program()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let head = [launch.rules.len() as u64, launch.count as u64, launch.threads];
        let words = head.iter().chain(&launch.rules).chain(&launch.requests);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        // The program reads everything before it writes anything.
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "the kernel failed");
        let (words, rest) = output.stdout.as_chunks();
        assert!(rest.is_empty());
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        Sums::of_words(&words)
    }
}
