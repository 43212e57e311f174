//! The packed log: the same trials and digests as in plain CSV, and every damage is noticed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{
    Fingerprints, Log, LogForm, LogWriter, Plan, Record, SeatRecord, Trial, canonical_log, play, run,
};
use shikou::game::Outcome;
use shikou::rng::Stream;
use shikou::search::Spent;

use crate::experiment::{Keep, MANIFEST, canonical, manifest};
use crate::log::{read, write_log};
use crate::resume::{finish, ok, shikou, start};
use crate::support::{folder, with_manifest, with_results};

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

/// Trials that several experiments share are in the file once, and count in each.
#[test]
fn both_forms_hold_the_same_trials() {
    let shared = SMALL.replace("search.flat = { playouts-per-move = 3 }", "search = \"random\"");
    for (text, form) in
        [SMALL, MANIFEST, &shared].into_iter().flat_map(|text| LogForm::ALL.map(|form| (text, form)))
    {
        let path = folder("packed/forms").join(form.file());
        let plan = Plan::new(&manifest(text)).unwrap();
        let mut written = Keep::default();
        let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
        let wanted = |trial: &Trial| !plan.is_repeated(trial);
        run(&plan, 2, &wanted, &AtomicBool::new(false), None, &mut [&mut log, &mut written]).unwrap();
        for log in [log.log(), &Log::read(&path, &plan).unwrap()] {
            assert_eq!((log.form(), log.len(), log.other_lines), (form, plan.len(), 0));
            let records: Vec<Record> = (0..plan.experiments().len())
                .flat_map(|index| log.records(index))
                .map(Result::unwrap)
                .collect();
            assert!(records.iter().map(|record| record.trial).eq(plan.canonical()));
            assert!(written.0.iter().all(|record| records.contains(record)));
            assert_eq!(canonical_log(&plan, &records), canonical(text, 1));
            // The export has a row for each use of a trial.
            let mut export = Vec::new();
            log.write_rows(&mut export).unwrap();
            let games = records.iter().map(|record| record.games.len()).sum::<usize>();
            assert_eq!(String::from_utf8(export).unwrap().lines().count(), 1 + games);
            for record in &records {
                assert_eq!(log.record(&record.trial).unwrap().as_ref(), Some(record));
                assert!(record.went_as(&Record { cpu_ns: 0, ..play(&plan, record.trial) }));
            }
        }
    }
}

/// A log of another manifest of which some trials are the same, under other names.
#[test]
fn trials_are_found_by_their_identity() {
    for form in LogForm::ALL {
        let path = folder("packed/identity").join(form.file());
        let written = write_log(&Plan::new(&manifest(SMALL)).unwrap(), &path);
        let renamed = SMALL.replace("name = \"b\"", "name = \"x\"").replace("trials = 12", "trials = 9");
        let renamed = renamed.replace("name = \"c\"", "name = \"e\"").replace("name = \"d\"", "name = \"c\"");
        let plan = Plan::new(&manifest(&renamed)).unwrap();
        let expected: Vec<Record> = written
            .into_iter()
            .filter(|record| record.trial.experiment > 0 || record.trial.instance < 9)
            .collect();
        assert_eq!(read(&path, &plan), expected);
        assert_eq!(Log::read(&path, &plan).unwrap().other_lines, 6);
    }
}

/// Whatever the numbers and the reasons are, they come back, in one member or in several, the last trials first.
#[test]
fn any_record_comes_back() {
    let plan = Plan::new(&manifest(SMALL)).unwrap();
    let mut rng = (Stream::new(1) / "records").rng();
    let mut records: Vec<Record> =
        (0..12).map(|instance| play(&plan, Trial { experiment: 0, instance, cell: 0 })).collect();
    for (record, number) in records.iter_mut().zip(0..) {
        let mut any = || [0, u64::MAX, rng.next_u64()][rng.below(3) as usize];
        record.cpu_ns = any();
        for game in &mut record.games {
            (game.game_hash, game.plies) = (any(), any() as u32);
            for seat in &mut game.seats {
                let spent = Spent { playouts: any(), plies: any(), nodes: any() };
                *seat = SeatRecord { moves: any() as u32, wall_ns: any(), spent, ..*seat };
            }
            let reason = ["plain", "a, comma", "\"", "ünï 思考"][number % 4].into();
            match number % 3 {
                0 => game.result = Err(reason),
                1 => game.forfeit = Some(reason),
                _ => game.result = Ok((Outcome::Draw, any() as i32)),
            }
        }
    }
    for (form, part) in LogForm::ALL.into_iter().flat_map(|form| [1, 3, 12].map(|part| (form, part))) {
        let path = folder("packed/any").join(form.file());
        let mut log = LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap();
        records.rchunks(part).for_each(|part| log.add(part.to_vec()).unwrap());
        drop(log);
        assert_eq!(read(&path, &plan), records);
    }
}

