//! The page of a run and its figures, held to the summary that they show.
//!
//! `tests/browser` has the checks that need a browser, such as that the page loads nothing.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shikou::experiment::{Reference, Summary};

use crate::resume::shikou;
use crate::support::{folder, with_results};

fn references() -> Vec<PathBuf> {
    let all = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference")).unwrap();
    let mut all: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// The page and the figures of results: the text of each file with its name.
fn pages_of(results: &Path, to: &Path) -> (String, Vec<(String, String)>) {
    let (page, figures) = (to.join("page.html"), to.join("figures"));
    let html = format!("--html={}", page.display());
    let arguments = ["report", results.to_str().unwrap(), &html, "--svg", figures.to_str().unwrap()];
    let (code, out, err) = shikou(to, &arguments);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("page.html: ") && out.contains(" figure") && out.contains("digest "), "{out}");
    let mut files: Vec<(String, String)> = fs::read_dir(&figures)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    (fs::read_to_string(page).unwrap(), files)
}

/// The text between two pieces of text, at each place.
pub(crate) fn between<'t>(text: &'t str, begin: &'t str, end: &'t str) -> Vec<&'t str> {
    text.split(begin).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

/// The page loads nothing and runs nothing but its own script: its policy says so, and has the hashes of what it allows.
#[track_caller]
pub(crate) fn is_safe(page: &str) {
    let [style] = between(page, "<style>", "</style>")[..] else { panic!("one style sheet") };
    let [script] = between(page, "<script>", "</script>")[..] else { panic!("one script") };
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    let policy = format!(
        "content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\"",
        hash(script),
        hash(style)
    );
    // The template escapes quotes and slashes.
    let plain = page.replace("&#x27;", "'").replace("&#x2f;", "/").replace("&#39;", "'");
    assert!(plain.contains(&policy), "{policy}");
    let json = between(page, "id=\"summary\">", "</script>").concat();
    let markup = page.replace(&json, "").replace(script, "").replace(style, "");
    for tag in between(&markup, "<", ">") {
        // Without what is between quotes.
        let names: String = tag.split('"').step_by(2).collect();
        assert!([" style=", " src=", " on"].iter().all(|attribute| !names.contains(attribute)), "{tag}");
        assert!(
            ["link", "img", "iframe", "object", "base"].iter().all(|tag| !names.starts_with(tag)),
            "{tag}"
        );
    }
    assert!(between(page, " href=\"", "\"").iter().all(|link| link.starts_with('#')));
}

/// No drawing has a number that is not finite.
#[track_caller]
fn is_finite(drawing: &str) {
    for attribute in [" x=\"", " y=\"", " cx=\"", " cy=\"", " width=\"", " height=\"", " d=\"", " viewBox=\""]
    {
        for numbers in between(drawing, attribute, "\"") {
            assert!(
                !numbers.to_lowercase().contains("nan") && !numbers.contains("inf"),
                "{attribute}{numbers}"
            );
        }
    }
}

#[test]
fn the_page_of_every_reference_has_its_numbers() {
    for path in references() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path.join("summary.json")).unwrap();
        if path.join("trials.csv").exists() {
            // A log that was committed is read by a build with its fingerprints; the figures are the same.
            continue;
        }
        let (page, figures) = pages_of(&path, &folder(&format!("page/{name}")));
        assert!(page.len() < 2 << 20, "{name}: {} bytes", page.len());
        is_safe(&page);
        is_finite(&page);
        let [json] = between(&page, "id=\"summary\">", "</script>")[..] else { panic!("one summary") };
        let (inside, committed): (Value, Value) =
            (serde_json::from_str(json).unwrap(), serde_json::from_str(&text).unwrap());
        assert_eq!(inside, committed, "{name}");
        let Reference { summary, digest, .. } = Reference::read(&path).unwrap().unwrap();
        assert!(page.contains(&digest));
        let plain = unescaped(&page);
        for player in summary.experiments.iter().flat_map(|experiment| &experiment.players) {
            let estimate = player.result();
            let row = format!("{}</th><td class=\"n\">{:.4}</td>", player.name, estimate.value);
            assert!(player.trials == 0 || plain.contains(&row), "{name}: {row}");
        }
        let is_empty = summary.experiments.is_empty() && summary.trainings.is_empty();
        assert!(!is_empty || figures.is_empty());
        for (file, drawing) in &figures {
            is_finite(drawing);
            assert!(!drawing.contains("var(--") && drawing.starts_with("<svg "), "{file}");
            assert!(
                drawing.contains("<title id=\"figure-title\">") && drawing.contains("<desc id="),
                "{file}"
            );
        }
    }
}

