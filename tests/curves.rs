//! The curves of an optimisation as a picture, held to their data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{
    CurvePoint, EvaluationLog, OptimisationSummary, Plan, RunFacts, Summary, Workers, optimise,
};
use shikou::report::figure_svg;

use crate::support;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

/// The summaries of the optimisations of a manifest.
fn played(name: &str, text: &str) -> Summary {
    let manifest = support::manifest(text);
    let folder = support::folder(&format!("curves/{name}"));
    let mut summary = Summary::new(&Plan::new(&manifest).unwrap(), &[]);
    for optimisation in manifest.optimisations() {
        let folder = folder.join(&optimisation.name);
        fs::create_dir_all(&folder).unwrap();
        let (mut log, known) = EvaluationLog::open(&folder, &manifest, optimisation).unwrap();
        let stop = AtomicBool::new(false);
        let runs = optimise(optimisation, (&mut log, known), Workers::from(2), &stop, &mut |_| ()).unwrap();
        summary.optimisations.push(OptimisationSummary::new(optimisation, &runs));
    }
    summary
}

/// A picture of curves among others: its title, its levels (label and height), and its lines (places in pixels).
struct Found<'p> {
    title: &'p str,
    levels: Vec<(f64, f64)>,
    lines: Vec<Vec<[f64; 2]>>,
    text: &'p str,
}

