//! A figure as SVG: the same bytes on every machine, without a number that is not finite.
//!
//! Coordinates have one decimal place. Each mark has its meaning in words. Each series has a shape and a pattern of dashes, so that
//! series differ without colour.

use std::fmt::Write as _;

use super::{Axis, Cell, Figure, Line, Place, Point, Ruler, Scale, Series};
use crate::experiment::visible;

/// The width of a figure, and the field of the marks of one with a numeric vertical axis.
const WIDTH: f64 = 720.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 340.0;

/// The right end of the field of a figure whose rows have names, and the height of a row.
const WIDE: f64 = 696.0;
const ROW: f64 = 24.0;

/// The height of the title, which a page shows as a heading.
const ABOVE: f64 = 26.0;

/// The height of a line of text, and the mean width of a letter.
const LINE: f64 = 18.0;
const LETTER: f64 = 6.9;

/// The largest number of letters of the name of a row.
const MOST: usize = 46;

/// The height of sloping names, if one is too long for its place.
fn slope(names: &[String], step: f64) -> Option<f64> {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64 * LETTER;
    // The sine of 40°.
    (longest > step).then_some(0.65 * longest)
}

struct Field<'f> {
    x: Ruler<'f>,
    y: Ruler<'f>,
    left: f64,
    right: f64,
    bottom: f64,
    height: f64,
}

impl<'f> Field<'f> {
    fn of(figure: &'f Figure) -> Self {
        let values = |place: fn(&Point) -> &Place| -> Vec<f64> {
            figure.points().flat_map(|point| place(point).values()).collect()
        };
        let (mut left, mut right, mut bottom, mut below) = (LEFT, RIGHT, BOTTOM, 60.0);
        if let Some(names) = figure.y.names() {
            let longest = names.iter().map(|name| name.chars().count().min(MOST)).max().unwrap_or(0);
            left = 24.0 + LETTER * longest as f64;
            bottom = TOP + ROW * names.len() as f64;
            right = WIDE;
            if let Some(columns) = figure.x.names() {
                right = WIDE.min(left + 72.0 * columns.len() as f64);
                below += slope(columns, (right - left) / columns.len() as f64).unwrap_or(0.0);
            }
            if figure.series.len() > 1 {
                below += LINE;
            }
        }
        let (x, mut y) = (values(|point| &point.x), values(|point| &point.y));
        if figure.y.names().is_some() {
            y.clear();
        }
        let vertical = if figure.y.names().is_some() { [TOP, bottom] } else { [bottom, TOP] };
        Self {
            x: Ruler::new(&figure.x.scale, [left, right], &x),
            y: Ruler::new(&figure.y.scale, vertical, &y),
            left,
            right,
            bottom,
            height: bottom + below,
        }
    }

    fn at(&self, point: &Point) -> (f64, f64) {
        (self.x.at(point.x.value), self.y.at(point.y.value))
    }
}

/// Figures as a file, one below the other.
pub(in crate::report) fn svg_file(figures: &[Figure], colours: Colours) -> String {
    let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
    let words: Vec<String> = figures.iter().map(in_words).collect();
    let (mut drawings, mut height) = (String::new(), 0.0);
    for figure in figures {
        let field = Field::of(figure);
        let _ = writeln!(drawings, r#"<g transform="translate(0 {height:.0})">"#);
        draw(figure, &field, true, &mut drawings);
        drawings.push_str("</g>\n");
        height += field.height;
    }
    let page = format!(r#"<rect class="page" width="{WIDTH:.0}" height="{height:.0}"/>"#);
    format!(
        "{}{}{page}\n{drawings}</svg>\n",
        head("figure", &titles.join("; "), &words.join(" "), (0.0, height)),
        of_file(colours)
    )
}

/// A figure as a part of a page, which has its title, its words and the style sheet. `id` begins the names of its parts.
pub(in crate::report) fn svg_in_page(figure: &Figure, id: &str) -> String {
    let field = Field::of(figure);
    let mut text = head(id, &figure.title, &figure.words, (ABOVE, field.height - ABOVE));
    draw(figure, &field, false, &mut text);
    text + "</svg>"
}

fn head(id: &str, title: &str, words: &str, (top, height): (f64, f64)) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top:.0} {WIDTH:.0} {height:.0}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-words\">\n<title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-words\">{}</desc>\n",
        escaped(title),
        escaped(words)
    )
}

/// A figure in words: its conclusions, and the meaning of each mark.
fn in_words(figure: &Figure) -> String {
    let marks = figure.points().map(|point| &point.words).chain(figure.cells.iter().map(|cell| &cell.words));
    let marks: Vec<&str> = marks.filter(|words| !words.is_empty()).map(String::as_str).collect();
    [&*figure.words, &figure.about, &marks.join("; ")]
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| format!("{}.", part.trim_end_matches('.')))
        .collect::<Vec<_>>()
        .join(" ")
}

