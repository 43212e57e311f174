//! `shikou report` of a committed reference, which has no log.

use std::fs;
use std::path::Path;

use crate::cli::{ok, with_files};

#[test]
fn a_reference_without_a_log_is_rendered_from_its_summary_and_written_on_request() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/a-against-a");
    let read = |name| fs::read(reference.join(name)).unwrap();
    let contents = ["summary.json", "digests.csv", "host.toml"].map(|name| (name, read(name)));
    let files: Vec<(&str, &[u8])> =
        contents.iter().map(|(name, content)| (*name, content.as_slice())).collect();
    let folder = with_files("reference", &files);

    let printed = ok(&folder, "report . --full");
    assert!(!folder.join("report.txt").exists());
    let digests = String::from_utf8(read("digests.csv")).unwrap();
    let digest = digests.lines().nth(1).unwrap().strip_prefix("all,").unwrap();
    assert!(printed.contains(&format!("digest {digest} of this reference")), "{printed}");

    assert_eq!(ok(&folder, "report . --full --write"), printed);
    let written = fs::read_to_string(folder.join("report.txt")).unwrap();
    assert!(written.contains("│ Rendered from summary.json") && printed.starts_with(written.trim_end()));

    // The measured times are only in the committed report.
    let committed = read("report.txt");
    fs::write(folder.join("report.txt"), &committed).unwrap();
    ok(&folder, "report . --quiet --write");
    assert_eq!(fs::read(folder.join("report.txt")).unwrap(), committed);
}
