//! Clobber on 5×6 in the steps of docs/making-it-fast.md: a board of cells as a new user writes it, a bit board, a count of moves, and
//! a random move of its own. Every step plays the same games.
//!
//! `cargo bench --bench making_it_fast` plays the steps in turn and prints the processor time of a ply; without `cargo bench` it plays
//! one round, to check that the tallies agree.

use shikou::game::{Batch, Facts, Game, Player, Tally, Turn, Uniform, run_playouts};
use shikou::games::clobber::{Clobber, Position};
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::ThreadClock;

const ROWS: usize = 5;
const COLUMNS: usize = 6;
const CELLS: usize = ROWS * COLUMNS;

/// The rules on an array of cells: `Some(player)` for a stone.
#[derive(Clone)]
struct OnCells;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cells {
    cells: [Option<Player>; CELLS],
    to_move: Player,
}

/// The cell beside another: to the right, to the left, a row up, a row down.
fn beside(cell: usize, direction: usize) -> Option<usize> {
    let (row, column) = (cell / COLUMNS, cell % COLUMNS);
    match direction {
        0 => (column + 1 < COLUMNS).then(|| cell + 1),
        1 => (column > 0).then(|| cell - 1),
        2 => (row + 1 < ROWS).then(|| cell + COLUMNS),
        _ => (row > 0).then(|| cell - COLUMNS),
    }
}

impl Game for OnCells {
    type Position = Cells;
    type Move = (usize, usize);

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(CELLS as u32)
    }

    fn start(&self) -> Cells {
        let stone = |cell| Player::new(((cell / COLUMNS + cell % COLUMNS) % 2) as u8);
        Cells { cells: std::array::from_fn(|cell| Some(stone(cell))), to_move: Player::FIRST }
    }

    fn turn(&self, position: &Cells) -> Turn {
        if self.moves(position).next().is_some() { Turn::Player(position.to_move) } else { Turn::Over }
    }

    fn moves(&self, position: &Cells) -> impl Iterator<Item = (usize, usize)> {
        let Cells { cells, to_move } = *position;
        let all = (0..4).flat_map(|direction| (0..CELLS).map(move |from| (from, direction)));
        all.filter(move |&(from, direction)| {
            let to = beside(from, direction);
            cells[from] == Some(to_move) && to.is_some_and(|to| cells[to] == Some(to_move.other()))
        })
    }

    fn apply(&self, position: &mut Cells, (from, direction): (usize, usize)) {
        let to = beside(from, direction).expect("a legal move stays on the board");
        position.cells[to] = position.cells[from].take();
        position.to_move = position.to_move.other();
    }

    fn payoff(&self, position: &Cells, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    fn notation(&self, _position: &Cells, (from, direction): (usize, usize)) -> String {
        format!("{from}:{direction}")
    }

    fn drawing(&self, position: &Cells) -> String {
        format!("{position:?}")
    }
}

/// The built-in game without what comes after a step: 1 has the bit board alone, 2 counts moves, 3 picks a random move too.
#[derive(Clone)]
struct OnBits<const STEP: u8>(Clobber);

impl<const STEP: u8> Game for OnBits<STEP> {
    type Position = Position;
    type Move = u8;

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn start(&self) -> Position {
        self.0.start()
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        self.0.turn(position)
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        self.0.moves(position)
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        if STEP > 1 { self.0.move_count(position) } else { self.moves(position).count() as u32 }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> u8 {
        if STEP > 2 {
            return self.0.random_move(position, draws);
        }
        let pick = draws.below(self.move_count(position));
        self.moves(position).nth(pick as usize).expect("a player's turn has a move")
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: u8) {
        self.0.apply(position, mv);
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        self.0.payoff(position, player)
    }

    fn notation(&self, position: &Position, mv: u8) -> String {
        self.0.notation(position, mv)
    }

    fn drawing(&self, position: &Position) -> String {
        self.0.drawing(position)
    }
}

/// Plays a batch: the tally, and the nanoseconds of processor time.
type Play = dyn Fn(Batch) -> (Tally, f64);

/// The tally of a batch, and the nanoseconds of processor time.
fn played(game: &impl Game, batch: Batch) -> (Tally, f64) {
    let mut clock = ThreadClock::start();
    let tally = run_playouts(game, &Uniform, &game.start(), Player::FIRST, batch);
    (tally, clock.lap().as_secs_f64() * 1e9)
}

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 51 } else { 1 };
    let game = || Clobber::new(ROWS as u8, COLUMNS as u8).expect("the board has 30 cells");
    let steps: [(&str, Box<Play>); 4] = [
        ("an array of cells", Box::new(|batch| played(&OnCells, batch))),
        ("a bit board", Box::new(move |batch| played(&OnBits::<1>(game()), batch))),
        ("and `move_count`", Box::new(move |batch| played(&OnBits::<2>(game()), batch))),
        ("and `random_move`", Box::new(move |batch| played(&OnBits::<3>(game()), batch))),
    ];
    let mut times = vec![Vec::new(); steps.len()];
    for round in 0..rounds {
        let batch = Batch::new(PlayoutKey::new(round), 2000);
        let mut known = None;
        for (times, (name, play)) in times.iter_mut().zip(&steps) {
            let (tally, ns) = play(batch);
            assert_eq!(*known.get_or_insert(tally), tally, "{name} plays other games");
            times.push(ns / tally.plies as f64);
        }
    }
    for (times, (name, _)) in times.iter_mut().zip(&steps) {
        times.sort_by(f64::total_cmp);
        println!("{name:<20}{:>8.1} ns a ply (median of {rounds})", times[times.len() / 2]);
    }
}
