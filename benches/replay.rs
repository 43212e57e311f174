//! Reading and replaying the games of a WTHOR file, on one core.
//!
//! `cargo bench --bench replay`; the items are games. The file is the sample in `tests/data`, repeated a hundred times,
//! and, if `SHIKOU_DATA` names the folder of the large data, all files in its `wthor`.

use std::fs;
use std::path::{Path, PathBuf};

use divan::Bencher;
use divan::counter::ItemsCount;
use shikou::games::othello::wthor;

fn main() {
    divan::main();
}

/// The counts: games, passes, and games whose recorded score differs from their moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    games: u64,
    passes: u64,
    mismatches: u64,
}

const SAMPLE: Totals = Totals { games: 800, passes: 1_500, mismatches: 0 };
/// 1977 to 2008.
const ALL: Totals = Totals { games: 99_846, passes: 107_581, mismatches: 401 };

impl Totals {
    fn add(&mut self, file: &[u8]) {
        let wthor = wthor::read(file).expect("it is a WTHOR file");
        for record in wthor.records() {
            let replay = record.replay().expect("every game is legal");
            self.games += 1;
            self.passes += u64::from(replay.passes);
            self.mismatches += u64::from(replay.black_score() != record.black_score());
        }
    }
}

fn folder() -> Option<PathBuf> {
    Some(Path::new(&std::env::var_os("SHIKOU_DATA")?).join("wthor"))
}

#[divan::bench]
fn sample(bencher: Bencher<'_, '_>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/WTH_1978.wtb");
    let sample = fs::read(path).expect("the sample is there");
    replay(bencher, &[repeated(&sample, 100)], SAMPLE);
}

#[divan::bench(sample_count = 21, ignore = folder().is_none())]
fn all_files(bencher: Bencher<'_, '_>) {
    let Some(folder) = folder() else { return };
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("SHIKOU_DATA has a folder `wthor`")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")))
        .collect();
    paths.sort();
    let files: Vec<_> = paths.iter().map(|path| fs::read(path).expect("a file can be read")).collect();
    replay(bencher, &files, ALL);
}

/// A file with the games of another one, repeated.
fn repeated(file: &[u8], times: u32) -> Vec<u8> {
    let (header, games) = file.split_at(16);
    let count = wthor::read(file).expect("it is a WTHOR file").len() as u32 * times;
    let mut repeated = header.to_vec();
    repeated[4..8].copy_from_slice(&count.to_le_bytes());
    repeated.extend(games.repeat(times as usize));
    repeated
}

fn replay(bencher: Bencher<'_, '_>, files: &[Vec<u8>], expected: Totals) {
    bencher.counter(ItemsCount::new(expected.games)).bench(|| {
        let mut totals = Totals::default();
        for file in files {
            totals.add(file);
        }
        assert_eq!(totals, expected);
    });
}
