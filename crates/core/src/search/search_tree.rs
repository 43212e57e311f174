/// How much of a search tree is asked for.
#[derive(Clone, Copy, Debug)]
pub struct TreeExtent {
    /// The number of plies below the root.
    pub plies: u32,
    /// The most children of a node; the others are counted.
    pub children: usize,
}

/// The children of a node of a search tree: the most visited first, then in the order of the tree.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Branches<M> {
    /// The children that were asked for.
    pub shown: Vec<Branch<M>>,
    /// The number of the other children.
    pub omitted: usize,
    /// The visits of the other children.
    pub omitted_visits: u64,
}

/// A node of a search tree, and what is below it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Branch<M> {
    /// The move or outcome of chance that leads to it.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: M,
    /// The visits of the node.
    pub visits: u64,
    /// The value for the player at the root, in the unit of the decision's estimates; `None` before the first visit.
    pub value: Option<f64>,
    /// Whether the value is proved.
    pub is_proved: bool,
    /// The children; none where the search, or the extent, ends.
    pub below: Branches<M>,
}

impl<M: Copy> Branches<M> {
    /// The same children with other moves.
    pub(super) fn map<N>(&self, change: &dyn Fn(M) -> N) -> Branches<N> {
        let branch = |&Branch { mv, visits, value, is_proved, ref below }: &Branch<M>| Branch {
            mv: change(mv),
            visits,
            value,
            is_proved,
            below: below.map(change),
        };
        let Self { ref shown, omitted, omitted_visits } = *self;
        Branches { shown: shown.iter().map(branch).collect(), omitted, omitted_visits }
    }
}

impl<M> Default for Branches<M> {
    fn default() -> Self {
        Self { shown: Vec::new(), omitted: 0, omitted_visits: 0 }
    }
}

/// The reason why a searcher has no tree to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// No tree is kept.
    NotKept,
    /// The decision was made without a search.
    Unsearched,
    /// The search looks one move ahead.
    OneMove,
    /// The search visits every line to its depth.
    EveryLine,
    /// Bounds of positions are kept in a table.
    Bounds,
    /// The best line alone is kept.
    Line,
    /// Several trees are added up at the root.
    Several,
}

impl std::fmt::Display for NoTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::NotKept => "it keeps none",
            Self::Unsearched => "it decided without a search",
            Self::OneMove => "it looks one move ahead, so the values of the moves are all that it finds",
            Self::EveryLine => "it visits every line to its depth, and keeps the values of the moves only",
            Self::Bounds => "it keeps bounds of positions in a table, and no tree",
            Self::Line => "it keeps its best line, and no tree",
            Self::Several => "it adds up the results of several trees, and keeps none of them",
        })
    }
}
