//! A chart as SVG: a file that is legible on a light and on a dark page, and the same bytes on every machine.
//!
//! Coordinates have one decimal place. A screen reader finds every point in words.

use std::fmt::Write as _;

use super::curve::Curves;
use super::svg_curve::{curves_in_words, draw_curves};
use super::{Chart, Point, Series};
use crate::stats::{Estimate, Method};

/// The size of a chart, and of the field of its points.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
pub(super) const LEFT: f64 = 56.0;
pub(super) const RIGHT: f64 = 560.0;
pub(super) const TOP: f64 = 56.0;
pub(super) const BOTTOM: f64 = 340.0;

/// The height of a line of text.
pub(super) const LINE: f64 = 18.0;

/// The largest number of letters of a name.
const MOST: usize = 17;

/// The colours of series on a light and on a dark page (Okabe and Ito 2008, darkened and lightened).
pub(super) const COLOURS: [[&str; 2]; 8] = [
    ["#555555", "#bbbbbb"],
    ["#0072b2", "#56b4e9"],
    ["#b34700", "#ff9e4a"],
    ["#00785a", "#2fd3a5"],
    ["#a3387a", "#e59cc8"],
    ["#7a6500", "#f0e442"],
    ["#4b3fa7", "#a9a0ff"],
    ["#8c2d04", "#e8875a"],
];

/// A picture among others.
struct Picture<'c> {
    title: &'c str,
    /// What a screen reader says.
    words: String,
    drawing: String,
}

/// Charts and curves, one below the other.
pub(in crate::report) fn svg(charts: &[Chart], curves: &[Curves]) -> String {
    let chart = |chart| {
        let mut drawing = String::new();
        draw(chart, &mut drawing);
        Picture { title: &chart.title, words: in_words(chart), drawing }
    };
    let curves = curves.iter().map(|curves| {
        let mut drawing = String::new();
        draw_curves(curves, &mut drawing);
        Picture { title: &curves.title, words: curves_in_words(curves), drawing }
    });
    page(&charts.iter().map(chart).chain(curves).collect::<Vec<_>>())
}

