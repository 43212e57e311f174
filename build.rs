//! Tells the program what it was built from and with.

use std::process::Command;

fn main() {
    let output = |program: &str, arguments: &[&str]| {
        let output =
            Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = output("git", &["describe", "--always", "--abbrev=12", "--dirty", "--exclude=*"]);
    let rustc = std::env::var("RUSTC").ok().and_then(|rustc| output(&rustc, &["--version"]));
    println!("cargo::rustc-env=SHIKOU_COMMIT={}", commit.unwrap_or_else(|| "unknown".into()));
    println!("cargo::rustc-env=SHIKOU_RUSTC={}", rustc.unwrap_or_else(|| "unknown".into()));
    println!(
        "cargo::rustc-env=SHIKOU_TARGET={}",
        std::env::var("TARGET").unwrap_or_else(|_| "unknown".into())
    );
    // A path that is not there would make every build a new one; git says where these are, also in a worktree.
    let git = output("git", &["rev-parse", "--git-path", "HEAD", "--git-path", "logs/HEAD"]);
    for path in git.iter().flat_map(|paths| paths.lines()).chain(["src", "crates", "build.rs"]) {
        if std::path::Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
