//! A figure as data: two axes with their scales, and marks between them. The [drawing](svg) is in one place.
//!
//! The marks are estimates, so a figure is as large as the summary that it shows, whatever the number of trials. Numbers that are
//! not finite are left out when a figure is made. Each mark has the name of a colour, which the page or the file defines.

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
    /// The numbers of the marks.
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
    /// The page that the cell leads to.
    pub(super) link: Option<String>,
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

/// The values of an axis on a line of pixels.
struct Ruler<'s> {
    scale: &'s Scale,
    /// The pixels of both ends.
    ends: [f64; 2],
    low: f64,
    high: f64,
    has_zero: bool,
    ticks: Vec<(f64, String)>,
}

impl<'s> Ruler<'s> {
    fn new(scale: &'s Scale, ends: [f64; 2], values: &[f64]) -> Self {
        let mut ruler = Self { scale, ends, low: 0.0, high: 1.0, has_zero: false, ticks: Vec::new() };
        match scale {
            Scale::Names(names) => {
                (ruler.low, ruler.high) = (-0.5, names.len() as f64 - 0.5);
                ruler.ticks = (0..names.len()).map(|at| (at as f64, names[at].clone())).collect();
            }
            Scale::Numbers(within) => {
                let all = || within.iter().chain(values).copied();
                let (ticks, digits) =
                    ticks(all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
                (ruler.low, ruler.high) = (ticks[0], ticks[ticks.len() - 1]);
                ruler.ticks = ticks.into_iter().map(|tick| (tick, decimals(tick, digits))).collect();
            }
            Scale::Decades(units) => ruler.find_decades(units, values),
        }
        ruler
    }

    fn find_decades(&mut self, units: &[&str; 4], values: &[f64]) {
        let positive = || values.iter().copied().filter(|&value| value > 0.0);
        self.has_zero = values.iter().any(|&value| value <= 0.0);
        let least = positive().fold(f64::INFINITY, f64::min);
        let low = if least.is_finite() { libm::floor(libm::log10(least)) } else { 0.0 };
        let most = positive().fold(0.0, f64::max).max(least.min(1.0));
        let high = libm::ceil(libm::log10(most)).max(low + 1.0);
        self.high = high;
        self.low = low - f64::from(u8::from(self.has_zero));
        if self.has_zero {
            self.ticks.push((0.0, "0".into()));
        } else if high - low <= 1.0 {
            return self.find_part_of_a_decade(units, low, [least, most]);
        }
        // At most ten ticks.
        let (step, mut decade) = (libm::ceil((high - low) / 10.0), low);
        while decade <= high {
            let value = libm::pow(10.0, decade);
            self.ticks.push((value, with_unit(value, units)));
            decade += step;
        }
    }

    /// Within a decade the ends are the nearest of 1, 2, 5 and 10.
    fn find_part_of_a_decade(&mut self, units: &[&str; 4], decade: f64, [least, most]: [f64; 2]) {
        const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
        let scale = libm::pow(10.0, decade);
        let first = (0..3).rev().find(|&step| STEPS[step] * scale <= least).unwrap_or(0);
        let last = (first + 1..3).find(|&step| STEPS[step] * scale >= most).unwrap_or(3);
        for step in &STEPS[first..=last] {
            self.ticks.push((step * scale, with_unit(step * scale, units)));
        }
        [self.low, self.high] = [first, last].map(|step| decade + libm::log10(STEPS[step]));
    }

    /// The pixel of a value; of one beyond the axis, its end.
    fn at(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Decades(_) if value > 0.0 => libm::log10(value),
            Scale::Decades(_) => self.low,
            _ => value,
        };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.ends[0] + (self.ends[1] - self.ends[0]) * share
    }

    /// The length of a name's place.
    fn step(&self) -> f64 {
        (self.ends[1] - self.ends[0]).abs() / (self.high - self.low)
    }
}

/// The numbers of the labels of an axis: multiples of 1, 2 or 5 times a power of ten, at most eight, around all values; and
/// their decimals.
fn ticks(low: f64, high: f64) -> (Vec<f64>, usize) {
    let span = (high - low).max(1e-9 * low.abs().max(high.abs()).max(1.0));
    let power = libm::pow(10.0, libm::floor(libm::log10(span / 6.0)));
    let step = [1.0, 2.0, 5.0].map(|times| times * power).into_iter();
    let step = step.into_iter().find(|step| span / step <= 6.0).unwrap_or(10.0 * power);
    // A value that is a tick but for rounding needs no tick beyond it.
    let first = libm::floor(low / step + 1e-9);
    let last = libm::ceil(high / step - 1e-9).max(first + 1.0);
    let digits = libm::ceil(-libm::log10(step) - 1e-9).clamp(0.0, 9.0) as usize;
    let count = (last - first) as usize;
    ((0..=count).map(|tick| (first + tick as f64) * step).collect(), digits)
}

/// A number in its unit, with two digits.
pub(super) fn with_unit(value: f64, units: &[&str; 4]) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let power = libm::floor(libm::log10(value) / 3.0).clamp(0.0, 3.0);
    let number = value / libm::pow(1000.0, power);
    let digits = usize::from(number < 9.95 && (number - libm::round(number)).abs() > 0.04);
    format!("{number:.digits$}{}", units[power as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_all_values() {
        assert_eq!(ticks(0.0, 1.0), (vec![0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0], 1));
        for [low, high] in [[0.0, 0.0], [-3.0, 812.0], [1e100, 1e100], [-1e100, 1e100], [0.3, 0.30001]] {
            let (ticks, _) = ticks(low, high);
            let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
            assert!(ticks.len() >= 2 && ticks.len() <= 9 && ticks.iter().all(|tick| tick.is_finite()));
            let slack = 1e-8 * (last - first);
            assert!(first <= low + slack && high <= last + slack && first < last, "{low} {high} {ticks:?}");
        }
    }

    #[test]
    fn decades_hold_zero_and_one_value() {
        let scale = Scale::Decades(["", " k", " M", " G"]);
        let ruler = Ruler::new(&scale, [0.0, 100.0], &[0.0, 50.0, 2_000.0]);
        let labels: Vec<&str> = ruler.ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["0", "10", "100", "1 k", "10 k"]);
        assert_eq!([ruler.at(0.0), ruler.at(10.0), ruler.at(1e4), ruler.at(1e9)], [0.0, 25.0, 100.0, 100.0]);
        for values in [&[][..], &[0.0], &[7.0], &[1e100], &[1e-90, 1e90]] {
            let ruler = Ruler::new(&scale, [0.0, 100.0], values);
            assert!(ruler.ticks.len() >= 2 && ruler.ticks.len() <= 14, "{values:?} {:?}", ruler.ticks);
            assert!(values.iter().all(|&value| (0.0..=100.0).contains(&ruler.at(value))));
        }
    }
}
