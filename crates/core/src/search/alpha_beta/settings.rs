//! The settings of an alpha-beta search: additions to its cuts.

/// The optional parts of an alpha-beta search. Only `deeper_entries` changes values.
///
/// # Example: cuts only
/// ```
/// use shikou::search::{AlphaBetaSettings, OrderingHeuristic};
/// let plain = AlphaBetaSettings::plain();
/// assert!(plain.order.is_empty() && plain.table_bytes == 0);
/// assert_eq!(AlphaBetaSettings::default().order[0], OrderingHeuristic::Table);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// The order of the moves: the first heuristic that tells two moves apart decides, and finally the game's own
    /// order. By default the table, the game's hint, killers, history.
    pub order: Vec<OrderingHeuristic>,
    /// The largest size of the transposition table in bytes; 0 for none. By default 16 MiB.
    pub table_bytes: u64,
    /// Whether an entry of the table also counts if its search was deeper than the current one. Then values may differ
    /// from those of minimax to the depth. Off by default.
    pub deeper_entries: bool,
    /// Iterative deepening: whether a search to a depth searches depth 1, 2, 3 … first (Slate, Atkin 1977). The table
    /// and the root then know good moves, and the search has a decision whenever the budget ends. On by default.
    pub deepening: bool,
    /// The half-width of the first window around the value of the iteration before (Baudet 1978, "The design and analysis
    /// of algorithms for asynchronous multiprocessors"), in units of the evaluation. `None`, the default: unbounded.
    pub aspiration: Option<u32>,
    /// Whether all moves but the first are tested with a null window before a full search (principal variation
    /// search: Marsland, Campbell 1982, "Parallel search of strongly ordered game trees"). On by default.
    pub null_windows: bool,
    /// The moves at the root whose values are found: by default all best moves.
    pub root: RootValues,
}

/// A heuristic that orders moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderingHeuristic {
    /// The move that the table remembers comes first.
    Table,
    /// The last two moves that cut at the same ply come first (the killer heuristic: Akl, Newborn 1977).
    Killers,
    /// Moves that cut often anywhere come first (the history heuristic: Schaeffer 1989).
    History,
    /// By the evaluation of the position after each move. Costs one evaluation per move.
    Evaluation,
    /// The game's own [`order`](crate::game::SearchHints::order).
    Hint,
}

/// The moves at the root whose values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootValues {
    /// One best move. The other moves' values are upper bounds, ties are unknown, and the first best move found is played.
    Best,
    /// All best moves. The other moves' values are upper bounds below theirs.
    Ties,
    /// Every move.
    Exact,
}

impl AlphaBetaSettings {
    /// Alpha-beta as published by Knuth and Moore (1975), with all values at the root: no order, no table, one search.
    pub const fn plain() -> Self {
        Self {
            order: Vec::new(),
            table_bytes: 0,
            deeper_entries: false,
            deepening: false,
            aspiration: None,
            null_windows: false,
            root: RootValues::Exact,
        }
    }
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        Self {
            order: vec![
                OrderingHeuristic::Table,
                OrderingHeuristic::Hint,
                OrderingHeuristic::Killers,
                OrderingHeuristic::History,
            ],
            table_bytes: 16 << 20,
            deepening: true,
            null_windows: true,
            root: RootValues::Ties,
            ..Self::plain()
        }
    }
}
