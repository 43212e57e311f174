//! The table of published claims: in the documents it is the one that the program derives from the committed results.
//!
//! `SHIKOU_UPDATE_DOCS=1 cargo test --test tests claims::` writes the tables again.

use std::fs;
use std::path::Path;

use shikou::report::{claims_table, replications};

use crate::resume::{ok, shikou};
use crate::support::with_manifest;

/// A claim that holds and one that does not.
pub(crate) const MANIFEST: &str = r#"
schema = 1
seed = 1
question = "Does it win?"
source = "A, B 2020"

[[experiment]]
name = "small"
game = "tic-tac-toe"
trials = 60
openings.random-plies = 1
published = [{ player = "flat", successes = 90, trials = 100 }, { player = "chance", sign = "gain" }]
player = [{ name = "flat", search.flat = { playouts-per-move = 20 } }, { name = "chance", search = "random" }]
"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text with the lines of its first table in place of the old ones; `None` if it has no table.
fn with_table(text: &str, table: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| line.starts_with('|'))?;
    let end = begin + lines[begin..].iter().take_while(|line| line.starts_with('|')).count();
    Some([&lines[..begin], &[table], &lines[end..]].concat().join("\n"))
}

#[track_caller]
fn hold(path: &Path, text: &str, expected: &str) {
    if std::env::var_os("SHIKOU_UPDATE_DOCS").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        let advice = "`SHIKOU_UPDATE_DOCS=1 cargo test --test tests claims::` writes its tables again";
        assert!(text == expected, "{}: {advice}\n{expected}", path.display());
    }
}

#[test]
fn the_documents_have_the_tables_of_the_committed_claims() {
    let rows = replications(&root().join("results/reference")).unwrap();
    // Of the notebook the entry of each claim, which names it where it says how to reproduce it.
    let path = root().join("results/notebook/claims.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut entries: Vec<String> = text.split("\n## ").map(str::to_owned).collect();
    for own in rows.chunk_by(|a, b| a.claim == b.claim) {
        let claim = &own[0].claim;
        let place = format!("- To reproduce: `shikou run experiments/{claim}.toml`");
        let entry = entries.iter_mut().find(|entry| entry.contains(&place));
        let entry = entry.unwrap_or_else(|| panic!("{}: no entry has the line {place}", path.display()));
        let table = claims_table(own, false).markdown();
        let filled = with_table(entry, &table).unwrap_or_else(|| panic!("{claim}: the entry has no table"));
        *entry = filled + "\n";
    }
    hold(
        &path,
        &text,
        &(entries.iter().map(|entry| entry.trim_end()).collect::<Vec<_>>().join("\n\n## ") + "\n"),
    );

    let path = root().join("docs/atlas.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, section) = text.split_once("\n## The published claims\n").expect("the page has the section");
    let filled = with_table(section, &claims_table(&rows, true).markdown()).expect("it has a table");
    hold(&path, &text, &format!("{before}\n## The published claims\n{filled}\n"));
}

/// The program prints the verdicts of a folder of results, in all formats.
#[test]
fn claims_are_printed_with_their_verdicts() {
    let folder = with_manifest("claims/printed", MANIFEST);
    ok(&folder, &["run", "m.toml", "--quiet", "--out", "references/claim-small"]);
    let print =
        |more: &[&str]| ok(&folder, &[&["atlas", "--claims", "--references", "references"], more].concat());
    let text = print(&["--width", "80"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.starts_with("Does it win?\n") && text.contains("Source: A, B 2020\n"), "{text}");
    assert!(
        text.ends_with("2 comparisons with a published result in 1 run: confirmed 1; refuted 1.\n"),
        "{text}"
    );
    let csv = print(&["--format", "csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(
        rows[0],
        "claim,experiment,player,published,verdict,games,here,low,high,difference,difference low,difference high,source,digest"
    );
    assert!(rows[1].starts_with("claim-small,small,flat,90 of 100,confirmed,"), "{csv}");
    assert!(
        rows[2].starts_with("claim-small,small,chance,gain,refuted,")
            && rows[2].contains(",,,,\"A, B 2020\","),
        "{csv}"
    );
    let json: serde_json::Value = serde_json::from_str(&print(&["--json"])).unwrap();
    let first = &json["claims"][0];
    assert_eq!((&first["verdict"], &first["published"]["counts"][0]), (&"confirmed".into(), &90.into()));
    assert!(print(&["--format", "markdown"]).contains("| small: chance | chance | gain | 0."));
    // The report has the verdict below the interval from which it follows.
    let report = ok(&folder, &["report", "references/claim-small", "--full", "--width", "80"]);
    assert!(report.contains("\nPublished results: flat confirmed; chance refuted.\n"), "{report}");
    let (code, _, err) = shikou(&folder, &["atlas", "--claims", "--references", "."]);
    assert!(code == 2 && err.contains("no folder claim-NAME with a published figure"), "{err}");
}
