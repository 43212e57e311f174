//! Solving: the exact value of a position, every move that reaches it, and a principal variation.
//!
//! The key decision: a search of its own, beside [`AlphaBeta`](super::AlphaBeta). It has no budget, no horizon and no
//! settings that a player needs, so it may change with every better idea and changes no decision of a player. It knows a
//! game only through [`SearchHints`](crate::game::SearchHints) and its key. Rejected: one search for both; each cut-off
//! that the solver gains would change the players' counts of nodes, and with them results.
//!
//! Several threads search the same tree and share the table. The first to finish stops the others. The value and the best moves do not depend on the threads; the principal variation may.

mod busy;
mod glance;
mod root;
mod tree;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

use self::busy::Busy;
use self::root::{Root, Stopped};
use self::tree::{Candidate, Pass, Question, Tree};
use super::candidates::{Candidates, moves_of};
use super::table::{Table, hash};
use super::{Expectimax, Limits, Meter, SearchError, Spent, Star, Ties};
use crate::game::{DEEPEST, Evaluation, Facts, Game, LARGEST_PAYOFF, Player, SearchHints, Turn, can_be};

/// The value of a position under best play by all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// The payoff of the player whose turn it is, in games of chance the expected payoff; of the first player if the game
    /// is over.
    pub value: f64,
    /// Every move that reaches the value, in the game's order, or one of them.
    pub best: Vec<M>,
    /// A principal variation to the end of the game; other lines may be equally good. In games of chance, one best
    /// move.
    pub line: Vec<M>,
}

/// The best moves that are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BestMoves {
    /// Every move that reaches the value.
    #[default]
    All,
    /// A single best move, which may depend on the threads.
    One,
    /// Of all that reach the value, those that win in the fewest plies or lose in the most, if the opponent plays on by the same
    /// rule. A payoff above 0 is a win, below 0 a loss; all drawn moves count alike. The principal variation is such play. The search
    /// has no hints of the game, and remembers a position for each number of plies to it, so it takes much longer.
    Soonest,
}

impl BestMoves {
    /// Whether they can be found in a game with these facts: always, but for `Soonest` in games of chance, and in games whose payoffs
    /// and lengths are so large that the search cannot count both.
    pub fn fits(self, facts: &Facts) -> bool {
        self != Self::Soonest || !facts.chance && step(facts).is_some()
    }
}

/// How a position is solved; `E` is an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveSettings<E> {
    /// The largest size of the transposition table. It begins with 4 MiB and doubles whenever it is half full.
    pub table_bytes: u64,
    /// The number of threads.
    pub threads: usize,
    /// The best moves that are found. To find one is faster.
    pub best: BestMoves,
    /// An evaluation that ranks moves. Without one, and deeper than it goes, the short searches that rank moves take the
    /// game's [`estimate`](crate::game::SearchHints::estimate); near the end, and between moves of equal value, the game's
    /// order in [`each_child`](crate::game::SearchHints::each_child) counts. The value of the position does not depend on it.
    pub order: Option<OrderBy<E>>,
}

/// An evaluation that ranks moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderBy<E> {
    /// The evaluation.
    pub evaluation: E,
    /// The number of plies from the root in which it values the leaves of the short searches that rank moves.
    pub plies: u32,
    /// For an evaluation that predicts payoffs, the difference by which its predictions are usually not wrong. A first
    /// search then leaves positions out that are predicted this far outside the window, and the second search, which leaves
    /// none out, begins with the moves that the first one found (`ProbCut`: Buro 1995, "An effective selective extension of the
    /// alpha-beta algorithm").
    pub margin: Option<u32>,
}

impl<E> SolveSettings<E> {
    /// One thread, all best moves, and no evaluation.
    pub const fn new(table_bytes: u64) -> Self {
        Self { table_bytes, threads: 1, best: BestMoves::All, order: None }
    }
}

/// Solves a position: by alpha-beta to the end of every game, in games of chance by [`Expectimax`]. The meter counts the
/// nodes of all threads.
///
/// # Errors
/// If the table does not fit into the memory that the meter allows, a game does not end within
/// [`DEEPEST`](crate::game::DEEPEST) plies, or the system does not start the threads.
///
/// # Panics
/// If it is chance's turn, if two players' payoffs do not add up to 0, if `threads` is 0, or if the best moves do not
/// [fit](BestMoves::fits) the game.
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
    settings: &SolveSettings<Arc<dyn Evaluation<G>>>,
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
        Turn::Player(_) if !settings.best.fits(&facts) => {
            panic!("payoffs and lengths are too large, or there is chance")
        }
        Turn::Player(mover) if const { can_be::<G>(None, Some(true)) } && facts.chance => {
            with_chance(game, position, mover, meter)
        }
        Turn::Player(_) => {
            if const { !can_be::<G>(None, Some(false)) } {
                unreachable!("the facts of a game are those of its type")
            }
            // The memory of a table is allocated when entries come.
            let shared = Shared::new(game, position, settings);
            meter.reserve(settings.table_bytes)?;
            let found = shared.solve(position, settings.threads, meter)?;
            // A win is short of its payoff's steps by less than one, and so is a loss.
            let payoff = |step: i32| (found.value.abs() / f64::from(step)).ceil().copysign(found.value);
            Ok(Solution { value: shared.step.map_or(found.value, payoff), ..found })
        }
    }
}

