//! The committed references: each is read without its log, and rendered.
//!
//! `SHIKOU_UPDATE_REFERENCES=1 cargo test --test tests references::` renders every committed `report.txt` again from
//! `summary.json`.

use std::fs;
use std::path::Path;

use shikou::experiment::Reference;
use shikou::report::{Extent, run_report};

#[test]
fn every_reference_without_a_log_is_rendered_from_its_summary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let mut rendered = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(Reference { summary, facts, digest }) = Reference::read(&path).unwrap() else { continue };
        assert_eq!(digest.len(), 64, "{}", path.display());
        let report = run_report(&summary, None, &facts, Extent::Short).to_string();
        assert!(report.contains("│ Rendered from summary.json"), "{report}");
        if std::env::var_os("SHIKOU_UPDATE_REFERENCES").is_some() {
            fs::write(path.join("report.txt"), format!("{report}\n")).unwrap();
        }
        rendered += 1;
    }
    assert!(rendered >= 10, "{rendered} references");
}
