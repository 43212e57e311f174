//! How figures are written.

use crate::report::Table;
use crate::stats::{Confidence, Estimate};

/// A level or another share as a percentage: 95 %, 99.9 %.
pub(super) fn percent(share: f64) -> String {
    let digits = format!("{:.6}", 100.0 * share);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A number with so many decimals, or a dash where there is none.
pub(super) fn decimals(value: f64, digits: usize) -> String {
    if value.is_finite() { format!("{value:.digits$}") } else { "–".into() }
}

/// The same, where a value may be missing.
pub(super) fn maybe(value: Option<f64>, digits: usize) -> String {
    decimals(value.unwrap_or(f64::NAN), digits)
}

/// A p-value or another small number: four decimals, or two digits and an exponent.
pub(super) fn small(value: f64) -> String {
    if value >= 0.001 { format!("{value:.4}") } else { format!("{value:.1e}") }
}

/// Intervals with what each is of, its level and its method.
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