/// The worth of a step of the payoff in plies, more than a game has; `None` if payoffs would be too large.
fn step(facts: &Facts) -> Option<i32> {
    let step = facts.max_plies.unwrap_or(DEEPEST) as i32 + 1;
    let size = facts.min_payoff.unsigned_abs().max(facts.max_payoff.unsigned_abs());
    (i64::from(size) * i64::from(step) <= LARGEST_PAYOFF.into()).then_some(step)
}

fn with_chance<G: Game>(
    game: &G,
    position: &G::Position,
    mover: Player,
    meter: &mut Meter,
) -> Result<Solution<G::Move>, SearchError> {
    let candidates = Candidates::of(game, position, mover);
    let (moves, _) = Expectimax::full(Star::Two, Ties::First).estimates(game, &candidates, meter)?;
    let value = moves.iter().map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max);
    let best = moves.iter().filter(|estimate| estimate.value == value);
    let best: Vec<_> = best.map(|found| candidates.moves[found.mv]).collect();
    let line = best[..1].to_vec();
    Ok(Solution { value, best, line })
}

/// The end of a thread's search: the value of the position and the numbers of the moves that reach it, or `None` if another thread
/// ended first; and the work.
type Ended = (Result<Option<(i32, Vec<u32>)>, SearchError>, Spent);

/// Larger than any payoff.
const PAYOFF: i32 = LARGEST_PAYOFF as i32 + 1;

/// The state that all threads share.
struct Shared<'g, G: Game> {
    game: &'g G,
    table: Option<Table>,
    /// With several threads, the positions that they are searching.
    busy: Option<Busy>,
    best: BestMoves,
    /// The worth of a step of the payoff in plies, if of the best moves the soonest are asked for: a won payoff is worth less the longer it takes,
    /// and a lost one more. Hints of the game and evaluations are for payoffs alone and not used then.
    step: Option<i32>,
    order: Option<OrderBy<Arc<dyn Evaluation<G>>>>,
    /// Whether the game says how promising positions are.
    has_estimate: bool,
    /// The number of passes that a thread has finished.
    done: AtomicU32,
    /// The value that a selective pass found.
    guess: AtomicI32,
}

impl<'g, G: Game> Shared<'g, G> {
    fn new(game: &'g G, position: &G::Position, settings: &SolveSettings<Arc<dyn Evaluation<G>>>) -> Self {
        let is_soonest = settings.best == BestMoves::Soonest;
        Self {
            game,
            table: Table::growing(settings.table_bytes),
            busy: (settings.threads > 1).then(Busy::new),
            best: if is_soonest { BestMoves::All } else { settings.best },
            step: if is_soonest { step(&game.facts()) } else { None },
            order: settings.order.clone().filter(|_| !is_soonest),
            has_estimate: !is_soonest && game.hints().estimate(game, position).is_some(),
            done: AtomicU32::new(0),
            guess: AtomicI32::new(0),
        }
    }

    fn solve(
        &self,
        position: &G::Position,
        threads: usize,
        meter: &mut Meter,
    ) -> Result<Solution<G::Move>, SearchError> {
        let (value, best) = in_threads(threads, &self.done, &|| self.search(position), meter)?;
        let moves = moves_of(self.game, position);
        let best = best.into_iter().map(|number| moves[number as usize]).collect();
        let line = self.principal_variation(position, value, meter);
        Ok(Solution { value: f64::from(value), best, line })
    }

    /// The search of one thread.
    fn search(&self, position: &G::Position) -> Ended {
        let mut meter = Meter::new(Limits::default());
        let mut tree = Tree::new(self, &mut meter);
        let moves = self.moves(&mut tree, position);
        let ended = if tree.stopped { tree.error.map_or(Ok(None), Err) } else { Ok(Some(moves)) };
        // The first thread that ends ends the others.
        if ended == Ok(None) || self.done.fetch_max(Pass::Exact.done(), Relaxed) >= Pass::Exact.done() {
            return (Ok(None), meter.spent());
        }
        (ended.map(|moves| moves.map(|moves| best_moves(self.best, moves))), meter.spent())
    }