fn draw(figure: &Figure, field: &Field<'_>, is_file: bool, text: &mut String) {
    // On a page the title is a heading.
    if is_file {
        write_text(text, "class=\"h\" ", (LEFT.min(field.left), 22.0), &figure.title);
    }
    write_text(text, "", (LEFT.min(field.left), 42.0), &figure.about);
    draw_axes(figure, field, text);
    figure.cells.iter().for_each(|cell| draw_cell(cell, field, text));
    if let Some(even) = figure.rule {
        let (x, bottom) = (field.x.at(even), field.bottom);
        let _ = writeln!(
            text,
            r#"<path class="front" d="M{x:.1} {TOP:.1}V{bottom:.1}" stroke-dasharray="2 3"/>"#
        );
    }
    for (number, series) in figure.series.iter().enumerate() {
        draw_series(series, number, field, text);
    }
    if figure.y.names().is_none() {
        draw_names(&figure.series, field, text);
    } else if figure.series.len() > 1 {
        draw_legend(&figure.series, field, text);
    }
}

fn draw_axes(figure: &Figure, field: &Field<'_>, text: &mut String) {
    let Field { left, right, bottom, .. } = *field;
    let is_grid = !figure.cells.is_empty();
    for (value, label) in &field.y.ticks {
        let at = field.y.at(*value);
        if !is_grid {
            let _ = writeln!(text, r#"<path class="grid" d="M{left:.1} {at:.1}H{right:.1}"/>"#);
        }
        write_text(text, "text-anchor=\"end\" ", (left - 8.0, at + 4.0), &shortened(label, MOST));
    }
    let has_names = figure.x.names().is_some();
    let most = if has_names { (field.x.step() / LETTER) as usize } else { usize::MAX };
    let below = figure.x.names().filter(|_| is_grid).and_then(|names| slope(names, field.x.step()));
    for (value, label) in &field.x.ticks {
        let x = field.x.at(*value);
        if !is_grid {
            let length = if figure.y.names().is_some() { TOP - bottom } else { 5.0 };
            let _ = writeln!(text, r#"<path class="grid" d="M{x:.1} {bottom:.1}v{length:.1}"/>"#);
        }
        if below.is_some() {
            let turned =
                format!("text-anchor=\"end\" transform=\"rotate(-40 {x:.1} {:.1})\" ", bottom + LINE);
            write_text(text, &turned, (x, bottom + LINE), label);
        } else {
            write_text(text, "text-anchor=\"middle\" ", (x, bottom + LINE), &shortened(label, most));
        }
    }
    let (middle, name) = (f64::midpoint(left, right), bottom + 2.2 * LINE + below.unwrap_or(0.0));
    write_text(text, "text-anchor=\"middle\" ", (middle, name), &axis_name(&figure.x));
}

/// The name of an axis, and its kind if the ticks do not show it.
fn axis_name(axis: &Axis) -> String {
    match axis.scale {
        Scale::Decades(_) => format!("{}, logarithmic", axis.name),
        _ => axis.name.clone(),
    }
}

fn draw_cell(cell: &Cell, field: &Field<'_>, text: &mut String) {
    let (x, y) = (field.x.at(cell.column as f64), field.y.at(cell.row as f64));
    let (width, height) = (field.x.step() - 2.0, ROW - 2.0);
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let level = ((cell.share * LEVELS as f64) as usize).min(LEVELS - 1);
    if let Some(link) = &cell.link {
        let _ = write!(text, r#"<a href="{}">"#, escaped(link));
    }
    let _ = write!(
        text,
        r#"<g class="c"><title>{}</title><rect class="q{level}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"/>"#,
        escaped(&cell.words)
    );
    write_text(text, "", (x, y + 4.0), &shortened(&cell.text, (width / LETTER) as usize));
    text.push_str(if cell.link.is_some() { "</g></a>\n" } else { "</g>\n" });
}

fn draw_series(series: &Series, number: usize, field: &Field<'_>, text: &mut String) {
    let places: Vec<(f64, f64)> = series.points.iter().map(|point| field.at(point)).collect();
    if series.line == Line::Steps {
        let mut path = String::new();
        for (index, (x, y)) in places.iter().enumerate() {
            let _ = if index == 0 { write!(path, "M{x:.1} {y:.1}") } else { write!(path, "H{x:.1}V{y:.1}") };
        }
        let _ = writeln!(text, r#"<path class="front" d="{path}" stroke-dasharray="6 4"/>"#);
        return;
    }
    let _ = writeln!(text, r#"<g class="s{}">"#, colour(number));
    let is_joined = series.line != Line::None && places.len() > 1;
    if is_joined {
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let dashes = match DASHES[number % DASHES.len()] {
            "" => String::new(),
            dashes => format!(r#" stroke-dasharray="{dashes}""#),
        };
        let _ = writeln!(text, r#"<path stroke-width="2" d="M{}"{dashes}/>"#, path.join("L"));
    }
    let is_plain = series.line == Line::Plain && is_joined;
    for (point, &(x, y)) in series.points.iter().zip(&places) {
        if is_plain && point.y.interval.is_none() {
            continue;
        }
        let _ = write!(text, "<g><title>{}</title>", escaped(&point.words));
        let whiskers = whiskers(point, (x, y), field);
        if !whiskers.is_empty() {
            let _ = write!(text, r#"<path d="{whiskers}"/>"#);
        }
        let _ = writeln!(text, "{}</g>", marker(number, x, y));
    }
    text.push_str("</g>\n");
}

fn whiskers(point: &Point, (x, y): (f64, f64), field: &Field<'_>) -> String {
    let mut path = String::new();
    if let Some([low, high]) = point.y.interval {
        let (low, high, left) = (field.y.at(low), field.y.at(high), x - 3.0);
        let _ = write!(path, "M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h6M{left:.1} {high:.1}h6");
    }
    if let Some([low, high]) = point.x.interval {
        let (low, high, top) = (field.x.at(low), field.x.at(high), y - 3.0);
        let _ = write!(path, "M{low:.1} {y:.1}H{high:.1}M{low:.1} {top:.1}v6M{high:.1} {top:.1}v6");
    }
    path
}

fn write_text(text: &mut String, attributes: &str, (x, y): (f64, f64), words: &str) {
    let _ = writeln!(text, r#"<text {attributes}x="{x:.1}" y="{y:.1}">{}</text>"#, escaped(words));
}

/// The name, with `…` in it if it has more than `most` letters. The names of a sweep differ at the end, so a third is of the end.
fn shortened(name: &str, most: usize) -> String {
    let (letters, end) = (name.chars().count(), most / 3);
    if letters <= most {
        return name.into();
    }
    let start = name.chars().take(most.saturating_sub(end + 1));
    start.chain(['…']).chain(name.chars().skip(letters - end)).collect()
}

/// Text that is no markup, with escapes for characters that are obeyed or hidden.
fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The number of series with a colour of their own.
const COLOURS: usize = 8;

/// The number of a series' colour: grey comes last.
const fn colour(series: usize) -> usize {
    (series + 1) % COLOURS
}

const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The shape of a series' marks at a place.
fn marker(series: usize, x: f64, y: f64) -> String {
    let path = |d: &str| format!(r#"<path class="m" d="M{x:.1} {y:.1}{d}z"/>"#);
    match series % 6 {
        0 => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#),
        1 => path("m-3.8-3.8h7.6v7.6h-7.6"),
        2 => path("m0-5l4.8 8.4h-9.6"),
        3 => path("m0-5.4l5.4 5.4l-5.4 5.4l-5.4-5.4"),
        4 => path("m0 5l4.8-8.4h-9.6"),
        _ => path("m-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4"),
    }
}

/// The largest number of letters of the name of a series.
const MOST_OF_SERIES: usize = 18;

/// The names of series at the heights of their points on the right, as far as they do not overlap.
fn draw_names(series: &[Series], field: &Field<'_>, text: &mut String) {
    let height = |series: &Series| {
        let places = series.points.iter().map(|point| field.at(point));
        places.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, y)| y)
    };
    let mut names: Vec<(usize, f64, &Series)> = series
        .iter()
        .enumerate()
        .filter(|(_, series)| series.line != Line::Steps)
        .filter_map(|(number, series)| Some((number, height(series)?, series)))
        .collect();
    names.sort_by(|(_, a, _), (_, b, _)| a.total_cmp(b));
    // Many names are closer together.
    let line = LINE.min((field.bottom - TOP + 24.0) / names.len().max(1) as f64);
    // From the lowest up: none below the axis, and each above the one before.
    let mut at = field.bottom + 4.0;
    let mut places = Vec::new();
    for (number, wanted, series) in names.into_iter().rev() {
        at = at.min(wanted + 4.0);
        places.push((number, at, series));
        at -= line;
    }
    // A name above the field moves down, below the line that the field begins with, and pushes the others.
    let mut least = TOP + 4.0;
    for (number, at, series) in places.into_iter().rev() {
        let at = at.max(least);
        least = at + line;
        let colour = colour(number);
        let _ = writeln!(text, r#"<g class="s{colour}">{}</g>"#, marker(number, RIGHT + 14.0, at - 4.0));
        let name = shortened(&series.name, MOST_OF_SERIES);
        write_text(text, &format!("class=\"s{colour}\" "), (RIGHT + 24.0, at), &name);
    }
}

/// The names of series in a line below the axis.
fn draw_legend(series: &[Series], field: &Field<'_>, text: &mut String) {
    let (mut x, y) = (field.left, field.bottom + 3.4 * LINE);
    for (number, series) in series.iter().enumerate() {
        let colour = colour(number);
        let _ = writeln!(text, r#"<g class="s{colour}">{}</g>"#, marker(number, x + 4.0, y - 4.0));
        write_text(text, &format!("class=\"s{colour}\" "), (x + 14.0, y), &series.name);
        x += 34.0 + LETTER * series.name.chars().count() as f64;
    }
}

/// The colours of series on a light and on a dark page (Okabe and Ito 2008, darkened and lightened).
const SERIES: [[&str; 2]; COLOURS] = [
    ["#555555", "#bbbbbb"],
    ["#0072b2", "#56b4e9"],
    ["#b34700", "#ff9e4a"],
    ["#00785a", "#2fd3a5"],
    ["#a3387a", "#e59cc8"],
    ["#7a6500", "#f0e442"],
    ["#4b3fa7", "#a9a0ff"],
    ["#8c2d04", "#e8875a"],
];

const OTHERS: [(&str, [&str; 2]); 3] =
    [("page", ["#ffffff", "#0d1117"]), ("ink", ["#24292f", "#e6edf3"]), ("grid", ["#d0d7de", "#30363d"])];

/// The colours of cells from the least to the greatest, orange to blue; dark text is legible on each.
const CELLS: [&str; 9] =
    ["#e08214", "#f0a95b", "#f7cfa0", "#fbe9d3", "#f4f4f4", "#dbe9f4", "#a9cfe8", "#74add1", "#4f9bd0"];

const LEVELS: usize = CELLS.len();

/// Everything but the colours.
const SHAPES: &str = "text{font:13px system-ui,sans-serif}.h{font-size:15px;font-weight:600}path{fill:none}\
                      .front{stroke-width:1.5}.c text{text-anchor:middle}";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Colours {
    Light,
    /// By the reader's theme.
    Themed,
}

fn of_file(colours: Colours) -> String {
    let theme = |theme: usize| {
        rules(|name| {
            let other = OTHERS.iter().find(|(other, _)| *other == name).map(|(_, colours)| colours);
            let colours = other.unwrap_or_else(|| &SERIES[name[1..].parse::<usize>().expect("a series")]);
            colours[theme].into()
        })
    };
    let dark = match colours {
        Colours::Light => String::new(),
        Colours::Themed => format!("@media (prefers-color-scheme:dark){{{}}}", theme(1)),
    };
    format!("<style>{SHAPES}{}{}{dark}</style>\n", cells(), theme(0))
}

/// The style sheet of the figures of a page: its variables, and the rules that use them.
pub(in crate::report) fn of_page() -> String {
    let variables = |theme: usize| {
        let mut text = String::new();
        for (number, colours) in SERIES.iter().enumerate() {
            let _ = write!(text, "--s{number}:{};", colours[theme]);
        }
        for (name, colours) in OTHERS {
            let _ = write!(text, "--{name}:{};", colours[theme]);
        }
        text
    };
    format!(
        ":root{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n\
         @media print{{:root{{{}}}}}\n{SHAPES}{}{}\n",
        variables(0),
        variables(1),
        variables(0),
        cells(),
        rules(|name| format!("var(--{name})"))
    )
}

/// The rules of all classes, with the colour of a name.
fn rules(colour: impl Fn(&str) -> String) -> String {
    let [page, ink, grid] = ["page", "ink", "grid"].map(&colour);
    let mut text = format!(
        ".page{{fill:{page}}}text{{fill:{ink}}}.c text{{fill:#111}}.grid,.front{{stroke:{grid}}}.front{{stroke:{ink}}}"
    );
    for number in 0..SERIES.len() {
        let colour = colour(&format!("s{number}"));
        let _ = write!(
            text,
            ".s{number}{{stroke:{colour}}}.s{number} circle,.s{number} .m,text.s{number}{{fill:{colour};stroke:none}}"
        );
    }
    text
}

fn cells() -> String {
    let rule = |(level, colour): (usize, &&str)| format!(".q{level}{{fill:{colour}}}");
    CELLS.iter().enumerate().map(rule).collect()
}
