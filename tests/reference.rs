//! `shikou report` of a committed reference, which has no log.

use std::fs;
use std::path::Path;

use crate::cli::shikou;

#[test]
fn a_reference_without_a_log_is_rendered_from_its_summary_and_written_on_request() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/a-against-a");
    let read = |name| fs::read(reference.join(name)).unwrap();
    let contents = ["summary.json", "digests.csv", "host.toml"].map(|name| (name, read(name)));
    let files: Vec<(&str, &[u8])> =
        contents.iter().map(|(name, content)| (*name, content.as_slice())).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/reference");

    let (code, printed, err) = shikou("reference", &files, &["report", ".", "--full"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(!folder.join("report.txt").exists());
    let digests = String::from_utf8(read("digests.csv")).unwrap();
    let digest = digests.lines().nth(1).unwrap().strip_prefix("all,").unwrap();
    assert!(printed.contains(&format!("digest {digest} of this reference")), "{printed}");

    let (code, again, err) = shikou("reference", &files, &["report", ".", "--full", "--write"], "");
    assert_eq!((code, err.as_str(), again.as_str()), (0, "", printed.as_str()));
    let written = fs::read_to_string(folder.join("report.txt")).unwrap();
    assert!(written.contains("│ Rendered from summary.json") && printed.starts_with(written.trim_end()));

    // The measured times are only in the committed report.
    let committed = read("report.txt");
    let files = [&files[..], &[("report.txt", committed.as_slice())]].concat();
    let (code, _, err) = shikou("reference", &files, &["report", ".", "--quiet", "--write"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(fs::read(folder.join("report.txt")).unwrap(), committed);
}
