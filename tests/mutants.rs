//! Files changed at random: each reader gives a value or an error, and neither panics nor hangs.
//!
//! The seeds are committed files. `SHIKOU_MUTANTS=1000000 cargo test --test tests -- mutants` runs as many inputs for each
//! reader. The input that is being read is in `target/tmp/mutants`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shikou::experiment::{Log, Manifest, Plan, Results, recover};
use shikou::game::RuleList;
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::Registry;
use shikou::profile::parse;
use shikou::rng::{Rng, Stream};
use shikou::search::Clock;
use shikou::validate::Suite;

use crate::experiment::{folder, manifest};
use crate::log::write_log;

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
fn all(name: &str, seeds: &[Vec<u8>], mut read: impl FnMut(&[u8])) {
    let number = std::env::var("SHIKOU_MUTANTS").ok().and_then(|number| number.parse().ok());
    let mut rng = (Stream::new(2026) / "mutants" / name).rng();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).unwrap();
    let mutants = (0..number.unwrap_or(FEW)).map(|_| mutant(&mut rng, seeds));
    for input in seeds.iter().cloned().chain(mutants) {
        // It is there after a panic, and while a reader hangs.
        fs::write(folder.join(format!("{name}.input")), &input).unwrap();
        let begun = Clock::start();
        read(&input);
        assert!(begun.elapsed() < LONGEST, "{name}: {:?}", String::from_utf8_lossy(&input));
    }
}

fn text(bytes: &[u8], read: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

#[test]
fn manifests() {
    let registry = Registry::standard();
    let more = ["experiments/tour.toml", "examples/ocba/ocba.toml", "experiments/tic-tac-toe-rules.toml"];
    all("manifest", &seeds("manifest", &more), |bytes| {
        text(bytes, |text| {
            if let Ok(manifest) = Manifest::parse("nowhere/m.toml".as_ref(), text, &registry)
                && let Ok(plan) = Plan::new(&manifest)
            {
                assert!(plan.canonical().next().is_some());
                assert!(
                    plan.schedule()
                        .take(3)
                        .all(|trial| plan.trial_named(plan.id(&trial), trial.instance).is_some())
                );
            }
        });
    });
}

/// Whatever is in a log, the sound rows can be recovered, and what is recovered can be read.
#[test]
fn logs() {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 3\nplayer = [\"random\", \"flat(playouts=2)\"]\n\
                [[experiment]]\ngame.calculation = { ranks = 5 }\ntrials = 2\nplayer = [\"random\"]\n";
    let folder = folder("mutants/log");
    let (path, results) = (folder.join("trials.csv"), Results::create(&folder).unwrap());
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    write_log(&plan, &path);
    let facts = fs::read(folder.join("log.toml")).unwrap();
    let read = || {
        let log = Log::read(&path, &plan)?;
        let records: Result<Vec<_>, _> = (0..2).flat_map(|index| log.records(index)).collect();
        records.map(|records| assert!(records.len() as u64 == log.len()))
    };
    let mut number = 0_u64;
    all("log", &seeds("log", &[]), |bytes| {
        number += 1;
        // A check that agrees lets the reader go on to what it checks.
        let mut bytes = bytes.to_vec();
        if number.is_multiple_of(2) {
            bytes = with_checks(&bytes);
        }
        fs::write(&path, bytes).unwrap();
        let is_sound = read().is_ok();
        if number < 4 || number.is_multiple_of(64) {
            recover(&results).unwrap();
            read().unwrap_or_else(|error| panic!("{error}, sound before: {is_sound}"));
            let _ = fs::remove_dir_all(folder.join("before-1"));
            fs::write(folder.join("log.toml"), &facts).unwrap();
        }
    });
}

/// The lines with checks that agree.
fn with_checks(bytes: &[u8]) -> Vec<u8> {
    let mut checked = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let row = line.strip_suffix(b"\n").unwrap_or(line);
        match row.iter().rposition(|&byte| byte == b',') {
            Some(comma) if index > 0 => {
                checked.extend(&row[..comma]);
                checked.extend(format!(",{:08x}\n", crc32fast::hash(&row[..comma])).bytes());
            }
            _ => checked.extend(line),
        }
    }
    checked
}

#[test]
fn facts_of_logs() {
    let folder = folder("mutants/facts");
    let path = folder.join("trials.csv");
    let manifest =
        manifest("schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [\"random\"]\n");
    let plan = Plan::new(&manifest).unwrap();
    write_log(&plan, &path);
    let mut number = 0_u64;
    all("facts", &seeds("facts", &[]), |bytes| {
        number += 1;
        let mut bytes = bytes.to_vec();
        if number.is_multiple_of(2)
            && let Some(end) = bytes.iter().position(|&byte| byte == b'\n')
        {
            let rest = bytes.split_off(end + 1);
            bytes = format!("check = \"{:08x}\"\n", crc32fast::hash(&rest)).into_bytes();
            bytes.extend(rest);
        }
        fs::write(folder.join("log.toml"), bytes).unwrap();
        let _ = Log::read(&path, &plan);
    });
}

#[test]
fn wthor_files() {
    let registry = Registry::standard();
    let game = registry.game("othello", &[]).unwrap();
    let format = game.record_formats()[0];
    all("wtb", &seeds("wtb", &["tests/data/WTH_1978.wtb"]), |bytes| {
        // A header with the right number of games lets the reader go on to the games.
        let mut bytes = bytes.to_vec();
        if bytes.len() >= 84 && bytes[15] % 2 == 0 {
            let games = (bytes.len() - 16) / 68;
            bytes.truncate(16 + 68 * games);
            bytes[4..8].copy_from_slice(&(games as u32).to_le_bytes());
            bytes[12] = 8;
        }
        let replayed = (format.replay)(&bytes);
        assert_eq!((format.read)(&bytes).is_ok(), replayed.is_ok());
    });
}

#[test]
fn positions_and_transcripts() {
    let registry = Registry::standard();
    let games = ["othello", "tic-tac-toe", "calculation", "random-tree", "left-moves"];
    let games = games.map(|name| registry.game(name, &[]).unwrap());
    all("obf", &seeds("obf", &["tests/data/ffo.obf"]), |bytes| {
        text(bytes, |text| {
            for line in text.lines() {
                for game in &games {
                    let _ = game.workload("uniform", line.split(';').next().unwrap());
                    let _ = game.replay(line);
                }
            }
        });
    });
}

#[test]
fn rules() {
    all("rules", &seeds("rules", &[]), |bytes| {
        text(bytes, |text| {
            let _ = RuleList::parse(&TicTacToe, text);
            let _ = RuleList::parse(&Othello::default(), text);
        });
    });
}

#[test]
fn cases() {
    let registry = Registry::standard();
    all("cases", &seeds("cases", &[]), |bytes| {
        text(bytes, |text| drop(Suite::parse("cases.toml".as_ref(), text, &registry)));
    });
}

#[test]
fn profiles() {
    all("profile", &seeds("profile", &["tests/data/profile.json"]), |bytes| {
        text(bytes, |text| drop(parse("profile.json".as_ref(), text)));
    });
}

#[test]
fn notation_of_players() {
    let registry = Registry::standard();
    let game = registry.game("othello", &[]).unwrap();
    all("notation", &seeds("notation", &[]), |bytes| {
        text(bytes, |text| {
            for line in text.lines() {
                if let Ok(spec) = registry.read_searcher(line)
                    && game.fits(&spec).is_ok()
                {
                    // What is written is read as it was.
                    assert_eq!(registry.read_searcher(&spec.to_string()).as_ref(), Ok(&spec), "{line}");
                }
            }
        });
    });
}
