//! Numbers, times and intervals as people read them.

use crate::stats::{EloInterval, Estimate, Method};
pub use crate::words::with_thousands;
pub use crate::words::{counted, is_or_are};

/// A number of instances by their kind: deals, the pairs of a match, or pairs of each of several meetings.
pub fn instances(number: u64, paired: bool, cells: usize) -> String {
    let each = if paired && cells > 1 { " of each meeting" } else { "" };
    counted(number, if paired { "pair" } else { "deal" }) + each
}

/// A time in nanoseconds as text with three significant digits.
///
/// # Example
/// ```
/// use shikou::report::duration;
/// assert_eq!(duration(950), "950 ns");
/// assert_eq!(duration(12_345), "12.3 µs");
/// assert_eq!(duration(2_500_000_000), "2.50 s");
/// ```
pub fn duration(ns: u64) -> String {
    scaled(ns as f64, &[(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")])
}

/// The characters of the longest [`duration`] below 100 000 s.
pub(super) const WIDEST_DURATION: usize = 7;

/// A time in seconds as people say it.
///
/// # Example
/// ```
/// use shikou::report::long_duration;
/// let times = [0.0, 41.0, 61.0, 6720.0, 360_000.0].map(long_duration);
/// assert_eq!(times, ["0 s", "41.0 s", "1 min 1 s", "1 h 52 min", "4 d 4 h"]);
/// ```
pub fn long_duration(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0 s".into();
    }
    if seconds < 60.0 {
        return duration((seconds * 1e9) as u64);
    }
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / (24 * 60), minutes / 60 % 24, minutes % 60) {
        (0, 0, _) => format!("{} min {} s", seconds as u64 / 60, seconds as u64 % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{} d {hours} h", with_thousands(days)),
    }
}

/// A rate per second with three significant digits.
///
/// # Example
/// ```
/// assert_eq!(shikou::report::rate(1_234_567.0), "1.23 M");
/// ```
pub fn rate(per_s: f64) -> String {
    scaled(per_s, &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")]).trim_end().into()
}

/// A size in bytes with three significant digits.
///
/// # Example
/// ```
/// assert_eq!([500, 18 << 20].map(shikou::report::bytes), ["500 B", "18.0 MiB"]);
/// ```
pub fn bytes(size: u64) -> String {
    let unit = |power: i32, name| (1024_f64.powi(power), name);
    scaled(size as f64, &[unit(3, "GiB"), unit(2, "MiB"), unit(1, "KiB"), unit(0, "B")])
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let (scale, unit) =
        units.iter().find(|(scale, _)| value >= 0.9995 * scale).unwrap_or(&units[units.len() - 1]);
    let value = value / scale;
    let digits = if *scale == 1.0 { 0 } else { decimals_of_three(value) };
    format!("{value:.digits$} {unit}")
}

/// The decimals of a number with three significant digits.
fn decimals_of_three(number: f64) -> usize {
    usize::from(number < 99.95) + usize::from(number < 9.995)
}

/// A picture of an estimate in `[0, 1]` with its interval: `·····├──●──┤·········`, `width` characters.
///
/// # Example
/// ```
/// use shikou::report::interval_strip;
/// assert_eq!(interval_strip(0.5, 0.25, 0.75, 9), "··├─●─┤··");
/// assert_eq!(interval_strip(1.0, 0.99, 1.0, 9), "········●");
/// ```
pub fn interval_strip(value: f64, low: f64, high: f64, width: usize) -> String {
    let place = |x: f64| (x.clamp(0.0, 1.0) * (width - 1) as f64).round() as usize;
    let (low, value, high) = (place(low), place(value), place(high));
    (0..width)
        .map(|at| match at {
            _ if at == value => '●',
            _ if at == low => '├',
            _ if at == high => '┤',
            _ if (low..=high).contains(&at) => '─',
            _ => '·',
        })
        .collect()
}

/// A bar of `share` in `[0, 1]` of `width` characters, to an eighth of a character.
///
/// # Example
/// ```
/// assert_eq!(shikou::report::bar(0.5, 3), "█▌");
/// ```
pub fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    let mut text = "█".repeat(eighths / 8);
    text.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    text
}

/// A short number: as it is below a thousand, else with three significant digits; `–` for 0.
///
/// # Example
/// ```
/// use shikou::report::count;
/// assert_eq!([count(0.0), count(7.0), count(31.25), count(12_345.0)], ["–", "7", "31.2", "12.3 k"]);
/// ```
pub fn count(number: f64) -> String {
    if number == 0.0 {
        "–".into()
    } else if number >= 999.5 {
        rate(number)
    } else if number.fract() == 0.0 {
        format!("{number}")
    } else {
        format!("{number:.*}", decimals_of_three(number))
    }
}

/// A number with six significant digits at most; `–` if it is not finite.
pub(super) fn significant(number: f64) -> String {
    if !number.is_finite() {
        return "–".into();
    }
    let before = if number == 0.0 { 1.0 } else { libm::floor(libm::log10(number.abs())) + 1.0 };
    let digits = (6.0 - before).clamp(0.0, 9.0) as usize;
    let text = decimals(number, digits);
    if digits > 0 { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A p-value with three decimals, or `< 0.001`.
///
/// # Example
/// ```
/// use shikou::report::p_value;
/// assert_eq!([p_value(0.0312), p_value(0.00004)], ["0.031", "< 0.001"]);
/// ```
pub fn p_value(p: f64) -> String {
    if p < 0.0005 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// A p-value after the letter p: `= 0.031`, or `< 0.001`.
pub(super) fn p_relation(p: f64) -> String {
    let text = p_value(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}

/// A number with this many decimals; `–` if it is not finite.
///
/// # Example
/// ```
/// use shikou::report::decimals;
/// assert_eq!([decimals(1.25, 1), decimals(-0.001, 2), decimals(f64::INFINITY, 2)], ["1.2", "0.00", "–"]);
/// ```
pub fn decimals(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let text = format!("{value:.digits$}");
    // A number that rounds to 0 has no sign.
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.into(),
        _ => text,
    }
}

/// An interval in brackets; `–` if neither end is finite.
///
/// # Example
/// ```
/// assert_eq!(shikou::report::brackets(-0.5, 1.0, 2), "[-0.50, 1.00]");
/// ```
pub fn brackets(low: f64, high: f64, digits: usize) -> String {
    if low.is_finite() || high.is_finite() {
        format!("[{}, {}]", decimals(low, digits), decimals(high, digits))
    } else {
        "–".into()
    }
}

/// Low, value and high of an estimate with an interval.
pub(super) fn interval_parts(estimate: &Estimate) -> Option<[f64; 3]> {
    let Estimate { value, low, high, method } = *estimate;
    let is_known = method != Method::None && [low, value, high].iter().all(|end| end.is_finite());
    is_known.then_some([low, value, high])
}

/// The interval of an estimate in brackets; `–` without one.
pub(super) fn ends(estimate: &Estimate, digits: usize) -> String {
    if estimate.method == Method::None { "–".into() } else { brackets(estimate.low, estimate.high, digits) }
}

/// An Elo difference and its interval, in whole Elo; an end may be infinite.
pub(super) fn elo_words(elo: &EloInterval) -> [String; 2] {
    let end = |end: Option<f64>, without: &str| end.map_or_else(|| without.into(), |end| decimals(end, 0));
    [end(elo.value, "–"), format!("[{}, {}]", end(elo.low, "–∞"), end(elo.high, "∞"))]
}

/// An interval in brackets, with a mark if the method is not the usual one of the table.
pub(super) fn interval(estimate: &Estimate, digits: usize) -> String {
    let mark = match estimate.method {
        Method::ExactOnPairs => " x",
        Method::Bootstrap => " b",
        Method::BetaBinomial | Method::Betting => " a",
        _ => "",
    };
    ends(estimate, digits) + mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_never_wider_than_its_column() {
        let begins = [1, 9_994, 9_996, 12_345, 99_940, 99_960, 999_400, 999_600];
        let all = (0..9).flat_map(|zeros| begins.map(|begin| begin * 10_u64.pow(zeros)));
        let widths = all.filter(|ns| *ns < 100_000_000_000_000).map(|ns| duration(ns).chars().count());
        assert_eq!(widths.max(), Some(WIDEST_DURATION));
    }
}
