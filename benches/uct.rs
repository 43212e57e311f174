//! What the tree of UCT costs beside its playouts: 10 000 iterations from the start of Othello.
//!
//! `cargo bench --bench uct`. In each round a search, and the playouts that it makes without the search, each from its
//! own position, are timed in turn, by the plain loop and as the game plays them fastest; the figures are medians over
//! the rounds. The share is of what the search takes beyond its playouts. The search must come to the same visits each
//! time.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use shikou::game::{Batch, Game, Player, Policy, Uniform};
use shikou::games::othello::{Move, Othello, Position};
use shikou::rng::{Draws, PlayoutKey};
use shikou::search::{Ask, Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings};

const ITERATIONS: u64 = 10_000;

/// The uniform policy by the plain loop, whatever faster one the game has.
struct Scalar;

impl Policy<Othello> for Scalar {
    #[inline(always)]
    fn choose(&self, game: &Othello, position: &Position, draws: &mut Draws) -> Move {
        game.random_move(position, draws)
    }

    fn distribution(&self, game: &Othello, position: &Position) -> Vec<(Move, u32)> {
        Uniform.distribution(game, position)
    }
}

fn meter() -> Meter {
    Meter::new(Limits::default()).with_budget(Budget::playouts(ITERATIONS))
}

fn stream() -> MoveStream {
    MoveStream::new(PlayoutKey::new(1))
}

/// The playouts of a search: from which position, and which.
fn leaves(game: &Othello, uct: &mut Uct<Othello>) -> Vec<(Position, Batch)> {
    let leaf = UctSettings::new(Arc::new(Uniform)).leaf;
    let mut meter = meter();
    let mut conversation =
        uct.begin(game, &game.start(), stream(), &mut meter).expect("there is memory for it");
    let mut leaves = Vec::new();
    while let Ask::Playouts(position) = conversation.ask(&mut meter) {
        let batch = conversation.batch();
        leaves.push((position, batch));
        let sample = leaf.play(game, &position, Player::FIRST, batch);
        meter.count_playouts(&sample.work());
        conversation.tell(&sample);
    }
    leaves
}

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    let rounds = if bench { 31 } else { 1 };
    let game = Othello::default();
    let start = game.start();
    println!("{ITERATIONS} iterations from the start of Othello, medians of {rounds} rounds");
    println!("{:<28}{:>14}{:>12}{:>12}{:>14}", "", "iterations/s", "µs", "playouts µs", "tree/playouts");
    for (name, solver, scalar) in
        [("uct", false, true), ("uct(solver=bounds)", true, true), ("uct, vector playouts", false, false)]
    {
        let policy: Arc<dyn Policy<Othello>> = if scalar { Arc::new(Scalar) } else { Arc::new(Uniform) };
        let settings = UctSettings { solver, ..UctSettings::new(policy) };
        let mut uct = Uct::new(settings.clone());
        let leaves = leaves(&game, &mut uct);
        let mut times = Vec::new();
        for _ in 0..rounds {
            let mut meter = meter();
            let clock = ThreadTime::now();
            let decision = uct.choose(&game, &start, stream(), &mut meter).expect("there is memory for it");
            let search = clock.elapsed();
            assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), ITERATIONS);
            let clock = ThreadTime::now();
            let mut plies = 0;
            for &(position, batch) in &leaves {
                plies += settings.leaf.policy.playouts(&game, &position, Player::FIRST, batch).plies;
            }
            times.push((search, clock.elapsed()));
            assert_eq!(plies, meter.spent().plies);
        }
        let median = |of: fn(&(Duration, Duration)) -> f64| {
            let mut values: Vec<f64> = times.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let iteration = median(|(search, _)| search.as_secs_f64()) * 1e6 / ITERATIONS as f64;
        let playout = median(|(_, playouts)| playouts.as_secs_f64()) * 1e6 / ITERATIONS as f64;
        let share = median(|(search, playouts)| search.as_secs_f64() / playouts.as_secs_f64() - 1.0);
        println!(
            "{name:<28}{:>14.0}{iteration:>12.3}{playout:>12.3}{:>13.1}%",
            1e6 / iteration,
            100.0 * share
        );
    }
}