/// The answer has every sentence of a verdict, and a time has its unit.
#[test]
fn the_page_answers_all_primary_comparisons() {
    let text = r#"
        schema = 1
        [[experiment]]
        game = "tic-tac-toe"
        design = "round-robin"
        trials = 40
        primary = [["random", "ai2"], ["random", "ai5"]]
        player = [{ name = "random", search = "random" }, { name = "ai2", search.rules = { list = "ai2" } }, { name = "ai5", search.rules = { list = "ai5" } }]
    "#;
    let folder = with_results("page/primary", text, &[]);
    let (page, _) = pages_of(&folder.join("results/m"), &folder);
    let [answer] = between(&page, "<dl class=\"answer\">", "</dl>")[..] else { panic!("one answer") };
    let sentences = between(answer, "<dd>", "</dd>");
    for rival in ["ai2", "ai5"] {
        let is_of = |sentence: &&&str| sentence.contains("primary") && sentence.contains(rival);
        assert_eq!(sentences.iter().filter(is_of).count(), 1, "{sentences:?}");
    }
    // A build without optimisation has no times.
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/calculation-ladder");
    let (page, _) = pages_of(&reference, &folder);
    assert!(page.contains("positions a game</th>"), "a number of positions has no unit");
    // The answer has the values that an optimisation found.
    let (page, _) = pages_of(&reference.with_file_name("tune-uct"), &folder);
    let [answer] = between(&page, "<dl class=\"answer\">", "</dl>")[..] else { panic!("one answer") };
    assert!(answer.contains("Its values: "), "{answer}");
}

fn unescaped(page: &str) -> String {
    page.replace("&quot;", "\"").replace("&#x27;", "'").replace("&#x2f;", "/").replace("&amp;", "&")
}

/// A mark is at its value, and its whiskers end at the ends of the interval, on both axes.
#[test]
fn marks_are_where_the_numbers_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/calculation-ladder");
    let (_, figures) = pages_of(&path, &folder("page/marks"));
    let Reference { summary, .. } = Reference::read(&path).unwrap().unwrap();
    let experiment = &summary.experiments[0];
    let find = |name: &str| &figures.iter().find(|(file, _)| file == name).expect(name).1;
    let drawing = find("ladder-piles-4-players.svg");
    // The axis goes from 0 to 1, at the places of its labels.
    let label = |text: &str| -> f64 {
        let at = drawing.find(&format!("\">{text}</text>")).unwrap();
        let x = drawing[..at].rfind(" x=\"").unwrap();
        drawing[x + 4..].split_once('"').unwrap().0.parse().unwrap()
    };
    let (zero, one) = (label("0.0"), label("1.0"));
    for player in &experiment.players {
        let estimate = player.result();
        let begin = format!("<g><title>{}: {:.3} [", player.name, estimate.value);
        let mark = &drawing[drawing.find(&begin).unwrap_or_else(|| panic!("{begin}"))..];
        let number = |text: &str| -> f64 { text.parse().unwrap() };
        let value = number(between(mark, "cx=\"", "\"")[0]);
        let (low, rest) = between(mark, "<path d=\"M", "\"")[0].split_once(' ').unwrap();
        let high = between(rest, "H", "M")[0];
        for (at, expected) in
            [(value, estimate.value), (number(low), estimate.low), (number(high), estimate.high)]
        {
            assert!((at - (zero + (one - zero) * expected)).abs() < 0.06, "{}: {at}", player.name);
        }
    }
    // Costs of one machine are in figure.csv; positions and playouts are in the summary. Cost and success have whiskers.
    for currency in ["time", "positions", "playouts"] {
        let drawing = find(&format!("ladder-piles-4-cost-{currency}.svg"));
        assert!(drawing.contains("Pareto front") && drawing.contains("logarithmic"), "{currency}");
    }
    let drawing = find("ladder-piles-4-cost-positions.svg");
    let tree = &drawing[drawing.find("<g><title>tree level=4: ").unwrap()..];
    let whiskers = between(tree, "<path d=\"", "\"")[0];
    assert!(whiskers.contains('V') && whiskers.contains('H'), "{whiskers}");
}

