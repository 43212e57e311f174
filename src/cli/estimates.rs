//! A searcher's estimates as a table.

use crate::players::DecisionView;
use crate::report::{Table, bar, with_thousands};
use crate::search::Stop;

/// The width of a bar.
const BAR: usize = 16;

/// The table of a searcher's estimates, the best move first, with bars of values and of visits; and the move that it `plays` or would play.
pub(super) fn estimates(searcher: &str, plays: &str, view: &DecisionView) -> String {
    if view.moves.is_empty() {
        let note = if view.stop == Stop::Forced { format!(" ({})", view.stop) } else { String::new() };
        return format!("{searcher} {plays} {}{note}", view.chosen);
    }
    let mut moves: Vec<_> = view.moves.iter().collect();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let (best, worst) = (moves[0].value, moves[moves.len() - 1].value);
    let most = moves.iter().map(|estimate| estimate.visits).max().unwrap_or(0).max(1);
    // Each bar has the scale of its own column in its heading.
    let (values, visits) = (format!("<{worst:.3} to {best:.3}"), format!("<0 to {}", with_thousands(most)));
    let mut table = Table::new(&["<move", ">value", &values, ">± std. error", ">visits", &visits]);
    for estimate in moves {
        let length = if best > worst { (estimate.value - worst) / (best - worst) } else { 1.0 };
        table.row([
            estimate.mv.clone(),
            format!("{:.3}", estimate.value),
            bar(length, BAR),
            standard_error(estimate.standard_error),
            with_thousands(estimate.visits),
            bar(estimate.visits as f64 / most as f64, BAR),
        ]);
    }
    format!("{table}\n{searcher} {plays} {}", view.chosen)
}

/// A standard error with its decimals; a dash if the value is exact or its error unknown.
pub(super) fn standard_error(error: f64) -> String {
    if error > 0.0 { format!("{error:.3}") } else { "–".into() }
}
