//! A folder of pages, with an index: every link leads somewhere, and nothing runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::page::between;
use crate::resume::shikou;
use crate::support::folder;

fn site(references: &Path, to: &Path) -> BTreeMap<String, String> {
    let (references, out) = (references.to_str().unwrap(), to.join("site"));
    let (code, said, err) = shikou(to, &["report", "--site", references, out.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}{err}");
    assert!(said.contains("index.html and ") && said.contains(" kB"), "{said}");
    let files = fs::read_dir(out).unwrap().map(Result::unwrap);
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap()))
        .collect()
}

#[test]
fn every_reference_has_a_page_and_the_index_leads_to_it() {
    let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let files = site(&references, &folder("site/all"));
    let mut folders: Vec<String> = fs::read_dir(&references)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let index = &files["index.html"];
    assert_eq!(files.len(), folders.len() + 1);
    for folder in &folders {
        let page = &files[&format!("{folder}.html")];
        assert!(index.contains(&format!("<a href=\"{folder}.html\">")), "{folder}");
        assert!(page.contains("<a href=\"index.html\">All results</a>"), "{folder}");
    }
    // Links are relative and lead to files and places that are there.
    for (name, page) in &files {
        let ids: Vec<&str> = between(page, " id=\"", "\"");
        for link in between(page, " href=\"", "\"") {
            let is_there = match link.strip_prefix('#') {
                Some(id) => ids.contains(&id),
                None => link.starts_with("https://") && name == "index.html" || files.contains_key(link),
            };
            assert!(is_there, "{name}: {link}");
        }
        // A drawing names its parts, and no name is given twice.
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{name}");
    }
    // The index runs nothing, and its one style sheet is allowed by its hash.
    let [style] = between(index, "<style>", "</style>")[..] else { panic!("one style sheet") };
    let plain = index.replace("&#x27;", "'").replace("&#x2f;", "/").replace("&#39;", "'");
    let hash = STANDARD.encode(Sha256::digest(style));
    assert!(plain.contains(&format!(
        "content=\"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\""
    )));
    let markup = index.replace(style, "");
    for tag in between(&markup, "<", ">") {
        let names: String = tag.split('"').step_by(2).collect();
        assert!([" style=", " src=", " on"].iter().all(|attribute| !names.contains(attribute)), "{tag}");
        assert!(["script", "link", "img", "iframe"].iter().all(|tag| !names.starts_with(tag)), "{tag}");
    }
    // The text of the notebook is there, with its tables.
    assert!(index.contains("<h2 id=\"the-notebook\">The notebook</h2>"));
    assert!(index.contains("<td>minimax to the end</td><td>.739 [.732, .746]</td>"));
    // The same files again.
    assert_eq!(site(&references, &folder("site/again")), files);
}

/// Names and texts of somebody else are text, and a folder without results is no page.
#[test]
fn what_is_made_to_deceive_is_text() {
    let folder = folder("site/hostile");
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/tour");
    for name in ["a", "A", "index", "<b>"] {
        let to = folder.join("reference").join(name);
        fs::create_dir_all(&to).unwrap();
        let text = fs::read_to_string(tour.join("summary.json")).unwrap();
        let text = text.replacen(
            "\"question\": \"",
            "\"question\": \"<script>alert(1)</script>\\u202e\\u001b[2J",
            1,
        );
        fs::write(to.join("summary.json"), text).unwrap();
    }
    fs::create_dir_all(folder.join("reference/empty")).unwrap();
    let notebook = "# <script>alert(2)</script>\n\n<script>alert(3)</script>\n\na\u{202e}b\u{1b}[2J [x](javascript:alert(4)) \
                    [a](reference/a) ![p](p.png)\n";
    fs::write(folder.join("README.md"), notebook).unwrap();
    let files = site(&folder.join("reference"), &folder);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["a-2.html", "a.html", "b.html", "index-2.html", "index.html"]);
    for (name, page) in &files {
        assert!(!page.contains("<script>alert"), "{name}");
        assert!(!page.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{name}");
    }
    let index = &files["index.html"];
    assert!(
        index.contains("alert(3)") && !index.contains("javascript:") && !index.contains("<img"),
        "{index}"
    );
    assert!(
        index.contains("<a href=\"a-2.html\">a</a>") || index.contains("<a href=\"a.html\">a</a>"),
        "{index}"
    );
    let (code, _, err) = shikou(&folder, &["report", "--site", "reference/empty", "out"]);
    assert!(code == 2 && err.contains("no folder here has a summary.json"), "{err}");
    let (code, _, err) = shikou(&folder, &["report", "--site", "none", "out"]);
    assert!(code == 2 && err.contains("none: "), "{err}");
}
