//! The names of series, and their marks: a shape and a pattern of dashes each, so that they differ without colour.

use std::fmt::Write as _;

use super::svg::{Field, LETTER, LINE, RIGHT, TOP, shortened, write_text};
use super::{Line, Series};

/// How many series have a colour of their own.
pub(super) const COLOURS: usize = 8;

/// The number of a series' colour: grey comes last.
pub(super) const fn colour(series: usize) -> usize {
    (series + 1) % COLOURS
}

/// The patterns of dashes of lines.
pub(super) const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The shape of a series' marks at a place.
pub(super) fn marker(series: usize, x: f64, y: f64) -> String {
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

/// The largest number of letters of a name.
const MOST: usize = 18;

/// The names of series at the heights of their points on the right, as far as they do not overlap.
pub(super) fn draw_names(series: &[Series], field: &Field<'_>, text: &mut String) {
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
    // They are closer together if there are too many.
    let line = LINE.min((field.bottom - TOP + 24.0) / names.len().max(1) as f64);
    // From the lowest up: none below the axis, and each above the one before.
    let mut at = field.bottom + 4.0;
    let mut places = Vec::new();
    for (number, wanted, series) in names.into_iter().rev() {
        at = at.min(wanted + 4.0);
        places.push((number, at, series));
        at -= line;
    }
    // What would be above the field moves down, and pushes the others.
    let mut least = TOP - 16.0;
    for (number, at, series) in places.into_iter().rev() {
        let at = at.max(least);
        least = at + line;
        let colour = colour(number);
        let _ = writeln!(text, r#"<g class="s{colour}">{}</g>"#, marker(number, RIGHT + 14.0, at - 4.0));
        let name = shortened(&series.name, MOST);
        write_text(text, &format!("class=\"s{colour}\" "), (RIGHT + 24.0, at), &name);
    }
}

/// The names of series in a line below the axis.
pub(super) fn draw_legend(series: &[Series], field: &Field<'_>, text: &mut String) {
    let (mut x, y) = (field.left, field.bottom + 3.4 * LINE);
    for (number, series) in series.iter().enumerate() {
        let colour = colour(number);
        let _ = writeln!(text, r#"<g class="s{colour}">{}</g>"#, marker(number, x + 4.0, y - 4.0));
        write_text(text, &format!("class=\"s{colour}\" "), (x + 14.0, y), &series.name);
        x += 34.0 + LETTER * series.name.chars().count() as f64;
    }
}
