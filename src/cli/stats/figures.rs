//! Figures as text.

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
