//! Damaged, changed and foreign files in a folder of results: nothing is believed, and nothing sound is lost.

use std::fs;
use std::path::{Path, PathBuf};

use shikou::experiment::{
    Fingerprints, Log, LogError, LogForm, LogWriter, Plan, Recovered, Results, recover,
};
use shikou::rng::Stream;

use crate::experiment::manifest;
use crate::log::{read, try_read, write_log};
use crate::resume::{ok, shikou};
use crate::support::{folder, with_manifest, with_results};

const SMALL: &str = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 40
player = [{ search = "random" }, { search.flat = { playouts-per-move = 1 } }]
[[experiment]]
game = "calculation"
trials = 20
player = [{ search = "random" }]
"#;

/// A folder with a finished run in `results/m`, and its canonical log.
fn finished(name: &str) -> (PathBuf, Vec<u8>) {
    let folder = with_results(&format!("recover/{name}"), SMALL, &[]);
    let canonical = fs::read(folder.join("results/m/canonical.csv")).unwrap();
    (folder, canonical)
}

/// Changes a file.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Every command refuses the folder with this advice.
fn all_refuse(folder: &Path, advice: &str) {
    for command in [
        ["status", "results/m"].as_slice(),
        &["report", "results/m"],
        &["verify", "results/m"],
        &["compare", "results/m", "results/m"],
    ] {
        let (code, _, err) = shikou(folder, command);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(advice), "{err}");
    }
}

#[test]
fn zeros_in_a_log_cost_the_rows_under_them_and_no_more() {
    let (folder, canonical) = finished("zeros");
    let log = folder.join("results/m/trials.csv");
    let before = fs::read(&log).unwrap();
    change(&log, |bytes| bytes[2000..6096].fill(0));
    let damaged = fs::read(&log).unwrap();
    let advice = "`shikou recover results/m` keeps the sound rows";
    all_refuse(&folder, advice);
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert!(code == 2 && err.contains(advice), "{err}");
    let (code, out, err) = shikou(&folder, &["recover", "results/m"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("1 damaged line of ") && out.contains("are in results/m/before-1"), "{out}");
    assert_eq!(fs::read(folder.join("results/m/before-1/trials.csv")).unwrap(), damaged);
    let left = fs::read(&log).unwrap();
    let lines: Vec<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
    assert!(left.split_inclusive(|&byte| byte == b'\n').all(|line| lines.contains(&line)));
    assert!(left.len() + 4096 + 400 > before.len() && left.len() + 4096 < before.len());
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert_eq!(code, 0);
    assert!(err.contains(" are left to play"), "{err}");
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
    let (code, out, _) = shikou(&folder, &["recover", "results/m"]);
    assert!(code == 0 && out.contains("nothing is damaged, and nothing was changed"), "{out}");
    assert!(!folder.join("results/m/before-2").exists());
}

/// Flipped bits, missing and inserted bytes, torn ends: damage is named, the sound rows are kept, and only they.
#[test]
fn whatever_is_damaged_the_sound_rows_are_kept() {
    let plan = Plan::new(&manifest(SMALL)).unwrap();
    for form in LogForm::ALL {
        let folder = folder(&format!("recover/any-{}", form.name()));
        let (path, results) = (folder.join(form.file()), Results::create(&folder).unwrap());
        let written = write_log(&plan, &path);
        let whole = fs::read(&path).unwrap();
        let mut rng = (Stream::new(1) / "damage").rng();
        for round in 0..120 {
            fs::write(&path, &whole).unwrap();
            let at = rng.below(whole.len() as u64 - 40) as usize;
            change(&path, |bytes| match round % 4 {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => drop(bytes.drain(at..at + 40)),
                2 => drop(bytes.splice(at..at, [0; 300])),
                _ => bytes.truncate(at),
            });
            let damaged = fs::read(&path).unwrap();
            let before = try_read(&path, &plan).map(|records| records.len());
            let Recovered { kept, damaged: lines, aside, facts, .. } = recover(&results).unwrap();
            assert!(facts.is_none());
            match (&before, aside) {
                // The damage made a torn end, or left whole lines.
                (Ok(_), None) => assert!(lines.is_empty() && fs::read(&path).unwrap() == damaged),
                (Err(LogError::Damaged { .. }), Some(aside)) => {
                    assert!(!lines.is_empty() && fs::read(aside.join(form.file())).unwrap() == damaged);
                }
                (before, aside) => panic!("{before:?} {aside:?}"),
            }
            let left = read(&path, &plan);
            assert!(left.iter().all(|record| written.contains(record)));
            if form == LogForm::Csv && round % 4 < 3 {
                assert!(kept + 3 >= 100 && left.len() + 3 >= written.len(), "{kept} {}", left.len());
            }
        }
        // A torn end is cut off.
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        drop(LogWriter::open(&path, &plan, &Fingerprints::of(&plan)).unwrap());
        let cut = fs::read(&path).unwrap();
        assert!(cut.len() < whole.len() - 1 && whole.starts_with(&cut));
    }
}

/// Any flipped bit of `log.toml` is noticed. The rows are kept; what the facts said is lost.
#[test]
fn damaged_facts_are_noticed_and_replaced() {
    let (folder, canonical) = finished("facts");
    let (facts, log) = (folder.join("results/m/log.toml"), folder.join("results/m/trials.csv"));
    let manifest = manifest(SMALL);
    let plan = Plan::new(&manifest).unwrap();
    let whole = fs::read(&facts).unwrap();
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&facts, flipped).unwrap();
        let error = Log::read(&log, &plan).map(|_| ()).unwrap_err();
        assert!(matches!(error, LogError::DamagedFacts { .. }), "{bit}: {error}");
    }
    all_refuse(&folder, "`shikou recover results/m` keeps the sound rows");
    let (code, out, _) = shikou(&folder, &["recover", "results/m"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("100 sound rows kept") && out.contains("which build wrote the rows is not known"),
        "{out}"
    );
    assert_eq!(shikou(&folder, &["verify", "results/m", "--all"]).0, 0);
    let out = ok(&folder, &["run", "m.toml", "--full"]);
    assert!(out.contains("the build unknown started the log"), "{out}");
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
    fs::remove_file(&facts).unwrap();
    all_refuse(&folder, "log.toml: this file is damaged (it is missing)");
}

