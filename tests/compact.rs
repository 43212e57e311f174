//! The compact log: the same trials and digests as in CSV, and every damage is noticed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use shikou::experiment::{
    Fingerprints, GameRecord, LogError, LogForm, LogWriter, Plan, Record, Results, SeatRecord, Trial, play,
    recover, run,
};
use shikou::game::Outcome;
use shikou::rng::Stream;
use shikou::search::Spent;

use crate::experiment::{MANIFEST, manifest};
use crate::log::{read, try_read, write_log};
use crate::resume::{finish, ok, shikou, start};
use crate::support::{folder, with_manifest};

/// Names that CSV puts in quotes, and several experiments.
const SMALL: &str = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 12
player = [{ name = "a, \"quoted\"", search = "random" }, { name = "b", search.flat = { playouts-per-move = 1 } }]
[[experiment]]
name = "c"
game = "calculation"
trials = 5
player = [{ search = "random" }, { search.flat = { playouts-per-move = 2 } }]
[[experiment]]
name = "d"
game = "calculation"
trials = 7
player = [{ name = "other", search.flat = { playouts-per-move = 3 } }]
"#;

/// A trial of two experiments is in one block, and counts in both.
#[test]
fn experiments_may_share_trials() {
    let path = folder("compact/shared").join("trials.bin");
    let plan = Plan::new(&manifest(
        &SMALL.replace("search.flat = { playouts-per-move = 3 }", "search = \"random\""),
    ))
    .unwrap();
    let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
    run(&plan, 2, &|trial| !plan.is_repeated(trial), &AtomicBool::new(false), None, &mut [&mut log]).unwrap();
    drop(log);
    let records = read(&path, &plan);
    assert_eq!(
        records.iter().map(|record| record.trial).collect::<Vec<_>>(),
        plan.canonical().collect::<Vec<_>>()
    );
    let played = |trial: Trial| Record { cpu_ns: 0, ..play(&plan, trial) };
    assert!(records.iter().all(|record| record.went_as(&played(record.trial))));
}

#[test]
fn both_forms_hold_the_same_trials() {
    for text in [SMALL, MANIFEST] {
        let folder = folder("compact/forms");
        let plan = Plan::new(&manifest(text)).unwrap();
        let path = folder.join("trials.bin");
        let written = write_log(&plan, &path);
        assert_eq!(read(&path, &plan), written);
        let log = shikou::experiment::Log::read(&path, &plan).unwrap();
        assert_eq!((log.form(), log.len(), log.other_lines), (LogForm::Compact, plan.len(), 0));
        for record in &written {
            assert_eq!(log.record(&record.trial).unwrap().as_ref(), Some(record));
        }
    }
}

/// A log of another manifest of which some trials are the same, under other names.
#[test]
fn trials_are_found_by_their_identity() {
    let path = folder("compact/identity").join("trials.bin");
    let written = write_log(&Plan::new(&manifest(SMALL)).unwrap(), &path);
    let renamed = SMALL.replace("name = \"b\"", "name = \"x\"").replace("trials = 12", "trials = 9");
    let plan = Plan::new(&manifest(&renamed)).unwrap();
    let expected: Vec<Record> = written
        .into_iter()
        .filter(|record| record.trial.experiment > 0 || record.trial.instance < 9)
        .collect();
    assert_eq!(read(&path, &plan), expected);
    assert_eq!(shikou::experiment::Log::read(&path, &plan).unwrap().other_lines, 6);
}

/// The places at which a file may end: after the first line and after each block.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = vec![16];
    while let Some(header) = bytes.get(*ends.last().unwrap()..ends.last().unwrap() + 16) {
        let length = u32::from_le_bytes(header[4..8].try_into().unwrap()) as usize;
        ends.push(ends.last().unwrap() + 16 + length);
    }
    ends
}

#[test]
fn every_flipped_bit_is_named_and_every_cut_leaves_whole_blocks() {
    let path = folder("compact/damage").join("trials.bin");
    let plan = Plan::new(&manifest(SMALL)).unwrap();
    let written = write_log(&plan, &path);
    let whole = fs::read(&path).unwrap();
    let ends = ends(&whole);
    assert!(ends.len() > 4 && ends.last() == Some(&whole.len()), "{ends:?}");
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, flipped).unwrap();
        let error = try_read(&path, &plan).unwrap_err();
        let number = ends.iter().filter(|&&end| end <= bit / 8).count() as u64;
        assert!(
            matches!(error, LogError::DamagedBlock { block, .. } if block == number),
            "{bit}: {error} {number}"
        );
    }
    let mut before = 0;
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let left = read(&path, &plan);
        assert!(left.iter().all(|record| written.contains(record)), "{cut}");
        assert!(left.len() >= before && (left.len() == before || ends.contains(&cut)), "{cut}");
        before = left.len();
    }
    // A torn block is cut off, and the trials are played again.
    let cut = ends[ends.len() - 2] + 20;
    fs::write(&path, &whole[..cut]).unwrap();
    drop(LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap());
    assert_eq!(fs::read(&path).unwrap(), whole[..ends[ends.len() - 2]]);
}