/// A run with a log has the times of its moves, a line over one swept option and a map over two.
#[test]
fn a_run_with_sweeps_has_lines_maps_and_times() {
    let manifest = r#"
schema = 1
question = "Which depth?"
[[experiment]]
name = "a sweep"
game = "tic-tac-toe"
design = "round-robin"
trials = 6
openings.random-plies = 1
player = [
  { name = "chance", search = "random" },
  { name = "line", search.flat = { playouts.each = [1, 10, 100] } },
  { name = "map", search.uct = { playouts.each = [4, 8], exploration.each = [0.5, 1.0] } },
]
"#;
    let folder = with_results("page/sweeps", manifest, &[]);
    // The build of the tests has times that mean something only to this test.
    let host = folder.join("results/m/host.toml");
    let facts = fs::read_to_string(&host).unwrap().replace("build = \"debug\"", "build = \"release\"");
    fs::write(&host, facts).unwrap();
    let (page, figures) = pages_of(&folder.join("results/m"), &folder);
    is_safe(&page);
    let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
    let kinds = [
        "comparisons",
        "cost-playouts",
        "cost-positions",
        "cost-time",
        "cross-table",
        "lengths",
        "map",
        "players",
        "ratings",
    ];
    let expected = kinds.iter().chain(&["sweep", "times"]).map(|kind| format!("a-sweep-{kind}.svg"));
    assert_eq!(names, expected.collect::<Vec<_>>());
    let find = |kind: &str| &figures.iter().find(|(name, _)| name.contains(kind)).unwrap().1;
    assert_eq!(find("-map").matches("<rect class=\"q").count(), 4);
    // 1 to 100 is drawn on a logarithmic axis.
    let line = find("-sweep.svg");
    assert!(
        line.contains(">playouts, logarithmic<") && line.matches("<g><title>line, playouts 1").count() == 3,
        "{line}"
    );
    assert_eq!(find("-times").matches("<g><title>").count(), 4 * 8);
    // Every two of eight players met, from either side.
    assert_eq!(find("-cross-table").matches("<rect class=\"q").count(), 8 * 7);
    // The default place is the folder.
    let (code, out, _) = shikou(&folder, &["report", "results/m", "--html"]);
    assert!(code == 0 && out.contains("results/m/report.html: "), "{out}");
    assert_eq!(fs::read_to_string(folder.join("results/m/report.html")).unwrap(), page);
    let (code, out, _) = shikou(&folder, &["report", "results/m", "--format", "html"]);
    assert!(code == 0 && out == page);
}

/// The figure that `--format svg` draws is the first of the page: over what was swept at equal budget, against cost where players
/// were meant to cost different amounts.
#[test]
fn the_first_figure_of_a_page_answers() {
    let sweep = "{ search.uct.exploration.each = [0.2, 1.0], budget.playouts = 20 }";
    for (name, players, kind) in [
        ("sweep", sweep, "by exploration"),
        (
            "cost",
            r#""flat(playouts-per-move=3)", "flat(playouts-per-move=30)", "random""#,
            "points a game by processor time",
        ),
    ] {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ndesign = \"round-robin\"\ntrials = 4\n\
             openings.random-plies = 1\nplayer = [{players}]\n"
        );
        let folder = with_results(&format!("page/first-{name}"), &text, &[]);
        let (page, _) = pages_of(&folder.join("results/m"), &folder);
        let (code, svg, _) = shikou(&folder, &["report", "results/m", "--format", "svg"]);
        let titles = |text: &str| -> Vec<String> {
            between(text, "-title\">", "</title>").into_iter().map(ToOwned::to_owned).collect()
        };
        let (drawn, titles) = (titles(&svg), titles(&page));
        assert!(code == 0 && drawn.len() == 1 && titles.len() > 1, "{drawn:?}");
        assert!(drawn[0] == titles[0] && drawn[0].contains(kind), "{drawn:?} {titles:?}");
    }
}

