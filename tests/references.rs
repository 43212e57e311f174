//! The committed references: each is read without its log, and rendered.
//!
//! `SHIKOU_UPDATE_REFERENCES=1 cargo test --test tests references::` writes every committed `summary.json` again as this build
//! writes what it reads, renders `report.txt` from it, and keeps the measured times.

use std::fs;
use std::path::Path;

use shikou::experiment::Reference;
use shikou::report::{Extent, keep_times, run_report};

#[test]
fn every_reference_without_a_log_is_rendered_from_its_summary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let mut rendered = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(Reference { summary, facts, digest }) = Reference::read(&path).unwrap() else { continue };
        assert_eq!(digest.len(), 64, "{}", path.display());
        let committed = fs::read_to_string(path.join("report.txt")).unwrap();
        let mut report = run_report(&summary, None, &facts, Extent::Short);
        // The measured times are only there.
        keep_times(&mut report, summary.experiments.len(), &committed);
        let report = format!("{report}\n");
        let is_timed = summary.experiments.is_empty() || report.contains("│ time per move");
        assert!(is_timed, "{}", path.display());
        if std::env::var_os("SHIKOU_UPDATE_REFERENCES").is_some() {
            let old = fs::read_to_string(path.join("summary.json")).unwrap();
            // A large summary is committed on one line.
            let written =
                if old.lines().count() == 1 { serde_json::to_string } else { serde_json::to_string_pretty };
            fs::write(path.join("summary.json"), written(&summary).unwrap() + "\n").unwrap();
            fs::write(path.join("report.txt"), &report).unwrap();
        } else {
            assert!(report == committed, "{}: SHIKOU_UPDATE_REFERENCES=1 renders it again", path.display());
        }
        rendered += 1;
    }
    assert!(rendered >= 10, "{rendered} references");
}