#[test]
fn a_changed_manifest_is_refused() {
    let (folder, canonical) = finished("manifest");
    let (kept, digests) = (folder.join("results/m/manifest.toml"), folder.join("results/m/digests.csv"));
    let before = fs::read(&digests).unwrap();
    change(&kept, |bytes| *bytes = String::from_utf8(bytes.clone()).unwrap().replace("40", "39").into());
    all_refuse(&folder, "manifest.toml: this file was changed after the run");
    let (code, _, err) = shikou(&folder, &["trial", "results/m", "0"]);
    assert!(code == 2 && err.contains("`shikou run m.toml --out results/m`"), "{err}");
    assert_eq!(fs::read(&digests).unwrap(), before);
    assert_eq!(shikou(&folder, &["run", "m.toml", "--out", "results/m", "--quiet"]).0, 0);
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
    // Every flipped bit is noticed.
    let (results, registry) = (Results::open(&folder.join("results/m")).unwrap(), shikou::registry());
    assert!(results.read_manifest(&registry).is_ok());
    for bit in 0..8 * SMALL.len() {
        change(&kept, |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        let error = results.read_manifest(&registry).unwrap_err().to_string();
        assert!(error.contains("was changed after the run") || error.contains("is not UTF-8"), "{error}");
        change(&kept, |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
    }
}

#[test]
fn a_changed_file_of_a_manifest_is_named() {
    let folder = folder("recover/files");
    let text = SMALL.replace("trials = 40", "trials = 40\nopenings = { transcripts = \"book.txt\" }");
    fs::write(folder.join("m.toml"), text).unwrap();
    fs::write(folder.join("book.txt"), "a1 b2\nb2 a1\n".repeat(30)).unwrap();
    ok(&folder, &["run", "m.toml", "--quiet"]);
    assert_eq!(shikou(&folder, &["report", "results/m"]).0, 0);
    fs::write(folder.join("results/m/manifest.book.txt"), "a1 b2\nb2 a3\n".repeat(30)).unwrap();
    all_refuse(&folder, "results/m/manifest.book.txt: this file was changed after the run");
    // If the facts are lost, what is kept is taken as it is.
    fs::write(folder.join("results/m/log.toml"), "").unwrap();
    assert_eq!(shikou(&folder, &["recover", "results/m"]).0, 0);
    assert_eq!(shikou(&folder, &["status", "results/m"]).0, 0);
}

/// Digests that do not fit the log are a reason to look, and no reason to write others.
#[test]
fn another_digest_is_not_replaced() {
    let (folder, _) = finished("digests");
    let digests = folder.join("results/m/digests.csv");
    change(&digests, |bytes| bytes[30] ^= 1);
    let changed = fs::read(&digests).unwrap();
    for command in [["report", "results/m"], ["run", "m.toml"]] {
        let (code, _, err) = shikou(&folder, &command);
        assert!(code == 2 && err.contains("digests.csv: this file has another digest than the log"), "{err}");
        assert_eq!(fs::read(&digests).unwrap(), changed);
    }
    fs::remove_file(&digests).unwrap();
    assert_eq!(shikou(&folder, &["report", "results/m"]).0, 0);
    assert_ne!(fs::read(&digests).unwrap(), changed);
}

/// Two manifests of the same name do not overwrite each other's results.
#[test]
fn another_manifest_of_the_same_name_is_refused() {
    let (folder, canonical) = finished("name");
    fs::create_dir(folder.join("b")).unwrap();
    fs::write(folder.join("b/m.toml"), SMALL.replace("schema = 1", "schema = 1\nseed = 9")).unwrap();
    let files = || {
        let results = folder.join("results/m");
        ["manifest.toml", "log.toml", "summary.json", "report.txt", "digests.csv"]
            .map(|name| fs::read(results.join(name)).unwrap())
    };
    let before = files();
    let (code, _, err) = shikou(&folder, &["run", "b/m.toml"]);
    assert_eq!(code, 2);
    let words = "results/m holds the results of m.toml, which has no trial in common with b/m.toml; name another folder with --out";
    assert!(err.contains(words), "{err}");
    assert_eq!(files(), before);
    // The same file by another path, and a copy elsewhere, have trials in common.
    fs::write(folder.join("b/m.toml"), SMALL.replace("trials = 40", "trials = 30")).unwrap();
    assert_eq!(shikou(&folder, &["run", "b/m.toml", "--quiet"]).0, 0);
    assert_eq!(shikou(&folder, &["run", "./m.toml", "--quiet"]).0, 0);
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
    // The same path, edited, goes on, even if no trial is left.
    fs::write(folder.join("m.toml"), SMALL.replace("schema = 1", "schema = 1\nseed = 9")).unwrap();
    assert_eq!(shikou(&folder, &["run", "m.toml", "--quiet"]).0, 0);
    // A restart takes everything away.
    fs::write(folder.join("b/m.toml"), SMALL).unwrap();
    let before = files();
    ok(&folder, &["run", "b/m.toml", "--quiet", "--restart"]);
    let aside = folder.join("results/m/before-1");
    assert_eq!(fs::read(aside.join("manifest.toml")).unwrap(), before[0]);
    assert_eq!(fs::read(aside.join("report.txt")).unwrap(), before[3]);
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
}

#[test]
fn a_foreign_manifest_in_the_folder_is_left_alone() {
    let folder = with_manifest("recover/foreign", SMALL);
    fs::create_dir(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/manifest.toml"), "mine").unwrap();
    let (code, _, err) = shikou(&folder, &["run", "m.toml", "--out", "mine"]);
    assert!(code == 2 && err.contains("mine holds manifest.toml and no log of Shikou's"), "{err}");
    assert_eq!(fs::read_to_string(folder.join("mine/manifest.toml")).unwrap(), "mine");
}

/// Rows that were changed together with their check read well, unless they are no game of their trial; playing them again shows them.
#[test]
fn verify_compares_the_bytes_that_would_be_written() {
    let (folder, _) = finished("verify");
    let log = folder.join("results/m/trials.csv");
    let whole = fs::read_to_string(&log).unwrap();
    // The reason of a failure in a won game, and plies of a second player in a solitaire.
    for (experiment, column, value, code, end) in [
        ("tic-tac-toe", 16, "none", 1, "60 of 60 trials replayed, 1 differs\n"),
        ("calculation", 14, "3", 0, "59 of 59 trials replayed, 0 differ\n"),
    ] {
        let is_of = |line: &&str| line.starts_with(experiment) && line.split(',').nth(column) == Some("");
        let line = whole.lines().find(is_of).unwrap();
        let mut fields: Vec<&str> = line.split(',').collect();
        fields.pop();
        fields[column] = value;
        let row = fields.join(",");
        let changed = format!("{row},{:08x}", crc32fast::hash(row.as_bytes()));
        fs::write(&log, whole.replace(line, &changed)).unwrap();
        let (found, out, _) = shikou(&folder, &["verify", "results/m", "--all"]);
        assert!(found == code && out.ends_with(end), "{out}");
        assert!(code == 0 || out.starts_with(&format!("trial {} differs from the log", fields[2])), "{out}");
    }
    fs::write(&log, &whole).unwrap();
    assert_eq!(shikou(&folder, &["verify", "results/m", "--all"]).0, 0);
    // A sample is drawn by its seed.
    let sample =
        |seed: &str| shikou(&folder, &["verify", "results/m", "--sample", "5", "--seed", seed, "--json"]).1;
    assert_eq!(sample("1"), sample("1"));
    assert!(sample("1").contains("\"detects_one\": 0.08333333333333"), "{}", sample("1"));
}

/// A folder that cannot be written is read all the same.
#[cfg(unix)]
#[test]
fn a_report_needs_no_permission_to_write() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, _) = finished("read_only");
    let results = folder.join("results/m");
    let report = shikou(&folder, &["report", "results/m"]).1;
    fs::set_permissions(&results, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write everywhere.
    let is_refused = fs::write(results.join("probe"), "").is_err();
    let (code, out, err) = shikou(&folder, &["report", "results/m"]);
    fs::set_permissions(&results, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(code, 0, "{err}");
    let expected = report
        .replace("results in results/m", "results in results/m, which is read-only: nothing was written");
    assert_eq!(out, if is_refused { expected } else { report });
}

/// While a run writes, a report is printed and nothing is written.
#[test]
fn a_report_during_a_run_writes_nothing() {
    let (folder, _) = finished("running");
    let log = fs::File::open(folder.join("results/m/trials.csv")).unwrap();
    log.lock().unwrap();
    fs::remove_file(folder.join("results/m/digests.csv")).unwrap();
    let (code, out, err) = shikou(&folder, &["report", "results/m"]);
    assert!(code == 0 && out.contains("where a run is writing: nothing was written"), "{out}{err}");
    assert!(!folder.join("results/m/digests.csv").exists());
    let (code, _, err) = shikou(&folder, &["recover", "results/m"]);
    assert!(code == 2 && err.contains("another run is writing this log"), "{err}");
}

/// A merge that was killed after the times and before the trials is made good by the next one.
#[test]
fn a_merge_that_is_killed_keeps_the_times() {
    let (folder, canonical) = finished("merge");
    let merge = || shikou(&folder, &["merge", "joined", "results/m", "--quiet"]);
    assert_eq!(merge().0, 0);
    let lines = |of: &str| {
        let text = fs::read_to_string(folder.join(of).join("times.hlog")).unwrap();
        let mut lines: Vec<String> =
            text.lines().filter(|line| line.starts_with("Tag=")).map(Into::into).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines("joined"), lines("results/m"));
    change(&folder.join("joined/trials.csv"), |bytes| bytes.truncate(bytes.len() / 2));
    assert_eq!(merge().0, 0);
    assert_eq!(lines("joined"), lines("results/m"));
    assert_eq!(fs::read(folder.join("joined/canonical.csv")).unwrap(), canonical);
    fs::remove_file(folder.join("results/m/host.toml")).unwrap();
    let (code, _, err) = merge();
    assert!(
        code == 2 && err.contains("results/m/host.toml: ") && err.contains("a run writes this file"),
        "{err}"
    );
}

/// The log is plain CSV, with one header and as many fields in each row.
#[test]
fn the_log_is_plain_csv() {
    let (folder, _) = finished("plain");
    let path = folder.join("results/m/trials.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    assert_eq!((header.len(), &header[7], &header[22]), (23, "margin", "check"));
    assert_eq!(reader.records().map(|row| row.unwrap()).filter(|row| row.len() == 23).count(), 100);
    let manifest = manifest(SMALL);
    assert_eq!(try_read(&path, &Plan::new(&manifest).unwrap()).unwrap().len(), 60);
}

/// Logs of formats 2 and 3 before `log.toml` had their facts in comments; a later format may have other facts. None is damaged.
#[test]
fn results_of_another_version_are_not_called_damaged() {
    let (folder, canonical) = finished("another_version");
    let (log, facts) = (folder.join("results/m/trials.csv"), folder.join("results/m/log.toml"));
    let (rows, kept) = (fs::read(&log).unwrap(), fs::read_to_string(&facts).unwrap());
    let refused = || {
        all_refuse(&folder, "results/m: another version of Shikou wrote these results, in another format");
        for command in [&["run", "m.toml"][..], &["recover", "results/m"]] {
            let (code, _, err) = shikou(&folder, command);
            assert!(code == 2 && err.contains("--restart moves them aside"), "{code} {err}");
        }
    };
    // A later format.
    let later = format!("format = 5\nnew-fact = 1\n{}", kept.split_once("format = 4\n").unwrap().1);
    let check = format!("check = \"{:08x}\"\n", crc32fast::hash(later.as_bytes()));
    fs::write(&facts, check + &later).unwrap();
    refused();
    fs::remove_file(&facts).unwrap();
    for format in [2, 3] {
        let comment = format!("# shikou log {format}; version 0.1.0; commit 0\n");
        fs::write(&log, [comment.as_bytes(), &rows[..]].concat()).unwrap();
        refused();
    }
    ok(&folder, &["run", "m.toml", "--quiet", "--restart"]);
    assert_eq!(fs::read(folder.join("results/m/canonical.csv")).unwrap(), canonical);
}

/// The logs of optimisations and of runs that were taken over, and rows that no reader takes.
#[test]
fn all_logs_of_a_folder_are_recovered() {
    let text = "schema = 1\n[[optimisation]]\nname = \"o\"\ngame = \"tic-tac-toe\"\ngenerations = 2\ngenes.c = { within = [0.0, 3.0] }\n\
                player = { search.uct.exploration = { gene = \"c\" }, budget.playouts = 5 }\n\
                method.genetic = { population = 4, parents = 2 }\nfitness = { against = \"random\", pairs = 2 }\n\
                [[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 20\nplayer = [\"random\", \"flat(playouts=2)\"]\n";
    let folder = with_results("recover/parts", text, &[]);
    let results = folder.join("results/m");
    let (log, taken, of_part) =
        (results.join("trials.csv"), results.join("taken-1.csv"), results.join("o/evaluations.csv"));
    let before = ok(&folder, &["run", "m.toml", "--quiet"]);
    fs::copy(&log, &taken).unwrap();
    let flip = |path: &Path| change(path, |bytes| bytes[400] ^= 1);
    for (path, damage) in [
        (&of_part, &flip as &dyn Fn(&Path)),
        (&taken, &flip),
        (&log, &|path| change(path, |bytes| bytes.extend([vec![b'x'; 1 << 20], b"\n".to_vec()].concat()))),
        (&log, &|path| change(path, |bytes| bytes.extend(vec![b'x'; (1 << 20) + 5]))),
    ] {
        damage(path);
        let out = ok(&folder, &["recover", "results/m"]);
        assert!(out.contains("damaged line") && !out.contains("nothing is damaged"), "{out}");
        assert!(
            ok(&folder, &["recover", "results/m"]).contains("nothing is damaged, and nothing was changed")
        );
        assert_eq!(ok(&folder, &["run", "m.toml", "--quiet"]), before);
        ok(&folder, &["merge", "joined", "results/m"]);
        fs::remove_dir_all(folder.join("joined")).unwrap();
    }
}

/// A log that is gone, and a log beside another one, are named: nothing is passed over in silence.
#[test]
fn a_log_that_is_gone_or_double_is_named() {
    let (folder, _) = finished("gone");
    let log = folder.join("results/m/trials.csv");
    fs::write(folder.join("results/m/trials.csv.gz"), "").unwrap();
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert!(code == 2 && err.contains("holds two logs, trials.csv and trials.csv.gz"), "{err}");
    all_refuse(&folder, "holds two logs");
    fs::rename(folder.join("results/m/trials.csv.gz"), folder.join("results/m/trials.bin")).unwrap();
    all_refuse(&folder, "there `shikou report results/m --format trials` prints the trials.csv");
    fs::remove_file(folder.join("results/m/trials.bin")).unwrap();
    fs::remove_file(&log).unwrap();
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert!(code == 2 && err.contains("whose log, trials.csv or trials.csv.gz, is gone"), "{err}");
    let (_, _, err) = shikou(&folder, &["verify", "results/m"]);
    assert!(err.contains("is gone; restore it") && !err.contains("reference"), "{err}");
}
