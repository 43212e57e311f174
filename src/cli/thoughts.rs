//! What a searcher thinks of each move, for people.

use crate::players::DecisionView;
use crate::report::{Table, bar, with_thousands};
use crate::search::Stop;

/// What a searcher thinks of each move, best first, with bars, and which it `plays` or would play.
pub(super) fn thoughts(searcher: &str, plays: &str, view: &DecisionView) -> String {
    if view.moves.is_empty() {
        let note = if view.stop == Stop::Forced { format!(" ({})", view.stop) } else { String::new() };
        return format!("{searcher} {plays} {}{note}", view.chosen);
    }
    let mut moves: Vec<_> = view.moves.iter().collect();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let (best, worst) = (moves[0].value, moves[moves.len() - 1].value);
    let mut table = Table::new(&["<move", ">value", ">± std. error", ">visits", "<"]);
    for estimate in moves {
        let share = if best > worst { (estimate.value - worst) / (best - worst) } else { 1.0 };
        let spread = if estimate.spread > 0.0 { format!("{:.3}", estimate.spread) } else { "–".into() };
        table.row([
            estimate.mv.clone(),
            format!("{:.3}", estimate.value),
            spread,
            with_thousands(estimate.visits),
            bar(share, 20),
        ]);
    }
    format!("{table}\n{searcher} {plays} {}", view.chosen)
}
