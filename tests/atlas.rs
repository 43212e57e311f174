//! The atlas: cells from two files each, played, counted, drawn, and played again.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::time::Duration;

use shikou::experiment::{Lock, Manifest, Plan};

use crate::resume::{finish, ok, start};
use crate::support::{folder, write};

/// A new folder with an atlas of two games and two players, one of which does not fit one of the games.
fn atlas(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    fs::create_dir_all(folder.join("a/games")).unwrap();
    fs::create_dir_all(folder.join("a/players")).unwrap();
    let common = "question = \"q\"\nabout = \"a\"\nseed = 1\nplain = \"uct(exploration={c})\"\nalpha = 0.001\nlevel = 0.05\n[pairs]\n10 = 200\n\"1ms\" = 2\n";
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
        text.contains("4 of 8 cells played: ")
            && text.contains("Points a game against the plain player with 10 playouts"),
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
    assert!(shikou(&[]).contains("3 of 4 cells played: "));
}

/// A cell that cannot be played leaves the others to be played, and the exit code says so.
#[test]
fn a_cell_that_fails_does_not_end_the_sitting() {
    let folder = atlas("atlas/failed");
    fs::create_dir(folder.join("out")).unwrap();
    write(&folder, "out/four_worse_10", "a file where the folder of the results would be");
    let (code, _, error) = finish(start(&folder, &[&PLAY[..], &["--play", "*/*/10"]].concat()));
    let table = fs::read_to_string(folder.join("t.csv")).unwrap();
    assert!(code != 0 && error.contains("four/worse/10: "), "{error}");
    assert!(
        !table.contains("four,worse") && table.contains("nim,implicit") && table.contains("nim,worse"),
        "{table}"
    );
}

const PLAY: [&str; 9] = ["atlas", "--folder", "a", "--table", "t.csv", "--out", "out", "--threads", "1"];

/// Replaces a text in a file of an atlas.
fn replace(folder: &Path, name: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    assert!(text.contains(from), "{text}");
    write(folder, name, text.replace(from, to));
}

/// A change of what is played makes rows stale. A comment does not, nor does a number of pairs, which are played on.
#[test]
fn a_row_is_stale_if_other_games_are_played_now() {
    let folder = atlas("atlas/stale");
    let shikou = |more: &[&str]| ok(&folder, &[&PLAY, more].concat());
    let table = || fs::read_to_string(folder.join("t.csv")).unwrap();
    let column = |name: &str, at: usize| {
        let (table, cell) = (table(), format!("{name},"));
        let row = table.lines().find(|line| line.starts_with(&cell)).unwrap_or_else(|| panic!("{table}"));
        row.split(',').nth(at).unwrap().to_owned()
    };
    let is_fresh = || {
        let text = shikou(&[]);
        text.contains("3 of 8 cells played: ") && !text.contains("stale")
    };
    shikou(&["--play", "*/*/10"]);
    let before = table();
    replace(&folder, "a/games/nim.toml", "[values]", "# A comment.\n[values]");
    replace(&folder, "a/players/worse.toml", "a paper", "another");
    replace(&folder, "a/atlas.toml", "10 = 200", "10 = 210");
    assert!(is_fresh());
    assert!(shikou(&["nim/worse/10", "--check"]).contains("the same digest"));
    let pairs = |name: &str| column(name, 3).parse::<u64>().unwrap();
    assert_eq!(pairs("four,worse,10"), 200, "no evidence stopped it, or this test shows nothing");
    let log = || fs::read_to_string(folder.join("out/four_worse_10/trials.csv")).unwrap();
    let begun = log();
    shikou(&["--play", "*/*/10"]);
    assert!(pairs("four,worse,10") > 200 && log().starts_with(&begun), "{}", table());
    // Another player, and another game.
    let [player, game] = [
        ("a/players/worse.toml", "threshold=1000", "threshold=900", "2 rows"),
        ("a/games/nim.toml", "rows = 4", "rows = 5", "3 rows"),
    ];
    for (name, from, to, rows) in [player, game] {
        replace(&folder, name, from, to);
        let words = format!("{rows} of the table are stale and left out");
        let text = shikou(&["--width", "200"]);
        assert!(text.contains(&words), "{text}");
        shikou(&["--html", "site"]);
        assert!(fs::read_to_string(folder.join("site/index.html")).unwrap().contains(&words));
    }
    let (code, _, error) = finish(start(&folder, &[&PLAY[..], &["--check", "nim"]].concat()));
    assert!(code == 2 && error.contains("nim/worse/10: its row is stale"), "{error}");
    assert!(error.contains("2 rows of the table are stale"), "{error}");
    shikou(&["--play", "*/*/10"]);
    assert!(!shikou(&[]).contains("stale") && table().lines().count() == 4, "{}", table());
    assert_ne!(column("nim,worse,10", 14), before.lines().last().unwrap().rsplit(',').next().unwrap());
    assert!(shikou(&["*/*/10", "--check"]).matches("the same digest").count() == 3);
}

