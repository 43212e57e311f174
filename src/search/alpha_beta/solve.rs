//! Solving: the exact value of a position, every move that reaches it, and a principal variation.
//!
//! Several threads search the same tree and share the table. All but the first shuffle their move order a little, so
//! that they visit different positions first. The first to finish stops the others (Lazy SMP, as in chess programs).
//! The value does not depend on the threads; the principal variation may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::order::CutMoves;
use super::root::Root;
use super::table::{TO_THE_END, Table};
use super::tree::Tree;
use super::{AlphaBetaSettings, Goal, OrderingHeuristic, RootValues};
use crate::game::{Evaluation, Game, Player, Turn};
use crate::search::{Expectimax, Meter, SearchError, Spent, Star, Ties};

/// The value of a position under best play by all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// The payoff of the player whose turn it is, in games of chance the expected payoff; of the first player if the game
    /// is over.
    pub value: f64,
    /// Every move that reaches the value, in the game's order.
    pub best: Vec<M>,
    /// A principal variation to the end of the game; other lines may be equally good. In games of chance, one best
    /// move.
    pub line: Vec<M>,
}

/// How a position is solved.
#[derive(Clone)]
pub struct SolveSettings<G> {
    /// The size of the transposition table.
    pub table_bytes: u64,
    /// The number of threads.
    pub threads: usize,
    /// An evaluation that orders moves near the root, and the number of plies in which it does. Deeper, and between
    /// moves of equal value, the game's own order counts. The value of the position does not depend on it.
    pub order: Option<(Arc<dyn Evaluation<G>>, u32)>,
}

impl<G> SolveSettings<G> {
    /// One thread, in the game's own order.
    pub const fn new(table_bytes: u64) -> Self {
        Self { table_bytes, threads: 1, order: None }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the evaluation that orders moves in the first `plies` plies.
    #[must_use]
    pub fn with_order(self, evaluation: Arc<dyn Evaluation<G>>, plies: u32) -> Self {
        Self { order: Some((evaluation, plies)), ..self }
    }
}

/// Solves a position: by [`AlphaBeta`](super::AlphaBeta), in games of chance by [`Expectimax`]. The meter counts the
/// nodes of all threads.
///
/// # Errors
/// If the table does not fit into the memory that the meter allows, a game does not end within
/// [`SearchError::DEEPEST`] plies, or the system does not start the threads.
///
/// # Panics
/// If it is chance's turn, if two players' payoffs do not add up to 0, or if `threads` is 0.
///
/// # Cost
/// The table, and time that is exponential in the plies to the end of the game.
///
/// # Example: x wins
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::search::{Limits, Meter, SolveSettings, solve};
///
/// let game = TicTacToe::default();
/// let mut position = game.follow("a1 b1 a2").unwrap();
/// let solution = solve(&game, &position, &SolveSettings::new(1 << 20), &mut Meter::new(Limits::default())).unwrap();
/// assert_eq!(solution.value, -1.0); // for o, whose turn it is
/// assert_eq!(solution.best.len(), 6); // by every move
/// for mv in solution.line {
///     game.play(&mut position, mv).unwrap();
/// }
/// assert_eq!(game.payoff(&position, Player::FIRST), 1);
/// ```
pub fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    settings: &SolveSettings<G>,
    meter: &mut Meter,
) -> Result<Solution<G::Move>, SearchError> {
    let facts = game.facts();
    assert!(facts.players == 1 || facts.zero_sum, "only payoffs that add up to 0 can be solved for two");
    assert!(settings.threads > 0, "a search has at least one thread");
    match game.turn(position) {
        Turn::Over => {
            let value = f64::from(game.payoff(position, Player::FIRST));
            Ok(Solution { value, best: Vec::new(), line: Vec::new() })
        }
        Turn::Chance => panic!("a position at chance's turn was to be solved"),
        Turn::Player(mover) if facts.chance => with_chance(game, position, mover, meter),
        Turn::Player(_) => {
            meter.reserve(settings.table_bytes)?;
            Solver::new(game, settings).solve(position, settings.threads, meter)
        }
    }
}

