//! Othello endgames: problems 40 to 44 of the French federation's magazine, exact, on one thread.
//!
//! `cargo bench --bench endgame`. The data are read from the folder that `SHIKOU_DATA` names, else from
//! `../shared/data`; without them the sample in `tests/data` is solved. Every value must be the published one. The time
//! is processor time, and is compared with the speed of this machine, a ply of a uniform playout.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cpu_time::ProcessTime;
use shikou::game::{Batch, Game, Player, Uniform, run_playouts};
use shikou::games::othello::Othello;
use shikou::rng::PlayoutKey;
use shikou::search::{BestMoves, Limits, Meter, SolveSettings, solve};

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    let path = std::env::var("FFO").map_or_else(|_| problems(bench), PathBuf::from);
    let text = std::fs::read_to_string(&path).expect("the problems can be read");
    let game = Othello::default().with_reward_score().with_empties_to_winner();
    println!("{:>3}{:>8}{:>7}{:>9}{:>14}{:>10}", "", "empties", "value", "s", "nodes", "nodes/s");
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for (number, line) in text.lines().enumerate() {
        let (board, answers) = line.split_once(';').expect("a position and its moves");
        let position = game.parse_board(board).expect("a position");
        let empties = game.playable().count_ones()
            - (position.discs(Player::FIRST) | position.discs(Player::SECOND)).count_ones();
        if !bench && empties > 14 {
            continue;
        }
        let best = answers.split(':').nth(1).and_then(|rest| rest.split(';').next()).expect("a value");
        let mut meter = Meter::new(Limits::default());
        let settings = SolveSettings { best: BestMoves::One, ..SolveSettings::new(512 << 20) };
        let clock = ProcessTime::now();
        let solution = solve(&game, &position, &settings, &mut meter).expect("there is no budget");
        let took = clock.elapsed();
        let (value, spent) = (solution.value, meter.spent().nodes);
        println!(
            "{number:>3}{empties:>8}{value:>+7}{:>9.3}{spent:>14}{:>10.1}M {}",
            took.as_secs_f64(),
            spent as f64 / took.as_secs_f64() / 1e6,
            solution.best[0]
        );
        assert_eq!(value, best.parse::<f64>().expect("a number"), "problem {line}");
        time += took;
        nodes += spent;
    }
    println!("all: {:.3} s, {nodes} nodes", time.as_secs_f64());
    println!("a ply of a uniform playout takes {:.1} ns", nanoseconds_a_ply(bench));
}

/// The time of a ply of a scalar playout: the figure for comparing machines.
fn nanoseconds_a_ply(bench: bool) -> f64 {
    let game = Othello::default();
    let batch = Batch::new(PlayoutKey::new(1), if bench { 100_000 } else { 10 });
    let clock = ProcessTime::now();
    let tally = run_playouts(&game, &Uniform, &game.start(), Player::FIRST, batch);
    clock.elapsed().as_nanos() as f64 / tally.plies as f64
}

fn problems(bench: bool) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var_os("SHIKOU_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let large = folder.join("ffo/ffo-40-44.obf");
    if bench && large.exists() { large } else { root.join("tests/data/ffo.obf") }
}
