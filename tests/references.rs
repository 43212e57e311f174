//! The committed references: each is read without its log, and rendered.
//!
//! `SHIKOU_UPDATE_REFERENCES=1 cargo test --test tests references::` writes every committed `summary.json` again as this build
//! writes what it reads, renders `report.txt` from it, and keeps the measured times. The references of published claims take what their
//! manifests in `experiments/` state now.

use std::fs;
use std::path::Path;

use shikou::experiment::{Manifest, Plan, Reference, Summary};
use shikou::report::{Extent, keep_times, run_report};

fn updates() -> bool {
    std::env::var_os("SHIKOU_UPDATE_REFERENCES").is_some()
}

/// The summary with the question, the source and the published results of its manifest in `experiments/`, which also is in the folder.
/// They are no part of a trial.
fn as_stated(mut summary: Summary, folder: &Path) -> Summary {
    let manifest =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(folder.file_name().unwrap());
    let manifest = manifest.with_extension("toml");
    if updates() {
        fs::copy(&manifest, folder.join("manifest.toml")).unwrap();
    }
    let [text, copy] =
        [&manifest, &folder.join("manifest.toml")].map(|path| fs::read_to_string(path).unwrap());
    assert!(text == copy, "{}: SHIKOU_UPDATE_REFERENCES=1 copies the manifest", folder.display());
    let manifest = Manifest::parse(&manifest, &text, &shikou::registry()).unwrap();
    let stated = Summary::new(&Plan::new(&manifest).unwrap(), &[]);
    (summary.question, summary.source) = (stated.question, stated.source);
    for (experiment, stated) in summary.experiments.iter_mut().zip(stated.experiments) {
        assert_eq!(experiment.name, stated.name);
        experiment.published = stated.published;
    }
    summary
}

#[test]
fn every_reference_without_a_log_is_rendered_from_its_summary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let mut rendered = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(Reference { summary, facts, digest }) = Reference::read(&path).unwrap() else { continue };
        assert_eq!(digest.len(), 64, "{}", path.display());
        let is_claim = path.file_name().unwrap().to_string_lossy().starts_with("claim-");
        let stated = if is_claim { as_stated(summary.clone(), &path) } else { summary.clone() };
        let [read, stated_json] = [&summary, &stated].map(|summary| serde_json::to_value(summary).unwrap());
        let summary = stated;
        let advice = format!("{}: SHIKOU_UPDATE_REFERENCES=1 renders it again", path.display());
        assert!(read == stated_json || updates(), "{advice}");
        let committed = fs::read_to_string(path.join("report.txt")).unwrap();
        let mut report = run_report(&summary, None, &facts, Extent::Short);
        // The measured times are only there.
        keep_times(&mut report, summary.experiments.len(), &committed);
        let report = format!("{report}\n");
        let is_timed = summary.experiments.is_empty() || report.contains("│ time per move");
        assert!(is_timed, "{}", path.display());
        if updates() {
            let old = fs::read_to_string(path.join("summary.json")).unwrap();
            // A large summary is committed on one line.
            let written =
                if old.lines().count() == 1 { serde_json::to_string } else { serde_json::to_string_pretty };
            fs::write(path.join("summary.json"), written(&summary).unwrap() + "\n").unwrap();
            fs::write(path.join("report.txt"), &report).unwrap();
        } else {
            assert!(report == committed, "{advice}");
        }
        rendered += 1;
    }
    assert!(rendered >= 10, "{rendered} references");
}
