//! UCT on P-games: its error rate by the number of iterations, and the number that it needs (Kocsis, Szepesvári 2006, "Bandit
//! based Monte-Carlo planning", section 3.1 and figure 2).
//!
//! `cargo run --release -p p-games`; the output is committed beside this file as `report.txt`. With
//! `--smoke` it runs on few trees with small budgets.
//!
//! A P-game is a tree with *B* moves per node and *D* plies; the first player's moves have values from 0 to 127, the second's from −127
//! to 0, and the sign of the sum along the path decides the game. An error is a root move that is not best under
//! best play by both. UCT runs once on each tree; its choice is read after 1, 2, 4 … iterations. Trees with the same
//! number but different depths are the same tree, cut at different depths, so that depths are compared in pairs.

use std::fmt::Write as _;
use std::sync::Arc;

use rayon::prelude::*;
use shikou::game::{Game, Uniform};
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::rng::Stream;
use shikou::search::{
    AnswerBuffer, Ask, AskTell, Budget, Limits, Meter, MoveStream, SolveSettings, Stop, Uct, UctSettings,
    solve,
};
use shikou::stats::{Confidence, Estimate, RESAMPLES, bootstrap, wilson};

/// The error rate to reach.
const RATE: f64 = 0.05;

/// The settings: branching factors and depths, the largest budget as a power of 2, and the constant factor.
struct Family {
    title: &'static str,
    cells: &'static [(u32, u32)],
    doublings: usize,
}

const FAMILIES: [Family; 2] = [
    Family {
        title: "B = 2, depth by depth",
        cells: &[(2, 4), (2, 6), (2, 8), (2, 10), (2, 12), (2, 14), (2, 16), (2, 18), (2, 20)],
        doublings: 13,
    },
    Family {
        title: "D = 8, branching factor by branching factor",
        cells: &[(2, 8), (3, 8), (4, 8), (5, 8), (6, 8), (7, 8), (8, 8)],
        doublings: 13,
    },
];

fn main() {
    let smoke = std::env::args().any(|argument| argument == "--smoke");
    let trees = if smoke { 20 } else { 500 };
    println!("UCT at P-games: how often its move is not best, on {trees} trees each");
    for Family { title, cells, doublings } in FAMILIES {
        let doublings = if smoke { 6 } else { doublings };
        let rows: Vec<Vec<f64>> =
            (0..trees).into_par_iter().map(|tree| errors_on_tree(cells, tree, doublings)).collect();
        print!("{}", report(title, cells, &rows, doublings));
    }
    println!(
        "\nErrors with 95 % Wilson intervals, iterations and slopes with 95 % BCa bootstrap intervals over trees."
    );
}

/// For one tree, cell after cell, whether the move after 1, 2, 4 … iterations is an error (1) or not (0).
fn errors_on_tree(cells: &[(u32, u32)], tree: u64, doublings: usize) -> Vec<f64> {
    cells.iter().flat_map(|&(branching, depth)| errors(branching, depth, tree, doublings)).collect()
}

fn errors(branching: u32, depth: u32, tree: u64, doublings: usize) -> Vec<f64> {
    let game = RandomTree::new(Settings { branching, depth, tree, ..Settings::default() }).expect("a tree");
    let start = game.start();
    let mut meter = Meter::new(Limits::default());
    let best =
        solve(&game, &start, &SolveSettings::new(1 << 16), &mut meter).expect("there is memory for it").best;
    let stream = MoveStream::new((Stream::new(2006) / "p-games" / tree).playout_key());
    let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
    let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(1 << doublings));
    uct.open(&game, &start, stream, &mut meter).expect("there is memory for it");
    let (mut buffer, mut found) = (AnswerBuffer::default(), Vec::new());
    for iteration in 1..=1_u64 << doublings {
        if let Ask::Playouts { policy, requests } = uct.ask(&game, &mut meter) {
            let answer = buffer.play(&game, &**policy, requests);
            uct.tell(&game, answer, &mut meter);
        }
        if iteration.is_power_of_two() {
            let decision = uct.close(&game, stream, Stop::Complete, &meter).expect("a move was visited");
            found.push(if best.contains(&decision.chosen) { 0.0 } else { 1.0 });
        }
    }
    found
}

/// The iterations, as a power of 2, from which the error rate is at most [`RATE`], interpolated linearly between two
/// budgets; the largest budget if it never is.
fn needed(rates: &[f64]) -> f64 {
    let Some(above) = rates.iter().rposition(|&rate| rate > RATE) else { return 0.0 };
    let next = rates.get(above + 1).map(|below| (rates[above] - RATE) / (rates[above] - below));
    above as f64 + next.unwrap_or(0.0)
}

