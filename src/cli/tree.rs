//! A search tree as a table.

use clap::Args;

use crate::report::{Table, bar, decimals, with_thousands};
use crate::search::{Branch, Branches, NoTree, TreeExtent};

/// The width of a bar.
const BAR: usize = 16;

/// How much of a search tree is shown.
#[derive(Args)]
pub(super) struct TreeArguments {
    /// Print the search tree to this depth in plies, with visits and values; --search names a searcher that keeps one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    tree: Option<u32>,
    /// The children of a node that --tree shows, the most visited first
    #[arg(long, value_name = "N", default_value_t = 5, requires = "tree", value_parser = clap::value_parser!(u16).range(1..))]
    children: u16,
}

impl TreeArguments {
    /// How much is shown, if anything is.
    pub(super) fn extent(&self) -> Option<TreeExtent> {
        self.tree.map(|plies| TreeExtent { plies, children: self.children.into() })
    }
}

/// Why a searcher has no tree, and which ones have.
pub(super) fn refusal(searcher: &str, reason: NoTree) -> String {
    let advice = match reason {
        NoTree::Unsearched => "take a position with a choice, or another searcher",
        NoTree::Several => "leave `parallel` out",
        _ => "uct, open-loop-uct, sp-mcts, bts, dents and unbounded-minimax keep one: --search uct@1000",
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

/// What is drawn before a node, and before all that is below it.
const fn arms(is_root: bool, is_last: bool) -> (&'static str, &'static str) {
    match (is_root, is_last) {
        (true, _) => ("", ""),
        (false, false) => ("├ ", "│ "),
        (false, true) => ("└ ", "  "),
    }
}