/// A folder with the manifest, and a run in CSV in `csv`.
fn with_csv(name: &str) -> (PathBuf, String, Vec<u8>) {
    let folder = with_manifest(&format!("packed/{name}"), MANIFEST);
    let digest = ok(&folder, &["run", "m.toml", "--quiet", "--out", "csv", "--log", "csv"]);
    let canonical = fs::read(folder.join("csv/canonical.csv")).unwrap();
    (folder, digest, canonical)
}

/// Swept options are columns of exported trials, which are a sound log all the same.
#[test]
fn swept_options_are_columns_of_trials() {
    const SWEPT: &str = r#"
schema = 1
[[experiment]]
game.othello = { size.each = [4, 6] }
trials = 3
player = [{ search.flat = { playouts-per-move.each = [2, 3] } }, { search = "random" }]
"#;
    let folder = with_results("packed/swept", SWEPT, &[]);
    let rows = ok(&folder, &["report", "results/m", "--format", "trials"]);
    let mut table = csv::Reader::from_reader(rows.as_bytes());
    let names: Vec<String> = table.headers().unwrap().iter().map(Into::into).collect();
    let at = |name: &str| names.iter().position(|column| column == name).expect(name);
    let swept = at("size");
    assert_eq!(names[swept..], ["size", "first_playouts-per-move", "second_playouts-per-move", "check"]);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let mut seen = 0;
    for row in table.records().map(Result::unwrap) {
        assert_eq!(row[swept], digits(&row[at("experiment")]), "{row:?}");
        for (seat, name) in (1..).zip(["first", "second"]) {
            assert_eq!(row[swept + seat], digits(&row[at(name)]), "{row:?}");
        }
        seen += 1;
    }
    assert_eq!(seen, 2 * 3 * 3 * 2);
    let digest = || ok(&folder, &["run", "m.toml", "--quiet"]);
    let before = digest();
    fs::write(folder.join("results/m/trials.csv"), rows).unwrap();
    assert_eq!(digest(), before);
}

#[test]
fn digests_and_exports_are_those_of_csv() {
    let (folder, digest, canonical) = with_csv("digests");
    for threads in ["1", "2"] {
        let out = ["run", "m.toml", "--quiet", "--out", threads, "--log", "gzip", "--threads", threads];
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
    assert_eq!(read(&folder.join("again/trials.csv"), &plan), read(&folder.join("1/trials.csv.gz"), &plan));
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
    let killed = ["run", "m.toml", "--quiet", "--out", "killed", "--log", "gzip"];
    for delay in [20, 40, 80, 160] {
        let mut child = start(&folder, &killed);
        std::thread::sleep(std::time::Duration::from_millis(delay));
        let _ = child.kill();
        finish(child);
    }
    assert_eq!(ok(&folder, &killed), digest);
    // One of three shards is in CSV.
    for (shard, form) in [("1/3", "gzip"), ("2/3", "csv"), ("3/3", "gzip")] {
        let out = format!("shard-{}", &shard[..1]);
        ok(&folder, &["run", "m.toml", "--quiet", "--out", &out, "--shard", shard, "--log", form]);
    }
    let merged = ["merge", "joined", "shard-1", "shard-3", "shard-2", "shard-1", "--quiet"];
    assert_eq!(ok(&folder, &merged).split_once(' ').unwrap().1[..64], digest[7..71]);
    // What is damaged is played again.
    let log = folder.join("joined/trials.csv.gz");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let (code, _, error) = shikou(&folder, &["status", "joined"]);
    assert!(code == 2 && error.contains("trials.csv.gz:") && error.contains("shikou recover"), "{error}");
    assert!(ok(&folder, &["recover", "joined"]).contains("1 damaged member of "));
    assert_eq!(ok(&folder, &["run", "m.toml", "--quiet", "--out", "joined"])[..71], digest[..71]);
}

#[test]
fn a_plan_with_many_trials_begins_a_packed_log() {
    let of = |trials: u64| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = {trials}\nplayer = [\"random\", \"flat(playouts=1)\"]\n"
        );
        LogForm::of_plan(&Plan::new(&manifest(&text)).unwrap())
    };
    assert_eq!((of(999_999), of(1_000_000)), (LogForm::Csv, LogForm::Gzip));
}
