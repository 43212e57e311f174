//! A searcher's estimates as a table.

use crate::players::{DecisionView, Others, SearcherSpec};
use crate::report::{Table, bar, decimals, with_thousands};
use crate::search::{MoveEstimate, Stop};

/// The width of a bar.
const BAR: usize = 16;

/// Larger values are those of finished games, with an evaluation that counts in its own unit.
const UNFINISHED: f64 = (1 << 19) as f64;

/// The table of a searcher's estimates, the best move first, with bars of values and of visits; and the move that it `plays` or would
/// play. A move that it never tried has no value.
pub(super) fn estimates(
    name: &str,
    searcher: Option<&SearcherSpec>,
    plays: &str,
    view: &DecisionView,
) -> String {
    if view.moves.is_empty() {
        let note = match view.stop {
            Stop::Forced => format!(" ({})", view.stop),
            Stop::Limit(_) => " (a random move: its budget ended before it found anything)".into(),
            _ => String::new(),
        };
        return format!("{name} {plays} {}{note}", view.chosen);
    }
    let bounds = searcher.map(|spec| upper_bounds(spec, view)).unwrap_or_default();
    let mut moves: Vec<_> =
        view.moves.iter().map(|estimate| (view.value_of(&estimate.mv), estimate)).collect();
    moves.sort_by(|(a, _), (b, _)| b.partial_cmp(a).expect("a value is a number"));
    let known = || moves.iter().filter_map(|&(value, _)| value);
    let (best, worst) = (known().fold(f64::MIN, f64::max), known().fold(f64::MAX, f64::min));
    let most = view.moves.iter().map(|estimate| estimate.visits).max().unwrap_or(0).max(1);
    // Each bar has the scale of its own column in its heading.
    let (values, visits) = (
        format!("<{} to {}", decimals(worst, 3), decimals(best, 3)),
        format!("<0 to {}", with_thousands(most)),
    );
    let mut table = Table::new(&["<move", ">value", &values, ">± std. error", ">visits", &visits]);
    for &(value, estimate) in &moves {
        let length = |value: f64| if best > worst { (value - worst) / (best - worst) } else { 1.0 };
        table.row([
            estimate.mv.clone(),
            value.map_or_else(|| "–".into(), |value| bounded(value, bounds.contains(&estimate.mv))),
            value.map_or_else(String::new, |value| bar(length(value), BAR)),
            standard_error(estimate.standard_error),
            with_thousands(estimate.visits),
            bar(estimate.visits as f64 / most as f64, BAR),
        ]);
    }
    let note = match searcher.map(|spec| spec.claims().others) {
        None | Some(Others::Values) => "",
        Some(Others::BoundsAtTheEnd) => "values of other moves are upper bounds if the exact end decided\n",
        Some(_) => "≤: an upper bound; alpha-beta(root=exact) has none\n",
    };
    format!("{table}\n{note}{name} {plays} {}", view.chosen)
}

/// The moves of which a search that cuts off, such as alpha-beta, states upper bounds and not values.
pub(super) fn upper_bounds(searcher: &SearcherSpec, view: &DecisionView) -> Vec<String> {
    let chosen = view.moves.iter().find(|estimate| estimate.mv == view.chosen);
    let is_below = |estimate: &MoveEstimate<String>| chosen.is_some_and(|best| estimate.value < best.value);
    let is_bound = |estimate: &&MoveEstimate<String>| match searcher.claims().others {
        Others::Values | Others::BoundsAtTheEnd => false,
        Others::Bounds => estimate.mv != view.chosen,
        Others::BoundsUnlessBest => is_below(estimate),
    };
    view.moves.iter().filter(is_bound).map(|estimate| estimate.mv.clone()).collect()
}

/// A value, marked if it is an upper bound.
pub(super) fn bounded(value: f64, is_bound: bool) -> String {
    format!("{}{}", if is_bound { "≤ " } else { "" }, decimals(value, 3))
}

/// What a move gives away, as the difference of two values.
pub(super) fn difference(value: f64) -> String {
    if value.abs() > UNFINISHED { "a won game".into() } else { format!("{value:.3}") }
}

/// A standard error with its decimals; a dash if the value is exact or its error unknown.
pub(super) fn standard_error(error: f64) -> String {
    if error > 0.0 { format!("{error:.3}") } else { "–".into() }
}