fn number(text: &str) -> f64 {
    text.replace('−', "-").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// The text between two pieces of text, at each place.
fn between<'t>(text: &'t str, begin: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(begin).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

fn pictures(svg: &str) -> Vec<Found<'_>> {
    let picture = |text| {
        let heights = between(text, r#"<path class="grid" d="M56.0 "#, "H560.0\"/>").map(number);
        let labels = between(text, r#"<text text-anchor="end" "#, "</text>")
            .map(|label| number(label.split_once('>').unwrap().1));
        let line = |path: &str| {
            let place = |place: &str| {
                let (x, y) = place.split_once(' ').unwrap();
                [number(x), number(y)]
            };
            path.split('L').map(place).collect()
        };
        Found {
            title: between(text, r#"<text class="h" x="56.0" y="22.0">"#, "</text>").next().unwrap(),
            levels: labels.zip(heights).collect(),
            lines: between(text, r#"<path stroke-width="2" d="M"#, "\"").map(line).collect(),
            text,
        }
    };
    svg.split("<g transform").skip(1).map(picture).collect()
}

impl Found<'_> {
    /// The number at a height, by the labels of the axis.
    fn value(&self, y: f64) -> f64 {
        let ((low, bottom), (high, top)) = (self.levels[0], self.levels[self.levels.len() - 1]);
        low + (high - low) * (bottom - y) / (bottom - top)
    }

    /// Checks that a line shows these numbers: generation and value.
    fn shows(&self, line: usize, numbers: &[(usize, f64)], last: usize) {
        let places = &self.lines[line];
        assert_eq!(places.len(), numbers.len(), "{}, line {line}", self.title);
        let (low, high) = (self.levels[0].0, self.levels[self.levels.len() - 1].0);
        for (&[x, y], &(generation, value)) in places.iter().zip(numbers) {
            let at = 56.0 + 504.0 * generation as f64 / last as f64;
            assert!((x - at).abs() < 0.06, "{}: generation {generation} at {x}", self.title);
            // A tenth of a pixel of 284.
            let error = (self.value(y) - value).abs() / (high - low);
            assert!(error < 0.06 / 284.0, "{}: {value} at {y}, which is {}", self.title, self.value(y));
        }
    }
}

fn line(curve: &[CurvePoint], value: impl Fn(&CurvePoint) -> Option<f64>) -> Vec<(usize, f64)> {
    curve.iter().enumerate().filter_map(|(number, point)| Some((number, value(point)?))).collect()
}

const POINTS: &str = r#"
name = "a <&"
game.othello = { size = 4 }
generations = 7
genes.w = { count = 3, within = [-100.0, 100.0], unit = 0.001 }
player.search.greedy = { evaluation.linear = { features = "square-kinds", weights = { gene = "w" } } }
method.genetic = { population = 6, parents = 2 }
fitness = { against = "random", pairs = 3, of = "points" }
judge = { against = ["greedy(evaluation=mobility)"], pairs = 5, every = 3 }
"#;

#[test]
fn the_curves_of_an_optimisation_show_its_data() {
    let margin = POINTS.replace("points", "margin").replace("a <&", "b");
    let text = format!("schema = 1\nseed = 5\n[[optimisation]]{POINTS}[[optimisation]]{margin}");
    let summary = played("data", &text);
    let svg = figure_svg(&summary, &RunFacts::default());
    let found = pictures(&svg);
    let titles: Vec<&str> = found.iter().map(|picture| picture.title).collect();
    let expected = [
        "a &lt;&amp;: what the fitness saw",
        "a &lt;&amp;: spread",
        "a &lt;&amp;: genes of the selected",
        "b: what the fitness saw",
        "b: points",
        "b: spread",
        "b: genes of the selected",
    ];
    assert_eq!(titles, expected);
    let [by_points, by_margin] = &summary.optimisations[..] else { panic!("two optimisations") };
    let (by_points, by_margin) = (&by_points.runs[0], &by_margin.runs[0]);
    for (run, pictures) in [(by_points, &found[..3]), (by_margin, &found[3..])] {
        let [.., spread, genes] = pictures else { panic!("several pictures") };
        let curve = &run.curve;
        assert_eq!(curve.len(), 7);
        pictures[0].shows(0, &line(curve, |point| Some(point.best)), 6);
        pictures[0].shows(1, &line(curve, |point| Some(point.mean)), 6);
        spread.shows(0, &line(curve, |point| Some(point.spread)), 6);
        (0..3).for_each(|gene| genes.shows(gene, &line(curve, |point| Some(point.selected[gene])), 6));
        let judged = line(curve, |point| point.judge.map(|judge| judge.value));
        // After every third generation, and after the last.
        assert_eq!(judged.iter().map(|(generation, _)| *generation).collect::<Vec<_>>(), [2, 5, 6]);
        let (picture, number) = if pictures.len() == 3 { (&pictures[0], 2) } else { (&pictures[1], 1) };
        picture.shows(number, &judged, 6);
        let last = curve[6].judge.unwrap();
        let words = format!("generation 6: {:.3} [{:.3}, {:.3}]", last.value, last.low, last.high);
        assert!(picture.text.contains(&words), "{words} is not in {}", picture.text);
        assert_eq!(between(picture.text, "<title>", "</title>").count(), 3);
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    // JSON has no curves.
    let read = Summary::from_json(&serde_json::to_string(&summary).unwrap()).unwrap();
    assert_eq!(figure_svg(&read, &RunFacts::default()), "");
}

/// The picture of the page on evolution is that of its manifest: what the fitness saw climbs, the judge does not.
#[test]
fn the_picture_of_the_page_on_evolution_is_made_by_the_program() {
    let manifest = fs::read_to_string(root().join("examples/tune/luck.toml")).unwrap();
    let summary = played("luck", &manifest);
    let curve = &summary.optimisations[0].runs[0].curve;
    let (first, last) = (&curve[0], &curve[curve.len() - 1]);
    assert!(last.mean > 0.9 && first.mean < 0.7, "{first:?} {last:?}");
    assert!(last.judge.unwrap().high < 0.6, "{last:?}");
    let svg = figure_svg(&summary, &RunFacts::default());
    let path = root().join("docs/evolution.svg");
    if std::env::var_os("SHIKOU_UPDATE_DOCS").is_some() {
        fs::write(&path, &svg).unwrap();
    }
    let update = "run `SHIKOU_UPDATE_DOCS=1 cargo test --test tests curves::` to draw it again";
    assert!(fs::read_to_string(&path).unwrap_or_default() == svg, "docs/evolution.svg differs; {update}");
    let page = fs::read_to_string(root().join("docs/evolution.md")).unwrap();
    assert!(page.contains("](evolution.svg)"), "the page on evolution shows no picture");
}

/// The picture of the page on training is that of its manifest: the corners are the best squares to own.
#[test]
fn the_picture_of_the_page_on_training_is_made_by_the_program() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("curves").join("training");
    let _ = fs::remove_dir_all(&folder);
    let run = Command::new(env!("CARGO_BIN_EXE_shikou"))
        .args(["run", "examples/tune/lesson.toml", "--quiet", "--out"])
        .arg(&folder)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut summary = Summary::from_json(&fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
    summary.experiments.clear();
    let squares = summary.trainings[0].squares.as_ref().expect("a map of the squares");
    assert_eq!((squares.columns, squares.values.len()), (6, 36));
    let most = squares.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for corner in [0, 5, 30, 35] {
        assert!((squares.values[corner] - most).abs() < 1e-9, "{:?}", squares.values);
    }
    let svg = figure_svg(&summary, &RunFacts::default());
    assert!(svg.contains("lesson: learning curve") && svg.contains("lesson: what each square counts for"));
    let path = root().join("docs/training.svg");
    if std::env::var_os("SHIKOU_UPDATE_DOCS").is_some() {
        fs::write(&path, &svg).unwrap();
    }
    let update = "run `SHIKOU_UPDATE_DOCS=1 cargo test --test tests curves::` to draw it again";
    assert!(fs::read_to_string(&path).unwrap_or_default() == svg, "docs/training.svg differs; {update}");
    let page = fs::read_to_string(root().join("docs/training.md")).unwrap();
    assert!(page.contains("](training.svg)"), "the page on training shows no picture");
}
