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
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| "unknown".into());
    println!("cargo::rustc-env=SHIKOU_COMMIT={}", commit.unwrap_or_else(|| "unknown".into()));
    println!("cargo::rustc-env=SHIKOU_RUSTC={}", rustc.unwrap_or_else(|| "unknown".into()));
    println!("cargo::rustc-env=SHIKOU_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=SHIKOU_OPT_LEVEL={}", variable("OPT_LEVEL"));
    for path in [".git/HEAD", ".git/logs/HEAD", "src", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
