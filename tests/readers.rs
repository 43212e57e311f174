//! Every reader of a user's file: whatever the bytes are, it gives a value or an error.
//!
//! `mutants.rs` gives them files changed at random; `fuzz/` gives them what a fuzzer finds. This file needs nothing of either.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use shikou::experiment::{
    EvaluationLog, Fingerprints, Log, LogError, LogWriter, Manifest, Plan, Results, Workers, optimise,
    recover, replay, run,
};
use shikou::game::RuleList;
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::learn::read_network;
use shikou::profile::parse;
use shikou::serve::{Protocol, serve};
use shikou::validate::Suite;

/// Takes any bytes, and panics only for a fault of the program.
type Reader = Box<dyn FnMut(&[u8])>;

/// Makes a reader, with the files that it needs.
type Make = fn() -> Reader;

/// The readers by name: `tests/corpus/<name>` holds their seeds.
pub(crate) const READERS: [(&str, Make); 16] = [
    ("manifest", manifests),
    ("log", || logs("trials.csv", with_checks)),
    ("packed", || logs("trials.csv.gz", <[u8]>::to_vec)),
    ("facts", facts_of_logs),
    ("evaluations", logs_of_optimisations),
    ("weights", weights),
    ("league", players_of_the_league),
    ("network", || Box::new(|bytes| drop(read_network(bytes, None)))),
    ("wtb", wthor_files),
    ("obf", positions_and_transcripts),
    ("rules", rules),
    ("cases", cases),
    ("profile", profiles),
    ("notation", notation_of_players),
    ("gtp", || served(Protocol::Gtp)),
    ("nboard", || served(Protocol::NBoard)),
];

