//! Where the values of an axis are, and its ticks.

use super::Scale;
use crate::report::numbers::decimals;

/// The values of an axis on a line of pixels.
pub(super) struct Ruler<'s> {
    scale: &'s Scale,
    /// The pixels of both ends.
    ends: [f64; 2],
    low: f64,
    high: f64,
    has_zero: bool,
    pub(super) ticks: Vec<(f64, String)>,
}

impl<'s> Ruler<'s> {
    pub(super) fn new(scale: &'s Scale, ends: [f64; 2], values: &[f64]) -> Self {
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
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Decades(_) if value > 0.0 => libm::log10(value),
            Scale::Decades(_) => self.low,
            _ => value,
        };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.ends[0] + (self.ends[1] - self.ends[0]) * share
    }

    /// The length of a name's place.
    pub(super) fn step(&self) -> f64 {
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
pub(in crate::report) fn with_unit(value: f64, units: &[&str; 4]) -> String {
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
