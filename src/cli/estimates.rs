//! A searcher's estimates, and its tree, as a table.

use clap::Args;

use crate::players::{DecisionView, Others, PlayError, SearcherSpec, Table as GameTable};
use crate::report::{Table, bar, decimals, with_thousands};
use crate::search::{Branch, Branches, Limits, MoveEstimate, MoveStream, NoTree, Stop, TreeExtent};

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

/// Lets the searcher to move decide, without limits beyond its own.
pub(super) fn decided(table: &mut dyn GameTable, stream: MoveStream) -> Result<DecisionView, PlayError> {
    table.decide(stream, Limits::default())?;
    Ok(table.last_decision().expect("it has just decided").1)
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

pub(super) fn bounded(value: f64, is_bound: bool) -> String {
    format!("{}{}", if is_bound { "≤ " } else { "" }, decimals(value, 3))
}

/// The loss of a move, as the difference of two values.
pub(super) fn difference(value: f64) -> String {
    if value.abs() > UNFINISHED { "a won game".into() } else { format!("{value:.3}") }
}

/// A standard error with its decimals; a dash if the value is exact or its error unknown.
pub(super) fn standard_error(error: f64) -> String {
    if error > 0.0 { format!("{error:.3}") } else { "–".into() }
}

/// The part of a search tree that is shown.
#[derive(Args)]
pub(super) struct TreeArguments {
    /// Print the search tree to this depth in plies, with visits and values, of a player that keeps one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    tree: Option<u32>,
    /// The children of a node that --tree shows, the most visited first
    #[arg(long, value_name = "N", default_value_t = 5, requires = "tree", value_parser = clap::value_parser!(u16).range(1..))]
    children: u16,
}

impl TreeArguments {
    pub(super) fn extent(&self) -> Option<TreeExtent> {
        self.tree.map(|plies| TreeExtent { plies, children: self.children.into() })
    }
}

pub(super) fn refusal(searcher: &str, reason: NoTree) -> String {
    let advice = match reason {
        NoTree::Unsearched => "take a position with a choice, or another searcher",
        NoTree::Several => "leave `parallel` out",
        _ => "uct, open-loop-uct, sp-mcts, bts, dents and unbounded-minimax keep one, such as uct@1000",
    };
    format!("{searcher} has no tree to print: {reason}; {advice}")
}

/// The tree below a position, one line a node.
pub(super) fn tree_table(tree: &Branches<String>) -> Table {
    let most = tree.shown.iter().map(|branch| branch.visits).max().unwrap_or(0).max(1);
    let mut table =
        Table::new(&["<move", ">visits", &format!("<0 to {}", with_thousands(most)), ">value", "<"]);
    add(&mut table, tree, "", most, true);
    table
}

/// Adds the children of a node below an indent; those of the root have no lines before them.
fn add(table: &mut Table, tree: &Branches<String>, indent: &str, most: u64, is_root: bool) {
    for (index, Branch { mv, visits, value, is_proved, below }) in tree.shown.iter().enumerate() {
        let is_last = index + 1 == tree.shown.len() && tree.omitted == 0;
        let (arm, deeper) = arms(is_root, is_last);
        table.row([
            format!("{indent}{arm}{mv}"),
            with_thousands(*visits),
            bar(*visits as f64 / most as f64, BAR),
            decimals(value.unwrap_or(f64::NAN), 3),
            if *is_proved { "proved" } else { "" }.into(),
        ]);
        add(table, below, &format!("{indent}{deeper}"), most, false);
    }
    if tree.omitted > 0 {
        let more = format!("{indent}{}… and {} more", arms(is_root, true).0, tree.omitted);
        table.row([more, with_thousands(tree.omitted_visits), String::new(), String::new(), String::new()]);
    }
}

/// The lines before a node, and before all that is below it.
const fn arms(is_root: bool, is_last: bool) -> (&'static str, &'static str) {
    match (is_root, is_last) {
        (true, _) => ("", ""),
        (false, false) => ("├ ", "│ "),
        (false, true) => ("└ ", "  "),
    }
}