/// A mistake is refused with the file that has it, before a game is played, and no file is lost.
#[test]
fn mistakes_in_an_atlas_are_refused_with_their_file() {
    let refused = |number: usize, name: &str, from: &str, to: &str, more: &[&str], words: &str| {
        let folder = atlas(&format!("atlas/mistakes/{number}"));
        replace(&folder, name, from, to);
        let (code, out, error) = finish(start(&folder, &[&PLAY, more].concat()));
        assert!(code == 2 && error.contains(words), "{number}: {code} {out}{error}");
        assert!(
            !folder.join("t.csv").exists() && !folder.join("out").exists(),
            "{number}: something was played"
        );
    };
    let cases: [(&str, &str, &str, &[&str], &str); 11] = [
        ("a/atlas.toml", "10 = 200", "010 = 200", &[], "atlas.toml: write the budget `010` as `10`"),
        (
            "a/atlas.toml",
            "10 = 200",
            "\"1k\" = 200",
            &[],
            "the budget `1k` must be playouts, such as 1000, or a time",
        ),
        ("a/atlas.toml", "10 = 200", "10 = 0", &[], "`10` has 0 pairs, and needs one at least"),
        (
            "a/games/nim.toml",
            "c = 0.5",
            "d = 0.5",
            &["--play"],
            "games/nim.toml: `[values]` has no `c`, which atlas.toml asks for",
        ),
        (
            "a/games/nim.toml",
            "[values]",
            "trials = 5\n[values]",
            &["--play"],
            "games/nim.toml: leave `trials` out",
        ),
        (
            "a/players/worse.toml",
            "threshold",
            "treshold",
            &["--play"],
            "games/four.toml and players/worse.toml",
        ),
        ("a/players/worse.toml", "threshold", "treshold", &["--play"], "`threshold`"),
        ("a/atlas.toml", "10", "10", &["nim/wors/10"], "unknown player `wors`; did you mean `worse`"),
        ("a/atlas.toml", "10", "10", &["nim/worse/10/1"], "more parts than GAME/PLAYER/BUDGET"),
        ("a/atlas.toml", "10", "10", &["--check", "--shard", "1/2"], "cannot be used with"),
        ("a/atlas.toml", "10", "10", &["--check", "--time-limit", "1s"], "cannot be used with"),
    ];
    for (number, (name, from, to, more, words)) in (0..).zip(cases) {
        refused(number, name, from, to, more, words);
    }
    for (text, words) in
        [("# notes of a reader\n", "its first line is not game,player,"), ("game,player\n", "its first line")]
    {
        let folder = atlas("atlas/mistakes/notes");
        write(&folder, "t.csv", text);
        let (code, _, error) = finish(start(&folder, &[&PLAY[..], &["--play"]].concat()));
        assert!(
            code == 2 && error.contains("t.csv is no table of an atlas") && error.contains(words),
            "{error}"
        );
        assert_eq!(fs::read_to_string(folder.join("t.csv")).unwrap(), text);
    }
}

