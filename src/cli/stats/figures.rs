//! Figures as text; and the level and the format of what `shikou stats` shows, with the values that it takes.

use clap::Args;

use crate::cli::error::{Result, usage};
use crate::cli::groups::OutputArguments;
use crate::report::{Table, decimals};
use crate::stats::{Confidence, Estimate};

/// A share as a percentage: 95 %, 99.9 %.
pub(super) fn percent(share: f64) -> String {
    let digits = format!("{:.6}", 100.0 * share);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A number with this many decimals, or a dash if it is missing.
pub(super) fn maybe(value: Option<f64>, digits: usize) -> String {
    decimals(value.unwrap_or(f64::NAN), digits)
}

/// A p-value or another small number: four decimals, or two digits and an exponent.
pub(super) fn small(value: f64) -> String {
    if value >= 0.001 { format!("{value:.4}") } else { format!("{value:.1e}") }
}

/// Intervals with their figures, levels and methods.
pub(super) fn interval_table(intervals: &[(&str, Estimate)], digits: usize, confidence: Confidence) -> Table {
    let mut table = Table::new(&["<figure", ">value", ">level", ">low", ">high", "<method"]);
    for (figure, estimate) in intervals {
        table.row([
            (*figure).to_owned(),
            decimals(estimate.value, digits),
            percent(confidence.level()),
            decimals(estimate.low, digits),
            decimals(estimate.high, digits),
            estimate.method.to_string(),
        ]);
    }
    table
}

/// The largest count that is taken; the exact intervals need time with its square root.
const MOST: u64 = 1_000_000_000_000;

/// The confidence level of the intervals.
#[derive(Args)]
pub(super) struct Shown {
    /// The level of the intervals
    #[arg(long, default_value = "0.95", value_parser = open_probability)]
    pub(super) level: f64,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count <= MOST);
    count.ok_or_else(|| format!("expected a whole number from 0 to {MOST}"))
}

/// An error if this total of `counts` is 0.
pub(super) fn refuse_nothing(total: u64, counts: &str) -> Result {
    if total == 0 {
        return Err(usage!("{counts} 0: nothing was played"));
    }
    Ok(())
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".into())
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "expected a number above 0".into())
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

pub(super) fn open_probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1".into())
}
