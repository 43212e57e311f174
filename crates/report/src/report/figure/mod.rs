//! A figure as data: two axes, and marks between them. The [drawing](svg) is in one place.
//!
//! The marks are estimates, so a figure is as large as the summary that it shows, whatever the number of trials. Numbers that are
//! not finite are left out when a figure is made. Each mark has the name of a colour, which the page or the file defines.

pub(super) mod scale;
pub(super) mod svg;

use super::numbers::{brackets, decimals};
use super::table::Table;
use crate::stats::{Estimate, Method};

/// The largest number that a figure shows: sums and products of such numbers are finite.
const LARGEST: f64 = 1e100;

/// A figure; by default without marks.
#[derive(Default)]
pub(super) struct Figure {
    /// The part of the name of a file: `cost`, `ratings` and so on.
    pub(super) kind: &'static str,
    pub(super) title: String,
    /// The meaning of the marks: a line below the title.
    pub(super) about: String,
    /// The description: conclusions in sentences.
    pub(super) words: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    /// Coloured cells, of a figure whose axes both have names.
    pub(super) cells: Vec<Cell>,
    /// A value of the horizontal axis with a line across the field, such as 0 of a difference.
    pub(super) rule: Option<f64>,
    /// The same numbers.
    pub(super) table: Table,
}

#[derive(Default)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) scale: Scale,
}

pub(super) enum Scale {
    /// Names in their order, at 0, 1 and so on.
    Names(Vec<String>),
    /// Numbers; these two are always within.
    Numbers([f64; 2]),
    /// Powers of ten, with the units of 1, 10³, 10⁶ and 10⁹. What is 0 is one decade below the others.
    Decades([&'static str; 4]),
}

pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
    pub(super) line: Line,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    None,
    /// From point to point, with a mark for each.
    Marked,
    /// From point to point, with a mark only for those with an interval.
    Plain,
    /// A step at each point, without marks: the most that was reached so far.
    Steps,
}

pub(super) struct Point {
    pub(super) x: Place,
    pub(super) y: Place,
    pub(super) words: String,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) value: f64,
    pub(super) interval: Option<[f64; 2]>,
}

pub(super) struct Cell {
    pub(super) column: usize,
    pub(super) row: usize,
    /// The place between the least and the greatest colour, in `[0, 1]`.
    pub(super) share: f64,
    pub(super) text: String,
    pub(super) words: String,
}

impl From<f64> for Place {
    fn from(value: f64) -> Self {
        Self { value, interval: None }
    }
}

impl From<usize> for Place {
    fn from(value: usize) -> Self {
        (value as f64).into()
    }
}

impl From<Estimate> for Place {
    fn from(Estimate { value, low, high, method }: Estimate) -> Self {
        let is_known = method != Method::None && is_drawable(low) && is_drawable(high);
        Self { value, interval: is_known.then_some([low, high]) }
    }
}

fn is_drawable(value: f64) -> bool {
    value.abs() <= LARGEST
}

impl Place {
    fn values(&self) -> impl Iterator<Item = f64> + use<> {
        [self.value].into_iter().chain(self.interval.into_iter().flatten())
    }
}

impl Axis {
    pub(super) fn new(name: impl Into<String>, scale: Scale) -> Self {
        Self { name: name.into(), scale }
    }

    fn names(&self) -> Option<&[String]> {
        if let Scale::Names(names) = &self.scale { Some(names) } else { None }
    }
}

impl Default for Scale {
    fn default() -> Self {
        Self::Names(Vec::new())
    }
}

impl Series {
    /// Points without those that cannot be drawn.
    pub(super) fn new(name: impl Into<String>, line: Line, points: impl IntoIterator<Item = Point>) -> Self {
        let is_known = |point: &Point| is_drawable(point.x.value) && is_drawable(point.y.value);
        Self { name: name.into(), points: points.into_iter().filter(is_known).collect(), line }
    }
}

impl Figure {
    pub(super) fn has_marks(&self) -> bool {
        !self.cells.is_empty() || self.series.iter().any(|series| !series.points.is_empty())
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }
}

/// An estimate in words: `0.500 [0.450, 0.550]`.
pub(super) fn in_words(estimate: &Estimate, digits: usize) -> String {
    let Estimate { value, low, high, method } = *estimate;
    let interval =
        if method == Method::None { String::new() } else { format!(" {}", brackets(low, high, digits)) };
    format!("{}{interval}", decimals(value, digits))
}

/// An estimate as three cells of a table: value, low, high.
pub(super) fn in_cells(estimate: &Estimate, digits: usize) -> [String; 3] {
    let Estimate { value, low, high, method } = *estimate;
    let end = |end: f64| if method == Method::None { "–".into() } else { decimals(end, digits) };
    [decimals(value, digits), end(low), end(high)]
}