/// Reads these bytes with the reader of this name, which is made once for each thread.
pub(crate) fn read(name: &str, bytes: &[u8]) {
    thread_local! {
        static MADE: RefCell<BTreeMap<&'static str, Reader>> = RefCell::default();
    }
    let (name, make) = READERS.into_iter().find(|reader| reader.0 == name).expect("a reader of this name");
    MADE.with_borrow_mut(|made| made.entry(name).or_insert_with(make)(bytes));
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let temporary = std::env::temp_dir().join(format!("shikou-readers-{}", std::process::id()));
    let path = option_env!("CARGO_TARGET_TMPDIR").map_or(temporary, PathBuf::from).join("readers").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn manifest(text: &str) -> Manifest {
    Manifest::parse("m.toml".as_ref(), text, &shikou::registry()).unwrap_or_else(|error| panic!("{error}"))
}

fn text(bytes: &[u8], read: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

fn manifests() -> Reader {
    let registry = shikou::registry();
    Box::new(move |bytes| {
        text(bytes, |text| {
            if let Ok(manifest) = Manifest::parse("nowhere/m.toml".as_ref(), text, &registry)
                && let Ok(plan) = Plan::new(&manifest)
            {
                for trial in plan.schedule().take(3) {
                    assert!(plan.trial_named(plan.id(&trial), trial.instance).is_some());
                }
                for optimisation in manifest.optimisations() {
                    assert!(!optimisation.runs.is_empty());
                }
            }
        });
    })
}

/// Plays all trials into a log.
fn write_log(plan: &Plan, path: &Path) {
    let mut log = LogWriter::open(path, plan, &Fingerprints::of(plan)).unwrap();
    run(plan, 1, &|_| true, &AtomicBool::new(false), None, &mut [&mut log]).unwrap();
}

/// Whether a check is made to agree: it lets the reader go on to what it checks.
fn is_checked(bytes: &[u8]) -> bool {
    crc32fast::hash(bytes).is_multiple_of(2)
}

/// Whatever is in a log, the sound rows can be recovered, and what is recovered can be read.
fn logs(name: &'static str, checked: fn(&[u8]) -> Vec<u8>) -> Reader {
    let text = "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 3\nplayer = [\"random\", \"flat(playouts=2)\"]\n\
                [[experiment]]\ngame.calculation = { ranks = 5 }\ntrials = 2\nplayer = [\"random\"]\n";
    let folder = folder(name);
    let (path, results) = (folder.join(name), Results::create(&folder).unwrap());
    let manifest = manifest(text);
    write_log(&Plan::new(&manifest).unwrap(), &path);
    let facts = fs::read(folder.join("log.toml")).unwrap();
    let mut number = 0_u64;
    Box::new(move |bytes| {
        let plan = Plan::new(&manifest).unwrap();
        let read = || {
            let log = Log::read(&path, &plan)?;
            let records: Result<Vec<_>, _> = (0..2).flat_map(|index| log.records(index)).collect();
            records.map(|records| assert!(records.len() as u64 == log.len()))
        };
        fs::write(&path, if is_checked(bytes) { checked(bytes) } else { bytes.to_vec() }).unwrap();
        let is_sound = read().is_ok();
        number += 1;
        if number < 4 || number.is_multiple_of(64) {
            match recover(&results) {
                Ok(_) => read().unwrap_or_else(|error| panic!("{error}, sound before: {is_sound}")),
                // The first line says that this is a log of an older version.
                Err(LogError::OtherFormat { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            let _ = fs::remove_dir_all(folder.join("before-1"));
            fs::write(folder.join("log.toml"), &facts).unwrap();
        }
    })
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

fn facts_of_logs() -> Reader {
    let folder = folder("facts");
    let path = folder.join("trials.csv");
    let manifest =
        manifest("schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\nplayer = [\"random\"]\n");
    write_log(&Plan::new(&manifest).unwrap(), &path);
    Box::new(move |bytes| {
        let plan = Plan::new(&manifest).unwrap();
        let mut bytes = bytes.to_vec();
        if is_checked(&bytes)
            && let Some(end) = bytes.iter().position(|&byte| byte == b'\n')
        {
            let rest = bytes.split_off(end + 1);
            bytes = format!("check = \"{:08x}\"\n", crc32fast::hash(&rest)).into_bytes();
            bytes.extend(rest);
        }
        fs::write(folder.join("log.toml"), bytes).unwrap();
        let _ = Log::read(&path, &plan);
    })
}

/// Whatever is in a log, the sound rows can be recovered, and what is recovered can be read and told again.
fn logs_of_optimisations() -> Reader {
    let text = "schema = 1\n[[optimisation]]\nname = \"c\"\ngame = \"tic-tac-toe\"\ngenerations = 2\n\
                genes.c = { within = [0.0, 3.0], start = 1.0 }\n\
                player = { search.uct.selection.ucb1.exploration = { gene = \"c\" }, budget = { playouts = 2 } }\n\
                method.cma-es.population = 4\nfitness = { against = \"random\", pairs = 1 }\n\
                judge = { against = \"flat(playouts=2)\", pairs = 2 }\n";
    let folder = folder("evaluations");
    let manifest = manifest(text);
    let path = {
        let optimisation = manifest.optimisations().next().unwrap();
        let (mut log, known) = EvaluationLog::open(&folder, &manifest, optimisation).unwrap();
        optimise(optimisation, (&mut log, known), Workers::from(1), &AtomicBool::new(false), &mut |_| ())
            .unwrap();
        folder.join("evaluations.csv")
    };
    let mut number = 0_u64;
    Box::new(move |bytes| {
        let optimisation = manifest.optimisations().next().unwrap();
        fs::write(&path, if is_checked(bytes) { with_checks(bytes) } else { bytes.to_vec() }).unwrap();
        if let Ok(rows) = EvaluationLog::read(&folder) {
            let _ = replay(optimisation, rows);
        }
        number += 1;
        if number < 4 || number.is_multiple_of(64) {
            match EvaluationLog::recover(&folder) {
                Ok(_) => drop(EvaluationLog::read(&folder).unwrap()),
                Err(LogError::OtherFormat { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            let _ = fs::remove_dir_all(folder.join("before-1"));
        }
    })
}

/// A manifest reads this file of weights.
fn file_of_weights(name: &str, evaluation: &str) -> Reader {
    let folder = folder(name);
    let (registry, path) = (shikou::registry(), folder.join("m.toml"));
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{{ search.greedy.evaluation.{evaluation} }}]\n"
    );
    Box::new(move |bytes| {
        fs::write(folder.join("w"), bytes).unwrap();
        if let Ok(manifest) = Manifest::parse(&path, &text, &registry) {
            assert_eq!(Plan::new(&manifest).unwrap().schedule().count(), 1);
        }
    })
}

fn weights() -> Reader {
    file_of_weights("weights", "linear = { features = \"square-kinds\", file = \"w\" }")
}

fn players_of_the_league() -> Reader {
    file_of_weights("league", "tuples = { file = \"w\" }")
}

fn wthor_files() -> Reader {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    Box::new(move |bytes| {
        let format = &game.lists().record_formats[0];
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
    })
}

fn positions_and_transcripts() -> Reader {
    let registry = shikou::registry();
    let games = ["othello", "tic-tac-toe", "calculation", "random-tree", "left-moves"];
    let games = games.map(|name| registry.game(name, &[]).unwrap());
    Box::new(move |bytes| {
        text(bytes, |text| {
            for line in text.lines() {
                for game in &games {
                    let _ = game.workload("uniform", line.split(';').next().unwrap());
                    let _ = game.replay(line);
                }
            }
        });
    })
}

fn rules() -> Reader {
    Box::new(|bytes| {
        text(bytes, |text| {
            let _ = RuleList::parse(&TicTacToe, text);
            let _ = RuleList::parse(&Othello::default(), text);
        });
    })
}

fn cases() -> Reader {
    let registry = shikou::registry();
    Box::new(move |bytes| text(bytes, |text| drop(Suite::parse("cases.toml".as_ref(), text, &registry))))
}

fn profiles() -> Reader {
    Box::new(|bytes| text(bytes, |text| drop(parse("profile.json".as_ref(), text))))
}

fn notation_of_players() -> Reader {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    Box::new(move |bytes| {
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
    })
}

/// What another program may say to a served searcher.
fn served(protocol: Protocol) -> Reader {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let searcher = registry.read_searcher("random").unwrap();
    Box::new(move |bytes| serve(protocol, &*game, &searcher, 1, bytes, std::io::sink()).unwrap())
}
