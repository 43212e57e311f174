//! Files changed at random: each reader gives a value or an error, and neither panics nor hangs.
//!
//! The seeds are committed files. `SHIKOU_MUTANTS=1000000 cargo test --test tests -- mutants` gives as many inputs to each
//! reader. The input that is being read is in `target/tmp/mutants`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shikou::rng::{Rng, Stream};
use shikou::search::Clock;

use crate::readers::{READERS, read};

/// The inputs of a reader unless `SHIKOU_MUTANTS` says how many.
const FEW: u64 = 300;

/// No reader takes as long for a small file.
const LONGEST: Duration = Duration::from_secs(20);

/// Values at the edges of what is read.
const EDGES: [&str; 16] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e308",
    "-0.0",
    "nan",
    "\"\"",
    "[]",
    "{}",
    "\u{202e}",
    "é",
];

/// The committed seeds of a reader, and more files.
fn seeds(name: &str, more: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = fs::read_dir(root.join("tests/corpus").join(name)).into_iter().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.extend(more.iter().map(|path| root.join(path)));
    assert!(!paths.is_empty(), "{name} has no seeds");
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A place in bytes, and a length from there.
fn part(rng: &mut Rng, bytes: &[u8]) -> (usize, usize) {
    let begin = rng.below(bytes.len() as u64 + 1) as usize;
    let most = (bytes.len() - begin).min(64);
    (begin, begin + rng.below(most as u64 + 1) as usize)
}

/// The words and numbers of a text, as places.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let mut places = Vec::new();
    let mut at = 0;
    for run in bytes.chunk_by(|a, b| is_word(a) == is_word(b)) {
        if is_word(&run[0]) {
            places.push((at, at + run.len()));
        }
        at += run.len();
    }
    places
}

/// A seed with some changes.
fn mutant(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let any = |rng: &mut Rng| &seeds[rng.below(seeds.len() as u64) as usize];
    let mut bytes = any(rng).clone();
    for _ in 0..=rng.below(6) {
        let (begin, end) = part(rng, &bytes);
        let length = bytes.len() as u64;
        let places = words(&bytes);
        match rng.below(9) {
            _ if bytes.is_empty() => bytes = any(rng).clone(),
            0 => bytes[rng.below(length) as usize] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(begin..end)),
            2 => {
                let copy = bytes[begin..end].to_vec();
                drop(bytes.splice(begin..begin, copy));
            }
            3 => {
                let other = any(rng);
                let (from, to) = part(rng, other);
                drop(bytes.splice(begin..end, other[from..to].to_vec()));
            }
            4 => bytes.truncate(begin),
            5 => drop(bytes.splice(begin..begin, [rng.below(256) as u8])),
            // A word becomes an edge or another word.
            6 | 7 if !places.is_empty() => {
                let (from, to) = places[rng.below(places.len() as u64) as usize];
                let edge = EDGES[rng.below(EDGES.len() as u64) as usize].as_bytes().to_vec();
                drop(bytes.splice(from..to, edge));
            }
            _ if !places.is_empty() => {
                let (from, to) = places[rng.below(places.len() as u64) as usize];
                let (a, b) = places[rng.below(places.len() as u64) as usize];
                let word = bytes[a..b].to_vec();
                drop(bytes.splice(from..to, word));
            }
            _ => {}
        }
    }
    bytes
}

/// Reads the seeds and their mutants.
fn all(name: &str, more: &[&str]) {
    let seeds = seeds(name, more);
    let number = std::env::var("SHIKOU_MUTANTS").ok().and_then(|number| number.parse().ok());
    let mut rng = (Stream::new(2026) / "mutants" / name).rng();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).unwrap();
    let mutants = (0..number.unwrap_or(FEW)).map(|_| mutant(&mut rng, &seeds));
    for input in seeds.iter().cloned().chain(mutants) {
        // It is there after a panic, and while a reader hangs.
        fs::write(folder.join(format!("{name}.input")), &input).unwrap();
        let begun = Clock::start();
        read(name, &input);
        assert!(begun.elapsed() < LONGEST, "{name}: {:?}", String::from_utf8_lossy(&input));
    }
}

/// A test for each reader, with more seeds.
macro_rules! tests {
    ($($test:ident: $name:literal, $more:expr;)*) => {
        $(#[test]
        fn $test() {
            all($name, &$more);
        })*

        #[test]
        fn no_reader_is_forgotten() {
            let tested = [$($name),*];
            for (name, _) in READERS {
                assert!(tested.contains(&name), "{name}");
            }
        }
    };
}

tests! {
    manifests: "manifest",
        ["experiments/tour.toml", "experiments/tic-tac-toe-rules.toml", "examples/ocba/ocba.toml"];
    logs: "log", [];
    packed_logs: "packed", [];
    facts_of_logs: "facts", [];
    logs_of_optimisations: "evaluations", [];
    weights: "weights", [];
    players_of_the_league: "league", [];
    networks: "network",
        ["tests/data/discs.npz", "tests/data/discs-compressed.npz", "tests/data/discs.safetensors"];
    wthor_files: "wtb", ["tests/data/WTH_1978.wtb"];
    positions_and_transcripts: "obf", ["tests/data/ffo.obf"];
    rules: "rules", [];
    cases: "cases", [];
    profiles: "profile", ["tests/data/profile.json"];
    notation_of_players: "notation", [];
    commands_of_gtp: "gtp", [];
    commands_of_nboard: "nboard", [];
}