    /// The numbers of the root's moves and their values, in one pass or two.
    fn moves(&self, tree: &mut Tree<'_, G>, position: &G::Position) -> Vec<(u32, i32)> {
        let mut guess = None;
        if let Some(OrderBy { margin: Some(margin), .. }) = self.order {
            tree.pass = Pass::Selective { margin };
            let found = self.pass(tree, position, None);
            tree.end_of_pass(position, &found);
            if tree.stopped {
                return found;
            }
            guess = Some(self.guess.load(Relaxed));
        }
        self.pass(tree, position, guess)
    }

    /// One pass: by null windows from a guess, or by open windows without.
    fn pass(&self, tree: &mut Tree<'_, G>, position: &G::Position, guess: Option<i32>) -> Vec<(u32, i32)> {
        let Turn::Player(mover) = self.game.turn(position) else { unreachable!("it is a player's turn") };
        let candidates = tree.in_order(position, mover, 0);
        let hash = |candidate: &Candidate<G>| Some(self.busy(&candidate.position, 1)?.1);
        let hashes: Option<Vec<u64>> = candidates.iter().map(hash).collect();
        let mut root = Root {
            best: self.best,
            busy: self.busy.as_ref().zip(hashes),
            ask: &mut |at, alpha, beta| {
                let value = tree.value(candidates[at].position, mover, Question { alpha, beta, ply: 1 });
                if tree.stopped { Err(Stopped) } else { Ok(value) }
            },
        };
        let found = match guess {
            None => root.by_open_windows(candidates.len()),
            Some(guess) => root.by_null_windows(candidates.len(), guess).unwrap_or_default(),
        };
        found.into_iter().map(|(at, value)| (candidates[at].index, value)).collect()
    }

    /// With several threads, the list of busy positions and the hash of a position in it.
    #[inline(always)]
    fn busy(&self, position: &G::Position, plies: u32) -> Option<(&Busy, u64)> {
        let busy = self.busy.as_ref()?;
        Some((busy, hash(self.key(position, plies)?)))
    }

    /// The key of a position so many plies after the root.
    #[inline(always)]
    fn key(&self, position: &G::Position, plies: u32) -> Option<u128> {
        // Multiples of a large odd number, so that keys that are positions, and small, stay apart.
        const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let plies = if self.step.is_some() { plies } else { 0 };
        Some(self.game.key(position)? ^ u128::from(plies).wrapping_mul(SPREAD))
    }

    /// The payoff of a finished position so many plies after the root.
    #[inline(always)]
    fn payoff(&self, position: &G::Position, player: Player, plies: u32) -> i32 {
        let payoff = self.game.payoff(position, player);
        self.step.map_or(payoff, |step| payoff * step - payoff.signum() * plies as i32)
    }

    #[inline(always)]
    fn plies_left(&self, position: &G::Position) -> Option<u32> {
        if self.step.is_some() { None } else { self.game.hints().plies_left(self.game, position) }
    }

    /// Best play to the end: at each position the first move, in the order of the search, that keeps the value.
    fn principal_variation(&self, position: &G::Position, value: i32, meter: &mut Meter) -> Vec<G::Move> {
        let mut tree = Tree::new(self, meter);
        let (mut position, mut value, mut line) = (*position, value, Vec::new());
        let mut turn = self.game.turn(&position);
        while let Turn::Player(mover) = turn {
            let question = Question { alpha: value - 1, beta: value, ply: line.len() as u32 + 1 };
            let moves = tree.in_order(&position, mover, line.len() as u32);
            let mut keeps = moves.iter().filter(|at| tree.value(at.position, mover, question) >= value);
            let kept = keeps.next().expect("a move reaches the value");
            line.push(kept.mv);
            position = kept.position;
            turn = self.game.turn(&position);
            if matches!(turn, Turn::Player(next) if next != mover) {
                value = -value;
            }
        }
        line
    }
}

/// The best value and the moves that reach it, in the game's order, or the first that was found.
fn best_moves(asked: BestMoves, mut moves: Vec<(u32, i32)>) -> (i32, Vec<u32>) {
    let value = moves.iter().map(|&(_, value)| value).max().expect("a player's turn has a move");
    moves.retain(|&(_, found)| found == value);
    match asked {
        BestMoves::All | BestMoves::Soonest => moves.sort_unstable(),
        BestMoves::One => moves.truncate(1),
    }
    (value, moves.into_iter().map(|(number, _)| number).collect())
}