/// The slope of the least-squares line.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let up: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    up / points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum::<f64>()
}

fn report(title: &str, cells: &[(u32, u32)], rows: &[Vec<f64>], doublings: usize) -> String {
    let budgets = doublings + 1;
    let confidence = Confidence::new(0.95);
    let rates = |means: &[f64], cell: usize| means[cell * budgets..(cell + 1) * budgets].to_vec();
    let mut text = format!("\n{title}\n\n");
    let wrong: Vec<u64> =
        (0..cells.len() * budgets).map(|at| rows.iter().map(|row| row[at] as u64).sum()).collect();
    let _ = write!(text, "{:>10}", "iterations");
    for (b, d) in cells {
        let _ = write!(text, "  {:<20}", format!("B {b}, D {d}"));
    }
    for budget in 0..budgets {
        let _ = write!(text, "\n{:>10}", 1_u64 << budget);
        for cell in 0..cells.len() {
            let Estimate { value, low, high, .. } =
                wilson(wrong[cell * budgets + budget], rows.len() as u64, confidence);
            let _ = write!(text, "  {:<20}", format!("{value:.3} [{low:.3}, {high:.3}]"));
        }
    }
    let means: Vec<f64> = wrong.iter().map(|&wrong| wrong as f64 / rows.len() as f64).collect();
    let _ = write!(text, "\n\n{}", picture(cells, &means, budgets));
    let stream = Stream::new(2006) / "bootstrap";
    let _ = writeln!(text, "\n{:>10}  {:>9}  iterations to an error rate of {RATE}", "", "B^(D/2)");
    for (cell, (b, d)) in cells.iter().enumerate() {
        let statistic = |means: &[f64]| needed(&rates(means, cell));
        let [found] = bootstrap(rows, [&statistic], RESAMPLES, stream, confidence);
        let power = |doublings: f64| libm::exp2(doublings);
        let _ = writeln!(
            text,
            "{:>10}  {:>9.0}  {:>8.0} [{:.0}, {:.0}]",
            format!("B {b}, D {d}"),
            libm::pow(f64::from(*b), f64::from(*d) / 2.0),
            power(found.value),
            power(found.low),
            power(found.high)
        );
    }
    let fitted = |means: &[f64]| {
        let point = |(cell, (b, d)): (usize, &(u32, u32))| {
            (f64::from(*d) / 2.0 * libm::log2(f64::from(*b)), needed(&rates(means, cell)))
        };
        slope(&cells.iter().enumerate().map(point).collect::<Vec<_>>())
    };
    let [found] = bootstrap(rows, [&fitted], RESAMPLES, stream, confidence);
    let _ = writeln!(
        text,
        "\nThe iterations grow like (B^(D/2))^x with x = {:.3} [{:.3}, {:.3}]; 1 is the paper's B^(D/2), 2 the whole tree.",
        found.value, found.low, found.high
    );
    text
}

/// Error rates against iterations, both in powers of 2; a letter for each cell.
fn picture(cells: &[(u32, u32)], means: &[f64], budgets: usize) -> String {
    const LOWEST: usize = 9;
    const WIDTH: usize = 5;
    let letter = |cell: usize| char::from(b'a' + cell as u8);
    let mut lines = vec![vec![' '; budgets * WIDTH]; LOWEST + 1];
    for cell in 0..cells.len() {
        for budget in 0..budgets {
            let rate = means[cell * budgets + budget];
            if rate > 0.0 {
                let down = (-libm::log2(rate) + 0.5) as usize;
                let line = &mut lines[down.min(LOWEST)][budget * WIDTH..(budget + 1) * WIDTH];
                // Letters at the same place are side by side; the last ones are omitted if there is no space.
                if let Some(free) = line.iter_mut().find(|place| **place == ' ') {
                    *free = letter(cell);
                }
            }
        }
    }
    let mut text = String::new();
    for (down, line) in lines.iter().enumerate() {
        let line: String = line.iter().collect();
        let _ = writeln!(text, "{:>10} │ {}", format!("1/{}", 1 << down), line.trim_end());
    }
    let mut axis = String::new();
    for budget in 0..budgets {
        let _ = write!(axis, "{:<WIDTH$}", format!("2^{budget}"));
    }
    let _ = writeln!(text, "{:>10} └{}", "", "─".repeat(budgets * WIDTH));
    let _ = writeln!(text, "{:>10}   {}", "", axis.trim_end());
    let names: Vec<String> =
        cells.iter().enumerate().map(|(cell, (b, d))| format!("{} B {b}, D {d}", letter(cell))).collect();
    let _ = writeln!(text, "{:>10}   {}", "", names.join(" · "));
    text
}
