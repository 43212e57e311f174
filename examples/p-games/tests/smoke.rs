//! The program, on few trees with small budgets.

use std::process::Command;

#[test]
fn the_smoke_run_finds_an_error_rate() {
    let output = Command::new(env!("CARGO_BIN_EXE_p-games")).arg("--smoke").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("error"), "{printed}");
}
