//! Trials as Parquet: the rows of `trials.csv`, or advice if the program cannot.

use std::fs;
use std::path::{Path, PathBuf};

use crate::resume::shikou;
use crate::support::with_results;

const MANIFEST: &str = r#"
schema = 1
[[experiment]]
name = "deals, ünï"
game.calculation = { suits = 3, ranks = 7 }
trials = 30
player = [{ name = "flat", search.flat = { playouts-per-move = 3 } }, { name = "chance", search = "random" }]
[[experiment]]
name = "pairs"
game = "tic-tac-toe"
trials = 20
player = [{ name = "flat", search.flat = { playouts-per-move = 3 } }, { name = "chance", search = "random" }]
"#;

fn run(name: &str) -> PathBuf {
    with_results(&format!("parquet/{name}"), MANIFEST, &[])
}

/// The trials as a file, or what the program says.
fn written(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("trials.parquet");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_shikou"));
    let program = program.args(["report", "results/m", "--format", "parquet"]).current_dir(folder);
    let done = program.stdout(fs::File::create(&path).unwrap()).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    if done.status.success() { Ok(path) } else { Err(said) }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_the_feature_says_how_to_get_it() {
    let said = written(&run("without")).unwrap_err();
    assert!(said.contains("cargo build --release --features parquet"), "{said}");
}

/// Other commands have no trials.
#[test]
fn what_has_no_trials_has_no_parquet() {
    let (code, _, err) = shikou(&crate::support::folder("parquet/none"), &["games", "--format", "parquet"]);
    assert!(code == 2 && err.contains("nothing to print as parquet"), "{err}");
}

#[cfg(feature = "parquet")]
#[test]
fn every_row_of_the_log_is_there() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    let folder = run("rows");
    let file = SerializedFileReader::new(fs::File::open(written(&folder).unwrap()).unwrap()).unwrap();
    let mut log = csv::Reader::from_path(folder.join("results/m/trials.csv")).unwrap();
    let headers: Vec<String> = log.headers().unwrap().iter().map(Into::into).collect();
    let names: Vec<String> = file
        .metadata()
        .file_metadata()
        .schema()
        .get_fields()
        .iter()
        .map(|field| field.name().into())
        .collect();
    assert_eq!(names, headers[..headers.len() - 1]);
    let mut expected: Vec<Vec<String>> =
        log.records().map(|row| row.unwrap().iter().take(names.len()).map(Into::into).collect()).collect();
    let text = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Long(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let rows = file.get_row_iter(None).unwrap().map(Result::unwrap);
    let mut found: Vec<Vec<String>> =
        rows.map(|row| row.get_column_iter().map(|(_, field)| text(field)).collect()).collect();
    assert_eq!(found.len(), 2 * 30 + 2 * 20);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// `docs/trials.py` reads them and draws, if Python has what it needs; its points are those of the summary.
#[cfg(feature = "parquet")]
#[test]
fn python_reads_them() {
    use std::process::Command;

    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let probe = Command::new(&python).args(["-c", "import pandas, pyarrow, matplotlib"]).output();
    if !probe.is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: {python} has not all of pandas, pyarrow and matplotlib (PYTHON names another)");
        return;
    }
    let folder = run("python");
    let trials = written(&folder).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trials.py");
    let done = Command::new(&python).args([&script, &trials, &folder.join("lengths.svg")]).output().unwrap();
    let (said, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success(), "{err}");
    assert!(fs::read_to_string(folder.join("lengths.svg")).unwrap().contains("</svg>"));
    let summary = fs::read_to_string(folder.join("results/m/summary.json")).unwrap();
    let summary = shikou::experiment::Summary::from_json(&summary).unwrap();
    for experiment in &summary.experiments {
        for player in &experiment.players {
            let mut rows = csv::Reader::from_reader(said.as_bytes());
            let row = rows
                .records()
                .map(Result::unwrap)
                .find(|row| row[0] == experiment.name && row[1] == player.name);
            let row = row.unwrap_or_else(|| panic!("{} is not in {said}", player.name));
            assert_eq!(row[2].parse::<u64>().unwrap(), player.lengths.unwrap().games);
            assert!((row[3].parse::<f64>().unwrap() - player.result().value).abs() < 0.000051, "{said}");
        }
    }
}