/// A page is as large as its players make it, not its trials.
#[test]
fn the_size_of_a_page_does_not_follow_the_trials() {
    let size = |trials: u32| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = {trials}\n\
             player = [{{ search = \"random\" }}, {{ search.policy = {{ policy = \"uniform\" }} }}]\n"
        );
        let folder = with_results(&format!("page/size-{trials}"), &text, &[]);
        pages_of(&folder.join("results/m"), &folder).0.len()
    };
    let (small, large) = (size(40), size(4000));
    assert!(large < small + 2000, "{small} {large}");
}

const NAMES: [&str; 4] =
    ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\u{1b}[2J\u{7}x", "a\u{202e}b\u{200f}\" onload=\"x"];

/// A reference of somebody else, with names made to deceive.
fn hostile() -> PathBuf {
    let folder = folder("page/hostile");
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/tour");
    let text = fs::read_to_string(tour.join("summary.json")).unwrap();
    let mut summary = Summary::from_json(&text).unwrap();
    summary.question = Some(format!("{} </title><script>alert(2)</script>", NAMES[3]));
    summary.source = Some(NAMES[2].into());
    for experiment in &mut summary.experiments {
        experiment.name = format!("{} {}", experiment.name, NAMES[0]);
        let known: Vec<String> = experiment.players.iter().map(|player| player.name.clone()).collect();
        let renamed = |name: &mut String| {
            let index = known.iter().position(|known| known == name).unwrap();
            *name = NAMES[index].into();
        };
        experiment.players.iter_mut().for_each(|player| renamed(&mut player.name));
        for meeting in &mut experiment.meetings {
            [&mut meeting.first, &mut meeting.second].into_iter().for_each(renamed);
        }
        for difference in &mut experiment.differences {
            [&mut difference.first, &mut difference.second].into_iter().for_each(renamed);
        }
        experiment
            .ratings
            .iter_mut()
            .flat_map(|ratings| &mut ratings.ranking)
            .for_each(|p| renamed(&mut p.name));
    }
    fs::write(folder.join("summary.json"), serde_json::to_string(&summary).unwrap()).unwrap();
    let host = "manifest = \"</title><script>\\u001b\"\nbuild = \"<b>\"\ncommit = \"\\u202e\"\ncpu = \"<!--\"\nthreads = 1\ncores = 1\n";
    fs::write(folder.join("host.toml"), host).unwrap();
    folder
}

#[test]
fn names_made_to_deceive_are_text() {
    let folder = hostile();
    let (page, figures) = pages_of(&folder, &folder);
    is_safe(&page);
    let hidden = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200f}".contains(c);
    let drawings = figures.iter().map(|(_, drawing)| drawing);
    for text in drawings.chain([&page]) {
        assert!(!text.contains(hidden), "{text:?}");
        assert!(!text.contains("<script>alert"), "{text}");
        is_finite(text);
    }
    assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("\\u{1b}[2J\\u{7}x"));
    // The summary that the page holds is the same, and ends no script.
    let [json] = between(&page, "id=\"summary\">", "</script>")[..] else { panic!("one summary") };
    assert!(!json.contains('<'));
    let read: Value = serde_json::from_str(json).unwrap();
    assert_eq!(read["experiments"][0]["players"][2]["name"], NAMES[2]);
    // Files have plain names.
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    assert!(figures.iter().all(|(name, _)| name.chars().all(plain)), "{figures:?}");
    for format in ["text", "csv", "figure", "markdown", "svg"] {
        let (code, out, err) = shikou(&folder, &["report", ".", "--format", format]);
        assert!(code == 0 && !out.contains(hidden), "{format}: {out:?}{err}");
        if matches!(format, "csv" | "figure") {
            assert!(out.contains(",'=cmd|") && !out.contains(",=cmd|"), "{format}: {out}");
        }
    }
}

