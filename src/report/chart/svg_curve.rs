//! Curves as SVG: a line for each series, and points with intervals where games were played for it.

use std::fmt::Write as _;

use super::curve::{CurvePlace, Curves, Line};
use super::svg::{
    BOTTOM, COLOURS, LEFT, RIGHT, TOP, draw_axis_name, draw_heading, draw_level, draw_names, draw_point,
    draw_tick,
};
use crate::report::numbers::decimals;

/// The curves in words: the first, the largest and the last number of each, or all numbers with an interval.
pub(super) fn curves_in_words(curves: &Curves) -> String {
    let line = |line: &Line| {
        let has_intervals = line.points.iter().any(|place| place.interval.is_some());
        if has_intervals {
            let words: Vec<String> = line.points.iter().map(CurvePlace::words).collect();
            return format!("{} with 95 % intervals: {}", line.name, words.join("; "));
        }
        let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
        let most = line.points.iter().map(|place| place.value).fold(f64::NEG_INFINITY, f64::max);
        let [first, last, most] = [first.value, last.value, most].map(|value| decimals(value, 3));
        format!("{}: first {first}, largest {most}, last {last}", line.name)
    };
    let lines: Vec<String> = curves.lines.iter().map(line).collect();
    format!("{}, {} by generation. {}.", curves.title, curves.what, lines.join(". "))
}

/// The numbers of the labels of an axis: multiples of 1, 2 or 5 times a power of ten, at most seven, around all values.
fn ticks(low: f64, high: f64) -> (Vec<f64>, usize) {
    let span = (high - low).max(1e-9);
    let power = libm::pow(10.0, libm::floor(libm::log10(span / 6.0)));
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter();
    let step = step.into_iter().find(|step| span / step <= 6.0).unwrap_or(10.0 * power);
    let (first, last) = (libm::floor(low / step), libm::ceil(high / step).max(libm::floor(low / step) + 1.0));
    let digits = libm::ceil(-libm::log10(step) - 1e-9).clamp(0.0, 9.0) as usize;
    ((first as i64..=last as i64).map(|tick| tick as f64 * step).collect(), digits)
}

pub(super) fn draw_curves(curves: &Curves, text: &mut String) {
    let places = || curves.lines.iter().flat_map(|line| &line.points);
    let ends = || {
        places().flat_map(|place| {
            let [low, high] = place.interval.unwrap_or([place.value; 2]);
            [low.min(place.value), high.max(place.value)]
        })
    };
    let (levels, digits) = ticks(ends().fold(0.0, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) = (levels[0], levels[levels.len() - 1]);
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
    let last = places().map(|place| place.generation).max().unwrap_or(0).max(1);
    let x = |generation: usize| LEFT + (RIGHT - LEFT) * generation as f64 / last as f64;
    let has_intervals = places().any(|place| place.interval.is_some());
    let what = if has_intervals { ", with 95 % intervals of the judge" } else { "" };
    draw_heading(&curves.title, &format!("{}{what}", curves.what), text);
    for &level in &levels {
        draw_level(y(level), &decimals(level, digits), text);
    }
    for generation in
        ticks(0.0, last as f64).0.into_iter().filter(|&tick| tick <= last as f64 && tick % 1.0 == 0.0)
    {
        draw_tick(x(generation as usize), &decimals(generation, 0), text);
    }
    draw_axis_name("generation", text);
    for (number, line) in curves.lines.iter().enumerate() {
        let _ = writeln!(text, r#"<g class="s{}">"#, number % COLOURS.len());
        let at = |place: &CurvePlace| (x(place.generation), y(place.value));
        let path: Vec<String> = line.points.iter().map(at).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if path.len() > 1 {
            let _ = writeln!(text, r#"<path stroke-width="2" d="M{}"/>"#, path.join("L"));
        }
        for place in line.points.iter().filter(|place| path.len() == 1 || place.interval.is_some()) {
            draw_point(at(place), place.interval.map(|ends| ends.map(y)), &place.words(), text);
        }
        text.push_str("</g>\n");
    }
    let last = |line: &Line| y(line.points[line.points.len() - 1].value);
    draw_names(curves.lines.iter().map(|line| (last(line), line.name)), text);
}