/// The first result of several threads, whose work the meter counts.
fn in_threads(
    threads: usize,
    done: &AtomicU32,
    search: &(dyn Fn() -> Ended + Sync),
    meter: &mut Meter,
) -> Result<(i32, Vec<u32>), SearchError> {
    let found = std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, search);
        let others = (1..threads).map(spawn).collect::<Result<Vec<_>, _>>();
        // If one was not started, those that were have nothing to wait for.
        let others = others.inspect_err(|_| done.store(u32::MAX, Relaxed));
        let others = others.map_err(|error| SearchError::no_threads(threads, &error))?;
        let mut all = vec![search()];
        all.extend(
            others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))),
        );
        Ok::<_, SearchError>(all)
    })?;
    meter.count_nodes(found.iter().map(|(_, spent)| spent.nodes).sum());
    done.store(0, Relaxed);
    let found = found.into_iter().find_map(|(found, _)| found.transpose());
    found.expect("a thread finished or failed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Facts, GameExt, Window};
    use crate::rng::PlayoutKey;

    /// A game of 11 plies with three moves each. A position is the sum of the moves so far, so that many lines meet.
    #[derive(Clone, Debug)]
    struct Sums {
        key: PlayoutKey,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Sum {
        sum: u64,
        left: u32,
    }

    impl Sums {
        fn draw(&self, position: &Sum, below: u64) -> i32 {
            let Sum { sum, left } = *position;
            (self.key.child(sum).child(left.into()).to_u64() % below) as i32
        }

        /// Minimax: the payoff of the first player under best play.
        fn exact(&self, position: Sum) -> i32 {
            let below = self.moves(&position).map(|mv| self.exact(self.after(&position, mv)));
            let found = if position.left % 2 == 1 { below.max() } else { below.min() };
            found.unwrap_or_else(|| self.payoff(&position, Player::FIRST))
        }
    }

    impl Game for Sums {
        type Position = Sum;
        type Move = u64;

        fn facts(&self) -> Facts {
            Facts::two_player().with_max_plies(11).with_payoffs(-8, 8)
        }

        fn start(&self) -> Sum {
            Sum { sum: 0, left: 11 }
        }

        fn turn(&self, position: &Sum) -> Turn {
            match position.left {
                0 => Turn::Over,
                left if left % 2 == 1 => Turn::Player(Player::FIRST),
                _ => Turn::Player(Player::SECOND),
            }
        }

        fn moves(&self, position: &Sum) -> impl Iterator<Item = u64> {
            0..if position.left == 0 { 0 } else { 3 }
        }

        fn apply(&self, position: &mut Sum, mv: u64) {
            *position = Sum { sum: position.sum + 5 * mv * mv, left: position.left - 1 };
        }

        fn payoff(&self, position: &Sum, player: Player) -> i32 {
            let payoff = self.draw(position, 17) - 8;
            if player == Player::FIRST { payoff } else { -payoff }
        }

        fn key(&self, position: &Sum) -> Option<u128> {
            Some(u128::from(position.sum) << 32 | u128::from(position.left))
        }

        fn notation(&self, _: &Sum, mv: u64) -> String {
            mv.to_string()
        }

        fn drawing(&self, position: &Sum) -> String {
            format!("{position:?}")
        }

        fn hints(&self) -> impl SearchHints<Self> {
            Estimates
        }
    }

    struct Estimates;

    impl SearchHints<Sums> for Estimates {
        fn plies_left(&self, _: &Sums, position: &Sum) -> Option<u32> {
            // From 16 at the start, so that positions are shared, looked up, remembered, and not.
            Some(position.left + 5)
        }

        fn estimate(&self, game: &Sums, position: &Sum) -> Option<i32> {
            Some(game.draw(position, 100))
        }
    }

    /// Every answer to a window is fail-soft: to wide and null windows, near the value and far from it, one after the other with
    /// one table.
    #[test]
    fn answers_to_all_windows_are_fail_soft() {
        for number in 0..60 {
            let game = Sums { key: PlayoutKey::new(number) };
            let exact = game.exact(game.start());
            let mut meter = Meter::new(Limits::default());
            let settings = SolveSettings::new(if number % 2 == 0 { 1 << 14 } else { 0 });
            let mut solved = |threads| {
                let settings = SolveSettings { threads, ..settings.clone() };
                solve(&game, &game.start(), &settings, &mut meter).unwrap()
            };
            let (alone, shared) = (solved(1), solved(3));
            assert_eq!((alone.value, shared.value), (f64::from(exact), f64::from(exact)));
            assert_eq!(alone.best, shared.best, "game {number}");
            let shared = Shared::new(&game, &game.start(), &settings);
            let mut tree = Tree::new(&shared, &mut meter);
            let around = [-64, -20, -3, -2, -1, 0, 1, 2, 5, 30];
            for (below, width) in around.iter().flat_map(|below| [1, 2, 9, 64].map(|width| (below, width))) {
                let (alpha, beta) = (exact + below, exact + below + width);
                let answer = tree.value(game.start(), Player::FIRST, Question { alpha, beta, ply: 1 });
                assert!(Window { alpha, beta }.admits(answer, exact), "{answer} to {alpha} {beta}, {exact}");
            }
        }
    }
}