fn with_chance<G: Game>(
    game: &G,
    position: &G::Position,
    mover: Player,
    meter: &mut Meter,
) -> Result<Solution<G::Move>, SearchError> {
    let (moves, _) = Expectimax::full(Star::Two, Ties::First).estimates(game, position, mover, meter)?;
    let value = moves.iter().map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<_> =
        moves.iter().filter(|estimate| estimate.value == value).map(|found| found.mv).collect();
    let line = best[..1].to_vec();
    Ok(Solution { value, best, line })
}

/// The value of a position and the moves that reach it.
type Found<M> = (i64, Vec<M>);

/// The end of a thread's search: what it found, or `None` if another thread ended first.
type Ended<M> = Result<Option<Found<M>>, SearchError>;

/// The state that all threads share.
struct Solver<'g, G> {
    game: &'g G,
    goal: Goal<G>,
    settings: AlphaBetaSettings,
    table: Option<Table>,
    done: AtomicBool,
}

impl<'g, G: Game> Solver<'g, G> {
    fn new(game: &'g G, SolveSettings { table_bytes, order: guesses, .. }: &SolveSettings<G>) -> Self {
        let (evaluation, evaluated_plies) = guesses.clone().unzip();
        let mut order = vec![OrderingHeuristic::Table, OrderingHeuristic::Hint];
        if evaluation.is_some() {
            order.insert(1, OrderingHeuristic::Evaluation);
        }
        let settings = AlphaBetaSettings {
            order,
            table_bytes: *table_bytes,
            root: RootValues::Ties,
            evaluated_plies: evaluated_plies.unwrap_or(0),
            ..AlphaBetaSettings::default()
        };
        let goal = Goal { depth: TO_THE_END, to_the_budget: false, evaluation };
        Self { game, goal, settings, table: Table::new(*table_bytes), done: AtomicBool::new(false) }
    }

    fn solve(
        &self,
        position: &G::Position,
        threads: usize,
        meter: &mut Meter,
    ) -> Result<Solution<G::Move>, SearchError> {
        let found = std::thread::scope(|scope| {
            let spawn = |thread: usize| {
                std::thread::Builder::new().spawn_scoped(scope, move || self.search(position, thread as u64))
            };
            let others = (1..threads).map(spawn).collect::<Result<Vec<_>, _>>();
            // If one was not started, those that were have nothing to wait for.
            let others = others.inspect_err(|_| self.done.store(true, Relaxed));
            let others = others.map_err(|error| SearchError::no_threads(threads, &error))?;
            let mine = self.search(position, 0);
            let others = others
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            let mut all = vec![mine];
            all.extend(others);
            Ok::<_, SearchError>(all)
        })?;
        meter.count_nodes(found.iter().map(|(_, spent)| spent.nodes).sum());
        let found = found.into_iter().find_map(|(found, _)| found.transpose());
        let (value, best) = found.expect("a thread finished or failed")?;
        let line = self.principal_variation(position, value, meter);
        Ok(Solution { value: value as f64, best, line })
    }

    /// The search of one thread: the value and the best moves, or `None` if another thread finished first.
    fn search(&self, position: &G::Position, thread: u64) -> (Ended<G::Move>, Spent) {
        let mut meter = Meter::new(crate::search::Limits::default());
        let mut cut_moves = CutMoves::default();
        let Self { game, goal, settings, table, done } = self;
        let mut root = Root::new(*game, position, goal, settings, table.as_ref(), &mut cut_moves, &mut meter)
            .among_threads(thread, done);
        let ended = root.search();
        let moves = root.into_moves();
        // The first thread that ends ends the others.
        if ended == Err(None) || done.swap(true, Relaxed) {
            return (Ok(None), meter.spent());
        }
        let found = ended.map_err(|error| error.expect("it is not ended by another thread")).map(|_| {
            let value = moves.iter().map(|found| found.value).max().expect("a player's turn has a move");
            (value, moves.iter().filter(|found| found.value == value).map(|found| found.mv).collect())
        });
        (found.map(Some), meter.spent())
    }

    /// Best play to the end.
    fn principal_variation(&self, position: &G::Position, value: i64, meter: &mut Meter) -> Vec<G::Move> {
        let mut cut_moves = CutMoves::default();
        let (goal, settings, table) = (&self.goal, &self.settings, self.table.as_ref());
        let mut tree = Tree::new(self.game, goal, settings, table, &mut cut_moves, meter);
        tree.principal_variation(*position, value, TO_THE_END)
    }
}
