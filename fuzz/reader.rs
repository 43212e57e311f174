//! Gives what the fuzzer finds to the reader that `SHIKOU_READER` names: a name in `tests/readers.rs`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../tests/readers.rs"]
mod readers;

static NAME: LazyLock<String> =
    LazyLock::new(|| std::env::var("SHIKOU_READER").expect("SHIKOU_READER names a reader"));

fuzz_target!(|bytes: &[u8]| readers::read(&NAME, bytes));
