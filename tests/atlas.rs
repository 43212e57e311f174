//! The atlas: cells from two files each, played, counted, drawn, and played again.

use std::fs;
use std::path::Path;

use shikou::experiment::{Manifest, Plan};

use crate::resume::ok;
use crate::support::{folder, write};

/// A new folder with an atlas of two games and two players, one of which does not fit one of the games.
fn atlas(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    fs::create_dir_all(folder.join("a/games")).unwrap();
    fs::create_dir_all(folder.join("a/players")).unwrap();
    let common = "seed = 1\nplain = \"uct(exploration={c})\"\nalpha = 0.001\nlevel = 0.05\n[pairs]\n10 = 200\n\"1ms\" = 2\n";
    write(&folder, "a/atlas.toml", common);
    let game = |game: &str| format!("game.{game}\nopenings = {{ random-plies = 1 }}\n[values]\nc = 0.5\n");
    write(&folder, "a/games/four.toml", game("k-in-a-row = { rows = 4, columns = 4, k = 4 }"));
    write(&folder, "a/games/nim.toml", game("breakthrough = { rows = 4, columns = 4 }"));
    let part = |player: &str| format!("about = \"a player\"\npaper = \"a paper\"\nplayer = \"{player}\"\n");
    write(&folder, "a/players/implicit.toml", part("uct(exploration={c},backup=implicit)"));
    write(
        &folder,
        "a/players/worse.toml",
        part("uct(exploration={c},final-choice=secure,expansion=single(threshold=1000))"),
    );
    folder
}

#[test]
fn cells_are_played_once_and_again_to_the_same_digest() {
    let folder = atlas("atlas/cells");
    let shikou = |more: &[&str]| {
        ok(&folder, &[&["atlas", "--folder", "a", "--table", "t.csv", "--out", "out"], more].concat())
    };
    assert!(shikou(&[]).starts_with("No cell was played yet."));
    shikou(&["--play", "*/*/10", "--threads", "2"]);
    let table = fs::read_to_string(folder.join("t.csv")).unwrap();
    let row = |name: &str| {
        table.lines().find(|line| line.starts_with(name)).map(|line| line.split(',').collect::<Vec<_>>())
    };
    // The evaluation that four in a row does not have.
    assert!(row("four,implicit,10").is_none() && row("nim,implicit,10").is_some(), "{table}");
    let worse = row("nim,worse,10").unwrap();
    let [points, low, high, ln_e] = [4, 5, 6, 7].map(|at: usize| worse[at].parse::<f64>().unwrap());
    assert!(low <= points && points <= high && low < 0.5 && ln_e.is_finite(), "{table}");
    // Nothing is played twice, and the digest is that of any run of the manifest.
    shikou(&["--play", "*/*/10"]);
    assert_eq!(fs::read_to_string(folder.join("t.csv")).unwrap(), table);
    write(&folder, "cell.toml", shikou(&["nim/worse/10", "--manifest"]));
    let run = ok(&folder, &["run", "cell.toml", "--threads", "1", "--quiet"]);
    assert!(run.contains(worse[11]), "{run}\n{table}");
    assert!(shikou(&["nim/worse/10", "--check", "--threads", "1"]).contains("the same digest"));
    // A cell of time has no digest, and is of one host.
    shikou(&["--play", "nim/worse/1ms"]);
    let table = fs::read_to_string(folder.join("t.csv")).unwrap();
    assert!(table.lines().any(|line| line.starts_with("nim,worse,1ms,2,") && line.contains(",,")), "{table}");
    let text = shikou(&["--width", "80"]);
    assert!(
        text.contains("4 cells: ") && text.contains("Points a game against plain UCT with 10 playouts"),
        "{text}"
    );
    assert!(text.contains("The games, by random play"), "{text}");
    // The page leads to those of its cells, and to those of the claims, which it also has in a table.
    write(&folder, "claim.toml", crate::claims::MANIFEST);
    ok(&folder, &["run", "claim.toml", "--quiet", "--out", "results/reference/claim-small"]);
    shikou(&["--html", "site"]);
    let page = fs::read_to_string(folder.join("site/index.html")).unwrap();
    for (name, file) in [("nim/worse/10", "nim_worse_10.html"), ("claim-small", "claim-small.html")] {
        assert!(page.contains(&format!("<a href=\"{file}\">")), "{name}");
        assert!(folder.join("site").join(file).exists(), "{file}");
    }
    assert!(page.contains("confirmed 1; refuted 1.") && page.contains("Source: A, B 2020"));
    // A row of a cell whose files are gone is not shown.
    fs::remove_file(folder.join("a/games/four.toml")).unwrap();
    assert!(shikou(&[]).contains("3 cells: "));
}

/// Every file of the committed atlas makes a manifest that can be played, or says why not.
#[test]
fn the_committed_atlas_can_be_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = ok(root, &["atlas", "--manifest"]);
    let (mut played, mut refused) = (0, Vec::new());
    for manifest in text.split("\n\n# ").filter(|text| text.contains("schema = 1")) {
        let manifest = format!("# {}", manifest.trim_start_matches("# "));
        let read = Manifest::parse(Path::new("cell.toml"), &manifest, &shikou::registry());
        match read.and_then(|manifest| Plan::new(&manifest)) {
            Ok(_) => played += 1,
            Err(error) => refused.push(error.to_string()),
        }
    }
    assert!(played > 300, "{played}");
    let reasons = ["this game has no evaluation", "has no keys", "divides a budget of playouts"];
    let is_expected = |reason: &String| reasons.iter().any(|expected| reason.contains(expected));
    assert!(refused.iter().all(is_expected), "{}", refused.join("\n"));
}
