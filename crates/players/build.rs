//! Tells the crate whether searchers and games are optimised.

fn main() {
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=SHIKOU_OPT_LEVEL={level}");
    println!("cargo::rerun-if-changed=build.rs");
}