/// Numbers that no run gives, in a file of somebody else, never reach a drawing.
#[test]
fn numbers_that_are_not_finite_are_not_drawn() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/tour");
    let text = fs::read_to_string(tour.join("summary.json")).unwrap();
    for (number, wrong) in ["1e308", "-1e308", "null", "1e-320", "1e99"].iter().enumerate() {
        let mut summary: Value = serde_json::from_str(&text).unwrap();
        let wrong: Value = serde_json::from_str(wrong).unwrap();
        for experiment in summary["experiments"].as_array_mut().unwrap() {
            for player in experiment["players"].as_array_mut().unwrap() {
                for estimate in ["success", "points", "margin", "positions"] {
                    if player[estimate].is_object() {
                        player[estimate]["high"] = wrong.clone();
                        if !wrong.is_null() {
                            player[estimate]["value"] = wrong.clone();
                        }
                    }
                }
            }
        }
        let folder = folder(&format!("page/infinite-{number}"));
        fs::write(folder.join("summary.json"), summary.to_string()).unwrap();
        let (page, figures) = pages_of(&folder, &folder);
        is_finite(&page);
        for (_, drawing) in &figures {
            is_finite(drawing);
        }
    }
}

/// The running estimate ends with the estimate of the summary, and has places by the logarithm of the instances.
#[test]
fn a_sequential_experiment_has_its_course() {
    let manifest = r#"
schema = 1
seed = 5
[[experiment]]
name = "rates"
game = "calculation"
trials = 5000
stopping.half-width = { at-most = 0.1 }
player = [{ name = "chance", search = "random" }, { name = "rule", search.policy = { policy = "foundation-first" } }]
[[experiment]]
name = "points"
game = "tic-tac-toe"
trials = 5000
openings.random-plies = 1
stopping.sprt = { between = ["flat", "chance"], elo0 = 0, elo1 = 60, alpha = 0.05, beta = 0.05 }
player = [{ name = "flat", search.flat = { playouts-per-move = 5 } }, { name = "chance", search = "random" }]
"#;
    let folder = with_results("page/course", manifest, &[]);
    let (page, figures) = pages_of(&folder.join("results/m"), &folder);
    let text = fs::read_to_string(folder.join("results/m/summary.json")).unwrap();
    let summary = Summary::from_json(&text).unwrap();
    for experiment in &summary.experiments {
        let stopping = experiment.stopping.as_ref().unwrap();
        let decided = stopping.instances;
        assert!(stopping.decision.is_some() && decided > 10, "{stopping:?}");
        let player = &experiment.players[0];
        // After an SPRT the estimate of the summary has no interval; its course has one that holds at any time.
        let estimate = experiment.course.last().unwrap().1[0];
        assert_eq!(estimate.value, player.result().value);
        let row = format!("{}</th><td class=\"n\">{decided}</td>", player.name);
        let [value, low, high] =
            [estimate.value, estimate.low, estimate.high].map(|number| format!("{number:.4}"));
        let cells = [value, low, high].map(|number| format!("<td class=\"n\">{number}</td>")).concat();
        assert!(page.contains(&format!("{row}{cells}")), "{row}{cells}");
        let drawing =
            &figures.iter().find(|(name, _)| *name == format!("{}-course.svg", experiment.name)).unwrap().1;
        let places = drawing.matches(&format!("<g><title>{}, ", player.name)).count();
        assert!(places > 10 && places < 110, "{places}");
        // The decision is marked at the last place.
        let mark = between(drawing, "<path class=\"front\" d=\"M", " ")[0];
        let last = between(drawing, "cx=\"", "\"")[places - 1];
        assert_eq!(mark, last);
    }
    // Without the log the course is in the summary.
    for name in ["trials.csv", "log.toml"] {
        fs::remove_file(folder.join("results/m").join(name)).unwrap();
    }
    fs::create_dir(folder.join("again")).unwrap();
    let (_, again) = pages_of(&folder.join("results/m"), &folder.join("again"));
    let courses = |files: &[(String, String)]| -> Vec<(String, String)> {
        files.iter().filter(|(name, _)| name.contains("course")).cloned().collect()
    };
    assert_eq!((courses(&again).len(), courses(&again)), (2, courses(&figures)));
}