/// Flipped bits, missing and inserted bytes: the sound blocks are kept, and only they.
#[test]
fn whatever_is_damaged_the_sound_blocks_are_kept() {
    let folder = folder("compact/recover");
    let path = folder.join("trials.bin");
    let plan = Plan::new(&manifest(MANIFEST)).unwrap();
    let written = write_log(&plan, &path);
    let results = Results::create(&folder).unwrap();
    let whole = fs::read(&path).unwrap();
    let blocks = ends(&whole).len() - 1;
    assert!(blocks > 5, "{blocks}");
    let mut rng = (Stream::new(1) / "damage").rng();
    for round in 0..60 {
        let at = rng.below(whole.len() as u64 - 40) as usize;
        let mut bytes = whole.clone();
        match round % 3 {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(at..at + 40)),
            _ => drop(bytes.splice(at..at, [0; 300])),
        }
        fs::write(&path, &bytes).unwrap();
        let recovered = recover(&results).unwrap();
        let aside = recovered.aside.clone();
        assert!(aside.is_some() || recovered.torn_bytes > 0, "{recovered:?}");
        if let Some(aside) = aside {
            assert_eq!(fs::read(aside.join("trials.bin")).unwrap(), bytes);
            assert!(!recovered.damaged.is_empty());
            // At most two blocks are hit.
            assert!(ends(&fs::read(&path).unwrap()).len() + 2 > blocks);
            fs::remove_dir_all(aside).unwrap();
        }
        let left = read(&path, &plan);
        assert!(!left.is_empty() && left.iter().all(|record| written.contains(record)));
    }
}

fn seat() -> impl Strategy<Value = SeatRecord> {
    (any::<[u64; 3]>(), any::<u32>(), any::<u64>()).prop_map(|([playouts, plies, nodes], moves, wall_ns)| {
        SeatRecord { player: 0, moves, spent: Spent { playouts, plies, nodes }, wall_ns }
    })
}