fn page(pictures: &[Picture<'_>]) -> String {
    let mut text = String::new();
    let height = HEIGHT * pictures.len() as f64;
    let titles: Vec<&str> = pictures.iter().map(|picture| picture.title).collect();
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0} {height:.0}" role="img" aria-labelledby="title desc">"#
    );
    let _ = writeln!(text, r#"<title id="title">{}</title>"#, escaped(&titles.join("; ")));
    let words: Vec<&str> = pictures.iter().map(|picture| picture.words.as_str()).collect();
    let _ = writeln!(text, r#"<desc id="desc">{}</desc>"#, escaped(&words.join(" ")));
    text.push_str(&style());
    let _ = writeln!(text, r#"<rect class="page" width="{WIDTH:.0}" height="{height:.0}"/>"#);
    for (index, picture) in pictures.iter().enumerate() {
        let _ = writeln!(text, r#"<g transform="translate(0 {:.0})">"#, HEIGHT * index as f64);
        text.push_str(&picture.drawing);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

fn style() -> String {
    let rules = |dark: usize| -> String {
        let series = COLOURS.iter().enumerate().map(|(number, colour)| {
            let colour = colour[dark];
            format!(
                ".s{number}{{stroke:{colour}}}.s{number} circle,text.s{number}{{fill:{colour};stroke:none}}"
            )
        });
        let [page, ink, grid] = [["#ffffff", "#24292f", "#d0d7de"], ["#0d1117", "#e6edf3", "#30363d"]][dark];
        format!(".page{{fill:{page}}}text{{fill:{ink}}}.grid{{stroke:{grid}}}") + &series.collect::<String>()
    };
    format!(
        "<style>text{{font:13px system-ui,sans-serif}}.h{{font-size:15px;font-weight:600}}path{{fill:none}}{}\
         @media (prefers-color-scheme:dark){{{}}}</style>\n",
        rules(0),
        rules(1)
    )
}

/// The chart in words.
fn in_words(chart: &Chart) -> String {
    let point = |point: &Point| format!("{}, {} {}", point.words(), label(point.cost, chart), chart.cost);
    let points: Vec<String> = chart.series.iter().flat_map(|series| &series.points).map(point).collect();
    format!("{}, {} with 95 % intervals. {}.", chart.title, chart.success, points.join("; "))
}

/// The logarithmic axis of costs, in decades. Costs of 0 are one decade below the others.
struct Axis {
    low: i32,
    high: i32,
    has_zero: bool,
}

impl Axis {
    fn of(chart: &Chart) -> Self {
        let costs = || chart.series.iter().flat_map(|series| &series.points).map(|point| point.cost);
        let positive = || costs().filter(|&cost| cost > 0.0);
        let has_zero = costs().any(|cost| cost == 0.0);
        let decade = |cost: f64| libm::log10(cost);
        let low = if positive().next().is_none() {
            0.0
        } else {
            decade(positive().fold(f64::MAX, f64::min)).floor()
        };
        let high = decade(positive().fold(1.0, f64::max)).ceil().max(low + 1.0);
        Self { low: low as i32 - i32::from(has_zero), high: high as i32, has_zero }
    }

    fn x(&self, cost: f64) -> f64 {
        let decade = if cost > 0.0 { libm::log10(cost) } else { f64::from(self.low) };
        LEFT + (RIGHT - LEFT) * (decade - f64::from(self.low)) / f64::from(self.high - self.low)
    }
}

/// A cost in its unit, with two digits.
fn label(cost: f64, chart: &Chart) -> String {
    if cost == 0.0 {
        return "0".into();
    }
    let power = (libm::log10(cost) / 3.0).floor().clamp(0.0, 3.0);
    let number = cost / libm::pow(1000.0, power);
    let digits = usize::from(number < 9.95 && (number - libm::round(number)).abs() > 0.04);
    format!("{number:.digits$}{}", chart.units[power as usize])
}

fn draw(chart: &Chart, text: &mut String) {
    let axis = Axis::of(chart);
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let highest = points().map(|point| point.success.high.max(point.success.value)).fold(0.1, f64::max);
    let step = if highest > 0.5 { 0.2 } else { 0.1 };
    let steps = (highest / step).ceil().min(1.0 / step).round() as i32;
    let top = step * f64::from(steps);
    let y = |success: f64| BOTTOM - (BOTTOM - TOP) * success / top;
    draw_heading(&chart.title, &format!("{}, with 95 % intervals", chart.success), text);
    for tick in 0..=steps {
        let success = step * f64::from(tick);
        draw_level(y(success), &format!("{success:.1}"), text);
    }
    for decade in axis.low..=axis.high {
        let is_zero = axis.has_zero && decade == axis.low;
        let cost = if is_zero { 0.0 } else { libm::pow(10.0, f64::from(decade)) };
        draw_tick(axis.x(cost), &label(cost, chart), text);
    }
    let about = if chart.depends.is_empty() { String::new() } else { format!(". {}", chart.depends) };
    draw_axis_name(&format!("{}, logarithmic{about}", chart.cost), text);
    for (number, series) in chart.series.iter().enumerate() {
        draw_series(series, number % COLOURS.len(), &axis, &y, text);
    }
    let last = |series: &Series| series.points.last().map_or(0.0, |point| point.success.value);
    draw_names(chart.series.iter().map(|series| (y(last(series)), series.name.as_str())), text);
}

/// The title, and the name of the vertical axis.
pub(super) fn draw_heading(title: &str, what: &str, text: &mut String) {
    let (title, what) = (escaped(title), escaped(what));
    let _ = writeln!(text, r#"<text class="h" x="{LEFT:.0}" y="22">{title}</text>"#);
    let _ = writeln!(text, r#"<text x="{LEFT:.0}" y="42">{what}</text>"#);
}

/// A line across the field with its label.
pub(super) fn draw_level(at: f64, label: &str, text: &mut String) {
    let _ = writeln!(text, r#"<path class="grid" d="M{LEFT:.1} {at:.1}H{RIGHT:.1}"/>"#);
    let (x, at) = (LEFT - 8.0, at + 4.0);
    let _ = writeln!(text, r#"<text x="{x:.1}" y="{at:.1}" text-anchor="end">{label}</text>"#);
}

/// A tick of the horizontal axis with its label.
pub(super) fn draw_tick(x: f64, label: &str, text: &mut String) {
    let at = BOTTOM + LINE;
    let _ = writeln!(text, r#"<path class="grid" d="M{x:.1} {BOTTOM:.1}v5"/>"#);
    let _ = writeln!(text, r#"<text x="{x:.1}" y="{at:.1}" text-anchor="middle">{label}</text>"#);
}

/// The name of the horizontal axis.
pub(super) fn draw_axis_name(name: &str, text: &mut String) {
    let (x, at) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 2.2 * LINE);
    let name = escaped(name);
    let _ = writeln!(text, r#"<text x="{x:.1}" y="{at:.1}" text-anchor="middle">{name}</text>"#);
}

/// A point with its interval, if it has one, by their heights, and what it says.
pub(super) fn draw_point((x, at): (f64, f64), interval: Option<[f64; 2]>, words: &str, text: &mut String) {
    let _ = write!(text, "<g><title>{}</title>", escaped(words));
    if let Some([low, high]) = interval {
        let left = x - 3.0;
        let _ = write!(
            text,
            r#"<path d="M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h6M{left:.1} {high:.1}h6"/>"#
        );
    }
    let _ = writeln!(text, r#"<circle cx="{x:.1}" cy="{at:.1}" r="4"/></g>"#);
}

fn draw_series(series: &Series, colour: usize, axis: &Axis, y: &impl Fn(f64) -> f64, text: &mut String) {
    let _ = writeln!(text, r#"<g class="s{colour}">"#);
    let place = |point: &Point| format!("{:.1} {:.1}", axis.x(point.cost), y(point.success.value));
    let line: Vec<String> = series.points.iter().map(place).collect();
    if line.len() > 1 {
        let _ = writeln!(text, r#"<path stroke-width="2" d="M{}"/>"#, line.join("L"));
    }
    for point in &series.points {
        let Estimate { value, low, high, method } = point.success;
        let interval = (method != Method::None).then(|| [low, high].map(y));
        draw_point((axis.x(point.cost), y(value)), interval, &point.words(), text);
    }
    text.push_str("</g>\n");
}

/// The names of series at the heights of their last points, as far as they do not overlap.
pub(super) fn draw_names<'n>(names: impl Iterator<Item = (f64, &'n str)>, text: &mut String) {
    let mut names: Vec<(usize, (f64, &str))> = names.enumerate().collect();
    names.sort_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
    // From the lowest up: none below the axis, and each above the one before.
    let mut at = BOTTOM + 4.0;
    for (number, (wanted, name)) in names.into_iter().rev() {
        at = at.min(wanted + 4.0);
        let mut shown: String = name.chars().take(MOST).collect();
        if shown.len() < name.len() {
            shown.push('…');
        }
        let (x, name) = (RIGHT + 14.0, escaped(&shown));
        let colour = number % COLOURS.len();
        let _ = writeln!(text, r#"<text class="s{colour}" x="{x:.1}" y="{at:.1}">{name}</text>"#);
        at -= LINE;
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