/// The rows of named cells, and of all for programs; a row that was changed by hand is found; a timed cell is not played on from
/// nothing, because its games would be others.
#[test]
fn rows_have_their_intervals_and_are_checked() {
    let folder = atlas("atlas/rows");
    let shikou =
        |more: &[&str]| ok(&folder, &[&["atlas", "--folder", "a", "--table", "mine.csv"], more].concat());
    assert!(shikou(&[]).contains("mine.csv is not there; --play makes it."));
    shikou(&["--play", "nim"]);
    assert!(folder.join("mine/nim_worse_10/summary.json").exists());
    let text = shikou(&["nim/worse", "--width", "80"]);
    let shows = ["cell", "points", "low", "high", "verdict", "nim/worse/10", "nim/worse/1ms"];
    assert!(shows.iter().all(|word| text.contains(word)) && !text.contains("implicit"), "{text}");
    assert!(text.contains("4 of 8 cells played: "), "{text}");
    let csv = shikou(&["--format", "csv"]);
    assert!(csv.starts_with("cell,points,low,high,ln E,verdict,pairs,"), "{csv}");
    assert!(csv.lines().count() == 5 && csv.contains("\nnim/worse/10,"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&shikou(&["nim/worse/10", "--json"])).unwrap();
    assert!(json["cells"][0]["verdict"].is_string() && json["cells"][0]["low"].is_f64(), "{json}");
    assert!(shikou(&["nim/worse/10", "--check"]).contains("nim/worse/10: the same digest, "));
    let table = fs::read_to_string(folder.join("mine.csv")).unwrap();
    let row = table.lines().find(|row| row.starts_with("nim,worse,10,")).unwrap();
    let points = row.split(',').nth(4).unwrap();
    write(&folder, "mine.csv", table.replace(&format!(",{points},"), ",0.123,"));
    let check = ["atlas", "--folder", "a", "--table", "mine.csv", "nim/worse/10", "--check"];
    let (code, out, _) = finish(start(&folder, &check));
    assert!(code == 1 && out.contains("the same digest, but OTHER figures in the row"), "{code} {out}");
    write(&folder, "mine.csv", format!("{table}{row}\n"));
    let (code, _, error) = finish(start(&folder, &check));
    assert!(code == 2 && error.contains("nim/worse/10 has two rows"), "{error}");
    write(&folder, "mine.csv", &table);
    replace(&folder, "a/atlas.toml", "\"1ms\" = 2", "\"1ms\" = 3");
    fs::remove_dir_all(folder.join("mine")).unwrap();
    fs::create_dir_all(folder.join("mine/nim_worse_1ms")).unwrap();
    let play = ["atlas", "--folder", "a", "--table", "mine.csv", "nim/worse/1ms", "--play"];
    let (code, _, error) = finish(start(&folder, &play));
    assert!(
        code == 0 && error.contains("nim/worse/1ms: not played on: its games are not in mine/"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(folder.join("mine.csv")).unwrap(), table);
    let text = shikou(&["four"]);
    assert!(text.contains("Not played: 4 of these cells."), "{text}");
    fs::rename(folder.join("a/games/four.toml"), folder.join("a/games/four_four.toml")).unwrap();
    let (code, _, error) = finish(start(&folder, &check));
    assert!(code == 2 && error.contains("four_four.toml: name the file with `-`"), "{error}");
}

/// Two processes share the cells of a table, and none is played twice or lost.
#[test]
fn two_processes_play_into_one_table() {
    let folder = atlas("atlas/two");
    write(
        &folder,
        "a/atlas.toml",
        "question = \"q\"\nabout = \"a\"\nseed = 1\nplain = \"uct(exploration={c})\"\nalpha = 1e-9\nlevel = 0.05\n[pairs]\n\
         10 = 20\n20 = 20\n30 = 20\n40 = 20\n50 = 20\n60 = 20\n",
    );
    let play = [&PLAY[..], &["--play"]].concat();
    let said = [start(&folder, &play), start(&folder, &play)].map(|child| {
        let (code, out, error) = finish(child);
        assert_eq!(code, 0, "{out}{error}");
        error
    });
    let table = fs::read_to_string(folder.join("t.csv")).unwrap();
    let cells: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(cells.len(), 18, "{table}");
    for cell in cells {
        let name = cell.split(',').take(3).collect::<Vec<_>>().join("/");
        let played = said.iter().filter(|said| said.contains(&format!("{name}: 0."))).count();
        assert_eq!(played, 1, "{name}: {said:?}");
    }
    // No row is added while another process holds the table.
    fs::remove_file(folder.join("t.csv")).unwrap();
    fs::remove_dir_all(folder.join("out")).unwrap();
    let lock = Lock::of(&folder.join("t.csv.locks/table")).unwrap();
    let waiting = |cell: &str| {
        let child = start(&folder, &[&play[..], &[cell]].concat());
        while !folder.join(format!("out/{}/report.txt", cell.replace('/', "_"))).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        assert!(lock.is_none() || !folder.join("t.csv").exists());
        child
    };
    let child = waiting("nim/worse/10");
    #[cfg(unix)]
    if lock.is_some() {
        let child = waiting("nim/worse/20");
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let (code, _, error) = finish(child);
        assert!(
            code == 4 && error.contains("t.csv is in use; the same command adds the row"),
            "{code} {error}"
        );
    }
    drop(lock);
    assert_eq!(finish(child).0, 0);
    assert!(fs::read_to_string(folder.join("t.csv")).unwrap().contains("nim,worse,10,20,"));
}

/// A signal to the program alone ends the run of the cell too. Rows stay, and the same command goes on with the games of the cell.
#[cfg(unix)]
#[test]
fn a_signal_stops_the_cell_under_way() {
    let folder = atlas("atlas/signal");
    replace(&folder, "a/atlas.toml", "[pairs]", "[pairs]\n3000 = 100");
    replace(&folder, "a/atlas.toml", "alpha = 0.001", "alpha = 1e-300");
    let play = [&PLAY[..], &["--play", "nim/worse/10", "nim/worse/3000"]].concat();
    let child = start(&folder, &play);
    let log = folder.join("out/nim_worse_3000/trials.csv");
    let games = || fs::read_to_string(&log).map_or(0, |log| log.lines().count());
    while games() < 5 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let (code, out, error) = finish(child);
    assert!(code == 4 && error.contains("the same command goes on with this cell"), "{code} {out}{error}");
    let table = || fs::read_to_string(folder.join("t.csv")).unwrap();
    assert!(table().contains("nim,worse,10,") && !table().contains("nim,worse,3000,"), "{}", table());
    let owner = fs::read_to_string(folder.join("out/nim_worse_3000/owner.toml")).unwrap();
    assert!(owner.contains("state = \"stopped\""), "{owner}");
    let begun = fs::read_to_string(&log).unwrap();
    assert!(begun.lines().count() < 190, "all games were played before the signal");
    ok(&folder, &play);
    assert!(fs::read_to_string(&log).unwrap().starts_with(&begun));
    assert!(table().contains("nim,worse,3000,100,"), "{}", table());
}

/// The notebook has the counts of the committed table.
#[test]
fn the_notebook_has_the_counts_of_the_committed_map() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = ok(root, &["atlas", "hex/rave/1000", "--width", "400"]);
    let counts = text.lines().find(|line| line.contains(" cells played: ")).unwrap();
    let notebook = fs::read_to_string(root.join("results/notebook/claims.md")).unwrap();
    assert!(notebook.contains(counts), "results/notebook/claims.md needs: {counts}");
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
