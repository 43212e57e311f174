//! What an alpha-beta search does beside cutting.

/// The parts of an alpha-beta search that may be there or not. None of them changes a value, but for
/// `deeper_entries`.
///
/// # Example: cuts, and nothing else
/// ```
/// use shikou::search::{AlphaBetaSettings, Cue};
/// let plain = AlphaBetaSettings::plain();
/// assert!(plain.order.is_empty() && plain.table_bytes == 0);
/// assert_eq!(AlphaBetaSettings::default().order[0], Cue::Table);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// What decides the order of the moves: the first cue in which two moves differ; the game's own order last.
    /// By default the table, the game's hint, killers, history.
    pub order: Vec<Cue>,
    /// How large the table of positions is at most, in bytes; 0 for none. By default 16 MiB.
    pub table_bytes: u64,
    /// Whether an entry of the table also counts where its search was deeper than the one at hand. Values are
    /// then no longer those of minimax to the depth. By default not.
    pub deeper_entries: bool,
    /// Whether a search to a depth is made to depth 1, 2, 3 … first (Slate, Atkin 1977), so that the table and the
    /// root know good moves, and there is a decision whenever the budget ends. By default so.
    pub deepening: bool,
    /// How far from the value of the iteration before the value of the next one is looked for first (Baudet 1978,
    /// "The design and analysis of algorithms for asynchronous multiprocessors"), in units of the evaluation.
    /// `None`, the default: anywhere.
    pub aspiration: Option<u32>,
    /// Whether all moves but the first are tested with a null window before they are searched (principal variation
    /// search: Marsland, Campbell 1982, "Parallel search of strongly ordered game trees"). By default so.
    pub null_windows: bool,
    /// Of which moves at the root the value is found. By default of all that are best.
    pub root: RootValues,
}

/// Something by which moves are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// The move that the table remembers comes first.
    Table,
    /// The last two moves that cut at the same ply come first (the killer heuristic: Akl, Newborn 1977).
    Killers,
    /// Moves that cut often anywhere come first (the history heuristic: Schaeffer 1989).
    History,
    /// The positions behind the moves are evaluated. Costs an evaluation a move.
    Evaluation,
    /// The game's own [`order_hint`](crate::game::Game::order_hint).
    Hint,
}

/// Of which moves at the root the value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootValues {
    /// Of one that is best. The other moves' values are upper bounds, and nothing is known of ties: the first that
    /// was found is played.
    Best,
    /// Of all that are best. The other moves' values are upper bounds below it.
    Ties,
    /// Of every move.
    Exact,
}

impl AlphaBetaSettings {
    /// Alpha-beta as Knuth and Moore (1975) have it, with all values at the root: no order, no table, one search.
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

    /// The same with these values at the root.
    #[must_use]
    pub fn with_root(self, root: RootValues) -> Self {
        Self { root, ..self }
    }
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        Self {
            order: vec![Cue::Table, Cue::Hint, Cue::Killers, Cue::History],
            table_bytes: 16 << 20,
            deeper_entries: false,
            deepening: true,
            aspiration: None,
            null_windows: true,
            root: RootValues::Ties,
        }
    }
}