fn game() -> impl Strategy<Value = GameRecord> {
    let outcome = prop_oneof![Just(Outcome::Win), Just(Outcome::Draw), Just(Outcome::Loss)];
    let result = prop_oneof![
        4 => (outcome, any::<i32>()).prop_map(Ok),
        1 => "[a-zü, \"]{0,40}".prop_map(Err),
    ];
    let forfeit = proptest::option::weighted(0.1, "[a-zü, \"]{0,40}");
    let game = (result, forfeit, any::<u32>(), any::<u64>(), seat(), seat());
    game.prop_map(|(result, forfeit, plies, game_hash, a, b)| {
        let forfeit = forfeit.filter(|_| result.is_ok());
        GameRecord { result, forfeit, plies, game_hash, seats: [a, b].into() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the numbers are, they come back, in one block or in several.
    #[test]
    fn any_record_comes_back(
        games in proptest::collection::vec((game(), game(), any::<u64>()), 1..40),
        part in 1..40_usize,
    ) {
        let path = folder("compact/any").join("trials.bin");
        let plan = Plan::new(&manifest(&SMALL.replace("trials = 12", "trials = 40"))).unwrap();
        let cell = &plan.cells(0)[0];
        let mut records: Vec<Record> = games
            .into_iter()
            .zip(0..)
            .map(|((first, second, cpu_ns), instance)| {
                let mut games = [first, second];
                for (game, seating) in games.iter_mut().zip(cell.seatings()) {
                    game.seats.iter_mut().zip(seating).for_each(|(seat, &player)| seat.player = player);
                }
                Record { trial: Trial { experiment: 0, instance, cell: 0 }, games: games.into(), cpu_ns }
            })
            .collect();
        let expected = records.clone();
        let last = records.split_off(records.len() / 2);
        let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
        // The second half first.
        for part in last.chunks(part).chain(records.chunks(part)) {
            log.add(part.to_vec()).unwrap();
        }
        drop(log);
        prop_assert_eq!(read(&path, &plan), expected);
    }
}

/// A folder with the manifest, and a run in CSV in `csv`.
fn with_csv(name: &str) -> (PathBuf, String, Vec<u8>) {
    let folder = with_manifest(&format!("compact/{name}"), MANIFEST);
    let digest = ok(&folder, &["run", "m.toml", "--quiet", "--out", "csv", "--log", "csv"]);
    let canonical = fs::read(folder.join("csv/canonical.csv")).unwrap();
    (folder, digest, canonical)
}

#[test]
fn digests_and_exports_are_those_of_csv() {
    let (folder, digest, canonical) = with_csv("digests");
    for threads in ["1", "2"] {
        let out = ["run", "m.toml", "--quiet", "--out", threads, "--log", "compact", "--threads", threads];
        assert_eq!(ok(&folder, &out), digest);
        assert!(!folder.join(threads).join("canonical.csv").exists());
    }
    assert_eq!(ok(&folder, &["report", "1", "--format", "canonical"]).into_bytes(), canonical);
    for name in ["summary.json", "digests.csv"] {
        let read = |of: &str| fs::read_to_string(folder.join(of).join(name)).unwrap();
        assert_eq!(read("1"), read("csv"));
    }
    // The export is a sound log in CSV.
    fs::create_dir(folder.join("again")).unwrap();
    let rows = ok(&folder, &["report", "1", "--format", "trials"]);
    fs::write(folder.join("again/trials.csv"), rows).unwrap();
    for name in ["log.toml", "manifest.toml", "times.hlog", "host.toml"] {
        fs::copy(folder.join("1").join(name), folder.join("again").join(name)).unwrap();
    }
    assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "again"]), digest);
    let plan = Plan::new(&manifest(MANIFEST)).unwrap();
    assert_eq!(read(&folder.join("again/trials.csv"), &plan), read(&folder.join("1/trials.bin"), &plan));
    // Commands that read a log.
    assert!(ok(&folder, &["status", "2"]).contains("complete"));
    assert!(ok(&folder, &["verify", "2", "--all"]).contains("240 of 240 trials replayed"));
    assert_eq!(ok(&folder, &["compare", "csv", "2", "--json"]).matches("\"identical\": 240").count(), 1);
    let trial = canonical.split(|&byte| byte == b'\n').nth(1).unwrap();
    let id = String::from_utf8(trial.split(|&byte| byte == b',').nth(2).unwrap().into()).unwrap();
    assert!(ok(&folder, &["trial", "2", &id]).contains(&id));
    // A log keeps its form, and is not begun in another.
    assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "2"]), digest);
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "2", "--log", "csv"]);
    assert!(code == 2 && error.contains("is a log of another form than csv"), "{error}");
}

#[test]
fn kills_and_shards_change_nothing() {
    let (folder, digest, _) = with_csv("kills");
    let run = |out: &str| ["run", "m.toml", "--quiet", "--out", out, "--log", "compact"].map(String::from);
    for delay in [20, 40, 80, 160] {
        let arguments = run("killed");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child = start(&folder, &arguments);
        std::thread::sleep(std::time::Duration::from_millis(delay));
        let _ = child.kill();
        finish(child);
    }
    let arguments = run("killed");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(ok(&folder, &arguments), digest);
    // One of three shards is in CSV.
    for (shard, form) in [("1/3", "compact"), ("2/3", "csv"), ("3/3", "compact")] {
        let out = format!("shard-{}", &shard[..1]);
        ok(&folder, &["run", "m.toml", "--quiet", "--out", &out, "--shard", shard, "--log", form]);
    }
    let merged = ["merge", "joined", "shard-1", "shard-3", "shard-2", "shard-1", "--quiet"];
    assert_eq!(ok(&folder, &merged).split_once(' ').unwrap().1[..64], digest[7..71]);
    assert!(folder.join("joined/trials.bin").exists());
    // What is damaged is played again.
    let log = folder.join("joined/trials.bin");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let (code, _, error) = shikou(&folder, &["status", "joined"]);
    assert!(code == 2 && error.contains("trials.bin: block ") && error.contains("shikou recover"), "{error}");
    assert!(ok(&folder, &["recover", "joined"]).contains("1 damaged block of "));
    assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "joined"])[..71], digest[..71]);
}

#[test]
fn a_plan_with_many_trials_begins_a_compact_log() {
    let of = |trials: u64| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = {trials}\nplayer = [\"random\", \"flat(playouts=1)\"]\n"
        );
        LogForm::of_plan(&Plan::new(&manifest(&text)).unwrap())
    };
    assert_eq!((of(999_999), of(1_000_000)), (LogForm::Csv, LogForm::Compact));
}
