//! Playouts in vector lanes, on every path of this processor, as ratios to plain scalar loops.
//!
//! `cargo bench --bench lanes`; with names of games after `--`, only those. In each round the baseline, a plain scalar
//! loop compiled for x86-64-v3, and the row are timed one after the other, in processor time of this thread. Cycles are
//! estimated as in a profile. Each game's file states its required speed-ups. Without `cargo bench` it plays one round,
//! to check the tallies only.

#[path = "../by_hand/calculation.rs"]
mod by_hand;
mod calculation;
#[path = "../by_hand/kogge_stone.rs"]
mod kogge_stone;
mod othello;
mod table;
mod tic_tac_toe;
#[path = "../by_hand/tic_tac_toe.rs"]
mod tic_tac_toe_by_hand;

/// A game's rows: its name, and the function that prints them for a number of rounds.
type Rows = (&'static str, fn(u64));

/// The games that have lanes.
const GAMES: [Rows; 3] =
    [("othello", othello::rows), ("tic-tac-toe", tic_tac_toe::rows), ("calculation", calculation::rows)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = if arguments.iter().any(|argument| argument == "--bench") { 41 } else { 1 };
    let named: Vec<_> =
        GAMES.iter().filter(|(name, _)| arguments.iter().any(|given| given == name)).collect();
    for (_, rows) in if named.is_empty() { GAMES.iter().collect() } else { named } {
        rows(rounds);
    }
}
